"""Korczyk et al.'s test-bed: its comparisons, and its platform on the bearing and in orbit."""

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

import softdock as sd
from softdock.arm import balance, bearing_torque, sawyer, table_1
from softdock.arm.comparison import bearing_torques, differences
from softdock.arm.engines import Mujoco
from softdock.arm.platform import CONTROL_BOX, first_moment
from softdock.arm.trajectories import table_1_from_rest
from softdock.runs.measures import undeclared
from softdock.scenarios import builder, load
from softdock.scenarios.runner import DONE, Runner
from softdock.scenarios.testbed.scenario import momentum_error, turned

SHORT = ("run.duration=3.0",)


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> dict:
    folder = tmp_path_factory.mktemp("testbed")
    outcomes = {
        mount: Runner(load("testbed", [*SHORT, f'mount="{mount}"'])).record(folder / mount)
        for mount in ("bearing", "orbit")
    }
    assert {outcome.status for outcome in outcomes.values()} == {DONE}
    return {mount: outcome.metrics for mount, outcome in outcomes.items()}


def test_every_method_gives_the_same_torques(metrics: dict) -> None:
    for found in metrics.values():
        assert not undeclared(found, builder("testbed").measures())
        assert len(found["torque_difference_max"]) == 6
        assert max(found["torque_difference_max"].values()) < 1e-10
        assert found["bearing_torque_difference_max"] < 1e-9
        assert found["independent_engine"].startswith("Pinocchio")


def test_the_papers_discrepancy_is_put_down_to_a_parameter(metrics: dict) -> None:
    found = metrics["bearing"]["paper_discrepancy"]
    assert (found["joint"], found["cause"]) == (2, "mass of right_l4")
    assert 0.9 < found["max_torque"] < 0.95  # docs/theory/serial-arms.md


def test_one_word_moves_it_to_orbit(metrics: dict) -> None:
    assert load("testbed").world.gravity.kind == "uniform"
    assert load("testbed", ['mount="orbit"']).world.gravity.kind == "orbit"
    assert metrics["orbit"]["momentum_drift"] < 1e-12
    assert metrics["orbit"]["angular_momentum_drift"] < 1e-12
    assert metrics["bearing"]["bearing_momentum_error"] < 1e-9
    assert metrics["orbit"]["wheel_torque_max"] < metrics["bearing"]["wheel_torque_max"]


def test_balance_helps_and_wheels_hold(metrics: dict) -> None:
    for found in metrics.values():
        ranges = found["platform_attitude_ranges"]
        assert ranges["held"] < 1e-3 * ranges["balanced"]
        assert found["platform_attitude_range"] == pytest.approx(ranges["held"], rel=1e-2)  # rows are closer
    tips = metrics["bearing"]["tips_over_after"]
    assert tips["as_is"] < 0.5 < tips["balanced"]
    assert tips["held"] is None


def test_the_bearing_torque_in_mujoco_too() -> None:
    arm, along = sawyer(), table_1(np.linspace(0, 6, 40))
    engine, still = Mujoco(arm, CONTROL_BOX), np.zeros((40, 3))
    theirs = engine.torques(engine.unturned(along.q), np.hstack([still, along.v]), np.hstack([still, along.a]))[:, :3]
    assert np.abs(theirs - bearing_torque(arm, CONTROL_BOX, *along[1:])).max() < 1e-9
    assert max(differences(bearing_torques(arm, CONTROL_BOX, along)).values()) < 1e-9


def swinging(gravity: bool) -> tuple[sd.Dynamics, sd.Trajectory]:
    """Platform and arm swinging freely about the bearing under constant joint torques."""
    arm = sawyer() if gravity else sawyer().altered(gravity=np.zeros(3))
    dynamics = sd.Dynamics(arm.world("bearing"))
    q, v = dynamics.state({link: {"position": 0.3, "velocity": 0.4} for link in arm.links})
    v[:3] = 0.3, -0.2, 0.4
    command = dynamics.inverse_dynamics(q, np.zeros(dynamics.nv), np.zeros(dynamics.nv))
    command[:3] = 0.0
    return dynamics, sd.Simulation(dynamics, q, v, h=0.001, order=6).run(1.0, commands=command)


def test_angular_momentum_about_the_bearing_obeys_gravitys_torque() -> None:
    dynamics, rows = swinging(gravity=True)
    found = dynamics.balance(rows.q, rows.v)
    torque = np.cross(found.center, dynamics.mass * np.array(dynamics.world.gravity.acceleration))
    impulse = make_interp_spline(rows.t, torque, k=7).antiderivative()(rows.t)
    assert np.abs(impulse[-1]).max() > 1.0
    assert np.abs(found.angular_momentum - found.angular_momentum[0] - impulse).max() < 1e-9


def test_without_gravity_it_is_constant() -> None:
    dynamics, rows = swinging(gravity=False)
    assert turned(dynamics, rows).max() > 0.2
    assert momentum_error(dynamics, rows)["bearing_momentum_error"] < 1e-12


def test_the_balance_mass_of_a_motion_takes_its_mean_moment_away() -> None:
    arm, q = sawyer(), table_1(np.linspace(0, 6, 50)).q
    heavier = CONTROL_BOX.with_mass(*balance(arm, CONTROL_BOX, q, 0.4))
    np.testing.assert_allclose(first_moment(arm, heavier, q).mean(axis=0), 0, atol=1e-12)


def test_table_1_begins_at_rest_and_then_is_table_1() -> None:
    t = np.linspace(0, 5, 5001)
    along = table_1_from_rest(t, 2.0)
    np.testing.assert_allclose(along.v[0], 0)
    np.testing.assert_allclose(np.gradient(along.q, t, axis=0)[1:-1], along.v[1:-1], atol=1e-5)
    np.testing.assert_allclose(np.gradient(along.v, t, axis=0)[1:-1], along.a[1:-1], atol=1e-4)
    np.testing.assert_allclose(along.q[t >= 2], table_1(t[t >= 2] - 1.0).q, atol=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('mount="table"', "mount: Input should be 'bearing' or 'orbit'"),
        ("platform.mass=-1", "platform.mass"),
        ("wheels.inertia=0", "wheels.inertia"),
        ("balance.distance=0", "balance.distance"),
        ('arm.parameters="xml"', "arm.parameters"),
        ("control.kp=nan", "control.kp"),
    ],
)
def test_wrong_keys_are_named(change: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load("testbed", [change])
