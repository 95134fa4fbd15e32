"""Latches as constraints c(q) = 0 and their Jacobians A = ∂c/∂q (left-trivialised)."""

import itertools

import casadi as ca

from softdock.mechanics import motion
from softdock.mechanics.numbers import FrameNumbers, Numbers
from softdock.mechanics.step import StepSymbols, moved, newton
from softdock.mechanics.tree import LATCH_HELD, NOISE, WORLD_LINK, Tree


def relative(tree: Tree, numbers: Numbers, q: ca.SX) -> list[tuple[ca.SX, ca.SX]]:
    """(R_AB, p_AB) of every latch's two frames."""
    R, p = motion.poses(tree, numbers, q)

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


class Holding:
    """What the step is told of latches: numbers of what is held, 1 for every row of an engaged latch and 0 for the
    others, (c, A) at the step's start, and of the iteration's matrix W: W⁻¹Aᵀ by rows and (A W⁻¹ Aᵀ)⁻¹, with zeros for
    what is not engaged."""

    def __init__(self, tree: Tree, e: ca.SX) -> None:
        n, rows = tree.nv, sum(map(len, tree.latch_rows()))
        sizes = [LATCH_HELD * len(tree.world.latches), rows, rows, rows * n, rows * n, rows * rows]
        self.held, self.on, _, A, Y, K = ca.vertsplit(e, [0, *itertools.accumulate(sizes)])
        self.A, self.Y = ca.reshape(A, n, rows).T, ca.reshape(Y, n, rows).T
        self.K = ca.reshape(K, rows, rows)


def newton_held(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """`step.newton` of a world with engaged latches: (d, g, powers, change, scale, grain, residual, Aᵀμ, μ,
    violation, reach, weight).

    μ is the change of the latches' impulses λ that goes with d; p in e has Aᵀλ added. `violation` is the largest |c| at
    the step's end before the change, `reach` 1 + the largest coordinate, `weight` what the ledger keeps of gravity.
    (As latch.correct in dynamics, which also takes gaps.)
    """
    n, holding, out = tree.nv, Holding(tree, s.holding), newton(tree, numbers, s)
    d, residual = out[:n], out[2 * n + 6 :]
    c = constraints(tree, numbers, moved(tree, s.q, s.xi, s.h), holding.held)
    c = ca.vertcat(*(ca.if_else(on, row, 0) for on, row in zip(ca.vertsplit(holding.on), ca.vertsplit(c), strict=True)))
    violation, reach = ca.mmax(ca.fabs(c)), 1 + ca.mmax(ca.fabs(s.q))
    closing = ca.if_else(violation > NOISE * reach, -1 / s.h, 0)
    mu = holding.K @ (closing * c - holding.A @ d)
    push = holding.A.T @ mu
    d = d + holding.Y.T @ mu
    residual = residual + push
    change = ca.fabs(ca.dot(d, residual))
    weight = motion.weight(tree, numbers, moved(tree, s.q, s.xi, s.h / 2), s.r)
    return ca.vertcat(
        d, out[n : 2 * n + 3], change, out[2 * n + 4 : 2 * n + 6], residual, push, mu, violation, reach, weight
    )
