"""What a planner gives: a smooth function of time, kept as states at knots."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class Infeasible(ValueError):
    """No motion meets what was asked; the message says which bound stands in the way. It may take long to find that, so
    `why` may be a function, which is asked when somebody reads it."""

    def __init__(self, why: str | Callable[[], str]) -> None:
        super().__init__(why)

    def __str__(self) -> str:
        (why,) = self.args
        if callable(why):
            self.args = (why(),)
        return str(self.args[0])

    def __reduce__(self) -> tuple[type["Infeasible"], tuple[str]]:
        return type(self), (str(self),)


class Sample(NamedTuple):
    """A plan at a time (or, with a leading axis, at many)."""

    q: np.ndarray
    """(m or rad)."""
    qd: np.ndarray
    """(m/s or rad/s)."""
    qdd: np.ndarray
    """(m/s² or rad/s²)."""


class Pieces(NamedTuple):
    """Cubic pieces, as SciPy's `CubicSpline` has them."""

    x: np.ndarray
    """(K + 1) where they begin, and the last one ends (s)."""
    c: np.ndarray
    """(4, K, n): piece i is Σ c[k, i] (t − x[i])^(3 − k) (m or rad)."""


def sampled(cubics: Any, t: float | np.ndarray) -> Sample:
    """Cubic pieces with `x` and `c` as of `Pieces` at a time, or times (m) along a leading axis; before and after them,
    the first and the last one. As SciPy's own calls, which take several times as long for so few numbers."""
    s: Any
    if isinstance(t, np.ndarray):
        pieces = np.clip(np.searchsorted(cubics.x, t, side="right") - 1, 0, len(cubics.x) - 2)
        s, (c3, c2, c1, c0) = (t - cubics.x[pieces])[:, None], cubics.c[:, pieces]
    else:
        k = min(max(bisect_right(cubics.x, t) - 1, 0), len(cubics.x) - 2)
        s, (c3, c2, c1, c0) = t - float(cubics.x[k]), cubics.c[:, k]
    square = s * s
    return Sample(
        c0 + c1 * s + c2 * square + c3 * (square * s), c1 + c2 * s * 2.0 + c3 * square * 3.0, c2 * 2.0 + c3 * s * 6.0
    )


@dataclass(frozen=True)
class Plan:
    """n coordinates over time: accelerations linear between knots, so rates quadratic and positions cubic.

    A time that stands twice among the knots is where accelerations jump.
    """

    names: tuple[str, ...]
    t: np.ndarray
    """(K) knots (s), from 0 to the duration."""
    q: np.ndarray
    """(K, n) at the knots (m or rad)."""
    qd: np.ndarray
    """(K, n) (m/s or rad/s)."""
    qdd: np.ndarray
    """(K, n) (m/s² or rad/s²)."""
    cost: float
    """∫ Σ wᵢ q̈ᵢ² dt (m²/s³ or rad²/s³)."""
    kkt: float
    """Largest violation of the optimality conditions, relative: docs/planning.md (-)."""

    @property
    def duration(self) -> float:
        return float(self.t[-1])

    def cubics(self, begins: float = 0.0) -> Pieces:
        """The plan's pieces, if it begins at a time `begins` (s)."""
        k = np.flatnonzero(np.diff(self.t) > 0)
        jerk = (self.qdd[k + 1] - self.qdd[k]) / (self.t[k + 1] - self.t[k])[:, None]
        c = np.stack([jerk / 6, self.qdd[k] / 2, self.qd[k], self.q[k]])
        return Pieces(begins + np.append(self.t[k], self.t[-1]), c)

    def at(self, t: ArrayLike) -> Sample:
        """The plan at time t, or times (m) along a leading axis.

        Before its start the plan is at rest at its first position; after its end it goes on at its last rate.
        """
        times = np.asarray(t, dtype=np.float64)
        if times.ndim == 0:
            return Sample(*self._at(float(times)))
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 1)
        after = np.minimum(k + 1, len(self.t) - 1)
        moving, inside = (times >= 0)[:, None], ((times >= 0) & (times <= self.duration))[:, None]
        length = np.where(after > k, self.t[after] - self.t[k], 1.0)[:, None]
        s = np.maximum(times - self.t[k], 0.0)[:, None]
        v, a = np.where(moving, self.qd[k], 0.0), np.where(inside, self.qdd[k], 0.0)
        jerk = np.where(inside, (self.qdd[after] - self.qdd[k]) / length, 0.0)
        return Sample(self.q[k] + s * (v + s * (a / 2 + s / 6 * jerk)), v + s * (a + s / 2 * jerk), a + s * jerk)

    def _at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        last = len(self.t) - 1
        if t < 0.0:
            still = np.zeros(len(self.names))
            return self.q[0].copy(), still, still.copy()
        k = bisect_right(self.t, t) - 1
        if k == last:
            s = t - self.t[k]
            still = np.zeros(len(self.names))
            return self.q[k] + s * self.qd[k], self.qd[k].copy(), self.qdd[k].copy() if s == 0.0 else still
        s = t - self.t[k]
        a, v = self.qdd[k], self.qd[k]
        jerk = (self.qdd[k + 1] - a) / (self.t[k + 1] - self.t[k])
        return self.q[k] + s * (v + s * (a / 2 + s / 6 * jerk)), v + s * (a + s / 2 * jerk), a + s * jerk
