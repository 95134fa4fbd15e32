"""Joints with static friction: still to the last bit below break-away, Coulomb's law above it."""

import numpy as np
import pytest
from scipy.optimize import brentq

import softdock as sd

J, G = 0.5, 9.81


def joint(**friction):
    damping = friction.pop("damping", 0.0)
    return sd.Revolute(friction=sd.Friction(**friction), damping=damping)


def wheel(gravity=None, center=(0, 0, 0), **friction):
    """A body of moment of inertia J about the world's z, by its joint."""
    x = center[0]
    body = sd.Body(name="wheel", mass=2.0, center=center, inertia=[J, J, J - 2.0 * x * x], joint=joint(**friction))
    return sd.Dynamics(sd.World(gravity=gravity or sd.NoGravity(), bodies=[body]))


def motion_of(dynamics, q, v, h=1e-3):
    return sd.Motion(dynamics, np.atleast_1d(q).astype(float), np.atleast_1d(v).astype(float), h=h)


def work(run, name):
    return run.account[-1, sd.dynamics.motion.ACCOUNT.index(name)]


@pytest.mark.parametrize("static", [1.0, 1.5])
def test_below_break_away_nothing_moves_and_above_it_slides(static):
    dynamics = wheel(force=1.0, static=static)
    still = motion_of(dynamics, 0.3, 0.0).run(3000, [static * (1 - 1e-9)])
    assert (still.q == 0.3).all() and (still.v == 0.0).all()
    moved = motion_of(dynamics, 0.3, 0.0).run(1000, [-static * (1 + 1e-9)])
    a = -(static * (1 + 1e-9) - 1.0) / J
    assert moved.v[:, 0] == pytest.approx(a * moved.t, rel=1e-3 if static == 1.0 else 1e-9)
    assert moved.q[-1, 0] - 0.3 == pytest.approx(0.5 * a, rel=1e-3 if static == 1.0 else 1e-9)


@pytest.mark.parametrize("damping", [0.0, 0.2])
def test_a_sliding_joint_stops_where_it_should_and_stays(damping):
    """J v̇ = −τ − d v."""
    dynamics = wheel(force=1.3, static=1.6, damping=damping)
    v0, tau = 2.0, 1.3
    time = J * v0 / tau if damping == 0 else J / damping * np.log1p(damping * v0 / tau)
    way = J * v0**2 / (2 * tau) if damping == 0 else (J * v0 - tau * time) / damping
    errors = []
    for h in (4e-3, 1e-3):
        run = motion_of(dynamics, 0.1, v0, h).run(round(1.2 / h), ledger=True)
        stopped = run.t > time + h
        assert np.unique(run.q[stopped, 0]).size == 1 and (run.v[stopped] == 0.0).all()
        errors.append(abs(run.q[-1, 0] - 0.1 - way))
        assert work(run, "work_friction") + work(run, "work_dampers") == pytest.approx(-0.5 * J * v0**2, rel=1e-5)
        assert work(run, "work_contacts") == 0.0
    assert errors[0] < 0.2 * 4e-3**2 * tau / J + 1e-12 and errors[1] < 0.2 * 1e-3**2 * tau / J + 1e-12


def pendulum(**friction):
    """m g l = 2 × 9.81 × 0.25; the joint's zero hangs down."""
    return wheel(sd.Uniform(acceleration=(G, 0, 0)), (0.25, 0, 0), **friction)


MGL = 2.0 * G * 0.25


def test_a_pendulum_sticks_where_friction_bears_its_weight():
    dynamics = pendulum(force=1.0, static=1.0)
    for sign, moves in ((-1e-9, False), (1e-9, True)):
        angle = np.arcsin((1 + sign) / MGL)
        run = motion_of(dynamics, angle, 0.0, 2e-3).run(2000)
        assert (run.q != angle).any() == moves


def test_a_pendulum_swings_as_energy_says_and_ends_at_rest():
    """From turn to turn, m g l (cos θ' − cos θ) = τ |θ' − θ|."""
    tau, theta = 0.5, 2.0
    turns = [theta]
    while MGL * abs(np.sin(turns[-1])) > tau:
        fastest = np.sign(turns[-1]) * np.arcsin(tau / MGL)

        def left(x, here=turns[-1]):
            return MGL * (np.cos(x) - np.cos(here)) - tau * abs(x - here)

        turns.append(brentq(left, fastest, -turns[-1]))
    dynamics = pendulum(force=tau, static=tau)
    h = 1e-3
    motion = motion_of(dynamics, theta, 0.0, h)
    run = motion.run(12000, ledger=True)
    found = [theta, *run.q[np.flatnonzero(np.diff(np.sign(run.v[:, 0])) * run.v[:-1, 0]), 0]]
    assert found == pytest.approx(turns[: len(found)], abs=1e-5) and len(found) in (len(turns), len(turns) - 1)
    assert run.q[-1, 0] == pytest.approx(turns[-1], abs=1e-5)
    assert (run.q[-1000:] == run.q[-1]).all()
    fallen = MGL * (np.cos(run.q[-1, 0]) - np.cos(theta))
    assert work(run, "work_friction") == pytest.approx(-fallen, rel=1e-5)


