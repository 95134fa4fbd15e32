"""Whether a batch's residuals are those of its model, and what explains them if not.

A solution whose residuals are white explains its poses. If they are not, three things are tried: a larger constant
torque, a centre of mass that moves in the body, and noise of which a share is correlated (Gauss and Markov's). The
evidence of each, by Laplace's approximation, decides: it counts the prior of an unknown, and the noise's determinant.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from softdock.estimation import loops
from softdock.estimation.batch import (
    OUTLIER,
    Arc,
    Residuals,
    Solution,
    about,
    bounded,
    disturbed,
    relaxed,
    sized,
    solved_from,
    spread,
    squared,
)
from softdock.estimation.layouts import POSE_ERROR

WHITE = 4.0
"""Standard deviations of the summed autocorrelations beyond which residuals are not white."""
LAGS = (1, 4, 16)
END = 27.9
"""χ² (6 degrees of freedom) of the mean residual at the window's end that one good window in 10,000 exceeds."""
ASKED = 11.3
"""Decrease of the loss that an unknown of three numbers must promise to be tried: χ² exceeds it in one of 100."""
DECISIVE = 12.0
"""By so much the evidence (minus twice its logarithm) of something more must be better than that of the noise that the
model allows to disturb the motion."""
UNLIKELY = 0.01
"""Probability of a drift, or of a larger torque, below which it is not allowed for."""
FEWEST = 16
"""Poses below which residuals say nothing of their model."""
TIMES, SHARES = (1.0, 3.0, 10.0, 30.0), (0.1, 0.3, 0.6, 0.9, 1.0)
"""Correlation times (s) and shares of correlated noise that are tried."""
MOST_OFF = 0.05
"""Of the poses that a plain solution explains, the share that one for correlated noise may make outliers."""
_PARTS = (POSE_ERROR.places().position, POSE_ERROR.places().rotation)


class Colour(NamedTuple):
    """Noise of which `share` is correlated over `tau` (s)."""

    tau: float = 1.0
    share: float = 0.0

    def slower(self, gap: float) -> float:
        """Standard deviation of a mean over many poses, `gap` (s) apart, over that of white noise of the same size."""
        rho = np.exp(-gap / self.tau)
        return float(np.sqrt(1 - self.share + self.share * (1 + rho) / (1 - rho)))


class Explained(NamedTuple):
    """A solution, and what had to be assumed for it."""

    solution: Solution
    torque: bool = False
    drift: bool = False
    colour: Colour = Colour()
    inflated: float = 1.0
    """Factor of standard deviations, for what nothing explains."""
    perhaps: tuple[tuple[float, Solution], ...] = ()
    """What is not sure, and not absent either: a torque that was not assumed, a centre of mass that moves. How likely
    each is, and its solution; it adds to the end's covariance."""


def white(r: np.ndarray) -> bool:
    """Whether residuals (N, 6), whitened by what they are thought to be, are: neither correlated nor off at the end."""
    return _correlated(r) < WHITE and _off_at_end(r) < END


