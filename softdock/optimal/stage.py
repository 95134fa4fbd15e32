"""The simulator's step as a stage of a program (docs/theory/optimal.md).

Variables of a stage are z = (q, p, ξ, u, λ, q', p', h): the state, the step's velocity, torques of actuators, impulses
of engaged latches, the next state and, if it is free, the step's size. Constraints are the step's own equations,

    q' − q ⊕ hξ = 0,   p' − advance(p̃) = 0,   residual(ξ; p̃) = 0,   c(q') = 0,    p̃ = p + A(q)ᵀλ          (eq. 4)

and at the end of the last, of the velocity v there, M v = p + Aᵀμ and A v = 0. Momenta, torques and impulses are in
units of `Scale`, so that a solver's tolerances mean the same for all.
"""

from typing import Any

import casadi as ca

from softdock.mechanics import latch, motion, rotation, step
from softdock.mechanics.fields import Fields
from softdock.mechanics.layouts import HELD
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.tree import Tree
from softdock.optimal.block import Written
from softdock.optimal.drives import Drives

STAGE = Fields(q="nq", p="nv", xi="nv", u="torques", impulses="held", q_next="nq", p_next="nv")
"""Variables of a stage; of a free one `h` more."""
END = Fields(q="nq", p="nv", v="nv", impulses="held")
"""Variables at the end."""
GIVEN = Fields(
    h=1, radius=3, momentum="nv", torque="torques", impulse=1, held=HELD, wrenches=("thrusters", 6),
    delay=1, rate=3, pull=3,
)  # fmt: skip
"""Parameters of a stage: h, if it is given, the orbit's radius, units of momenta, torques and impulses, what latches
hold, what thrusters push with 1 N; and where h is free, about which h the radius is given: by how much later its
middle is when h is longer by one, and the radius' rate (m/s) and acceleration (m/s²)."""


def stage(tree: Tree, drives: Drives, rows: tuple[int, ...], free: bool, sizes: dict[str, int]) -> Written:
    """One step, with torques of `drives` and the rows `rows` of latches' constraints in force."""
    numbers = Numbers(tree)
    z, e = ca.SX.sym("z", STAGE.size(sizes) + free), ca.SX.sym("e", GIVEN.size(sizes))
    x, given = STAGE.split(z[: STAGE.size(sizes)], sizes), GIVEN.split(e, sizes)
    s = step.StepSymbols.__new__(step.StepSymbols)
    s.q, s.xi, s.h, s.r = x.q, x.xi, given.h, given.radius
    if free:  # to second order, so that conditions of optimality are right where h is as given
        s.h, late = z[-1], given.delay * (z[-1] - given.h)
        s.r = given.radius + late * given.rate + late**2 / 2 * given.pull
    s.p = x.p * given.momentum + _pushed(tree, numbers, x, given, rows)
    s.command = drives.written(tree, s, x.u * given.torque, given.wrenches)
    half = ca.SX.zeros(tree.nv) + 0.5
    s.weights, s.foreseen = _Given(momentum=half, position=half), _Given(momentum=s.p, velocity=s.xi)
    residual, s.g, *_ = step.residual(tree, numbers, s)
    after = step.advance(tree, s)[: tree.nq + tree.nv]
    equations = [
        x.q_next - after[: tree.nq],
        x.p_next - (after[tree.nq :] + _swung(tree, s, residual)) / given.momentum,
        residual / given.momentum,
        *_closed(tree, numbers, x.q_next, given, rows),
    ]
    return Written(z, e, numbers.theta, ca.SX(0), ca.vertcat(*equations))


def end(tree: Tree, rows: tuple[int, ...], sizes: dict[str, int]) -> Written:
    """The velocity at the end, from the momenta there."""
    numbers = Numbers(tree)
    z, e = ca.SX.sym("z", END.size(sizes)), ca.SX.sym("e", GIVEN.size(sizes))
    x, given = END.split(z, sizes), GIVEN.split(e, sizes)
    push = _pushed(tree, numbers, x, given, rows)
    equations = [(motion.momenta(tree, numbers, x.q, x.v) - push) / given.momentum - x.p]
    if rows:
        equations.append(_rows_along(tree, numbers, x.q, given, rows, x.v))
    return Written(z, e, numbers.theta, ca.SX(0), ca.vertcat(*equations))


def _swung(tree: Tree, s: step.StepSymbols, residual: ca.SX) -> ca.SX:
    """What the simulator's advance lacks where the residual is not zero: it turns a free root by ẋ × p, of the momentum
    that translation keeps, which is along ẋ in a step that is solved, and in others is a torque that there is not. With
    this it is ẋ × l, of the momentum that ξ gives: so what is off in a translation does not turn a craft."""
    out = ca.SX.zeros(tree.nv)
    for i, link in enumerate(tree.links):
        if step.is_free_root(tree, i):
            own, along = slice(link.v, link.v + 3), slice(link.v - 3, link.v)
            half = rotation.exp(s.h / 2 * s.xi[own])
            R = rotation.matrix(rotation.product(s.q[link.q : link.q + 4], half))
            torque = R.T @ ca.cross(s.xi[along], residual[along])
            out[own] = s.h * rotation.turn(rotation.conjugate(half), torque)
    return out


class _Given:
    """Parts by name."""

    def __init__(self, **parts: Any) -> None:
        self.__dict__.update(parts)


def _nudged(tree: Tree, numbers: Numbers, q: ca.SX, given: Any, rows: tuple[int, ...]) -> tuple[ca.SX, ca.SX]:
    """The rows' c at q ⊕ δ, and δ."""
    nudge = ca.SX.sym("nudge", tree.nv)
    c = latch.constraints(tree, numbers, step.moved(tree, q, nudge, ca.SX(1)), given.held)
    return ca.vertcat(*(c[row] for row in rows)), nudge


def _pushed(tree: Tree, numbers: Numbers, x: Any, given: Any, rows: tuple[int, ...]) -> ca.SX:
    """A(q)ᵀλ."""
    if not rows:
        return ca.SX.zeros(tree.nv)
    c, nudge = _nudged(tree, numbers, x.q, given, rows)
    push = ca.gradient(ca.dot(x.impulses * given.impulse, c), nudge)
    return ca.substitute(push, nudge, ca.SX.zeros(tree.nv))


def _rows_along(tree: Tree, numbers: Numbers, q: ca.SX, given: Any, rows: tuple[int, ...], v: ca.SX) -> ca.SX:
    """A(q) v."""
    c, nudge = _nudged(tree, numbers, q, given, rows)
    return ca.substitute(ca.jtimes(c, nudge, v), nudge, ca.SX.zeros(tree.nv))


def _closed(tree: Tree, numbers: Numbers, q: ca.SX, given: Any, rows: tuple[int, ...]) -> list[ca.SX]:
    """c(q)."""
    if not rows:
        return []
    c = latch.constraints(tree, numbers, q, given.held)
    return [ca.vertcat(*(c[row] for row in rows))]
