"""What the mission of 'capture' decides: several handles, another try, no way back, what it waits for."""

from typing import Any

import numpy as np
import pytest

from softdock.mission import Chase, Retreat, Unsure
from softdock.scenarios import load
from softdock.scenarios.capture.craft import grasps
from softdock.scenarios.capture.scenario import Capture
from softdock.scenarios.runner import Runner

EARLY = (
    "vision.pose=ideal", "vision.position=0.001", "vision.angle=0.001", "gripper.kind=ideal", "run.record_every=25",
    "occlusion.windows=[[200.0, 201.0]]", "target.spin=[0.0, 0.01, 0.02]", "plan.approach=2.0", "plan.most=8.0",
)  # fmt: skip
"""Sure poses, a slow tumble, and nothing to wait for."""
FACING = "target.rpy=[0.0, 0.0, 1.2]"


def performed(*changes: str, duration: float = 75.0) -> tuple[dict[str, Any], list[dict[str, Any]], Runner]:
    runner = Runner(load("capture", [*EARLY, *changes, f"run.duration={duration}"]))
    return runner.run(), runner.simulation.events, runner


def test_of_two_handles_it_takes_the_one_that_faces_it() -> None:
    """The second is on the far side of the satellite; half a turn about z brings it to the chaser."""
    second = "target.handles=[{position=[0.47, 0.05, -0.08], rpy=[0.0, 0.0, 3.141592653589793]}]"
    scenario = load("capture", [*EARLY, second])
    assert isinstance(scenario, Capture)
    assert len(grasps(scenario.gripper, scenario.target)) == 10
    assert [latch.name for latch in scenario.world.latches] == ["grasp", "grasp2"]
    metrics, events, _ = performed(second, "target.rpy=[0.0, 0.0, -1.9]")
    closed = next(event for event in events if event["kind"] == "closed")
    assert (metrics["outcome"], closed["handle"]) == ("captured", "handle2")
    assert metrics["position_error"] < 0.005 and metrics["momentum_change_at_capture"] < 1e-12
    assert metrics["clearance_min"] > 0.03 and {"chaser to bar2"} <= metrics["clearances"].keys()


def test_after_drawing_back_it_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    honest, doubts = Chase.refuse_doubt, [Unsure("a doubt that passes")]

    def refuse_doubt(self: Chase) -> None:
        if doubts:
            raise doubts.pop()
        honest(self)

    monkeypatch.setattr(Chase, "refuse_doubt", refuse_doubt)
    metrics, _, _ = performed(FACING, duration=110.0)
    names = [phase["name"] for phase in metrics["phases"]]
    assert names[:6] == ["approach", "hold", "align", "track", "abort", "hold"]
    assert metrics["outcome"] == "captured" and metrics["clearance_min"] > 0.03


def test_without_a_clear_way_back_it_holds_still_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_doubt(self: Chase) -> None:
        raise Unsure("a doubt that stays")

    monkeypatch.setattr(Chase, "refuse_doubt", refuse_doubt)
    monkeypatch.setattr(Retreat, "_is_clear", lambda self, parts, t: False)
    metrics, events, runner = performed(FACING)
    assert metrics["outcome"] == "aborted"
    assert metrics["reason"] == "no clear way back was found; the arm holds still"
    assert "a clear way back" in [event["what"] for event in events if event["kind"] == "waits"]
    joints = runner.simulation.dynamics.layout.flat([f"arm{k}" for k in range(1, 8)])[1]
    assert np.abs(runner.simulation.v[joints]).max() < 1e-3


def test_it_says_what_it_waited_for_when_time_is_over() -> None:
    metrics, _, _ = performed("target.rpy=[0.0, 0.0, -1.5]", "target.spin=[0.0, 0.0, 0.001]", duration=60.0)
    assert metrics["outcome"] == "aborted"
    assert metrics["reason"].startswith("no time is left for a grasp: it waited for another view: no grasp of the")
