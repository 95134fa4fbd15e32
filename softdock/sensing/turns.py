"""Other turns of a round body that explain a scan as well: facets that look alike, one after the other.

A prism of 16 sides looks the same every 22.5°, and between those turns it does not: displacements that grow until
something speaks against them (`Alignment.information`) end at the first edge, and never come to the next facet.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from softdock.sensing.alignment import AS_GOOD, CLOSE, PROBED, Alignment
from softdock.sensing.surface import Surface
from softdock.spatial import matrix_of_vector
from softdock.world.pose import Pose

FARTHEST = np.radians(61.0)
"""Largest turn that is tried."""
BOTH = np.radians(40.0)
"""Largest one that counts however the pose was guessed: two poses within 20° of one guess are not farther apart."""
LEAST = np.radians(1.0)
"""Smallest one: closer facets are as good as a curved surface."""
SLIPPING = 0.01
"""Eigenvalues, relative to the largest, of displacements that leave a round part where it is."""
SMALLEST = 0.05
"""Share of the target's area below which a round part is left out."""
ASIDE = 0.3
"""Least part of a facet's normal that must be across an axis for its place around it."""
ANGLES, TRIED = 16, 8
"""Angles between facets that are looked at, the most frequent ones; and turns that are refined, the best ones."""
COMPARED = 2000
"""Points, or up to twice as many, by which turns are compared."""


class Axis(NamedTuple):
    """A line in B about which a round part turns in place, and the angles between its facets."""

    along: np.ndarray
    """Unit vector."""
    point: np.ndarray
    """(m)."""
    angles: np.ndarray
    """(rad)."""

    def turned(self, R: np.ndarray, p: np.ndarray, angle: float) -> tuple[np.ndarray, np.ndarray]:
        """A pose, after a turn of the target about this line."""
        turn = matrix_of_vector(angle * self.along)
        return R @ turn, p + R @ (self.point - turn @ self.point)


def other_turns(alignment: Alignment, part: np.ndarray, guess: Pose | None = None) -> np.ndarray:
    """What turns that explain as much of a scan add to the covariance (6, 6) of (δ, ε): for each axis, the square of
    the largest one. Of those beyond `BOTH`, only turns towards the guess count."""
    covariance, R = np.zeros((6, 6)), alignment.R
    for axis in axes_of(alignment.surface):
        if angle := _largest(alignment, axis, part, guess):
            way = np.concatenate([axis.along, R @ np.cross(axis.point, axis.along)])
            covariance += angle**2 * np.outer(way, way)
    return covariance


