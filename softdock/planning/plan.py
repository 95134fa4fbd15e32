"""What a planner gives: a smooth function of time, kept as states at knots."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class Infeasible(ValueError):
    """No motion meets what was asked; the message says which bound stands in the way."""


class Sample(NamedTuple):
    """A plan at a time (or, with a leading axis, at many)."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


@dataclass(frozen=True)
class Plan:
    """n coordinates over time: accelerations linear between knots, so rates quadratic and positions cubic.

    A time that stands twice among the knots is where accelerations jump.
    """

    names: tuple[str, ...]
    t: np.ndarray
    """(K) knots (s), from 0 to the duration."""
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    """(K, n) each."""
    cost: float
    """∫ Σ wᵢ q̈ᵢ² dt."""
    kkt: float
    """Largest violation of the optimality conditions, relative (docs/planning.md)."""

    @property
    def duration(self) -> float:
        return float(self.t[-1])

    def at(self, t: ArrayLike) -> Sample:
        """The plan at time t, or times (m) along a leading axis.

        Before its start the plan is at rest at its first position; after its end it goes on at its last rate.
        """
        times = np.asarray(t, dtype=np.float64)
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 1)
        s = np.maximum(times - self.t[k], 0.0)[..., None]
        after = np.minimum(k + 1, len(self.t) - 1)
        length = self.t[after] - self.t[k]
        jerk = (self.qdd[after] - self.qdd[k]) / np.where(length > 0, length, 1.0)[..., None]
        inside = ((times >= 0) & (times <= self.duration))[..., None]
        moving = (times >= 0)[..., None]
        a0, v0 = np.where(inside, self.qdd[k], 0.0), np.where(moving, self.qd[k], 0.0)
        jerk = np.where(inside, jerk, 0.0)
        qdd = a0 + s * jerk
        qd = v0 + s * (a0 + s * jerk / 2)
        q = self.q[k] + s * (v0 + s * (a0 / 2 + s * jerk / 6))
        return Sample(q, qd, qdd)