def _correlated(r: np.ndarray) -> float:
    """The largest of some sums of autocorrelations, in standard deviations that they would have if r were white."""
    worst = 0.0
    for part in _PARTS:
        e = r[:, part]
        rho = autocorrelations(e, min(LAGS[-1], len(e) // 2))
        worst = max(worst, *(rho[:lags].sum() * np.sqrt(e.size / lags) for lags in LAGS if lags <= len(rho)))
    return float(worst)


def _off_at_end(r: np.ndarray) -> float:
    last = r[-max(4, len(r) // 8) :]
    size = np.sqrt([np.mean(r[:, part] ** 2) for part in _PARTS]).repeat(3)
    return float(len(last) * np.sum((last.mean(axis=0) / np.where(size > 0, size, 1.0)) ** 2))


def autocorrelations(e: np.ndarray, lags: int) -> np.ndarray:
    """Of residuals (N, 3), of 1 to `lags`; none of residuals that are all zero, as of exact poses of a body at rest.

    By Wiener and Khinchin: sums of products would take N² for many lags, and a camera of 1 kHz has many.
    """
    power = np.abs(np.fft.rfft(e, 2 * len(e), axis=0)) ** 2
    sums = np.fft.irfft(power.sum(axis=1))[: lags + 1]
    return np.asarray(sums[1:] / sums[0] if sums[0] > 0 else np.zeros(lags))


class _Coloured:
    """The linear least squares about a fit for some colour of the noise."""

    def __init__(self, fit: Residuals, inliers: np.ndarray, colour: Colour) -> None:
        self.fit, self.colour, self.count = fit, colour, int(inliers.sum())
        self._left_out = len(inliers) - self.count
        r, J = fit.r[inliers], fit.J[inliers]
        self._r, self._J = np.empty_like(r), np.empty_like(J)
        self._log = loops.coloured(fit.arc.times[inliers], colour.tau, colour.share, r, J, self._r, self._J)
        scales = np.ones(2)
        for _ in range(2):
            scales = self._solve(scales)
        self.scales = self._solve(scales)

    def _solve(self, scales: np.ndarray) -> np.ndarray:
        prior = self.fit.prior
        self.A, b = np.diag(prior), -prior * about(self.fit.x)
        loops.normal(self._r, self._J, scales, np.ones(self.count), self.A, b)
        self.step = np.linalg.solve(self.A, b)
        self.left = self._r - self._J @ self.step
        self._squares = np.array([(self.left[:, part] ** 2).sum() for part in _PARTS])
        sizes = np.array([sized(self.left[:, part]) for part in _PARTS])
        return bounded(sizes * 3 * self.count / max(3 * self.count - 10, 1))

    def surprise(self) -> float:
        """Minus twice the logarithm of the evidence, of all poses of the arc."""
        fit, prior = self.fit, self.fit.prior[self.fit.prior > 0]
        likely = (6 * np.log(self.scales) * self.count + self._squares / self.scales**2).sum() + 6 * self._log
        size = np.sqrt(np.diag(self.A))
        volume = 2 * np.log(size).sum() + np.linalg.slogdet(self.A / np.outer(size, size))[1] - np.log(prior).sum()
        likely += _unexplained(self._left_out, self.scales)
        return float(likely + fit.prior @ (about(fit.x) + self.step) ** 2 + volume)


def _unexplained(count: int, scales: np.ndarray) -> float:
    """What poses that a solution leaves out add to minus twice the logarithm of its evidence: each as much as one that
    is just not left out. Were they free, a solution would win by whatever it does not explain."""
    return count * float(OUTLIER + 6 * np.log(scales).sum())


def explained(arc: Arc, plain: Solution, before: Explained | None = None) -> Explained:
    """The solution itself if its residuals are white; otherwise the best of those that assume something more."""
    count = int(plain.inliers.sum())
    asked = before is not None and (before.torque or before.drift or before.colour.share > 0)
    if count < FEWEST or not plain.fit.finite:
        return Explained(plain)
    if not asked and white(plain.fit.r[plain.inliers]) and _promised(plain) < ASKED:
        return _perhaps(Explained(plain))
    walked = disturbed(plain)
    best: tuple[float, Explained, _Coloured | None] | None = None
    larger: tuple[float, Solution] | None = None
    if white(walked.white):  # what the model allows for is enough
        left_out = _unexplained(len(arc.times) - count, walked.scales)
        best = walked.surprise + left_out - DECISIVE, Explained(plain), None
    for torque, drift in ((False, False), (True, False), (False, True), (True, True)):
        solution = plain
        if torque or drift:
            solution = solved_from(plain.fit.by(relaxed(torque, drift)))
        if not solution.fit.finite or solution.inliers.sum() < FEWEST:
            continue
        colours = [Colour()]
        if not white(solution.fit.r[solution.inliers]):
            colours += [Colour(tau, share) for tau in TIMES for share in SHARES]
        for colour in colours:
            found = _Coloured(solution.fit, solution.inliers, colour)
            surprise = found.surprise()
            if torque and not drift and colour.share == 0:
                larger = surprise, solution
            if best is None or surprise < best[0]:
                best = surprise, Explained(solution, torque, drift, colour), found
    assert best is not None
    chosen = best[1] if best[2] is None else _settled(best[1], best[2])
    return _perhaps(chosen, [] if larger is None or chosen.torque else [(best[0] - larger[0], larger[1])])


def _perhaps(found: Explained, others: Sequence[tuple[float, Solution]] = ()) -> Explained:
    """With how likely it is, by the evidence, that a centre of mass moves that is thought to rest, and that there are
    `others` (by how much they are less surprising): what is not sure is not absent either, and a forecast that takes
    it to be is too sure of itself."""
    resting = found.solution
    if found.drift or found.colour.share > 0 or found.inflated > 1:
        return found
    might = list(others)
    moving = solved_from(resting.fit.by(relaxed(found.torque, True, slowly=True)))
    if moving.fit.finite and moving.inliers.sum() >= FEWEST:
        rests, moves = (_Coloured(one.fit, one.inliers, Colour()).surprise() for one in (resting, moving))
        might.append((rests - moves, moving))
    odds = [float(np.exp(np.clip(better / 2, -50, 50))) for better, _ in might]
    likely = [one / (1 + sum(odds)) for one in odds]
    kept = tuple((p, one) for p, (_, one) in zip(likely, might, strict=True) if p > UNLIKELY)
    return found._replace(perhaps=kept)


def _promised(plain: Solution) -> float:
    """By how much a torque, or a centre of mass that moves, would lower the loss: Rao's score test."""
    weights, fit = plain.inliers.astype(float), plain.fit
    gains = []
    for prior in (fit.prior, relaxed(True, False), relaxed(False, True)):
        A, b = fit.normal(plain.scales, weights, prior)
        gains.append(float((fit.prior - prior) @ about(fit.x) ** 2 + b @ np.linalg.solve(A, b)))
    return max(gains[1:]) - gains[0]


def _settled(chosen: Explained, found: _Coloured) -> Explained:
    """The solution for the noise's colour, and its deviations widened by what is still not white."""
    solution = chosen.solution
    if chosen.colour.share > 0:
        for _ in range(2):
            there = found.fit.at(found.fit.model.moved(found.fit.x, found.step))
            if not there.finite:
                break
            found = _Coloured(there, solution.inliers, chosen.colour)
        if _strays(found.fit, solution):
            return _settled(chosen._replace(colour=Colour()), _Coloured(solution.fit, solution.inliers, Colour()))
        fit = found.fit
        half = spread(found.A)
        P = squared(fit.S @ half)
        solution = solution._replace(x=fit.x, last=fit.last, covariance=P, root=half, scales=found.scales, fit=fit)
    inflated = 1.0 if white(found.left) else _inflation(found.left)
    P, half = inflated**2 * solution.covariance, inflated * solution.root
    return chosen._replace(solution=solution._replace(covariance=P, root=half), inflated=inflated)


def _strays(fit: Residuals, plain: Solution) -> bool:
    """Whether a linear step for the noise's colour has led out of the plain solution's valley, along which rates,
    inertia and offset make up for each other: more poses than can be by chance are then outliers, or the newest."""
    if not fit.finite:
        return True
    off = fit.squares(plain.scales)[plain.inliers] > OUTLIER
    return bool(off.mean() > MOST_OFF or off[-4:].all())


def _inflation(r: np.ndarray) -> float:
    """By how much correlations make a mean worse than it would be of white residuals: √(1 + 2 Σ ρ)."""
    worst = 1.0
    for part in _PARTS:
        e = r[:, part]
        rho = autocorrelations(e, max(len(e) // 3 - 1, 0))
        worst = max(worst, float(np.max(1 + 2 * np.cumsum(rho))) if len(rho) else 1.0)
    return float(np.sqrt(worst))
