"""A closed mesh split into convex parts by CoACD (Wei, Liu, Ling & Su 2022), and how far their union deviates from it.

The deviation is measured: both surfaces are cut into small triangles, and each one's corners and middle are looked up
on the other surface. Faces between parts are no part of the union's surface.
"""

import hashlib
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from softdock.world.composite import MOST_PARTS

MOST_PIECES = 20_000
"""Small triangles of a surface that a deviation is measured with."""
_NEIGHBOURS, _BATCH = 100, 500
"""Small triangles that are tried for the nearest point of those that could be furthest; how many of these at once."""
_TRIES = 3
"""Runs of CoACD, each with half the concavity of the one before."""

Hull = tuple[np.ndarray, np.ndarray]
"""Vertices (m) and triangles of a convex part."""


class Split(NamedTuple):
    """Convex parts and the largest distance (m) between their union's surface and the mesh's, either way."""

    parts: list[Hull]
    deviation: float


def split(vertices: np.ndarray, triangles: np.ndarray, asked: float) -> Split:
    """Convex parts of a closed mesh that deviate by at most `asked` (m); ValueError if none are found.

    Kept in the cache, by the mesh and what was asked.
    """
    if not asked > 0:
        raise ValueError(f"is to be split within {asked} m: a deviation must be positive")
    mesh = _closed(vertices, triangles)
    hull = Split([_hull(mesh.vertices)], 0.0)
    hull = hull._replace(deviation=deviation(mesh.vertices, mesh.faces, hull.parts, asked))
    if hull.deviation <= asked:
        return hull
    coacd = _coacd()
    key = hashlib.sha256(repr((asked, _version(), mesh.vertices.shape)).encode())
    key.update(np.ascontiguousarray(mesh.vertices).tobytes() + np.ascontiguousarray(mesh.faces).tobytes())
    name = f"parts-{key.hexdigest()}.npz"
    if (found := _kept(name)) is not None:
        return found
    best = hull
    for k in range(_TRIES):
        found = _run(coacd, mesh, asked / 2**k, asked)
        best = min(best, found, key=lambda s: s.deviation)
        if best.deviation <= asked:
            _keep(name, best)
            return best
        if len(found.parts) > MOST_PARTS:
            break
    raise ValueError(
        f"cannot be split into convex parts within {asked:.3g} m: the best of {len(best.parts)} parts deviates by "
        f"{best.deviation:.3g} m"
    )


def _closed(vertices: np.ndarray, triangles: np.ndarray) -> Any:
    """The mesh with equal vertices merged, its faces outwards; refused if it encloses nothing."""
    import trimesh

    mesh = trimesh.Trimesh(vertices, triangles, process=True)
    mesh.update_faces(mesh.nondegenerate_faces())
    mesh.remove_unreferenced_vertices()
    if not len(mesh.faces) or not np.all(np.isfinite(mesh.vertices)):
        raise ValueError("has no triangle of any size")
    if not mesh.is_watertight:
        raise ValueError("is not closed: some edge belongs to one triangle only, or to more than two")
    widths = np.linalg.svd(mesh.vertices - mesh.vertices.mean(axis=0), compute_uv=False)
    if len(widths) < 3 or widths[2] <= 1e-9 * widths[0]:
        raise ValueError("encloses no volume")
    trimesh.repair.fix_normals(mesh)  # type: ignore[no-untyped-call]
    return mesh


def _coacd() -> Any:
    try:
        import coacd
    except ImportError:
        raise ValueError(
            "is not convex; splitting it needs the package coacd: pip install 'softdock[meshes]'"
        ) from None
    coacd.set_log_level("off")
    return coacd


def _version() -> str:
    from importlib.metadata import version

    return version("coacd")


def _run(coacd: Any, mesh: Any, concavity: float, asked: float) -> Split:
    """One run of CoACD, its concavity in metres."""
    found = coacd.run_coacd(
        coacd.Mesh(mesh.vertices, mesh.faces), threshold=concavity, real_metric=True, preprocess_mode="off"
    )
    parts = [_hull(np.asarray(part[0])) for part in found]
    return Split(parts, deviation(mesh.vertices, mesh.faces, parts, asked))


def _hull(points: np.ndarray) -> Hull:
    from trimesh.convex import convex_hull

    hull = convex_hull(points)
    return np.asarray(hull.vertices), np.asarray(hull.faces)


