"""The compiled loops of registration, against answers of others."""

import numpy as np
import pytest
import trimesh

from softdock.sensing import Rates, Scan, Surface, loops, register, satellite
from softdock.sensing.scan import ScanError, deskew, rays_in_target
from softdock.sensing.surface import surface_of_shapes
from softdock.spatial import matrix_of_vector
from softdock.world import Box, Capsule, Pose

POSE = Pose.of(matrix_of_vector([0.3, -0.4, 0.5]), np.array([0.1, -0.2, 3.0]))


@pytest.mark.parametrize("mesh", [trimesh.creation.box((0.5, 0.6, 0.7)), trimesh.creation.icosphere(2, 0.4)])
def test_closest_points_are_trimeshs(mesh: trimesh.Trimesh) -> None:
    surface, rng = Surface(mesh), np.random.default_rng(7)
    points = rng.normal(0, 0.5, (200, 3))
    points[:40] = mesh.vertices[rng.integers(len(mesh.vertices), size=40)]  # where many triangles are as near
    every = np.broadcast_to(np.arange(len(surface.triangles)), (200, len(surface.triangles)))
    distance, gradient = surface.closest(points, np.ascontiguousarray(every))
    for x, found in zip(points, distance, strict=True):
        nearest = trimesh.triangles.closest_point(mesh.triangles, np.broadcast_to(x, (len(mesh.triangles), 3)))
        assert abs(found) == pytest.approx(np.linalg.norm(nearest - x, axis=1).min(), abs=1e-12)
    np.testing.assert_allclose(np.linalg.norm(gradient, axis=1), 1.0, atol=1e-12)


def test_rays_move_with_the_target() -> None:
    """One by one, by the matrices of the rotations."""
    rng = np.random.default_rng(3)
    directions, times = rng.normal(size=(20, 3)), rng.uniform(-0.5, 0.5, 20)
    for rates in (Rates((0.4, -0.2, 0.7), (0.1, 0.2, -0.3)), Rates((0, 0, 0), (0.1, 0, 0)), Rates()):
        o, d = rays_in_target(POSE.rotation, np.array(POSE.position), rates, times, directions)
        for k, t in enumerate(times):
            R = POSE.rotation @ matrix_of_vector(np.array(rates.angular) * t)
            p = np.array(POSE.position) + np.array(rates.linear) * t
            np.testing.assert_allclose(o[k], -R.T @ p, atol=1e-14)
            np.testing.assert_allclose(d[k], R.T @ directions[k], atol=1e-14)
    still = deskew(Scan(points=directions, times=times), POSE, Rates((0.4, -0.2, 0.7), (0.1, 0.2, -0.3)))
    o, d = rays_in_target(
        POSE.rotation, np.array(POSE.position), Rates((0.4, -0.2, 0.7), (0.1, 0.2, -0.3)), times, directions
    )
    np.testing.assert_allclose((still.points - POSE.position) @ POSE.rotation, o + d, atol=1e-14)


@pytest.mark.parametrize("count", [1, 2, 3, 800])
def test_neighbours_are_the_nearest(count: int) -> None:
    """On a surface, on a line, all in one place; asked from among them, from far away and from nowhere."""
    rng = np.random.default_rng(count)
    ball = rng.normal(size=(count, 3))
    for points in (ball / np.linalg.norm(ball, axis=1, keepdims=True), ball * [0, 1, 0], np.ones((count, 3))):
        asked = np.concatenate([rng.normal(0, 1, (200, 3)), rng.normal(0, 100, (50, 3)), points[:20]])
        binned = loops.binned_of(np.ascontiguousarray(points))
        found = loops.neighbours(binned, asked)
        square = np.linalg.norm(points[found] - asked[:, None], axis=2)
        every = np.sort(np.linalg.norm(points - asked[:, None], axis=2), axis=1)
        wanted = np.pad(every[:, : loops.NEIGHBOURS], ((0, 0), (0, max(0, loops.NEIGHBOURS - count))), mode="minimum")
        np.testing.assert_allclose(square, wanted, rtol=1e-14)
        nowhere = loops.neighbours(binned, np.full((1, 3), np.nan))
        assert np.all((nowhere >= 0) & (nowhere < count))


