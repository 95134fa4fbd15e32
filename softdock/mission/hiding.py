"""What is in front of a camera's target: bodies that rays meet first, in truth; and which points a craft takes for
itself, by its own model."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.sensing import Surface
from softdock.sensing.mesh import mesh_of
from softdock.world import Box, Capsule, ConvexMesh, Cylinder, Pose, Sphere
from softdock.world.shapes import Placed

ROOM = 0.03
"""Points within so much (m) of where a craft believes itself to be are taken for its own."""


class InFront:
    """Bodies that may hide others from a camera at the frame `at` of a world: `names`, their shapes larger by `room`
    (m). Those that are fixed to the camera's own body are behind it."""

    def __init__(self, dynamics: Dynamics, at: str, names: Sequence[str], room: float = 0.0) -> None:
        self._dynamics, self._at, self._room = dynamics, at, room
        world, places = dynamics.world, dynamics.tree.places
        own = places[world.body_of(at)].link
        self._names = [name for name in names if world.body(name).shapes and places[name].link != own]

    @cached_property
    def _surfaces(self) -> dict[str, Surface]:
        import trimesh

        bodies = [self._dynamics.world.body(name) for name in self._names]
        return {
            body.name: Surface(trimesh.util.concatenate([mesh_of(larger(one, self._room)) for one in body.shapes]))
            for body in bodies
        }

    def ranges(self, q: np.ndarray, directions: np.ndarray, tilt: np.ndarray | None = None) -> np.ndarray:
        """Of rays (n, 3) in the camera's frame K, which is turned by `tilt` against where it should be; inf where they
        meet none (m)."""
        return self.hits(q, directions, tilt)[0]

    def hits(
        self, q: np.ndarray, directions: np.ndarray, tilt: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same, and outward normals (n, 3) in K where rays meet something."""
        found, normals = np.full(len(directions), np.inf), np.zeros(directions.shape)
        R, p = self._dynamics.pose(self._at, q)
        X_KW = Pose.of(R if tilt is None else R @ tilt, p).inverse().matrix()
        for name, surface in self._surfaces.items():
            X = np.eye(4)
            X[:3, :3], X[:3, 3] = self._dynamics.pose(name, q)
            X = X_KW @ X
            middle = X[:3, :3] @ surface.center + X[:3, 3]
            far = float(np.linalg.norm(middle))
            if far <= surface.radius:
                continue
            ahead = directions @ middle
            near = np.flatnonzero(ahead > np.sqrt(far**2 - surface.radius**2) * (1 - 1e-9))
            if near.size:
                origin, turned = -X[:3, 3] @ X[:3, :3], directions[near] @ X[:3, :3]
                reach, triangle = surface.cast(origin, turned)
                first = np.flatnonzero(reach < found[near])
                k, points = near[first], origin + reach[first, None] * turned[first]
                found[k], normals[k] = reach[first], surface.normal_at(triangle[first], points) @ X[:3, :3].T
        return found, normals


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
