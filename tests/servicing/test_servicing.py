"""The last part of the mission, by contact, and what is refused in flight. (`studies/servicing.py` flies all of it.)"""

from pathlib import Path

import numpy as np
import pytest
from by_coal import Recorded

from softdock.dynamics import Motion
from softdock.runs.ledger import Ledger
from softdock.runs.recording import read_run
from softdock.scenarios import Runner, load
from softdock.scenarios.servicing.craft import PORT, RING

BERTH = [
    "start.phase=carry", "vision.pose=ideal", "run.duration=70.0", "plan.carry=48.0", "plan.insert=8.0",
    "plan.seat=8.0",
]  # fmt: skip


def test_a_held_satellite_is_berthed_by_contact_and_let_go(tmp_path: Path) -> None:
    runner = Runner(load("servicing", BERTH))
    outcome = runner.record(tmp_path / "run")
    metrics, dynamics = outcome.metrics, runner.dynamics
    assert outcome.status == "done", outcome.reason
    names = [phase["name"] for phase in metrics["phases"]]
    assert names[:6] == ["carry", "insert", "seat", "soft latch", "hard latch", "release"]
    assert metrics["berthed_at"] == pytest.approx(64.0, abs=4.0)
    assert metrics["released_at"] > metrics["berthed_at"]
    assert metrics["collisions"] == []
    assert 5.0 < metrics["peak_contact_force"] < 300.0
    assert metrics["momentum_drift"] < 1e-10

    # the same from the recording alone
    run = read_run(tmp_path / "run")
    engaged = [event["latch"] for event in run.events if event["kind"] == "engaged"]
    assert engaged[-1] == "berth"
    q = runner.simulation.q
    (R_p, p_p), (R_r, p_r) = (dynamics.pose(name, q) for name in ("port", "ring"))
    assert np.linalg.norm(p_r - p_p) < 0.004
    assert np.arccos(np.clip((np.trace(R_p.T @ R_r) - 1) / 2, -1, 1)) < 0.015
    assert "grasp" not in runner.simulation.motion.engaged
    rows = runner.simulation.rows
    assert np.abs(Ledger(dynamics, rows).errors(rows)["momentum_error"]).max() < 1e-10
    recorded = Recorded(run.scenario["world"], run.states)
    at_port = {f"{PORT}.groove{j} to {RING}.ball{k}" for j in (1, 2, 3) for k in (1, 2, 3)}
    seen = {}
    for name, said in metrics["clearances"].items():
        seen[name] = recorded.least(*name.split(" to "), np.arange(len(recorded.t)))
        assert seen[name] < said + 0.01 and (seen[name] > said - 1e-6 or name in at_port), name
    assert min(gap for name, gap in seen.items() if name not in at_port) > 0.02, "nothing else touches"
    pulses = run.table("thrusters")
    assert metrics["thruster_impulse"] == pytest.approx(10.0 * float(np.sum(pulses["end"] - pulses["t"])), rel=0.02)


def test_a_target_that_is_too_heavy_is_left_before_the_grasp() -> None:
    sure = ["plan.position=5.0", "plan.angle=5.0"]  # no need to look long
    changes = ["start.phase=synchronise", "vision.pose=ideal", "gripper.kind=ideal", "target.mass=2000.0"]
    metrics = Runner(load("servicing", [*changes, *sure, "run.duration=38.0", "run.h=0.05"])).run()
    assert metrics["outcome"] == "aborted"
    assert "2000 kg takes" in metrics["reason"]
    assert [phase["name"] for phase in metrics["phases"]] == ["acquire", "inspect", "avoid"]
    assert metrics["collisions"] == [] and metrics["captured_at"] is None
    assert metrics["least_drift"]["avoid"] > 3.0  # it would not come nearer in one orbit


def test_a_mission_goes_on_from_a_recorded_state(tmp_path: Path) -> None:
    """Left to itself, the world goes from there as it would have gone on, Earth's direction at that time included."""
    quick = ["vision.pose=ideal", "start.phase=synchronise", "run.duration=4.0"]
    first = Runner(load("servicing", quick))
    assert first.record(tmp_path / "run").status == "done"
    rows, dynamics = first.simulation.rows, first.dynamics
    from_there = ["vision.pose=ideal", f"start.run='{tmp_path / 'run'}'", "run.duration=4.0"]
    second = load("servicing", [*from_there, "start.phase=synchronise", "start.at=3.01"])
    k = int(np.searchsorted(rows.t, 3.01)) - 1
    motions = Motion(dynamics, rows.q[k], rows.v[k], h=0.01, t=rows.t[k]), Motion(dynamics, *second.state(), h=0.01)
    seen = []
    for motion in motions:
        motion.run(200)
        (R_S, p_S), (R_B, p_B) = (dynamics.pose(name, motion.q) for name in ("chaser", "target"))
        joints = [motion.q[dynamics.layout.q[name]] for name, kind in dynamics.layout.kind.items() if kind != "free"]
        seen.append(np.concatenate([(R_S.T @ R_B).ravel(), R_S.T @ (p_B - p_S), *joints]))
    assert np.abs(seen[0] - seen[1]).max() < 1e-12
    for wrong, why in (
        (["start.phase=carry", "start.at=3.0"], "the target is not held"),
        (["start.phase=synchronise", "start.at=5.0"], "from 0 to 4 s"),
        (["start.run=nowhere", "start.at=5.0"], "not a run directory"),
    ):
        with pytest.raises(ValueError, match=why):
            load("servicing", [*from_there, *wrong])
