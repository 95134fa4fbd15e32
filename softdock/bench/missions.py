"""Whole scenarios against real time: processor time of the loop, nothing recorded; beside it the whole run, with
set-up and metrics, in processor time and by the clock."""

from collections.abc import Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import NamedTuple

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import clock, least
from softdock.scenarios import load
from softdock.scenarios.runner import Runner


class Mission(NamedTuple):
    """A scenario with some keys changed, and how many times faster than real time it must be."""

    scenario: str
    changes: Sequence[str]
    faster: float


def against_real_time(say: Say, missions: Mapping[str, Mission], seconds: float, rounds: int) -> Result:
    """The least processor time of `rounds` runs of each."""

    whole: dict[str, list[tuple[float, float]]] = {}

    def job(name: str, mission: Mission) -> float:
        scenario = load(mission.scenario, [*mission.changes, f"run.duration={seconds}"])
        first, first_wall = clock(), perf_counter()
        runner = Runner(scenario)
        began = clock()
        rows = runner.simulation.run(seconds, record_every=scenario.run.record_every)
        looped = clock() - began
        scenario.metrics(runner.simulation, rows)
        whole.setdefault(name, []).append((clock() - first, perf_counter() - first_wall))
        return looped

    say(f"{', '.join(missions)} in turn")
    best = least({name: partial(job, name, m) for name, m in missions.items()}, rounds=rounds)
    rows = [Row(name, "softdock", "the loop", total_ms=1e3 * best[name]) for name in missions]
    for name, taken in whole.items():
        for what, column in zip(("whole run", "whole run, by the clock"), zip(*taken, strict=True), strict=True):
            rows.append(Row(name, "softdock", what, total_ms=1e3 * min(column)))
    return Result(
        rows,
        [
            Limit(f"{name}: processor seconds per second of the mission", best[name] / seconds, 1 / mission.faster)
            for name, mission in missions.items()
        ],
    )
