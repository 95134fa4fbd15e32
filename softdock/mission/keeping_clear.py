"""Is an arm clear of its target and of its own craft: by true shapes, at an instant or all along a motion.

Everything is in the arm's planning frame A. The base gives way as the arm moves, so all bodies of the craft shift by
that of its centre of mass.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from softdock.contact import Pair
from softdock.contact.query import DISTANCE
from softdock.dynamics import Dynamics
from softdock.mission.arm import Arm
from softdock.mission.bus import Bus
from softdock.planning.bounds import near
from softdock.planning.clearance import Bounds, _Solid, are_clear
from softdock.planning.courses import Cubics, JointMotion, Last, RigidMotion, Together
from softdock.runs.clearance import BodyPair, gap_at, pairs_of
from softdock.world import WORLD, Body, Box, Pose, World
from softdock.world.rigid import fixed_to, placed
from softdock.world.shapes import Placed

WAY = 7
"""Places on the way to a grasp at which there must be room for the gripper."""
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
        self._centers = Last()

    def poses(self, body: str, t: np.ndarray) -> np.ndarray:
        q = self._configured(t)
        X = self._chains.poses(body, q)
        X[:, :3, 3] -= self._centers.of(lambda: self._dynamics.balance(q, np.zeros((len(q), self._nv))).center, q)
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


class _Query(NamedTuple):
    """Of two shapes: their bodies, the gap (m) that they must keep, and what tells it."""

    first: str
    second: str
    margin: float
    pair: Pair
    a: _Solid
    b: _Solid


class KeepingClear:
    """What an arm's bodies must keep away from each other, from the rest of the craft and from the target's bodies:
    `margin` (m), or half of what those of the craft have at first, if that is less. Pairs that contacts of many bodies
    leave out are not looked at. Those that go with the tip, the
    gripper, may come as near to the target as `near` says (m, by pair), and if it says nothing they are left out.

    `target` are the shapes of its bodies, in one frame. Bodies of the gripper are taken as boxes about their shapes.
    """

    def __init__(
        self,
        arm: Arm,
        target: Mapping[str, Sequence[Placed]],
        *,
        margin: float,
        near: Mapping[BodyPair, float] | None = None,
    ) -> None:
        craft = arm.craft
        self.dynamics, self.joints, self.target = craft.dynamics, arm.joints, tuple(target)
        place, neutral = craft.dynamics.layout.q[craft.root], craft.dynamics.layout.neutral()
        self._q = craft.q.copy()
        if bus := next((part for part in craft.parts if isinstance(part, Bus)), None):
            self._q[place] = neutral[place]
            self._q[place.stop - 4 : place.stop] = bus.q_AS
        self._in_q, _ = craft.dynamics.layout.flat(arm.joints)
        world, gripper = craft.world, gripper_of(arm)
        self.shapes: dict[str, Sequence[Placed]] = {body.name: body.shapes for body in world.bodies}
        self.shapes |= gripper | dict(target)
        moving = [body.name for body in world.bodies if body.shapes and self._is_moved(body.name)]
        every = [pair for pair in pairs_of(craft.dynamics, craft.q) if set(pair) & set(moving)]
        own = [pair for pair in every if not {pair, pair[::-1]} & craft.shells]
        others = [(name, other) for name in moving if name not in gripper for other in target if target[other]]
        self.margins: dict[BodyPair, float] = dict.fromkeys(own + others, margin)
        for pair in own:
            self.margins[pair] = min(margin, gap_at(craft.dynamics, pair, craft.q) / 2)
        self.margins |= {pair: min(margin, least) for pair, least in (near or {}).items()}
        self.pairs = list(self.margins)
        self._names = [name for name in {name: None for pair in self.pairs for name in pair} if name not in target]
        shapes = (shape for pair in self.pairs for name in pair for shape in self.shapes[name])
        solids = {id(shape): _Solid(shape) for shape in {id(shape): shape for shape in shapes}.values()}
        self._queries = [
            _Query(*pair, self.margins[pair], Pair(a, b), solids[id(a)], solids[id(b)])
            for pair in self.pairs
            for a in self.shapes[pair[0]]
            for b in self.shapes[pair[1]]
        ]
        place_of = {name: k for k, name in enumerate(self._names)} | dict.fromkeys(target, len(self._names))
        self._places = np.array([(place_of[one.first], place_of[one.second]) for one in self._queries]).reshape(-1, 2)
        self._middles = np.array([(one.a.middle, one.b.middle) for one in self._queries]).reshape(-1, 2, 3)
        self._apart = np.array([one.a.ball + one.b.ball + one.margin for one in self._queries])

    def _is_moved(self, name: str) -> bool:
        """Is a body of the craft carried by the arm's joints?"""
        return name in self.dynamics.tree.places and any(
            body.name in self.joints for body in _carriers(self.dynamics, name)
        )

    def at(self, x: np.ndarray, X_AB: np.ndarray) -> bool:
        """At one instant: joint values x, the target's body in A as a matrix (4, 4)."""
        if not self._queries:
            return True
        q = self._q.copy()
        q[self._in_q] = x
        center = self.dynamics.balance(q, np.zeros(self.dynamics.nv)).center
        X = np.zeros((len(self._names) + 1, 4, 4))
        X[:, 3, 3] = 1.0
        R, p = zip(*self.dynamics.poses(self._names, q), strict=True)
        X[:-1, :3, :3], X[:-1, :3, 3] = R, np.array(p) - center
        X[-1] = X_AB
        for k in near(X, self._middles, self._apart, self._places):  # others cannot be within their margin
            query, (first, second) = self._queries[k], self._places[k]
            if query.pair(X[first], X[second])[DISTANCE] < query.margin:
                return False
        return True

    def along(self, cubics: Any, placed_at: Callable[[float], np.ndarray], speeds: tuple[float, float]) -> bool:
        """At every time of a motion of the joints, `cubics`, while the target's body goes by `placed_at(t)`, a matrix
        (4, 4), its origin and turn no faster than `speeds` (m/s, rad/s), free of all forces but gravity; certified."""
        if len(cubics.x) < 2:
            return True
        own = FloatingMotion(self.dynamics, self.joints, self._q, cubics)
        speed, turn = speeds
        there = RigidMotion(placed_at, speed=speed, turn=turn, acceleration=DRIFT, angular_acceleration=turn**2)
        # |I⁻¹(ω × Iω)| ≤ ω², since no two principal moments differ by more than the third
        course = Together(own, dict.fromkeys(self.target, there))
        return are_clear(course, self.shapes, self.margins, cubics.x)


