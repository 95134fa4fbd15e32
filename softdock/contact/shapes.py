"""Convex shapes as arrays: a core polytope (points, edges, faces) swept by a ball of some radius.

A sphere is a point, a capsule a segment, with a radius; boxes and meshes are polytopes of radius
zero. Cylinders have no such core and are not among them yet.
"""

from collections.abc import Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from softdock.world import Box, Capsule, ConvexMesh, Sphere
from softdock.world.shapes import Placed


class Shapes(NamedTuple):
    """All shapes of a world, in the frames of the links that carry them."""

    link: np.ndarray
    radius: np.ndarray
    half: np.ndarray
    """Half edge lengths of boxes, zero for other shapes."""
    bound: np.ndarray
    """Radius of a ball about the link's origin that holds the shape."""
    points: np.ndarray
    point_range: np.ndarray
    """First point of every shape; one more entry, the number of points. So for faces and edges."""
    normals: np.ndarray
    """Outward unit normal of every face (link frame)."""
    face_point: np.ndarray
    """Index of a point on every face."""
    face_range: np.ndarray
    triangles: np.ndarray
    triangle_range: np.ndarray
    edges: np.ndarray
    """Two points and the two adjacent faces of every edge."""
    edge_range: np.ndarray


class Core(NamedTuple):
    """One shape's polytope in its own frame."""

    points: np.ndarray
    radius: float
    triangles: np.ndarray


def encode(shapes: Sequence[tuple[int, np.ndarray, np.ndarray, Placed]]) -> Shapes:
    """Arrays of shapes, each with its link and the pose (R_LB, p_LB) of its body in that link."""
    columns: dict[str, list[np.ndarray]] = {
        name: [] for name in ("points", "normals", "face_point", "triangles", "edges")
    }
    counts = {name: [0] for name in ("points", "normals", "triangles", "edges")}
    link, radius, half, bound = [], [], [], []
    for index, R_LB, p_LB, shape in shapes:
        core = core_of(shape)
        points = (core.points @ shape.placement.rotation.T + np.array(shape.placement.position)) @ R_LB.T + p_LB
        first = {name: total[-1] for name, total in counts.items()}
        normals, face_point, edges = faces_and_edges(points, core.triangles)
        columns["points"].append(points)
        columns["normals"].append(normals)
        columns["face_point"].append(face_point + first["points"])
        columns["triangles"].append(core.triangles + first["points"])
        columns["edges"].append(edges + np.array([first["points"]] * 2 + [first["normals"]] * 2))
        for name in counts:
            counts[name].append(first[name] + len(columns[name][-1]))
        link.append(index)
        radius.append(core.radius)
        half.append(np.array(shape.size) / 2 if isinstance(shape, Box) else np.zeros(3))
        bound.append(np.linalg.norm(points, axis=1).max() + core.radius)
    return Shapes(
        link=np.array(link, dtype=np.int64),
        radius=np.array(radius, dtype=np.float64),
        half=np.array(half, dtype=np.float64).reshape(-1, 3),
        bound=np.array(bound, dtype=np.float64),
        points=_stack(columns["points"], 3, np.float64),
        point_range=np.array(counts["points"], dtype=np.int64),
        normals=_stack(columns["normals"], 3, np.float64),
        face_point=np.concatenate([np.zeros(0, np.int64), *columns["face_point"]]).astype(np.int64),
        face_range=np.array(counts["normals"], dtype=np.int64),
        triangles=_stack(columns["triangles"], 3, np.int64),
        triangle_range=np.array(counts["triangles"], dtype=np.int64),
        edges=_stack(columns["edges"], 4, np.int64),
        edge_range=np.array(counts["edges"], dtype=np.int64),
    )


def _stack(parts: list[np.ndarray], width: int, dtype: type) -> np.ndarray:
    return np.ascontiguousarray(np.concatenate([np.zeros((0, width)), *parts]), dtype=dtype)


def core_of(shape: Placed) -> Core:
    """The polytope and radius of a shape, before its placement."""
    none = np.zeros((0, 3), dtype=np.int64)
    if isinstance(shape, Sphere):
        return Core(np.zeros((1, 3)), shape.radius, none)
    if isinstance(shape, Capsule):
        return Core(np.array([[0, 0, -shape.length / 2], [0, 0, shape.length / 2]]), shape.radius, none)
    if isinstance(shape, Box):
        corners = np.array(list(product(*((-s / 2, s / 2) for s in shape.size))))
        return Core(corners, 0.0, _BOX_TRIANGLES)
    if isinstance(shape, ConvexMesh):
        return Core(np.array(shape.vertices), 0.0, np.array(shape.triangles, dtype=np.int64))
    raise ValueError(f"a {shape.kind} cannot take part in a gap yet; use a capsule, box or mesh")  # type: ignore[attr-defined]


_BOX_TRIANGLES = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip


def faces_and_edges(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Faces (coplanar triangles merged) and the edges between different faces, with both faces."""
    normals: list[np.ndarray] = []
    face_point: list[int] = []
    face_of: list[int] = []
    inside = points.mean(axis=0)
    size = np.abs(points - inside).max() if len(points) else 1.0
    for triangle in triangles:
        a, b, c = points[triangle]
        normal = np.cross(b - a, c - a)
        area = np.linalg.norm(normal)
        if area < 1e-14 * size**2:
            face_of.append(-1)
            continue
        normal = normal / area * (1.0 if normal @ (a - inside) >= 0 else -1.0)
        same = [
            k
            for k, n in enumerate(normals)
            if n @ normal > 1 - 1e-12 and abs(n @ (a - points[face_point[k]])) < 1e-9 * size
        ]
        if not same:
            normals.append(normal)
            face_point.append(int(triangle[0]))
        face_of.append(same[0] if same else len(normals) - 1)
    edges = _edges(triangles, face_of)
    return np.array(normals).reshape(-1, 3), np.array(face_point, dtype=np.int64), edges


def _edges(triangles: np.ndarray, face_of: list[int]) -> np.ndarray:
    sides: dict[tuple[int, int], set[int]] = {}
    for triangle, face in zip(triangles, face_of, strict=True):
        if face >= 0:
            for i, j in combinations(sorted(int(k) for k in triangle), 2):
                sides.setdefault((i, j), set()).add(face)
    rows = [(i, j, *sorted(faces)) for (i, j), faces in sides.items() if len(faces) == 2]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)
