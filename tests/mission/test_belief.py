"""What parts command follows from what they are told alone."""

from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from softdock.mission.conductor import Conductor
from softdock.scenarios import Mission, RunSettings
from softdock.scenarios.runner import Runner

MISSION = RunSettings(h=0.02, duration=45.0, record_every=100)


class Tape:
    """What the world's side of a mission said, call by call; with `said`, it says that again and asks nobody."""

    def __init__(self, conductor: Conductor, said: list[Any] | None = None) -> None:
        self.said: list[Any] = []
        self._old = iter(said) if said is not None else None
        conductor._sensors = [(part, self._taped(sensor), every) for part, sensor, every in conductor._sensors]
        for root, own in conductor._own.items():
            conductor._own[root] = self._taped(own)
        for name, mechanism in conductor._mechanisms.items():
            conductor._mechanisms[name] = self._taped(mechanism)

    def _taped(self, thing: Any) -> Any:
        def called(method: str) -> Any:
            def call(*arguments: Any) -> Any:
                self.said.append(next(self._old) if self._old is not None else getattr(thing, method)(*arguments))
                return self.said[-1]

            return call

        return SimpleNamespace(measure=called("measure"), act=called("act"), spread=getattr(thing, "spread", None))


class Blank:
    """Stands for a simulation of which nothing is known."""

    def __init__(self, count: int) -> None:
        self.events: list[dict[str, Any]] = []
        self.q = self.v = np.full(count, np.nan)
        self.motion = SimpleNamespace(contact_impulses=None)

    def note(self, kind: str, **what: Any) -> None:
        self.events.append({"kind": kind, **what})


def test_told_the_same_parts_command_the_same_whatever_the_truth_is(fetch: ModuleType) -> None:
    """A whole grasp; then again, with a state of the world that is not a number, and the readings of the first time."""
    commands: list[tuple[float, np.ndarray]] = []

    class Told(Conductor):
        def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            commands.append((t, super().__call__(t, q, v)))
            return commands[-1][1]

    scenario = fetch.Fetch(scenario="fetch", run=MISSION)
    runner = Runner(scenario)
    conductor = Mission.conductor(runner.simulation)
    tape = Tape(conductor)
    conductor.__class__ = Told
    assert runner.run()["phases"][-1]["name"] == "draw in", "it has grasped the client"
    assert len(commands) > 250

    again = Mission.conductor(Runner(fetch.Fetch(scenario="fetch", run=MISSION)).simulation)
    Tape(again, tape.said)
    blank = Blank(again.dynamics.nq)
    again.bind(blank)  # type: ignore[arg-type]
    unknown = np.full(again.dynamics.nq, np.nan), np.full(again.dynamics.nv, np.nan)
    for t, command in commands:
        np.testing.assert_array_equal(again(t, *unknown), command)
    assert [phase.name for phase in again.phases] == [phase.name for phase in conductor.phases]
