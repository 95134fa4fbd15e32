"""One body on ground that gives way, against the law integrated on its own, and against Coulomb's."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from soft_worlds import ball, cuboid, ground

import softdock as sd

G = 9.81


def tilt(q):
    """Angle (rad) between the body's z axis and the ground's normal."""
    up = Rotation.from_quat(np.roll(np.atleast_2d(q)[:, 3:], -1, axis=1)).as_matrix()[:, :, 2]
    return np.arctan2(np.hypot(up[:, 0], up[:, 1]), up[:, 2])


@pytest.mark.parametrize("law", [{"stiffness": 1e7, "damping": 0.3}, {"stiffness": 1e5, "exponent": 1.5}])
def test_a_ball_that_bounces_follows_the_law_integrated_apart(law):
    """m z'' = −m g + k ρⁿ (1 + c ρ̇) by DOP853, over the first two contacts."""
    k, n, c = law["stiffness"], law.get("exponent", 3.0), law.get("damping", 0.0)

    def slope(t, y):
        rho, rate = 0.1 - y[0], -y[1]
        return [y[1], -G + (max(0.0, k * rho**n * (1 + c * rate)) if rho > 0 else 0.0)]

    exact = solve_ivp(slope, (0, 0.5), (0.2, 0.0), method="DOP853", rtol=1e-11, atol=1e-13, max_step=1e-3).y[:, -1]
    dynamics = ground(ball(), (0, 0, -G), **law)
    start = dynamics.state({"mover": {"position": (0, 0, 0.2)}})
    errors = []
    for h in (5e-4, 2.5e-4, 1.25e-4):
        run = sd.rollout(dynamics, *start, h=h, steps=round(0.5 / h))
        errors.append(np.abs([run.q[-1, 2] - exact[0], run.v[-1, 2] - exact[1]]).max())
    # of second order; without damping energy comes back to rounding, and the error is smaller at large steps
    assert (np.array(errors) < (1000.0 if c == 0.0 else 2200.0) * np.array([5e-4, 2.5e-4, 1.25e-4]) ** 2).all()
    assert c == 0.0 or np.log2(errors[0] / errors[-1]) / 2 == pytest.approx(2.0, abs=0.35)


def test_a_contact_that_begins_in_touch_gives_back_what_the_law_holds():
    """A ball pressed in by ρ leaves with ½ m v² = k ρ⁴/4."""
    dynamics = ground(ball(), stiffness=1e7)
    start = dynamics.state({"mover": {"position": (0, 0, 0.09)}})
    speeds = [sd.rollout(dynamics, *start, h=h, steps=round(0.3 / h)).v[-1, 2] for h in (1e-3, 5e-4, 2.5e-4)]
    errors = np.abs(np.array(speeds) - np.sqrt(2 * 1e7 * 0.01**4 / 4))
    assert errors[-1] < 1e-4
    assert (np.log2(errors[:-1] / errors[1:]) > 1.7).all()


SLAB = (0.4, 0.4, 0.1)
STEEP = 0.35
"""Slope (rad); its tangent is 0.365."""


def on_a_slope(friction, slip=1e-4, seconds=1.5, h=1e-3):
    """A flat block let go on a slope, already pressed in by its own weight: its run."""
    slab = cuboid("mover", 1.0, SLAB)
    gravity = (G * np.sin(STEEP), 0, -G * np.cos(STEEP))
    dynamics = ground(slab, gravity, stiffness=1e6, exponent=1.5, damping=2.0, friction=friction, slip=slip)
    depth = (G * np.cos(STEEP) / 1e6) ** (1 / 1.5)
    start = dynamics.state({"mover": {"position": (0, 0, 0.05 - depth)}})
    return sd.rollout(dynamics, *start, h=h, steps=round(seconds / h))


def test_a_block_sticks_on_a_slope_below_the_angle_of_friction():
    """It creeps at the speed at which the smoothed friction carries it: slip r/√(1 − r²), r = tan(slope)/μ."""
    run = on_a_slope(0.5)
    r = np.tan(STEEP) / 0.5
    creep = 1e-4 * r / np.sqrt(1 - r * r)
    assert run.v[-300:, 0].mean() == pytest.approx(creep, rel=3e-7)
    assert run.v[-300:, 0].std() < 3e-10  # rounding through friction 23 times stiffer than the block is heavy
    assert np.abs(run.v[-500:, 0]).max() < 1.01 * creep
    assert abs(run.q[-1, 0] - run.q[-501, 0]) < 0.51 * creep


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_a_block_slides_down_a_slope_as_coulomb_says(friction):
    run = on_a_slope(friction)
    a = G * (np.sin(STEEP) - friction * np.cos(STEEP))
    assert (run.v[-1, 0] - run.v[-501, 0]) / 0.5 == pytest.approx(a, rel=1e-5)
    assert np.abs(run.v[-1, [1, 3, 5]]).max() < 1e-9


def test_a_box_lies_on_a_box_without_rocking():
    """Dropped flat it stays flat, to rounding, and comes to rest as deep as its weight presses it."""
    dynamics = ground(cuboid("mover", 1.0, SLAB), (0, 0, -G), stiffness=1e5, exponent=1.5, damping=5.0)
    motion = sd.Motion(dynamics, *dynamics.state({"mover": {"position": (0.3, 0.2, 0.052)}}), h=1e-3)
    run = motion.run(4000, every=10)
    assert tilt(run.q).max() < 1e-12
    assert run.q[:, :2] == pytest.approx(np.tile([0.3, 0.2], (len(run), 1)), abs=1e-12)
    depth = (G / 1e5) ** (1 / 1.5)
    assert run.q[-1, 2] == pytest.approx(0.05 - depth, abs=1e-6)


def test_a_tilted_box_settles_flat_and_only_loses_energy():
    dynamics = ground(cuboid("mover", 1.0, SLAB), (0, 0, -G), stiffness=1e5, exponent=1.5, damping=5.0, friction=0.3)
    start = {"position": (0, 0, 0.06), "quaternion": np.roll(Rotation.from_rotvec([0.02, 0.03, 0]).as_quat(), 1)}
    motion = sd.Motion(dynamics, *dynamics.state({"mover": start}), h=1e-3)
    energy = [dynamics.balance(motion.q, motion.v).total]
    for _ in range(1500):
        motion.run(1)
        energy.append(dynamics.balance(motion.q, motion.v).total + motion.stored)
    assert np.diff(energy).max() <= 1e-12
    assert tilt(motion.q)[0] < 1e-3
    assert np.abs(motion.v).max() < 0.02
