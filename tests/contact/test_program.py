"""The paper's convex program against the fast method: apart, and overlapping where their depths are the same thing."""

import numpy as np
import pytest
from pairs import KINDS, poses, shape

from softdock import Box, Cylinder, Pose, Sphere
from softdock.contact import by_program, proximity_of
from softdock.contact.program import Closest

pytest.importorskip("daqp")


def pose_of(T):
    from scipy.spatial.transform import Rotation

    return Pose(position=T[:3, 3], quaternion=Rotation.from_matrix(T[:3, :3]).as_quat(scalar_first=True))


def test_distances_agree_on_500_pairs():
    rng, done = np.random.default_rng(0), 0
    while done < 500:
        A, B = (shape(KINDS[int(k)], rng) for k in rng.integers(0, 4, 2))
        at_A, at_B = (pose_of(T[0]) for T in poses(rng, 1))
        fast = proximity_of(A, at_A, B, at_B)
        if fast.distance < 1e-3:
            continue
        program = by_program(A, at_A, B, at_B)
        assert isinstance(program, Closest)
        assert program.distance == pytest.approx(fast.distance, abs=1e-9)
        done += 1


def test_depths_agree_where_a_face_of_the_shrunken_body_faces_the_other():
    rng = np.random.default_rng(1)
    B = Box(size=(1.0, 1.2, 0.8))
    for _ in range(40):
        depth = rng.uniform(0.001, 0.1)
        quaternion = rng.normal(size=4)
        A = Box(size=rng.uniform(0.1, 0.3, 3))
        x, y = rng.uniform(-0.1, 0.1, 2)
        high = proximity_of(A, Pose(position=(x, y, 2), quaternion=quaternion), B, Pose()).distance
        at = Pose(position=(x, y, 2 - high - depth), quaternion=quaternion)
        assert proximity_of(A, at, B, Pose()).distance == pytest.approx(-depth, abs=1e-12)
        assert by_program(A, at, B, Pose(), shrink=0.2).distance == pytest.approx(-depth, abs=1e-9)


def test_across_an_edge_the_programs_depth_is_less():
    """A small ball inside a box near its edge: the shrunken edge recedes by √2 b."""
    ball, box = Sphere(radius=0.05), Box(size=(1, 1, 1))
    at = Pose(position=(0.48, 0.48, 0))
    fast, program = proximity_of(ball, at, box, Pose()).distance, by_program(ball, at, box, Pose(), shrink=0.2).distance
    assert fast == pytest.approx(-0.07)
    assert program == pytest.approx(np.sqrt(2) * 0.18 - 0.2 - 0.05, abs=1e-9)
    assert program > fast


def test_what_the_program_cannot_do_it_says():
    with pytest.raises(ValueError, match="a cylinder has neither"):
        by_program(Cylinder(radius=1, length=1), Pose(), Box(size=(1, 1, 1)), Pose())
    with pytest.raises(ValueError, match="shrink it more"):
        by_program(Box(size=(1, 1, 1)), Pose(), Box(size=(1, 1, 1)), Pose(), shrink=0.1)
