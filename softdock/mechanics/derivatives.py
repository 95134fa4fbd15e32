"""Derivatives of the step's equations, by automatic differentiation of what mechanics/step.py writes.

A state's displacement is (δ, δp): q ⊕ δ with rotations in the child's frame, and momenta in the frame of their own q.
The step R(q, p, ξ, u, h) = 0, (q', p') = O(q, p, ξ, u, h) then has

    d(δ', p')/dx = O_x − O_ξ R_ξ⁻¹ R_x,      x = (δ, p, u, h)                       (docs/theory/optimal.md, eq. 3)

of which kernels give the four matrices, and a loop the solution (dynamics/derivatives.py).
"""

import casadi as ca

from softdock.mechanics import rotation
from softdock.mechanics.layouts import STEP_DERIVATIVES
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.step import StepSymbols, advance, moved, residual
from softdock.mechanics.tree import Tree


def tangent(tree: Tree, q: ca.SX) -> ca.SX:
    """(nv, nq): of a change of coordinates, the displacement δ. Of a rotation, δ = 2 Im(q* ⊗ dq)."""
    blocks = []
    for link in tree.links:
        if link.kind == "S":
            back = rotation.conjugate(q[link.q : link.q + 4])
            blocks.append(2 * ca.horzcat(back[1:], back[0] * ca.SX.eye(3) + ca.skew(back[1:])))
        else:
            blocks.append(ca.SX.eye(link.dof))
    return ca.diagcat(*blocks)


def step_derivatives(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """layouts.STEP_DERIVATIVES at a converged ξ."""
    nudge = ca.SX.sym("nudge", tree.nv)
    row, after = _step(tree, numbers, s, moved(tree, s.q, nudge, ca.SX(1)))
    given = ca.vertcat(nudge, s.p, s.command, s.h)
    T = ca.diagcat(tangent(tree, moved(tree, s.q, s.xi, s.h)), ca.SX.eye(tree.nv))

    def by(f: ca.SX, x: ca.SX) -> ca.SX:
        return ca.substitute(ca.jacobian(f, x), nudge, ca.SX.zeros(tree.nv))

    return STEP_DERIVATIVES.stack(
        tree.sizes,
        residual_by_given=ca.densify(by(row, given)),
        residual_by_velocity=ca.densify(by(row, s.xi)),
        state_by_given=ca.densify(T @ by(after, given)),
        state_by_velocity=ca.densify(T @ by(after, s.xi)),
    )


def _step(tree: Tree, numbers: Numbers, s: StepSymbols, q: ca.SX) -> tuple[ca.SX, ca.SX]:
    """The residual and the state (q', p') after the step, from q in place of s.q."""
    from_q = StepSymbols.__new__(StepSymbols)
    from_q.__dict__.update(s.__dict__)
    from_q.q = q
    row, from_q.g, *_ = residual(tree, numbers, from_q)
    return row, advance(tree, from_q)[: tree.nq + tree.nv]
