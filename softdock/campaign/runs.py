"""Run a campaign: hand indices to an engine, store its rows, and run again what is asked for."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from softdock.campaign.plan import Campaign, known_column
from softdock.campaign.pool import Pool, Task
from softdock.campaign.store import RUNS, CampaignError, Store, opened, planned, results, rows_in
from softdock.campaign.trial import Metrics, Row, Trial, blank, columns_of
from softdock.scenarios.runner import Outcome, Runner

ENGINES = ("local", "ray")


@dataclass
class Tally:
    """How far a campaign is."""

    total: int
    done: int = 0
    """Runs done, those of earlier sittings included."""
    now: int = 0
    """Runs done in this sitting."""
    outcomes: Counter[str] = field(default_factory=Counter)

    def count(self, row: Row) -> None:
        """One more row."""
        self.done, self.now = self.done + 1, self.now + 1
        self.outcomes[str(row["outcome"])] += 1


Progress = Callable[[Tally], None]


class Engine(Protocol):
    """Performs tasks somewhere."""

    def rows(self, tasks: Iterable[Task]) -> Iterator[Row | None]: ...


def engine_for(
    campaign: Campaign,
    engine: str = "local",
    workers: int | None = None,
    address: str | None = None,
    metrics: Metrics | None = None,
) -> AbstractContextManager[Engine]:
    """What performs the runs; CampaignError if that is not to be had."""
    trial = Trial(campaign, metrics)

    def missing(index: int, values: Any = None) -> Row:
        return blank(campaign, index, values)

    if engine == "ray":
        from softdock.campaign.cluster import Cluster

        return Cluster(campaign, missing, workers=workers, address=address, metrics=metrics)
    if engine != "local":
        raise CampaignError(f"--engine {engine}: must be one of {', '.join(ENGINES)}")
    trial.warm()  # compiled here, once; the workers start as copies of this process
    return Pool(trial, missing, workers=workers, time_limit=campaign.time_limit, memory_limit=campaign.memory_limit)


def run_campaign(
    campaign: Campaign,
    out: str | Path,
    *,
    resume: bool = False,
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
    progress: Progress | None = None,
) -> Tally:
    """All runs that are not done yet, and results.parquet when they are.

    KeyboardInterrupt and OSError (a full disk) come through after what was done is written; `resume` goes on.
    """
    path = Path(out)
    done = opened(path, campaign, resume)
    tally = Tally(campaign.length, int(done.sum()))
    if tally.done:
        tally.outcomes.update(results(path)["outcome"].to_pylist())
    if tally.done < tally.total:
        with engine_for(campaign, engine, workers, address) as performing:
            stored(performing.rows((int(k),) for k in np.flatnonzero(~done)), Store(path), tally, progress)
    Store(path).join()
    return tally


def stored(rows: Iterable[Row | None], store: Store, tally: Tally, progress: Progress | None = None) -> None:
    """Store rows as they come, and count them."""
    try:
        for row in rows:
            if row is not None:
                store.add(row)
                tally.count(row)
            store.write_if_due()
            if progress:
                progress(tally)
    except KeyboardInterrupt:
        store.write()
        raise
    store.write()


def rerun(out: str | Path, index: int, *, progress: Callable[[float], None] | None = None) -> tuple[Path, Outcome]:
    """Run `index` of a campaign again as a full recorded run, with figures and replay, in runs/<index>.

    CampaignError if its metrics are not those of the results, bit for bit.
    """
    path = Path(out)
    campaign = planned(path)
    if not 0 <= index < campaign.length:
        raise CampaignError(f"{path}: has no run {index}; the last is {campaign.length - 1}")
    if (path / RUNS).is_symlink():
        raise CampaignError(f"{path / RUNS}: is a link, and nothing is written through links")
    place = path / RUNS / f"{index:07d}"
    row = _row(path, index)
    scenario = campaign.built(_values(campaign, index, row), campaign.run_seed(index), f"run {index}")
    runner = Runner(scenario)
    outcome = runner.record(place, progress)
    runner.draw(place)
    if row is not None and row["status"] == "done":
        now = columns_of(outcome.metrics) | {"status": outcome.status}
        changed = [name for name, value in now.items() if name in row and row[name] != value]
        if changed:
            names = ", ".join(f"{name} {row[name]} then, {now[name]} now" for name in changed[:3])
            raise CampaignError(f"{place}: is not the run of the table: {names}")
    return place, outcome


def _row(path: Path, index: int) -> Row | None:
    """The row of a run, if there is one yet."""
    table = rows_in(path)
    found = np.flatnonzero(table["index"].to_numpy() == index)
    return table.slice(int(found[0]), 1).to_pylist()[0] if len(found) else None


def _values(campaign: Campaign, index: int, row: Row | None) -> list[Any]:
    """What the run had: as its row says, since the draws of a search depend on what it found before."""
    if not campaign.searched:
        return campaign.values(index)
    if row is None:
        raise CampaignError(f"run {index} of a search is known when it has been done")
    return campaign.read(row)


KEEP = re.compile(r"(none|all|failures)|worst (\d+) (-?)(\S+)")


def chosen(out: str | Path, rule: str) -> list[int]:
    """Indices that a retention rule keeps: none, all, failures, or `worst N metric` (greatest; `-metric`, least)."""
    found = KEEP.fullmatch(rule.strip())
    if not found:
        raise CampaignError(f"--keep {rule}: expected none, all, failures, or 'worst N METRIC'")
    word, count, sign, metric = found.groups()
    if word == "none":
        return []
    table = results(out)
    indices = table["index"].to_numpy()
    if word == "all":
        return [int(k) for k in indices]
    if word == "failures":
        return [int(k) for k in indices[~np.asarray(table["success"].to_pylist(), dtype=bool)]]
    column = table[known_column(metric, table.column_names)].to_pylist()
    numbers = np.array([x if isinstance(x, int | float) else np.nan for x in column], dtype=np.float64)
    order = np.argsort(numbers if sign else -numbers, kind="stable")
    return [int(indices[k]) for k in order[: int(count)] if np.isfinite(numbers[k])]
