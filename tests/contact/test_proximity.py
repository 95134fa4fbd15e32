"""Signed gaps of shape pairs against coal, another engine; and their normals by differences."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from softdock import Box, Capsule, ConvexMesh, Cylinder, Sphere
from softdock.contact.proximity import gap
from softdock.contact.shapes import POINT, encode

coal = pytest.importorskip("coal")

KINDS = ("sphere", "capsule", "box", "mesh")


def shape(kind, rng):
    if kind == "sphere":
        return Sphere(radius=rng.uniform(0.2, 0.6))
    if kind == "capsule":
        return Capsule(radius=rng.uniform(0.1, 0.4), length=rng.uniform(0.3, 1.0))
    if kind == "box":
        return Box(size=rng.uniform(0.3, 1.0, 3))
    hull = ConvexHull(rng.normal(size=(12, 3)) * 0.5)
    where = {v: i for i, v in enumerate(hull.vertices)}
    triangles = [[where[v] for v in simplex] for simplex in hull.simplices]
    return ConvexMesh(vertices=hull.points[hull.vertices].tolist(), triangles=triangles)


def at_coal(s):
    if isinstance(s, Sphere):
        return coal.Sphere(s.radius)
    if isinstance(s, Capsule):
        return coal.Capsule(s.radius, s.length)
    return coal.Box(*s.size)


def place(shapes, k, R, p):
    first = shapes.table[:, POINT]
    return np.ascontiguousarray(shapes.points[first[k] : first[k + 1]] @ R.T + p)


def pairs(a, b, count, seed):
    rng = np.random.default_rng(seed)
    for i in range(count):
        A, B = shape(a, rng), shape(b, rng)
        R_A, R_B = (Rotation.random(random_state=2 * i + k).as_matrix() for k in (0, 1))
        away = rng.normal(size=3)
        p = away / np.linalg.norm(away) * rng.uniform(0.6, 1.8)
        yield A, B, R_A, R_B, p


def measure(A, B, R_A, R_B, p, shift=0.0):
    shapes = encode([(0, np.eye(3), np.zeros(3), A), (1, np.eye(3), np.zeros(3), B)])
    hit = np.zeros(9)
    value = gap(shapes, 0, 1, place(shapes, 0, R_A, np.zeros(3) + shift), place(shapes, 1, R_B, p), R_A, R_B, hit)
    return value, hit


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in KINDS for b in KINDS])
def test_moving_along_the_normal_opens_the_gap_at_unit_rate(a, b):
    for pair in pairs(a, b, 40, seed=1):
        value, hit = measure(*pair)
        further, _ = measure(*pair, shift=1e-6 * hit[:3])
        assert (further - value) / 1e-6 == pytest.approx(1, abs=1e-6)
        assert hit[:3] @ (hit[3:6] - hit[6:]) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in KINDS[:3] for b in KINDS[:3] if (a, b) != ("box", "box")])
def test_distance_of_separate_shapes_is_coals(a, b):
    for A, B, R_A, R_B, p in pairs(a, b, 100, seed=2):
        there = coal.distance(
            at_coal(A), coal.Transform3s(R_A, np.zeros(3)), at_coal(B), coal.Transform3s(R_B, p),
            coal.DistanceRequest(), coal.DistanceResult(),
        )  # fmt: skip
        value, _ = measure(A, B, R_A, R_B, p)
        if there > 0:
            assert value == pytest.approx(there, abs=1e-9)
        else:
            assert value <= 1e-9


def test_boxes_touch_when_coal_says_so_and_depth_is_coals():
    apart = inside = 0
    for A, B, R_A, R_B, p in pairs("box", "box", 300, seed=3):
        there = coal.distance(
            at_coal(A), coal.Transform3s(R_A, np.zeros(3)), at_coal(B), coal.Transform3s(R_B, p),
            coal.DistanceRequest(), coal.DistanceResult(),
        )  # fmt: skip
        value, _ = measure(A, B, R_A, R_B, p)
        if there > 1e-9:  # a lower bound, exact unless two corners or a corner and an edge are nearest
            assert 0 < value <= there + 1e-9
            apart += 1
        elif there < -1e-9:
            assert value == pytest.approx(there, abs=1e-9)
            inside += 1
    assert apart > 50
    assert inside > 10


def test_a_cylinder_is_refused_with_what_to_use_instead():
    with pytest.raises(ValueError, match="cylinder cannot take part in a gap yet; use a capsule, box or mesh"):
        encode([(0, np.eye(3), np.zeros(3), Cylinder(radius=1, length=1))])
