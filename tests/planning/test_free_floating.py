"""Kinematics of an arm on a base that gives way, against the world's own poses and against differences."""

import numpy as np
import pytest

from softdock.control import generalised_jacobian
from softdock.dynamics import Dynamics
from softdock.planning import FreeFloatingArm
from softdock.spatial import quaternion_of_vector, vector_of_matrix
from softdock.world import Body, Fixed, Frame, Free, Pose, Prismatic, Revolute, World

Q_AS = quaternion_of_vector([0.3, -0.4, 0.2])
JOINTS = ("one", "two", "three")
X = np.array([0.4, -0.9, 1.3])


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    """Three joints about different axes, and an antenna that the base carries."""
    bodies = [
        Body(name="base", joint=Free(), mass=30.0, inertia=(3, 4, 5), center=(0.1, 0.0, 0.05)),
        Body(name="antenna", parent="base", joint=Revolute(axis=(1, 0, 0)), placement=Pose(position=(0, 1, 0)),
             mass=4.0, center=(0.0, 0.5, 0.0), inertia=(1, 1, 1)),
    ]  # fmt: skip
    for k, (name, axis) in enumerate(zip(JOINTS, ((0, 0, 1), (0, 1, 0), (0.6, 0.0, 0.8)), strict=True)):
        bodies.append(
            Body(name=name, parent=("base", *JOINTS)[k], joint=Revolute(axis=axis), mass=5.0 - k,
                 placement=Pose(position=(0.6, 0.1 * k, 0.0)), center=(0.3, 0.02, 0.01), inertia=(0.1, 0.4, 0.4))
        )  # fmt: skip
    tool = Frame(name="tool", body="three", placement=Pose(position=(0.5, 0.1, 0.0), quaternion=(0.8, 0.0, 0.6, 0.0)))
    return Dynamics(World(name="craft", bodies=tuple(bodies), frames=(tool,)))


def test_poses_are_the_worlds_about_its_centre_of_mass(dynamics: Dynamics) -> None:
    arm = FreeFloatingArm(dynamics, "base", JOINTS, "tool", Q_AS)
    q = dynamics.layout.neutral()
    q[:3], q[3:7] = (2.0, -1.0, 0.5), Q_AS  # wherever the base is
    for name, x in zip(JOINTS, X, strict=True):
        q[dynamics.layout.q[name]] = x
    center = np.asarray(dynamics.balance(q, np.zeros(dynamics.nv)).center)
    R, p = dynamics.pose("tool", q)
    ours = arm.forward(X)
    np.testing.assert_allclose(ours[0], R, atol=1e-14)
    np.testing.assert_allclose(ours[1], p - center, atol=1e-14)
    np.testing.assert_allclose(arm.points(X, ("two", "tool"))[1], p - center, atol=1e-14)


def test_what_the_arm_carries_and_where_other_joints_are_count(dynamics: Dynamics) -> None:
    """A heavy hand fixed to the last link, a finger on it, and the antenna turned aside."""
    own = dynamics.world
    hand = Body(name="hand", parent="three", joint=Fixed(), mass=20.0, inertia=(1, 1, 1), center=(0.1, 0.2, 0.0))
    finger = Body(name="finger", parent="hand", joint=Revolute(), mass=3.0, inertia=(1, 1, 1), center=(0.4, 0.0, 0.0))
    loaded = Dynamics(own.altered(bodies=(*own.bodies, hand, finger)))
    q = loaded.layout.neutral()
    q[:3], q[3:7] = (2.0, -1.0, 0.5), Q_AS
    q[loaded.layout.q["antenna"]], q[loaded.layout.q["finger"]] = 1.5, 0.7
    arm, d = FreeFloatingArm(loaded, "base", JOINTS, "tool", Q_AS, q), 1e-6
    for name, x in zip(JOINTS, X, strict=True):
        q[loaded.layout.q[name]] = x
    center = np.asarray(loaded.balance(q, np.zeros(loaded.nv)).center)
    _, p, J = arm.forward(X)
    np.testing.assert_allclose(p, loaded.pose("tool", q)[1] - center, atol=1e-13)
    for k in range(3):
        ahead, back = (arm.forward(X + sign * d * np.eye(3)[k])[1] for sign in (1, -1))
        np.testing.assert_allclose(J[3:, k], (ahead - back) / (2 * d), atol=1e-8)


def test_the_jacobian_is_the_derivative_angles_first(dynamics: Dynamics) -> None:
    arm, d = FreeFloatingArm(dynamics, "base", JOINTS, "tool", Q_AS), 1e-6
    J = arm.forward(X)[2]
    for k, step in enumerate(d * np.eye(3)):
        (R1, p1, _), (R0, p0, _) = arm.forward(X + step), arm.forward(X - step)
        numbers = np.concatenate([vector_of_matrix(R1 @ R0.T), p1 - p0]) / (2 * d)
        np.testing.assert_allclose(J[:, k], numbers, atol=1e-9)


def test_it_is_the_generalised_jacobian_of_a_base_whose_attitude_is_held(dynamics: Dynamics) -> None:
    """J* by the mass matrix, with the base's position alone undriven."""
    turns = [f"base.w{axis}" for axis in "xyz"]
    q = dynamics.layout.neutral()
    q[3:7] = Q_AS
    for name, x in zip(JOINTS, X, strict=True):
        q[dynamics.layout.q[name]] = x
    J = generalised_jacobian(dynamics, "tool", q, [*turns, "antenna", *JOINTS])[:, -3:]
    np.testing.assert_allclose(FreeFloatingArm(dynamics, "base", JOINTS, "tool", Q_AS).forward(X)[2], J, atol=1e-13)


def test_a_base_that_cannot_give_way_and_a_joint_that_does_not_turn_are_refused(dynamics: Dynamics) -> None:
    with pytest.raises(ValueError, match="'antenna' is not a free body"):
        FreeFloatingArm(dynamics, "antenna", JOINTS, "tool")
    slide = Body(name="slide", parent="base", joint=Prismatic(), mass=1.0, inertia=(1, 1, 1))
    sliding = Dynamics(World(name="s", bodies=(dynamics.world.body("base"), slide)))
    with pytest.raises(ValueError, match="'slide' does not turn about an axis"):
        FreeFloatingArm(sliding, "base", ("slide",), "slide")
