"""All measurements of a window at once: robust least squares for the state at the window's start.

Cauchy's loss on each pose's six-dimensional residual, Levenberg-Marquardt steps, and the noise's size re-estimated from
the residuals (positions and rotations apart). What the loss marks as outliers is left out at the end, and the rest
weighed equally, so that the covariance is that of ordinary least squares.
"""

from copy import copy
from typing import NamedTuple

import numpy as np

from softdock.estimation import loops
from softdock.estimation.layouts import POSE, POSE_ERROR, TARGET, TARGET_ERROR, TARGET_FLAT
from softdock.estimation.measurement import noisier
from softdock.estimation.model import Model, eigen

CAUCHY = 12.0
"""Square of the loss's width, in squared standard deviations of six numbers (whose mean is 6)."""
OUTLIER = 27.9
"""Squared distance that one good pose in 10,000 exceeds: χ² of 6 degrees of freedom."""
_MEDIAN = 2.366
"""Median of χ² with 3 degrees of freedom."""
_SMALLEST, _LARGEST = 0.02, 100.0
_UNLIKE = 13.8
"""χ² of 2 degrees of freedom that one good window in 1,000 exceeds."""
_START_HIGH = 4.0
"""Variance, in units of the given one, that counts as one prior pose: with few data, noise is taken as high."""
_ENOUGH = 0.01
"""A step that promises less than this decrease of the loss is the last."""
_STRAIGHT, _TRIAL, _BENT = 0.1, 0.1, 0.4
"""A step that promises less than the first is not bent; the bend is found at this part of the step; it may be this part
of the step's size, or the step is too long."""

_FAR, _FASTEST = 1e12, 20.0
"""Where no step may lead: metres, and rad/s (or the inertia's numbers); a camera at 2 Hz sees up to 6 rad/s."""
_SHORTEST = 1e-300
"""Seconds between two poses: stamps in another unit may be next to nothing apart, and 1/dt is a number still."""
_ANYWHERE = 100.0
"""Variance (rad², m²) of what no prior is about."""
_SPARE, _SETTLED = 0.9, 8
"""Mean square of innovations, over what they should have, below which noise was taken as too large; the first so many
say little of noise, since the prior is wide."""
LEAST_INLIERS = 3
"""Inliers that plain least squares needs; with the prior, three poses are enough."""

_AT, _POSE, _ERROR = TARGET.places(), POSE.places(), POSE_ERROR.places()
_RATES = slice(_AT.flat.angular_velocity.start, _AT.flat.inertia.stop)
"""ω and the inertia's numbers."""

PRIOR = TARGET_ERROR.pack(
    attitude=[0.0] * 3,
    flat=TARGET_FLAT.pack(
        angular_velocity=[1.0] * 3, inertia=[4.0] * 5, position=[0.0] * 3, velocity=[0.1] * 3, offset=[4.0] * 3,
        acceleration=[1e10] * 3, drift=[1e18] * 3,
    ),
    eta=(),
)  # fmt: skip
"""Information that every solution starts with, about ω = 0, a sphere, v = 0, ρ = 0: σ = 1 rad/s, 0.5, 3 m/s, 0.5 m;
an unknown torque disturbs it by σ = 1e-5 rad/s², and the offset rests.

A spin says nothing of inertia: without it, noise would be fitted by a wobble of some wild body."""


def relaxed(acceleration: bool, drift: bool, slowly: bool = False) -> np.ndarray:
    """The prior of a target that is disturbed more (σ = 5e-5 rad/s²), or whose centre of mass moves (0.3 mm/s; slowly:
    0.1 mm/s)."""
    prior, at = PRIOR.copy(), TARGET_ERROR.places().flat
    if acceleration:
        prior[at.acceleration] = 4e8
    if drift:
        prior[at.drift] = 1e8 if slowly else 1e7
    return prior


class Arc(NamedTuple):
    """Measurements of a window."""

    times: np.ndarray
    poses: np.ndarray
    """(N, 7): position, quaternion."""
    covariances: np.ndarray
    """(N, 6, 6): position, then rotation."""

    def first(self, count: int) -> "Arc":
        return Arc(self.times[:count], self.poses[:count], self.covariances[:count])


class Solution(NamedTuple):
    """State at the window's start and at its end, with covariances."""

    x: np.ndarray
    last: np.ndarray
    covariance: np.ndarray
    """Of `last`."""
    root: np.ndarray
    """(errors, errors): its product with itself is the covariance of x."""
    scales: np.ndarray
    """(2): standard deviation of positions and of rotations over the given one."""
    inliers: np.ndarray
    loss: float
    """Per measurement, in the given covariance's units: to compare solutions of one arc."""
    fit: "Residuals"
    """About x."""


