"""Poses of random joint values are found again from random starts; one out of reach says how near it came."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics
from softdock.planning import Unreachable, solve_pose
from softdock.world import Body, Frame, Pose, Prismatic, Revolute, World


def arm(kinds: str, rng: np.random.Generator) -> Dynamics:
    bodies = [
        Body(
            name=f"link{k}",
            parent=f"link{k - 1}" if k else "world",
            joint=(Revolute if kind == "R" else Prismatic)(axis=rng.normal(size=3)),
            placement=Pose(position=rng.uniform(-0.4, 0.4, 3), quaternion=rng.normal(size=4)),
            mass=1.0,
            inertia=(0.1, 0.1, 0.1),
        )
        for k, kind in enumerate(kinds)
    ]
    tool = Frame(name="tool", body=bodies[-1].name, placement=Pose(position=(0.1, 0.0, 0.2)))
    return Dynamics(World(bodies=tuple(bodies), frames=(tool,)))


def forward_of(dynamics: Dynamics):
    return lambda q: (*dynamics.pose("tool", q), dynamics.jacobian("tool", q))


@pytest.mark.parametrize("kinds", ["RRRRRRR", "RRRRRR", "RPRRRRR"])
def test_random_poses_are_reached_within_limits(kinds: str) -> None:
    rng = np.random.default_rng(5)
    dynamics, missed = arm(kinds, rng), 0
    forward = forward_of(dynamics)
    bound = np.full(len(kinds), 2.9)
    for trial in range(200 if kinds == "RRRRRRR" else 30):
        q_goal, q0 = rng.uniform(-bound, bound, (2, len(kinds)))
        R, p, _ = forward(q_goal)
        try:
            found = solve_pose(forward, q0, R, p, lower=-bound, upper=bound, seed=trial)
        except Unreachable:
            missed += 1
            continue
        R_found, p_found, _ = forward(found.q)
        assert np.linalg.norm(p_found - p) <= 1e-10 and np.linalg.norm(R_found - R) <= 2e-10
        assert np.all(np.abs(found.q) <= bound)
    assert missed <= (2 if kinds == "RRRRRRR" else 0)


def test_position_only_and_a_goal_at_a_limit() -> None:
    rng = np.random.default_rng(6)
    forward = forward_of(arm("RRRRRRR", rng))
    bound = np.full(7, 1.5)
    q_goal = rng.uniform(-bound, bound)
    q_goal[[1, 4]] = bound[[1, 4]]
    R, p, _ = forward(q_goal)
    assert solve_pose(forward, np.zeros(7), None, p, lower=-bound, upper=bound).position_error <= 1e-10
    assert solve_pose(forward, np.zeros(7), R, p, lower=-bound, upper=bound).angle_error <= 1e-10


def test_out_of_reach_says_how_far() -> None:
    """A 1 m arm in a plane, asked for a point 3 m away: 2 m are missing."""
    link = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    bodies = (
        Body(name="a", joint=Revolute(), **link),
        Body(name="b", parent="a", joint=Revolute(), placement=Pose(position=(0.5, 0, 0)), **link),
    )
    tool = Frame(name="tool", body="b", placement=Pose(position=(0.5, 0, 0)))
    forward = forward_of(Dynamics(World(bodies=bodies, frames=(tool,))))
    with pytest.raises(Unreachable, match="off by 2 m and 0 rad") as caught:
        solve_pose(forward, [0.3, 0.4], None, [0.0, 3.0, 0.0], restarts=3)
    assert caught.value.best.position_error == pytest.approx(2.0, rel=1e-3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"p_goal": [0, 0]}, "p_goal has shape"),
        ({"p_goal": [0, np.nan, 0]}, "p_goal has an entry that is not finite"),
        ({"R_goal": np.diag([1, 1, -1])}, "not a rotation"),
        ({"lower": [0, 0]}, "lower has shape"),
        ({"lower": [3] * 7, "upper": [1] * 7}, "lower limit of joint 0 is above"),
    ],
)
def test_bad_goals_are_refused(changes: dict, message: str) -> None:
    good = {"q0": np.zeros(7), "R_goal": np.eye(3), "p_goal": np.zeros(3)}
    with pytest.raises(ValueError, match=message):
        solve_pose(lambda q: (np.eye(3), np.zeros(3), np.zeros((6, 7))), **{**good, **changes})
