"""Turns that take a target's surface, or most of it, into itself: what looks alike from several sides.

They only say where else to look for a pose: a bracket breaks the symmetry of a round body only where it is seen.
"""

import numpy as np
from scipy.spatial import cKDTree

from softdock.sensing.surface import Surface
from softdock.spatial import matrix_of_vector
from softdock.world.pose import Pose

ANGLES = np.unique(np.concatenate([2 * np.pi * np.arange(1, n) / n for n in (2, 3, 5, 8, 24)]).round(12))
"""Turns about an axis that are tried (rad)."""
SAMPLES, NEAR, MOST = 600, 0.05, 0.75
"""A turn is taken if this share of sampled points comes to lie within this part of the radius of the surface."""
LARGEST = 60
"""Turns that are kept, the best first."""


def symmetries(surface: Surface) -> list[Pose]:
    """Turned frames B' in B, so that the surface in B' looks about as in B; without B itself."""
    points, normals = _sampled(surface, SAMPLES, 0)
    tree = cKDTree(_sampled(surface, 20 * SAMPLES, 1)[0])
    found: list[tuple[float, np.ndarray, np.ndarray]] = []
    axes = _axes(surface, normals)
    for center in (_centroid(surface), surface.center):
        for R in (matrix_of_vector(angle * axis) for axis in axes for angle in ANGLES):
            if any(np.linalg.norm(R - other) < 0.05 for _, other, _ in found):
                continue
            distance, _ = tree.query((points - center) @ R.T + center)
            share = float(np.mean(distance < NEAR * surface.radius))
            if share > MOST:
                found.append((share, R, center - R @ center))
    found.sort(key=lambda one: -one[0])
    return [Pose.of(R, p) for _, R, p in found[:LARGEST]]


def _sampled(surface: Surface, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points spread evenly over the surface, and its normals there."""
    rng = np.random.default_rng(seed)
    a, b, c = np.moveaxis(surface.triangles, 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    which = rng.choice(len(area), count, p=area / area.sum())
    u, v = rng.random((2, count, 1))
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    return a[which] + u * (b - a)[which] + v * (c - a)[which], surface.normals[which]


def _centroid(surface: Surface) -> np.ndarray:
    """Of its area."""
    a, b, c = np.moveaxis(surface.triangles, 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return np.asarray(area @ surface.triangles.mean(axis=1) / area.sum())


def _axes(surface: Surface, normals: np.ndarray) -> np.ndarray:
    """Axes about which a body may look alike: its frame's, its principal ones, those that most of its area faces, and
    what is between the frame's."""
    points = _sampled(surface, SAMPLES, 2)[0]
    _, principal = np.linalg.eigh(np.cov(points.T))
    _, facing = np.linalg.eigh(normals.T @ normals)
    frame = np.eye(3)
    between = [frame[k] + s * frame[k - 1] for k in range(3) for s in (-1, 1)]
    corners = [np.array([1.0, a, b]) for a in (-1, 1) for b in (-1, 1)]
    chosen: list[np.ndarray] = []
    for axis in (*frame, *principal.T, *facing.T, *between, *corners):
        unit = axis / np.linalg.norm(axis)
        if all(abs(unit @ other) < 0.9995 for other in chosen):
            chosen.append(unit)
    return np.array(chosen)
