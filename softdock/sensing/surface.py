"""The surface of a rigid target, and the rays that meet it.

Embree finds the triangle in single precision; the point on it is then computed in double precision, and a ray that
passes an edge closer than single precision can tell is tested against every triangle.
"""

from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from softdock.sensing import loops
from softdock.sensing.mesh import MeshError, check, load, mesh_of
from softdock.world.shapes import Placed

SMOOTH = np.radians(30.0)
"""Facets that meet at a smaller angle stand for one curved surface."""
_EDGE = 1e-12
"""How far outside of a triangle (relative to the mesh) a point may be by rounding."""


class Surface:
    """A closed triangle mesh (m) in a frame B that is fixed to the target.

    `mesh` (m) is a trimesh.Trimesh or a file that trimesh reads; `scale` (-) multiplies its coordinates. How well the
    model is known goes into the covariance of registrations: `tolerance` (m) and `scale_error` (-) are standard
    deviations of how far the whole surface is outside of the mesh, and of its size; by how much the facets of a curved
    surface lie within it is counted by itself.
    """

    def __init__(self, mesh: Any, scale: float = 1.0, *, tolerance: float = 0.0, scale_error: float = 0.0) -> None:
        if not (0 <= tolerance < np.inf and 0 <= scale_error < 1):
            raise MeshError(f"tolerance (m) and scale_error (-) are 0 or more, not {tolerance} and {scale_error}")
        self.tolerance, self.scale_error = tolerance, scale_error
        name = "mesh"
        if isinstance(mesh, str | Path):
            name, mesh = str(mesh), load(Path(mesh))
        vertices = np.asarray(mesh.vertices, dtype=float) * scale
        faces = np.asarray(mesh.faces, dtype=np.int64)
        check(name, vertices, faces)
        self.triangles: np.ndarray = vertices[faces]
        edges = np.roll(self.triangles, -1, axis=1) - self.triangles
        normals = np.cross(edges[:, 0], edges[:, 1])
        area = np.linalg.norm(normals, axis=1)
        keep = area > 1e-14 * area.max()  # needles have no normal, and no area to be hit
        self.triangles, edges, normals = self.triangles[keep], edges[keep], normals[keep] / area[keep, None]
        if np.einsum("ij,ij->", np.cross(self.triangles[:, 0], self.triangles[:, 1]), self.triangles[:, 2]) < 0:
            normals = -normals  # faces wound inside out: the enclosed volume comes out negative
        self.normals: np.ndarray = normals
        """Outward unit normal of each triangle."""
        self.offsets: np.ndarray = np.einsum("ij,ij->i", normals, self.triangles[:, 0])
        self.center: np.ndarray = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
        self.radius = float(np.linalg.norm(vertices - self.center, axis=1).max())
        inward = np.cross(np.cross(edges[:, 0], edges[:, 1])[:, None, :], edges)
        inward /= np.linalg.norm(inward, axis=2, keepdims=True)
        least = np.einsum("fkj,fkj->fk", inward, self.triangles) - _EDGE * self.radius
        smooth, self.is_curved = corner_normals(self.triangles, self.normals)
        self.facets = loops.Facets(
            self.triangles, edges, self.normals, self.offsets, inward, least, smooth, self.is_curved
        )
        """What compiled loops take."""
        self.is_smooth = bool(self.is_curved.any())
        """Whether some facets stand for curved surfaces."""
        turned = np.linalg.norm(np.roll(smooth, -1, axis=1) - smooth, axis=2)
        self.sagitta: np.ndarray = (np.linalg.norm(edges, axis=2) * turned).max(axis=1) / 8
        """How deep each facet lies within the curved surface that it stands for, at most (m)."""

    @cached_property
    def _scene(self) -> Any:
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore_scene import EmbreeScene

        scene = EmbreeScene()
        corners = (self.triangles - self.center).reshape(-1, 3).astype(np.float32)
        TriangleMesh(scene=scene, vertices=corners, indices=np.arange(len(corners), dtype=np.int32).reshape(-1, 3))
        return scene

    def meet(self, origins: np.ndarray, directions: np.ndarray) -> np.ndarray:
        """Triangle that each ray from outside meets first, −1 where none, as single precision finds it."""
        # Start where the ray may first meet the mesh: precision is then relative to the mesh, not to the range.
        return self.met_from(*loops.begun(_rows(origins), directions, self.center, self.radius))

    def met_from(self, begin: np.ndarray, directions: np.ndarray) -> np.ndarray:
        """`meet`, of rays as `loops.begun` has them."""
        return self._scene.run(begin, directions).astype(np.int64)

    def cast(self, origins: np.ndarray, directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """First hits of rays from outside: distance (inf where none) and triangle (−1 where none).

        Origins (n, 3) or one (3,), and unit directions (n, 3), in B.
        """
        origins, directions = _rows(origins), np.ascontiguousarray(directions, dtype=np.float64)
        triangle = self.meet(origins, directions)
        distance, is_sure = loops.reached(self.facets, triangle, origins, directions)
        if not is_sure.all():
            doubtful = np.flatnonzero(~is_sure)
            from_there = np.broadcast_to(origins, directions.shape)[doubtful]
            distance[doubtful], triangle[doubtful] = self._cast_exactly(from_there, directions[doubtful])
        return distance, triangle

    def normal_at(self, triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Unit normals (n, 3) of the surface that the triangles stand for, at points in them: where facets meet at less
        than `SMOOTH`, it turns from one to the next, so that no facet's own slope is believed."""
        return np.asarray(loops.normals_at(self.facets, triangles, np.ascontiguousarray(points)))

    def _cast_exactly(self, origins: np.ndarray, directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As `cast`, each ray against every triangle."""
        distance, triangle = np.full(len(origins), np.inf), np.full(len(origins), -1, dtype=np.int64)
        for k, (o, d) in enumerate(zip(origins, directions, strict=True)):
            with np.errstate(divide="ignore", invalid="ignore"):
                reach = (self.offsets - self.normals @ o) / (self.normals @ d)
                x = o + reach[:, None] * d
                inside = (np.einsum("fkj,fj->fk", self.facets.inward, x) >= self.facets.least).all(axis=1)
            reach = np.where(inside & (reach >= 0), reach, np.inf)
            nearest = int(np.argmin(reach))
            if np.isfinite(reach[nearest]):
                distance[k], triangle[k] = reach[nearest], nearest
        return distance, triangle

    def closest(self, points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distance of points (n, 3) to the nearest of their candidate triangles (n, k), and its gradient.

        The sign is that of the side only over the inside of a triangle; at an edge, distance is positive and its
        gradient leads away from the edge.
        """
        distance, gradient = loops.closest(self.facets, np.ascontiguousarray(points), triangles)
        return distance, gradient

    def seen_from(self, eye: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Points of the surface that is visible from `eye` (in B), and the triangles they are on, of `count` rays
        spread evenly over a window that just holds the target."""
        directions = loops.looking(self.triangles, np.array(eye, dtype=np.float64), self.center, self.radius, count)
        points, triangles = loops.hits(eye, directions, *self.cast(eye, directions))
        return points, triangles


@lru_cache(maxsize=32)
def surface_of_shapes(shapes: tuple[Placed, ...]) -> Surface:
    """That of a body with these shapes, in its frame; the same one as long as it is remembered."""
    import trimesh

    return Surface(trimesh.util.concatenate([mesh_of(shape) for shape in shapes]))


def _rows(origins: np.ndarray) -> np.ndarray:
    """(n, 3), or (1, 3) for one that all share."""
    return np.ascontiguousarray(np.atleast_2d(origins), dtype=np.float64)


def corner_normals(triangles: np.ndarray, normals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Normals (n, 3, 3) at the corners of triangles: means of those that meet there at less than `SMOOTH`, weighted by
    area; and which triangles have others than their own."""
    points = triangles.reshape(-1, 3)
    size = float(np.ptp(points, axis=0).max())
    places = np.round(points / (1e-7 * size)).astype(np.int64)
    order = np.lexsort(places.T)
    is_new = np.any(np.diff(places[order], axis=0) != 0, axis=1)
    begins = np.flatnonzero(np.concatenate([[True], is_new, [True]]))
    smooth = loops.shared_normals(triangles, normals, order, begins, float(np.cos(SMOOTH)))
    return smooth, np.asarray((np.abs(smooth - normals[:, None]) > 1e-6).any(axis=(1, 2)))
