"""Gauss-Newton on the pose of a scan's target (docs/theory/registration.md).

Far from the solution, each measured point is drawn to the nearest of the surface that is visible from the present pose
(`approach`). Near it, each ray is cast at the model, and its range is compared with the measured one (`refine`); points
whose ray misses, or meets another part, are still drawn to the nearest visible surface, so that edges hold the pose
where faces leave it free.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr

from softdock.sensing import alignment_loops, loops
from softdock.sensing.alignment_loops import EDGE, OFF
from softdock.sensing.scan import Rates, Scan
from softdock.sensing.surface import Surface
from softdock.world.pose import Pose

SAMPLES = 1200
"""Rays that look for the visible surface."""
SUPPORT = 20.0
"""Points that must hold a direction for their information to be believed in full."""
SHIFT = 0.01
"""Trial displacement along a direction that faces leave free, in units of the target's radius."""
LADDER = (0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Displacements that may pass unseen: rows of a raster leave a face all at once, and a round body turns in place."""
_STEPS = np.array([sign * size for size in LADDER[1:6] for sign in (-1, 1)])
"""Displacements that are compared with none."""
HOLDING = 50
"""Points that are asked first whether they speak against a displacement: those that hold its direction most."""
HOLD = 1e-4
"""What is added to the information near the solution, in units of its mean: a step must not overshoot."""
BEND = 0.25
"""What a displacement along one direction does to the others, in units of its square: a turn bends its own path."""
NARROW = 0.05
"""Share of the points by which a direction must be held, or larger displacements along it are tried."""
AS_GOOD = 20.0
"""Increase of the sum of squares up to which a displaced pose explains a scan as well."""
PROBED = 400
"""Points of a probe."""
WEAK = 0.05
"""Directions whose information is less than this part of the best one's are those along which another pose may be."""
SIZED = 500
"""Points, or up to twice as many, by which a target's size is compared with its model's."""
TELLING = 1e-5
"""Least part of what another size does to the residuals that a displacement must not do as well."""
PROBES = (0.02, 0.05, 0.1, 0.16, 0.22, 0.3)
"""How far from a pose others are looked for (rad, and m over the radius)."""


class Stage(NamedTuple):
    """How residuals are judged: `width` in standard deviations and `edge` in m are where trust is lost; `incidence` is
    the least cosine that counts. A ray that grazes a face tells its place very well, but only to those who are near."""

    width: float
    edge: float
    incidence: float


APPROACHING = (Stage(8.0, 0.05, 1.0), Stage(6.0, 0.03, 0.5))
CLOSE = Stage(4.0, 0.02, 0.2)


class Fit(NamedTuple):
    """Normal equations H step = −g at a pose, the weighted rows H is made of, residuals in standard deviations, and
    which of them are `off`."""

    H: np.ndarray
    g: np.ndarray
    rows: np.ndarray
    residuals: np.ndarray
    off: np.ndarray
    normals: np.ndarray
    """At what each point is compared with, in B."""
    triangles: np.ndarray
    pull: np.ndarray
    """By how much a metre of each residual counts: H's rows are this times their derivatives."""


class Larger(NamedTuple):
    """By how much a target seems larger than its model, by the points that lie on it. The view may not tell: three
    faces of a larger cube look as if it were nearer by."""

    part: float = 0.0
    """Of its size (-)."""
    sigma: float = np.inf
    """Standard deviation by noise (-): infinite where the view does not tell."""
    shared: float = 0.0
    """Standard deviation by what the model and the sensor are said to be off (-), the same in every scan."""


class Alignment:
    """A scan as rays and ranges, and the pose (R, p) of its target, which `approach` and `refine` move."""

    def __init__(self, scan: Scan, surface: Surface, pose: Pose, rates: Rates) -> None:
        self.surface, self.sigma, self.bias, self.lens = surface, scan.sigma, scan.bias, scan.lens
        self._count, ranges = len(scan), np.linalg.norm(scan.points, axis=1)
        directions = np.ascontiguousarray(scan.points / ranges[:, None])
        self._beams = loops.beams(directions, ranges, np.array(scan.times), *rates.arrays())
        self.R, self.p = np.array(pose.rotation), np.array(pose.position, dtype=np.float64)
        self.iterations = 0
        self._scale, self._room = np.repeat([1.0, surface.radius], 3), alignment_loops.room()

    def some(self, count: int) -> np.ndarray:
        """Indices of at most `count` points, evenly along the scan."""
        total = self._count
        return np.linspace(0, total - 1, min(count, total)).astype(int)

    def look(self) -> bool:
        """Sample the surface that is visible from the present pose, if any is."""
        points, triangles = self.surface.seen_from(-(self.p @ self.R), SAMPLES)
        if len(points):
            self._visible = loops.Visible(self.surface.facets, loops.binned_of(points), triangles)
        return len(points) > 0

    def near(self, part: np.ndarray) -> int:
        """How many points are within the target's bounding sphere."""
        within = alignment_loops.within(self._beams, self.R, self.p, part, self.surface.center, self.surface.radius)
        return int(within)

    def approach(self, part: np.ndarray, width: float, iterations: int) -> None:
        """Draw points to the visible surface; those much farther from it than `width` (m) count little."""
        # Edges hold some directions by few points; without a hold, a step along those overshoots.
        self.R, self.p = self.R.copy(), self.p.copy()
        self.iterations += alignment_loops.approach(
            self._beams, self._visible, self.R, self.p, part, width, iterations, self._scale, 0.01, 1e-3, self._room
        )

    def refine(self, part: np.ndarray, stages: tuple[Stage, ...], tolerance: float = 1e-5, flat: bool = False) -> Fit:
        """Compare ranges until the step is below `tolerance` (rad, and m over the radius): one step in each stage but
        the last, up to ten in that. `flat`: as `fit`."""
        for k in range(len(stages) + 9):
            last = k >= len(stages) - 1
            fit = self.fit(part, stages[-1] if last else stages[k], flat)
            if self._step(fit.H, fit.g, hold=HOLD) < tolerance and last:
                break
        return fit

    def fit(self, part: np.ndarray, stage: Stage, flat: bool = False) -> Fit:
        """The normal equations at the present pose; with the facets' own slopes if they are to be `flat`."""
        triangle, d, x = self._met(part)
        is_smooth = self.surface.is_smooth and not flat
        n, room = len(part), self._room
        residuals, off = np.empty(n), np.empty(n, np.int64)
        fit = Fit(
            np.empty((6, 6)), np.empty(6), np.empty((n, 6)), residuals, off, np.empty((n, 3)), triangle, np.empty(n)
        )
        beside = alignment_loops.judge(self._visible, is_smooth, triangle, d, x, self.R, self.sigma, *stage, fit, room)
        return fit._replace(off=off[:beside])

    def information(self, fit: Fit, part: np.ndarray, unexplained: bool = False) -> np.ndarray:
        """Fisher information of (δ, ε): that of the faces, and along directions they leave free, that of the edges.

        Displaced by s along such a direction, the pose would leave λ s points beside the model, so no displacement
        beyond about 1/λ would have passed unseen; with n points beside the model already, (1 + n)/λ. No direction
        that is probed is known better than by the largest displacement that does pass unseen; with points that are
        `unexplained`, all weak ones are probed.
        """
        S = np.outer(self._scale, self._scale)
        values, vectors = np.linalg.eigh(fit.H * S)
        share = (fit.rows * self._scale @ vectors) ** 2
        held_by = values**2 / np.maximum((share**2).sum(axis=0), 1e-300)  # effective number of points
        values *= np.minimum(1.0, held_by / SUPPORT)
        beside = int((np.abs(fit.residuals[fit.off]) * EDGE * self.sigma < CLOSE.edge).sum())
        start, vague, bend = (self.R, self.p), values < (4 / SHIFT) ** 2, 0.0
        already = self.fit(part, CLOSE).off.size if vague.any() else 0
        if vague.sum() > 1:
            vectors[:, vague], values[vague] = self._along_axes(vectors[:, vague], values[vague])
        for k in np.flatnonzero(vague):
            rates = []
            for sign in (-SHIFT, SHIFT):
                self._displace(sign * vectors[:, k])
                fallen = (self.fit(part, CLOSE).off.size - already) * self._count / len(part)
                rates.append(fallen / SHIFT)
                self.R, self.p = start
            if min(rates) > 0:
                values[k] += 2 / (rates[0] ** -2 + rates[1] ** -2) / (1 + beside) ** 2
        for k in np.flatnonzero(vague | (unexplained & (values < WEAK * values[-1]))):
            if unseen := self._unseen(vectors[:, k], part):
                values[k] = min(values[k], unseen**-2)
                bend = max(bend, BEND * unseen**2) if unseen < LADDER[-1] else bend
        few = part[:: max(1, len(part) // PROBED)]
        for k in np.flatnonzero(~vague & (held_by < NARROW * len(fit.rows))):
            if unseen := self._as_good(vectors[:, k], few):
                values[k] = min(values[k], unseen**-2)
        values = 1 / (1 / np.maximum(values, 1.0) + bend**2)  # nobody knows less than a radian or a radius
        return (vectors * values) @ vectors.T / S

    def _along_axes(self, vectors: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Another basis of a space of directions, along as few of the target's own axes as can be: edges usually are,
        and a mixture of two directions would be held by the edges of either. Information is that of each alone."""
        own = np.concatenate([vectors[:3], self.R.T @ vectors[3:]])
        _, _, pivots = qr(own.T, mode="economic", pivoting=True)
        basis = own @ np.linalg.inv(own[pivots[: len(values)]])
        basis, _ = np.linalg.qr(np.concatenate([basis[:3], self.R @ basis[3:]]))
        variance = ((basis.T @ vectors) ** 2 / np.maximum(values, 1e-9)).sum(axis=1)
        return basis, 1 / variance

    def _unseen(self, direction: np.ndarray, part: np.ndarray) -> float:
        """The largest displacement along a direction, either way, that no more points than by chance speak against."""
        start, largest, here = (self.R, self.p), 0.0, self._off(part)
        for sign in (-1, 1):
            for size in LADDER:
                self._displace(sign * size * direction)
                off = self._off(part)
                self.R, self.p = start
                if off - here > 3 * np.sqrt(here + 1) + 2:
                    break
                largest = max(largest, size)
        return largest

    def _as_good(self, direction: np.ndarray, part: np.ndarray) -> float:
        """The largest displacement along a direction held by few points that explains all as well: a row of them at an
        edge may lie on either of its faces."""
        noise, model = (self.sigma, CLOSE.incidence), (self.R, direction, self._scale)
        here, share = alignment_loops.held(self.surface.facets, *self._met(part), *model, *noise)
        R, p = alignment_loops.displaced_along(self.R, self.p, direction, _STEPS, self._scale)
        # Points that hold the direction speak against most steps; what is left is asked of all.
        few = part[np.argpartition(share, -min(HOLDING, len(part)))[-HOLDING:]]
        left = np.flatnonzero(self.surprise(R, p, few) < here + AS_GOOD)
        if not left.size:
            return 0.0
        good = self.surprise(R[left], p[left], part) < here + AS_GOOD
        return float(np.max(np.abs(_STEPS[left]), where=good, initial=0.0))

    def surprise(self, R: np.ndarray, p: np.ndarray, part: np.ndarray) -> np.ndarray:
        """Sums of squared residuals, none above `OFF`², at several poses R (k, 3, 3), p (k, 3)."""
        triangle, d, x = self._met(part, R, p)
        return np.asarray(
            alignment_loops.surprises(self.surface.facets, triangle, d, x, len(p), self.sigma, CLOSE.incidence)
        )

    def _off(self, part: np.ndarray) -> int:
        """How many points are not where the ray meets the model."""
        height, slope = self._heights(part)
        return int((np.abs(height) > OFF * self.sigma * np.maximum(-slope, CLOSE.incidence)).sum())

    def _heights(self, part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of the points above the facets that their rays meet (m; inf where none), and cosines of incidence (< 0)."""
        height, slope = loops.heights(self.surface.facets, *self._met(part))
        return height, slope

    def elsewhere(self, fit: Fit, part: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Poses, displaced along weak directions by as much as `PROBES`, that explain more of the points than this one:
        the best two that are apart."""
        values, vectors = np.linalg.eigh(fit.H * np.outer(self._scale, self._scale))
        weak = vectors[:, values < WEAK * values[-1]][:, :3]
        if not weak.shape[1]:
            return []
        start, width = (self.R, self.p), max(0.02, 5 * self.sigma)
        tried = [(self._misfit(part, width), *start, np.zeros(weak.shape[1]))]
        for step in _lattice(weak.shape[1]):
            self._displace(weak @ step)
            tried.append((self._misfit(part, width), self.R, self.p, step))
            self.R, self.p = start
        here, found = tried[0][0], list[tuple[np.ndarray, np.ndarray, np.ndarray]]()
        for cost, R, p, step in sorted(tried[1:], key=lambda one: one[0]):
            if cost < here and all(np.linalg.norm(step - other) > 0.08 for *_, other in found):
                found.append((R, p, step))
        return [(R, p) for R, p, _ in found[:2]]

    def _misfit(self, part: np.ndarray, width: float) -> float:
        height, _ = self._heights(part)
        return float(np.mean(np.minimum(np.abs(height) / width, 1.0) ** 2))

    def carried(self, fit: Fit, part: np.ndarray, shared: np.ndarray, spread: np.ndarray | None = None) -> np.ndarray:
        """Covariance of the pose's error by what all points share, and of the one that rates with the covariance
        `spread` bring about: a rate's error δr displaces what is seen at time t by t δr, which the fit spreads over all
        points."""
        by_shared, by_time = alignment_loops.gathered(fit.rows, fit.pull, shared, self._beams.times, part)
        answer = self._answer(fit)
        moved = answer @ by_shared
        covariance = moved @ moved.T
        if spread is not None:
            moved = answer @ by_time
            covariance += moved @ spread @ moved.T
        return np.asarray(covariance)

    def _answer(self, fit: Fit) -> np.ndarray:
        """How the fit answers to a gradient: H⁻¹, held as a step is."""
        H = fit.H * np.outer(self._scale, self._scale)
        held = np.linalg.inv(H + (HOLD * np.trace(H) / 6 + 1e-300) * np.eye(6))
        return np.asarray(held * np.outer(self._scale, self._scale))

    def shared(self, fit: Fit, part: np.ndarray) -> np.ndarray:
        """Metres along the normals (5, points) for one standard deviation of what all points share: errors of the
        ranges, of the lens, and of the model's surface, its size and its facets."""
        surface = self.surface
        said = self.bias, self.lens, surface.tolerance, surface.scale_error
        pose, model = (self.R, self.p, part, fit.normals), (fit.triangles, surface.sagitta)
        return np.asarray(alignment_loops.shared_errors(self._beams, *pose, *model, *said))

    def larger(self, fit: Fit, part: np.ndarray, shared: np.ndarray, spread: np.ndarray | None = None) -> Larger:
        """By how much the target is larger than its model: one more unknown of plain least squares, beside the pose.
        `shared` (5, points) is what all points share."""
        some, _ = alignment_loops.lying(fit.residuals, fit.off)
        some = some[:: max(1, len(some) // SIZED)].copy()
        by, plain, H, g = alignment_loops.grown(
            self._beams, self.R, self.p, part, some, fit.rows, fit.residuals, fit.normals, fit.pull,
            self.surface.center, CLOSE.width,
        )  # fmt: skip
        values, vectors = np.linalg.eigh(np.outer(self._scale, self._scale) * H)
        held = values > 1e-12 * values[-1]
        ways = self._scale[:, None] * vectors[:, held]  # orthogonal, in the residuals
        power, before, found, by_rates, by_shared = alignment_loops.grown_alone(
            fit.rows, fit.residuals, fit.pull, some, by, plain, ways @ (ways.T @ g / values[held]), shared,
            self._beams.times, part,
        )  # fmt: skip
        if not power > TELLING * before:
            return Larger()
        of_noise = max(1.0, float(np.mean(fit.residuals[some] ** 2))) / power
        if spread is not None:
            of_noise += float(by_rates @ spread @ by_rates) / power**2
        return Larger(found / power, float(np.sqrt(of_noise)), float(np.linalg.norm(by_shared)) / power)

    def points(self, part: np.ndarray) -> np.ndarray:
        """Measured points in B."""
        return np.asarray(loops.rays(self._beams, self.R, self.p, part)[2])

    def _met(
        self, part: np.ndarray, R: np.ndarray | None = None, p: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of rays at several poses R (k, 3, 3), p (k, 3), pose after pose, or at the present one: the triangles that
        they meet, their directions in B, and the measured points in B."""
        R, p = (self.R[None], self.p[None]) if R is None or p is None else (R, p)
        surface = self.surface
        begin, single, d, x = alignment_loops.looks(self._beams, R, p, part, surface.center, surface.radius)
        return surface.met_from(begin, single), d, x

    def _step(self, H: np.ndarray, g: np.ndarray, hold: float) -> float:
        """One Gauss-Newton step, at most a fifth of a radian or radius; returns its size before that. Numbers that have
        run away are no step."""
        self.R, self.p = self.R.copy(), self.p.copy()
        self.iterations += 1
        return float(alignment_loops.take_step(self.R, self.p, H, g, self._scale, hold, self._room))

    def _displace(self, step: np.ndarray) -> None:
        self.R, self.p = self.R.copy(), self.p.copy()
        alignment_loops.displace(self.R, self.p, step, self._scale)


@cache
def _lattice(dimensions: int) -> np.ndarray:
    """Displacements in one, two or three directions: along each, and along what is between them."""
    ways = np.stack(np.meshgrid(*[[-1.0, 0.0, 1.0]] * dimensions), axis=-1).reshape(-1, dimensions)
    ways = ways[np.any(ways != 0, axis=1)]
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return np.asarray(np.concatenate([size * ways for size in PROBES]))
