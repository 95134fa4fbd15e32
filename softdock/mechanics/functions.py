"""The functions that a world is compiled to, each with inputs (q, v, e, theta) and one output vector.

The extra input e of each:

    newton, advance, newton_held, weight
                        h, r (3), command, p, given, factor, holding   the step (step.py, latch.py); v is ξ
    factor              h                              of the step matrix (articulated.py); v is ξ
    solve               factor                         x with (step matrix) x = v
    inverse             r (3), a                       generalised force that gives accelerations a
    drives              command                        generalised force of the drives
    energy              r (3)                          ledger entries
    latches             held numbers of every latch    c, A
    inertia, momenta, poses, rates, relative           none

r is the radius vector of the reference orbit.
"""

from collections.abc import Callable

import casadi as ca

from softdock.mechanics import articulated, inertia, latch, motion, step
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.tree import LATCH_HELD, Tree, factor_size

Expression = Callable[[Tree, Numbers, ca.SX, ca.SX, ca.SX], ca.SX]


STEP: dict[str, Callable[[Tree, Numbers, step.StepSymbols], ca.SX]] = {
    "newton": step.newton,
    "newton_held": latch.newton_held,
    "advance": lambda t, n, s: step.advance(t, s),
    "weight": lambda t, n, s: motion.weight(t, n, step.moved(t, s.q, s.xi, s.h / 2), s.r),
}


def _poses(tree: Tree, numbers: Numbers, q: ca.SX) -> ca.SX:
    R, p = motion.poses(tree, numbers, q)
    return ca.vertcat(*(ca.vertcat(ca.vec(a.T), b) for a, b in zip(R, p, strict=True)))


def _relative(tree: Tree, numbers: Numbers, q: ca.SX) -> ca.SX:
    return ca.vertcat(*(ca.vertcat(p, ca.vec(R.T)) for R, p in latch.relative(tree, numbers, q)))


EXPRESSIONS: dict[str, tuple[Callable[[Tree], int], Expression]] = {
    "inertia": (lambda t: 0, lambda t, n, q, v, e: inertia.axes_and_momenta(t, n, q)),
    "factor": (lambda t: 1, lambda t, n, q, v, e: articulated.factor(t, n, q, v, e[0])),
    "solve": (factor_size, lambda t, n, q, v, e: articulated.solve(t, articulated.unpack(t, n, e), v)),
    "momenta": (lambda t: 0, lambda t, n, q, v, e: motion.momenta(t, n, q, v)),
    "inverse": (lambda t: 3 + t.nv, lambda t, n, q, v, e: motion.inverse_dynamics(t, n, q, v, e[3:], e[:3])),
    "drives": (lambda t: t.nv, motion.drives),
    "energy": (lambda t: 3, motion.energy),
    "poses": (lambda t: 0, lambda t, n, q, v, e: _poses(t, n, q)),
    "rates": (lambda t: 0, lambda t, n, q, v, e: motion.rates(t, q, v)),
    "relative": (lambda t: 0, lambda t, n, q, v, e: _relative(t, n, q)),
    "latches": (
        lambda t: LATCH_HELD * len(t.world.latches),
        lambda t, n, q, v, e: latch.constraints_and_jacobian(t, n, q, e),
    ),
}


def derive(tree: Tree, name: str) -> ca.Function:
    """The function of that name, for a tree."""
    numbers = Numbers(tree)
    if name in STEP:
        s = step.StepSymbols(tree)
        inputs, out = [s.q, s.xi, s.e], STEP[name](tree, numbers, s)
    else:
        size, expression = EXPRESSIONS[name]
        inputs = [ca.SX.sym("q", tree.nq), ca.SX.sym("v", tree.nv), ca.SX.sym("e", size(tree))]
        out = expression(tree, numbers, *inputs)
    return ca.Function(name, [*inputs, numbers.theta], [ca.densify(out)], {"cse": True})