def _largest(alignment: Alignment, axis: Axis, part: np.ndarray, guess: Pose | None) -> float:
    """The largest turn about an axis, by one of its angles, either way, that explains a scan as well.

    Each is compared as it is, and at the best pose near it with the facets' own slopes: normals that turn from facet
    to facet, which the covariance believes, would leave it anywhere on its facet.
    """
    start = alignment.R, alignment.p
    some, few = (part[:: max(1, len(part) // count)] for count in (COMPARED, PROBED))
    steps = np.array([0.0, *axis.angles, *-axis.angles])
    steps = steps[(np.abs(steps) < BOTH + LEAST / 2) | _nearer(axis, start[0], steps, guess)]
    if len(steps) == 1:
        return 0.0
    cost = alignment.surprise(*_stacked([axis.turned(*start, step) for step in steps]), few)
    likely = 1 + np.argsort(cost[1:])[:TRIED]
    tried = [0, *likely[cost[likely] < cost[0] + max(cost[0], len(few))]]
    if len(tried) == 1:
        return 0.0
    turned = [axis.turned(*start, steps[k]) for k in tried]
    best = []
    for alignment.R, alignment.p in turned:
        alignment.refine(few, (CLOSE,), tolerance=1e-4, flat=True)
        best.append((alignment.R, alignment.p))
    alignment.R, alignment.p = start
    cost = np.array([alignment.surprise(*_stacked(poses), some) for poses in (turned, best)])
    allowed = cost[:, :1] + AS_GOOD * np.maximum(1.0, cost[:, :1] / len(some))
    return float(np.max(np.abs(steps[tried])[(cost < allowed).any(axis=0)]))


def _stacked(poses: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    R, p = zip(*poses, strict=True)
    return np.stack(R), np.stack(p)


def _nearer(axis: Axis, R: np.ndarray, steps: np.ndarray, guess: Pose | None) -> np.ndarray:
    """Which turns of an attitude bring it nearer to the guess; none without one."""
    if guess is None:
        return np.zeros(len(steps), dtype=bool)
    cosine = [np.einsum("ij,ij", guess.rotation, R @ matrix_of_vector(step * axis.along)) for step in steps]
    return np.asarray(cosine > np.einsum("ij,ij", guess.rotation, R))


@lru_cache(maxsize=32)
def axes_of(surface: Surface) -> tuple[Axis, ...]:
    """Those of all round parts of a surface, none twice; found once for a surface."""
    found: list[Axis] = []
    for axis in (axis for facets in _round_parts(surface) for axis in _slipping(surface, *facets)):
        if len(axis.angles) and not any(_is_same(axis, other, surface.radius) for other in found):
            found.append(axis)
    return tuple(found)


def _is_same(a: Axis, b: Axis, radius: float) -> bool:
    apart = np.linalg.norm(np.cross(a.along, b.point - a.point))
    return bool(abs(a.along @ b.along) > 1 - 1e-6 and apart < 1e-3 * radius and len(a.angles) == len(b.angles))


def _round_parts(surface: Surface) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Parts whose facets meet at less than `FARTHEST`: their corners, mean normals there, and the facets' normals."""
    count, normals = len(surface.triangles), surface.normals
    places = np.round(surface.triangles.reshape(-1, 3) / (1e-7 * surface.radius)).astype(np.int64)
    points, corners = np.unique(places, axis=0, return_inverse=True)
    corners = corners.reshape(-1, 3)
    edges = np.sort(np.stack([corners, np.roll(corners, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    order = np.lexsort(edges.T)
    twins = np.flatnonzero((edges[order[1:]] == edges[order[:-1]]).all(axis=1))
    a, b = order[twins] // 3, order[twins + 1] // 3
    cosine = np.einsum("ij,ij->i", normals[a], normals[b])
    met = cosine > np.cos(FARTHEST + LEAST)
    graph = coo_array((np.ones(met.sum()), (a[met], b[met])), shape=(count, count))
    _, part_of = connected_components(graph, directed=False)
    _, first, second = np.moveaxis(surface.triangles - surface.triangles[:, :1], 1, 0)
    area = np.linalg.norm(np.cross(first, second), axis=1)
    for label in np.flatnonzero(np.bincount(part_of, area) > SMALLEST * area.sum()):
        own = np.flatnonzero(part_of == label)
        planes = np.column_stack([normals[own], surface.offsets[own] / surface.radius]).round(5)
        _, chosen, facet = np.unique(planes, axis=0, return_index=True, return_inverse=True)
        if len(chosen) > 2:  # each facet once at a corner, into however many triangles it is cut
            at, of = np.unique(np.column_stack([corners[own].reshape(-1), np.repeat(facet.reshape(-1), 3)]), axis=0).T
            flat = normals[own[chosen]]
            used, at = np.unique(at, return_inverse=True)
            mean = np.stack([np.bincount(at.reshape(-1), flat[of, k]) for k in range(3)], axis=1)
            size = np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
            yield points[used] * (1e-7 * surface.radius), mean / size, flat


def _slipping(surface: Surface, x: np.ndarray, n: np.ndarray, flat: np.ndarray) -> Iterator[Axis]:
    """Axes about which a part turns in place: lines that all normals at corners meet. They are the turns among the
    eigenvectors of Σ JᵀJ, J = (x × n, n), with small eigenvalues."""
    J = np.concatenate([np.cross((x - surface.center) / surface.radius, n), n], axis=1)
    values, vectors = np.linalg.eigh(J.T @ J)
    free = vectors[:, values < SLIPPING * values[-1]]
    if not free.shape[1]:
        return
    _, shares, mixed = np.linalg.svd(free[:3])  # turns, before what are only displacements
    for turn in (free @ mixed[: len(shares)].T).T[shares > ASIDE]:
        size = np.linalg.norm(turn[:3])
        along, moved = turn[:3] / size, surface.radius * turn[3:] / size
        yield Axis(along, surface.center + np.cross(along, moved), _between(flat, along))


def _between(normals: np.ndarray, along: np.ndarray) -> np.ndarray:
    """The most frequent angles between facets around an axis."""
    across = normals - np.outer(normals @ along, along)
    across = across[np.linalg.norm(across, axis=1) > ASIDE]
    if len(across) < 2:
        return np.empty(0)
    first = across[0] / np.linalg.norm(across[0])
    places = np.unique(np.arctan2(across @ np.cross(along, first), across @ first).round(4))
    apart = np.abs(places[:, None] - places)
    apart = apart[(apart > LEAST) & (apart < FARTHEST + LEAST / 2)]
    bins = np.round(apart / LEAST).astype(int)
    count = np.bincount(bins)
    chosen = [k for k in np.argsort(-count, kind="stable")[:ANGLES] if count[k]]
    return np.array([apart[bins == k].mean() for k in chosen])
