"""Search in place of sampling, for a metric's least or for a run that ends otherwise.

With a metric CMA-ES leads the way. It moves in the unit cube of probabilities, so it stays within the distributions.
Without one there is nothing to be led by (on a constant cost CMA-ES drifts, and leaves parts of the cube out), and runs
are those that the campaign would have without a search, until one ends otherwise.

Candidates are numbered as they are asked for; given the seed they depend on the results before them only, so that a
search can be resumed (what is on record is told to the optimiser again) and each candidate run again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from softdock.campaign.distributions import LEAST
from softdock.campaign.plan import Campaign
from softdock.campaign.pool import Task
from softdock.campaign.runs import Progress, run_campaign
from softdock.campaign.store import CampaignError, rows_in
from softdock.campaign.trial import DONE, FAILED, Row
from softdock.scenarios import builder
from softdock.world.describe import nearest

STEP = 0.25
"""First standard deviation in the unit cube."""
BATCH = 32
"""Without a metric, runs between looks at how they ended: a fixed number, so that any number of workers does the same
runs."""
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
    engine: str = "local",
    address: str | None = None,
    progress: Progress | None = None,
) -> Found:
    """Up to `campaign.runs` runs. Least of metric `minimise` (`-metric`: greatest); with `falsify`, it ends at the
    first runs whose outcome is another, led there by the metric if one is given."""
    campaign = campaign.altered(minimise=minimise or campaign.minimise, falsify=falsify or campaign.falsify)
    if not campaign.searched:
        raise CampaignError("a search takes a metric to minimise, or an outcome to falsify")
    run_campaign(
        campaign, out, resume=resume, workers=workers, engine=engine, address=address, progress=progress
    )  # fmt: skip
    return found_in(out, campaign)


def refuse_unknown(campaign: Campaign, columns: Mapping[str, Any]) -> None:
    """CampaignError if there is no such metric among those of a run of one step (unless there are none at all), no such
    outcome, or nothing to search in."""
    name = (campaign.minimise or "").removeprefix("-")
    numeric = [key for key, x in columns.items() if x is None or isinstance(x, bool | int | float)]
    if name and columns and name not in numeric and columns.get(name.partition(".")[0], "") is not None:
        raise CampaignError(f"--minimise {campaign.minimise}: no metric {name!r} of numbers{nearest(name, numeric)}")
    kind = builder(campaign.scenario["scenario"], Path(campaign.folder))
    known = [*(kind.outcomes or (kind.goal or DONE,)), FAILED]
    if campaign.falsify and campaign.falsify not in known:
        raise CampaignError(f"--falsify {campaign.falsify}: no such outcome{nearest(campaign.falsify, known)}")
    if name and (campaign.design != "monte-carlo" or _size(campaign) < 2):
        raise CampaignError("a search by a metric takes no design, and at least two numbers that vary")


def batches(campaign: Campaign, known: Mapping[int, Row]) -> Iterator[list[Task]]:
    """The runs to do next, when the rows of those before are known; none when it is at its end."""
    return _led(campaign, known) if campaign.minimise else _sampled(campaign, known)


def _sampled(campaign: Campaign, known: Mapping[int, Row]) -> Iterator[list[Task]]:
    for first in range(0, campaign.length, BATCH):
        tasks = [(k,) for k in range(first, min(first + BATCH, campaign.length))]
        yield tasks
        if any(_other(known[k], campaign.falsify) for (k,) in tasks):
            return


def _led(campaign: Campaign, known: Mapping[int, Row]) -> Iterator[list[Task]]:
    optimiser = _optimiser(_size(campaign), campaign.seed)
    lot = optimiser.population_size
    for first in range(0, campaign.length, lot):
        points = [np.clip(optimiser.ask(), LEAST, 1 - LEAST) for _ in range(lot)]
        tasks = [(first + k, campaign.values_at(points[k])) for k in range(min(lot, campaign.length - first))]
        yield tasks
        rows = [known[index] for index, _ in tasks]
        if len(rows) < lot or any(_other(row, campaign.falsify) for row in rows):
            return
        costs = [_cost(row, campaign) for row in rows]
        optimiser.tell(list(zip(points, costs, strict=True)))


def _size(campaign: Campaign) -> int:
    return sum(quantity.distribution.size for quantity in campaign.quantities)


def _optimiser(size: int, seed: int) -> Any:
    try:
        from cmaes import CMA
    except ImportError:
        raise CampaignError("a search needs the package cmaes: pip install 'softdock[search]'") from None
    bounds = np.tile([0.0, 1.0], (size, 1))
    return CMA(mean=np.full(size, 0.5), sigma=STEP, bounds=bounds, seed=seed % 2**32)


def _other(row: Row, outcome: str | None) -> bool:
    return bool(outcome and row["outcome"] != outcome)


def _cost(row: Row, campaign: Campaign) -> float:
    if _other(row, campaign.falsify):
        return -NOTHING
    if campaign.minimise is None:
        return 0.0
    value = row.get(campaign.minimise.removeprefix("-"))
    if not isinstance(value, int | float):
        return NOTHING
    return -float(value) if campaign.minimise.startswith("-") else float(value)


def found_in(out: str | Path, campaign: Campaign) -> Found:
    """The best run on record; CampaignError if none has the metric."""
    rows = rows_in(Path(out)).to_pylist()
    costs = [_cost(row, campaign) for row in rows]
    name = (campaign.minimise or "").removeprefix("-")
    if min(costs) >= NOTHING:
        raise CampaignError(f"{out}: no run gave a number {name!r}")
    row = rows[int(np.argmin(costs))]
    value = float(row.get(name) or 0.0)
    falsified = _other(row, campaign.falsify)
    if campaign.falsify:
        ends = f"all {len(rows)} runs end {campaign.falsify!r}"
        text = f"run {row['index']} ends {row['outcome']!r}" if falsified else ends
    else:
        text = f"run {row['index']}: {name} = {value:.6g} ({row['outcome']})"
    return Found(row["index"], value, row, falsified, text)
