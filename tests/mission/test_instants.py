"""Phases that end at instants within steps, and the part that puts controllers to work."""

import math
from types import ModuleType
from typing import Any

import pytest
from pydantic import Field

from softdock import mission as ms
from softdock.dynamics import Dynamics
from softdock.mission.conductor import Conductor
from softdock.mission.part import PartError
from softdock.scenarios import Mission, RunSettings
from softdock.world import Body, Box, Contact, Fixed, JointState, Pose, Sphere, World

WALLED = World(
    bodies=(
        Body(name="ball", mass=1.0, inertia=(0.1, 0.1, 0.1), shapes=(Sphere(radius=0.1),)),
        Body(name="wall", joint=Fixed(), mass=0.0, placement=Pose(position=(1, 0, 0)), shapes=(Box(size=(0.2, 1, 1)),)),
    ),
    contacts=(Contact(name="hit", body_a="ball", body_b="wall", restitution=1.0),),
)  # fmt: skip
AT = (1.0 - 0.1 - 0.1) / 0.3
"""When a ball at 0.3 m/s hits the wall (s)."""


class Thrown(Mission):
    """A ball is caught a while after it hit a wall: all at instants within steps of 50 ms."""

    run: RunSettings = RunSettings(h=0.05, duration=10.0)
    world: World = WALLED
    initial: dict[str, JointState] = Field({"ball": JointState(velocity=(0.3, 0, 0))})
    periodic: bool = True

    def period(self) -> float:
        return 0.1 if self.periodic else math.inf

    def parts(self) -> dict[str, ms.Part]:
        return {"drive": ms.Driver(["ball"])}

    def phases(self, drive: ms.Driver) -> Any:
        yield ms.Touch("hit")
        yield ms.Wait(0.123, limit=50.0)
        drive.use(force={"ball": (-0.3, 0.0, 0.0, 0.0, 0.0, 0.0)})
        yield ms.Wait(1.0)


def thrown(**keys: Any) -> tuple[Conductor, Any]:
    scenario = Thrown(scenario="thrown", **keys)
    simulation = scenario.simulation(Dynamics(scenario.world))
    return Mission.conductor(simulation), simulation.run(scenario.run.duration)


def test_a_phase_ends_at_the_instant_of_a_touch_and_without_a_period_at_those_of_times() -> None:
    conductor, rows = thrown(periodic=False)
    assert [record.end for record in conductor.phases] == pytest.approx([AT, AT + 0.123, AT + 1.123], abs=1e-9)
    fast = -0.3 - 0.3 * (10.0 - AT - 0.123)  # by the impact, and by the force from then on
    assert rows.v[-1, 0] == pytest.approx(fast, abs=1e-9)


def test_with_a_period_touches_are_instants_and_times_are_periods() -> None:
    conductor, _ = thrown()
    assert [record.end for record in conductor.phases] == pytest.approx([AT, 2.8, 3.8], abs=1e-9)


def test_a_limit_ends_a_phase_without_a_period(monkeypatch: pytest.MonkeyPatch) -> None:
    def waits(self: Thrown, drive: ms.Driver) -> Any:
        yield ms.Wait(until=lambda t: False, limit=1.234, name="for ever")

    monkeypatch.setattr(Thrown, "phases", waits)
    conductor, _ = thrown(periodic=False)
    assert conductor.outcome().reason == "phase 'for ever' did not end within 1.234 s"
    assert conductor.phases[0].end == pytest.approx(1.234)


def test_a_driver_s_mistakes_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = ms.Driver(["ball"])
    with pytest.raises(PartError, match="no controller 'hold'"):
        drive.use("hold")
    with pytest.raises(PartError, match="'wall' is none of its joints"):
        drive.use(force={"wall": 1.0})
    monkeypatch.setattr(Thrown, "parts", lambda self: {"drive": ms.Driver(["bal"])})
    with pytest.raises(PartError, match="drive: no body 'bal'; did you mean"):
        thrown()
    monkeypatch.setattr(Thrown, "parts", lambda self: {"a": ms.Driver(["ball"]), "drive": ms.Driver(["ball"])})
    with pytest.raises(PartError, match="drive: actuator 'ball' is commanded by 'a' already"):
        thrown()


def test_parts_that_measure_need_a_period(fetch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch.Fetch, "period", lambda self: math.inf)
    with pytest.raises(PartError, match="parts that measure need one that is finite"):
        scenario = fetch.Fetch(scenario="fetch")
        scenario.simulation(Dynamics(scenario.world))
