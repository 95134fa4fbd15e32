"""What a plan's torques act on: velocities of joints, and thrusters, which push along their body as it turns."""

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from softdock.control.actuation import Actuation
from softdock.dynamics import Dynamics
from softdock.mechanics import rotation, step
from softdock.mechanics.tree import Tree
from softdock.spatial import matrix_of_quaternion, quaternion_of_vector, quaternion_product


class Drives:
    """Actuators by name: joints or labels first, in the order of their velocities, then thrusters. A thruster's share
    of u is its mean force over a step (N), and acts along the attitude at the step's middle."""

    def __init__(self, dynamics: Dynamics, actuators: Sequence[str] | None) -> None:
        known, layout = {thruster.name: thruster for thruster in dynamics.world.thrusters}, dynamics.layout
        named = None if actuators is None else [name for name in actuators if name not in known]
        self.thrusters = tuple(known[name] for name in actuators or () if name in known)
        if len(set(self.thrusters)) < len(self.thrusters):
            raise ValueError("a thruster is named twice")
        for thruster in self.thrusters:
            if thruster.stuck:
                raise ValueError(f"thruster {thruster.name!r} is stuck {thruster.stuck}: a plan cannot use it")
        alone = named is not None and not named and bool(self.thrusters)
        self.velocities = np.zeros(0, np.int64) if alone else Actuation(dynamics, named).U
        self.names = [layout.names()[1][k] for k in self.velocities] + [one.name for one in self.thrusters]
        self.starts = tuple((layout.q[one.body].start, layout.v[one.body].start) for one in self.thrusters)
        self.wrenches = np.array([one.wrench / one.thrust for one in self.thrusters]).reshape(-1, 6)
        """(thrusters, 6): force and moment of 1 N each, in the body's axes (-, m)."""

    @property
    def key(self) -> str:
        """What expressions depend on."""
        return repr((self.velocities.tolist(), self.starts))

    @property
    def moved(self) -> list[int]:
        """Velocities that they act on."""
        of_bodies = [v + k for _, v in self.starts for k in range(6)]
        return list(dict.fromkeys([*self.velocities.tolist(), *of_bodies]))

    @property
    def first(self) -> list[int]:
        """Of each: a velocity that it acts on."""
        return [*self.velocities.tolist(), *(v for _, v in self.starts)]

    def written(self, tree: Tree, s: Any, torques: ca.SX, wrenches: ca.SX) -> ca.SX:
        """The command (nv) of torques in a step with s.q, s.xi, s.h."""
        command = ca.SX.zeros(tree.nv)
        for k, v in enumerate(self.velocities.tolist()):
            command[v] = torques[k]
        middle = step.moved(tree, s.q, s.xi, s.h / 2)
        for k, (q, v) in enumerate(self.starts):
            wrench = wrenches[k, :].T * torques[len(self.velocities) + k]
            command[v : v + 3] += rotation.matrix(middle[q + 3 : q + 7]) @ wrench[:3]
            command[v + 3 : v + 6] += wrench[3:]
        return command

    def command(self, q: np.ndarray, xi: np.ndarray, h: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The same (steps, nv), of steps by rows."""
        out = np.zeros(xi.shape)
        out[:, self.velocities] = u[:, : len(self.velocities)]
        for k, (at, v) in enumerate(self.starts):
            wrench = self.wrenches[k] * u[:, len(self.velocities) + k, None]
            turn = quaternion_of_vector(h[:, None] / 2 * xi[:, v + 3 : v + 6])
            R = matrix_of_quaternion(quaternion_product(q[:, at + 3 : at + 7], turn))
            out[:, v : v + 3] += np.einsum("nij,nj->ni", R, wrench[:, :3])
            out[:, v + 3 : v + 6] += wrench[:, 3:]
        return out
