"""Least gaps of moving shapes, certified at every time and not only at samples.

Between two times Δt apart the points of two convex shapes move, in a common frame, at most at speeds whose sum is L and
with accelerations whose sum is at most a. The gap φ = max over unit n of min_A n·x − max_B n·y is then at least

    (φ₀ + φ₁ − L Δt)/2                                                                        (1)
    min(s₀(n), s₁(n)) − a Δt²/8     for any n, with s(n) = min_A n·x − max_B n·y               (2)

at every time in between: (1) since φ changes no faster than the points move, (2) since n·x of every point is at most
a Δt²/8 under its chord. n are the normals at both ends. Stretches for which neither suffices are divided: few of them
into several parts at a time, since to ask takes longer than what is asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.contact import Pair
from softdock.contact.query import DISTANCE, PLACES
from softdock.contact.shapes import Core, core_of
from softdock.planning.bounds import apart
from softdock.planning.support import Support, look, raise_to_gap
from softdock.spatial import lengths
from softdock.world.shapes import Placed

TOLERANCE = 1e-5
"""How far a certified least gap may be under the least one found (m)."""
DIVISIONS = 50
"""Most times that a stretch is divided."""
AT_ONCE = 64
"""Parts into which open stretches are divided at a time, all together."""
PARTS = 8
"""Most parts of one; the least is two."""
MOST = 1_000_000
"""Most stretches of a pair at a time; past it, what is certified so far is the answer."""


class Bounds(NamedTuple):
    """Of all points of a body within some radius of its origin, during stretches of time."""

    speed: np.ndarray
    """(k) (m/s)."""
    acceleration: np.ndarray
    """(k); infinite where it is not known (m/s²)."""


class Course(Protocol):
    """How bodies move in one common frame, which need not be inertial. `courses` has some."""

    def poses(self, body: str, t: np.ndarray) -> np.ndarray:
        """(k, 4, 4) at times t (k)."""
        ...

    def bounds(self, body: str, radius: float, begin: np.ndarray, end: np.ndarray) -> Bounds:
        """Bounds that hold throughout each of the stretches from `begin` (k) to `end` (k), for points within `radius`
        (m) of the body's origin."""
        ...


class Clearance(NamedTuple):
    """Of two bodies over a time: certified ≤ least gap at any time ≤ gap."""

    bodies: tuple[str, str]
    certified: float
    """The gap is nowhere less (m); if a `least` was asked for and met, only that is certified."""
    gap: float
    """Least that was found (m)."""
    time: float
    """When that was (s)."""
    point_a: np.ndarray
    """Where: the closest point on the first body, in the common frame (m)."""
    point_b: np.ndarray
    """And on the second (m)."""


def clearances(
    course: Course,
    shapes: Mapping[str, Sequence[Placed]],
    pairs: Iterable[tuple[str, str]],
    times: ArrayLike,
    *,
    least: float | Mapping[tuple[str, str], float] = np.inf,
    tolerance: float = TOLERANCE,
) -> list[Clearance]:
    """The least gap of each pair of bodies between the first and the last of `times` (s), certified.

    `shapes` are those of each body, in its frame. `times` must include those at which velocities jump, and
    more of them cost little. Stretches are divided until the gap is certified to be at least `least` (m) or within
    `tolerance` of the least found: with `least` infinite, the least gap is found to that tolerance.
    """
    t = np.asarray(times, dtype=np.float64)
    if t.ndim != 1 or len(t) < 2 or not np.all(np.diff(t) > 0) or not np.all(np.isfinite(t)):
        raise ValueError("times must be at least two finite numbers in increasing order")
    if not tolerance > 0:
        raise ValueError(f"the tolerance must be positive, not {tolerance}")
    grid, every = _Grid(course, t), list(pairs)
    for body in (body for pair in every for body in pair):
        if not shapes.get(body):
            raise ValueError(f"body {body!r} has no shapes to be clear of")
    balls = grid.balls(every, shapes)
    enough = least if isinstance(least, Mapping) else dict.fromkeys(every, least)
    return [_of_pair(grid, pair, balls[pair], enough[pair], tolerance) for pair in every]


