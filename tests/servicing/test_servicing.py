"""The last part of the mission, by contact, and what is refused in flight. (`studies/servicing.py` flies all of it.)"""

from pathlib import Path

import numpy as np
import pytest

from softdock.runs.ledger import Ledger
from softdock.runs.recording import read_run
from softdock.scenarios import Runner, load

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
