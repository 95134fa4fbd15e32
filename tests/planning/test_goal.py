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
    low, high = joint_limits(dynamics, ["bus.x", "j0"])
    assert (low.tolist(), high.tolist()) == ([-np.inf, -2.5], [np.inf, 2.5])