@pytest.mark.parametrize("count", [0, 1, 3, 29])
def test_a_scan_of_few_points_is_refused_by_name(count: int) -> None:
    found = register(Scan(points=np.full((count, 3), 2.0)), satellite(), POSE)
    assert not found.quality.accepted and "point" in found.quality.reason


def test_numbers_that_make_no_sense_are_refused_by_name() -> None:
    surface = satellite()
    points = surface.seen_from(np.array([3.0, 0.5, 0.4]), 900)[0] @ POSE.rotation.T + POSE.position
    far = register(Scan(points=points * 1e200), surface, POSE)
    assert not far.quality.accepted and "farther" in far.quality.reason
    for rates in (Rates((np.nan, 0.0, 0.0)), Rates(linear=(0.0, np.inf, 0.0))):
        with pytest.raises(ScanError, match="finite"):
            register(Scan(points=points), surface, POSE, rates)


def test_arrays_of_any_layout_give_the_same() -> None:
    """Read-only, strided and transposed ones."""
    surface = satellite()
    points, _ = surface.seen_from(np.array([3.0, 0.5, 0.4]), 900)
    scan = points @ POSE.rotation.T + POSE.position
    plain = register(Scan(points=scan), surface, POSE)
    odd = np.asfortranarray(np.repeat(scan, 2, axis=0))[::2]
    odd.flags.writeable = False
    other = register(Scan(points=odd, times=np.broadcast_to(0.0, len(odd))), surface, POSE)
    np.testing.assert_array_equal(plain.covariance, other.covariance)
    assert plain.pose == other.pose


def test_equal_shapes_share_a_surface() -> None:
    one, other = (
        (Box(size=(1, 2, 3)), Capsule(radius=0.1, length=0.4)),
        (Box(size=(1, 2, 3)), Capsule(radius=0.1, length=0.4)),
    )
    assert surface_of_shapes(one) is surface_of_shapes(other)
    assert surface_of_shapes(one) is not surface_of_shapes((Box(size=(1, 2, 3.5)), one[1]))


def test_a_step_of_the_batch_is_that_of_least_squares():
    """By brute force: nearest points among all, normal equations from rows written out."""
    rng = np.random.default_rng(12)
    seen = [rng.normal(size=(count, 3)) for count in (5, 32, 70)]
    normals = [part / np.linalg.norm(part, axis=1)[:, None] for part in map(np.roll, seen, (1, 1, 1))]
    R, p = matrix_of_vector(rng.normal(size=(6, 3))), rng.normal(size=(6, 3))
    view, x, width, softly = np.array([0, 1, 2, 2, 1, 0]), rng.normal(size=(20, 3)), 0.8, 0.1
    step, cost = loops.descend(loops.views_of(seen, normals), view, x, R, p, width, softly)
    for s, k in enumerate(view):
        body = (x - p[s]) @ R[s]
        nearest = np.argmin(np.linalg.norm(body[:, None] - seen[k][None], axis=2), axis=1)
        apart = body - seen[k][nearest]
        square = (apart**2).sum(axis=1) / width**2
        rows, off = [], []
        for i, b in enumerate(body):
            for direction, share in ((normals[k][nearest[i]], 1.0), *((e, softly) for e in np.eye(3))):
                weight = np.sqrt(share) / (1 + square[i])
                rows.append(weight * np.concatenate([np.cross(direction, b), -R[s] @ direction]))
                off.append(weight * (direction @ apart[i]))
        rows, off = np.array(rows), np.array(off)
        expected = -np.linalg.solve(rows.T @ rows + 1e-6 * np.eye(6), rows.T @ off)
        assert step[s] == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert cost[s] == pytest.approx(np.mean(square / (1 + square)), rel=1e-12)
