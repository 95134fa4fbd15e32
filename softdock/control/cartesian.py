"""A frame driven in space by an arm whose base is free: the generalised Jacobian (Umetani & Yoshida 1989)."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.control.actuation import Actuation, Reach
from softdock.control.damped import inverse
from softdock.control.reference import Chart, Wanted
from softdock.control.tracking import SINGULAR, Ahead, positive
from softdock.control.wheels import ReactionWheels
from softdock.dynamics import Dynamics
from softdock.spatial import vector_of_matrix

OFF, STILL = 1e-3, 1.0
"""A frame that is off by more (rad or m), and has rested for so long (s), has stalled."""


class Target(NamedTuple):
    """Where a frame should be, its angular and linear velocity and acceleration, all in world axes."""

    R: np.ndarray | None
    """R_WF (3, 3); None leaves it free (-)."""
    p: np.ndarray
    """p_WF (m)."""
    w: ArrayLike = (0.0, 0.0, 0.0)
    """(rad/s)."""
    v: ArrayLike = (0.0, 0.0, 0.0)
    """(m/s)."""
    alpha: ArrayLike = (0.0, 0.0, 0.0)
    """(rad/s²)."""
    a: ArrayLike = (0.0, 0.0, 0.0)
    """(m/s²)."""


def generalised_jacobian(
    dynamics: Dynamics, frame: str, q: ArrayLike, actuators: Iterable[str] | None = None
) -> np.ndarray:
    """J* = J_U − J_P M_PP⁻¹ M_PU (6, actuators): velocity of a frame, angular then linear, per driven rate, when
    nothing else acts and the momentum of all undriven coordinates is zero."""
    row = np.asarray(q, dtype=np.float64)
    actuation = Actuation(dynamics, actuators)
    return np.asarray(dynamics.jacobian(frame, row) @ actuation.at(0.0, row, np.zeros(dynamics.nv)).S)


class CartesianControl:
    """Drives a frame along `target(t)`; the base (and all else undriven) is free.

    The frame's acceleration is J* a_U + (J s + J̇ v): a_U is resolved so that it is
    target's + kd (velocity error) + kp (pose error), by a pseudo-inverse of J* that is damped where a singular
    value (lengths in units of `length` (m)) is below `damping` (-). What the frame leaves free is braked by `joint_kd`
    (1/s).
    Towards a target that is far away, the frame goes at no more than `speed` (rad/s, m/s) beyond the target's own, and
    no joint is accelerated beyond `joint_rate` (rad/s or m/s) within a period: past a singular pose, the frame waits.
    With `wheels`, these keep the attitude of the body that carries them as it was at the first call, with the
    same gains. `kp` (1/s²), `kd` (1/s), `period` (s).
    """

    def __init__(
        self,
        dynamics: Dynamics,
        frame: str,
        target: Callable[[float], Target],
        *,
        kp: float,
        kd: float,
        period: float,
        actuators: Iterable[str],
        wheels: ReactionWheels | None = None,
        joint_kd: float = 1.0,
        damping: float = 0.02,
        length: float = 1.0,
        speed: tuple[float, float] = (0.5, 0.25),
        joint_rate: float = 2.0,
    ) -> None:
        self.period = positive("the period", period)
        self._dynamics, self._frame, self._target = dynamics, frame, target
        arm = list(actuators)
        self._arm = len(dynamics.layout.velocities(arm))
        self._actuators = Actuation(dynamics, [*arm, *(wheels.names if wheels else ())])
        self._chart = Chart(dynamics)
        self._kp, self._kd = positive("kp", kp), positive("kd", kd)
        self._joint_kd, self._damping = joint_kd, damping
        self._scale = np.repeat([1.0, 1.0 / positive("length", length)], 3)
        self._speed = (positive("the speed of turning", speed[0]), positive("the speed", speed[1]))
        self._rate = positive("joint_rate", joint_rate)
        self._turn = None if wheels is None else wheels.turn
        self._home: Wanted | None = None
        self._ahead = Ahead(self._chart, self.period, dynamics.nv)
        dynamics.jacobian(frame, dynamics.layout.neutral())  # an unknown frame is refused here
        self.least_singular_value = np.inf
        """Of J*, the least since the start: below `damping`, the frame's motion was not exactly resolved."""
        self.events: list[dict[str, Any]] = []
        """When the frame came to rest off its target, at a singular pose or out of reach (`stalled`, with how far: m,
        rad), and when it went on (`recovered`)."""
        self._slow_since, self._stalled = np.inf, False

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        now = self._target(t)
        middle, q_middle, v_middle = self._ahead.state(t, q, v)
        later = self._target(middle)
        wanted = self._restoring(t, now, q, v) + np.concatenate([later.alpha, later.a])
        reach = self._actuators.at(middle, q_middle, v_middle, self.period, self._ahead.acceleration(t))
        S, s = self._held(reach, q, v)
        J, drift = self._moving(q_middle, v_middle)
        rows = slice(3 if now.R is None else 0, 6)
        A = (self._scale[:, None] * (J @ S))[rows]
        b = (self._scale * (wanted - drift - J @ s))[rows]
        braking = -self._joint_kd * v[self._actuators.U[: self._arm]]
        self.least_singular_value = min(self.least_singular_value, float(np.linalg.svd(A, compute_uv=False)[-1]))
        driven = braking + inverse(A, self._damping) @ (b - A @ braking)
        rates = v[self._actuators.U[: self._arm]]
        bound = np.maximum(self._rate, np.abs(rates))  # what is faster already may not become faster still
        driven = np.clip(driven, (-bound - rates) / self.period, (bound - rates) / self.period)
        a = S @ driven + s
        self._ahead.remember(t, a)
        return self._actuators.command(reach, a)

    def _held(self, reach: Reach, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """a = S a_arm + s: without wheels as it is; else with what the wheels do to hold their body put in."""
        arm = self._arm
        if self._turn is None:
            return reach.S, reach.s
        if self._home is None:
            self._home = Wanted(q.copy(), np.zeros(len(v)), np.zeros(len(v)))
        off, rate = self._chart.errors(self._home, q, v)
        wanted = (self._kp * off + self._kd * rate - reach.s)[self._turn]
        turned = reach.S[self._turn, arm:]
        by_wheels = reach.S[:, arm:] @ inverse(turned, SINGULAR * float(np.linalg.norm(turned, 2)))
        return reach.S[:, :arm] - by_wheels @ reach.S[self._turn, :arm], reach.s + by_wheels @ wanted

    def _restoring(self, t: float, target: Target, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """kp (pose error) + kd (velocity error), (6) in world axes."""
        R, p = self._dynamics.pose(self._frame, q)
        turn = np.zeros(3) if target.R is None else vector_of_matrix(target.R @ R.T)
        away = np.asarray(target.p) - p
        pull = np.concatenate([_at_most(self._kp * turn, self._kd * self._speed[0]),
                               _at_most(self._kp * away, self._kd * self._speed[1])])  # fmt: skip
        moving = self._dynamics.jacobian(self._frame, q) @ v
        self._look(t, turn, away, float(np.linalg.norm(pull)), np.concatenate([target.w, target.v]) - moving)
        return pull + self._kd * (np.concatenate([target.w, target.v]) - moving)

    def _look(self, t: float, turn: np.ndarray, away: np.ndarray, pull: float, slip: np.ndarray) -> None:
        """Tell if the frame rests though it is pulled: it is off, and slower than a twentieth of what that asks for."""
        off = float(np.linalg.norm(turn)), float(np.linalg.norm(away))
        slow = max(off) > OFF and float(np.linalg.norm(slip)) < 0.05 * pull / self._kd
        self._slow_since = min(self._slow_since, t) if slow else np.inf
        stalled = t - self._slow_since >= STILL
        if stalled != self._stalled:
            how = {"off": off[1], "turned": off[0]} if stalled else {}
            self.events.append({"time": t, "kind": "stalled" if stalled else "recovered", "frame": self._frame, **how})
        self._stalled = stalled

    def _moving(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """J and J̇ v: the latter by a central difference of J along v."""
        step = 1e-5 / (1.0 + float(np.abs(v).max()))
        around = np.array([self._chart.moved(q, v, -step), q, self._chart.moved(q, v, step)])
        back, J, on = self._dynamics.jacobian(self._frame, around)
        return J, (on - back) @ v / (2 * step)


def _at_most(x: np.ndarray, length: float) -> np.ndarray:
    """The vector, shortened to a length."""
    return np.asarray(x * min(1.0, length / max(float(np.linalg.norm(x)), 1e-300)))