def arm(static=(0.7, 0.3), **more):
    """Two links in the plane, without gravity; straight at zero."""
    first = sd.Body(
        name="first", mass=1.0, center=(0.5, 0, 0), inertia=[0.1] * 3, joint=joint(force=0.2, static=static[0])
    )
    second = sd.Body(
        name="second", parent="first", placement=sd.Pose(position=(1, 0, 0)), mass=2.0, center=(0.4, 0, 0),
        inertia=[0.2] * 3, joint=joint(force=0.1, static=static[1]),
    )  # fmt: skip
    return sd.Dynamics(sd.World(bodies=[first, second], **more))


WHOLE = 0.1 + 0.25 + 0.2 + 2.0 * 1.4**2
OUTER = 0.2 + 2.0 * 0.4 * 1.4
"""Moment of inertia of the straight arm about its root, and torque in its elbow by angular acceleration."""


@pytest.mark.parametrize("beyond", [-1e-7, 1e-7])
def test_an_elbow_sticks_until_the_arm_s_acceleration_breaks_it_away(beyond):
    dynamics = arm()
    a = 0.3 * (1 + beyond) / OUTER
    run = motion_of(dynamics, [0.2, 0.0], [0.0, 0.0]).run(400, [0.2 + a * WHOLE, 0.0])
    if beyond < 0:
        assert (run.q[:, 1] == 0.0).all()
        assert run.v[-1, 0] == pytest.approx(a * run.t[-1], rel=1e-9)
    else:
        M = dynamics.mass_matrix([0.2, 0.0])
        slipping = np.linalg.solve(M, [a * WHOLE, 0.1])
        assert run.v[5] / run.t[5] == pytest.approx(slipping, rel=1e-4)


def test_both_joints_hold_what_each_bears():
    run = motion_of(arm(), [0.2, 1.1], [0.0, 0.0]).run(500, [0.7 * (1 - 1e-9), -0.3 * (1 - 1e-9)])
    assert (run.q == [0.2, 1.1]).all()


def test_latched_sliders_break_away_together():
    """Two sliders side by side, held to each other at a point: at the sum of what they bear."""

    def slider(name, y, static):
        friction = sd.Friction(force=0.5, static=static)
        return sd.Body(
            name=name, mass=1.0, inertia=[0.1] * 3, placement=sd.Pose(position=(0, y, 0)),
            joint=sd.Prismatic(axis=(1, 0, 0), friction=friction),
        )  # fmt: skip

    link = sd.Latch(name="rod", kind="distance", frame_a="a", frame_b="b", length=5.0, engaged=True)
    dynamics = sd.Dynamics(sd.World(bodies=[slider("a", 0, 2.0), slider("b", 3, 1.0)], latches=[link]))
    still = motion_of(dynamics, [0.0, 4.0], [0, 0]).run(500, [-3.0 * (1 - 1e-9), 0.0])
    assert (still.q == [0.0, 4.0]).all()
    moved = motion_of(dynamics, [0.0, 4.0], [0, 0]).run(500, [-3.0 * (1 + 1e-6), 0.0])
    assert moved.v[-1] == pytest.approx([-1.0 * moved.t[-1]] * 2, rel=1e-3)
    assert work(motion_of(dynamics, [0, 4.0], [0, 0]).run(500, [-4.0, 0.0], ledger=True), "work_friction") < 0


def test_against_a_stop():
    """It bounces off the stop, and comes to rest at v²/(2 a) from it."""
    body = sd.Body(
        name="slider", mass=2.0, inertia=[0.1] * 3,
        joint=sd.Prismatic(
            friction=sd.Friction(force=1.0, static=1.2), limits=sd.Limits(lower=-1, upper=1, restitution=0.5)
        ),
    )  # fmt: skip
    dynamics = sd.Dynamics(sd.World(bodies=[body]))
    motion = motion_of(dynamics, 0.0, 2.0)
    run = motion.run(4000, ledger=True)
    struck = np.sqrt(4 - 2 * 0.5 * 1.0)
    assert run.impacts[0].speed_before == pytest.approx(-struck, rel=1e-6)
    rest = 1.0 - (0.5 * struck) ** 2 / (2 * 0.5)
    assert run.q[-1, 0] == pytest.approx(rest, abs=1e-6) and (run.q[-500:] == run.q[-1]).all()
    assert work(run, "work_friction") == pytest.approx(-(1.0 + (1.0 - rest)), rel=1e-6)
    pressed = motion_of(dynamics, 1.0, 0.0).run(500, [5.0])
    assert pressed.q[:, 0] == pytest.approx(1.0, abs=1e-12)
    held = motion_of(dynamics, 1.0, 0.0).run(500, [-1.2 * (1 - 1e-9)])
    assert (held.q == 1.0).all()


