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
    pairs = zip(tree.world.latches, relative(tree, numbers, q), tree.latch_rows(), strict=True)
    rows = []
    for k, (latch, (R, p), matter) in enumerate(pairs):
        c = _constraints(latch.kind, R, p, held[LATCH_HELD * k : LATCH_HELD * (k + 1)])
        rows += [c[row] for row in matter]
    return ca.vertcat(*rows)


def _constraints(kind: str, R: ca.SX, p: ca.SX, held: ca.SX) -> ca.SX:
    """All of one latch, in the order of `tree.LATCH_ROWS`."""
    p0, R0, length = held[:3], ca.reshape(held[3:12], 3, 3).T, held[12]
    if kind == "distance":
        return (ca.dot(p, p) - length * length) / (2 * length)
    if kind == "hinge":
        return ca.vertcat(p - p0, R0[:, :2].T @ R[:, 2])
    if kind == "weld":
        E = R @ R0.T
        return ca.vertcat(p - p0, (E[2, 1] - E[1, 2]) / 2, (E[0, 2] - E[2, 0]) / 2, (E[1, 0] - E[0, 1]) / 2)
    return p - p0


def constraints_and_jacobian(tree: Tree, numbers: Numbers, q: ca.SX, held: ca.SX) -> ca.SX:
    """(c, A by rows)."""
    nudge = ca.SX.sym("nudge", tree.nv)
    c = constraints(tree, numbers, moved(tree, q, nudge, ca.SX(1)), held)
    A = ca.substitute(ca.densify(ca.jacobian(c, nudge)), nudge, ca.SX.zeros(tree.nv))
    return ca.vertcat(constraints(tree, numbers, q, held), ca.vec(A.T))
