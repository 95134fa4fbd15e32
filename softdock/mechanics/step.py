"""One step of the discrete mechanics (docs/theory/step.md): residual, and what follows from it.

The discrete Lagrangian is the midpoint rule on R^n × SO(3)^m with the velocity ξ as unknown:
q_mid = q ⊕ (h/2) ξ, L_d = h L(q_mid, ξ). All of a joint's rotation equations are written in the
frame at the middle of the step, where they are short:

    flat    p + (h/2) g − l                          = 0      p' = p + h g
    SO(3)   π + (h/2)(g − t φ × g) − G l             = 0      p' = e^(−φ/2) (π + h g),  π = e^(−φ/2) p

with l = ∂L/∂ξ, g = ∂L/∂q_mid + forces; joints with a damper or servo that the step cannot resolve take more of g, and
their forces later (`_half_pushed`, `_where_forces_are`). p' keeps momentum whatever the error of ξ. (The g of a free
root's rotation is given without the part −Rᵀ(ẋ × k), which `advance` adds.)
"""

import casadi as ca

from softdock.mechanics import articulated, motion, rotation
from softdock.mechanics.forces import gross_force, joint_forces, weights
from softdock.mechanics.gravity import Gravity
from softdock.mechanics.layouts import ADVANCE, GROSS, MOVE, NEWTON, STEP_INPUT, WEIGHED
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.recursion import (
    along_joint,
    configuration_force,
    gather,
    joint_momentum,
    momenta_of,
    place,
    velocities,
)
from softdock.mechanics.rotation import MidpointMaps
from softdock.mechanics.tree import WORLD_LINK, Link, Tree

_HANGING = 4e-14
"""Share of the energy of one step's fall that rounding may leave (times the unit of rounding)."""


class StepSymbols:
    """Inputs of the step kernels: q, ξ and e (layouts.STEP_INPUT)."""

    def __init__(self, tree: Tree) -> None:
        self.q, self.xi = ca.SX.sym("q", tree.nq), ca.SX.sym("xi", tree.nv)
        self.e = ca.SX.sym("e", STEP_INPUT.size(tree.sizes))
        given = STEP_INPUT.split(self.e, tree.sizes)
        self.h, self.r, self.command, self.p, self.g = (
            given.h, given.radius, given.command, given.momentum, given.newton.gradient,
        )  # fmt: skip
        self.factor, self.latches = given.factor, given.latches
        self.foreseen, self.weights, self.newton = given.foreseen, given.weights, given.newton


def moved(tree: Tree, q: ca.SX, xi: ca.SX, h: ca.SX) -> ca.SX:
    """q ⊕ h ξ."""
    parts = []
    for link in tree.links:
        own = xi[link.v : link.v + link.dof]
        if link.kind == "S":
            parts.append(rotation.product(q[link.q : link.q + 4], rotation.exp(h * own)))
        else:
            parts.append(q[link.q : link.q + link.dof] + h * own)
    return ca.vertcat(*parts)


def newton(tree: Tree, numbers: Numbers, s: StepSymbols) -> dict[str, ca.SX]:
    """Parts of layouts.NEWTON, of which `step` is the simplified Newton step d for ξ with e's factor.

    `change` is d in the norm of kinetic energy, squared; `scale` is about twice the kinetic energy.
    """
    row, g, l, force, load, powers = residual(tree, numbers, s)
    d = articulated.solve(tree, articulated.unpack(tree, numbers, s.factor), row)
    scale = ca.fabs(ca.dot(s.xi, s.p)) + ca.fabs(s.h * ca.dot(s.xi, g))
    change = ca.fabs(ca.dot(d, row))
    return {
        "step": d, "gradient": g, "force": force, "load": load, "momentum": l, "powers": powers, "change": change,
        "scale": scale, "residual": row,
    }  # fmt: skip


