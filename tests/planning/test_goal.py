"""Goals as poses: reached, within limits, or refused."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics
from softdock.planning import Unreachable, joint_limits, reach
from softdock.world import Body, Fixed, Frame, Free, Limits, Pose, Revolute, World

JOINTS = [f"j{k}" for k in range(7)]


def seven() -> Dynamics:
    bodies = [Body(name="bus", joint=Free(), mass=200.0, inertia=(30, 30, 30))]
    for k, name in enumerate(JOINTS):
        joint = Revolute(axis=(0, 0, 1) if k % 2 == 0 else (0, 1, 0), limits=Limits(lower=-2.5, upper=2.5))
        bodies.append(
            Body(name=name, parent=bodies[-1].name, joint=joint, placement=Pose(position=(0.3, 0, 0.1)), mass=3.0,
                 center=(0.15, 0, 0), inertia=(0.02, 0.03, 0.03))
        )  # fmt: skip
    bodies.append(Body(name="tool", parent="j6", joint=Fixed(), placement=Pose(position=(0.2, 0, 0)), mass=1.0))
    frames = (Frame(name="grip", body="tool", placement=Pose(position=(0.1, 0, 0), rpy=(0.2, 0.1, 0))),)
    return Dynamics(World(name="seven", bodies=tuple(bodies), frames=frames))


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return seven()


def test_a_pose_is_reached_with_the_base_anywhere(dynamics: Dynamics) -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        q, _ = dynamics.state({"bus": {"position": rng.normal(size=3), "quaternion": rng.normal(size=4)}})
        there = q.copy()
        there[7:] = rng.uniform(-1.5, 1.5, 7)
        R, p = dynamics.pose("grip", there)
        q[7:] = 0.3
        found = reach(dynamics, "grip", p, R, joints=JOINTS, q=q)
        q[7:] = found.q
        R_found, p_found = dynamics.pose("grip", q)
        assert np.abs(p_found - p).max() < 1e-9 and np.abs(R_found - R).max() < 1e-9
        assert np.all(np.abs(found.q) <= 2.5)


def test_some_joints_only_and_orientation_free(dynamics: Dynamics) -> None:
    q, _ = dynamics.state({name: {"position": 0.4} for name in JOINTS})
    goal = dynamics.pose("grip", q)[1] + (0.05, -0.1, 0.1)
    found = reach(dynamics, "grip", goal, joints=["j5", "j1", "j2", "j3"], q=q)
    q[[12, 8, 9, 10]] = found.q
    assert np.abs(dynamics.pose("grip", q)[1] - goal).max() < 1e-9


def test_what_is_out_of_reach_or_makes_no_sense(dynamics: Dynamics) -> None:
    q = dynamics.layout.neutral()
    with pytest.raises(Unreachable, match="nearest found is off by"):
        reach(dynamics, "grip", (9, 0, 0), joints=JOINTS, q=q, restarts=2)
    with pytest.raises(ValueError, match="no coordinate 'j9'"):
        reach(dynamics, "grip", (1, 0, 0), joints=["j9"], q=q)
    with pytest.raises(ValueError, match=r"'bus\.wx' is a rotation in space"):
        reach(dynamics, "grip", (1, 0, 0), joints=["bus.wx"], q=q)
    with pytest.raises(ValueError, match="'j1' is named twice"):
        reach(dynamics, "grip", (1, 0, 0), joints=["j1", "j1"], q=q)
    with pytest.raises(ValueError, match="no joint that could move"):
        reach(dynamics, "grip", (1, 0, 0), joints=[], q=q)
    low, high = joint_limits(dynamics, ["bus.x", "j0"])
    assert (low.tolist(), high.tolist()) == ([-np.inf, -2.5], [np.inf, 2.5])


def test_angles_without_limits_are_within_half_a_turn_of_the_start(dynamics: Dynamics) -> None:
    bodies = tuple(
        body.altered(joint=Revolute(axis=body.joint.axis)) if isinstance(body.joint, Revolute) else body
        for body in dynamics.world.bodies
    )
    free = Dynamics(dynamics.world.altered(bodies=bodies))
    rng = np.random.default_rng(1)
    for _ in range(20):
        there, q = free.layout.neutral(), free.layout.neutral()
        there[7:], q[7:] = rng.uniform(-3, 3, (2, 7))
        R, p = free.pose("grip", there)
        found = reach(free, "grip", p, R, joints=JOINTS, q=q).q
        assert np.abs(found - q[7:]).max() <= np.pi + 1e-12
        there[7:] = found
        assert np.abs(free.pose("grip", there)[1] - p).max() < 1e-9


def test_a_turn_that_the_limits_allow_is_taken_and_no_other(dynamics: Dynamics) -> None:
    """One joint from −1 to 7 rad, at 6.5: 0.2 rad is reached as 6.48, 1.0 rad as what it is."""
    wide = Revolute(limits=Limits(lower=-1.0, upper=7.0))
    hand = Frame(name="hand", body="one", placement=Pose(position=(1, 0, 0)))
    one = Dynamics(World(bodies=(Body(name="one", joint=wide, mass=1.0, inertia=(1, 1, 1)),), frames=(hand,)))
    for angle, expected in ((0.2, 0.2 + 2 * np.pi), (1.0, 1.0)):
        goal = (np.cos(angle), np.sin(angle), 0.0)
        assert reach(one, "hand", goal, joints=["one"], q=[6.5]).q[0] == pytest.approx(expected, abs=1e-8)


def test_singular_poses_are_reached_and_refusals_are_quick(dynamics: Dynamics) -> None:
    import time

    rng = np.random.default_rng(2)
    for k in range(30):
        there, q = dynamics.layout.neutral(), dynamics.layout.neutral()
        there[7:13] = rng.uniform(-1.5, 1.5, 6)
        there[[8, 10, 12]] = rng.choice([0.0, 1e-8, 1e-6, 1e-4])  # all pitches straight: rolls about one line
        there[7 + k % 6] = 0.0
        R, p = dynamics.pose("grip", there)
        q[7:13] = rng.uniform(-1, 1, 6)
        reach(dynamics, "grip", p, R, joints=JOINTS[:6], q=q)
    begun = time.process_time()
    for goal in ((9.0, 0.0, 0.0), (0.5, 0.5, 3.0)):
        with pytest.raises(Unreachable):
            reach(dynamics, "grip", goal, np.eye(3), joints=JOINTS, q=q)
    assert (time.process_time() - begun) / 2 < 0.5
