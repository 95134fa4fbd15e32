"""Where named states stand in q and v."""

from typing import Any

import numpy as np
import pytest

from softdock.world import (
    Body,
    Fixed,
    Free,
    JointState,
    Layout,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    World,
)

JOINTS = {
    "base": Free(),
    "post": Fixed(),
    "elbow": Revolute(),
    "slide": Prismatic(),
    "puck": Planar(),
    "ball": Spherical(),
}
WORLD_OF_ALL = World(bodies=tuple(Body(name=name, mass=1.0, joint=joint) for name, joint in JOINTS.items()))


def test_slices_follow_the_bodies() -> None:
    layout = Layout(WORLD_OF_ALL)
    assert (layout.nq, layout.nv) == (7 + 0 + 1 + 1 + 3 + 4, 6 + 0 + 1 + 1 + 3 + 3)
    assert layout.q["elbow"] == slice(7, 8) and layout.v["elbow"] == slice(6, 7)
    assert layout.q["ball"] == slice(12, 16) and layout.v["ball"] == slice(11, 14)
    assert layout.quaternions() == [3, 12]
    assert [len(labels) for labels in layout.names()] == [layout.nq, layout.nv]
    assert layout.names()[0][3] == "base.qw" and layout.names()[1][8] == "puck.x"


def test_unnamed_joints_are_at_zero() -> None:
    q, v = Layout(WORLD_OF_ALL).state({})
    expected = np.zeros(16)
    expected[[3, 12]] = 1
    np.testing.assert_array_equal(q, expected)
    np.testing.assert_array_equal(v, np.zeros(14))


def test_named_states_are_packed() -> None:
    layout = Layout(WORLD_OF_ALL)
    q, v = layout.state(
        {
            "base": JointState(
                position=(1, 2, 3), quaternion=(0, 0, 0, 2), velocity=(4, 5, 6), angular_velocity=(7, 8, 9)
            ),
            "elbow": {"position": 0.5, "velocity": [-1.0]},
            "puck": {"position": np.array([1.0, 2.0, 3.0])},
            "ball": {"angular_velocity": (1, 2, 3)},
        }
    )
    np.testing.assert_array_equal(q[layout.q["base"]], [1, 2, 3, 0, 0, 0, 1])
    np.testing.assert_array_equal(v[layout.v["base"]], [4, 5, 6, 7, 8, 9])
    assert q[layout.q["elbow"]] == 0.5 and v[layout.v["elbow"]] == -1.0
    np.testing.assert_array_equal(q[layout.q["puck"]], [1, 2, 3])
    np.testing.assert_array_equal(v[layout.v["ball"]], [1, 2, 3])


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"elbwo": {}}, "did you mean 'elbow'"),
        ({"elbow": {"position": [1, 2]}}, "takes 1 numbers"),
        ({"base": {"velocity": [1, 2]}}, "takes 3 numbers"),
        ({"post": {"position": [1]}}, "takes 0 numbers"),
        ({"elbow": {"quaternion": [1, 0, 0, 0]}}, "has no quaternion"),
        ({"ball": {"quaternion": [0, 0, 0, 0]}}, "zero length"),
        ({"elbow": {"position": float("nan")}}, "finite"),
        ({"elbow": {"velocity": float("inf")}}, "finite"),
        ({"elbow": {"angle": 1.0}}, "unknown key 'angle'"),
    ],
)
def test_a_bad_state_is_refused(state: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Layout(WORLD_OF_ALL).state(state)
