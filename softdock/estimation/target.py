"""softdock's own estimator of a tumbling target: a filter at sensor rate, placed anew by a robust batch solution."""

import numpy as np

from softdock.estimation import inertia
from softdock.estimation.batch import Arc, Solution, solved, unguessed
from softdock.estimation.filter import Estimate, Filter
from softdock.estimation.layouts import POSE, TARGET, TARGET_FLAT
from softdock.estimation.measurement import Checked, Update
from softdock.estimation.model import Model

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
_AT, _POSE = TARGET.places(), POSE.places()


class TargetEstimator(Filter):
    """State in the measured frame {C}: attitude, ω, inertia, r, v, ρ: 20 errors, and nothing singular for symmetric
    bodies or pure spin. It starts by itself, from a sphere.

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
        self._seen: list[Checked] = []
        self._start = (np.nan, np.zeros(0))
        self._solved_at = -np.inf
        self._loss = np.inf
        self._refused = 0

    def _use(self, measurement: Checked) -> Update:
        self._seen.append(measurement)
        if not self._x.size:
            x = np.zeros(self.model.numbers)
            x[_AT.attitude] = measurement.pose[_POSE.quaternion]
            x[_AT.flat.position] = measurement.pose[_POSE.position]
            self._place(measurement.t, x, np.eye(self.model.errors))
            return Update(True, None, np.nan)
        nis = self._innovate(measurement, np.repeat(self.scales, 3), GATE)
        accepted = nis <= GATE
        self._refused = 0 if accepted else self._refused + 1
        if self._due(measurement.t):
            self.resolve()
        return Update(accepted, None if accepted else "gate", nis)

    def _due(self, t: float) -> bool:
        if self._refused >= PATIENCE:
            return True
        length = t - self._seen[0].t
        return len(self._seen) >= 3 and t - self._solved_at >= min(self.every, 0.25 * length) - 1e-9

    def resolve(self, *, cold: bool = False) -> Solution:
        """Solve the window anew, from the last solution or from no guess, and place the filter by it.

        If the solution is nonsense, the filter goes on without it.
        """
        newest = self._seen[-1].t
        self._seen = [one for one in self._seen if one.t >= newest - self.window]
        arc = Arc(
            np.array([one.t for one in self._seen]),
            np.array([one.pose for one in self._seen]),
            np.array([one.covariance for one in self._seen]),
        )
        solution = self._best(arc, cold)
        self.solutions += 1
        self._solved_at = newest
        if not (np.isfinite(solution.last).all() and np.isfinite(solution.covariance).all()):
            return solution
        self.scales, self._loss, self._refused = solution.scales, solution.loss, 0
        self._start = (arc.times[0], solution.x)
        self._place(newest, solution.last, solution.covariance)
        return solution

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

    def _estimate_of(self, t: float, x: np.ndarray) -> Estimate:
        position, quaternion = self.model.pose(x)
        at = _AT.flat
        parts = x[at.angular_velocity], x[at.position], x[at.velocity], x[at.offset]
        return Estimate(t, position, quaternion, *parts, inertia.of_numbers(x[at.inertia]))


def target_state(estimate: Estimate) -> np.ndarray:
    """The state (layouts.TARGET) of a target described in {C}."""
    flat = TARGET_FLAT.pack(
        angular_velocity=estimate.angular_velocity,
        inertia=inertia.numbers_of(estimate.inertia),
        position=estimate.center,
        velocity=estimate.velocity,
        offset=estimate.offset,
    )
    return TARGET.pack(attitude=estimate.quaternion, flat=flat, eta=())
