"""A world without what gives way: as onboard models have it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from softdock.spatial import four, quaternion_of_vector
from softdock.world.joints import Fixed
from softdock.world.model import Body, World
from softdock.world.pose import Pose
from softdock.world.shapes import Placed


def rigid(world: World) -> World:
    """The world with all joints fixed at rest that give way and that nothing drives: vibrations, and joints with a
    spring and neither actuator nor servo (rods of booms and panels, elastic gears, slosh masses on springs)."""
    if not any(gives_way(body) for body in world.bodies):
        return world
    return world.altered(bodies=tuple(_at_rest(body) if gives_way(body) else body for body in world.bodies))


def gives_way(body: Body) -> bool:
    """Does a body move by a spring, or as a vibration, and is not driven?"""
    joint = vars(body.joint)
    if joint["kind"] == "mode":
        return True
    spring = joint.get("spring")
    return spring is not None and any(spring.stiffness) and not (joint.get("actuator") or joint.get("servo"))


def _at_rest(body: Body) -> Body:
    flat = len(body.joint.freedom.flat)
    spring = getattr(body.joint, "spring", None)
    rest = spring.rest if spring else (0.0,)
    return stilled(body, rest * flat if len(rest) == 1 else rest)


def stilled(body: Body, at: Sequence[float]) -> Body:
    """A body whose joint is fixed where its flat coordinates have values `at` (m or rad), and unturned beside them."""
    x, kind = np.array(at, float), body.joint.kind
    place, turn = np.zeros(3), np.zeros(3)
    if kind in ("revolute", "prismatic"):
        along: np.ndarray = x[0] * np.array(body.joint.axis)  # type: ignore[union-attr]
        place, turn = (along, turn) if kind == "prismatic" else (place, along)
    elif kind == "planar":
        place[:2], turn[2] = x[:2], x[2]
    elif kind == "free":
        place = x
    moved = Pose(position=_three(place), quaternion=four(quaternion_of_vector(turn)))
    return body.altered(joint=Fixed(), placement=body.placement @ moved)


def lumped(world: World, name: str) -> Body:
    """A body together with all that is fixed to it: mass, centre of mass, inertia and shapes."""
    own = world.body(name)
    parts = fixed_to(world, name)
    if len(parts) == 1:
        return own
    mass = sum(body.mass for body, _ in parts)
    centers = [at.position + at.rotation @ np.array(body.center) for body, at in parts]
    center = sum(body.mass * p for (body, _), p in zip(parts, centers, strict=True)) / mass if mass else np.zeros(3)
    inertia: Any = np.zeros((3, 3))
    for (body, at), p in zip(parts, centers, strict=True):
        off = p - center
        inertia += at.rotation @ np.array(body.inertia) @ at.rotation.T
        inertia += body.mass * (off @ off * np.eye(3) - np.outer(off, off))
    every = [shape for body, at in parts for shape in placed(body, at)]
    return own.altered(mass=mass, center=_three(center), inertia=((inertia + inertia.T) / 2).tolist(), shapes=every)


def fixed_to(world: World, name: str) -> list[tuple[Body, Pose]]:
    """A body and those fixed to it, and where they are in its frame."""
    found = {name: (world.body(name), Pose())}
    for body in world.bodies:  # parents come first
        if body.parent in found and body.joint.kind == "fixed":
            found[body.name] = body, found[body.parent][1] @ body.placement
    return list(found.values())


def placed(body: Body, at: Pose) -> tuple[Placed, ...]:
    """Shapes of a body that is placed in another's frame, in that."""
    return tuple(shape.altered(placement=at @ shape.placement) for shape in body.shapes)


def _three(x: np.ndarray) -> tuple[float, float, float]:
    a, b, c = x.tolist()
    return a, b, c
