"""One run of a campaign: from an index to a row of the results."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from time import perf_counter
from typing import Any

import numpy as np

from softdock.campaign.compiled import compiled
from softdock.campaign.plan import Campaign
from softdock.dynamics import StepFailed, Trajectory
from softdock.dynamics.abreast import Going, alone, side_by_side
from softdock.runs.recorder import finite
from softdock.runs.simulation import Simulation
from softdock.scenarios.faults import HookFailed, is_own, refuse_unwritable, told
from softdock.scenarios.runner import Runner
from softdock.world.describe import shown

Row = dict[str, Any]
Metrics = Callable[[Simulation, Trajectory], Mapping[str, Any]]
"""Further columns of a run, from how it went and its rows."""

DONE, FAILED = "done", "failed"
_ELSEWHERE = ("compute_time", "realtime_factor", "median_time", "outcome", "reason")
"""A scenario's metrics that are no property of the run, and are not in the results; or that have a column already."""


_COLUMN = (float, int, str)
"""What a column holds as it is; truths are integers."""
_SCALARS = frozenset((float, int, str, bool, type(None), list))
"""What is no table, told quickly."""


class Taken(HookFailed):
    """A metric has the name of another column."""


class Trial:
    """Performs runs, without writing anything."""

    def __init__(self, campaign: Campaign, metrics: Metrics | None = None) -> None:
        self.campaign, self.metrics = campaign, metrics
        self._goal, self._go_abreast = campaign.goal, False

    def __reduce__(self) -> tuple[Callable[..., "Trial"], tuple[str, Metrics | None]]:
        return trial_of, (self.campaign.written(), self.metrics)

    def warm(self) -> Row:
        """Compile and load what the runs need, by a run of one step: its metrics as columns. What is wrong with it, the
        runs will tell."""
        data = dict(self.campaign.scenario)
        try:
            run = {**data["run"], "duration": data["run"].get("h", 0.01), "record_every": 1}
            short = Trial(self.campaign.altered(scenario={**data, "run": run}), self.metrics)
            runner = Runner(short.campaign.built(short.campaign.values(0)), compiled=compiled)
            columns = alone(short._ran(runner, beside=False))[1]
            own = self.metrics or is_own(type(runner.scenario))  # which need not bear that others begin before it ends
            self._go_abreast = not own and runner.simulation.goes_abreast
            return columns
        except Taken:
            raise
        except (Exception, SystemExit):
            return {}

    def _ran(self, runner: Runner, beside: bool) -> Going[tuple[Row, Row]]:
        """The columns that say how a run went, and those of its metrics."""
        metrics = yield from runner.going(beside=beside)
        own = self.metrics(runner.simulation, runner.simulation.rows) if self.metrics else {}
        if not isinstance(own, Mapping):
            raise HookFailed(f"metrics() must return a dict, not {shown(own)}")
        refuse_unwritable("metrics()", own)
        columns, further = columns_of(metrics), columns_of(own, ())
        refuse_taken(further, columns)
        return judged(metrics, self._goal), columns | further

    def __call__(self, index: int, values: Sequence[Any] | None = None) -> Row:
        """The row of run `index`, whose values are drawn unless they are given."""
        return alone(self.going(index, values, beside=False))

    def going(self, index: int, values: Sequence[Any] | None = None, *, beside: bool = True) -> Going[Row]:
        """The same on its way; `beside` others as in `Simulation.going`."""
        campaign, began = self.campaign, perf_counter()
        values = campaign.values(index) if values is None else values
        if beside:
            yield None
        row = blank(campaign, index, values)
        if beside:
            yield None
        try:
            scenario = campaign.built(values, row["seed"], f"run {index}")
            if beside:
                yield None
            dynamics = compiled(scenario.world)
            if beside:
                yield None
            runner = Runner(scenario, compiled=lambda *_: dynamics)
            if beside:
                yield None
            ended, columns = yield from self._ran(runner, beside)
            if beside:
                yield None
            refuse_taken(columns, row)
            row |= ended | columns
            if beside:
                runner.simulation.motion.give_back()
        except MemoryError:
            row |= failure("out of memory")
        except StepFailed as error:
            row |= failure(str(error))
        except (Exception, SystemExit) as error:  # a mistake in a scenario's code must not end the campaign
            row |= failure(told(error, is_own=True))
        return row | {"seconds": perf_counter() - began}

    @property
    def several(self) -> Callable[[list[tuple[Any, ...]]], list[Row]] | None:
        """What does several runs in less time than one by one, if that is known, once it is warm."""
        return self._side_by_side if self._go_abreast else None

    def _side_by_side(self, tasks: list[tuple[Any, ...]]) -> list[Row]:
        """The rows of several runs, the same as one by one; each took its share of the time."""
        began = perf_counter()
        rows = side_by_side([self.going(*task) for task in tasks])
        share = (perf_counter() - began) / len(tasks)
        return [row | {"seconds": share} for row in rows]


def trial_of(text: str, metrics: Metrics | None = None) -> Trial:
    """The trial of a campaign as TOML."""
    return Trial(Campaign.model_validate(tomllib.loads(text)["campaign"]), metrics)


def blank(campaign: Campaign, index: int, values: Sequence[Any] | None = None) -> Row:
    """A row before its run: index, seed and draws."""
    draws = campaign.labelled(campaign.values(index) if values is None else values)
    scalars = {key: x if isinstance(x, _COLUMN) else str(x) for key, x in draws.items()}
    seed = campaign.run_seed(index)
    fixed = {"index": index, "seed": draws["run.seed"] if seed is None else seed}
    return fixed | failure("") | {"seconds": 0.0} | scalars


def failure(reason: str, status: str = FAILED) -> Row:
    """The columns that say how a run failed."""
    return {"status": status, "outcome": status, "success": False, "reason": reason}


def judged(metrics: Mapping[str, Any], goal: str | None) -> Row:
    """The columns that say how a run went that did not fail."""
    outcome = str(metrics.get("outcome", DONE))
    reason = str(metrics.get("reason") or "")
    return {"status": DONE, "outcome": outcome, "success": goal is None or outcome == goal, "reason": reason}


def refuse_taken(columns: Mapping[str, Any], row: Iterable[str]) -> None:
    """Taken if a metric has the name of a column that every row has."""
    if taken := sorted(columns.keys() & {*row}):
        raise Taken(f"metrics(): {taken[0]!r} is a column of every row; choose another name")


def columns_of(metrics: Mapping[str, Any], without: Iterable[str] = _ELSEWHERE) -> Row:
    """Metrics that fit a column: numbers, words and truths; of a list, its length; of a table, its entries. Integers
    beyond 2⁶³ are floats there."""
    columns: Row = {}
    for name, value in metrics.items():
        if name in without:
            continue
        kind = type(value)
        if kind is bool or kind is str or (kind is float and isfinite(value)):
            columns[name] = value
            continue
        if kind not in _SCALARS and isinstance(value, Mapping):
            columns |= {f"{name}.{key}": entry for key, entry in columns_of(value, without).items()}
            continue
        try:
            columns[name] = _scalar(value)
        except OverflowError:
            raise HookFailed(f"metrics(): {name!r} is an integer beyond what a column can hold") from None
    return columns


def _scalar(value: Any) -> Any:
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return len(value)
    value = finite(value.item() if isinstance(value, np.ndarray) else value)
    return float(value) if isinstance(value, int) and not -(2**63) <= value < 2**63 else value
