"""Anyone's arm on the chaser of 'capture': from a URDF file, scaled; and where it waits."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from softdock.contact import Pair
from softdock.contact.query import DISTANCE
from softdock.dynamics import Dynamics
from softdock.planning import joint_limits
from softdock.planning.clearance import _Solid
from softdock.runs.clearance import are_neighbours, gap_at, pairs_of
from softdock.world import (
    WORLD,
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Elastic,
    Fixed,
    Frame,
    Pose,
    Servo,
    Sphere,
    World,
    load_urdf,
)

TRIES, LOOKED_AT = 10_000, 1000
"""Places of the arm among which one is looked for where it can wait, and how many of the nearest are tested."""
PREFIX = "arm."


class Mounted(NamedTuple):
    """An arm that is mounted on a base."""

    bodies: tuple[Body, ...]
    joints: tuple[str, ...]
    """From the base to the tip."""
    tip: str
    """The body that carries the gripper."""

    @property
    def world(self) -> World:
        """The arm on a base that is held."""
        base = self.bodies[0].parent
        return World(bodies=(Body(name=base, joint=Fixed(), mass=0.0), *self.bodies))


@lru_cache(maxsize=8)
def mounted(urdf: str, tip: str, scale: float, place: Pose, base: str) -> Mounted:
    """The arm of a URDF file, on the body `base`; ValueError if it is none. Lengths are multiplied by `scale`, masses
    too, inertias by its cube. Joints that are not between base and tip are fixed at zero."""
    if not Path(urdf).is_file():
        raise ValueError(f"arm.urdf: no such file: {urdf}")
    world = load_urdf(urdf, base="fixed")
    end = _tip(world, tip)
    chain = _chain(world, end)
    joints = [body for body in chain if body.joint.kind in ("revolute", "prismatic")]
    if not 6 <= len(joints) <= 9:
        raise ValueError(f"arm.urdf: {len(joints)} joints lead to {end!r}; an arm has 6 to 9")
    kept = {body.name for body in joints}
    bodies = []
    for body in world.bodies:
        one = body if body.name in kept else body.altered(joint=Fixed())
        one = scaled(one, scale)
        if body.parent == WORLD:
            one = one.altered(placement=place @ one.placement)
        parent = base if body.parent == WORLD else PREFIX + body.parent
        bodies.append(one.altered(name=PREFIX + body.name, parent=parent))
    return Mounted(tuple(bodies), tuple(PREFIX + body.name for body in joints), PREFIX + end)


def geared(arm: Mounted, gear: Elastic, servo: Servo) -> Mounted:
    """An arm whose revolute joints have gears that give way, and servos; its joints are then the motors'."""
    turning = {name for name in arm.joints if _kind(arm, name) == "revolute"}
    bodies = tuple(
        body.altered(joint=body.joint.altered(elastic=gear, servo=servo)) if body.name in turning else body
        for body in arm.bodies
    )
    joints = tuple(f"{name}.motor" if name in turning else name for name in arm.joints)
    return Mounted(bodies, joints, arm.tip)


def _kind(arm: Mounted, name: str) -> str:
    return next(body.joint.kind for body in arm.bodies if body.name == name)


def _tip(world: World, tip: str) -> str:
    """The body that is named, or that carries the frame of that name; if none is, the one at the end of most joints."""
    names = [body.name for body in world.bodies]
    if tip:
        frames = [frame.name for frame in world.frames]
        if tip not in names + frames:
            raise ValueError(f"arm.tip: the file has no link or joint {tip!r}")
        return world.body_of(tip)
    turning = {name: sum(body.joint.kind == "revolute" for body in _chain(world, name)) for name in names}
    most = max(turning.values())
    return next(name for name in names if turning[name] == most)


def _chain(world: World, name: str) -> list[Body]:
    found: list[Body] = []
    while name != WORLD:
        found.append(world.body(name))
        name = found[-1].parent
    return found[::-1]


