"""A still picture of a run as SVG: bodies as their outlines at the end, and the ways that they went."""

import html
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from softdock.replay.poses import Poses
from softdock.replay.scene import colors_of, rods
from softdock.spatial import matrix_of_quaternion
from softdock.world import Box, ConvexMesh, World

WIDTH, HEIGHT = 480, 270
AHEAD = np.array([0.55, 0.72, -0.42]) / np.linalg.norm([0.55, 0.72, -0.42])
"""The direction of sight, from behind, aside and above."""
RIGHT = np.cross(AHEAD, [0.0, 0.0, 1.0]) / np.linalg.norm(np.cross(AHEAD, [0.0, 0.0, 1.0]))
UP = np.cross(RIGHT, AHEAD)
ASIDE, ABOVE = np.stack([RIGHT, UP, AHEAD], axis=-1), np.diag([1.0, 1.0, -1.0])
"""Views: columns are the directions to the right, up and ahead."""
TRAIL, MOST_POINTS = 160, 6000
"""Of each way, and of all together."""
SUN = np.array([-0.45, 0.8, -0.4])
"""Where light comes from, along right, up and ahead."""


class Outline(NamedTuple):
    """A shape, or a box's face, as it is seen."""

    depth: float
    """How far away (m)."""
    points: np.ndarray
    """(n, 2) corners to the right and up (m)."""
    color: str
    size: float
    """Of the shape (m)."""


def picture(world: World, poses: Poses) -> str:
    """The SVG element."""
    drawn, spots = outlines_at(world, poses, -1, ASIDE), spots_at(world, poses, -1) @ ASIDE[:, :2]
    ways = [poses.position[b.name] @ ASIDE[:, :2] for b in world.bodies if b.joint.kind != "fixed"]
    middle, scale = framing(spots, drawn, (WIDTH, HEIGHT))

    def at(points: np.ndarray) -> str:
        x, y = ((points - middle) * scale * (1, -1) + (WIDTH / 2, HEIGHT / 2)).T
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))

    each = max(2, min(TRAIL, MOST_POINTS // max(1, len(ways))))
    parts = [f'<polyline points="{at(way[:: max(1, len(way) // each)])}"/>' for way in ways]
    shapes = [f'<polygon points="{at(one.points)}" fill="{one.color}"/>' for one in drawn]
    names = ", ".join(body.name for body in world.bodies)
    return (
        f'<svg class="picture" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(names[:300])}">'
        f'<g fill="none" stroke="#4f86c6" stroke-opacity=".6">{"".join(parts)}</g>'
        f'<g stroke="#2a3140" stroke-opacity=".55" stroke-linejoin="round">{"".join(shapes)}</g></svg>'
    )


def spots_at(world: World, poses: Poses, row: int) -> np.ndarray:
    """(n, 3) places of bodies (m)."""
    return np.array([poses.position[body.name][row] for body in world.bodies])


def outlines_at(world: World, poses: Poses, row: int, axes: np.ndarray) -> list[Outline]:
    """What is seen along `axes` (columns: right, up, ahead), the farthest first."""
    colors, drawn = colors_of(world), []
    for body in world.bodies:
        R, p = matrix_of_quaternion(poses.quaternion[body.name][row]), poses.position[body.name][row]
        for points, radius, size in _outlines(world, body):
            seen = (points @ R.T + p) @ axes
            color = colors[body.name]
            if len(points) == 4 and radius == 0:  # a box's face
                normal = np.cross(seen[2] - seen[0], seen[1] - seen[0])  # right, up, ahead is a left-handed frame
                if normal[2] >= 0:
                    continue
                color = _shaded(color, normal / np.linalg.norm(normal))
            drawn.append(Outline(float(seen[:, 2].mean()), hull(_swept(seen[:, :2], radius)), color, size))
    return sorted(drawn, key=lambda one: -one.depth)


def _shaded(color: str, normal: np.ndarray) -> str:
    """The colour of a face whose normal is given along right, up and ahead."""
    light = 0.72 + 0.32 * max(0.0, float(normal @ SUN))
    return "#" + "".join(f"{min(255, round(light * int(color[k : k + 2], 16))):02x}" for k in (1, 3, 5))


def framing(spots: np.ndarray, drawn: Sequence[Outline], size: tuple[int, int]) -> tuple[np.ndarray, float]:
    """Middle and pixels a metre: all outlines, but for those of shapes that dwarf the bodies' spread."""
    low, high = spots.min(axis=0), spots.max(axis=0)
    spread = float((high - low).max())
    near = [one.points for one in drawn if spread == 0 or one.size < 3 * spread] or [spots]
    points = np.concatenate([spots, *near])
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, 0.86 * float(min(np.array(size) / np.maximum(high - low, 1e-6)))


def _outlines(world: World, body: Any) -> Iterator[tuple[np.ndarray, float, float]]:
    """Points in the body's frame, a radius, and the size of the shape: a shape is the hull of balls about its points,
    or of a box each face."""
    for shape in body.shapes:
        parts = list(_faces(shape)) if isinstance(shape, Box) else [_points(shape)]
        size = float(np.ptp(np.concatenate(parts), axis=0).max()) + 2 * _radius(shape)
        for points in parts:
            yield points @ shape.placement.rotation.T + shape.placement.position, _radius(shape), size
    for rod in rods(world, body):
        yield np.array([[0.0, 0.0, 0.0], rod["to"]]), rod["radius"], float(np.linalg.norm(rod["to"]))


def _faces(box: Box) -> Iterator[np.ndarray]:
    """Corners of each face, in turn as seen from outside."""
    half = np.array(box.size) / 2
    for axis in range(3):
        for side in (-1.0, 1.0):
            face = np.zeros((4, 3))
            face[:, axis] = side
            face[:, (axis + 1) % 3] = side * np.array([-1, 1, 1, -1])
            face[:, (axis + 2) % 3] = [-1, -1, 1, 1]
            yield face * half


def _radius(shape: Any) -> float:
    return float(shape.radius) if shape.kind in ("sphere", "capsule") else 0.0


def _points(shape: Any) -> np.ndarray:
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
