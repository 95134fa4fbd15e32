"""Motions that show an arm's parameters: Fourier series with the best-conditioned regressor found."""

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from softdock.arm.identify import Base
from softdock.arm.serial import SerialArm
from softdock.arm.torques import regressor
from softdock.arm.trajectories import Samples

HARMONICS = 5
_SAMPLES = 120
_ANYWHERE = np.pi
"""How far a joint without limits may go from zero (rad or m)."""


@dataclass(frozen=True, eq=False)
class Excitation:
    """q = q₀ + Σ_k (a_k sin kωt − b_k cos kωt)/(kω): periodic, and at rest at t = 0 for an instant.

    Only for an instant: where a joint dwells it sticks, and friction is anything.
    """

    period: float
    """(s)."""
    offset: np.ndarray
    """(n): q₀ (rad)."""
    sine: np.ndarray
    """(n, harmonics): a_k (rad/s)."""
    cosine: np.ndarray
    """(n, harmonics): b_k (rad/s)."""
    condition: float = np.inf
    """Of the regressor's base columns, each scaled by its size in random motions (-)."""

    def samples(self, t: np.ndarray) -> Samples:
        """Positions, rates and accelerations at times t (N)."""
        w = 2 * np.pi / self.period * np.arange(1, self.sine.shape[1] + 1)
        s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        q = self.offset + (s / w) @ self.sine.T - (c / w) @ self.cosine.T
        return Samples(
            np.asarray(t), q, c @ self.sine.T + s @ self.cosine.T, (c * w) @ self.cosine.T - (s * w) @ self.sine.T
        )

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same at one time: a reference to follow (`control.Follow`)."""
        _, q, v, a = self.samples(np.array([t]))
        return q[0], v[0], a[0]


def excite(
    arm: SerialArm,
    *,
    period: float = 10.0,
    rate: float = 1.0,
    acceleration: float = 3.0,
    tries: int = 400,
    seed: int = 0,
) -> Excitation:
    """A motion within the joints' limits, with rates and accelerations up to the given ones (rad/s, rad/s²).

    Random draws, then mutations of the best (a tenth of the tries are draws). Every candidate is scaled to just keep
    the limits, so the search itself has none.
    """
    for what, value in (("period", period), ("rate", rate), ("acceleration", acceleration)):
        if not (np.isfinite(value) and value > 0):
            raise ValueError(f"{what} must be a positive number, not {value}")
    with threadpool_limits(1):
        return _search(arm, (period, rate, acceleration), tries, seed)


def _search(arm: SerialArm, bounds: tuple[float, float, float], tries: int, seed: int) -> Excitation:
    rng, base = np.random.default_rng(seed), Base(arm)
    shape = (arm.n, 2 * HARMONICS + 1)
    best, best_raw, step = None, rng.normal(size=shape), 0.5
    for k in range(tries):
        fresh = k < max(1, tries // 10)
        raw = rng.normal(size=shape) if fresh else best_raw + step * rng.normal(size=shape) * (rng.random(shape) < 0.3)
        made = _within(arm, raw, *bounds, base)
        if best is None or made.condition < best.condition:
            best, best_raw, step = made, raw, min(1.0, 1.5 * step)
        elif not fresh:
            step = max(0.02, 0.97 * step)
    if best is None:
        raise ValueError(f"tries must be at least 1, not {tries}")
    return best


def _within(arm: SerialArm, raw: np.ndarray, period: float, rate: float, acceleration: float, base: Base) -> Excitation:
    """The candidate with these raw numbers, as large as the limits let it be."""
    sine, cosine = raw[:, :HARMONICS].copy(), raw[:, HARMONICS:-1].copy()
    sine -= sine.mean(axis=1, keepdims=True)  # no rate at t = 0
    t = np.linspace(0.0, period, _SAMPLES, endpoint=False)
    free = Excitation(period, np.zeros(arm.n), sine, cosine)
    _, q, v, a = free.samples(t)
    lower, upper = (np.where(np.isfinite(x), x, s * _ANYWHERE) for x, s in ((arm.lower, -1), (arm.upper, 1)))
    lower, upper = lower + 0.02 * (upper - lower), upper - 0.02 * (upper - lower)
    low, high = q.min(axis=0), q.max(axis=0)
    size = np.min(
        [rate / np.abs(v).max(axis=0), acceleration / np.abs(a).max(axis=0), (upper - lower) / (high - low)], axis=0
    )
    size *= 0.99  # between samples it may be a little more
    place = 1 / (1 + np.exp(-raw[:, -1]))
    offset = lower - size * low + place * (upper - lower - size * (high - low))
    scaled = Excitation(period, offset, sine * size[:, None], cosine * size[:, None])
    _, q, v, a = scaled.samples(t)
    Y = regressor(arm, q, v, a).reshape(-1, 10 * arm.n)[:, base.columns] / base.size[base.columns]
    values = np.linalg.svd(Y, compute_uv=False)
    return Excitation(period, offset, scaled.sine, scaled.cosine, float(values[0] / max(values[-1], 1e-300)))