def scaled(body: Body, s: float) -> Body:
    """A body of the same kind, s times as long and as heavy."""
    if s == 1.0:
        return body
    inertia: Any = (s**3 * np.array(body.inertia)).tolist()
    return body.altered(
        placement=_longer(body.placement, s), mass=s * body.mass, center=tuple(s * x for x in body.center),
        inertia=inertia, shapes=tuple(_larger(shape, s) for shape in body.shapes),
    )  # fmt: skip


def _longer(pose: Pose, s: float) -> Pose:
    x, y, z = (s * x for x in pose.position)
    return Pose(position=(x, y, z), quaternion=pose.quaternion)


def _larger(shape: Any, s: float) -> Any:
    placement = _longer(shape.placement, s)
    match shape:
        case Box():
            return shape.altered(size=tuple(s * x for x in shape.size), placement=placement)
        case Sphere():
            return shape.altered(radius=s * shape.radius, placement=placement)
        case Capsule() | Cylinder():
            return shape.altered(radius=s * shape.radius, length=s * shape.length, placement=placement)
        case ConvexMesh():
            return shape.altered(vertices=(s * np.array(shape.vertices)).tolist(), placement=placement)
    return shape


def waiting_place(
    world: World, joints: tuple[str, ...], tip: str, center: np.ndarray, radius: float, margin: float
) -> tuple[float, ...]:
    """Joint values at which an arm waits before a tumbling target: the gripper as near as can be to the ball of that
    `radius` (m) about `center` (m, in the base's frame) that the target sweeps, turned to it, with all bodies `margin`
    (m) clear of the ball, of the craft and of each other; ValueError if there is no such place."""
    dynamics = Dynamics(world)
    low, high = joint_limits(dynamics, list(joints))
    if not np.all(np.isfinite(low) & np.isfinite(high)):
        name = joints[int(np.argmin(np.isfinite(low) & np.isfinite(high)))]
        raise ValueError(f"arm: joint {name!r} has no limits; the file must say how far it goes")
    in_q, rng = dynamics.layout.flat(joints)[0], np.random.default_rng(0)
    if any(getattr(dynamics.world.body(name).joint, "actuator", None) is None for name in joints):
        raise ValueError("arm: every joint needs a largest speed: <limit velocity=…> in the file")
    middle, wide = (low + high) / 2, np.minimum((high - low) / 2, np.pi)
    x = middle + wide * rng.uniform(-1, 1, (TRIES, len(joints)))
    for spread in (0.3, 0.2, 0.1, 0.05, 0.0):  # those of least cost, and others about them
        cost, q, far = _costs(dynamics, tip, in_q, x, center, radius + 3 * margin, (middle, wide))
        best = np.argsort(cost)[: TRIES // 10]
        about = x[best].repeat(9, axis=0)
        x = np.concatenate([x[best], about + spread * rng.standard_normal(about.shape)]).clip(low, high)
    own = Own(dynamics, joints, tip)
    for k in best[:LOOKED_AT]:
        if far[k] > radius and own.is_clear(q[k], center, radius, margin):
            return tuple(q[k][in_q].tolist())
    raise ValueError(
        f"arm.ready: no place of the arm was found that is clear of the ball of {radius:.2f} m that the target sweeps, "
        "of the chaser and of itself; move target.position or arm.shoulder"
    )


def _costs(
    dynamics: Dynamics, tip: str, in_q: np.ndarray, x: np.ndarray, center: np.ndarray, away: float, usual: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of joint values x (k, n): how far the gripper is from being `away` (m) from the centre and turned to it, and the
    joints from their middles; whole configurations, and distances (m)."""
    q = np.tile(dynamics.layout.neutral(), (len(x), 1))
    q[:, in_q] = x
    R, p = dynamics.pose(tip, q)
    ahead, (middle, wide) = center - p, usual
    far = np.linalg.norm(ahead, axis=1)
    turned = 1 - np.einsum("ki,ki->k", R[:, :, 0], ahead / far[:, None])
    return np.abs(far - away) + turned + 0.2 * (((x - middle) / wide) ** 2).mean(axis=1), q, far


class Own:
    """Pairs of bodies of a craft that its arm can bring together, and those that it moves."""

    def __init__(self, dynamics: Dynamics, joints: tuple[str, ...], tip: str) -> None:
        self._dynamics, world = dynamics, dynamics.world
        self._moved = [name for name in carried(world, joints) if world.body(name).shapes]
        hand = carried(world, (world.body_of(tip),))
        self._pairs = [
            (pair, [Pair(a, b) for a in world.body(pair[0]).shapes for b in world.body(pair[1]).shapes])
            for pair in pairs_of(dynamics, dynamics.layout.neutral())
            if set(pair) & {*self._moved} and not set(pair) <= {*hand} and not _near(world, *pair)
        ]
        self._solids = {name: [_Solid(shape) for shape in world.body(name).shapes] for name in self._moved}

    def is_clear(self, q: np.ndarray, center: np.ndarray, radius: float, margin: float) -> bool:
        """Of a ball, and of itself? Shapes are taken as balls against the ball, and as they are against each other."""
        names = {name for pair, _ in self._pairs for name in pair} | {*self._moved}
        X = {name: Pose.of(*self._dynamics.pose(name, q)).matrix() for name in names}
        for name in self._moved:
            for solid in self._solids[name]:
                points = solid.points @ X[name][:3, :3].T + X[name][:3, 3]
                if np.linalg.norm(_nearest(points, center) - center) < radius + solid.radius + solid.disc + margin:
                    return False
        return all(float(query(X[a], X[b])[DISTANCE]) >= margin for (a, b), queries in self._pairs for query in queries)


def _nearest(points: np.ndarray, center: np.ndarray) -> np.ndarray:
    """Of a few points and the lines between them, the one that is nearest to a centre."""
    starts, ends = np.repeat(points, len(points), axis=0), np.tile(points, (len(points), 1))
    way = ends - starts
    s = np.einsum("ki,ki->k", center - starts, way) / np.maximum(np.einsum("ki,ki->k", way, way), 1e-12)
    on = starts + np.clip(s, 0.0, 1.0)[:, None] * way
    return np.asarray(on[np.argmin(np.linalg.norm(on - center, axis=1))])


def carried(world: World, names: Sequence[str]) -> list[str]:
    """Bodies, and those that they carry."""
    found = list(names)
    for body in world.bodies:
        if body.parent in found and body.name not in found:
            found.append(body.name)
    return found


def overlapping(world: World, joints: Sequence[str], at: Sequence[float]) -> list[tuple[str, str]]:
    """Bodies of a craft that are near each other by joints and whose shapes overlap, as shells of joints do, at joint
    values `at` (m or rad); links of an arm that are neighbours may do so at others."""
    dynamics = Dynamics(world)
    q = dynamics.layout.neutral()
    q[dynamics.layout.flat(joints)[0]] = at
    shaped, places = [body.name for body in world.bodies if body.shapes], dynamics.tree.places
    pairs = [pair for pair in combinations(shaped, 2) if places[pair[0]].link != places[pair[1]].link]
    near = [pair for pair in pairs if are_neighbours(world, pair) or _near(world, *pair)]
    arm = carried(world, joints)
    return [
        pair for pair in near if (are_neighbours(world, pair) and {*pair} <= {*arm}) or gap_at(dynamics, pair, q) <= 0
    ]


def _near(world: World, a: str, b: str) -> bool:
    """Neighbours, or with one body between them: what links of a wrist are."""
    chain_a, chain_b = (
        [body.name for body in _chain(world, name) if body.mass or body.shapes] for name in (a, b)
    )  # without motors of elastic joints
    return (a in chain_b and len(chain_b) - chain_b.index(a) <= 3) or (
        b in chain_a and len(chain_a) - chain_a.index(b) <= 3
    )


def grip_frame(name: str, tip: str, grip: Pose, scale: float) -> Frame:
    """The gripper's frame on the tip."""
    return Frame(name=name, body=tip, placement=_longer(grip, scale))
