"""What ends a mission early: named, recorded, and safe."""

import numpy as np
import pytest

from softdock import mission as ms
from softdock.planning import hill
from softdock.scenarios import Runner, load

QUICK = ["vision.pose=ideal", "gripper.kind=ideal", "run.h=0.05"]
HELD = [*QUICK, "start.phase=carry", "own.exact=true"]


@pytest.mark.parametrize("wrong", ["beliefs.mass=3.0", "beliefs.inertia=5.0"])
def test_an_arm_that_holds_something_else_than_it_believes_is_stopped(wrong: str) -> None:
    """Sampled control by a model twice as heavy as what it moves is not stable; the arm was thrown about until a step
    failed. It is stopped, and what it holds stays with it."""
    runner = Runner(load("servicing", [*HELD, wrong, "run.duration=60.0"]))
    metrics = runner.run()
    assert metrics["outcome"] == "aborted" and "is not what it is believed to be" in metrics["reason"]
    assert metrics["collisions"] == []
    layout, rows = runner.dynamics.layout, runner.simulation.rows
    joints = [layout.v[f"arm{k}"].start for k in range(1, 8)]
    ended = next(event["time"] for event in runner.simulation.events if event["kind"] == "mission ended")
    assert np.abs(rows.v[rows.t > ended + 15.0][:, joints]).max() < 0.05, "at rest"
    assert "grasp" in runner.simulation.motion.engaged
    last = runner.simulation.thrusters
    assert last is not None and last.impulse(60.0, since=ended + 0.25) == 0.0, "the main valve is shut"


def test_an_unreachable_port_is_named() -> None:
    metrics = Runner(load("servicing", [*HELD, "port.position=[-3.0, 0.0, 0.52]", "run.duration=1.0"])).run()
    assert metrics["outcome"] == "aborted" and "arm cannot bring" in metrics["reason"]
    assert metrics["phases"] == [] and metrics["collisions"] == []


def test_without_thrusters_that_brake_it_says_so_and_leaves() -> None:
    """All four at the front are stuck shut, which shows when they are to be used; it leaves by the others."""
    dead = 'jets.stuck_off=["front++", "front+-", "front-+", "front--"]'
    changes = [*QUICK, dead, "start.position=[0.0, -16.0, 0.0]", "run.duration=75.0"]
    runner = Runner(load("servicing", changes))
    metrics = runner.run()
    assert metrics["outcome"] == "aborted" and "the others give no force -x" in metrics["reason"]
    found = {
        event["thruster"]: event["how"] for event in runner.simulation.events if event["kind"] == "thruster isolated"
    }
    assert found and set(found.values()) == {"stuck off"} and all(name.startswith("front") for name in found)
    assert metrics["collisions"] == [] and metrics["captured_at"] is None
    assert metrics["drift_at_end"] > 3.5, "free flight stays out of the keep-out sphere for one orbit"


def test_what_can_be_pushed_bounds_what_avoids() -> None:
    """Without a push away from the target it goes across; where all can be pushed, limits change nothing."""
    n, r, v = 0.00113, np.array([0.0, -3.3, 0.0]), np.array([0.0, 0.03, 0.0])
    free = hill.avoidance(n, r, v, 3.5)
    np.testing.assert_array_equal(free, hill.avoidance(n, r, v, 3.5, can_push=lambda change: True))
    across = hill.avoidance(n, r, v, 3.5, can_push=lambda change: change[1] >= -1e-9)
    assert across is not None and abs(across[1]) < 1e-9 and hill.drift(n, r, v + across).nearest > 3.0
    assert hill.avoidance(n, r, v, 3.5, can_push=lambda change: False) is None


def test_a_grasp_that_misses_is_left_the_way_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target turns at 8°/s beside a servicer that turns with it: going straight away, the arm was hit."""

    def missed(self: ms.Close, t: float) -> None:
        raise ms.Missed("nothing is in the gripper")

    monkeypatch.setattr(ms.Close, "update", missed)
    sure = ["plan.position=5.0", "plan.angle=5.0"]  # no need to look long
    runner = Runner(load("servicing", [*QUICK, *sure, "start.phase=synchronise", "own.exact=true", "run.duration=250"]))
    found = runner.run()
    assert found["outcome"] == "missed", found["reason"]
    names = [phase["name"] for phase in found["phases"]]
    assert names[-5:] == ["reach", "close", "back out", "fold", "avoid"]
    assert found["collisions"] == [] and found["drift_at_end"] > 3.5
