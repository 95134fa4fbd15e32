"""Gauss-Newton on the pose of a scan's target (docs/theory/registration.md).

Far from the solution, each measured point is drawn to the nearest of the surface that is visible from the present pose
(`approach`). Near it, each ray is cast at the model, and its range is compared with the measured one (`refine`); points
whose ray misses, or meets another part, are still drawn to the nearest visible surface, so that edges hold the pose
where faces leave it free.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from softdock.sensing.scan import Rates, Scan, rays_in_target
from softdock.sensing.surface import Surface
from softdock.spatial import matrix_of_vector
from softdock.world.pose import Pose

SAMPLES = 1200
"""Rays that look for the visible surface."""
NEIGHBOURS = 3
"""Samples of the visible surface whose triangles may hold the nearest point."""
OFF = 6.0
"""A range this many standard deviations off is of another part of the target than the ray predicts."""
EDGE = 3.0
"""Standard deviation of an edge's distance, in units of the range noise."""
SUPPORT = 20.0
"""Points that must hold a direction for their information to be believed in full."""
SHIFT = 0.01
"""Trial displacement along a direction that faces leave free, in units of the target's radius."""


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


class Alignment:
    """A scan as rays and ranges, and the pose (R, p) of its target, which `approach` and `refine` move."""

    def __init__(self, scan: Scan, surface: Surface, pose: Pose, rates: Rates) -> None:
        self.surface, self.rates, self.sigma, self.times = surface, rates, scan.sigma, scan.times
        self.ranges = np.linalg.norm(scan.points, axis=1)
        self.directions = scan.points / self.ranges[:, None]
        self.R, self.p = pose.rotation, np.array(pose.position)
        self.iterations = 0
        self._scale = np.repeat([1.0, surface.radius], 3)

    def some(self, count: int) -> np.ndarray:
        """Indices of at most `count` points, evenly along the scan."""
        total = len(self.ranges)
        return np.linspace(0, total - 1, min(count, total)).astype(int)

    def look(self) -> bool:
        """Sample the surface that is visible from the present pose, if any is."""
        points, self._triangles = self.surface.seen_from(-(self.p @ self.R), SAMPLES)
        self._tree = cKDTree(points)
        return len(points) > 0

    def near(self, part: np.ndarray) -> np.ndarray:
        """Which points are within the target's bounding sphere."""
        return np.linalg.norm(self._rays(part)[2] - self.surface.center, axis=1) < self.surface.radius

    def approach(self, part: np.ndarray, width: float, iterations: int) -> None:
        """Draw points to the visible surface; those much farther from it than `width` (m) count little."""
        for _ in range(iterations):
            _, _, x = self._rays(part)
            e, n = self._nearest(x)
            J, w = self._rows(n, x), _trust(e, width)
            # Edges hold some directions by few points; without a hold, a step along those overshoots.
            if self._step(J.T @ (w[:, None] * J), J.T @ (w * e), hold=0.01) < 1e-3:
                break

    def refine(self, part: np.ndarray, stages: tuple[Stage, ...], tolerance: float = 1e-5) -> Fit:
        """Compare ranges until the step is below `tolerance` (rad, and m over the radius): one step in each stage but
        the last, up to ten in that."""
        for k in range(len(stages) + 9):
            last = k >= len(stages) - 1
            fit = self.fit(part, stages[-1] if last else stages[k])
            if self._step(fit.H, fit.g, hold=1e-4) < tolerance and last:
                break
        return fit

    def fit(self, part: np.ndarray, stage: Stage) -> Fit:
        """The normal equations at the present pose."""
        o, d, x = self._rays(part)
        triangle = self.surface.meet(o, d)
        n = self.surface.normals[triangle]
        s = self.sigma * np.maximum(-np.einsum("ij,ij->i", n, d), stage.incidence)
        e = (np.einsum("ij,ij->i", n, x) - self.surface.offsets[triangle]) / s
        w = _trust(e, stage.width)
        off = np.flatnonzero((triangle < 0) | (np.abs(e) > OFF))
        if off.size:
            distance, n[off] = self._nearest(x[off])
            s[off] = EDGE * self.sigma
            e[off], w[off] = distance / s[off], _trust(distance, stage.edge)
        J = self._rows(n, x) / s[:, None]
        rows = np.sqrt(w)[:, None] * J
        return Fit(rows.T @ rows, J.T @ (w * e), rows, e, off)

    def information(self, fit: Fit, part: np.ndarray) -> np.ndarray:
        """Fisher information of (δ, ε): that of the faces, and along directions they leave free, that of the edges.

        Displaced by s along such a direction, the pose would leave λ s points beside the model, so no displacement
        beyond about 1/λ would have passed unseen; with n points beside the model already, (1 + n)/λ.
        """
        S = np.outer(self._scale, self._scale)
        values, vectors = np.linalg.eigh(fit.H * S)
        share = (fit.rows * self._scale @ vectors) ** 2
        values *= np.minimum(1.0, values**2 / np.maximum((share**2).sum(axis=0), 1e-300) / SUPPORT)
        beside = int((np.abs(fit.residuals[fit.off]) * EDGE * self.sigma < CLOSE.edge).sum())
        start, free = (self.R, self.p), np.flatnonzero(values < (4 / SHIFT) ** 2)
        already = self.fit(part, CLOSE).off.size if free.size else 0
        for k in free:
            rates = []
            for sign in (-SHIFT, SHIFT):
                self._displace(sign * vectors[:, k])
                fallen = (self.fit(part, CLOSE).off.size - already) * len(self.ranges) / len(part)
                rates.append(fallen / SHIFT)
                self.R, self.p = start
            if min(rates) > 0:
                values[k] += 2 / (rates[0] ** -2 + rates[1] ** -2) / (1 + beside) ** 2
        return (vectors * np.maximum(values, 1.0)) @ vectors.T / S  # nobody knows less than a radian or a radius

    def smeared(self, fit: Fit, part: np.ndarray, spread: np.ndarray) -> np.ndarray:
        """H Σ H of the pose's error that rates with the covariance `spread` bring about, as H⁻¹ takes it to Σ: a rate's
        error δr displaces what is seen at time t by t δr, which the fit spreads over all points."""
        skewed = fit.rows.T @ (self.times[part, None] * fit.rows)
        return skewed @ spread @ skewed

    def _rays(self, part: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Origins, directions and measured points in B."""
        o, d = rays_in_target(self.R, self.p, self.rates, self.times[part], self.directions[part])
        return o, d, o + self.ranges[part, None] * d

    def _nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distance to the visible surface, and its gradient."""
        count = min(NEIGHBOURS, self._tree.n)
        _, samples = self._tree.query(x, k=[*range(1, count + 1)])
        return self.surface.closest(x, self._triangles[samples])

    def _rows(self, n: np.ndarray, x: np.ndarray) -> np.ndarray:
        """d(n·x)/d(δ, ε) of points x = exp(−δ) Rᵀ (x_C − p − ε) in B: (n × x, −R n)."""
        a, b, c = n.T
        u, v, w = x.T
        turn = np.stack([b * w - c * v, c * u - a * w, a * v - b * u], axis=1)  # np.cross is several times slower
        return np.concatenate([turn, -n @ self.R.T], axis=1)

    def _step(self, H: np.ndarray, g: np.ndarray, hold: float) -> float:
        """One Gauss-Newton step, at most a fifth of a radian or radius; returns its size before that."""
        H = H * np.outer(self._scale, self._scale)
        step = -np.linalg.solve(H + (hold * np.trace(H) / 6 + 1e-300) * np.eye(6), g * self._scale)
        size = float(np.abs(step).max())
        self._displace(step * min(1.0, 0.2 / max(size, 1e-300)))
        self.iterations += 1
        return size

    def _displace(self, step: np.ndarray) -> None:
        step = step * self._scale
        self.R, self.p = self.R @ matrix_of_vector(step[:3]), self.p + step[3:]


def _trust(e: np.ndarray, width: float) -> np.ndarray:
    """Weights of Geman and McClure's loss."""
    return 1 / (1 + (e / width) ** 2) ** 2