def are_clear(
    course: Course,
    shapes: Mapping[str, Sequence[Placed]],
    least: Mapping[tuple[str, str], float],
    times: ArrayLike,
    tolerance: float = 1e-3,
) -> bool:
    """Is every pair certified to keep its `least` gap (m) at every time, but for the `tolerance` (m) or a tenth of the
    gap, if that is less? As `clearances`, but it ends as soon as one gap is known to be too small."""
    grid = _Grid(course, np.asarray(times, dtype=np.float64))
    for pair, balls in grid.balls(least, shapes).items():
        margin = least[pair]
        fine = min(tolerance, margin / 10)
        found = Clearance(pair, np.inf, np.inf, np.nan, np.zeros(3), np.zeros(3))
        for _, low, a, b in balls:
            if low >= margin:
                continue
            search = _Stretches(grid, a, b, found, margin, fine, is_question=True)
            if search.certified() < margin - fine:
                return False
            found = search.found
    return True


class _Balls(NamedTuple):
    """What balls say of a pair of shapes."""

    gap: float
    """The least of theirs at the times of a grid (m)."""
    low: float
    """No gap is less at any time in between (m)."""
    a: Placed
    b: Placed


def _of_pair(
    grid: "_Grid", pair: tuple[str, str], balls: Sequence[_Balls], enough: float, tolerance: float
) -> Clearance:
    """The least of all pairs of shapes: no more need be known of the others than that they are not closer. So those
    whose balls come closest are first."""
    found = Clearance(pair, np.inf, np.inf, np.nan, np.zeros(3), np.zeros(3))
    for _, low, a, b in sorted(balls, key=lambda one: one.gap):
        if low >= found.gap:  # there is nothing to ask
            found = found._replace(certified=min(found.certified, low, found.gap))
            continue
        search = _Stretches(grid, a, b, found, enough, tolerance)
        certified = search.certified()
        found = search.found._replace(certified=min(found.certified, certified))
    return found


def _sound(body: str, X: np.ndarray, count: int) -> np.ndarray:
    if X.shape != (count, 4, 4) or not np.isfinite(X).all():
        raise ValueError(f"the poses of {body!r} must be {count} finite 4 × 4 matrices")
    return X


class _Solid:
    """A shape in its body's frame: its support, and balls about its middle and about the body's origin."""

    def __init__(self, shape: Placed) -> None:
        core: Core = core_of(shape)
        self.points = core.points @ shape.placement.rotation.T + np.array(shape.placement.position)
        self.radius, self.disc = float(core.radius), float(core.disc)
        self.axis = shape.placement.rotation[:, 2].copy()
        self.middle = (self.points.min(axis=0) + self.points.max(axis=0)) / 2
        self.ball = self._farthest(self.middle)
        self.reach = self._farthest(np.zeros(3))
        self.support = Support(self.points, self.axis, self.radius, self.disc)

    def _farthest(self, center: np.ndarray) -> float:
        return float(np.linalg.norm(self.points - center, axis=1).max()) + self.radius + self.disc


_KNOWN: dict[tuple[int, int], tuple[Placed, Placed, Pair, _Solid, _Solid]] = {}
"""Queries of pairs of shapes that were asked for lately: planners ask for the same ones again and again."""


def _known(a: Placed, b: Placed) -> tuple[Placed, Placed, Pair, _Solid, _Solid]:
    """The query of two shapes and their supports; the shapes are kept, so that their identities are theirs."""
    key = id(a), id(b)
    if key not in _KNOWN:
        if len(_KNOWN) >= 4096:
            _KNOWN.clear()
        _KNOWN[key] = a, b, Pair(a, b), _Solid(a), _Solid(b)
    return _KNOWN[key]


