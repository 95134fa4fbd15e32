"""One step of the discrete mechanics (docs/theory/step.md): residual, and what follows from it.

The discrete Lagrangian is the midpoint rule on R^n × SO(3)^m with the velocity ξ as unknown:
q_mid = q ⊕ (h/2) ξ, L_d = h L(q_mid, ξ). All of a joint's rotation equations are written in the
frame at the middle of the step, where they are short:

    flat    p + (h/2) g − l                          = 0      p' = p + h g
    SO(3)   π + (h/2)(g − t φ × g) − G l             = 0      p' = e^(−φ/2) (π + h g),  π = e^(−φ/2) p

with l = ∂L/∂ξ, g = ∂L/∂q_mid + forces. p' keeps momentum whatever the error of ξ.
"""

import casadi as ca

from softdock.mechanics import articulated, rotation
from softdock.mechanics.forces import joint_forces
from softdock.mechanics.gravity import Gravity
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.recursion import (
    Pair,
    Placed,
    along_joint,
    configuration_force,
    gather,
    momentum,
    place,
    velocities,
)
from softdock.mechanics.rotation import MidpointMaps
from softdock.mechanics.tree import WORLD_LINK, Tree, factor_size

POWERS = 3
"""Powers that `residual` gives: of actuators, dampers, friction (W)."""


class StepSymbols:
    """Inputs of the step kernels: q, ξ and e = (h, r, command, p, g, factor)."""

    def __init__(self, tree: Tree) -> None:
        n = tree.nv
        self.q, self.xi = ca.SX.sym("q", tree.nq), ca.SX.sym("xi", n)
        self.e = ca.SX.sym("e", 4 + 3 * n + factor_size(tree))
        self.factor = self.e[4 + 3 * n :]
        self.h, self.r = self.e[0], self.e[1:4]
        self.command, self.p, self.g = (self.e[4 + k * n : 4 + (k + 1) * n] for k in range(3))


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


def newton(tree: Tree, numbers: Numbers, s: StepSymbols) -> ca.SX:
    """(d, g, powers, change, scale, residual): d the simplified Newton step for ξ with the factor in e.

    `change` is d in the norm of kinetic energy, squared; `scale` is about twice the kinetic energy.
    """
    row, g, powers = residual(tree, numbers, s)
    d = articulated.solve(tree, articulated.unpack(tree, numbers, s.factor), row)
    scale = ca.fabs(ca.dot(s.xi, s.p)) + ca.fabs(s.h * ca.dot(s.xi, g))
    return ca.vertcat(d, g, powers, ca.fabs(ca.dot(d, row)), scale, row)


def residual(tree: Tree, numbers: Numbers, s: StepSymbols) -> tuple[ca.SX, ca.SX, ca.SX]:
    """(residual, g, powers) at ξ."""
    mid = moved(tree, s.q, s.xi, s.h / 2)
    placed = place(tree.links, numbers, mid)
    motions, carried = velocities(tree.links, placed, s.xi)
    gravity = Gravity(tree, numbers, placed, s.r)
    momenta, _ = gather(
        tree.links, placed, [momentum(n, motion) for n, motion in zip(numbers.links, motions, strict=True)]
    )
    weights, _ = gather(tree.links, placed, [gravity.wrench(i) for i in range(len(tree.links))])
    rows: list[ca.SX] = []
    pushes: list[ca.SX] = []
    powers = ca.SX.zeros(POWERS)
    for i, link in enumerate(tree.links):
        own = s.xi[link.v : link.v + link.dof]
        forces = joint_forces(link, numbers.links[i], mid, s.xi, s.command)
        push = along_joint(link, weights[i]) + forces.total() + _inertial(tree, i, placed, carried, momenta, s, pushes)
        pushes.append(push)
        rows.append(_row(link.kind, s, link.v, along_joint(link, momenta[i]), push))
        powers += ca.vertcat(*(ca.dot(f, own) for f in (forces.actuator, forces.damping, forces.friction)))
    return ca.vertcat(*rows), ca.vertcat(*pushes), powers


def _inertial(
    tree: Tree,
    i: int,
    placed: list[Placed],
    carried: list[Pair],
    momenta: list[Pair],
    s: StepSymbols,
    pushes: list[ca.SX],
) -> ca.SX:
    """∂T/∂q_mid of joint i. The rotation of a free root takes the momentum that its translation
    keeps, p + (h/2) g, rather than the momentum of the current iterate: the two agree when the step
    has converged, and spatial angular momentum is then kept to rounding at any tolerance."""
    link = tree.links[i]
    base = tree.links[link.parent] if link.parent != WORLD_LINK else None
    if link.kind == "S" and base is not None and base.kind == "T" and base.parent == WORLD_LINK:
        kept = s.p[base.v : base.v + 3] + s.h / 2 * pushes[link.parent]
        return -ca.cross(carried[i][1], placed[i].down(kept))
    return configuration_force(link, carried[i], momenta[i])


def _row(kind: str, s: StepSymbols, v: int, l: ca.SX, g: ca.SX) -> ca.SX:
    if kind != "S":
        return s.p[v : v + g.numel()] + s.h / 2 * g - l
    maps = MidpointMaps.of(s.h * s.xi[v : v + 3])
    pi = rotation.turn(rotation.conjugate(maps.half), s.p[v : v + 3])
    return pi + s.h / 2 * (g - maps.t * ca.cross(maps.phi, g)) - maps.G(l)


def advance(tree: Tree, s: StepSymbols) -> ca.SX:
    """(q', p') after a converged step with velocity ξ and force g."""
    coordinates, momenta = [], []
    for link in tree.links:
        own, v = s.xi[link.v : link.v + link.dof], slice(link.v, link.v + link.dof)
        if link.kind == "S":
            back = rotation.conjugate(rotation.exp(s.h / 2 * own))
            at_middle = rotation.turn(back, s.p[v]) + s.h * s.g[v]
            momenta.append(rotation.turn(back, at_middle))
            turned = rotation.product(s.q[link.q : link.q + 4], rotation.exp(s.h * own))
            coordinates.append(rotation.normalised(turned))
        else:
            momenta.append(s.p[v] + s.h * s.g[v])
            coordinates.append(s.q[link.q : link.q + link.dof] + s.h * own)
    return ca.vertcat(*coordinates, *momenta)
