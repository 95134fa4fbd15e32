"""Where the target is when nothing is known: many attitudes tried at once, the best refined and checked by rendering.

A target may look the same from several sides. Every pose that explains the scan about as well as the best is kept; what
was found is turned by the symmetries of the model, so that none is missed.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from scipy.spatial import cKDTree

from softdock.sensing import loops
from softdock.sensing.alignment import CLOSE, Alignment
from softdock.sensing.registration import VAGUE, Registration, refined, unusable
from softdock.sensing.scan import Rates, Scan, difference
from softdock.sensing.surface import Surface
from softdock.sensing.symmetries import symmetries
from softdock.spatial import least_turn, matrix_of_quaternion, matrix_of_vector
from softdock.world.pose import Pose

VIEWS, ROLLS = 100, 12
"""Directions from which the target is looked at, and turns of the camera about each."""
ROUNDS = ((60, 5, 200), (150, 5, 30))
"""Points, iterations, and how many of the seeds go on, in each round of the batch."""
APART = (np.radians(8.0), 0.05)
"""Poses that differ by less (rad, m) are one."""
BASES = 2
"""How many of the poses that were found are turned by the model's symmetries to find others."""
UNEXPLAINED = 0.4
"""Largest part of the points that may speak against a pose."""
ALMOST = 0.8
"""Share of the points that lie on the model, from which a pose that is not accepted by itself is an alternative to one
that is: of two that explain a scan alike, both or none may be just within what is accepted."""
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
    """Poses of the target that explain a scan, the best first; empty if none does well enough to be accepted.

    More than one is found where the scan cannot tell them apart. `rates` and `spread` are as in `register`.
    """
    if unusable(scan):
        return []
    scan = scan.part(_cluster(scan.points, surface.radius))
    if unusable(scan):
        return []
    search = _Search(scan, surface, rates or Rates(), spread)
    for pose in _seeds(scan, surface):
        search.from_pose(pose)
    turns = _turns(surface)
    for hypothesis in search.best(BASES):  # each of them may be any that looks alike
        for turn in turns:
            search.from_pose(hypothesis.registration.pose @ turn)
    least = min([h.unexplained for h in search.found] + search.vague, default=0)
    explaining = [
        h
        for h in search.best(len(search.found))
        if h.unexplained <= UNEXPLAINED * search.check.points and not _worse(h.unexplained, least)
    ]
    return explaining if any(h.registration.quality.accepted for h in explaining) else []


class _Search:
    """Poses of a scan, each refined from somewhere, and none of them twice."""

    def __init__(self, scan: Scan, surface: Surface, rates: Rates, spread: np.ndarray | None) -> None:
        self.scan, self.surface, self.rates, self.spread = scan, surface, rates, spread
        self.found: list[Hypothesis] = []
        self.vague: list[int] = []
        """What speaks against poses that explain the scan, but that it leaves free: those found must not be worse."""
        self.check = _Check(scan)

    def from_pose(self, pose: Pose) -> None:
        alignment = Alignment(self.scan, self.surface, pose, self.rates)
        if self._is_known(pose, 0.5) or not alignment.look():
            return
        alignment.approach(alignment.some(200), 0.05, 6)
        if self._is_known(Pose.of(alignment.R, alignment.p)):
            return
        some = alignment.some(2000)
        result = refined(alignment, some, some, self.scan.time, self.spread)
        if result.quality.reason.startswith(VAGUE):
            self.vague.append(self.check.against(alignment))
        elif result.quality.overlap > ALMOST and not self._is_known(result.pose):
            self.found.append(Hypothesis(result, self.check.against(alignment)))

    def best(self, count: int) -> list[Hypothesis]:
        return sorted(self.found, key=lambda hypothesis: hypothesis.unexplained)[:count]

    def _is_known(self, pose: Pose, near: float = 1.0) -> bool:
        for other in self.found:
            angle, distance = difference(pose, other.registration.pose)
            if angle < near * APART[0] and distance < near * APART[1]:
                return True
        return False


_known: WeakKeyDictionary[Surface, list[Pose]] = WeakKeyDictionary()


def _turns(surface: Surface) -> list[Pose]:
    if surface not in _known:
        _known[surface] = symmetries(surface)
    return _known[surface]


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
        points = [points for points, _ in seen]
        self._views = loops.views_of(points, [surface.normal_at(*reversed(part)) for part in seen])
        self.middles = np.array([part.mean(axis=0) for part in points])
        self._width = surface.radius / 8

    def step(
        self, x: np.ndarray, R: np.ndarray, p: np.ndarray, view: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One step of every pose, and the cost before it."""
        step, cost = loops.descend(self._views, view, x, R, p, self._width, 0.1)
        step *= np.minimum(1.0, 0.5 / np.abs(step).max(axis=1, keepdims=True).clip(1e-9))
        return R @ matrix_of_vector(step[:, :3]), p + step[:, 3:], cost


class _Check:
    """Rendering a pose, and counting what the scan and the picture do not have in common."""

    def __init__(self, scan: Scan) -> None:
        self._tree = cKDTree(scan.points)
        spacing = self._tree.query(scan.points[:: max(1, len(scan) // 500)], k=2)[0][:, 1]
        self._gap = 4 * float(np.median(spacing)) + 5 * scan.sigma
        self.points = min(len(scan), 6000)
        """How many are compared."""

    def against(self, alignment: Alignment) -> int:
        """Points that the pose does not explain, and as many more as the unseen share of the model stands for."""
        every = alignment.some(6000)
        off = alignment.fit(every, CLOSE).off.size
        points, _ = alignment.surface.seen_from(-(alignment.p @ alignment.R), 3000)
        distance, _ = self._tree.query(points @ alignment.R.T + alignment.p)
        return off + round(len(every) * float(np.mean(distance > self._gap)))


def _worse(count: int, best: int) -> bool:
    """Whether the counts differ by more than chance would have it."""
    return (count - best) / np.sqrt(count + best + 1) > DOUBT
