"""Trajectories of the joints of 'capture': anything with `at(t)`, which gives their angles, rates and accelerations."""

from typing import Any

import numpy as np

from softdock.planning.plan import Sample


class JointTrajectory:
    """A plan (anything with `at`) from a time on; before that its first state, after its `end` its last, at rest."""

    def __init__(self, plan: Any, begins: float, end: float = np.inf) -> None:
        self.plan, self.begins, self.end = plan, begins, end

    def at(self, t: float) -> Sample:
        if t > self.end:
            q = self.plan.at(self.end - self.begins).q
            return Sample(q, np.zeros(len(q)), np.zeros(len(q)))
        return self.plan.at(t - self.begins)


class Spline:
    """Joint values through knots, with given rates at both ends."""

    def __init__(self, t: np.ndarray, q: np.ndarray, rates: tuple[np.ndarray, np.ndarray]) -> None:
        from scipy.interpolate import CubicSpline

        self._curve = CubicSpline(t, q, bc_type=((1, rates[0]), (1, rates[1])))
        self.duration = float(t[-1])

    def at(self, t: float) -> Sample:
        return Sample(self._curve(t), self._curve(t, 1), self._curve(t, 2))
