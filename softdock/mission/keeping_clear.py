"""Is an arm clear of its target and of its own craft: by true shapes, at an instant or all along a motion.

Everything is in the arm's planning frame A. The base gives way as the arm moves, so all bodies of the craft shift by
that of its centre of mass.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from softdock.contact import Pair
from softdock.contact.query import DISTANCE
from softdock.dynamics import Dynamics
from softdock.mission.arm import Arm
from softdock.mission.bus import Bus
from softdock.planning.clearance import Bounds, clearances
from softdock.planning.courses import Cubics, JointMotion, RigidMotion, Together
from softdock.runs.clearance import BodyPair, are_neighbours, gap_at, pairs_of
from softdock.world import WORLD, Body, Pose

DRIFT = 0.01
"""No free body near the craft gains speed against it faster than this in an orbit (m/s²)."""


class FloatingMotion(JointMotion):
    """An arm's joints along cubics, on a base whose attitude is held and whose place is such that the centre of mass of
    the craft stays at the origin."""

    def __init__(self, dynamics: Dynamics, joints: Sequence[str], q: np.ndarray, cubics: Cubics) -> None:
        super().__init__(dynamics, joints, q, cubics)
        self._dynamics, world = dynamics, dynamics.world
        moved = [body for body in world.bodies if any(one.name in joints for one in _carriers(dynamics, body.name))]
        self._share = sum(body.mass for body in moved) / dynamics.mass
        self._last = joints[-1]
        self._far = max(_lever(dynamics, body, joints, q) for body in moved)
        self._known: dict[tuple[str, float, bytes, bytes], Bounds] = {}

    def poses(self, body: str, t: np.ndarray) -> np.ndarray:
        q = self._whole(self._states(t, t)[0])
        X = self._chains.poses(body, q)
        X[:, :3, 3] -= self._dynamics.balance(q, np.zeros((len(q), self._nv))).center
        return X

    def bounds(self, body: str, radius: float, begin: np.ndarray, end: np.ndarray) -> Bounds:
        """The craft's centre of mass moves by those of the links, in the shares of their masses; none of these has a
        longer lever than the last link's origin and the farthest centre together."""
        key = body, radius, begin.tobytes(), end.tobytes()  # all shapes of a body ask for the same
        if key not in self._known:
            own = super().bounds(body, radius, begin, end)
            last = super().bounds(self._last, self._far, begin, end)
            speed, bend = (of + self._share * more for of, more in zip(own, last, strict=True))
            self._known[key] = Bounds(speed, bend)
        return self._known[key]


class KeepingClear:
    """What an arm's bodies must keep away from each other, from the rest of the
    craft and from the target's body: `margin` (m), or half of what neighbours by a joint have at first, if that is
    less. The body at the tip may come near the target: it is to grasp it."""

    def __init__(self, arm: Arm, target: Body, *, margin: float) -> None:
        craft = arm.craft
        bus = next(part for part in craft.parts if isinstance(part, Bus))
        self.dynamics, self.joints, self.target = craft.dynamics, arm.joints, target
        place, neutral = craft.dynamics.layout.q[craft.root], craft.dynamics.layout.neutral()
        self._q = craft.q.copy()
        self._q[place] = neutral[place]
        self._q[place.stop - 4 : place.stop] = bus.q_AS
        self._in_q, _ = craft.dynamics.layout.flat(arm.joints)
        world = craft.world
        self.shapes = {body.name: body.shapes for body in (*world.bodies, target)}
        tip = world.body_of(arm.tip)
        moving = {name for name in self.shapes if self.shapes[name] and self._is_moved(name)}
        own = [pair for pair in pairs_of(craft.dynamics, craft.q) if set(pair) & moving]
        near = [(name, target.name) for name in moving if name != tip] if target.shapes else []
        self.pairs: list[BodyPair] = own + near
        self.margins = dict.fromkeys(self.pairs, margin)
        for pair in own:
            if are_neighbours(world, pair):
                self.margins[pair] = min(margin, gap_at(craft.dynamics, pair, craft.q) / 2)
        self._queries = [
            (pair, [Pair(a, b) for a in self.shapes[pair[0]] for b in self.shapes[pair[1]]]) for pair in self.pairs
        ]

    def _is_moved(self, name: str) -> bool:
        """Is a body of the craft carried by the arm's joints?"""
        return name in self.dynamics.tree.places and any(
            body.name in self.joints for body in _carriers(self.dynamics, name)
        )

    def at(self, x: np.ndarray, target: Pose) -> bool:
        """At one instant: joint values x, the target's body in A."""
        q = self._q.copy()
        q[self._in_q] = x
        center = self.dynamics.balance(q, np.zeros(self.dynamics.nv)).center
        poses: dict[str, np.ndarray] = {self.target.name: target.matrix()}
        for pair, queries in self._queries:
            for body in pair:
                if body not in poses:
                    poses[body] = np.eye(4)
                    poses[body][:3, :3], p = self.dynamics.pose(body, q)
                    poses[body][:3, 3] = p - center
            if any(query(poses[pair[0]], poses[pair[1]])[DISTANCE] < self.margins[pair] for query in queries):
                return False
        return True

    def along(self, cubics: Any, body_at: Callable[[float], Pose], speeds: tuple[float, float]) -> bool:
        """At every time of a motion of the joints, `cubics`, while the target's body goes by `body_at(t)`, its origin
        and turn no faster than `speeds` (m/s, rad/s), free of all forces but gravity; certified."""
        if len(cubics.x) < 2:
            return True
        own = FloatingMotion(self.dynamics, self.joints, self._q, cubics)
        speed, turn = speeds
        there = RigidMotion(
            lambda t: body_at(t).matrix(), speed=speed, turn=turn, acceleration=DRIFT, angular_acceleration=turn**2
        )  # |I⁻¹(ω × Iω)| ≤ ω², since no two principal moments differ by more than the third
        course = Together(own, {self.target.name: there})
        for pair, margin in self.margins.items():
            (found,) = clearances(course, self.shapes, [pair], cubics.x, least=margin, tolerance=1e-3)
            if found.certified < margin - 1e-3:
                return False
        return True


def _lever(dynamics: Dynamics, body: Body, joints: Sequence[str], q: np.ndarray) -> float:
    """How far a body's centre of mass is from the origin of the arm's joint that carries it (m)."""
    R, p = dynamics.pose(body.name, q)
    carrier = next(one.name for one in _carriers(dynamics, body.name) if one.name in joints)
    return float(np.linalg.norm(p + R @ np.array(body.center) - dynamics.pose(carrier, q)[1]))


def _carriers(dynamics: Dynamics, name: str) -> list[Body]:
    """A body and those that carry it."""
    found = [dynamics.world.body(name)]
    while found[-1].parent != WORLD:
        found.append(dynamics.world.body(found[-1].parent))
    return found
