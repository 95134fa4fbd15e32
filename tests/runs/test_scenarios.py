"""The built-in scenarios, run as they come."""

import numpy as np
import pytest

from softdock import figures
from softdock.dynamics import Dynamics
from softdock.runs.recording import Run, read_run
from softdock.runs.simulation import Simulation
from softdock.scenarios import SCENARIOS, load
from softdock.scenarios.free_flyer.scenario import JointMotion
from softdock.scenarios.runner import DONE, Runner

SHORTENED = {
    "servicing": ("start.phase=carry", "vision.pose=ideal", "run.duration=3.0"),
    "capture": ("camera.rows=32", "camera.columns=32"),
}
"""Those that take long: a few seconds of them, or with fewer rays."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    folder = tmp_path_factory.mktemp("runs")
    for name in SCENARIOS:
        assert Runner(load(name, SHORTENED.get(name, ()))).record(folder / name).status == DONE
    return {name: read_run(folder / name) for name in SCENARIOS}


def test_the_free_flyers_base_reacts_and_every_account_closes(runs: dict[str, Run]) -> None:
    metrics = runs["free-flyer"].metrics
    assert np.radians(5) < metrics["base_turn_max"] < np.radians(60)
    assert metrics["joint_error_max"] < 1e-3
    assert metrics["joint_error_final"] < 1e-6
    assert metrics["angular_momentum_drift"] < 1e-13
    assert metrics["momentum_drift"] < 1e-12
    assert metrics["angular_momentum_balance_error"] < 1e-9
    assert metrics["energy_balance_error"] < 1e-4
    assert metrics["evaluations_per_step"] < 4
    assert metrics["steps"] == 6000
    assert not runs["free-flyer"].events


def test_the_free_flyer_keeps_its_spin_but_for_gravity(runs: dict[str, Run]) -> None:
    ledger = runs["free-flyer"].ledger
    arm = np.abs(ledger["work_actuators"]).max()
    assert arm > 0.1
    assert np.abs(ledger["centroidal_angular_momentum_y"] - ledger["gravity_turn_y"]).max() < 1e-9


def test_the_world_scenario_docks_and_parts(runs: dict[str, Run]) -> None:
    run = runs["world"]
    assert [(e["kind"], e["time"]) for e in run.events] == [("engaged", 10.0), ("released", 30.0)]
    assert run.metrics["energy_lost_engaging"] == run.events[0]["energy_lost"] > 0
    held = (run.ledger["t"] > 10.05) & (run.ledger["t"] < 29.95)
    assert np.all(run.ledger["violation"][held] < 1e-11)
    assert run.metrics["energy_balance_error"] < 1e-6


@pytest.mark.parametrize("name", SCENARIOS)
def test_figures_are_drawn(runs: dict[str, Run], name: str) -> None:
    files = figures.draw(runs[name], load(name).figures())
    shown = {file.stem for file in files}
    assert "ledger" in shown
    assert name != "free-flyer" or shown == set(figures.FIGURES)
    for file in files:
        assert file.read_bytes().startswith(b"\x89PNG")
    for figure in (make(runs[name]) for key, make in figures.FIGURES.items() if key in shown):
        assert figure is not None
        assert all(axes.get_ylabel() for axes in figure.axes)
        assert any("time (s)" in axes.get_xlabel() for axes in figure.axes)


def test_a_joint_motion_is_at_rest_in_its_way_points() -> None:
    motion = JointMotion(
        joints=("a", "b"), waypoints=({"time": 2.0, "angles": (1, -1)}, {"time": 5.0, "angles": (0, 3)})
    )
    t = np.linspace(0, 7, 7001)
    angles, rates = motion.targets(np.array([0.5, 0.0]), t)
    np.testing.assert_allclose(angles[[0, 2000, 5000, 7000]], [[0.5, 0], [1, -1], [0, 3], [0, 3]], atol=1e-12)
    np.testing.assert_allclose(rates[[0, 2000, 5000, 7000]], 0, atol=1e-12)
    np.testing.assert_allclose(np.gradient(angles, t, axis=0)[1:-1], rates[1:-1], atol=1e-5)


def test_targets_are_held_after_the_last_way_point_however_long_the_run() -> None:
    changes = ["motion.waypoints=[{time=0.3, angles=[0.1, 0.2, 0, 0, 0.1, 0, 0]}]", "run.record_every=1"]
    scenario = load("free-flyer", [*changes, "run.duration=1"])
    dynamics = Dynamics(scenario.world)
    h, joints = scenario.run.h, scenario.motion.joints
    angles, rates = scenario._targets((np.arange(round(1 / h)) + 0.5) * h)  # one row a step, to the end
    every = dynamics.command(
        position=dict(zip(joints, angles.T, strict=True)), rate=dict(zip(joints, rates.T, strict=True))
    )
    asked = Simulation(dynamics, *scenario.state(), **scenario.run.stepping).run(1.0, commands=every)
    np.testing.assert_array_equal(scenario.simulation(dynamics).run(1.0).q, asked.q)
    long = load("free-flyer", [*changes, "run.duration=1e6"]).simulation(dynamics)
    assert len(long.command) <= 0.3 / h + 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("motion.waypoints[1].time=3", r"waypoints\[1\].time: must be later than 14 s"),
        ("motion.waypoints[0].angles=[1, 2]", "takes 7 numbers, one a joint, not 2"),
        ('motion.joints[0]="sholder_yaw"', "no body 'sholder_yaw'; did you mean 'shoulder_yaw'"),
        ('world.bodies[1].joint={kind="revolute"}', "has no servo"),
        ('world.bodies[0].joint={kind="planar"}', "has no free joint"),
    ],
)
def test_a_free_flyer_that_cannot_follow_is_refused(change: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load("free-flyer", [change])
