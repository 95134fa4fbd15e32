"""Whole scenarios against real time: processor time of the loop, nothing recorded."""

from collections.abc import Mapping, Sequence
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

    def job(mission: Mission) -> float:
        scenario = load(mission.scenario, [*mission.changes, f"run.duration={seconds}"])
        runner = Runner(scenario)
        began = clock()
        runner.simulation.run(seconds, record_every=scenario.run.record_every)
        return clock() - began

    say(f"{', '.join(missions)} in turn")
    best = least({name: lambda m=m: job(m) for name, m in missions.items()}, rounds=rounds)  # type: ignore[misc]
    return Result(
        [Row(name, "softdock", "whole run", total_ms=1e3 * best[name]) for name in missions],
        [
            Limit(f"{name}: processor seconds per second of the mission", best[name] / seconds, 1 / mission.faster)
            for name, mission in missions.items()
        ],
    )
