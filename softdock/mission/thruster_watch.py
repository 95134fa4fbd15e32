"""Thrusters that fail, found by the impulse that a craft's own sensors measure."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from softdock.world.thrusters import Thruster

NOISE = (0.02, 0.02)
"""Least standard deviations of an impulse (N s) and its moment (N m s) of a period, as they are measured: what a rigid
model with pulses in the middle of a period leaves is a fifth of it."""
SURE = 200.0
"""By so much must a failure explain what was measured better than none does, and than any other failure: a difference
of squares over the noise's variance, or minus twice a logarithm of likelihoods (-)."""

Failed = Literal["stuck on", "stuck off"]


class Verdict(NamedTuple):
    """A thruster that does not do what it is told."""

    thruster: str
    how: Failed


class ThrusterWatch:
    """Page's test on each failure of each thruster, period by period.

    With on-times τ of a `period` (s) the impulse Wτ is expected; r is what was measured beyond it. Thruster i stuck
    off would give r = −W_i τ_i, stuck on r = W_i (period − τ_i). The score of a failure that would give p grows by
    (|r|² − |r − p|²)/σ² and does not fall below 0. Of a failure, the test finds what it is in one period if the valve
    stays open, and in a few pulses if it stays shut. `noise` (N s, N m s) is that of the sensors.
    """

    def __init__(self, thrusters: Sequence[Thruster], period: float, noise: tuple[float, float] = (0.0, 0.0)) -> None:
        self.names, self.period = [one.name for one in thrusters], period
        sigma = np.repeat(np.hypot(NOISE, noise), 3)
        self._W = np.array([one.wrench for one in thrusters]).T / sigma[:, None]
        self._sigma = sigma
        self._scores = np.zeros((2, len(self.names)))
        self._known = np.zeros(len(self.names), bool)

    def see(self, beyond: np.ndarray, times: np.ndarray) -> Verdict | None:
        """Take what was measured `beyond` (6; N s, N m s, in the body, about its origin) what on-times (s) give."""
        r = np.asarray(beyond) / self._sigma
        would = np.stack([self._W * (self.period - times), -self._W * times])  # (2, 6, n)
        gain = 2 * np.einsum("j,kjn->kn", r, would) - np.einsum("kjn,kjn->kn", would, would)
        self._scores = np.where(self._known, 0.0, np.maximum(self._scores + gain, 0.0))
        best = int(np.argmax(self._scores))
        others = np.delete(self._scores.ravel(), best)
        if self._scores.ravel()[best] - others.max(initial=0.0) < SURE:
            return None
        how, k = divmod(best, len(self.names))
        self._known[k] = True
        self._scores[:] = 0.0
        return Verdict(self.names[k], "stuck off" if how else "stuck on")
