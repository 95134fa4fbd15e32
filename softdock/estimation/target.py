"""softdock's own estimator of a tumbling target: a filter at sensor rate, placed anew by a robust batch solution."""

from collections import deque

import numpy as np

from softdock.estimation import inertia
from softdock.estimation.batch import LEAST_INLIERS, Arc, Solution, disturbed, solved, unguessed
from softdock.estimation.doubt import Explained, explained
from softdock.estimation.filter import Aliased, Estimate, Filter
from softdock.estimation.layouts import POSE, TARGET, TARGET_FLAT
from softdock.estimation.measurement import Checked, Forecast, Update, noisier
from softdock.estimation.model import Model, definite
from softdock.spatial import conjugate, quaternion_product, vector_of_quaternion
from softdock.world import Pose

GATE = 27.9
"""NIS that one good measurement in 10,000 exceeds (χ², 6 degrees of freedom)."""
PATIENCE = 4
"""So many rejections by the gate in a row, and the batch decides anew, from no guess."""
_HIGH = 2.0
"""Standard deviation of a measurement over the stated one, until the batch knows better."""
_BAD = 3.0
"""A window's loss per measurement over the last one's, from which a start with no guess is tried as well."""
_WORST = 30.0
"""A loss per measurement from which it is, too: noise three times the stated gives 20. A stray pose among the first
three may lead to a solution that later ones do not leave by themselves."""
FASTEST = 2.0
"""Spins up to this (rad/s) are told apart from each other, or the forecast is refused."""
_ALIKE = 12.0
"""Solutions whose losses differ by less explain a window alike."""
_AT, _POSE = TARGET.places(), POSE.places()


