"""What the mass matrix is made of: axes and composite momenta, O(number of links)."""

import casadi as ca

from softdock.mechanics.numbers import LinkNumbers, Numbers
from softdock.mechanics.recursion import ZERO, place
from softdock.mechanics.tree import WORLD_LINK, Tree

Composite = tuple[ca.SX, ca.SX, ca.SX]


def axes_and_momenta(tree: Tree, numbers: Numbers, q: ca.SX) -> ca.SX:
    """For each velocity: its axis S (6) and the momentum F = I^c S (6) of all that it carries.

    Both in world axes about the tree's own root origin, which a free root carries along: no large
    distance enters. The mass matrix is M_ij = S_i · F_j for i an ancestor of j (composite rigid
    bodies; Featherstone, Rigid Body Dynamics Algorithms, 2008, sec. 6.2, in one common frame).
    """
    placed = place(tree.links, numbers, q)
    R: list[ca.SX] = []
    origin: list[ca.SX] = []
    for link, at in zip(tree.links, placed, strict=True):
        if link.parent == WORLD_LINK:
            R.append(at.matrix())
            origin.append(ZERO)
        else:
            R.append(R[link.parent] @ at.matrix())
            moved = ZERO if _slides_root(tree, link.parent) and link.kind == "S" else R[link.parent] @ at.p
            origin.append(origin[link.parent] + moved)
    composite = [_in_world(n, R[i], origin[i]) for i, n in enumerate(numbers.links)]
    for i in reversed(range(len(tree.links))):
        parent = tree.links[i].parent
        if parent != WORLD_LINK:
            composite[parent] = tuple(a + b for a, b in zip(composite[parent], composite[i], strict=True))  # type: ignore[assignment]
    rows = []
    for i, link in enumerate(tree.links):
        for axis in _axes(link.kind, R[i], origin[i]):
            rows += [*axis, *_momentum(composite[i], axis)]
    return ca.vertcat(*rows)


def _slides_root(tree: Tree, i: int) -> bool:
    return tree.links[i].kind == "T" and tree.links[i].parent == WORLD_LINK


def _in_world(n: LinkNumbers, R: ca.SX, o: ca.SX) -> Composite:
    """(mass, first moment, inertia) of a link about the tree's origin, in world axes."""
    mc = R @ n.mc
    moment = mc + n.m * o
    # parallel axes: I_o = R I Rᵀ + [terms of the shift], with a·b 1 − sym(a bᵀ)
    shift = 2 * ca.dot(o, mc) + n.m * ca.dot(o, o)
    cross = mc @ o.T
    inertia = R @ n.I @ R.T + shift * ca.SX.eye(3) - cross - cross.T - n.m * (o @ o.T)
    return n.m, moment, inertia


def _axes(kind: str, R: ca.SX, o: ca.SX) -> list[tuple[ca.SX, ca.SX]]:
    if kind == "R":
        return [(R[:, 2], ca.cross(o, R[:, 2]))]
    if kind == "P":
        return [(ZERO, R[:, 2])]
    if kind == "S":
        return [(R[:, k], ca.cross(o, R[:, k])) for k in range(3)]
    return [(ZERO, R[:, k]) for k in range(3)]


def _momentum(composite: Composite, axis: tuple[ca.SX, ca.SX]) -> tuple[ca.SX, ca.SX]:
    m, mc, inertia = composite
    w, v = axis
    return inertia @ w + ca.cross(mc, v), m * v + ca.cross(w, mc)