def deviation(vertices: np.ndarray, triangles: np.ndarray, parts: Sequence[Hull], fine: float) -> float:
    """The largest distance (m) between a mesh's surface and that of its parts' union, either way.

    Surfaces are cut into triangles with edges of at most `fine`/2, or into at most `MOST_PIECES`.
    """
    size = float(np.linalg.norm(np.ptp(vertices, axis=0)))
    mesh = _pieces(vertices, triangles, fine / 2)
    union = np.concatenate([_exposed(k, parts, _pieces(*parts[k], fine / 2), 1e-4 * size) for k in range(len(parts))])
    if not len(union):
        return size
    return max(_furthest(mesh, union), _furthest(union, mesh))


def _pieces(vertices: np.ndarray, triangles: np.ndarray, edge: float) -> np.ndarray:
    """A surface as small triangles (n, 3, 3)."""
    from trimesh.remesh import subdivide_to_size

    corners = np.asarray(vertices)[np.asarray(triangles)]
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
    edge = max(edge, 3.0 * np.sqrt(area / MOST_PIECES))  # halved edges make up to four times the triangles needed
    points, faces = subdivide_to_size(vertices, triangles, edge, max_iter=30)  # type: ignore[no-untyped-call]
    return np.asarray(points)[np.asarray(faces)]


def _exposed(which: int, parts: Sequence[Hull], pieces: np.ndarray, step: float) -> np.ndarray:
    """The small triangles of one part just outside of which there is no other part."""
    normals = np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    middles = pieces.mean(axis=1)
    normals *= np.sign(np.sum(normals * (middles - parts[which][0].mean(axis=0)), axis=1))[:, None]
    outside = middles + step * normals
    covered = np.zeros(len(pieces), dtype=bool)
    for k, (vertices, triangles) in enumerate(parts):
        near = np.all((outside >= vertices.min(axis=0)) & (outside <= vertices.max(axis=0)), axis=1) & ~covered
        if k != which and near.any():
            covered[near] = _inside(outside[near], vertices, triangles)
    return pieces[~covered]


def _inside(points: np.ndarray, vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Which points are in a convex part."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals *= np.sign(np.sum(normals * (a - vertices.mean(axis=0)), axis=1))[:, None]
    return np.all(points @ normals.T <= np.sum(normals * a, axis=1), axis=1)


def _furthest(pieces: np.ndarray, surface: np.ndarray) -> float:
    """The largest distance of the corners and middles of small triangles from a surface of small triangles.

    Few neighbours bound every distance from above; the points that could be furthest are looked up again among many.
    """
    from scipy.spatial import cKDTree

    points = np.unique(np.concatenate([pieces.reshape(-1, 3), pieces.mean(axis=1)]), axis=0)
    tree = cKDTree(surface.mean(axis=1))
    at_most = _distances(points, surface, tree, 4)
    order, most = np.argsort(-at_most), 0.0
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        if at_most[batch[0]] <= most:
            break
        most = max(most, float(_distances(points[batch], surface, tree, _NEIGHBOURS).max()))
    return most


def _distances(points: np.ndarray, surface: np.ndarray, tree: Any, many: int) -> np.ndarray:
    """Of points from the nearest by their middles, so many, of small triangles."""
    from trimesh.triangles import closest_point

    _, near = tree.query(points, k=min(many, len(surface)))
    near = near.reshape(len(points), -1)
    best = np.full(len(points), np.inf)
    for k in range(near.shape[1]):
        found = closest_point(surface[near[:, k]], points)  # type: ignore[no-untyped-call]
        best = np.minimum(best, np.linalg.norm(found - points, axis=1))
    return best


def _keep(name: str, found: Split) -> None:
    """In the cache; where that is not possible, the mesh is split again each time."""
    from softdock.kernels import cache  # only here: it takes Numba with it, which reading a world does not need

    arrays: dict[str, Any] = {f"vertices{k}": part[0] for k, part in enumerate(found.parts)}
    arrays |= {f"triangles{k}": part[1] for k, part in enumerate(found.parts)}
    content = io.BytesIO()
    np.savez_compressed(content, deviation=found.deviation, **arrays)
    cache.write(name, content.getvalue())


def _kept(name: str) -> Split | None:
    """From the cache; None if nothing intact is there."""
    from softdock.kernels import cache

    content = cache.read(name)
    if content is None:
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        many = (len(file.files) - 1) // 2
        parts = [(file[f"vertices{k}"], file[f"triangles{k}"]) for k in range(many)]
        return Split(parts, float(file["deviation"]))
