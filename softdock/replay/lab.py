"""What stands about a world on the ground and is part of no body: a floor, and stands under what is mounted on it."""

from typing import Any

import numpy as np

from softdock.replay.poses import Poses
from softdock.world import WORLD, Body, ConvexMesh, Uniform, World

FLIES = ("free", "planar")
"""Joints that carry nothing to the ground."""
ROOM = 0.3
"""Of the scene's size: how far the floor goes beyond it."""


def surroundings(world: World, poses: Poses) -> dict[str, list[dict[str, Any]]]:
    """Drawn shapes by body: of the world, a floor below all that is, and stands from it up to bodies that joints hold
    to the world; of bodies that glide in a plane and have no shape, a column from the floor to what they carry.
    Nothing in space, or where a body is the ground."""
    down = np.array(world.gravity.acceleration) if isinstance(world.gravity, Uniform) else np.zeros(3)
    if not (down[2] < 0 and np.abs(down[:2]).max() < 1e-6 * -down[2]):
        return {}
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for body in world.bodies:
        if body.shapes or body.mass > 0:
            around = _reach(body)
            low = np.minimum(low, poses.position[body.name].min(axis=0) - around)
            high = np.maximum(high, poses.position[body.name].max(axis=0) + around)
    size = float((high - low).max())
    if not np.isfinite(size) or size <= 0 or any(_is_ground(body, size) for body in world.bodies):
        return {}
    thick, level = 0.02 * size, float(low[2]) - 0.12 * size
    across = (high - low)[:2].max() + 2 * ROOM * size
    middle = (low + high)[:2] / 2
    at = [float(middle[0]), float(middle[1]), level - thick / 2]
    floor = {"kind": "box", "size": [float(across), float(across), thick], "position": at, "look": "floor"}
    stands = [_stand(body, level, size) for body in world.bodies if _is_mounted(body, level)]
    gliding = [b for b in world.bodies if b.parent == WORLD and b.joint.kind == "planar" and not b.shapes]
    return {WORLD: [floor, *stands], **{body.name: _column(world, body, level, size) for body in gliding}}


def _column(world: World, body: Body, level: float, size: float) -> list[dict[str, Any]]:
    """In the body's frame, whose z is up."""
    foot = level - body.placement.position[2]
    top = max((b.placement.position[2] for b in world.bodies if b.parent == body.name), default=0.0)
    at = [0.0, 0.0, foot + 0.02 * size]
    plate = {"kind": "cylinder", "radius": 0.1 * size, "length": 0.03 * size, "position": at}
    column = {"kind": "box", "size": [0.1 * size, 0.1 * size, top - foot], "position": [0.0, 0.0, (top + foot) / 2]}
    return [{**plate, "look": "metal"}, {**column, "color": "#8d97a6"}]


def _is_mounted(body: Body, level: float) -> bool:
    return body.parent == WORLD and body.joint.kind not in FLIES and body.placement.position[2] > level


def _stand(body: Body, level: float, size: float) -> dict[str, Any]:
    x, y, z = body.placement.position
    over = min((s.placement.position[2] for s in body.shapes), default=0.0)  # up to where its shapes begin
    z += max(0.0, over) if abs(body.placement.rotation[2, 2]) > 0.9 else 0.0
    radius = min(0.6 * _reach(body), 0.035 * size) or 0.03 * size
    given = {"kind": "cylinder", "radius": radius, "length": z - level, "position": [x, y, (z + level) / 2]}
    return {**given, "look": "metal", "color": "#8d97a6"}


def _reach(body: Body) -> float:
    """How far its shapes go from its origin (m)."""
    return max((float(np.linalg.norm(s.placement.position)) + _half(s) for s in body.shapes), default=0.0)


def _half(shape: Any) -> float:
    if isinstance(shape, ConvexMesh):
        return float(np.linalg.norm(shape.vertices, axis=-1).max())
    if shape.kind == "box":
        return float(np.linalg.norm(shape.size)) / 2
    return float(shape.radius) + getattr(shape, "length", 0.0) / 2


def _is_ground(body: Body, size: float) -> bool:
    """Does a fixed body reach as far as most of the scene?"""
    return body.parent == WORLD and body.joint.kind == "fixed" and _reach(body) > 0.4 * size