def test_under_a_box_that_rests_on_it():
    """A cart that sticks keeps its load still; a force above break-away moves both as one."""
    slab = sd.Box(size=(2, 1, 0.2), placement=sd.Pose(position=(0, 0, -0.1)))
    cart = sd.Body(
        name="cart", mass=4.0, inertia=[1.0] * 3, shapes=[slab],
        joint=sd.Prismatic(axis=(1, 0, 0), friction=sd.Friction(force=3.0, static=5.0)),
    )  # fmt: skip
    crate = sd.Body(name="crate", mass=2.0, inertia=[0.05] * 3, shapes=[sd.Box(size=(0.4, 0.4, 0.2))])
    world = sd.World(
        gravity=sd.Uniform(acceleration=(0, 0, -G)), bodies=[cart, crate],
        contacts=[sd.Contact(name="load", body_a="crate", body_b="cart", restitution=0, friction=0.5)],
    )  # fmt: skip
    dynamics = sd.Dynamics(world)
    start = dynamics.state({"crate": {"position": (0.3, 0, 0.1)}})
    push = np.zeros(dynamics.nv)
    push[0] = 5.0 * (1 - 1e-9)
    still = sd.Motion(dynamics, *start, h=1e-3).run(400, push)
    assert (still.q[:, 0] == 0.0).all() and np.abs(still.q[:, 1] - 0.3).max() < 1e-12
    push[0] = 9.0
    run = sd.Motion(dynamics, *start, h=1e-3).run(400, push)
    assert run.v[-1, :2] == pytest.approx([run.t[-1] * (9 - 3) / 6] * 2, rel=1e-9)


def test_it_costs_nothing_where_there_is_none():
    for friction in ({"force": 1.0}, {"force": 0.0, "static": 0.0}):
        dynamics = wheel(**friction)
        assert not dynamics.touches and dynamics.plant.dry.size == 0


def test_a_servo_against_stiction_stops_short_of_its_target():
    """Where kp × error is what friction bears, it stays: a machine's dead band."""
    body = sd.Body(
        name="wheel", mass=2.0, inertia=[J] * 3,
        joint=sd.Revolute(friction=sd.Friction(force=0.5, static=0.8), servo=sd.Servo(kp=100.0, kd=14.0)),
    )  # fmt: skip
    dynamics = sd.Dynamics(sd.World(bodies=[body]))
    for target, moves in ((0.00799, False), (0.00801, True)):
        run = motion_of(dynamics, 0.0, 0.0).run(3000, dynamics.command(position={"wheel": target}))
        assert (run.q != 0.0).any() == moves
        assert (run.q[-100:] == run.q[-1]).all() and abs(run.q[-1, 0] - target) < 0.008


def test_bad_input_is_one_line():
    with pytest.raises(ValueError, match=r"static friction 1 is less than the friction 2 of sliding"):
        sd.Friction(force=2.0, static=1.0)
    with pytest.raises(ValueError, match=r"friction.static of a revolute joint takes 1 or 1 numbers"):
        sd.Revolute(friction=sd.Friction(force=1.0, static=(2.0, 3.0)))
    with pytest.raises(ValueError, match="order=2"):
        sd.Motion(wheel(force=1.0, static=1.0), [0.0], [0.0], h=1e-3, order=4)
    with pytest.raises(ValueError, match="may stick"):
        sd.reference(wheel(force=1.0, static=1.0), [0.0], [0.0], [0.0, 1.0])


def test_on_a_free_base_momentum_is_kept_while_joints_stop():
    """Friction is between bodies: what turns against each other comes to turn as one."""
    bus = sd.Body(name="bus", mass=5.0, inertia=[1.0, 1.2, 1.5])
    friction = sd.Friction(force=0.4, static=0.6)
    boom = sd.Body(
        name="boom", parent="bus", placement=sd.Pose(position=(0.5, 0, 0)), mass=1.0, center=(0.4, 0, 0.1),
        inertia=[0.1] * 3, joint=sd.Revolute(axis=(0, 1, 0), friction=friction),
    )  # fmt: skip
    ball = sd.Body(
        name="ball", parent="boom", placement=sd.Pose(position=(0.8, 0, 0)), mass=0.7, center=(0.1, 0, 0.1),
        inertia=[0.05] * 3, joint=sd.Spherical(friction=sd.Friction(force=0.05, static=0.08)),
    )  # fmt: skip
    dynamics = sd.Dynamics(sd.World(bodies=[bus, boom, ball]))
    q, v = dynamics.state({"boom": {"velocity": 0.8}, "ball": {"angular_velocity": (0.5, -0.3, 0.6)}})
    run = motion_of(dynamics, q, v, 2e-3).run(1500, ledger=True)
    first, last = dynamics.balance(q, v), dynamics.balance(run.q[-1], run.v[-1])
    assert last.momentum == pytest.approx(first.momentum, abs=1e-13)
    assert last.angular_momentum == pytest.approx(first.angular_momentum, abs=1e-13)
    assert (run.v[-1, dynamics.layout.v["boom"]] == 0.0).all() and (run.v[-1, dynamics.layout.v["ball"]] == 0.0).all()
    assert (run.q[-200:, dynamics.layout.q["boom"]] == run.q[-1, dynamics.layout.q["boom"]]).all()
    assert work(run, "work_friction") == pytest.approx(last.kinetic - first.kinetic, rel=1e-4)
