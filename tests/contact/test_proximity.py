"""Proximity of all shape pairs: a certificate for every answer, coal's figures, normals by differences, bad input."""

import numpy as np
import pytest
from pairs import KINDS, PAIRS, certificate, coals, samples, separation, shape
from scipy.spatial.transform import Rotation

from softdock import Box, ConvexMesh, Cylinder, Pose, Sphere
from softdock.contact import Pair, proximities, proximity_of
from softdock.contact.shapes import encode


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_every_answer_carries_its_proof(a, b):
    for A, B, T_A, T_B, rows in samples(a, b, shapes=3, placements=30, seed=1):
        for k in range(len(rows)):
            assert certificate(A, B, T_A[k], T_B[k], rows[k]) < 1e-10


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_moved_along_the_normal_shapes_touch_where_they_should(a, b):
    """Once they overlap, another way out may be shorter than the one they came."""
    rng = np.random.default_rng(2)
    A, B = shape(a, rng), shape(b, rng)
    T_A, T_B = np.eye(4)[None], np.eye(4)[None].copy()
    T_B[0, :3, 3] = 1.5, 1.4, 1.3
    first = Pair(A, B).many(T_A, T_B)[0]
    for to in (0.3, 1e-3, 1e-9, 0.0, -1e-9, -1e-3):
        moved = T_B.copy()
        moved[0, :3, 3] += (first[0] - to) * first[1:4]
        row = Pair(A, B).many(T_A, moved)[0]
        if to >= 0:
            assert row[0] == pytest.approx(to, abs=1e-12)
        else:
            assert to - 1e-12 <= row[0] < 0
        if to >= 1e-3:
            assert row[1:4] == pytest.approx(first[1:4], abs=1e-9)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_distance_and_depth_are_coals(a, b):
    """For cylinders coal's figures are good to some 1e-6 m; there its normal, whose separation is a rigorous bound,
    must not beat ours."""
    pytest.importorskip("coal")
    for A, B, T_A, T_B, rows in samples(a, b, shapes=2, placements=60, seed=3):
        theirs = coals(A, B, T_A, T_B)
        for k in range(len(rows)):
            assert separation(A, B, T_A[k], T_B[k], theirs[k, 1:]) < rows[k, 0] + 1e-9
        if "cylinder" not in (a, b):
            assert theirs[:, 0] == pytest.approx(rows[:, 0], abs=1e-9)


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in KINDS for b in KINDS])
def test_moving_along_the_normal_opens_the_gap_at_unit_rate(a, b):
    for A, B, T_A, T_B, rows in samples(a, b, shapes=2, placements=12, seed=4):
        moved = T_A.copy()
        moved[:, :3, 3] += 1e-6 * rows[:, 1:4]
        inside = rows[:, 0] > -1e-8  # touching corners: any normal between them is right, and unit rate only outwards
        opened = Pair(A, B).many(moved, T_B)[:, 0] - rows[:, 0]
        assert opened[inside] == pytest.approx(1e-6, abs=1e-8)
        assert opened[~inside] == pytest.approx(1e-6, abs=1e-8)


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_nearly_parallel_faces_and_caps(kind, tilt):
    """Stacked with a slight tilt: the upper one's lowest corner (rim) stands over the lower one's face."""
    upper = Box(size=(0.4, 0.4, 0.4)) if kind == "box" else Cylinder(radius=0.2, length=0.4)
    lower = Box(size=(1, 1, 1)) if kind == "box" else Cylinder(radius=0.5, length=1.0)
    for gap in (0.1, 0.0, -0.01):
        row = proximity_of(upper, Pose(position=(0.05, 0.02, 0.7 + gap), rpy=(tilt, 0, 0)), lower, Pose())
        lowest = 0.7 + gap - 0.2 * np.cos(tilt) - 0.2 * np.sin(tilt) - 0.5
        assert row.distance == pytest.approx(lowest, abs=1e-12)
        assert row.normal == pytest.approx([0, 0, 1], abs=1e-9)


def test_many_poses_are_one_by_one_the_same():
    A, B, T_A, T_B, rows = next(samples("box", "cylinder", shapes=1, placements=9, seed=6))
    answer = proximities(A, T_A, B, T_B)
    assert np.array_equal(answer.distance, rows[:, 0])
    for k in range(9):
        assert np.array_equal(Pair(A, B)(T_A[k], T_B[k]), rows[k])


def test_degenerate_shapes_and_poses_are_refused_in_words():
    still = (np.eye(3), np.zeros(3))
    flat = ConvexMesh(
        vertices=((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)), triangles=((0, 1, 2), (0, 2, 3), (0, 2, 1), (0, 3, 2))
    )
    with pytest.raises(ValueError, match="mesh of 4 vertices is flat"):
        encode([(0, *still, flat)])
    with pytest.raises(ValueError, match="cylinder needs a positive length, not 0"):
        encode([(0, *still, Cylinder.model_construct(kind="cylinder", radius=1.0, length=0.0, placement=Pose()))])
    with pytest.raises(ValueError, match="not finite"):
        encode([(0, np.eye(3), np.full(3, np.nan), Sphere(radius=1))])
    with pytest.raises(ValueError, match="not finite"):
        Pair(Sphere(radius=1), Sphere(radius=1)).many(np.full((1, 4, 4), np.nan), np.eye(4))
    with pytest.raises(ValueError, match=r"poses are \(4, 4\)"):
        Pair(Sphere(radius=1), Sphere(radius=1)).many(np.eye(3), np.eye(4))


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_ten_kilometres_away_answers_are_those_at_the_origin(a, b):
    """To the rounding of places, 2e-12 m; also where shapes touch, and what separates them is that rounding."""
    rng, far = np.random.default_rng(8), np.array([1e4, -1e4, 1e4])
    for _ in range(20):
        A, B = shape(a, rng), shape(b, rng)
        T_A, T_B = np.eye(4)[None], np.eye(4)[None].copy()
        T_B[0, :3, :3] = Rotation.random(rng=rng).as_matrix() if rng.random() < 0.5 else np.eye(3)
        T_B[0, :3, 3] = 3 * rng.normal(size=3)
        for touch in (0.0, 1e-12, -1e-12, 1e-10, 1e-3):
            first = Pair(A, B).many(T_A, T_B)[0]
            T_B[0, :3, 3] += (first[0] - touch) * first[1:4]
            T_B[0, :3, 3] = (T_B[0, :3, 3] + far) - far
            away_a, away_b = T_A.copy(), T_B.copy()
            away_a[0, :3, 3] += far
            away_b[0, :3, 3] += far
            here, there = Pair(A, B).many(T_A, T_B)[0], Pair(A, B).many(away_a, away_b)[0]
            assert there[0] == pytest.approx(here[0], abs=2e-11)
            assert np.linalg.norm(there[1:4]) == pytest.approx(1.0, abs=1e-10)
            if touch > 1e-4:
                assert there[1:4] == pytest.approx(here[1:4], abs=1e-7)
