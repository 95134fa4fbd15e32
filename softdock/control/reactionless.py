"""Motion of an arm that leaves its free base alone (reaction null space: Nenchev, Umetani & Yoshida 1992)."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from softdock.control.actuation import Actuation
from softdock.control.damped import inverse
from softdock.control.reference import Chart, Reference, Wanted
from softdock.control.tracking import SINGULAR, Ahead, gains, positive
from softdock.dynamics import Dynamics


class Reactionless:
    """Joints follow a reference as far as they can without disturbing the attitude of a free base.

    The base's angular acceleration is S_w a_U + s_w (actuation.py). First comes −base_kd ω + base_kp e for it, where
    e leads back to the attitude at the first call; what a reference wants of the joints is added in the
    null space of S_w. With a world at rest at the start, S_w a_U is the whole reaction. Gains: `kp`
    (1/s²), `kd` (1/s), `base_kp` (1/s²), `base_kd` (1/s); `period` (s).
    """

    def __init__(
        self,
        dynamics: Dynamics,
        base: str,
        reference: Reference,
        *,
        period: float,
        kp: ArrayLike = 0.0,
        kd: ArrayLike = 1.0,
        base_kp: float = 100.0,
        base_kd: float = 20.0,
        actuators: Iterable[str] | None = None,
    ) -> None:
        if dynamics.layout.kind.get(base) not in ("free", "spherical"):
            raise ValueError(f"{base!r} has no attitude that an arm could disturb")
        self.period = positive("the period", period)
        self._reference, self._chart, self._actuators = reference, Chart(dynamics), Actuation(dynamics, actuators)
        count = len(self._actuators.U)
        if count <= 3:
            raise ValueError(f"{count} actuators leave no motion without reaction; it takes more than 3")
        self._kp, self._kd = gains("kp", kp, count), gains("kd", kd, count)
        self._base_kp, self._base_kd = positive("base_kp", base_kp), positive("base_kd", base_kd)
        end = dynamics.layout.v[base].stop
        self._turn = slice(end - 3, end)
        self._ahead = Ahead(self._chart, self.period, dynamics.nv)
        self._home: Wanted | None = None

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        still = np.zeros(len(v))
        if self._home is None:
            self._home = Wanted(q.copy(), still, still)
        e, rate = self._chart.errors(self._reference(t), q, v)
        off, turning = self._chart.errors(self._home, q, v)
        middle = self._ahead.state(t, q, v)
        U, w = self._actuators.U, self._turn
        wanted = self._reference(middle[0]).a[U] + self._kp * e[U] + self._kd * rate[U]
        reach = self._actuators.at(*middle, self.period, self._ahead.acceleration(t))
        S_w = reach.S[w]
        restoring = self._base_kp * off[w] + self._base_kd * turning[w] - reach.s[w]
        driven = wanted + inverse(S_w, SINGULAR * float(np.linalg.norm(S_w, 2))) @ (restoring - S_w @ wanted)
        a = reach.S @ driven + reach.s
        self._ahead.remember(t, a)
        return self._actuators.command(reach, a)