class _Grid:
    """The times at which searches begin: what those of one body have in common is found once."""

    def __init__(self, course: Course, t: np.ndarray) -> None:
        self.course, self.t, self.spans = course, t, np.diff(t)
        self._poses: dict[str, np.ndarray] = {}
        self._middles: dict[tuple[str, bytes], np.ndarray] = {}
        self._bounds: dict[tuple[str, float], Bounds] = {}

    def poses(self, body: str) -> np.ndarray:
        """(k, 4, 4)."""
        if body not in self._poses:
            self._poses[body] = _sound(body, self.course.poses(body, self.t), len(self.t))
        return self._poses[body]

    def middles(self, body: str, solid: _Solid) -> np.ndarray:
        """(k, 3) of a body's shape, in the common frame (m)."""
        key = body, solid.middle.tobytes()
        if key not in self._middles:
            X = self.poses(body)
            self._middles[key] = X[:, :3, :3] @ solid.middle + X[:, :3, 3]
        return self._middles[key]

    def bounds(self, body: str, radius: float) -> Bounds:
        """Of the stretches between two times."""
        key = body, radius
        if key not in self._bounds:
            self._bounds[key] = self.course.bounds(body, radius, self.t[:-1], self.t[1:])
        return self._bounds[key]

    def balls(
        self, pairs: Iterable[tuple[str, str]], shapes: Mapping[str, Sequence[Placed]]
    ) -> dict[tuple[str, str], list[_Balls]]:
        """All pairs of shapes of pairs of bodies, by these, with what their balls say."""
        every = list(pairs)
        placed = [(pair, a, b) for pair in every for a in shapes[pair[0]] for b in shapes[pair[1]]]
        solids, where = dict[tuple[str, int], _Solid](), []
        for pair, a, b in placed:
            keys = (pair[0], id(a)), (pair[1], id(b))
            solids.update(zip(keys, _known(a, b)[3:], strict=True))
            where.append(keys)
        order = {key: k for k, key in enumerate(solids)}
        bounds = [self.bounds(body, solid.reach) for (body, _), solid in solids.items()]
        nearest, lowest, bounded = apart(
            np.array([self.middles(body, solid) for (body, _), solid in solids.items()]).reshape(-1, len(self.t), 3),
            np.array([solid.ball for solid in solids.values()]),
            np.array([one.speed for one in bounds]).reshape(-1, len(self.spans)),
            np.array([one.acceleration for one in bounds]).reshape(-1, len(self.spans)),
            self.spans,
            np.array([(order[a], order[b]) for a, b in where], dtype=np.int64).reshape(-1, 2),
        )
        if not bounded.all():
            first, second = placed[int(np.argmin(bounded))][0]
            raise ValueError(f"speeds of {first!r} and {second!r} must be bounded")
        found: dict[tuple[str, str], list[_Balls]] = {pair: [] for pair in every}
        for (pair, a, b), gap, low in zip(placed, nearest.tolist(), lowest.tolist(), strict=True):
            found[pair].append(_Balls(gap, low, a, b))
        return found


class _Ends(NamedTuple):
    """The placements at one end of each of k stretches."""

    t: np.ndarray
    X_A: np.ndarray
    X_B: np.ndarray
    rows: np.ndarray
    """Gap, normal and points (k, 10) of `Pair.many`; where the gap is not yet asked for, a bound and NaN."""

    def at(self, which: np.ndarray) -> "_Ends":
        return _Ends(self.t[which], self.X_A[which], self.X_B[which], self.rows[which])


_FIRST, _LAST = slice(None, -1), slice(1, None)
"""Of the times of divided stretches: those at which parts begin, and at which they end."""


