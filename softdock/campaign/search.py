"""Search in place of sampling: CMA-ES over what varies, for a metric's least or a run that ends otherwise.

The optimiser moves in the unit cube of probabilities, so it stays within the distributions. Candidates are
numbered as they are asked for; given the seed they depend on the results before them only, so that a search
can be resumed (what is on record is told to the optimiser again) and each candidate run again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from softdock.campaign.distributions import LEAST
from softdock.campaign.plan import Campaign
from softdock.campaign.runs import Progress, Tally, engine_for, stored
from softdock.campaign.store import CampaignError, Store, opened, rows_in
from softdock.campaign.trial import Row

STEP = 0.25
"""First standard deviation in the unit cube."""
NOTHING = 1e300
"""What a run counts that has no such metric: worse than any."""


@dataclass(frozen=True)
class Found:
    """The best run of a search."""

    index: int
    value: float
    row: Row
    falsified: bool
    text: str

    def __str__(self) -> str:
        return self.text


def search(
    campaign: Campaign,
    out: str | Path,
    minimise: str | None = None,
    falsify: str | None = None,
    *,
    resume: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Found:
    """Up to `campaign.runs` runs. Least of metric `minimise` (`-metric`: greatest); with `falsify`, it ends at the
    first run whose outcome is another, led there by the metric if one is given."""
    path, size = Path(out), sum(quantity.distribution.size for quantity in campaign.quantities)
    if campaign.design != "monte-carlo" or size < 2:
        raise CampaignError("a search takes no design, and at least two numbers that vary")
    optimiser, campaign = _optimiser(size, campaign.seed), campaign.altered(searched=True)
    opened(path, campaign, resume)
    known: dict[int, Row] = {row["index"]: row for row in rows_in(path).to_pylist()}
    tally, store = Tally(campaign.length, len(known)), Store(path)
    tally.outcomes.update(row["outcome"] for row in known.values())
    with engine_for(campaign, workers=workers) as engine:
        first = 0
        while first < campaign.length:
            count = min(optimiser.population_size, campaign.length - first)
            points = [np.clip(optimiser.ask(), LEAST, 1 - LEAST) for _ in range(optimiser.population_size)]
            tasks = [(first + k, campaign.values_at(points[k])) for k in range(count)]
            fresh = _remembered(engine.rows([task for task in tasks if task[0] not in known]), known)
            stored(fresh, store, tally, progress)
            rows = [known[first + k] for k in range(count)]
            if count < optimiser.population_size or (falsify and any(_other(row, falsify) for row in rows)):
                break
            optimiser.tell([(point, _cost(row, minimise, falsify)) for point, row in zip(points, rows, strict=True)])
            first += count
    store.join()
    return _best(list(known.values()), minimise, falsify)


def _remembered(rows: Iterable[Row | None], known: dict[int, Row]) -> Iterator[Row | None]:
    for row in rows:
        if row is not None:
            known[row["index"]] = row
        yield row


def _optimiser(size: int, seed: int) -> Any:
    try:
        from cmaes import CMA
    except ImportError:
        raise CampaignError("a search needs the package cmaes: pip install 'softdock[search]'") from None
    bounds = np.tile([0.0, 1.0], (size, 1))
    return CMA(mean=np.full(size, 0.5), sigma=STEP, bounds=bounds, seed=seed % 2**32)


def _other(row: Row, outcome: str) -> bool:
    return bool(row["outcome"] != outcome)


def _cost(row: Row, minimise: str | None, falsify: str | None) -> float:
    if falsify and _other(row, falsify):
        return -NOTHING
    if minimise is None:
        return 0.0
    name = minimise.removeprefix("-")
    value = row.get(name)
    if not isinstance(value, int | float):
        return NOTHING
    return -float(value) if minimise.startswith("-") else float(value)


def _best(rows: list[Row], minimise: str | None, falsify: str | None) -> Found:
    costs = [_cost(row, minimise, falsify) for row in rows]
    if min(costs) >= NOTHING:
        names = ", ".join(name for name, x in rows[0].items() if isinstance(x, int | float))
        raise CampaignError(f"no run gave a number {str(minimise).removeprefix('-')!r} (there are {names})")
    row = rows[int(np.argmin(costs))]
    falsified = bool(falsify and _other(row, falsify))
    value = float(row.get((minimise or "").removeprefix("-")) or 0.0)
    if falsify:
        text = f"run {row['index']} ends {row['outcome']!r}" if falsified else f"all {len(rows)} runs end {falsify!r}"
    else:
        text = f"run {row['index']}: {str(minimise).removeprefix('-')} = {value:.6g} ({row['outcome']})"
    return Found(row["index"], value, row, falsified, text)
