"""Reaction wheels on a body (world/wheels.py adds them): what they store, what they can give, attitude hold."""

import warnings
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from softdock.control.reference import Chart, Hold, Reference
from softdock.control.tracking import gains, positive
from softdock.dynamics import Dynamics
from softdock.world import Revolute


class ReactionWheels:
    """Wheels by name: their stored momentum, and the torque that their limits leave (a range for `Limited`).

    `momentum_limit` (N m s) bounds the spin momentum J Ω of each wheel relative to its body: torque is cut so
    that a period at it does not go beyond, and a wheel that is beyond is braked. What turns the body otherwise (an arm,
    a disturbance, or the world's joints away from zero, where its inertia is taken) is not foreseen.
    """

    kind = "momentum"

    def __init__(self, dynamics: Dynamics, wheels: Sequence[str], *, momentum_limit: ArrayLike = np.inf) -> None:
        bodies = [dynamics.world.body(name) for name in wheels]
        if not bodies:
            raise ValueError("reaction wheels: none are named")
        for body in bodies:
            if not isinstance(body.joint, Revolute) or body.parent != bodies[0].parent:
                raise ValueError(f"wheel {body.name!r} must be on a revolute joint of the same body as the others")
        self.dynamics, self.names, self.body = dynamics, tuple(wheels), bodies[0].parent
        self.actuators = dynamics.layout.velocities(wheels)
        own = [np.asarray(body.joint.axis) for body in bodies]  # type: ignore[union-attr]
        self.inertia = np.array([n @ np.array(body.inertia) @ n for n, body in zip(own, bodies, strict=True)])
        """Spin inertia of each wheel (kg m²)."""
        self.axes = np.array([body.placement.rotation @ n for n, body in zip(own, bodies, strict=True)])
        """(wheels, 3) spin axes in the body's frame."""
        limit = np.asarray(momentum_limit, dtype=np.float64)
        if np.any(~(limit > 0)) or limit.shape not in ((), (len(bodies),)):
            raise ValueError(f"momentum_limit must be positive: one number, or one for each of {len(bodies)} wheels")
        self.momentum_limit = np.broadcast_to(limit, (len(bodies),))
        given = np.linalg.inv(dynamics.mass_matrix(dynamics.layout.neutral()))[np.ix_(self.actuators, self.actuators)]
        self._stores = self.inertia * np.abs(given).sum(axis=1)
        """J dΩ/dt per torque of all wheels: more than 1, since the body turns the other way."""
        self._neutral, self._still = dynamics.layout.neutral(), np.zeros(dynamics.nv)
        self._solved = np.linalg.inv(dynamics.mass_matrix(self._neutral))[self.actuators]

    @cached_property
    def _weight(self) -> np.ndarray:
        """What gravity alone asks for."""
        return self.dynamics.inverse_dynamics(self._neutral, self._still, self._still)

    @property
    def turn(self) -> slice:
        """Where the angular velocity of the body stands in v."""
        kind = self.dynamics.layout.kind.get(self.body)
        if kind not in ("free", "spherical"):
            raise ValueError(f"{self.body!r} has no attitude to hold: its joint is {kind}")
        end = self.dynamics.layout.v[self.body].stop
        return slice(end - 3, end)

    def stored(self, v: ArrayLike) -> np.ndarray:
        """Spin momentum J Ω of each wheel relative to the body (N m s), (…, wheels)."""
        return np.asarray(np.asarray(v, dtype=np.float64)[..., self.actuators] * self.inertia)

    def momentum(self, q: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Stored angular momentum R_WB Σ n J Ω in world axes (N m s), (…, 3): the ledger's share of the wheels."""
        R = self.dynamics.pose(self.body, q)[0]
        return np.einsum("...ij,...j->...i", R, self.stored(v) @ self.axes)

    def bounds(self, v: np.ndarray, period: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = np.full(len(v), -np.inf), np.full(len(v), np.inf)
        stored = self.stored(v) + period * self._drift(v)
        low[self.actuators] = (-self.momentum_limit - stored) / (period * self._stores)
        high[self.actuators] = (self.momentum_limit - stored) / (period * self._stores)
        return low, high

    def _drift(self, v: np.ndarray) -> np.ndarray:
        """J dΩ/dt of wheels without torque (N m): the body's tumbling turns it under them."""
        if self.dynamics.layout.kind.get(self.body) not in ("free", "spherical"):
            return np.zeros(len(self.actuators))
        alone = np.zeros(len(v))
        alone[self.turn], alone[self.actuators] = v[self.turn], v[self.actuators]
        forces = self.dynamics.inverse_dynamics(self._neutral, alone, self._still) - self._weight
        return np.asarray(-self.inertia * (self._solved @ forces))


class AttitudeHold:
    """Moment kp (rotation vector to the wanted attitude) + kd (wanted rate − rate) on the body, by its wheels.

    Without a `reference` the attitude at the first call is held. `kp` (N m/rad), `kd` (N m s/rad) for each axis of
    the body or one for all; `period` (s).
    """

    def __init__(
        self,
        wheels: ReactionWheels,
        *,
        kp: ArrayLike,
        kd: ArrayLike,
        period: float,
        reference: Reference | None = None,
    ) -> None:
        self.period = positive("the period", period)
        self._wheels, self._reference, self._chart = wheels, reference, Chart(wheels.dynamics)
        self._turn = wheels.turn
        self._kp, self._kd = gains("kp", kp, 3), gains("kd", kd, 3)
        self._give = np.linalg.pinv(wheels.axes.T)
        if np.linalg.matrix_rank(wheels.axes, tol=1e-6) < 3:
            missing = np.linalg.svd(wheels.axes)[2][-1]
            axis = ", ".join(f"{x:.3g}" for x in missing + 0.0)
            warnings.warn(
                f"the wheels of {wheels.body!r} give no moment about ({axis}): that axis is not held", stacklevel=2
            )

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        if self._reference is None:
            self._reference = Hold(self._wheels.dynamics, q)
        e, rate = self._chart.errors(self._reference(t), q, v)
        moment = self._kp * e[self._turn] + self._kd * rate[self._turn]
        command = np.zeros(len(v))
        command[self._wheels.actuators] = -self._give @ moment
        return command
