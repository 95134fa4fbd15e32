"""Actuators at some velocities only: what accelerations they can give, and the command that gives them.

With U the driven velocities and P all others (a free base, a free target, …), the rows of P of

    M a + c = command + own

have no command (`own` is what servos do by themselves), so that all accelerations follow from the driven ones:

    a = S a_U + s,    S_P = −M_PP⁻¹ M_PU,    s_P = M_PP⁻¹ (own_P − c_P),    S_U = 1, s_U = 0.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from softdock.control.driven import reach, settle
from softdock.dynamics import Dynamics
from softdock.world.rigid import gives_way

STIFF = 2.0
"""Damping times the period, and stiffness times its square, over the inertia, from which an undriven joint settles
within a period."""


class Reach(NamedTuple):
    """a = S a_U + s at a state, and what the command is computed from."""

    S: np.ndarray
    s: np.ndarray
    M: np.ndarray
    c: np.ndarray
    own: np.ndarray


class Actuation:
    """The driven velocities of a world, by body or label; none named: every revolute and prismatic joint that is not
    just a spring."""

    def __init__(self, dynamics: Dynamics, actuators: Iterable[str] | None = None) -> None:
        layout = dynamics.layout
        if actuators is None:
            actuators = [
                body.name
                for body in dynamics.world.bodies
                if body.joint.kind in ("revolute", "prismatic") and not gives_way(body)
            ]
        self.dynamics = dynamics
        self.U = layout.velocities(actuators)
        if not len(self.U):
            raise ValueError("a controller needs at least one actuator")
        self.P = np.setdiff1d(np.arange(dynamics.nv), self.U)
        self._servoed = any(link.kp or link.kd for link in dynamics.tree.links)
        self._still = np.zeros(dynamics.nv)
        self._identity = np.zeros((dynamics.nv, len(self.U)))
        self._identity[self.U, np.arange(len(self.U))] = 1.0
        self._stiffness, self._damping = _held(dynamics)

    def own(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What servos do under a zero command (nv)."""
        if not self._servoed:
            return self._still
        return self.dynamics.actuator_forces(q, v, self._still)

    def at(
        self, t: float, q: np.ndarray, v: np.ndarray, period: float = 0.0, before: np.ndarray | None = None
    ) -> Reach:
        """The reach of the actuators at a state; of one half a `period` (s) ahead, by the acceleration `before`, where
        undriven joints are held so stiffly (fingers by their servos) that they settle within a period: their
        forces are then those at its end, since those foreseen for its middle would swing ever wider."""
        M = self.dynamics.mass_matrix(q)
        c = self.dynamics.inverse_dynamics(q, v, self._still, t)
        own = self.own(q, v)
        S, s = self._identity.copy(), self._still.copy()
        if len(self.P):
            rows, push = M, own
            if period > 0.0:
                rows, push = M.copy(), own.copy()
                a = self._still if before is None else before
                settle(rows, push, self.P, self._stiffness, self._damping, v, a, period, STIFF)
            if not reach(rows, c, push, self.P, self.U, S, s):
                raise np.linalg.LinAlgError("Singular matrix")
        return Reach(S, s, M, c, own)

    def command(self, reach: Reach, a: np.ndarray) -> np.ndarray:
        """The command (nv) under which the world accelerates by a = S a_U + s."""
        command = np.zeros(len(a))
        command[self.U] = reach.M[self.U] @ a + reach.c[self.U] - reach.own[self.U]
        return command


def _held(dynamics: Dynamics) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of each velocity, of springs, dampers and servos; of turns in space, none."""
    stiffness, damping = np.zeros(dynamics.nv), np.zeros(dynamics.nv)
    for link in dynamics.tree.links:
        if link.dof == 1:
            stiffness[link.v], damping[link.v] = link.stiffness[0] + link.kp, link.damping[0] + link.kd
    return stiffness, damping
