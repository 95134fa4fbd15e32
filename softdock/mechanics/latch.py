"""Latches as constraints c(q) = 0 and their Jacobians A = ∂c/∂q (left-trivialised)."""

from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from softdock.mechanics.latch_pattern import WRITTEN_OUT, LatchPattern, latch_pattern, shared_base
from softdock.mechanics.layouts import CONSTRAINTS, NEWTON_HELD, WEIGHED
from softdock.mechanics.numbers import FrameNumbers, Numbers
from softdock.mechanics.recursion import place
from softdock.mechanics.step import StepSymbols, moved, newton, weight, with_energy
from softdock.mechanics.tree import NOISE, Tree


def relative(tree: Tree, numbers: Numbers, q: ca.SX) -> list[tuple[ca.SX, ca.SX]]:
    """(R_AB, p_AB) of every latch's two frames. What carries both does not enter."""
    placed = place(tree.links, numbers, q)

    @cache
    def pose(link: int, base: int) -> tuple[ca.SX, ca.SX]:
        """A link in another that carries it."""
        if link == base:
            return ca.SX.eye(3), ca.SX.zeros(3)
        R, p = pose(tree.links[link].parent, base)
        return R @ placed[link].matrix(), p + R @ placed[link].p

    def frame_in(base: int, link: int, frame: FrameNumbers) -> tuple[ca.SX, ca.SX]:
        R, p = pose(link, base)
        return R @ frame.R, p + R @ frame.p

    pairs = []
    for latch, (a, b) in zip(tree.world.latches, numbers.latches, strict=True):
        links = [tree.places[end].link for end in (latch.frame_a, latch.frame_b)]
        base = shared_base(tree, *links)
        (R_A, p_A), (R_B, p_B) = (frame_in(base, link, frame) for link, frame in zip(links, (a, b), strict=True))
        pairs.append((R_A.T @ R_B, R_A.T @ (p_B - p_A)))
    return pairs


def constraints(tree: Tree, numbers: Numbers, q: ca.SX, held: Any) -> ca.SX:
    """c of all latches, engaged or not, one after the other (m and, for rotations, rad); held: layouts.HELD."""
    pairs = zip(tree.world.latches, relative(tree, numbers, q), tree.latch_rows(), strict=True)
    rows = []
    for k, (latch, (R, p), matter) in enumerate(pairs):
        c = _constraints(latch.kind, R, p, held.R[k], held.p[k, :].T, held.length[k])
        rows += [c[row] for row in matter]
    return ca.vertcat(*rows)


def _constraints(kind: str, R: ca.SX, p: ca.SX, R0: ca.SX, p0: ca.SX, length: ca.SX) -> ca.SX:
    """All of one latch, in the order of `tree.LATCH_ROWS`."""
    if kind == "distance":
        return (ca.dot(p, p) - length * length) / (2 * length)
    if kind == "hinge":
        return ca.vertcat(p - p0, R0[:, :2].T @ R[:, 2])
    if kind == "weld":
        E = R @ R0.T
        return ca.vertcat(p - p0, (E[2, 1] - E[1, 2]) / 2, (E[0, 2] - E[2, 0]) / 2, (E[1, 0] - E[0, 1]) / 2)
    return p - p0


def constraints_and_jacobian(tree: Tree, numbers: Numbers, q: ca.SX, held: Any) -> ca.SX:
    """layouts.CONSTRAINTS."""
    nudge = ca.SX.sym("nudge", tree.nv)
    c = constraints(tree, numbers, moved(tree, q, nudge, ca.SX(1)), held)
    A = ca.substitute(ca.densify(ca.jacobian(c, nudge)), nudge, ca.SX.zeros(tree.nv))
    return CONSTRAINTS.stack(tree.sizes, c=constraints(tree, numbers, q, held), A=A)


def constraint_bias(tree: Tree, numbers: Numbers, q: ca.SX, v: ca.SX, held: Any) -> ca.SX:
    """γ of c̈ = A a + γ: the second derivative of c while the velocity stays as it is."""
    s = ca.SX.sym("s")
    c = constraints(tree, numbers, moved(tree, q, v, s), held)
    rate = ca.jacobian(c, s)
    return ca.densify(ca.substitute(ca.jacobian(rate, s), s, ca.SX(0)))


def _sparse(tree: Tree, matrix: ca.SX, start: np.ndarray, ranges: np.ndarray) -> ca.SX:
    """Rows of latches without what is always zero: of latch k, what is not in ranges[start[k] : start[k + 1]]."""
    mask, row = np.zeros(matrix.shape), 0
    for k, rows in enumerate(tree.latch_rows()):
        for first, last in ranges[start[k] : start[k + 1]]:
            mask[row : row + len(rows), first:last] = 1.0
        row += len(rows)
    return ca.project(matrix, ca.sparsify(ca.DM(mask)).sparsity())


def _solved(pattern: LatchPattern, F: ca.SX, b: ca.SX) -> ca.SX:
    """S⁻ b (as dynamics/latch_system.solve_by_bodies)."""
    x: list[ca.SX] = []
    for i, (row, first) in enumerate(zip(pattern.order, pattern.first, strict=True)):
        x.append(F[i, i] * (b[row] - sum((F[i, k] * x[k] for k in range(first, i)), start=ca.SX(0))))
    for i in reversed(range(len(x))):
        x[i] = x[i] * F[i, i]
        for k in range(pattern.first[i], i):
            x[k] = x[k] - F[i, k] * x[i]
    return ca.vertcat(*(x[i] for i in np.argsort(pattern.order).tolist()))


def newton_held(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """layouts.NEWTON_HELD."""
    return NEWTON_HELD.stack(tree.sizes, **_newton_held(tree, numbers, s))


def newton_held_weighed(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """layouts.WEIGHED."""
    return WEIGHED.stack(tree.sizes, **_newton_held(tree, numbers, s), weight=weight(tree, numbers, s))


def _newton_held(tree: Tree, numbers: Numbers, s: StepSymbols) -> dict[str, ca.SX]:
    """`step.newton` of a world with engaged latches (layouts.NEWTON_HELD).

    `multipliers` are the change μ of the latches' impulses λ that goes with the step, `push` is Aᵀμ; p in e has Aᵀλ
    added. `violation` is the largest |c| at the step's end before the change, `reach` 1 + the largest coordinate.
    (As latch.correct in dynamics, which also takes gaps.)
    """
    latches, out = s.latches, newton(tree, numbers, s)
    c = constraints(tree, numbers, moved(tree, s.q, s.xi, s.h), latches.held)
    c = ca.vertcat(*(ca.if_else(on, row, 0) for on, row in zip(ca.vertsplit(latches.on), ca.vertsplit(c), strict=True)))
    violation, reach = ca.mmax(ca.fabs(c)), 1 + ca.mmax(ca.fabs(s.q))
    closing = ca.if_else(violation > NOISE * reach, -1 / s.h, 0)
    pattern = latch_pattern(tree)
    A = _sparse(tree, latches.start.A, pattern.path_start, pattern.path)
    Y = _sparse(tree, latches.Y, pattern.reach_start, pattern.reach)
    slip = closing * c - A @ out["step"]
    mu = latches.F @ slip if len(pattern.order) <= WRITTEN_OUT else _solved(pattern, latches.F, slip)
    push = ca.densify(A.T @ mu)
    d = out["step"] + Y.T @ mu
    residual = out["residual"] + push
    changed = {"step": d, "residual": residual, "change": ca.fabs(ca.dot(d, residual))}
    held = {"push": push, "multipliers": mu, "violation": violation, "reach": reach}
    return with_energy(s, out | changed) | held
