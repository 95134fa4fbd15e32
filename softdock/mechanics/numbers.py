"""A world's numbers as symbols: kernels take them as an argument, so that changing a mass, a length
or a gain does not compile anything. Numbers that are exactly 0 or ±1 are folded into the code."""

from dataclasses import dataclass

import casadi as ca
import numpy as np

from softdock.mechanics.tree import Link, Tree, folded
from softdock.world import Orbit, Uniform


@dataclass(frozen=True)
class LinkNumbers:
    """One link's numbers (SI), in the order of `Tree.numbers`."""

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
        self.latches = [(self._frame(), self._frame()) for _ in tree.world.latches]

    def _take(self, count: int) -> ca.SX:
        taken = ca.vertcat(*self._all[self._read : self._read + count])
        self._read += count
        return taken

    def _matrix(self) -> ca.SX:
        return ca.reshape(self._take(9), 3, 3).T

    def _frame(self) -> FrameNumbers:
        return FrameNumbers(self._matrix(), self._take(3))

    def _link(self, link: Link) -> LinkNumbers:
        R, p, m, mc, i = self._matrix(), self._take(3), self._take(1), self._take(3), self._take(6)
        inertia = ca.vertcat(ca.horzcat(i[0], i[3], i[4]), ca.horzcat(i[3], i[1], i[5]), ca.horzcat(i[4], i[5], i[2]))
        stiffness, rest, damping, friction = (self._take(3) for _ in range(4))
        speed, kp, kd = (self._take(1) for _ in range(3))
        points = [(self._take(1), self._take(3)) for _ in link.points]
        return LinkNumbers(R, p, m, mc, inertia, stiffness, rest, damping, friction, speed, kp, kd, points)
