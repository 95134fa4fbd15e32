"""Controllers that follow a reference: PD, and computed torque."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from softdock.control.actuation import Actuation, Reach
from softdock.control.damped import inverse
from softdock.control.driven import least
from softdock.control.reference import Chart, Reference
from softdock.dynamics import Dynamics

TINY = np.finfo(float).tiny
SINGULAR = 1e-4
"""Singular values, of what actuators do to what is tracked, below which their inverse is damped (-)."""


def positive(what: str, value: float) -> float:
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{what} must be a positive number, not {value}")
    return float(value)


def gains(what: str, value: ArrayLike, count: int) -> np.ndarray:
    """One gain for all or one for each."""
    row = np.asarray(value, dtype=np.float64)
    if row.ndim > 1 or (row.ndim == 1 and len(row) != count) or not np.all(np.isfinite(row)) or np.any(row < 0):
        raise ValueError(f"{what} must be a number that is not negative, or {count} of them")
    return np.broadcast_to(row, (count,))


class PD:
    """Force kp (wanted − q) + kd (wanted rate − v) at the driven velocities; turns in space by rotation vector.

    `kp` (N m/rad or N/m), `kd` (N m s/rad or N s/m). Unlike a `Servo`, it acts once a `period` (s), outside the step.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        reference: Reference,
        *,
        kp: ArrayLike,
        kd: ArrayLike,
        period: float,
        actuators: Iterable[str] | None = None,
    ) -> None:
        self.period = positive("the period", period)
        self._reference, self._chart, self._actuators = reference, Chart(dynamics), Actuation(dynamics, actuators)
        self._kp = gains("kp", kp, len(self._actuators.U))
        self._kd = gains("kd", kd, len(self._actuators.U))

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        e, rate = self._chart.errors(self._reference(t), q, v)
        U = self._actuators.U
        command = np.zeros(len(v))
        command[U] = self._kp * e[U] + self._kd * rate[U] - self._actuators.own(q, v)[U]
        return command


class Ahead:
    """The state in the middle of the period for which a command is held: a command computed there is right to
    second order in the period over the whole of it, one computed at its beginning to first order only."""

    def __init__(self, chart: Chart, period: float, nv: int) -> None:
        self._chart, self._period = chart, period
        self._t, self._a = -np.inf, np.zeros(nv)

    def state(self, t: float, q: np.ndarray, v: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Time, q and v half a period on, going by the last period's acceleration if there was one."""
        half, a = self._period / 2, self.acceleration(t)
        return t + half, self._chart.moved(q, v + half / 2 * a, half), v + half * a

    def acceleration(self, t: float) -> np.ndarray:
        """Of the last period, if this follows it; else none."""
        return self._a if abs(t - self._t - self._period) < 1e-6 * self._period else np.zeros(len(self._a))

    def remember(self, t: float, a: np.ndarray) -> None:
        self._t, self._a = t, a


class ComputedTorque:
    """Accelerations a* = a_ref + kd (v_ref − v) + kp (q_ref − q) of the tracked velocities (Asci & Nanjangud, eq. 4).

    Actuators may be fewer than the velocities, or elsewhere: the driven accelerations are solved for that give
    the tracked ones a* with nothing at the others (docs/control.md). A free-floating arm tracks its joints; with
    wheels among the actuators, the base's attitude ("base.wx", …) can be tracked as well. `kp` (1/s²), `kd` (1/s),
    `period` (s).

    With what each actuator can give, `largest` (N or N m), by velocities, the tracked accelerations are all asked for
    in part, if together they would take more: cutting off what is too much would set moving what is not to move.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        reference: Reference,
        *,
        kp: ArrayLike,
        kd: ArrayLike,
        period: float,
        actuators: Iterable[str] | None = None,
        tracked: Iterable[str] | None = None,
        largest: ArrayLike | None = None,
    ) -> None:
        self.period = positive("the period", period)
        self._reference, self._chart, self._actuators = reference, Chart(dynamics), Actuation(dynamics, actuators)
        self._largest = None if largest is None else np.asarray(largest, float)
        self._tracked = self._actuators.U if tracked is None else dynamics.layout.velocities(tracked)
        if len(self._tracked) > len(self._actuators.U):
            raise ValueError(f"{len(self._actuators.U)} actuators cannot track {len(self._tracked)} velocities")
        self._direct = np.array_equal(self._tracked, self._actuators.U)
        self._kp = gains("kp", kp, len(self._tracked))
        self._kd = gains("kd", kd, len(self._tracked))
        self._ahead = Ahead(self._chart, self.period, dynamics.nv)
        self._actuators.at(0.0, dynamics.layout.neutral(), np.zeros(dynamics.nv))  # loads kernels before a clock starts

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        e, rate = self._chart.errors(self._reference(t), q, v)
        middle = self._ahead.state(t, q, v)
        T = self._tracked
        wanted = self._reference(middle[0]).a[T] + self._kp * e[T] + self._kd * rate[T]
        reach = self._actuators.at(*middle, self.period, self._ahead.acceleration(t))
        a = reach.S @ self._driven(reach, wanted) + reach.s
        command = self._actuators.command(reach, a)
        if self._largest is not None and np.any(np.abs(command) > self._largest):
            a, command = self._in_part(reach, a, command, self._largest)
        self._ahead.remember(t, a)
        return command

    def _in_part(
        self, reach: Reach, a: np.ndarray, command: np.ndarray, largest: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """As much of the accelerations as no actuator is too weak for, between none of them and all."""
        none = reach.S @ self._driven(reach, np.zeros(len(self._tracked))) + reach.s
        least = self._actuators.command(reach, none)
        more = command - least
        moved = (np.abs(more) > 0) & (np.abs(least) < largest)
        room = np.where(more > 0, largest - least, -largest - least)[moved] / more[moved]
        share = float(np.clip(room.min(initial=1.0), 0.0, 1.0))
        return none + share * (a - none), least + share * more

    def _driven(self, reach: Reach, wanted: np.ndarray) -> np.ndarray:
        """The least driven accelerations that give the tracked ones; damped where some cannot be given."""
        if self._direct:
            return wanted
        if len(self._tracked) == len(self._actuators.U):
            driven, is_sure = least(reach.S, reach.s, self._tracked, wanted, TINY, SINGULAR)
            if is_sure:
                return np.asarray(driven)
        A, b = reach.S[self._tracked], wanted - reach.s[self._tracked]
        if A.shape[0] < A.shape[1]:
            return inverse(A, SINGULAR * float(np.linalg.norm(A, 2))) @ b
        sizes = np.sqrt(np.add.reduce(A * A, axis=0)) + TINY  # a wheel does little to its body, yet all that it can
        return (inverse(A / sizes, SINGULAR) @ b) / sizes
