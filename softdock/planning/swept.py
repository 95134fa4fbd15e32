"""Is an arm clear of bodies that move? At an instant, and certified along a motion: what intercepts ask."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from softdock.contact import Pair
from softdock.contact.query import DISTANCE
from softdock.dynamics import Dynamics
from softdock.planning.clearance import Course, clearances
from softdock.planning.courses import Chains, Cubics, JointMotion, Together
from softdock.world.shapes import Placed


class Swept:
    """The `clear` of an intercept's `Search`: the bodies of an arm at least `least` (m) by pair from others that move.

    `joints` of the world go as asked, all else of it stays at `q` (m or rad); `others` are courses of further bodies
    in the world frame, `shapes` all bodies' shapes.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        joints: Sequence[str],
        q: ArrayLike,
        others: Mapping[str, Course],
        shapes: Mapping[str, Sequence[Placed]],
        least: Mapping[tuple[str, str], float],
    ) -> None:
        self._dynamics, self._joints, self._q = dynamics, list(joints), np.array(q, dtype=np.float64)
        self._others, self._shapes, self._least = others, shapes, dict(least)
        self._in_q, self._chains = dynamics.layout.flat(joints)[0], Chains(dynamics)
        self._pairs = {
            bodies: [Pair(a, b) for a in shapes[bodies[0]] for b in shapes[bodies[1]]] for bodies in self._least
        }

    def __call__(self, t: float, q: np.ndarray) -> bool:
        """Clear at time t (s) with joint values q?"""
        whole, now = self._q[None].copy(), np.array([t])
        whole[0, self._in_q] = q
        for bodies, pairs in self._pairs.items():
            X_A, X_B = (
                self._others[body].poses(body, now) if body in self._others else self._chains.poses(body, whole)
                for body in bodies
            )
            if any(pair.many(X_A, X_B)[0, DISTANCE] < self._least[bodies] for pair in pairs):
                return False
        return True

    def along(self, cubics: Cubics) -> bool:
        """Clear at every time while the joints go along cubics, which are over absolute time?"""
        arm = JointMotion(self._dynamics, self._joints, self._q, cubics)
        course = Together(arm, self._others)
        found = clearances(course, self._shapes, self._least, arm.times, least=self._least)
        return all(one.certified >= self._least[one.bodies] for one in found)
