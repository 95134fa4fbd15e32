"""Convex shapes as arrays: a core polytope (points, edges, faces) swept by a ball of some radius.

A sphere is a point, a capsule a segment, with a radius; boxes and meshes are polytopes of radius
zero. A cylinder is its axis, a segment, swept by a disc instead.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from softdock.world import Box, Capsule, ConvexMesh, Cylinder, Sphere
from softdock.world.shapes import Placed

LINK, POINT, FACE, TRIANGLE, EDGE = range(5)
"""Columns of `Shapes.table`."""
RADIUS, HALF, BOUND, WIDTH, DISC, CENTRE, BALL = 0, 1, 4, 5, 6, 7, 10
"""Columns of `Shapes.sizes`: radius of the sweep; half edges of a box (3), zero for other shapes;
radius of a ball about the link's origin that holds the shape; width where it is thinnest; radius of
a cylinder, zero for other shapes; centre (3) and radius of a ball that holds the shape more tightly."""


class Shapes(NamedTuple):
    """All shapes of a world, in the frames of the links that carry them.

    Few arrays, because compiled loops pay for each one that they pass on.
    """

    table: np.ndarray
    """Link of every shape, its first point, face, triangle and edge; one more row ends the last."""
    sizes: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    """Outward unit normal of every face."""
    indices: np.ndarray
    """A point of every face; then three points of every triangle; then two points and the two
    adjacent faces of every edge. Rows are as `table` counts them."""


class Core(NamedTuple):
    """One shape's polytope in its own frame."""

    points: np.ndarray
    radius: float = 0.0
    disc: float = 0.0
    triangles: np.ndarray = np.zeros((0, 3), dtype=np.int64)


def encode(shapes: Sequence[tuple[int, np.ndarray, np.ndarray, Placed]]) -> Shapes:
    """Arrays of shapes, each with its link and the pose (R_LB, p_LB) of its body in that link."""
    return _joined([shape[0] for shape in shapes], [_placed(*shape[1:]) for shape in shapes])


def encode_alone(*shapes: Placed) -> Shapes:
    """Arrays of shapes of bodies that are a link each."""
    return _joined(range(len(shapes)), [_alone(shape) for shape in shapes])


@lru_cache(maxsize=1024)
def _alone(shape: Placed) -> tuple[np.ndarray, ...]:
    """In its body's frame; planners and reports ask for the same few again and again."""
    return _placed(np.eye(3), np.zeros(3), shape)


def _joined(links: Sequence[int], parts: Sequence[tuple[np.ndarray, ...]]) -> Shapes:
    points, faces, triangles, edges = (np.cumsum([0] + [len(p[k]) for p in parts]) for k in range(4))
    table = np.column_stack([[*links, 0], points, faces, triangles + faces[-1], edges + faces[-1] + triangles[-1]])
    rows = [np.zeros((0, 4), dtype=np.int64)]
    rows += [_wide(p[4] + points[k]) for k, p in enumerate(parts)]
    rows += [_wide(p[2] + points[k]) for k, p in enumerate(parts)]
    rows += [p[3] + np.array([points[k]] * 2 + [faces[k]] * 2) for k, p in enumerate(parts)]
    return Shapes(
        table=np.ascontiguousarray(table, dtype=np.int64),
        sizes=np.array([p[5] for p in parts], dtype=np.float64).reshape(-1, 11),
        points=np.concatenate([np.zeros((0, 3)), *(p[0] for p in parts)]),
        normals=np.concatenate([np.zeros((0, 3)), *(p[1] for p in parts)]),
        indices=np.ascontiguousarray(np.concatenate(rows), dtype=np.int64),
    )


def _wide(rows: np.ndarray) -> np.ndarray:
    """Index rows (one number, or several) filled up to four columns."""
    wide = np.zeros((len(rows), 4), dtype=np.int64)
    wide[:, : 1 if rows.ndim == 1 else rows.shape[1]] = rows[:, None] if rows.ndim == 1 else rows
    return wide


