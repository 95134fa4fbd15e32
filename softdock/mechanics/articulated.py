"""(M + damping) x = f solved in O(links): articulated-body factor, and the sweeps that use it.

Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 7, with velocities zero and a diagonal added:
the step matrix M + (h/2) D + (h²/4) K (weights of ½), minus the derivative of the step's residual but for its
gyroscopic part; M itself for h = 0. An articulated inertia is (J, H, N) with

    angular = J w + H v        linear = Hᵀ w + N v
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca

from softdock.mechanics.forces import play_slope, weights
from softdock.mechanics.layouts import LINK_FACTOR
from softdock.mechanics.numbers import LinkNumbers, Numbers
from softdock.mechanics.recursion import ZERO, Pair, Placed, along_joint, own_motion, place
from softdock.mechanics.tree import FACTOR_SHIFT, WORLD_LINK, Link, Tree, factor_sizes

Articulated = tuple[ca.SX, ca.SX, ca.SX]


@dataclass(frozen=True)
class LinkFactor:
    """One link's share of the factor: where it is, U = I^A S (angular, linear by columns) and D⁻¹."""

    placed: Placed
    U: Pair
    D_inverse: ca.SX


def factor(tree: Tree, numbers: Numbers, q: ca.SX, xi: ca.SX, given: Any) -> ca.SX:
    """The factor at coordinates q, as one vector that `unpack` reads; given: layouts.FACTOR_INPUT."""
    numbers = numbers.deformed(tree, q)
    placed = place(tree.links, numbers, q)
    inertia: list[Articulated] = [_rigid(n) for n in numbers.links]
    rows: list[ca.SX] = [ca.SX()] * len(tree.links)
    for i in reversed(range(len(tree.links))):
        link, n = tree.links[i], numbers.links[i]
        U = (n.screw[:3], n.screw[3:]) if link.kind == "M" else _columns(link, inertia[i])
        D = along_joint(link, U) + ca.diag(_resistance(link, n, q, xi, given))
        if link.armature:
            D = D + n.armature
        D_inverse = _inverse(D)
        rows[i] = LINK_FACTOR.stack(
            factor_sizes(link),
            turn=placed[i].turn,
            shift=q[link.q : link.q + link.dof] if FACTOR_SHIFT[link.kind] else ca.SX(),
            angular=U[0].T,
            linear=U[1].T,
            D_inverse=D_inverse,
        )
        if link.parent != WORLD_LINK:
            carried = _in_parent(placed[i], _without_joint(inertia[i], U, D_inverse))
            inertia[link.parent] = tuple(a + b for a, b in zip(inertia[link.parent], carried, strict=True))  # type: ignore[assignment]
    return ca.vertcat(*rows)


def unpack(tree: Tree, numbers: Numbers, packed: ca.SX) -> list[LinkFactor]:
    """A factor's links, from its vector."""
    found, at = [], 0
    for link, n in zip(tree.links, numbers.links, strict=True):
        sizes = factor_sizes(link)
        part = LINK_FACTOR.split(packed[at : at + LINK_FACTOR.size(sizes)], sizes)
        at += LINK_FACTOR.size(sizes)
        turn = ca.reshape(part.turn, 3, 3).T if link.kind == "S" else part.turn
        shifts = {"P": lambda: n.R[:, 2] * part.shift, "T": lambda: n.R @ part.shift}  # noqa: B023
        p = n.p + shifts.get(link.kind, lambda: ZERO)()
        U = part.angular.T, part.linear.T
        found.append(LinkFactor(Placed(n.R, link.kind, turn, p), U, part.D_inverse))
    return found


def solve(tree: Tree, factors: list[LinkFactor], f: ca.SX) -> ca.SX:
    """x with (M + diagonal) x = f."""
    links = tree.links
    bias: list[Pair] = [(ZERO, ZERO)] * len(links)
    left: list[ca.SX] = [ca.SX()] * len(links)
    for i in reversed(range(len(links))):
        link, part = links[i], factors[i]
        left[i] = part.D_inverse @ (f[link.v : link.v + link.dof] - along_joint(link, bias[i]))
        if link.parent != WORLD_LINK:
            linear = part.placed.up(bias[i][1] + part.U[1] @ left[i])
            angular = part.placed.up(bias[i][0] + part.U[0] @ left[i]) + ca.cross(part.placed.p, linear)
            parent = bias[link.parent]
            bias[link.parent] = (parent[0] + angular, parent[1] + linear)
    motion: list[Pair] = []
    x = []
    for i, (link, part) in enumerate(zip(links, factors, strict=True)):
        w, v = motion[link.parent] if link.parent != WORLD_LINK else (ZERO, ZERO)
        w, v = part.placed.down(w), part.placed.down(v + ca.cross(w, part.placed.p))
        own = left[i] - part.D_inverse @ (part.U[0].T @ w + part.U[1].T @ v)
        x.append(own)
        dw, dv = own_motion(link, own)
        motion.append((w + dw, v + dv))
    return ca.vertcat(*x)


def _rigid(n: LinkNumbers) -> Articulated:
    return n.I, ca.skew(n.mc), n.m * ca.SX.eye(3)


def _columns(link: Link, inertia: Articulated) -> Pair:
    """I^A S."""
    J, H, N = inertia
    return {"R": (J[:, 2], H[2, :].T), "P": (H[:, 2], N[:, 2]), "S": (J, H.T), "T": (H, N)}[link.kind]


def _resistance(link: Link, n: LinkNumbers, q: ca.SX, xi: ca.SX, given: Any) -> ca.SX:
    """w h × slope of the joint's forces in velocity + w θ h² × their slope in position, w and θ the weights: ½."""
    w, theta = weights(link, given.weights.momentum), weights(link, given.weights.position)
    own = xi[link.v : link.v + link.dof]
    speed = n.friction_speed
    slope = n.friction[: link.dof] * speed**2 / (own * own + speed**2) ** 1.5 + n.damping[: link.dof]
    stiffness = ca.repmat(n.stiffness[0], 3, 1) if link.kind == "S" else n.stiffness[: link.dof]
    if link.play:
        stiffness = stiffness * play_slope(n, q[link.q] - n.rest[0])
    if link.kind in "RP":
        slope, stiffness = slope + n.kd, stiffness + n.kp
    return w * given.h * slope + w * theta * (given.h * given.h) * stiffness


def _inverse(D: ca.SX) -> ca.SX:
    if D.numel() == 1:
        return 1 / D
    a, b, c = D[:, 0], D[:, 1], D[:, 2]
    rows = ca.horzcat(ca.cross(b, c), ca.cross(c, a), ca.cross(a, b)).T
    return rows / ca.dot(a, ca.cross(b, c))


def _without_joint(inertia: Articulated, U: Pair, D_inverse: ca.SX) -> Articulated:
    """I^A − U D⁻¹ Uᵀ: what is felt through the joint."""
    J, H, N = inertia
    angular, linear = U[0] @ D_inverse, U[1] @ D_inverse
    return _symmetric(J - angular @ U[0].T), H - angular @ U[1].T, _symmetric(N - linear @ U[1].T)


def _symmetric(A: ca.SX) -> ca.SX:
    return ca.tril2symm(ca.tril(A))


def _in_parent(at: Placed, inertia: Articulated) -> Articulated:
    """An articulated inertia seen from the parent's origin in the parent's axes."""
    J, H, N = (at.up_both(A) for A in inertia)
    P = ca.skew(at.p)
    shifted = H + P @ N
    return _symmetric(J - H @ P + P @ shifted.T), shifted, N