def gripper_of(arm: Arm) -> dict[str, Sequence[Placed]]:
    """Shapes of the bodies that are fixed to an arm's tip, as boxes about them."""
    places, world = arm.craft.dynamics.tree.places, arm.craft.world
    fixed = [body for body in world.bodies if places[body.name].link == places[arm.tip_body].link]
    return {body.name: boxed(body.shapes) for body in fixed if body.shapes}


class Room:
    """What an arm's gripper leaves between itself and a target's bodies, whose shapes are in one frame with the
    `handle`, when it grasps that, and on the straight way there."""

    def __init__(self, arm: Arm, target: Mapping[str, Sequence[Placed]], handle: Pose) -> None:
        gripper, craft = gripper_of(arm), arm.craft
        neutral = craft.dynamics.layout.neutral()
        tip = Pose.of(*craft.dynamics.pose(arm.tip, neutral)).inverse().matrix()
        self._X_G = {name: tip @ Pose.of(*craft.dynamics.pose(name, neutral)).matrix() for name in gripper}
        self._handle = handle
        self._pairs = {
            (name, other): [Pair(a, b) for a in gripper[name] for b in target[other]]
            for name in gripper
            for other in target
            if target[other]
        }

    def gaps(self, grasp: Pose, standoff: float = 0.0) -> dict[BodyPair, float]:
        """By pair (m), with the gripper so far (m) behind its grasp."""
        X_BG = (self._handle @ grasp @ Pose(position=(-standoff, 0.0, 0.0))).matrix()
        placed, still = {name: X_BG @ X for name, X in self._X_G.items()}, np.eye(4)
        return {
            pair: min(float(query(placed[pair[0]], still)[DISTANCE]) for query in queries)
            for pair, queries in self._pairs.items()
        }

    def least(self, grasps: Sequence[Pose]) -> dict[BodyPair, float]:
        """Of all grasps."""
        every = [self.gaps(grasp) for grasp in grasps]
        return {pair: min(gaps[pair] for gaps in every) for pair in (every[0] if every else {})}

    def obstacle(self, grasp: Pose, standoff: float) -> tuple[BodyPair, float]:
        """The nearest pair, and its gap (m), on the way from a standoff (m) to a grasp."""
        every = [self.gaps(grasp, far) for far in np.linspace(0.0, standoff, WAY)]
        return min(((pair, gap) for gaps in every for pair, gap in gaps.items()), key=lambda one: one[1])


def boxed(shapes: Sequence[Placed]) -> Sequence[Placed]:
    """The box about shapes, if they are several."""
    if len(shapes) < 2:
        return shapes
    solids = [_Solid(shape) for shape in shapes]
    low = np.min([solid.points.min(axis=0) - solid.radius - solid.disc for solid in solids], axis=0)
    high = np.max([solid.points.max(axis=0) + solid.radius + solid.disc for solid in solids], axis=0)
    return (Box(size=tuple((high - low).tolist()), placement=Pose(position=tuple(((low + high) / 2).tolist()))),)


def rigid_shapes(world: World, root: str) -> dict[str, tuple[Placed, ...]]:
    """Shapes of a body and of those fixed to it, in its frame."""
    return {body.name: placed(body, at) for body, at in fixed_to(world, root)}


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
