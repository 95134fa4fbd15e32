"""Linearisation of the continuous motion about a state, by exact derivatives of inverse dynamics."""

from typing import TYPE_CHECKING

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from softdock.mechanics import motion, step
from softdock.mechanics.numbers import Numbers

if TYPE_CHECKING:
    from softdock.dynamics.model import Dynamics


def linearise(
    dynamics: "Dynamics", q: np.ndarray, v: np.ndarray, command: ArrayLike | None, t: float
) -> tuple[np.ndarray, np.ndarray]:
    """See `Dynamics.linearise`. With M a = actuators − ID(q, v, 0): M δa = δ(actuators − ID(q, v, a)) at fixed a."""
    n = dynamics.nv
    u = np.zeros(n) if command is None else np.asarray(command, float)
    a = dynamics.forward_dynamics(q, v, u, t)
    by_delta, by_v = (np.array(J) for J in _derivatives(dynamics)(q, v, a, u, dynamics._radius(t)[0], dynamics.theta))
    M = dynamics.mass_matrix(q)
    A = np.zeros((2 * n, 2 * n))
    A[:n, n:] = np.eye(n)
    for s in dynamics.plant.spherical:  # δ̇ = δΩ − Ω × δ
        x, y, z = v[s : s + 3]
        A[s : s + 3, s : s + 3] = -np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    A[n:, :n], A[n:, n:] = np.linalg.solve(M, by_delta), np.linalg.solve(M, by_v)
    B = np.vstack([np.zeros((n, n)), np.linalg.inv(M)])
    return A, B


def _derivatives(dynamics: "Dynamics") -> ca.Function:
    """∂(actuators − ID)/∂δ and /∂v as a CasADi function, made once for a compiled world."""
    made = getattr(dynamics, "_linear", None)
    if made is not None:
        return made
    tree = dynamics.tree
    numbers = Numbers(tree)
    q, r = ca.SX.sym("q", tree.nq), ca.SX.sym("r", 3)
    v, a, u, delta = (ca.SX.sym(name, tree.nv) for name in ("v", "a", "u", "delta"))
    there = step.moved(tree, q, delta, ca.SX(1))
    push = motion.actuators(tree, numbers, there, v, u) - motion.inverse_dynamics(tree, numbers, there, v, a, r)
    jacobians = [ca.substitute(ca.jacobian(push, x), delta, ca.SX.zeros(tree.nv)) for x in (delta, v)]
    made = ca.Function("linear", [q, v, a, u, r, numbers.theta], [ca.densify(J) for J in jacobians], {"cse": True})
    dynamics._linear = made  # type: ignore[attr-defined]
    return made
