"""Contact patches against areas and places known beforehand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from softdock import Box, Capsule, Cylinder, Sphere
from softdock.contact.patches import patch
from softdock.contact.shapes import POINT, encode
from softdock.kernels import Struct

FLOOR = Box(size=(4, 4, 2))
"""Its top is at z = 0."""


def lying(shape, position, rotation=None, margin=1e-3, floor=FLOOR):
    shapes = encode([(0, np.eye(3), np.zeros(3), shape), (1, np.eye(3), np.zeros(3), floor)])
    R, first = np.eye(3) if rotation is None else rotation.as_matrix(), shapes.table[:, POINT]
    A = np.ascontiguousarray(shapes.points[: first[1]] @ R.T + position)
    B = np.ascontiguousarray(shapes.points[first[1] :] - np.array([0, 0, 1]))
    normal, points = np.zeros(3), np.zeros((8, 4))
    count = patch(Struct(shapes), 0, 1, A, B, R, np.eye(3), margin, normal, points)
    return normal, points[:count]


def area(points):
    x, y = points[:, 0], points[:, 1]
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def test_a_box_on_a_box_stands_on_its_four_corners():
    normal, points = lying(Box(size=(1, 2, 0.5)), (0.1, 0.2, 0.25 - 1e-4))
    assert normal == pytest.approx([0, 0, 1])
    assert len(points) == 4
    assert area(points) == pytest.approx(2.0)
    assert points[:, 3] == pytest.approx(-1e-4)
    assert points[:, 2] == pytest.approx(-0.5e-4)


def test_turned_boxes_share_an_octagon_and_overhang_is_cut():
    turn = Rotation.from_euler("z", np.pi / 4)
    _, points = lying(Box(size=(4, 4, 1)), (0, 0, 0.5), turn)
    assert len(points) == 8
    assert area(points) == pytest.approx(32 * (np.sqrt(2) - 1))  # regular octagon about a circle of radius 2
    _, points = lying(Box(size=(1, 1, 1)), (2.2, 0, 0.5))
    assert area(points) == pytest.approx(0.3)


def test_an_edge_a_capsule_and_a_cylinder_on_its_side_have_two_points():
    quarter = Rotation.from_euler("x", np.pi / 2)
    edge = Rotation.from_euler("x", np.pi / 4)
    for shape, height, turn, length in (
        (Box(size=(1, 0.5, 0.5)), 0.25 * np.sqrt(2), edge, 1.0),
        (Capsule(radius=0.2, length=1.5), 0.2, quarter, 1.5),
        (Cylinder(radius=0.3, length=0.8), 0.3, quarter, 0.8),
    ):
        normal, points = lying(shape, (0, 0, height - 1e-4), turn)
        assert normal == pytest.approx([0, 0, 1], abs=1e-9)
        assert len(points) == 2
        assert np.linalg.norm(points[1, :3] - points[0, :3]) == pytest.approx(length)
        assert points[:, 3] == pytest.approx(-1e-4)


def test_a_standing_cylinder_has_eight_points_on_its_rim_and_fewer_over_an_edge():
    _, points = lying(Cylinder(radius=0.5, length=1), (0, 0, 0.5))
    assert len(points) == 8
    assert np.linalg.norm(points[:, :2], axis=1) == pytest.approx(0.5)
    _, points = lying(Cylinder(radius=0.5, length=1), (2.0, 0, 0.5))
    assert 4 <= len(points) <= 8
    assert points[:, 0].max() == pytest.approx(2.0)
    assert area(points) == pytest.approx(np.sqrt(2) * 0.25, rel=1e-9)  # half of the octagon in the rim


def test_a_sphere_and_a_corner_have_one_point_and_a_far_shape_none():
    assert len(lying(Sphere(radius=0.5), (0, 0, 0.5))[1]) == 1
    corner = Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0]
    assert len(lying(Box(size=(1, 1, 1)), (0, 0, np.sqrt(3) / 2), corner)[1]) == 1
    assert len(lying(Sphere(radius=0.5), (0, 0, 0.6))[1]) == 0


def test_depths_follow_a_small_tilt():
    turn = Rotation.from_euler("y", 1e-3)
    _, points = lying(Box(size=(1, 1, 1)), (0, 0, 0.5), turn, margin=1e-2)
    assert len(points) == 4
    assert sorted(points[:, 3]) == pytest.approx(np.array([-0.5, -0.5, 0.5, 0.5]) * 1e-3, abs=2e-6)


def both_ways(first, second, R, position, margin=1e-3):
    """The patch of two shapes, the second at (R, position) in the first's frame, in either order."""
    found = []
    for a, b in ((0, 1), (1, 0)):
        pair = [(0, np.eye(3), np.zeros(3), first), (1, np.eye(3), np.zeros(3), second)]
        shapes = encode(pair)
        start = shapes.table[:, POINT]
        turns = (np.eye(3), np.ascontiguousarray(R))
        world = [
            np.ascontiguousarray(shapes.points[start[k] : start[k + 1]] @ turns[k].T + (position if k else 0.0))
            for k in (0, 1)
        ]
        normal, points = np.zeros(3), np.zeros((8, 4))
        count = patch(Struct(shapes), a, b, world[a], world[b], turns[a], turns[b], margin, normal, points)
        found.append((normal, points[:count]))
    return found


@pytest.mark.parametrize(
    ("shape", "height", "turn"),
    [
        (Capsule(radius=0.2, length=1.5), 0.2, ("x", np.pi / 2)),
        (Cylinder(radius=0.3, length=0.8), 0.3, ("x", np.pi / 2)),
        (Cylinder(radius=0.3, length=0.8), 0.4, ("x", 0.0)),
        (Box(size=(1, 0.5, 0.5)), 0.25 * np.sqrt(2), ("x", np.pi / 4)),
        (Box(size=(1, 0.5, 0.5)), 0.25, ("z", 0.4)),
    ],
)
def test_the_order_of_two_shapes_changes_nothing_but_the_normal(shape, height, turn):
    """Which shape shows the face and which is clipped against it is a matter of names."""
    R = Rotation.from_euler(*turn).as_matrix()
    (n, points), (m, others) = both_ways(Box(size=(4, 4, 2)), shape, R, np.array([0.3, 0.1, 1 + height - 1e-4]))
    assert n == pytest.approx(-m, abs=1e-12)
    assert len(points) == len(others)
    assert points[:, 3] == pytest.approx(-1e-4, abs=1e-12)
    order, other = np.lexsort(points[:, :2].T.round(9)), np.lexsort(others[:, :2].T.round(9))
    assert points[order] == pytest.approx(others[other], abs=1e-12)
