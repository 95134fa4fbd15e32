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
from softdock.campaign.sources import changed, code_of, digests, named, noted, softdock_of_now
from softdock.campaign.store import RUNS, CampaignError, Store, opened, planned, refuse_used, results, rows_in
from softdock.campaign.trial import Metrics, Row, Trial, blank, columns_of, refuse_taken
from softdock.scenarios.faults import HookFailed
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
    trial: Trial, engine: str = "local", workers: int | None = None, address: str | None = None
) -> AbstractContextManager[Engine]:
    """What performs the runs; CampaignError if that is not to be had."""
    campaign = trial.campaign

    def missing(index: int, values: Any = None) -> Row:
        return blank(campaign, index, values)

    if engine == "ray":
        from softdock.campaign.cluster import Cluster

        return Cluster(campaign, missing, workers=workers, address=address, metrics=trial.metrics)
    return Pool(
        trial, missing, workers=workers, time_limit=campaign.time_limit, memory_limit=campaign.memory_limit,
        several=trial.several,
    )  # fmt: skip


def run_campaign(
    campaign: Campaign,
    out: str | Path,
    *,
    resume: bool = False,
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
    metrics: Metrics | None = None,
    progress: Progress | None = None,
    keep: str = "none",
) -> Tally:
    """All runs that are not done yet (of a search, those that it asks for), and results.parquet when they are.

    `keep` is the rule that `chosen` will be asked for, so that one that cannot be is refused before the first run.
    KeyboardInterrupt and OSError (a full disk) come through after what was done is written; `resume` goes on.
    """
    if engine not in ENGINES:
        raise CampaignError(f"--engine {engine}: must be one of {', '.join(ENGINES)}")
    path = Path(out)
    refuse_used(path, resume)
    trial, campaign = _ready(campaign, metrics, keep)
    with opened(path, campaign, resume) as done:
        tally, store = Tally(campaign.length, int(done.sum())), Store(path, campaign)
        if tally.done:
            tally.outcomes.update(results(path)["outcome"].to_pylist())
        if not done.all():
            with engine_for(trial, engine, workers, address) as performing:
                _perform(campaign, performing, done, store, tally, progress)
        store.join(campaign)
    return tally


def _ready(campaign: Campaign, metrics: Metrics | None, keep: str) -> tuple[Trial, Campaign]:
    """What performs single runs, warm: workers start as copies of this process. And the campaign with all files that
    are read. CampaignError if a run of one step already shows that rows, or what is searched for or kept, cannot be."""
    if named(metrics) != campaign.metrics:
        function = campaign.metrics.partition(" ")[0]
        raise CampaignError(
            f"metrics: the campaign's are those of {function}(); give it that function, as of softdock.campaign.run"
            if function
            else "metrics: the campaign has none of its own; softdock.campaign.run makes one that has"
        )
    trial, folder = Trial(campaign, metrics), Path(campaign.folder)
    try:
        with noted() as files:
            columns = trial.warm()
        own = blank(campaign, 0)
        refuse_taken(columns, own)
    except HookFailed as error:
        raise CampaignError(str(error)) from None
    files.update(code_of(campaign.scenario["scenario"], folder))
    if columns:
        _refuse_rule(keep, campaign, {**own, **columns})
    if campaign.searched:
        from softdock.campaign.search import refuse_unknown

        refuse_unknown(campaign, columns)
    return trial, campaign.altered(files={**campaign.files, **digests(files, folder)})


def _perform(
    campaign: Campaign, engine: Engine, done: np.ndarray, store: Store, tally: Tally, progress: Progress | None
) -> None:
    if not campaign.searched:
        stored(engine.rows((int(k),) for k in np.flatnonzero(~done)), store, tally, progress)
        return
    from softdock.campaign.search import batches

    known: dict[int, Row] = {row["index"]: row for row in rows_in(store.path).to_pylist()}
    for tasks in batches(campaign, known):
        left = [task for task in tasks if task[0] not in known]
        stored(_remembered(engine.rows(left), known), store, tally, progress)


def _remembered(rows: Iterable[Row | None], known: dict[int, Row]) -> Iterator[Row | None]:
    for row in rows:
        if row is not None:
            known[row["index"]] = row
        yield row


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
        differing = [name for name, value in now.items() if name in row and row[name] != value]
        if differing:
            names = ", ".join(f"{name} {row[name]} then, {now[name]} now" for name in differing[:3])
            raise CampaignError(f"{place}: is not the run of the table{_why(campaign)}: {names}")
    return place, outcome


def _why(campaign: Campaign) -> str:
    """What has changed since a campaign was made."""
    if (name := changed(campaign.files, Path(campaign.folder))) is not None:
        return f" ({name} has changed since)"
    other = campaign.softdock != softdock_of_now()
    return f" (made by softdock {campaign.softdock}, this is {softdock_of_now()})" if other else ""


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


def retention(rule: str) -> tuple[str | None, ...]:
    """A retention rule's parts: a word, or number, sign and metric. CampaignError if it is none."""
    found = KEEP.fullmatch(rule.strip())
    if not found:
        raise CampaignError(f"--keep {rule}: expected none, all, failures, or 'worst N METRIC'")
    return found.groups()


def _refuse_rule(rule: str, campaign: Campaign, columns: Row) -> None:
    """CampaignError if a retention rule goes by a metric that neither a run of one step has (a part of what has no
    value yet may come) nor the scenario declares."""
    *_, metric = retention(rule)
    if metric is None or columns.get(metric.partition(".")[0], "") is None or campaign.measure(metric):
        return
    try:
        known_column(metric, list(columns))
    except ValueError as error:
        raise CampaignError(f"--keep {rule}: {error}") from None


def chosen(out: str | Path, rule: str) -> list[int]:
    """Indices that a retention rule keeps: none, all, failures, or `worst N metric` (greatest; `-metric`, least)."""
    word, count, sign, metric = retention(rule)
    if word == "none":
        return []
    table = results(out)
    indices = table["index"].to_numpy()
    if word == "all":
        return [int(k) for k in indices]
    if word == "failures":
        return [int(k) for k in indices[~np.asarray(table["success"].to_pylist(), dtype=bool)]]
    assert count and metric
    column = table[known_column(metric, table.column_names)].to_pylist()
    numbers = np.array([x if isinstance(x, int | float) else np.nan for x in column], dtype=np.float64)
    order = np.argsort(numbers if sign else -numbers, kind="stable")
    return [int(indices[k]) for k in order[: int(count)] if np.isfinite(numbers[k])]
