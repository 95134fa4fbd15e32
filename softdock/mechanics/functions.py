"""The functions that a world is compiled to, each with inputs (q, v, e, theta) and one output vector.

What each takes as its extra input e, and gives, is declared in layouts.py.
"""

from collections.abc import Callable
from typing import Any

import casadi as ca

from softdock.mechanics import articulated, derivatives, inertia, latch, motion, step
from softdock.mechanics.fields import Fields
from softdock.mechanics.layouts import FACTOR_INPUT, HELD, INVERSE_INPUT, POSES, RELATIVE
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.tree import Tree

Expression = Callable[[Tree, Numbers, ca.SX, ca.SX, Any], ca.SX]


STEP: dict[str, Callable[[Tree, Numbers, step.StepSymbols], ca.SX]] = {
    "newton": step.newton_vector,
    "newton_weighed": step.newton_weighed,
    "newton_held": latch.newton_held,
    "newton_held_weighed": latch.newton_held_weighed,
    "gross": step.gross,
    "advance": lambda t, n, s: step.advance(t, s),
    "move": lambda t, n, s: step.move(t, s),
    "step_derivatives": derivatives.step_derivatives,
    "weight": step.weight,
    "push": lambda t, n, s: motion.push(t, n, step.moved(t, s.q, s.xi, s.h / 2), s.command),
}
"""Of layouts.STEP_INPUT; v is ξ."""


def _poses(tree: Tree, numbers: Numbers, q: ca.SX) -> ca.SX:
    R, p = motion.poses(tree, numbers, q)
    return POSES.stack(tree.sizes, R=R, p=p)


def _relative(tree: Tree, numbers: Numbers, q: ca.SX) -> ca.SX:
    R, p = zip(*latch.relative(tree, numbers, q), strict=True)
    return RELATIVE.stack(tree.sizes, R=R, p=p)


NOTHING = Fields()

EXPRESSIONS: dict[str, tuple[Fields, Expression]] = {
    "inertia": (NOTHING, lambda t, n, q, v, e: inertia.axes_and_momenta(t, n, q)),
    "factor": (FACTOR_INPUT, articulated.factor),
    "solve": (
        Fields(factor="factor"),
        lambda t, n, q, v, e: articulated.solve(t, articulated.unpack(t, n, e.factor), v),
    ),
    "momenta": (NOTHING, lambda t, n, q, v, e: motion.momenta(t, n, q, v)),
    "inverse": (
        INVERSE_INPUT,
        lambda t, n, q, v, e: motion.inverse_dynamics(t, n, q, v, e.acceleration, e.radius),
    ),
    "actuators": (Fields(command="nv"), lambda t, n, q, v, e: motion.actuators(t, n, q, v, e.command)),
    "energy": (Fields(radius=3), lambda t, n, q, v, e: motion.energy(t, n, q, v, e.radius)),
    "poses": (NOTHING, lambda t, n, q, v, e: _poses(t, n, q)),
    "rates": (NOTHING, lambda t, n, q, v, e: motion.rates(t, q, v)),
    "relative": (NOTHING, lambda t, n, q, v, e: _relative(t, n, q)),
    "latch_bias": (HELD, latch.constraint_bias),
    "latches": (HELD, lambda t, n, q, v, e: latch.constraints_and_jacobian(t, n, q, e)),
}
"""Of the extra input that they declare. `factor` is of the step matrix, its v is ξ; `solve` gives x with
(step matrix) x = v; `inverse` the generalised force that gives accelerations, `actuators` that of the actuators."""


def derive(tree: Tree, name: str) -> ca.Function:
    """The function of that name, for a tree."""
    numbers = Numbers(tree)
    if name in STEP:
        s = step.StepSymbols(tree)
        inputs, out = [s.q, s.xi, s.e], STEP[name](tree, numbers, s)
    else:
        fields, expression = EXPRESSIONS[name]
        lengths = {"q": tree.nq, "v": tree.nv, "e": fields.size(tree.sizes)}
        inputs = [ca.SX.sym(name, length) for name, length in lengths.items()]
        q, v, e = inputs
        out = expression(tree, numbers, q, v, fields.split(e, tree.sizes))
    return ca.Function(name, [*inputs, numbers.theta], [ca.densify(out)], {"cse": True})
