"""What nature keeps, a run keeps: free multibodies without gravity, far from rest, for 100,000 steps.

studies/long_run.py repeats the energy test for 1,000,000 steps.
"""

import numpy as np
import pytest
from worlds import flying, forest, free_flyer, order_of, random_state, tumbler

from softdock.dynamics import Dynamics, Motion, Trajectory

STEPS = 100_000


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return Dynamics(free_flyer(7))


@pytest.fixture(scope="module")
def run(dynamics: Dynamics) -> Trajectory:
    return Motion(dynamics, *flying(dynamics), h=0.02).run(STEPS, every=100)


def relative_drift(rows: np.ndarray) -> float:
    return float(np.abs(rows - rows[0]).max() / np.linalg.norm(rows[0]))


def test_linear_and_spatial_angular_momentum_of_a_base_with_seven_joints(dynamics: Dynamics, run: Trajectory) -> None:
    balance = dynamics.balance(run.q, run.v)
    assert relative_drift(balance.momentum) < 1e-12
    assert relative_drift(balance.angular_momentum) < 1e-12


def test_energy_has_no_trend(dynamics: Dynamics, run: Trajectory) -> None:
    energy = dynamics.balance(run.q, run.v).total
    error = energy / energy[0] - 1
    tenth = len(error) // 10
    first, last = np.abs(error[:tenth]).max(), np.abs(error[-tenth:]).max()
    assert np.abs(error).max() < 1e-3
    assert last < 2 * first
    slope, deviation = trend(np.arange(len(error)) * 100.0, error)
    assert abs(slope) < max(3 * deviation, 1e-12)


def trend(x: np.ndarray, y: np.ndarray, blocks: int = 20) -> tuple[float, float]:
    """Least-squares slope, and its standard error from means over blocks (rows in between are correlated)."""
    size = len(x) // blocks
    x, y = (z[: size * blocks].reshape(blocks, size).mean(axis=1) for z in (x, y))
    x = x - x.mean()
    slope = float(x @ y / (x @ x))
    left = y - y.mean() - slope * x
    return slope, float(np.sqrt(left @ left / (blocks - 2) / (x @ x)))


def test_quaternions_stay_of_unit_length(run: Trajectory) -> None:
    assert np.abs(np.linalg.norm(run.q[:, 3:7], axis=1) - 1).max() < 4e-16


@pytest.mark.parametrize("order", [2, 4, 6])
def test_the_centre_of_mass_moves_in_a_straight_line_at_the_declared_order(dynamics: Dynamics, order: int) -> None:
    """Momentum is kept to rounding; where the bodies then are has the step's truncation error, which does not grow."""
    q, v = flying(dynamics, 0.5)
    errors, sizes = [], {2: (0.04, 0.02, 0.01), 4: (0.2, 0.1, 0.05), 6: (0.2, 0.1, 0.05)}[order]
    for h in sizes:
        run = Motion(dynamics, q, v, h=h, order=order).run(round(20 / h), every=round(1 / h))
        balance = dynamics.balance(run.q, run.v)
        began = dynamics.balance(q, v)
        straight = began.center + np.outer(run.t, began.momentum / dynamics.mass)
        errors.append(np.abs(balance.center - straight).max())
    assert order_of(np.array(sizes), np.array(errors)) == pytest.approx(order, abs=0.2), errors


@pytest.mark.parametrize("order", [2, 4, 6])
def test_momentum_of_a_free_tree_of_every_joint(order: int) -> None:
    structure = "free<- revolute<0 spherical<1 prismatic<2 planar<0 fixed<4 revolute<5"
    dynamics = Dynamics(forest(structure, np.random.default_rng(8)))
    q, v = random_state(dynamics, np.random.default_rng(9))
    run = Motion(dynamics, q, 0.2 * v, h=0.005, order=order).run(2000, every=20)
    balance = dynamics.balance(run.q, run.v)
    assert relative_drift(balance.momentum) < 1e-12
    assert relative_drift(balance.angular_momentum) < 1e-12


def test_two_trees_do_not_feel_each_other() -> None:
    structure = "free<- revolute<0 free<- spherical<2"
    both = Dynamics(forest(structure, np.random.default_rng(1)))
    world = both.world
    one = Dynamics(world.altered(bodies=world.bodies[:2]))
    q, v = random_state(both, np.random.default_rng(2))
    together = Motion(both, q, 0.3 * v, h=0.01).run(500)
    alone = Motion(one, q[:8], 0.3 * v[:7], h=0.01).run(500)
    np.testing.assert_allclose(together.q[:, :8], alone.q, rtol=0, atol=1e-11)


@pytest.mark.parametrize("drift", [1.0, 10.0])
def test_a_body_turns_the_same_way_seen_from_a_frame_that_drifts(drift: float) -> None:
    dynamics = Dynamics(tumbler())
    q, v = dynamics.layout.neutral(), np.array([0, 0, 0, 0.1, 0.2, -0.3])
    ends = []
    for speed in (0.0, drift):
        v[:3] = speed * np.array([0.6, -0.48, 0.64])
        motion = Motion(dynamics, q, v, h=0.01)
        motion.run(1000)
        ends.append(motion.q[3:])
    np.testing.assert_allclose(ends[1], ends[0], rtol=0, atol=1e-12)
