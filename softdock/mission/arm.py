"""The part `Arm`: a chain of driven joints with a tip."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.control.reference import Wanted
from softdock.mission.bus import Bus
from softdock.mission.craft import Craft, Crafts
from softdock.mission.part import Part, PartError, refuse_negative
from softdock.mission.strength import Strength
from softdock.planning.free_floating import FreeFloatingArm
from softdock.planning.intercept import Reacher
from softdock.planning.plan import Sample

MOVING, BRAKING = 1e-3, 2.0
"""Rates at the start of a mission that are more than noise (rad/s or m/s), and how long it takes to brake them (s)."""
ASTRAY = 0.5
"""From its motion, more than the pushes of a grasp or of a port give (rad or m)."""


class JointMotion(Protocol):
    """Joint values, rates and accelerations at time t."""

    def at(self, t: float) -> Any: ...


class Arm(Part):
    """The joints from a craft's root to the frame `tip`; or those of them that are named in `joints`.

    Their ranges, largest rates and torques are the world's (`limits`, `actuator`). The arm follows its `motion`; at
    first it holds still, or comes to rest. `gains` (1/s², 1/s) are kp and kd; a joint that has a `servo` in the world
    follows by that instead, step by step. Its encoders have noise of `encoder_noise` (rad or m).
    """

    def __init__(
        self,
        tip: str,
        *,
        joints: Sequence[str] | None = None,
        gains: tuple[float, float] = (4.0, 4.0),
        encoder_noise: float = 0.0,
    ) -> None:
        refuse_negative(encoder_noise=encoder_noise)
        self.tip, self.encoder_noise = tip, encoder_noise
        self.gains: ArrayLike = gains
        self.joints = tuple(joints or ())
        self.motion: JointMotion | None = None

    def fit(self, crafts: Crafts) -> None:
        self.craft: Craft = crafts.join(self.tip, self)
        chain = [body.name for body in self.craft.chain(self.tip) if body.joint.kind in ("revolute", "prismatic")]
        if unknown := [name for name in self.joints if name not in chain]:
            raise PartError(f"{self.name}: joint {unknown[0]!r} is not between {self.craft.root!r} and {self.tip!r}")
        self.joints = self.joints or tuple(chain)
        if not self.joints:
            raise PartError(f"{self.name}: there is no joint between {self.craft.root!r} and {self.tip!r}")
        self.actuators = self.tracked = self.joints
        self.tip_body = self.craft.world.body_of(self.tip)
        self._in_q, self._in_v = self.craft.dynamics.layout.flat(self.joints)
        limits = [self._limits(name) for name in self.joints]
        self.lower, self.upper, self.rates = (np.array(column) for column in zip(*limits, strict=True))
        self._fit_servos()

    def _fit_servos(self) -> None:
        joints: list[Any] = [self.craft.world.body(name).joint for name in self.joints]
        self.servos = np.array([(joint.servo.kp, joint.servo.kd) if joint.servo else (0.0, 0.0) for joint in joints])
        """kp and kd of each joint's own servo; 0 of those that have none (N m/rad, N m s/rad)."""
        self.efforts = np.array([joint.actuator.effort or np.inf for joint in joints])
        """The most that each can give (N m or N)."""
        self.servoed = tuple(name for name, row in zip(self.joints, self.servos, strict=True) if row.any())
        self.gains = np.where(self.servos.any(axis=1, keepdims=True), 0.0, self.gains)

    @property
    def commanded(self) -> np.ndarray:
        """What the craft's control commands its joints beside their servos (N m or N)."""
        return self.craft.commanded[self._in_v]

    def _limits(self, name: str) -> tuple[float, float, float]:
        joint: Any = self.craft.world.body(name).joint
        if joint.limits is None or not np.isfinite([*joint.limits.lower, *joint.limits.upper]).all():
            raise PartError(f"{self.name}: joint {name!r} has no limits; the world must say how far it goes")
        if joint.actuator is None or joint.actuator.rate is None:
            raise PartError(f"{self.name}: joint {name!r} has no actuator.rate; the world must say how fast it goes")
        return joint.limits.lower[0], joint.limits.upper[0], joint.actuator.rate

    @property
    def q(self) -> np.ndarray:
        """Joint values by the last measurement (rad or m)."""
        return self.craft.q[self._in_q]

    @property
    def qd(self) -> np.ndarray:
        """Joint rates by the last measurement (rad/s or m/s)."""
        return self.craft.v[self._in_v]

    def wanted_at(self, t: float) -> Sample:
        """Where its motion has it at time t."""
        return Sample(*(self.motion or self._at_first()).at(t))

    def _at_first(self) -> "Still | Going":
        """A mission may go on from a state in which the arm moves."""
        qd = np.where(np.abs(self.qd) > MOVING, self.qd, 0.0)
        if not qd.any():
            return Still(self.q.copy())
        return Going(self.craft.t, self.q.copy(), qd, -qd / BRAKING, BRAKING, (self.lower, self.upper))

    def want(self, t: float, wanted: Wanted) -> None:
        wanted.q[self._in_q], wanted.v[self._in_v], wanted.a[self._in_v] = self.wanted_at(t)

    def go(self, rates: Sequence[float], within: float = 1.0) -> None:
        """At these rates (rad/s or m/s), cut to its largest, reached `within` (s) a while by constant accelerations,
        until something else is said; not beyond its limits."""
        t, most = self.craft.t, self.rates
        if np.shape(rates) != most.shape or not within > 0:
            raise ValueError(f"{self.name} has {len(most)} joints; go takes a rate for each, and a time to reach them")
        here, wanted = self.wanted_at(t), np.clip(rates, -most, most)
        self.motion = Going(t, here.q, here.qd, (wanted - here.qd) / within, within, (self.lower, self.upper))

    def update(self, t: float) -> None:
        if self.motion is None:
            self.motion = self._at_first()

    def astray(self, t: float) -> str:
        if self.motion is None:
            return ""
        off = np.abs(self.q - self.wanted_at(t).q)
        worst = int(np.argmax(off))
        return f"joint {self.joints[worst]!r} is {off[worst]:.2g} away from its motion" if off[worst] > ASTRAY else ""

    @cached_property
    def kinematics(self) -> "FreeFloatingArm | HeldArm":
        """Joint values to poses in A. Of a free craft, its base's attitude is one that a `Bus` holds."""
        if not self.craft.is_free:
            return HeldArm(self.craft, self.tip, self._in_q, self._in_v)
        bus = next((part for part in self.craft.parts if isinstance(part, Bus)), None)
        if bus is None:
            raise PartError(f"{self.name}: poses of the tip need a Bus that holds the attitude of {self.craft.root!r}")
        return FreeFloatingArm(self.craft.dynamics, self.craft.root, self.joints, self.tip, bus.q_AS, self.craft.q)

    @cached_property
    def strength(self) -> Strength:
        """Whether motors can do a motion."""
        return Strength(self.craft, self._in_q, self._in_v)

    @cached_property
    def reacher(self) -> Reacher:
        """The arm as planners take it."""
        return Reacher(self.kinematics.forward, self.lower, self.upper, float(self.rates.min()))


