"""Where the target is when nothing is known: many attitudes tried at once, the best refined and checked by rendering.

A target may look the same from several sides. Every pose that explains the scan about as well as the best is kept.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from softdock.sensing.alignment import CLOSE, Alignment
from softdock.sensing.registration import Registration, refined, unusable
from softdock.sensing.scan import Rates, Scan, difference
from softdock.sensing.surface import Surface
from softdock.spatial import least_turn, matrix_of_quaternion, matrix_of_vector
from softdock.world.pose import Pose

VIEWS, ROLLS = 100, 12
"""Directions from which the target is looked at, and turns of the camera about each."""
ROUNDS = ((60, 5, 200), (150, 5, 30))
"""Points, iterations, and how many of the seeds go on, in each round of the batch."""
APART = (np.radians(8.0), 0.05)
"""Poses that differ by less (rad, m) are one."""
DOUBT = 2.5
"""Standard deviations by which a pose must explain fewer points than the best to be dropped."""


class Hypothesis(NamedTuple):
    """A pose that explains the scan; `unexplained` counts what speaks against it: points off the model, and parts of
    the model that should have been seen and were not."""

    registration: Registration
    unexplained: int


def acquire(
    scan: Scan, surface: Surface, rates: Rates | None = None, spread: np.ndarray | None = None
) -> list[Hypothesis]:
    """Poses of the target that explain a scan, the best first; empty if none does.

    More than one is found where the scan cannot tell them apart. `rates` and `spread` are as in `register`.
    """
    if unusable(scan):
        return []
    scan = scan.part(_cluster(scan.points, surface.radius))
    if unusable(scan):
        return []
    rates = rates or Rates()
    found: list[Hypothesis] = []
    check = _Check(scan)
    for pose in _seeds(scan, surface):
        alignment = Alignment(scan, surface, pose, rates)
        if not alignment.look():
            continue
        alignment.approach(alignment.some(200), 0.05, 6)
        rough = Pose.of(alignment.R, alignment.p)
        if any(_same(rough, other.registration.pose) for other in found):
            continue
        some = alignment.some(2000)
        result = refined(alignment, some, some, scan.time, spread)
        if not result.quality.accepted or any(_same(result.pose, other.registration.pose) for other in found):
            continue
        found.append(Hypothesis(result, check.against(alignment)))
    found.sort(key=lambda hypothesis: hypothesis.unexplained)
    return [h for h in found if not _worse(h.unexplained, found[0].unexplained)]


def _cluster(points: np.ndarray, radius: float) -> np.ndarray:
    """The points about the place where they are densest, without strays elsewhere."""
    some = points[np.linspace(0, len(points) - 1, min(len(points), 400)).astype(int)]
    tree = cKDTree(some)
    densest = np.argmax(tree.query_ball_point(some, radius / 2, return_length=True))
    return np.linalg.norm(points - some[densest], axis=1) < 2 * radius


def _seeds(scan: Scan, surface: Surface) -> list[Pose]:
    """The most promising attitudes, by nearest points of the surface that each would show."""
    middle = scan.points.mean(axis=0)
    far = float(np.linalg.norm(middle))
    turn = matrix_of_quaternion(least_turn([0.0, 0.0, 1.0], middle))
    rolls = turn @ matrix_of_vector(np.outer(2 * np.pi * np.arange(ROLLS) / ROLLS, [0.0, 0.0, 1.0]))
    batch = _Batch(surface, far)
    R = np.concatenate([rolls @ looking for looking in batch.attitudes])
    p = middle - np.einsum("sij,sj->si", R, np.repeat(batch.middles, ROLLS, axis=0))
    view = np.repeat(np.arange(VIEWS), ROLLS)
    for points, iterations, best in ROUNDS:
        x = scan.thinned(points).points
        for _ in range(iterations):
            R, p, cost = batch.step(x, R, p, view)
        order = np.argsort(cost)[:best]
        R, p, view = R[order], p[order], view[order]
    return [Pose.of(*pose) for pose in zip(R, p, strict=True)]


class _Batch:
    """The target as seen from every side, and Gauss-Newton on many poses at once."""

    def __init__(self, surface: Surface, far: float) -> None:
        k = np.arange(VIEWS) + 0.5
        height, angle = 1 - 2 * k / VIEWS, np.pi * (1 + 5**0.5) * k  # Fibonacci's points on a sphere
        ring = np.sqrt(1 - height**2)
        outward = np.stack([ring * np.cos(angle), ring * np.sin(angle), height], axis=1)
        self.attitudes = matrix_of_quaternion(least_turn(-outward, [0.0, 0.0, 1.0]))
        seen = [surface.seen_from(surface.center + max(far, 1.2 * surface.radius) * u, 500) for u in outward]
        self.points = [points for points, _ in seen]
        self.normals = [surface.normals[triangles] for _, triangles in seen]
        self.trees = [cKDTree(points) for points in self.points]
        self.middles = np.array([points.mean(axis=0) for points in self.points])
        self.width = surface.radius / 8

    def step(
        self, x: np.ndarray, R: np.ndarray, p: np.ndarray, view: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One step of every pose, and the cost before it."""
        body = (x - p[:, None, :]) @ R
        normal, apart = np.empty_like(body), np.empty_like(body)
        for k in np.unique(view):
            which = np.flatnonzero(view == k)
            _, nearest = self.trees[k].query(body[which].reshape(-1, 3))
            normal[which] = self.normals[k][nearest].reshape(len(which), -1, 3)
            apart[which] = body[which] - self.points[k][nearest].reshape(len(which), -1, 3)
        square = np.einsum("snj,snj->sn", apart, apart) / self.width**2
        w = 1 / (1 + square) ** 2
        H, g = np.zeros((len(p), 6, 6)), np.zeros((len(p), 6))
        for direction, share in ((normal, 1.0), *((np.broadcast_to(axis, body.shape), 0.1) for axis in np.eye(3))):
            J = np.concatenate([np.cross(direction, body), -direction @ R.transpose(0, 2, 1)], axis=2)
            wJ = share * w[..., None] * J
            H += wJ.transpose(0, 2, 1) @ J
            g += np.einsum("snk,sn->sk", wJ, np.einsum("snj,snj->sn", direction, apart))
        step = -np.linalg.solve(H + 1e-6 * np.eye(6), g[..., None])[..., 0]
        step *= np.minimum(1.0, 0.5 / np.abs(step).max(axis=1, keepdims=True).clip(1e-9))
        cost = np.mean(square / (1 + square), axis=1)
        return R @ matrix_of_vector(step[:, :3]), p + step[:, 3:], cost


class _Check:
    """Rendering a pose, and counting what the scan and the picture do not have in common."""

    def __init__(self, scan: Scan) -> None:
        self._tree = cKDTree(scan.points)
        spacing = self._tree.query(scan.points[:: max(1, len(scan) // 500)], k=2)[0][:, 1]
        self._gap = 4 * float(np.median(spacing)) + 5 * scan.sigma
        self._count = len(scan)

    def against(self, alignment: Alignment) -> int:
        """Points that the pose does not explain, and as many more as the unseen share of the model stands for."""
        every = alignment.some(6000)
        off = alignment.fit(every, CLOSE).off.size
        points, _ = alignment.surface.seen_from(-(alignment.p @ alignment.R), 3000)
        distance, _ = self._tree.query(points @ alignment.R.T + alignment.p)
        return off + round(len(every) * float(np.mean(distance > self._gap)))


def _same(a: Pose, b: Pose) -> bool:
    angle, distance = difference(a, b)
    return angle < APART[0] and distance < APART[1]


def _worse(count: int, best: int) -> bool:
    """Whether the counts differ by more than chance would have it."""
    return (count - best) / np.sqrt(count + best + 1) > DOUBT
