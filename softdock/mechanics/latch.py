"""Latches as constraints c(q) = 0 and their Jacobians A = ∂c/∂q (left-trivialised)."""

import casadi as ca

from softdock.mechanics.motion import poses
from softdock.mechanics.numbers import FrameNumbers, Numbers
from softdock.mechanics.step import moved
from softdock.mechanics.tree import LATCH_HELD, WORLD_LINK, Tree


def relative(tree: Tree, numbers: Numbers, q: ca.SX) -> list[tuple[ca.SX, ca.SX]]:
    """(R_AB, p_AB) of every latch's two frames."""
    R, p = poses(tree, numbers, q)

    def in_world(link: int, frame: FrameNumbers) -> tuple[ca.SX, ca.SX]:
        return (frame.R, frame.p) if link == WORLD_LINK else (R[link] @ frame.R, p[link] + R[link] @ frame.p)

    pairs = []
    for latch, (a, b) in zip(tree.world.latches, numbers.latches, strict=True):
        R_WA, p_WA = in_world(tree.places[latch.frame_a].link, a)
        R_WB, p_WB = in_world(tree.places[latch.frame_b].link, b)
        pairs.append((R_WA.T @ R_WB, R_WA.T @ (p_WB - p_WA)))
    return pairs


def constraints(tree: Tree, numbers: Numbers, q: ca.SX, held: ca.SX) -> ca.SX:
    """c of all latches, engaged or not, one after the other (m and, for rotations, rad)."""
    rows = []
    for k, (latch, (R, p)) in enumerate(zip(tree.world.latches, relative(tree, numbers, q), strict=True)):
        h = held[LATCH_HELD * k : LATCH_HELD * (k + 1)]
        p0, R0, length = h[:3], ca.reshape(h[3:12], 3, 3).T, h[12]
        if latch.kind == "distance":
            rows.append((ca.dot(p, p) - length * length) / (2 * length))
            continue
        rows.append(p - p0)
        if latch.kind == "hinge":
            rows.append(R0[:, :2].T @ R[:, 2])
        if latch.kind == "weld":
            E = R @ R0.T
            rows.append(ca.vertcat(E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]) / 2)
    return ca.vertcat(*rows)


def constraints_and_jacobian(tree: Tree, numbers: Numbers, q: ca.SX, held: ca.SX) -> ca.SX:
    """(c, A by rows)."""
    nudge = ca.SX.sym("nudge", tree.nv)
    c = constraints(tree, numbers, moved(tree, q, nudge, ca.SX(1)), held)
    A = ca.substitute(ca.densify(ca.jacobian(c, nudge)), nudge, ca.SX.zeros(tree.nv))
    return ca.vertcat(constraints(tree, numbers, q, held), ca.vec(A.T))