class TargetEstimator(Filter):
    """State in the measured frame {C}: attitude, ω, inertia, r, v, ρ, a constant disturbing angular acceleration, the
    rate of ρ: 26 errors, and nothing singular for symmetric bodies or pure spin. It starts by itself, from a sphere.
    What poses ask for beyond that (`explained`) is estimated too, or widens the covariance.

    `n` (rad/s) is the orbit's rate. The batch looks back by `window` (s) and is solved anew after `every` (s), more
    often at first. Densities of disturbance (`Model`): `torque` (rad/s²/√Hz), `force` (m/s²/√Hz).
    """

    def __init__(
        self, n: float, *, window: float = 120.0, every: float = 5.0, torque: float = 1e-6, force: float = 1e-6
    ) -> None:
        if not (window > 0 and every >= 0):
            raise ValueError(f"window must be positive and every not negative, not {window} and {every}")
        super().__init__(Model("target", n, torque, force))
        self.window, self.every = window, every
        self.scales = np.full(2, _HIGH)
        """Standard deviation of positions and of rotations over what their covariances say."""
        self.solutions = 0
        """How many batches were solved."""
        self.explained: Explained | None = None
        """What the last batch had to assume: a torque, a centre of mass that moves, correlated noise; None before."""
        self._seen: deque[Checked] = deque()
        self._start = (np.nan, np.zeros(0))
        self._solved_at = -np.inf
        self._loss = np.inf
        self._refused = 0
        self._slowness = 1.0
        self._solution: tuple[float, Solution] | None = None
        self._might_be: np.ndarray | None = None
        self.aliases: tuple[float, ...] = ()
        """Other rates of spin (rad/s) that explain the poses as well, because these are too far apart in time."""

    def _use(self, measurement: Checked) -> Update:
        while self._seen and self._seen[0].t < measurement.t - self.window:
            self._seen.popleft()
        self._seen.append(measurement)
        if not self._x.size:
            x = np.zeros(self.model.numbers)
            x[_AT.attitude] = measurement.pose[_POSE.quaternion]
            x[_AT.flat.position] = measurement.pose[_POSE.position]
            self._place(measurement.t, x, np.eye(self.model.errors))
            return Update(True, None, np.nan)
        noisy = noisier(measurement.covariance, self._slowness * self.scales)
        nis = self._innovate(measurement._replace(covariance=noisy), GATE)
        accepted = nis <= GATE
        self._refused = 0 if accepted else self._refused + 1
        if self._due(measurement.t):
            self.resolve()
        return Update(accepted, None if accepted else "gate", nis)

    def _due(self, t: float) -> bool:
        if len(self._seen) < 3:
            return False
        if self._refused >= PATIENCE:
            return True
        length = t - self._seen[0].t
        return t - self._solved_at >= min(self.every, 0.25 * length) - 1e-9

    def resolve(self, *, cold: bool = False) -> Solution:
        """Solve the window anew, from the last solution or from no guess, and place the filter by it.

        If the solution is nonsense, the filter goes on without it.
        """
        newest = self._seen[-1].t
        arc = Arc(
            np.array([one.t for one in self._seen]),
            np.array([one.pose for one in self._seen]),
            np.array([one.covariance for one in self._seen]),
        )
        plain = self._unaliased(arc, self._best(arc, cold))
        self.solutions += 1
        self._solved_at = newest
        found = explained(arc, plain, self.explained)
        solution = found.solution
        self._solution = self._might_be = None
        self._foreseen.clear()  # by another sample from now on
        if not (np.isfinite(solution.last).all() and np.isfinite(solution.covariance).all()):
            return solution
        self.explained, self._slowness = found, found.inflated
        if found.colour.share > 0:
            self._slowness *= found.colour.slower(float(np.median(np.diff(arc.times))))
        self.scales, self._loss, self._refused = solution.scales, plain.loss, 0
        self._start = (arc.times[0], plain.x)
        self._solution = (newest - arc.times[0], solution)
        self._place(newest, *self._at_end(found))
        return solution

    def _at_end(self, found: Explained) -> tuple[np.ndarray, np.ndarray]:
        """State and covariance at the window's end; of all, where several solutions are likely."""
        x, P = self._end_of(found)
        scales, mean, total, left = self.scales, np.zeros(len(P)), np.zeros_like(P), 1.0
        for likely, other in found.perhaps:
            y, Q = self._end_of(Explained(other))
            e = _apart(x, y)
            mean, total, left = mean + likely * e, total + likely * (Q + np.outer(e, e)), left - likely
        self.scales = scales
        if left == 1.0:
            return x, P
        return self.model.moved(x, mean), left * P + total - np.outer(mean, mean)

    def _end_of(self, found: Explained) -> tuple[np.ndarray, np.ndarray]:
        """State and covariance at the window's end, of a motion that is disturbed as the model allows."""
        solution = found.solution
        undisturbed = found.colour.share > 0 or not np.any(self.model.theta[1:])  # noise that lasts hides what disturbs
        if undisturbed or solution.inliers.sum() < LEAST_INLIERS:
            return solution.last, solution.covariance
        end = disturbed(solution)
        x, P = self.model.moved(solution.last, end.error), found.inflated**2 * definite(end.covariance)
        if not (np.isfinite(end.surprise) and np.isfinite(x).all() and np.isfinite(P).all()):
            return solution.last, solution.covariance
        self.scales = end.scales
        return x, P

    def _sample(self, t: float) -> tuple[np.ndarray, float]:
        """States that the target might have had at the last batch's end, from a sample at its start: what the window's
        own motion does to the batch's covariance is not linear either (NEES of 11 instead of 6, docs/estimation.md)."""
        if self._solution is None:
            return super()._sample(t)
        if self._might_be is None:
            window, solution = self._solution
            self._might_be = self.model.sampled(solution.x, solution.root)
            self.model.advanced(self._might_be, window)
        return self._might_be, t - self._solved_at

    def _best(self, arc: Arc, cold: bool) -> Solution:
        t, x = self._start
        if cold or not x.size or self._refused >= PATIENCE:
            return unguessed(self.model, arc)
        if arc.times[0] != t:
            x, _ = self.model.propagated(x, self.model.certain(), arc.times[0] - t)
        warm = solved(self.model, arc, x)
        if warm.loss < min(_BAD * self._loss, _WORST) and np.isfinite(warm.last).all():
            return warm
        return min(warm, unguessed(self.model, arc), key=lambda solution: solution.loss)

    def _unaliased(self, arc: Arc, found: Solution) -> Solution:
        """The best of the solutions that turn once more, or less, from one pose to the next. Those of poses at
        equal times that the motion does not tell apart either are `aliases`, and there is no forecast."""
        self.aliases, gap = (), float(np.quantile(np.diff(arc.times), 0.1)) if len(arc.times) > 2 else 0.0
        if gap * FASTEST <= np.pi or not np.isfinite(found.last).all():
            return found
        spin = found.x[_AT.flat.angular_velocity]
        rate = float(np.linalg.norm(spin))
        axis = spin / rate if rate > 1e-9 else np.array([0.0, 0.0, 1.0])
        others = []
        for turns in (-1, 1):
            other = rate + 2 * np.pi * turns / gap
            if abs(other) < FASTEST:
                x = found.x.copy()
                x[_AT.flat.angular_velocity] = other * axis
                others.append(solved(self.model, arc, x))
        apart = np.pi / gap
        best = min([found, *others], key=lambda solution: solution.loss)
        spin = best.x[_AT.flat.angular_velocity]
        for one in (found, *others):
            other_spin = one.x[_AT.flat.angular_velocity]
            alike = (one.loss - best.loss) * len(arc.times) < _ALIKE
            if alike and np.linalg.norm(other_spin - spin) > apart:
                self.aliases += (float(np.linalg.norm(other_spin)),)
        return best

    def forecast(self, t: float, frame: Pose | None = None) -> Forecast:
        """As of any estimator; Aliased where the poses do not tell which of several spins it is."""
        self._refuse_aliased(t)
        return super().forecast(t, frame)

    def expected(self, t: float) -> np.ndarray:
        """As of any estimator; Aliased as in `forecast`."""
        self._refuse_aliased(t)
        return super().expected(t)

    def _refuse_aliased(self, t: float) -> None:
        if self.aliases and t > self._at:
            rates = [float(np.linalg.norm(self._x[_AT.flat.angular_velocity])), *self.aliases]
            told = " and ".join(f"{np.degrees(rate):.1f}" for rate in sorted(rates)[:3])
            raise Aliased(f"no forecast: spins of {told} deg/s explain the poses alike; measure more often")

    def _estimate_of(self, t: float, x: np.ndarray) -> Estimate:
        position, quaternion = self.model.pose(x)
        at = _AT.flat
        parts = x[at.angular_velocity], x[at.position], x[at.velocity], x[at.offset]
        disturbed = x[at.acceleration], x[at.drift]
        return Estimate(t, position, quaternion, *parts, inertia.of_numbers(x[at.inertia]), *disturbed)


def _apart(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The error e of x for which x ⊕ e is y."""
    turn = quaternion_product(conjugate(x[_AT.attitude]), y[_AT.attitude])
    rest = _AT.attitude.stop
    return np.concatenate([vector_of_quaternion(turn), y[rest:] - x[rest:]])


def target_state(estimate: Estimate) -> np.ndarray:
    """The state (layouts.TARGET) of a target described in {C}."""
    flat = TARGET_FLAT.pack(
        angular_velocity=estimate.angular_velocity,
        inertia=inertia.numbers_of(estimate.inertia),
        position=estimate.center,
        velocity=estimate.velocity,
        offset=estimate.offset,
        acceleration=estimate.acceleration,
        drift=estimate.drift,
    )
    return TARGET.pack(attitude=estimate.quaternion, flat=flat, eta=())