def _placed(R_LB: np.ndarray, p_LB: np.ndarray, shape: Placed) -> tuple[np.ndarray, ...]:
    """Points, normals, triangles, edges, face points and sizes of a shape in its link's frame."""
    core = core_of(shape)
    points = (core.points @ shape.placement.rotation.T + np.array(shape.placement.position)) @ R_LB.T + p_LB
    if not np.all(np.isfinite(points)):
        raise ValueError(f"a {shape.kind} has points that are not finite numbers")  # type: ignore[attr-defined]
    normals, face_point, edges = faces_and_edges(points, core.triangles)
    if isinstance(shape, ConvexMesh):
        _check_hull(points, core.triangles, normals, face_point)
    half = np.array(shape.size) / 2 if isinstance(shape, Box) else np.zeros(3)
    bound = np.linalg.norm(points, axis=1).max() + core.radius + core.disc
    if isinstance(shape, Cylinder):
        width = min(2 * shape.radius, shape.length)
    else:
        width = 2 * core.radius + (np.ptp(points @ normals.T, axis=0).min() if len(normals) else 0.0)
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    ball = np.hypot(np.linalg.norm(points - centre, axis=1).max(), core.disc) + core.radius
    sizes = np.array([core.radius, *half, bound, width, core.disc, *centre, ball])
    return points, normals, core.triangles, edges, face_point, sizes


def core_of(shape: Placed) -> Core:
    """The polytope and radius of a shape, before its placement."""
    if isinstance(shape, Sphere):
        return Core(np.zeros((1, 3)), radius=_positive(shape, "radius"))
    if isinstance(shape, Capsule | Cylinder):
        radius, half = _positive(shape, "radius"), _positive(shape, "length") / 2
        ends = np.array([[0, 0, -half], [0, 0, half]])
        return Core(ends, radius=radius) if isinstance(shape, Capsule) else Core(ends, disc=radius)
    if isinstance(shape, Box):
        if not all(0 < s < np.inf for s in shape.size):
            raise ValueError(f"a box needs three positive edges, not {tuple(shape.size)}")
        corners = np.array(list(product(*((-s / 2, s / 2) for s in shape.size))))
        return Core(corners, triangles=_BOX_TRIANGLES)
    if isinstance(shape, ConvexMesh):
        triangles = np.array(shape.triangles, dtype=np.int64)
        if triangles.min() < 0 or triangles.max() >= len(shape.vertices):
            raise ValueError(f"a mesh of {len(shape.vertices)} vertices has a triangle with another's index")
        return Core(np.array(shape.vertices), triangles=triangles)
    raise TypeError(f"{shape!r} is not a shape that can touch another")


def _positive(shape: Placed, name: str) -> float:
    """A length of a shape; descriptions refuse bad ones already, copies made without validation do not."""
    value = float(getattr(shape, name))
    if not 0 < value < np.inf:
        raise ValueError(f"a {shape.kind} needs a positive {name}, not {value}")  # type: ignore[attr-defined]
    return value


def _check_hull(points: np.ndarray, triangles: np.ndarray, normals: np.ndarray, face_point: np.ndarray) -> None:
    """Refuse a mesh that is not the boundary of a convex body."""
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    if size == 0 or np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[2] < 1e-9 * size:
        raise ValueError(f"a mesh of {len(points)} vertices is flat: it encloses no volume")
    heights = points @ normals.T - np.sum(points[face_point] * normals, axis=1)
    if heights.max() > 1e-6 * size:
        raise ValueError(f"a mesh is not convex: a vertex stands {heights.max():.3g} m over one of its faces")
    sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    if not np.all(np.unique(sides, axis=0, return_counts=True)[1] == 2):  # not of merged faces: one may have a hole
        corners = len({*triangles.ravel().tolist()})
        raise ValueError(f"a mesh of {corners} corners is not closed: its triangles do not enclose it")


_BOX_TRIANGLES = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip


def faces_and_edges(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Faces (coplanar triangles merged) and the edges between different faces, with both faces."""
    normals, face_point, count = np.zeros((len(triangles), 3)), np.zeros(len(triangles), dtype=np.int64), 0
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
        off = np.einsum("ij,ij->i", normals[:count], a - points[face_point[:count]])
        same = np.flatnonzero((normals[:count] @ normal > 1 - 1e-12) & (np.abs(off) < 1e-9 * size))
        if not same.size:
            normals[count], face_point[count] = normal, triangle[0]
            count += 1
        face_of.append(int(same[0]) if same.size else count - 1)
    edges = _edges(triangles, face_of)
    return normals[:count].copy(), face_point[:count].copy(), edges


def _edges(triangles: np.ndarray, face_of: list[int]) -> np.ndarray:
    sides: dict[tuple[int, int], set[int]] = {}
    for triangle, face in zip(triangles, face_of, strict=True):
        if face >= 0:
            for i, j in combinations(sorted(int(k) for k in triangle), 2):
                sides.setdefault((i, j), set()).add(face)
    rows = [(i, j, *sorted(faces)) for (i, j), faces in sides.items() if len(faces) == 2]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)