class _Stretches:
    """The search for one pair of shapes; `found` is the least gap so far, of any of the bodies' shapes."""

    def __init__(
        self,
        grid: _Grid,
        a: Placed,
        b: Placed,
        found: Clearance,
        enough: float,
        tolerance: float,
        *,
        is_question: bool = False,
    ) -> None:
        """With `is_question`, the search ends where a gap is less than `enough` by the tolerance."""
        self.grid, self.bodies, self.enough, self.tolerance = grid, found.bodies, enough, tolerance
        self._stop = enough - tolerance if is_question else -np.inf
        (_, _, self.pair, self.a, self.b), self.found = _known(a, b), found

    def certified(self) -> float:
        """No gap of these shapes is less from the first time to the last, or it is past the target."""
        grid, (first, second) = self.grid, (self.grid.bounds(*one) for one in self.reaches)
        X_A, X_B = (grid.poses(body) for body in self.bodies)
        apart = grid.middles(self.bodies[0], self.a) - grid.middles(self.bodies[1], self.b)
        balls, rows = lengths(apart) - self.a.ball - self.b.ball, np.empty((len(grid.t), PLACES + 9))
        wanted = first.speed + second.speed, first.acceleration + second.acceleration, self.enough, self.tolerance
        is_open, closed, low, nearest = look(
            self.pair.query, self.a.support, self.b.support, grid.t, X_A, X_B, rows, balls, *wanted, self.found.gap
        )
        if nearest >= 0:
            self.remember(rows[nearest], grid.t[nearest])
        k = np.flatnonzero(is_open)
        if not k.size or len(k) > MOST or self.found.gap < self._stop:
            return float(min(closed, low, self.found.gap))
        ends = _Ends(grid.t, X_A, X_B, rows)
        left, right = ends.at(k), ends.at(k + 1)
        for _ in range(DIVISIONS - 1):
            left, right, L, a = self.divided(left, right)
            lows = np.maximum(_by_speed(left, right, L), self.by_bend(left, right, a))
            open_ = lows < self.target
            closed, low = lows[~open_].min(initial=closed), lows[open_].min(initial=np.inf)
            if not np.any(open_) or np.count_nonzero(open_) > MOST or self.found.gap < self._stop:
                break
            left, right = left.at(open_), right.at(open_)
        return float(min(closed, low, self.found.gap))

    @property
    def target(self) -> float:
        """A stretch whose gap is at least this needs no further look."""
        return min(self.enough, self.found.gap - self.tolerance)

    def divided(self, left: _Ends, right: _Ends) -> tuple[_Ends, _Ends, np.ndarray, np.ndarray]:
        count = len(left.t)
        parts = min(PARTS, max(2, AT_ONCE // count))
        s = np.arange(1, parts) / parts
        t = (left.t[:, None] * (1 - s) + right.t[:, None] * s).reshape(-1)
        X_A, X_B = (_sound(body, self.grid.course.poses(body, t), len(t)) for body in self.bodies)
        between = _Ends(t, X_A, X_B, self.asked(_Ends(t, X_A, X_B, left.rows)))
        ends = [
            np.concatenate([a[:, None], x.reshape(count, parts - 1, *x.shape[1:]), b[:, None]], axis=1)
            for a, x, b in zip(left, between, right, strict=True)
        ]
        left, right = (_Ends(*(x[:, part].reshape(-1, *x.shape[2:]) for x in ends)) for part in (_FIRST, _LAST))
        both = (self.grid.course.bounds(*one, left.t, right.t) for one in self.reaches)
        return left, right, *self.total(*both)

    @property
    def reaches(self) -> tuple[tuple[str, float], tuple[str, float]]:
        """The bodies, and how far their shapes are from their origins (m)."""
        return (self.bodies[0], self.a.reach), (self.bodies[1], self.b.reach)

    def total(self, first: Bounds, second: Bounds) -> tuple[np.ndarray, np.ndarray]:
        """L and a of the two shapes' points against each other."""
        L, a = first.speed + second.speed, first.acceleration + second.acceleration
        if not (L.min() >= 0 and a.min() >= 0 and np.minimum(L, a).max() < np.inf):
            raise ValueError(f"speeds of {self.bodies[0]!r} and {self.bodies[1]!r} must be bounded")
        return L, a

    def asked(self, ends: _Ends) -> np.ndarray:
        """Rows with the true gaps; the least is remembered."""
        rows = self.pair.many(ends.X_A, ends.X_B)
        k = int(np.argmin(rows[:, DISTANCE]))
        if rows[k, DISTANCE] < self.found.gap:
            self.remember(rows[k], ends.t[k])
        return rows

    def remember(self, row: np.ndarray, t: float) -> None:
        """The least gap so far."""
        point_a, point_b = row[PLACES + 3 : PLACES + 6].copy(), row[PLACES + 6 :].copy()
        self.found = Clearance(self.bodies, np.inf, float(row[DISTANCE]), float(t), point_a, point_b)

    def by_bend(self, left: _Ends, right: _Ends, a: np.ndarray) -> np.ndarray:
        """Eq. (2)."""
        low = np.full(len(a), -np.inf)
        for at, other in ((left, right), (right, left)):
            raise_to_gap(self.a.support, self.b.support, at.rows, other.X_A, other.X_B, low)
        return np.asarray(low - a * (right.t - left.t) ** 2 / 8)


def _by_speed(left: _Ends, right: _Ends, L: np.ndarray) -> np.ndarray:
    """Eq. (1)."""
    return np.asarray((left.rows[:, DISTANCE] + right.rows[:, DISTANCE] - L * (right.t - left.t)) / 2)