def newton_vector(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """The same as one vector."""
    return NEWTON.stack(tree.sizes, **with_energy(s, newton(tree, numbers, s)))


def newton_weighed(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """The same with what the ledger keeps of gravity: nearly all of it is in the residual already."""
    parts = with_energy(s, newton(tree, numbers, s)) | {"weight": weight(tree, numbers, s)}
    zeros = {name: ca.SX.zeros(part.numel()) for name, part in zip(WEIGHED.parts, s.newton[1:], strict=True)}
    return WEIGHED.stack(tree.sizes, **zeros | parts)


def gross(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """layouts.GROSS of the iteration that e tells of: `grain` × the unit of rounding is the change of ξ, as `change`
    counts it, that rounding of the residual's terms alone makes."""
    mid, sizes = moved(tree, s.q, s.xi, s.h / 2), []
    for link, n in zip(tree.links, numbers.links, strict=True):
        own = slice(link.v, link.v + link.dof)
        loads = gross_force(link, n, mid, s.xi, s.command) + ca.fabs(s.newton.load[own])
        sizes.append(ca.fabs(s.p[own]) + ca.fabs(s.newton.momentum[own]) + ca.fabs(s.h) * loads)
    terms = ca.vertcat(*sizes)
    # at rest under its weight a world has no momentum to compare with, but what one step of falling gives
    weight = s.h * s.h * sum(n.m for n in numbers.links) * ca.dot(numbers.g, numbers.g)
    return GROSS.stack(tree.sizes, terms=terms, grain=ca.dot(ca.fabs(s.newton.step), terms) + _HANGING * weight)


def weight(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """`motion.weight` in the middle of the step."""
    return motion.weight(tree, numbers, moved(tree, s.q, s.xi, s.h / 2), s.r)


def with_energy(s: StepSymbols, out: dict[str, ca.SX]) -> dict[str, ca.SX]:
    """`energy` and `power` besides: of ξ and l as the step changes them (M d is about the residual)."""
    xi, l = s.xi + out["step"], out["momentum"] + out["residual"]
    return out | {"energy": ca.dot(xi, l) / 2, "power": ca.dot(xi, out["force"])}


def residual(tree: Tree, numbers: Numbers, s: StepSymbols) -> tuple[ca.SX, ca.SX, ca.SX, ca.SX, ca.SX, ca.SX]:
    """(residual, g, l, force, load, powers) at ξ; `force` is g without its inertial part, `load` with all of it."""
    mid = moved(tree, s.q, s.xi, s.h / 2)
    numbers = numbers.deformed(tree, mid)
    placed = place(tree.links, numbers, mid)
    motions, carried = velocities(tree.links, placed, s.xi)
    gravity = Gravity(tree, numbers, placed, s.r)
    momenta, _ = gather(tree.links, placed, momenta_of(tree.links, numbers, motions, s.xi))
    weights, _ = gather(tree.links, placed, [gravity.wrench(i) for i in range(len(tree.links))])
    rows: list[ca.SX] = []
    pushes: list[ca.SX] = []
    applied: list[ca.SX] = []
    momenta_along: list[ca.SX] = []
    loads: list[ca.SX] = []
    powers = ca.SX.zeros(3)
    for i, link in enumerate(tree.links):
        own = s.xi[link.v : link.v + link.dof]
        forces = joint_forces(link, numbers.links[i], _where_forces_are(link, s, mid), s.xi, s.command)
        push = (gravity.on_mode(i) if link.kind == "M" else along_joint(link, weights[i])) + forces.total()
        inertial = configuration_force(link, numbers.links[i], carried[i], momenta[i])
        applied.append(push)
        pushes.append(push if is_free_root(tree, i) else push + inertial)
        l = joint_momentum(link, numbers.links[i], carried[i], momenta[i], s.xi)
        momenta_along.append(l)
        loads.append(push + inertial)
        rows.append(_row(link, s, l, push + inertial))
        powers += ca.vertcat(*(ca.dot(f, own) for f in (forces.actuator, forces.damping, forces.friction)))
    row, g, l, force, load = (ca.vertcat(*parts) for parts in (rows, pushes, momenta_along, applied, loads))
    return row, g, l, force, load, powers


def is_free_root(tree: Tree, i: int) -> bool:
    """Is link i the rotation of a free joint on the world?"""
    link = tree.links[i]
    base = tree.links[link.parent] if link.parent != WORLD_LINK else None
    return link.kind == "S" and base is not None and base.kind == "T" and base.parent == WORLD_LINK


def _swing(s: StepSymbols, base: Link, turn: ca.SX, push: ca.SX) -> ca.SX:
    """∂T/∂q_mid of a free root's rotation, −Rᵀ(ẋ × k), with k = p + (h/2) g the momentum that its
    translation keeps, in place of the momentum that ξ gives. The two agree when the step has
    converged; with this one spatial angular momentum is kept to rounding at any tolerance."""
    own = slice(base.v, base.v + 3)
    kept = _half_pushed(base, s, s.p[own], s.foreseen.momentum[own], push)
    return -turn.T @ ca.cross(s.xi[base.v : base.v + 3], kept)


def _where_forces_are(link: Link, s: StepSymbols, mid: ca.SX) -> ca.SX:
    """Coordinates at which a joint's forces are taken: q_mid; of a servo with the weight θ of position, further by
    (θ − ½) h (ξ − what was foreseen)."""
    if not (link.kp and any(link.settles)):
        return mid
    at = ca.SX(mid)
    at[link.q] += (s.weights.position[link.v] - 0.5) * (s.h * (s.xi[link.v] - s.foreseen.velocity[link.v]))
    return at


def _half_pushed(link: Link, s: StepSymbols, p: ca.SX, foreseen: ca.SX, g: ca.SX) -> ca.SX:
    """p + (h/2) g, and with the weight w of momentum (w − ½)(p + h g − what was foreseen) more; p has what latches
    push."""
    if not any(link.settles):
        return p + s.h / 2 * g
    w = weights(link, s.weights.momentum)
    return p + (w - 0.5) * (p - foreseen) + w * s.h * g


def _row(link: Link, s: StepSymbols, l: ca.SX, g: ca.SX) -> ca.SX:
    own = slice(link.v, link.v + link.dof)
    p, foreseen = s.p[own], s.foreseen.momentum[own]
    if link.kind != "S":
        return _half_pushed(link, s, p, foreseen, g) - l
    maps = MidpointMaps.of(s.h * s.xi[link.v : link.v + 3])
    pi, foreseen = (rotation.turn(rotation.conjugate(maps.half), x) for x in (p, foreseen))
    if not any(link.settles):
        return pi + s.h / 2 * (g - maps.t * ca.cross(maps.phi, g)) - maps.G(l)
    return _half_pushed(link, s, pi, foreseen, g) - s.h / 2 * maps.t * ca.cross(maps.phi, g) - maps.G(l)


def advance(tree: Tree, s: StepSymbols) -> ca.SX:
    """layouts.ADVANCE after a converged step with velocity ξ and force g."""
    way, gain = _moved_by(tree, s)
    by = MOVE.stack(tree.sizes, way=way, gain=gain)
    return ADVANCE.stack(tree.sizes, q=s.q + way, momentum=s.p + gain, by=by)


def move(tree: Tree, s: StepSymbols) -> ca.SX:
    """layouts.MOVE in such a step."""
    way, gain = _moved_by(tree, s)
    return MOVE.stack(tree.sizes, way=way, gain=gain)


def _moved_by(tree: Tree, s: StepSymbols) -> tuple[ca.SX, ca.SX]:
    """By how much q and p change."""
    ways, gains = [], []
    for i, link in enumerate(tree.links):
        own, v = s.xi[link.v : link.v + link.dof], slice(link.v, link.v + link.dof)
        if link.kind == "S":
            q, half = s.q[link.q : link.q + 4], rotation.exp(s.h / 2 * own)
            push = s.g[v]
            if is_free_root(tree, i):
                R = rotation.matrix(rotation.product(q, half))
                push = push + _swing(s, tree.links[link.parent], R, s.g[link.v - 3 : link.v])
            back, e = rotation.conjugate(half), rotation.square_less_one(half)
            gains.append(rotation.turned_by(rotation.conjugate(e), s.p[v]) + s.h * rotation.turn(back, push))
            ways.append(rotation.product(q, e) + (1 - ca.dot(q, q)) / 2 * q)  # and back to unit length
        else:
            gains.append(s.h * s.g[v])
            ways.append(s.h * own)
    return ca.vertcat(*ways), ca.vertcat(*gains)
