"""The last part of the mission, by contact, and what is refused in flight. (`studies/servicing.py` flies all of it.)"""

from pathlib import Path

import numpy as np
import pytest
from by_coal import Recorded

from softdock.dynamics import Motion
from softdock.mission.lock import Bolt, Latch
from softdock.mission.part import Truth
from softdock.mission.phase import Unsure
from softdock.mission.tracker import TargetTracker
from softdock.runs.ledger import Ledger
from softdock.runs.recording import read_run
from softdock.runs.simulation import Simulation
from softdock.scenarios import Mission, Runner, load
from softdock.scenarios.capture.craft import GRIPPER, HANDLE_FRAME
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
    assert "to carry the target of 2000 kg in 50 s takes" in metrics["reason"]
    assert [phase["name"] for phase in metrics["phases"]] == ["acquire", "inspect", "avoid"]
    assert metrics["collisions"] == [] and metrics["captured_at"] is None
    assert metrics["least_drift"]["avoid"] > 3.0  # it would not come nearer in one orbit


def test_what_is_seen_but_not_recognised_from_afar_is_approached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("softdock.scenarios.servicing.scenario.FROM_AFAR", 0.5)
    unknown = ["vision.start=unknown", "run.duration=1.5"]
    for rays, names in ((32, ["acquire", "approach"]), (16, ["acquire"])):  # so few that none meets it
        runner = Runner(load("servicing", [*unknown, f"camera.rows={rays}", f"camera.columns={rays}"]))
        assert [phase["name"] for phase in runner.run()["phases"]] == names


def test_a_target_that_turns_about_another_point_than_its_model_does_is_refused() -> None:
    """As one does whose pose is taken for another that looks alike, half a turn about x through the box's middle."""
    runner = Runner(load("servicing", ["start.phase=inspect", "vision.pose=ideal", "run.duration=25.0", "run.h=0.05"]))
    runner.run()
    nav = Mission.conductor(runner.simulation).parts["nav"]
    assert isinstance(nav, TargetTracker)
    nav.refuse_misplaced(25.0)
    nav._center = (0.0, 0.099, -0.159)
    with pytest.raises(Unsure, match=r"about a point 0\.19 m from its model's centre of mass"):
        nav.refuse_misplaced(25.0)


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


@pytest.mark.parametrize(("phase", "seconds"), [("detumble", 180.0), ("release", 67.0), ("let go", 66.0)])
def test_it_starts_with_the_target_held_and_turning_or_berthed(phase: str, seconds: float) -> None:
    quick = ["vision.pose=ideal", "gripper.kind=ideal", "own.exact=true", "run.h=0.05"]
    runner = Runner(load("servicing", [*quick, f"start.phase='{phase}'", f"run.duration={seconds}"]))
    dynamics, (q, v) = runner.dynamics, runner.scenario.state()
    first, second = (GRIPPER, HANDLE_FRAME) if phase == "detumble" else (PORT, RING)
    (R_a, p_a), (R_b, p_b) = (dynamics.pose(name, q) for name in (first, second))
    assert np.linalg.norm(p_a - p_b) < 1e-6 and np.abs(R_a - R_b).max() < 1e-6
    if phase == "detumble":  # as one body
        w = v[dynamics.layout.v["target"]][3:]
        moving = [dynamics.jacobian(name, q) @ v for name in (first, second)]
        assert np.linalg.norm(w) == pytest.approx(np.linalg.norm([0.08, 0.05, 0.1]))
        assert moving[0] == pytest.approx(moving[1], abs=1e-6)
    metrics = runner.run()
    assert metrics["outcome"] == "berthed" and metrics["phases"][0]["name"] == phase
    assert metrics["momentum_balance_error"] < 1e-11 and metrics["collisions"] == []


def test_what_does_not_latch_is_lifted_and_seated_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hard latch that refuses for the first 3 s after it is first asked, asked for 1 s."""
    asked: list[float] = []
    act = Bolt.act

    def stubborn(bolt: Bolt, simulation: Simulation, truth: Truth, request: str) -> tuple[bool, str]:
        if bolt._latch == "berth":
            asked.append(truth.t)
            if truth.t < asked[0] + 3.0:
                return False, "it is stuck"
        return act(bolt, simulation, truth, request)

    monkeypatch.setattr(Bolt, "act", stubborn)
    assert Latch.__init__.__kwdefaults__
    monkeypatch.setitem(Latch.__init__.__kwdefaults__, "patience", 1.0)
    quick = ["plan.carry=42.0", "plan.insert=5.0", "plan.seat=5.0", "run.duration=70.0"]
    quick += ["own.exact=true", "gripper.kind=ideal"]
    metrics = Runner(load("servicing", [*BERTH, *quick])).run()
    names = [phase["name"] for phase in metrics["phases"]]
    seating = ["insert", "seat", "soft latch", "hard latch"]
    assert names[:12] == ["carry", *seating, "unlatch", "lift", *seating, "release"]
    failed = [phase["name"] for phase in metrics["phases"] if phase["result"] not in ("done", "going on")]
    assert failed == ["hard latch"]
    assert metrics["berthed_at"] > asked[0] + 10.0 and metrics["collisions"] == []


def test_without_propellant_nothing_is_pushed_and_the_mission_says_so() -> None:
    """0.008 kg are less than 2 s of one thruster."""
    quick = ["start.phase=carry", "vision.pose=ideal", "gripper.kind=ideal", "own.exact=true", "run.h=0.05"]
    runner = Runner(load("servicing", [*quick, "run.duration=20.0", "tank.propellant=0.008", "jets.stuck_on=['y++']"]))
    metrics = runner.run()
    assert metrics["outcome"] == "aborted" and "all of 0.008 kg propellant is used" in metrics["reason"]
    assert metrics["propellant"] == pytest.approx(0.008, abs=0.25 * 40 / (220 * 9.80665))
    dry = next(event["time"] for event in runner.simulation.events if event["kind"] == "no propellant")
    assert runner.simulation.thrusters is not None
    assert runner.simulation.thrusters.impulse(20.0, since=dry) == 0.0, "the valve that is stuck open gives nothing"
    rows = runner.simulation.rows
    assert np.abs(Ledger(runner.dynamics, rows).errors(rows)["momentum_error"]).max() < 1e-10
