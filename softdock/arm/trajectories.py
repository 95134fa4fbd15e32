"""The two motions of Korczyk et al."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

UPRIGHT = np.array([0.0, -np.pi / 2, 0.0, 0.0, 0.0, 0.0, 0.0])
"""Sawyer stretched upward; at rest, q = 0, it is stretched out along x."""


class Samples(NamedTuple):
    """Times (N) and joint positions, rates and accelerations (N, n)."""

    t: np.ndarray
    """(s)."""
    q: np.ndarray
    """(m or rad)."""
    v: np.ndarray
    """(m/s or rad/s)."""
    a: np.ndarray
    """(m/s² or rad/s²)."""


def table_1(t: ArrayLike, n: int = 7) -> Samples:
    """Table 1: sin t for joints 1, 3, 5, 7 and cos t for joints 2, 4, 6."""
    times = np.asarray(t, dtype=np.float64)
    odd = np.arange(n) % 2 == 0
    s, c = np.sin(times)[:, None], np.cos(times)[:, None]
    q = np.where(odd, s, c)
    return Samples(times, q, np.where(odd, c, -s), -q)


def table_1_from_rest(t: ArrayLike, ease: float, n: int = 7) -> Samples:
    """Table 1 begun at rest: its time runs from standstill to full speed within `ease` seconds, then lags ease/2."""
    if not ease > 0:
        raise ValueError(f"ease is {ease} s; it must be positive")
    times = np.asarray(t, dtype=np.float64)
    x = np.clip(times / ease, 0.0, 1.0)
    phase = ease * x**4 * (2.5 - 3 * x + x**2) + np.maximum(times - ease, 0.0)
    speed, change = (x**3 * (10 - 15 * x + 6 * x**2))[:, None], (30 * x**2 * (1 - x) ** 2 / ease)[:, None]
    _, q, v, a = table_1(phase, n)
    return Samples(times, q, v * speed, a * speed**2 + v * change)


def rest_to_rest(t: ArrayLike, start: ArrayLike, end: ArrayLike, duration: float) -> Samples:
    """From rest at `start` to rest at `end` by the polynomial of degree 5 with no acceleration at either end."""
    if not duration > 0:
        raise ValueError(f"duration is {duration} s; it must be positive")
    times = np.asarray(t, dtype=np.float64)
    x = np.clip(times / duration, 0.0, 1.0)[:, None]
    q0, change = np.asarray(start, dtype=np.float64), np.subtract(end, start)
    q = q0 + change * (x**3 * (10 - 15 * x + 6 * x**2))
    v = change * (30 * x**2 * (1 - x) ** 2) / duration
    a = change * (60 * x * (1 - x) * (1 - 2 * x)) / duration**2
    return Samples(times, q, v, a)


def rest_to_upright(t: ArrayLike, duration: float = 5.0) -> Samples:
    """Sawyer from its rest pose along x to the upward pose. The paper shows no duration; 5 s is chosen."""
    return rest_to_rest(t, np.zeros(7), UPRIGHT, duration)
