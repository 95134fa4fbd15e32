"""The part `Bus`: a spacecraft's body whose attitude is held by reaction wheels."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from softdock.control.reference import Wanted
from softdock.mission.craft import Craft, Crafts
from softdock.mission.part import Part, PartError, refuse_negative
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
        refuse_negative(attitude_error=attitude_error)
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

    @property
    def q_AS(self) -> tuple[float, float, float, float]:
        """The attitude that it holds, w x y z (-)."""
        assert self._q_AS is not None
        return four(self._q_AS)

    def want(self, t: float, wanted: Wanted) -> None:
        turned = quaternion_of_vector(np.array([0.0, 0.0, self.craft.n * t]))
        wanted.q[self._turn_q] = quaternion_product(turned, self.q_AS)
        wanted.v[self._turn_v] = self._rate_S

    @cached_property
    def _rate_S(self) -> np.ndarray:
        """The orbit's rate in the body's axes, which does not change."""
        return np.asarray(matrix_of_quaternion(self.q_AS).T @ np.array([0.0, 0.0, self.craft.n]))