class Still:
    """A motion that is none."""

    def __init__(self, q: np.ndarray) -> None:
        self._sample = Sample(q, np.zeros(len(q)), np.zeros(len(q)))

    def at(self, t: float) -> Sample:
        return self._sample


class Going(NamedTuple):
    """From a state on, by accelerations for a while and then at constant rates; each joint as far as its limits."""

    begins: float
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    seconds: float
    limits: tuple[np.ndarray, np.ndarray]

    def at(self, t: float) -> Sample:
        s, end = t - self.begins, min(t - self.begins, self.seconds)
        to = self.q + s * self.qd + (s - end / 2) * end * self.qdd
        q = np.clip(to, *self.limits)
        is_free, qdd = q == to, self.qdd if s < self.seconds else np.zeros(len(q))
        return Sample(q, np.where(is_free, self.qd + end * self.qdd, 0.0), np.where(is_free, qdd, 0.0))


class From:
    """A plan (anything with `at` and `duration`) from a time on; before that its first state, after it its last."""

    def __init__(self, plan: Any, begins: float) -> None:
        self.plan, self.begins, self.end = plan, begins, begins + plan.duration

    def at(self, t: float) -> Sample:
        if t > self.end:
            q = self.plan.at(self.plan.duration).q
            return Sample(q, np.zeros(len(q)), np.zeros(len(q)))
        return Sample(*self.plan.at(t - self.begins))


class HeldArm:
    """Kinematics of an arm on a base that is held, as `FreeFloatingArm` has them."""

    def __init__(self, craft: Craft, tip: str, in_q: np.ndarray, in_v: np.ndarray) -> None:
        self._dynamics, self._tip, self._in_q, self._in_v = craft.dynamics, tip, in_q, in_v
        self._q = craft.q.copy()

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """R_AG, p_AG and Jacobian (6, n), the angular velocity first, of the tip at joint values x (n)."""
        self._q[self._in_q] = x
        R, p = self._dynamics.pose(self._tip, self._q)
        return R, p, self._dynamics.jacobian(self._tip, self._q)[:, self._in_v]
