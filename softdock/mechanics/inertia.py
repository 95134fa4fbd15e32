"""What the mass matrix is made of: axes and composite momenta, O(number of links)."""

import casadi as ca

from softdock.mechanics.layouts import INERTIA
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.recursion import ZERO, Pair, Placed, place
from softdock.mechanics.tree import WORLD_LINK, Tree

Composite = tuple[ca.SX, ca.SX, ca.SX]
"""Mass, first moment and inertia of all that a link carries, about its origin, in its axes."""


def axes_and_momenta(tree: Tree, numbers: Numbers, q: ca.SX) -> ca.SX:
    """For each velocity: its axis S (6) and the momentum F = I^c S (6) of all that it carries.

    Both in world axes about the tree's own root origin, which a free root carries along: no large
    distance enters. The mass matrix, less armatures, is M_ij = S_i · F_j for i an ancestor of j (composite rigid
    bodies; Featherstone, Rigid Body Dynamics Algorithms, 2008, sec. 6.2).
    """
    numbers = numbers.deformed(tree, q)
    placed = place(tree.links, numbers, q)
    composite: list[Composite] = [(n.m, n.mc, n.I) for n in numbers.links]
    for i in reversed(range(len(tree.links))):
        parent = tree.links[i].parent
        if parent != WORLD_LINK:
            m, mc, inertia = composite[parent]
            dm, dmc, di = _in_parent(placed[i], composite[i])
            composite[parent] = (m + dm, mc + dmc, inertia + di)
    R: list[ca.SX] = []
    origin: list[ca.SX] = []
    S, F = [], []
    for i, (link, at) in enumerate(zip(tree.links, placed, strict=True)):
        root = link.parent == WORLD_LINK
        R.append(at.matrix() if root else R[link.parent] @ at.matrix())
        origin.append(ZERO if root else origin[link.parent] + R[link.parent] @ at.p)
        if link.kind == "M":
            turning, pushing = R[i] @ numbers.links[i].screw[:3], R[i] @ numbers.links[i].screw[3:]
            S += [ZERO, ZERO]
            F += [turning + ca.cross(origin[i], pushing), pushing]
            continue
        for axis in _axes(link.kind):
            angular, linear = R[i] @ axis[0], R[i] @ axis[1]
            S += [angular, linear + ca.cross(origin[i], angular)]
            turning, pushing = _momentum(composite[i], axis)
            turning, pushing = R[i] @ turning, R[i] @ pushing
            F += [turning + ca.cross(origin[i], pushing), pushing]
    return INERTIA.stack(tree.sizes, S=S, F=F)


def _in_parent(at: Placed, carried: Composite) -> Composite:
    """A composite, seen from the parent's origin in the parent's axes."""
    m, mc, inertia = carried
    turned = ca.tril2symm(ca.tril(at.up_both(inertia)))
    center = at.up(mc)
    # parallel axes: with a the shift, I' = I + (2 a·c + m a·a) 1 − (a cᵀ + c aᵀ) − m a aᵀ, c the first moment
    a = at.p
    both = center + m * a / 2
    outer = a @ both.T
    inertia = turned + 2 * ca.dot(a, both) * ca.SX.eye(3) - outer - outer.T
    return m, center + m * a, inertia


def _axes(kind: str) -> list[Pair]:
    one = ca.SX.eye(3)
    return {
        "R": [(one[:, 2], ZERO)],
        "P": [(ZERO, one[:, 2])],
        "S": [(one[:, k], ZERO) for k in range(3)],
        "T": [(ZERO, one[:, k]) for k in range(3)],
    }[kind]


def _momentum(composite: Composite, axis: Pair) -> Pair:
    m, mc, inertia = composite
    w, v = axis
    return inertia @ w + ca.cross(mc, v), m * v + ca.cross(w, mc)
