"""What is in front of a camera's target: bodies that rays meet first, in truth; and which points a craft takes for
itself, by its own model."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.sensing import Surface
from softdock.sensing.surface import surface_of_shapes
from softdock.world import Box, Capsule, ConvexMesh, Cylinder, Sphere
from softdock.world.shapes import Placed

ROOM = 0.03
"""Points within so much (m) of where a craft believes itself to be are taken for its own."""


class _Meeting(NamedTuple):
    """Rays that may meet a body, in its frame B, and where they do."""

    surface: Surface
    R_KB: np.ndarray
    rays: np.ndarray
    origin: np.ndarray
    directions: np.ndarray
    reach: np.ndarray
    triangle: np.ndarray


class InFront:
    """Bodies that may hide others from a camera at the frame `at` of a world: `names`, their shapes larger by `room`
    (m). Those that are fixed to the camera's own body are behind it."""

    def __init__(self, dynamics: Dynamics, at: str, names: Sequence[str], room: float = 0.0) -> None:
        self._dynamics, self._at, self._room = dynamics, at, room
        world, places = dynamics.world, dynamics.tree.places
        own = places[world.body_of(at)].link
        self._names = [name for name in names if world.body(name).shapes and places[name].link != own]
        self._cone: tuple[np.ndarray, np.ndarray, float] = (np.zeros((0, 3)), np.zeros(3), 0.0)

    @cached_property
    def _surfaces(self) -> list[Surface]:
        bodies = [self._dynamics.world.body(name) for name in self._names]
        return [surface_of_shapes(tuple(larger(one, self._room) for one in body.shapes)) for body in bodies]

    def ranges(self, q: np.ndarray, directions: np.ndarray, tilt: np.ndarray | None = None) -> np.ndarray:
        """Of rays (n, 3) in the camera's frame K, which is turned by `tilt` against where it should be; inf where they
        meet none (m)."""
        found = np.full(len(directions), np.inf)
        for meeting in self._meetings(q, directions, tilt):
            found[meeting.rays] = np.minimum(found[meeting.rays], meeting.reach)
        return found

    def hits(
        self, q: np.ndarray, directions: np.ndarray, tilt: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same, and outward normals (n, 3) in K where rays meet something."""
        found, normals = np.full(len(directions), np.inf), np.zeros(directions.shape)
        for surface, R, rays, origin, turned, reach, triangle in self._meetings(q, directions, tilt):
            first = np.flatnonzero(reach < found[rays])
            k, points = rays[first], origin + reach[first, None] * turned[first]
            found[k], normals[k] = reach[first], surface.normal_at(triangle[first], points) @ R.T
        return found, normals

    def _meetings(self, q: np.ndarray, directions: np.ndarray, tilt: np.ndarray | None) -> Iterator[_Meeting]:
        (R_WK, p_WK), *bodies = self._dynamics.poses([self._at, *self._names], q)
        R_WK = R_WK if tilt is None else R_WK @ tilt
        axis, widest = self._cone_of(directions)
        ahead = R_WK @ axis
        for surface, (R_WB, p_WB) in zip(self._surfaces, bodies, strict=True):
            away = R_WB @ surface.center + p_WB - p_WK
            far, radius = math.sqrt(away @ away), surface.radius
            if far <= radius or _angle(ahead @ away / far) > widest + math.asin(radius / far) + 1e-6:
                continue
            R, p = R_WK.T @ R_WB, (p_WB - p_WK) @ R_WK
            middle = R @ surface.center + p
            rays = np.flatnonzero(directions @ middle > math.sqrt(far**2 - radius**2) * (1 - 1e-9))
            if rays.size:
                origin, turned = -p @ R, directions[rays] @ R
                yield _Meeting(surface, R, rays, origin, turned, *surface.cast(origin, turned))

    def _cone_of(self, directions: np.ndarray) -> tuple[np.ndarray, float]:
        """Axis and half angle (rad) of a cone that holds all rays; a camera asks for the same ones every time."""
        if self._cone[0] is not directions:
            axis = directions.sum(axis=0)
            axis = axis / max(math.sqrt(axis @ axis), 1e-9)
            self._cone = directions, axis, _angle((directions @ axis).min(initial=1.0))
        return self._cone[1:]


def _angle(cosine: float) -> float:
    return math.acos(min(max(cosine, -1.0), 1.0))


def larger(shape: Placed, room: float) -> Any:
    """A shape that has all points within `room` (m) of it, and few more."""
    if room == 0.0:
        return shape
    match shape:
        case Box():
            x, y, z = shape.size
            return shape.altered(size=(x + 2 * room, y + 2 * room, z + 2 * room))
        case Capsule() | Sphere():
            return shape.altered(radius=shape.radius + room)
        case Cylinder():
            return shape.altered(radius=shape.radius + room, length=shape.length + 2 * room)
        case ConvexMesh():
            corners = np.asarray(shape.vertices, float)
            middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
            least = float(np.linalg.norm(corners - middle, axis=1).min())
            return shape.altered(vertices=(middle + (1 + room / max(least, room)) * (corners - middle)).tolist())
    return shape
