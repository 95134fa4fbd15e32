"""A world's numbers as symbols: kernels take them as an argument, so that changing a mass, a length
or a gain does not compile anything. Numbers that are exactly 0 or ±1 are folded into the code."""

import copy
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from softdock.mechanics.fields import Fields
from softdock.mechanics.layouts import FRAME, LINK
from softdock.mechanics.tree import WORLD_LINK, Link, Tree, folded
from softdock.world import Orbit, Uniform


@dataclass(frozen=True)
class LinkNumbers:
    """One link's numbers (SI; layouts.LINK), the inertia as a matrix."""

    R: ca.SX
    p: ca.SX
    m: ca.SX
    mc: ca.SX
    I: ca.SX
    stiffness: ca.SX
    rest: ca.SX
    damping: ca.SX
    friction: ca.SX
    friction_speed: ca.SX
    kp: ca.SX
    kd: ca.SX
    play: ca.SX
    armature: ca.SX
    screw: ca.SX
    points: list[tuple[ca.SX, ca.SX]]


@dataclass(frozen=True)
class FrameNumbers:
    """A latch's frame in its link."""

    R: ca.SX
    p: ca.SX


class Numbers:
    """Symbols for the numbers of a tree, and the vector `theta` of those that stay symbols."""

    def __init__(self, tree: Tree) -> None:
        kinds = folded(tree.numbers)
        self.theta = ca.SX.sym("theta", int(np.count_nonzero(kinds == 2)))
        symbols = iter(ca.vertsplit(self.theta)) if self.theta.numel() else iter(())
        self._all = [next(symbols) if kind == 2 else ca.SX(int(kind)) for kind in kinds]
        self._read = 0
        self.links = [self._link(link) for link in tree.links]
        gravity = tree.world.gravity
        self.g = self._take(3) if isinstance(gravity, Uniform) else ca.SX.zeros(3)
        self.mu = self._take(1) if isinstance(gravity, Orbit) else ca.SX(0)
        extended = isinstance(gravity, Orbit) and gravity.gradient
        self.own_inertia = [_symmetric(self._take(6)) for _ in tree.links] if extended else []
        self.latches = [(self._frame(), self._frame()) for _ in tree.world.latches]

    def deformed(self, tree: Tree, q: ca.SX) -> "Numbers":
        """The numbers of links as they are at coordinates q: modes move mass, to first order, which is a first moment
        of their own links, and moves a point of their parents'."""
        there = copy.copy(self)
        there.links = list(self.links)
        for i, link in enumerate(tree.links):
            if link.kind == "M":
                n = self.links[i]
                there.links[i] = replace(n, mc=n.screw[3:] * q[link.q])
                if link.parent != WORLD_LINK:
                    points = list(there.links[link.parent].points)
                    mass, center = points[link.point]
                    points[link.point] = (mass, center + n.screw[3:] * q[link.q] / mass)
                    there.links[link.parent] = replace(there.links[link.parent], points=points)
        return there

    def _take(self, count: int) -> ca.SX:
        taken = ca.vertcat(*self._all[self._read : self._read + count])
        self._read += count
        return taken

    def _parts(self, fields: Fields, **sizes: int) -> Any:
        return fields.split(self._take(fields.size(sizes)), sizes)

    def _frame(self) -> FrameNumbers:
        frame = self._parts(FRAME)
        return FrameNumbers(frame.R, frame.p)

    def _link(self, link: Link) -> LinkNumbers:
        n = self._parts(LINK, points=len(link.points))
        points = [(n.points[k, 0], n.points[k, 1:].T) for k in range(len(link.points))]
        return LinkNumbers(
            n.R, n.p, n.mass, n.first_moment, _symmetric(n.inertia), n.stiffness, n.rest, n.damping, n.friction,
            n.friction_speed, n.kp, n.kd, n.play, n.armature, n.screw, points,
        )  # fmt: skip


def _symmetric(six: ca.SX) -> ca.SX:
    """The matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = ca.vertsplit(six)
    return ca.vertcat(ca.horzcat(xx, xy, xz), ca.horzcat(xy, yy, yz), ca.horzcat(xz, yz, zz))
