"""The steps of a plan, linearised about it."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from softdock.optimal import stage
from softdock.optimal.coordinates import lifted, tangents

if TYPE_CHECKING:
    from softdock.optimal.plans import Plan
    from softdock.optimal.program import Part
    from softdock.optimal.transcription import Transcription


class Steps(NamedTuple):
    """The equations of K steps, linearised and solved for what follows from (q, p, u), in the program's units."""

    inner: np.ndarray
    """(K, ξ and λ, (q, p, u, 1)): the last column is what closes the equations."""
    after: np.ndarray
    """(K, q' and p', (q, p, u, 1))."""
    own: np.ndarray
    """(K, rows, ξ and λ): the residual's and the latches' rows with q' and p' put in."""
    moved: np.ndarray
    """(K, q' and p', ξ and λ): the advance."""
    closed: np.ndarray
    """(K, rows, q' and p'): the same rows as they stand."""


def eliminated(made: "Transcription", part: "Part", x: np.ndarray) -> Steps:
    """Of the steps of a part, at a program's vector."""
    block, nx, theta = part.block, made.nx, made.dynamics.theta
    places, last = stage.STAGE.places(made.sizes), stage.STAGE.size(made.sizes)
    J, z = np.zeros((len(part.at), block.m, block.n + 1)), x[part.at]
    J[:, block.jacobian[0], block.jacobian[1]] = block.slope(z, part.given, theta)[:, block.n :]
    J[:, :, -1] = block.value(z, part.given, theta)[:, 1:]
    inner = [*range(places.xi.start, places.xi.stop), *range(places.impulses.start, places.impulses.stop)]
    given = [*range(nx), *range(places.u.start, places.u.stop), block.n]
    moved, closed = -J[:, :nx, inner], J[:, nx:, last - nx : last]  # the first rows have q' and p' as they are
    top, own, right = J[:, :nx, given], J[:, nx:, inner], J[:, nx:, given]
    if made.rows:
        own, right = own + closed @ moved, right - closed @ top
    found = -np.linalg.solve(own, right)
    return Steps(found, moved @ found - top, own, moved, closed)


def linearised(plan: "Plan") -> tuple[np.ndarray, np.ndarray]:
    """A (N, 2 nv, 2 nv) and B (N, 2 nv, actuators) of every step of a plan: of the displacement (δ, p) after it by the
    one before it and by torques, with the latches that hold (docs/theory/optimal.md, eq. 3)."""
    made, tree = plan.made, plan.made.tree
    nq, nv, units = tree.nq, tree.nv, plan.made.units
    assert units is not None
    made.arrange(plan.start, plan.motion.h)
    A, B = [], []
    for part in made.program.parts:
        if part.name != "the step's equations":
            continue
        found = eliminated(made, part, plan.solved.x).after[:, :, :-1]
        k = (part.at[:, 0] // made.stride).astype(int)
        into, out = tangents(tree, plan.q[k]), tangents(tree, plan.q[k + 1])
        scale = np.concatenate([np.ones(nv), units.momentum])
        state = np.zeros((len(k), nq + nv, 2 * nv))  # from (δ, p) to the program's (q, p in units)
        state[:, :nq, :nv], state[:, nq:, nv:] = lifted(into), np.diag(1 / units.momentum)
        back = np.zeros((len(k), 2 * nv, nq + nv))
        back[:, :nv, :nq], back[:, nv:, nq:] = out, np.eye(nv)
        A.append(scale[:, None] * (back @ found[:, :, : nq + nv] @ state))
        B.append(scale[:, None] * (back @ found[:, :, nq + nv :]) / units.torque)
    return np.concatenate(A), np.concatenate(B)


def amplification(plan: "Plan") -> float:
    """How much a deviation from a plan grows at most, from its start or from any step to its end, without feedback: of
    joints' positions and velocities in the norm of kinetic energy, time in units of the plan's steps (-)."""
    A, _ = linearised(plan)
    h, roots = float(plan.motion.h[0]), []
    for M in plan.made.dynamics.mass_matrix(plan.q):
        w, V = np.linalg.eigh(M)
        roots.append(((V * np.sqrt(w)) @ V.T / h, (V / np.sqrt(w)) @ V.T))
    most, grown = 1.0, np.eye(A.shape[1])
    for k in range(len(A) - 1, -1, -1):
        (x, p), (x_next, p_next) = roots[k], roots[k + 1]
        step = _both(x_next, p_next) @ A[k] @ _both(np.linalg.inv(x), np.linalg.inv(p))
        grown = grown @ step
        most = max(most, float(np.linalg.norm(grown, 2)))
    return most


def _both(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    n = len(a)
    return np.block([[a, np.zeros((n, n))], [np.zeros((n, n)), b]])
