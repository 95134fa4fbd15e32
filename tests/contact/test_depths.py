"""Depths of all shape pairs against brute force: no direction of a dense search is a shorter way out."""

import numpy as np
import pytest
from pairs import PAIRS, certificate, shape
from scipy.spatial.transform import Rotation

from softdock import Box, Capsule, Cylinder, Sphere
from softdock.contact import Pair

QUARTER = Rotation.from_euler("x", 90, degrees=True)
SPECIAL = (Rotation.identity(), QUARTER, Rotation.from_euler("y", 1e-7), Rotation.from_euler("x", 1e-4))


def sphere(count):
    """Unit vectors all over (a Fibonacci lattice)."""
    k = np.arange(count)
    z, turn = 1 - (2 * k + 1) / count, np.pi * (3 - np.sqrt(5)) * k
    return np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], axis=1)


DIRECTIONS = sphere(2000)


def supports(s, T, n):
    """max n·x over a shape for many n, from its definition."""
    m, at = n @ T[:3, :3], n @ T[:3, 3]
    if isinstance(s, Sphere):
        return at + s.radius
    if isinstance(s, Capsule):
        return at + s.radius + np.abs(m[:, 2]) * s.length / 2
    if isinstance(s, Cylinder):
        return at + s.radius * np.hypot(m[:, 0], m[:, 1]) + np.abs(m[:, 2]) * s.length / 2
    if isinstance(s, Box):
        return at + np.abs(m) @ np.array(s.size) / 2
    return at + (m @ np.array(s.vertices).T).max(axis=1)


def largest_separation(A, B, T_A, T_B, rng):
    """Over the sphere, then ever nearer to the best four of it."""

    def separations(n):
        return -supports(A, T_A, -n) - supports(B, T_B, n)

    first, starts = separations(DIRECTIONS), []
    for k in np.argsort(-first)[:200]:
        if len(starts) < 4 and all(DIRECTIONS[k] @ DIRECTIONS[j] < 0.97 for j in starts):
            starts.append(k)
    best = -np.inf
    for k in starts:
        n, found, width = DIRECTIONS[k], first[k], 0.06
        for _ in range(20):
            tries = n + width * rng.normal(size=(80, 3))
            tries /= np.linalg.norm(tries, axis=1)[:, None]
            values = separations(tries)
            if values.max() > found:
                n, found = tries[values.argmax()], values.max()
            width *= 0.5
        best = max(best, found)
    return best


def shapes_and_poses(a, b, rng, count):
    """A third at random, a third deep inside each other, a third aligned, some of them on one axis or concentric."""
    for k in range(count):
        T_A, T_B = np.eye(4), np.eye(4)
        R = Rotation.random(rng=rng)
        T_A[:3, :3] = R.as_matrix()
        aligned = k % 3 == 2
        T_B[:3, :3] = (R * SPECIAL[k // 3 % len(SPECIAL)] if aligned else Rotation.random(rng=rng)).as_matrix()
        T_B[:3, 3] = rng.normal(size=3) * (0.3, 0.05, 0.1)[k % 3]
        if aligned and k % 2:
            T_B[:3, 3] = T_A[:3, 2] * (0.0, 0.07)[k // 6 % 2]
        yield shape(a, rng), shape(b, rng), T_A, T_B


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_no_direction_is_a_shorter_way_out(a, b):
    rng, overlaps = np.random.default_rng(7), 0
    for A, B, T_A, T_B in shapes_and_poses(a, b, rng, 24):
        row = Pair(A, B).many(T_A, T_B)[0]
        if row[0] < 0:
            overlaps += 1
            assert largest_separation(A, B, T_A, T_B, rng) < row[0] + 1e-9
            assert certificate(A, B, T_A, T_B, row) < 1e-8
    assert overlaps >= 12


def test_a_ball_and_a_capsule_on_a_cylinder_s_axis_leave_it_across():
    """A long thin cylinder: along the axis the way is longer. At the very axis there is no radial direction."""
    rod = Cylinder(radius=0.1, length=2.0)
    for inner in (Sphere(radius=0.05), Capsule(radius=0.05, length=0.4), Cylinder(radius=0.05, length=0.4)):
        for height in (0.0, 0.3, 1e-14):
            T = np.eye(4)
            T[2, 3] = height
            for pair, depth in (
                (Pair(inner, rod).many(T, np.eye(4))[0], 0.15),
                (Pair(rod, inner).many(np.eye(4), T)[0], 0.15),
            ):
                assert pair[0] == pytest.approx(-depth, abs=1e-12)
                assert abs(pair[3]) < 1e-9  # the normal is across the axis