class Residuals:
    """Residuals of an arc about a state, whitened by the given covariances."""

    def __init__(self, model: Model, arc: Arc, whiten: np.ndarray, x: np.ndarray, prior: np.ndarray = PRIOR) -> None:
        self.model, self.arc, self.whiten, self.prior = model, arc, whiten, prior
        self.x, self.finite = x, _is_near(x)
        if self.finite:
            self.r, self.J, self.last, self.S = model.followed(x, arc.times[0], arc.times, arc.poses)
            self.finite = bool(np.isfinite(self.r).all() and np.isfinite(self.J).all())
        if self.finite:
            loops.whitened(whiten, self.r, self.J)

    def at(self, x: np.ndarray) -> "Residuals":
        """About another state."""
        return Residuals(self.model, self.arc, self.whiten, x, self.prior)

    def by(self, prior: np.ndarray) -> "Residuals":
        """With another prior."""
        other = copy(self)
        other.prior = prior
        return other

    def near(self, x: np.ndarray) -> np.ndarray:
        """Residuals of a state nearby, whitened; not finite where it leads nowhere."""
        if not _is_near(x):
            return np.full_like(self.r, np.inf)
        r = self.model.compared(x, self.arc.times[0], self.arc.times, self.arc.poses)
        loops.whitened(self.whiten, r, np.empty((*r.shape, 0)))
        return r

    def squares(self, scales: np.ndarray) -> np.ndarray:
        return np.asarray(loops.squares(self.r, scales))

    def _parts(self) -> tuple[np.ndarray, np.ndarray]:
        """Residuals of positions and of rotations, (N, 3) each."""
        return self.r[:, _ERROR.position], self.r[:, _ERROR.rotation]

    def loss(self, scales: np.ndarray, inliers: np.ndarray | None = None) -> float:
        """Cauchy's; or the inliers' squares."""
        if not self.finite:
            return np.inf
        squares, prior = self.squares(scales), self.prior @ about(self.x) ** 2
        misfit = CAUCHY * np.log1p(squares / CAUCHY).sum() if inliers is None else squares[inliers].sum()
        return float(misfit + prior)

    def weights(self, scales: np.ndarray, inliers: np.ndarray | None = None) -> np.ndarray:
        """Cauchy's; or the same for all inliers."""
        return 1 / (1 + self.squares(scales) / CAUCHY) if inliers is None else inliers.astype(float)

    def normal(
        self, scales: np.ndarray, weights: np.ndarray, prior: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Normal matrix and right-hand side of the weighted least squares, with another prior if one is given."""
        prior = self.prior if prior is None else prior
        A, b = np.diag(prior), -prior * about(self.x)
        loops.normal(self.r, self.J, scales, weights, A, b)
        return A, b

    def bent(self, near: np.ndarray, step: np.ndarray, scales: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Right-hand side Jᵀ r'' by the second derivative along a step, with residuals `near` a `_TRIAL` part of it."""
        second, b = 2 / _TRIAL**2 * (self.r - near - _TRIAL * self.J @ step), np.zeros(len(step))
        loops.right_side(second, self.J, scales, weights, b)
        return b

    def robust_scales(self) -> np.ndarray:
        squares = np.stack([(part**2).sum(1) for part in self._parts()])
        spread = np.median(squares, axis=1) / _MEDIAN * _freedom(len(self.r))
        return bounded((spread * len(self.r) + _START_HIGH) / (len(self.r) + 1))

    def scales(self, inliers: np.ndarray) -> np.ndarray:
        count = int(inliers.sum())
        squares = np.array([sized(part[inliers]) for part in self._parts()]) * count
        return bounded((squares * _freedom(count) + _START_HIGH) / (count + 1))


def solved(model: Model, arc: Arc, x: np.ndarray, prior: np.ndarray = PRIOR) -> Solution:
    """The solution next to x, a state at the arc's first time."""
    whiten = np.linalg.inv(np.linalg.cholesky(arc.covariances))
    # Whitened by the lower factor, positions stay apart from rotations: its first three rows do not see the others.
    return solved_from(Residuals(model, arc, whiten, x, prior))


def solved_from(at: Residuals) -> Solution:
    """The solution next to where residuals are known."""
    if not at.finite:
        return _nowhere(at)
    scales = at.robust_scales()
    for _ in range(4):
        at = _levenberg(at, scales)
        before, scales = scales, at.robust_scales()
        if np.all(np.abs(scales / before - 1) < 0.2):
            break
    count = len(at.arc.times)
    loss = at.loss(np.ones(2)) / count
    for _ in range(2):
        inliers = at.squares(scales) < OUTLIER
        if inliers.sum() < LEAST_INLIERS:  # nonsense: leave it to the loss
            break
        there = _levenberg(at, scales, inliers)
        if there.loss(scales) > at.loss(scales) + 1.0 + 0.1 * count:
            break
        at, scales = there, there.scales(inliers)
    weights = at.weights(scales, inliers if inliers.sum() >= LEAST_INLIERS else None)
    half = spread(at.normal(scales, weights)[0])
    return Solution(at.x, at.last, squared(at.S @ half), half, scales, inliers, loss, at)


def _nowhere(at: Residuals) -> Solution:
    """Of a start from which no motion can be followed (after a gap of days, it is anywhere): worse than any other."""
    nan = np.full((at.model.errors, at.model.errors), np.nan)
    no = np.zeros(len(at.arc.times), dtype=bool)
    return Solution(at.x, np.full(at.model.numbers, np.nan), nan, nan, np.ones(2), no, np.inf, at)


class Disturbed(NamedTuple):
    """The end of an arc for a motion that is disturbed as the model allows, by a Kalman filter about a solution."""

    error: np.ndarray
    """(errors): of the solution's end, by what disturbs."""
    covariance: np.ndarray
    """(errors, errors): of the end."""
    scales: np.ndarray
    """(2): as of a `Solution`; smaller, if what disturbs had been taken for noise."""
    white: np.ndarray
    """(inliers, 6): innovations over their standard deviations."""
    surprise: float
    """Minus twice the logarithm of the evidence, as of other explanations (`doubt`); infinite if it failed."""


def disturbed(solution: Solution) -> Disturbed:
    """A batch knows of no noise that disturbs the motion; the better the poses, the sooner that matters."""
    scales, parts = solution.scales, (_ERROR.position, _ERROR.rotation)
    shape = np.array([uneven(solution.fit.r[solution.inliers, part]) for part in parts])
    for _ in range(4):
        found = _disturbed(solution.fit, solution.inliers, scales)
        later = found.white[_SETTLED:]
        if len(later) < _SETTLED:
            break
        spare = shape * [np.mean(later[:, part] ** 2) for part in parts]
        if not np.any(spare < _SPARE):
            break
        scales = bounded(scales**2 * np.minimum(spare, 1.0))
    return found


def _disturbed(fit: Residuals, inliers: np.ndarray, scales: np.ndarray) -> Disturbed:
    arc, model, known = fit.arc, fit.model, fit.prior > 0
    P, white = np.diag(1 / np.where(known, fit.prior, 1 / _ANYWHERE)), np.zeros((len(arc.times), 6))
    e, gaps = -np.where(known, about(fit.x), 0.0), np.diff(arc.times, prepend=arc.times[0])
    R, steps = noisier(arc.covariances, scales), model.steps(fit.x, gaps)
    along = fit.x, e, P, gaps, steps, arc.poses, R, inliers, white
    _, log = loops.disturbed(model.kernels, model.theta, *along)
    white, stated = white[inliers], np.linalg.slogdet(arc.covariances[inliers])[1].sum()
    surprise = float(log - stated - np.log(_ANYWHERE) * np.sum(~known) + (white**2).sum())
    surprise = surprise if np.isfinite(surprise) else np.inf
    A, b = fit.normal(scales, inliers.astype(float))
    # Without disturbance the filter would make one more linear step of the fit, out of its bent valley: in a pure spin,
    # where inertia hardly shows, that was 4° at the forecast. What differs from that step is what disturbs.
    return Disturbed(e - fit.S @ np.linalg.solve(A, b), (P + P.T) / 2, scales, white, surprise)


def spread(A: np.ndarray) -> np.ndarray:
    """A root of A⁻¹, of a normal matrix."""
    size = 1 / np.sqrt(np.diag(A))
    values, vectors = eigen(A * np.outer(size, size))
    return np.asarray(size[:, None] * (vectors / np.sqrt(np.maximum(values, 1e-15 * values[-1]))))


def squared(half: np.ndarray) -> np.ndarray:
    """A covariance by its root: as a product of a factor with itself it is never indefinite."""
    return np.asarray(half @ half.T)


def _levenberg(at: Residuals, scales: np.ndarray, inliers: np.ndarray | None = None) -> Residuals:
    """Levenberg-Marquardt steps on Cauchy's loss, reweighted at each, or on the squares of inliers, until the promised
    decrease is small.

    Rates, inertia and offset make up for each other along a narrow bent valley. Straight steps creep in it; with the
    second derivative along the step ("geodesic acceleration", Transtrum and Sethna 2012) they bend with it.
    """
    damping, growth, loss = 1e-4, 2.0, at.loss(scales, inliers)
    for _ in range(60):
        weights = at.weights(scales, inliers)
        A, b = at.normal(scales, weights)
        damped = A + damping * np.diag(np.diag(A))
        step = np.linalg.solve(damped, b)
        promised, bend = b @ step, np.zeros(len(b))
        if promised > _STRAIGHT:
            near = at.near(at.model.moved(at.x, _TRIAL * step))
            is_known = np.isfinite(near).all()
            bend = -np.linalg.solve(damped, at.bent(near, step, scales, weights)) / 2 if is_known else bend + np.inf
        size = np.sqrt(np.diag(A))
        there = at.at(at.model.moved(at.x, step + bend))
        there_loss = there.loss(scales, inliers)
        if there_loss <= loss and np.linalg.norm(size * bend) < _BENT * np.linalg.norm(size * step):
            at, loss, damping, growth = there, there_loss, max(damping / 4, 1e-9), 2.0
        elif damping > 1e8:
            break
        else:
            damping, growth = damping * growth, 2 * growth
        if promised < _ENOUGH:
            break
    return at


def unguessed(model: Model, arc: Arc) -> Solution:
    """The solution with no guess: from pairs of measurements at the start, over windows that double."""
    count = min(6, len(arc.times))
    short = arc.first(count)
    found = min((solved(model, short, _from_pair(model, short, k)) for k in range(count - 1)), key=lambda s: s.loss)
    while count < len(arc.times):
        count = min(2 * count, len(arc.times))
        found = solved(model, arc.first(count), found.x)
    return found


def _from_pair(model: Model, arc: Arc, k: int) -> np.ndarray:
    """State at the arc's start that explains measurements k and k + 1 with constant rates and a sphere."""
    here, there, dt = arc.poses[k], arc.poses[k + 1], arc.times[k + 1] - arc.times[k]
    x, position = np.zeros(model.numbers), here[_POSE.position]
    x[_AT.attitude], x[_AT.flat.position] = here[_POSE.quaternion], position
    x[_AT.flat.velocity] = np.clip((there[_POSE.position] - position) / max(dt, _SHORTEST), -_FAR, _FAR)
    turned, _ = model.propagated(x, model.certain(), dt)
    residual, _, _, _ = model.followed(turned, arc.times[k], arc.times[k : k + 1], there[None, :])
    turning = residual[0, _ERROR.rotation] / max(dt, _SHORTEST)
    x[_AT.flat.angular_velocity] = np.clip(turning, -_FASTEST / 4, _FASTEST / 4)
    return model.propagated(x, model.certain(), arc.times[0] - arc.times[k])[0]


def _is_near(x: np.ndarray) -> bool:
    return bool(np.all(np.abs(x) < _FAR) and np.abs(x[_RATES]).max() < _FASTEST)


def about(x: np.ndarray) -> np.ndarray:
    """Errors of x from what the prior is about: attitude and position count nothing, the others are about 0."""
    return x[x.size - PRIOR.size :]


def sized(part: np.ndarray) -> float:
    """Mean square of whitened residuals (N, 3), or that along the axis where it is largest if they are `uneven`."""
    return float(np.mean(part**2)) * uneven(part) if len(part) else 1.0


def uneven(part: np.ndarray) -> float:
    """The largest mean square along an axis, of whitened residuals (N, 3), over that of all, if Bartlett's test says
    that the three differ; else 1. A covariance that states too much along one axis may not be scaled down by that along
    the others."""
    squares = np.mean(part**2, axis=0) if len(part) else np.ones(3)
    if not squares.all():
        return float(squares.max() / squares.mean()) if squares.any() else 1.0
    unlike = len(part) * (3 * np.log(squares.mean()) - np.log(squares).sum())
    return float(squares.max() / squares.mean()) if unlike > _UNLIKE else 1.0


def _freedom(count: int) -> float:
    """Degrees of freedom lost to twenty unknowns, shared by positions and rotations."""
    return 3 * count / max(3 * count - 10, 1)


def bounded(variance: np.ndarray) -> np.ndarray:
    return np.clip(np.sqrt(variance), _SMALLEST, _LARGEST)
