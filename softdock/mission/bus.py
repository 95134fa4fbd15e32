"""The part `Bus`: a spacecraft's body whose attitude is held by reaction wheels."""

from collections.abc import Sequence

import numpy as np

from softdock.control import ReactionWheels
from softdock.control.reference import Wanted
from softdock.mission.craft import Craft, Crafts, store_of
from softdock.mission.part import Part, PartError
from softdock.spatial import (
    angle_between,
    conjugate,
    four,
    matrix_of_quaternion,
    quaternion_of_vector,
    quaternion_product,
)

ASTRAY = 0.05
"""A bus that is turned so far (rad) from the attitude that it should hold does not hold it: its wheels are full, or too
weak for what the arm does."""


class Bus(Part):
    """Holds the attitude, in A, that `body` has at first, by its `wheels`; if none are named, by those that
    `with_wheels` gave it. Their torque and rate are limited as the world's `actuator` says. `gains` (1/s², 1/s) are
    kp and kd. The attitude that it measures is turned by `attitude_error` (rad) about an axis drawn at random."""

    def __init__(
        self,
        body: str,
        *,
        wheels: Sequence[str] | None = None,
        gains: tuple[float, float] = (4.0, 4.0),
        attitude_error: float = 0.0,
    ) -> None:
        self.body, self.gains, self.attitude_error = body, gains, attitude_error
        self.wheels = tuple(wheels or ())
        self._q_AS: np.ndarray | None = None

    def fit(self, crafts: Crafts) -> None:
        self.craft: Craft = crafts.join(self.body, self)
        if self.craft.root != self.body or not self.craft.is_free:
            raise PartError(f"{self.name}: {self.body!r} is not free to turn: it has no attitude to hold")
        layout = self.craft.dynamics.layout
        self.wheels = self.wheels or tuple(name for name in layout.q if name.startswith(f"{self.body}.wheel"))
        if not self.wheels:
            raise PartError(f"{self.name}: {self.body!r} has no wheels; `with_wheels` adds some")
        for name in self.wheels:
            if name not in self.craft or self.craft.world.body(name).parent != self.body:
                raise PartError(f"{self.name}: wheel {name!r} is not on {self.body!r}")
        self.actuators = self.wheels
        self.tracked = tuple(f"{self.body}.w{axis}" for axis in "xyz")
        self._turn_q = slice(layout.q[self.body].stop - 4, layout.q[self.body].stop)
        self._turn_v = slice(layout.v[self.body].stop - 3, layout.v[self.body].stop)

    def update(self, t: float) -> None:
        if self._q_AS is None:
            back = conjugate(quaternion_of_vector(np.array([0.0, 0.0, self.craft.n * t])))
            self._q_AS = quaternion_product(back, self.craft.q[self._turn_q])

    def astray(self, t: float) -> str:
        if self._q_AS is None or self.craft.pilot:  # who flies says itself where it should be
            return ""
        turned = quaternion_product(quaternion_of_vector(np.array([0.0, 0.0, self.craft.n * t])), self.q_AS)
        off = float(angle_between(self.craft.q[self._turn_q], turned))
        return f"{self.body!r} is turned {off:.2g} rad away from the attitude that it holds" if off > ASTRAY else ""

    def holds(self, joints: Sequence[str], t: np.ndarray, q: np.ndarray, qd: np.ndarray) -> bool:
        """Do the wheels hold the body while joint values q (n, joints) and rates qd at times t (s) are followed: have
        they room for the momentum, and is the body turned by less than half of what is astray where torques are cut?"""
        dynamics, (in_q, in_v) = self.craft.dynamics, self.craft.dynamics.layout.flat(joints)
        Q, V = np.tile(self.craft.q, (len(t), 1)), np.zeros((len(t), dynamics.nv))
        Q[:, in_q], V[:, in_v] = q, qd
        moving, store = dynamics.balance(Q, V), store_of(dynamics, self)
        assert store
        about = moving.angular_momentum - np.cross(moving.center, moving.momentum)  # the centre of mass
        taken = -about @ matrix_of_quaternion(self.craft.q[self._turn_q]) @ np.linalg.pinv(store.axes)
        if np.any(np.abs(store.stored(self.craft.v) + taken) > store.momentum_limit):
            return False
        return self._turned(store, Q[0], t, np.gradient(taken, t, axis=0)) < ASTRAY / 2

    def _turned(self, store: ReactionWheels, q: np.ndarray, t: np.ndarray, torques: np.ndarray) -> float:
        """The largest angle (rad) by which the body turns, about any wheel's axis, if the wheels are to give torques
        (n, wheels) and its control what is left of theirs."""
        motors = [getattr(self.craft.world.body(name).joint, "actuator", None) for name in self.wheels]
        most = np.array([motor.effort if motor and motor.effort else np.inf for motor in motors])
        if np.all(np.abs(torques) <= most):
            return 0.0
        M, v, w = store.dynamics.mass_matrix(q), slice(self._turn_v.start - 3, self._turn_v.start), self._turn_v
        inertia = M[w, w] - M[w, v] @ np.linalg.solve(M[v, v], M[v, w])
        about = np.einsum("ki,ij,kj->k", store.axes, inertia, store.axes)
        angle, rate, largest = np.zeros(len(most)), np.zeros(len(most)), 0.0
        kp, kd = self.gains
        for step, wanted in zip(np.diff(t), torques, strict=False):
            given = np.clip(wanted - about * (kp * angle + kd * rate), -most, most)
            rate = rate + step * (given - wanted) / about
            angle = angle + step * rate
            largest = max(largest, float(np.abs(angle).max()))
        return largest

    @property
    def q_AS(self) -> tuple[float, float, float, float]:
        """The attitude that it holds, w x y z (-)."""
        assert self._q_AS is not None
        return four(self._q_AS)

    def want(self, t: float, wanted: Wanted) -> None:
        turned = quaternion_of_vector(np.array([0.0, 0.0, self.craft.n * t]))
        wanted.q[self._turn_q] = quaternion_product(turned, self.q_AS)
        wanted.v[self._turn_v] = matrix_of_quaternion(self.q_AS).T @ np.array([0.0, 0.0, self.craft.n])
