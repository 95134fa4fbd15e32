"""Poses: roll-pitch-yaw, composition, exact quarter turns."""

import math

import numpy as np
import pinocchio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softdock.world import Pose

angle = st.floats(-7, 7)
length = st.floats(-10, 10)


@given(st.tuples(angle, angle, angle))
def test_rpy_is_about_fixed_axes(rpy: tuple[float, float, float]) -> None:
    pose = Pose.model_validate({"rpy": rpy})
    np.testing.assert_allclose(pose.rotation, pinocchio.rpy.rpyToMatrix(*rpy), atol=1e-14)


@given(st.tuples(length, length, length), st.tuples(angle, angle, angle))
def test_poses_compose_as_matrices(position: tuple[float, float, float], rpy: tuple[float, float, float]) -> None:
    one = Pose.model_validate({"position": position, "rpy": rpy})
    two = Pose.model_validate({"position": rpy, "rpy": position})
    np.testing.assert_allclose((one @ two).matrix(), one.matrix() @ two.matrix(), atol=1e-13)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_quarter_turns_are_exact(axis: int, quarters: int) -> None:
    rpy = [0.0, 0.0, 0.0]
    rpy[axis] = quarters * math.pi / 2
    R = Pose.model_validate({"rpy": rpy}).rotation
    assert set(R.flat) <= {-1.0, 0.0, 1.0}


def test_a_quaternion_is_normalised() -> None:
    assert Pose(quaternion=(2.0, 0.0, 0.0, 0.0)) == Pose()
