"""Sweeps over the links of a tree, as CasADi expressions in the links' own frames.

A motion or a wrench is a pair (angular, linear) about the link's origin, in the link's axes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from softdock.mechanics import rotation
from softdock.mechanics.numbers import LinkNumbers, Numbers
from softdock.mechanics.tree import WORLD_LINK, Link

Pair = tuple[ca.SX, ca.SX]
ZERO = ca.SX.zeros(3)
Z = ca.SX([0, 0, 1])


@dataclass(frozen=True)
class Placed:
    """A link in its parent: rotation R_PL as a constant times a turn, and origin p_PL."""

    constant: ca.SX
    kind: str
    turn: ca.SX
    """(cos, sin) of a revolute joint, R(q) of a spherical one."""
    p: ca.SX

    def down(self, u: ca.SX) -> ca.SX:
        """Components in the link of a vector given in the parent."""
        u = self.constant.T @ u
        if self.kind == "R":
            c, s = self.turn[0], self.turn[1]
            return ca.vertcat(c * u[0] + s * u[1], c * u[1] - s * u[0], u[2])
        return self.turn.T @ u if self.kind == "S" else u

    def up(self, u: ca.SX) -> ca.SX:
        """Components in the parent of a vector given in the link."""
        if self.kind == "R":
            c, s = self.turn[0], self.turn[1]
            u = ca.vertcat(c * u[0] - s * u[1], s * u[0] + c * u[1], u[2])
        elif self.kind == "S":
            u = self.turn @ u
        return self.constant @ u

    def up_both(self, A: ca.SX) -> ca.SX:
        """R A Rᵀ: components in the parent of a matrix given in the link."""
        left = ca.horzcat(*(self.up(A[:, k]) for k in range(3)))
        return ca.horzcat(*(self.up(left[k, :].T) for k in range(3))).T

    def matrix(self) -> ca.SX:
        """R_PL."""
        return ca.horzcat(*(self.up(ca.SX.eye(3)[:, i]) for i in range(3)))


def place(links: Sequence[Link], numbers: Numbers, q: ca.SX) -> list[Placed]:
    """Every link in its parent, at coordinates q."""
    placed = []
    for link, n in zip(links, numbers.links, strict=True):
        turn, p = ca.SX(), n.p
        if link.kind == "R":
            turn = ca.vertcat(ca.cos(q[link.q]), ca.sin(q[link.q]))
        elif link.kind == "S":
            turn = rotation.matrix(q[link.q : link.q + 4])
        elif link.kind == "P":
            p = n.p + n.R[:, 2] * q[link.q]
        elif link.kind == "T":
            p = n.p + n.R @ q[link.q : link.q + 3]
        placed.append(Placed(n.R, link.kind, turn, p))
    return placed


def joint_motion(link: Link, rate: ca.SX) -> Pair:
    """S q̇: what the joint adds to its link's motion, given the velocities of all joints."""
    return own_motion(link, rate[link.v : link.v + link.dof])


def own_motion(link: Link, own: ca.SX) -> Pair:
    """S q̇ from the joint's own velocities."""
    if link.kind == "M":
        return ZERO, ZERO
    return {"R": (Z * own, ZERO), "P": (ZERO, Z * own), "S": (own, ZERO), "T": (ZERO, own)}[link.kind]


def along_joint(link: Link, wrench: Pair) -> ca.SX:
    """Sᵀ f: the part of a wrench that the joint does not carry; of a mode none."""
    angular, linear = wrench
    return {"R": angular[2], "P": linear[2], "S": angular, "T": linear, "M": ca.SX(0)}[link.kind]


def velocities(links: Sequence[Link], placed: list[Placed], rate: ca.SX) -> tuple[list[Pair], list[Pair]]:
    """Motion of every link, and the part of it that it has from its parent."""
    motions: list[Pair] = []
    carried: list[Pair] = []
    for link, at in zip(links, placed, strict=True):
        w, v = motions[link.parent] if link.parent != WORLD_LINK else (ZERO, ZERO)
        from_parent = (at.down(w), at.down(v + ca.cross(w, at.p)))
        own = joint_motion(link, rate)
        carried.append(from_parent)
        motions.append((from_parent[0] + own[0], from_parent[1] + own[1]))
    return motions, carried


def momentum(n: LinkNumbers, motion: Pair) -> Pair:
    """I v: angular and linear momentum about the link's origin."""
    w, v = motion
    return n.I @ w + ca.cross(n.mc, v), n.m * v + ca.cross(w, n.mc)


def momenta_of(links: Sequence[Link], numbers: Numbers, motions: list[Pair], rate: ca.SX) -> list[Pair]:
    """Momentum of every link by itself."""
    found = [momentum(n, motion) for n, motion in zip(numbers.links, motions, strict=True)]
    for i, (link, n) in enumerate(zip(links, numbers.links, strict=True)):
        if link.kind == "M":
            angular, linear = screwed(n, rate[link.v])
            found[i] = (found[i][0] + angular, found[i][1] + linear)
    return found


def screwed(n: LinkNumbers, rate: ca.SX) -> Pair:
    """A mode's participation × a rate."""
    return n.screw[:3] * rate, n.screw[3:] * rate


def along_mode(n: LinkNumbers, motion: Pair) -> ca.SX:
    """A mode's participation · the motion of its link."""
    return ca.dot(n.screw[:3], motion[0]) + ca.dot(n.screw[3:], motion[1])


def joint_momentum(link: Link, n: LinkNumbers, carried: Pair, h: Pair, rate: ca.SX) -> ca.SX:
    """∂T/∂q̇ of one joint: from the momentum h of all that it carries; of a mode, from its link's motion."""
    own = n.armature * rate[link.v : link.v + link.dof] if link.armature else 0
    return (along_mode(n, carried) if link.kind == "M" else along_joint(link, h)) + own


def gather(links: Sequence[Link], placed: list[Placed], wrenches: list[Pair]) -> tuple[list[Pair], Pair]:
    """Sum of the wrenches on every link and all that it carries; and of all, about the world's origin."""
    total = list(wrenches)
    world: Pair = (ZERO, ZERO)
    for i in reversed(range(len(links))):
        angular, linear = total[i]
        linear = placed[i].up(linear)
        angular = placed[i].up(angular) + ca.cross(placed[i].p, linear)
        parent = links[i].parent
        if parent == WORLD_LINK:
            world = (world[0] + angular, world[1] + linear)
        else:
            total[parent] = (total[parent][0] + angular, total[parent][1] + linear)
    return total, world


def configuration_force(link: Link, n: LinkNumbers, carried: Pair, h: Pair) -> ca.SX:
    """∂T/∂q of one joint (left-trivialised), from the momentum h of all that it carries; of a mode, which moves mass,
    b·(v × w).

    Turning the joint by e turns the carried part v' of the motion back: δv = −(S e) × v', hence
    ∂T/∂e = −Sᵀ(v' ×* h). (docs/theory/step.md, eq. 9)
    """
    w, v = carried
    if link.kind == "M":
        return ca.dot(n.screw[3:], ca.cross(v, w))
    angular, linear = h
    turned = -(ca.cross(w, angular) + ca.cross(v, linear))
    slid = ca.cross(linear, w)
    return {"R": turned[2], "P": slid[2], "S": turned, "T": slid}[link.kind]
