"""A still picture of a run as SVG: bodies as their outlines at the end, and the ways that they went."""

import html
from collections.abc import Iterator
from typing import Any

import numpy as np

from softdock.replay.poses import Poses
from softdock.replay.scene import colors_of, rods
from softdock.world import Box, ConvexMesh, World
from softdock.world.pose import rotation_of

WIDTH, HEIGHT = 480, 270
AHEAD = np.array([0.55, 0.72, -0.42]) / np.linalg.norm([0.55, 0.72, -0.42])
"""The direction of sight, from behind, aside and above."""
RIGHT = np.cross(AHEAD, [0.0, 0.0, 1.0]) / np.linalg.norm(np.cross(AHEAD, [0.0, 0.0, 1.0]))
UP = np.cross(RIGHT, AHEAD)
TRAIL = 160


def picture(world: World, poses: Poses) -> str:
    """The SVG element."""
    colors, drawn, spots = colors_of(world), [], []
    for body in world.bodies:
        R, p = rotation_of(poses.quaternion[body.name][-1]), poses.position[body.name][-1]
        spots.append(p)
        for points, radius in _outlines(world, body):
            seen = (points @ R.T + p) @ np.stack([RIGHT, UP, AHEAD], axis=-1)
            drawn.append((float(seen[:, 2].mean()), hull(_swept(seen[:, :2], radius)), colors[body.name]))
    ways = [poses.position[b.name] @ np.stack([RIGHT, UP], axis=-1) for b in world.bodies if b.joint.kind != "fixed"]
    middle, scale = _framing(np.array(spots) @ np.stack([RIGHT, UP], axis=-1), [outline for _, outline, _ in drawn])

    def at(points: np.ndarray) -> str:
        x, y = ((points - middle) * scale * (1, -1) + (WIDTH / 2, HEIGHT / 2)).T
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))

    parts = [f'<polyline points="{at(way[:: max(1, len(way) // TRAIL)])}"/>' for way in ways]
    shapes = [
        f'<polygon points="{at(outline)}" fill="{color}"/>' for _, outline, color in sorted(drawn, key=lambda x: -x[0])
    ]
    names = ", ".join(body.name for body in world.bodies)
    return (
        f'<svg class="picture" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(names[:300])}">'
        f'<g fill="none" stroke="#4f86c6" stroke-opacity=".6">{"".join(parts)}</g>'
        f'<g stroke="#2a3140" stroke-opacity=".55" stroke-linejoin="round">{"".join(shapes)}</g></svg>'
    )


def _framing(spots: np.ndarray, outlines: list[np.ndarray]) -> tuple[np.ndarray, float]:
    """Middle and pixels a metre: all outlines, but for those that dwarf the bodies' spread."""
    low, high = spots.min(axis=0), spots.max(axis=0)
    spread = float((high - low).max())
    near = [o for o in outlines if spread == 0 or np.ptp(o, axis=0).max() < 3 * spread] or [spots]
    points = np.concatenate([spots, *near])
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, 0.86 * float(min(np.array([WIDTH, HEIGHT]) / np.maximum(high - low, 1e-6)))


def _outlines(world: World, body: Any) -> Iterator[tuple[np.ndarray, float]]:
    """Points in the body's frame and a radius: each shape is the hull of balls about the points."""
    for shape in body.shapes:
        yield _points(shape) @ shape.placement.rotation.T + shape.placement.position, _radius(shape)
    for rod in rods(world, body):
        yield np.array([[0.0, 0.0, 0.0], rod["to"]]), rod["radius"]


def _radius(shape: Any) -> float:
    return float(shape.radius) if shape.kind in ("sphere", "capsule") else 0.0


def _points(shape: Any) -> np.ndarray:
    if isinstance(shape, Box):
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return signs * np.array(shape.size) / 2
    if isinstance(shape, ConvexMesh):
        return np.array(shape.vertices)
    if shape.kind == "sphere":
        return np.zeros((1, 3))
    ends = np.array([[0.0, 0.0, -shape.length / 2], [0.0, 0.0, shape.length / 2]])
    if shape.kind == "capsule":
        return ends
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    rim = shape.radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
    return np.concatenate([rim + end for end in ends])


def _swept(points: np.ndarray, radius: float) -> np.ndarray:
    if radius == 0:
        return points
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    circle = radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return np.asarray((points[:, None] + circle).reshape(-1, 2))


def hull(points: np.ndarray) -> np.ndarray:
    """Corners of the convex hull in the plane, in turn (Andrew's monotone chain; SciPy's takes 0.3 s to load)."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))].tolist()

    def half(ordered: list[list[float]]) -> list[list[float]]:
        kept: list[list[float]] = []
        for x, y in ordered:
            while len(kept) > 1 and (kept[-1][0] - kept[-2][0]) * (y - kept[-2][1]) <= (kept[-1][1] - kept[-2][1]) * (
                x - kept[-2][0]
            ):
                kept.pop()
            kept.append([x, y])
        return kept[:-1]

    return np.array((half(order) + half(order[::-1])) or order[:1])
