"""An arm that moves a frame as it is told: inverse kinematics, then computed torque on a model that may be wrong."""

from typing import NamedTuple

import numpy as np

from softdock.arm import SerialArm
from softdock.dynamics import Dynamics
from softdock.facility.moving import Moving
from softdock.spatial import vector_of_matrix

_DAMPED = 1e-9 * np.eye(6)
"""Added to J Jᵀ, which may be singular."""
LOST = 1e-3
"""An error (m or rad) of inverse kinematics within a period: the frame is beyond the arm's reach."""


class LeftWorkspace(ValueError):
    """The arm cannot follow any further; the message says when and which joint."""


class Margins(NamedTuple):
    """What is left of limits, 1: all, 0: none (-)."""

    position: float
    speed: float
    torque: float


class ArmFollower:
    """Moves `frame` of an arm. `model` is the controller's own: the arm fixed to the world, and what it carries."""

    def __init__(
        self, arm: SerialArm, model: Dynamics, frame: str, q: np.ndarray, start: Moving, *, period: float, rate: float
    ) -> None:
        self.arm, self.model, self.frame, self.period, self.rate = arm, model, frame, period, rate
        self.q = self._settled(q, start)
        self._center = self.q
        self.J = model.jacobian(frame, self.q)
        self.v = self._rates(self.J, start.twist)
        self.offset = np.zeros(arm.n)
        """Torque that the model lacks (N m)."""

    def _settled(self, q: np.ndarray, start: Moving) -> np.ndarray:
        """Joint values at the start's pose, from those that are near it."""
        for _ in range(20):
            R, p = self.model.pose(self.frame, q)
            error = np.concatenate([vector_of_matrix(start.R @ R.T), start.p - p])
            if error @ error < 1e-24:
                break
            q = q + self._least(self.model.jacobian(self.frame, q), error)
        if not error @ error < LOST**2 or (q < self.arm.lower).any() or (q > self.arm.upper).any():
            raise LeftWorkspace("at t = 0 s the motion begins beyond the arm's reach")
        return q

    def _rates(self, J: np.ndarray, twist: np.ndarray) -> np.ndarray:
        """The least joint rates that give a twist, and in the null space slowly back to where it began."""
        home = 0.2 * (self._center - self.q)
        return home + self._least(J, twist - J @ home)

    def _least(self, J: np.ndarray, twist: np.ndarray) -> np.ndarray:
        """J⁺ twist."""
        return J.T @ np.linalg.solve(J @ J.T + _DAMPED, twist)

    def torque(self, t: float, told: Moving, q: np.ndarray, v: np.ndarray, push: np.ndarray) -> np.ndarray:
        """Of the joints at q, v, held over the coming period; `told` is for its beginning, `push` (torque, then force
        in world axes, at the frame) acts on it from outside."""
        T, w = self.period, self.rate
        wanted_q, wanted_v = self.q, self.v
        acceleration = self._advance(t, told.after(T))
        feedback = w * w * (wanted_q - q) + 2 * w * (wanted_v - v)
        torque = self.model.inverse_dynamics(q, v, acceleration + feedback) + self.offset - self.J.T @ push
        return np.minimum(np.maximum(torque, -self.arm.effort), self.arm.effort)

    def _advance(self, t: float, aim: Moving) -> np.ndarray:
        """Joint values and rates for the period's end; the mean acceleration on the way."""
        T, model = self.period, self.model
        self.q = self.q + T * self.v
        R, p = model.pose(self.frame, self.q)
        J = model.jacobian(self.frame, self.q)
        error = np.concatenate([vector_of_matrix(aim.R @ R.T), aim.p - p])
        # not the change of v: what is led jumps with the measured force, and 1/T would make that loud
        rise = np.concatenate([aim.alpha, aim.a]) - (J - self.J) @ self.v / T
        home = 0.2 * (self._center - self.q)
        found = J.T @ np.linalg.solve(J @ J.T + _DAMPED, np.column_stack([error, aim.twist - J @ home, rise]))
        self.q = self.q + found[:, 0]  # one step of Newton: what is left of so small a change is its square
        self.v, self.J = home + found[:, 1], J
        if error @ error > LOST**2:
            R, p = model.pose(self.frame, self.q)
            left = max(np.linalg.norm(aim.p - p), np.linalg.norm(vector_of_matrix(aim.R @ R.T)))
            if not left < LOST:
                raise LeftWorkspace(f"at t = {t:.4g} s the motion leaves the arm's reach")
        beyond = (self.q < self.arm.lower) | (self.q > self.arm.upper)
        if beyond.any():
            k = int(np.argmax(beyond))
            raise LeftWorkspace(
                f"at t = {t:.4g} s joint {self.arm.links[k]!r} would pass its limit ({self.q[k]:.3f} rad)"
            )
        return found[:, 2]

    def follow(self, t: float, aim: Moving) -> np.ndarray:
        """Where the joints go to be at `aim` at the end of the period that begins at t: their kinematics alone."""
        self._advance(t, aim)
        return self.q
