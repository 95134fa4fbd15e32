"""Accelerations linear between knots, and the states that are linear in them.

Time is measured in durations, 0 … 1. With α (K) the accelerations at the knots,

    rates       v = v₀ + V α              positions   q = q₀ + τ v₀ + Q α
    ∫ a² dτ  =  αᵀ W α

all three exact for the piecewise linear acceleration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Samples(NamedTuple):
    """Rows of positions, rates and accelerations in α at times τ."""

    tau: np.ndarray
    Q: np.ndarray
    V: np.ndarray
    A: np.ndarray


@dataclass(frozen=True)
class Knots:
    """Knots τ (K) in 0 … 1 and the matrices above."""

    tau: np.ndarray
    W: np.ndarray
    V: np.ndarray
    Q: np.ndarray

    @staticmethod
    def of(tau: np.ndarray) -> "Knots":
        count = len(tau)
        W, V, Q = (np.zeros((count, count)) for _ in range(3))
        for k, d in enumerate(np.diff(tau)):
            W[k : k + 2, k : k + 2] += d / 6 * np.array([[2.0, 1.0], [1.0, 2.0]])
            V[k + 1], Q[k + 1] = V[k], Q[k] + d * V[k]
            V[k + 1, k : k + 2] += d / 2
            Q[k + 1, k : k + 2] += d * d / 6 * np.array([2.0, 1.0])
        return Knots(tau, W, V, Q)

    def between(self, parts: int) -> "Samples":
        """The states at `parts` even times of every interval, and at the end."""
        step = np.diff(self.tau)
        wide = np.flatnonzero(step > 0)
        k = np.append(np.repeat(wide, parts), len(self.tau) - 1)
        return self._samples(k, np.append(np.outer(step[wide], np.arange(parts) / parts).ravel(), 0.0))

    def at(self, tau: np.ndarray) -> "Samples":
        """The states at times τ in 0 … 1."""
        k = np.searchsorted(self.tau, tau, side="right") - 1
        return self._samples(k, tau - self.tau[k])

    def _samples(self, k: np.ndarray, after_knot: np.ndarray) -> "Samples":
        step, s = np.diff(self.tau), after_knot[:, None]
        after = np.minimum(k + 1, len(self.tau) - 1)
        slope = np.where(step > 0, 1 / np.where(step > 0, step, 1.0), 0.0)
        identity = np.eye(len(self.tau))
        jerk = np.append(slope, 0.0)[k][:, None] * (identity[after] - identity[k])
        A = identity[k] + s * jerk
        V = self.V[k] + s * (identity[k] + s / 2 * jerk)
        Q = self.Q[k] + s * (self.V[k] + s * (identity[k] / 2 + s / 6 * jerk))
        return Samples(self.tau[k] + s[:, 0], Q, V, A)

    def hull_of_rates(self) -> np.ndarray:
        """(K − 1, K) rows whose bounds bound the rate at every time, by the convex hull of its Bézier points.

        The rate of an interval is a parabola with Bézier points v, v + a d/2 and the next v; since the
        acceleration is continuous, an inner knot's v lies between the middle points beside it.
        """
        d = np.diff(self.tau)[:, None]
        return np.asarray(self.V[:-1] + d / 2 * np.eye(len(self.tau))[:-1])

    def hull_of_positions(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows (2K − 2, K) of α, and of the start's rate (2K − 2), for positions: q + v d/3 and q' − v' d/3."""
        d = np.diff(self.tau)[:, None]
        rows = np.vstack([self.Q[:-1] + d / 3 * self.V[:-1], self.Q[1:] - d / 3 * self.V[1:]])
        tau = np.concatenate([self.tau[:-1] + d[:, 0] / 3, self.tau[1:] - d[:, 0] / 3])
        return rows, tau


def knots_through(count: int, times: Sequence[float], sharp: Sequence[bool]) -> Knots:
    """About `count` even knots and one at each way-point's time (in 0 … 1), two where a rate is given too:
    there the best acceleration jumps."""
    even = np.linspace(0.0, 1.0, count)
    inner = [x for x in even[1:-1] if all(abs(x - time) > 0.3 / (count - 1) for time in times)]
    extra = [time for time, twice in zip(times, sharp, strict=True) for _ in range(2 if twice else 1)]
    return Knots.of(np.sort(np.array([0.0, *inner, *extra, 1.0])))
