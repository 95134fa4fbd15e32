"""Mesh files into convex shapes: where a file's name may lead, and the hull or convex parts of what is there."""

import io
import logging
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from softdock.world.composite import Parts
from softdock.world.files import WorldFileError, parse_xml, read_bytes
from softdock.world.pose import Pose
from softdock.world.shapes import ConvexMesh

LARGEST_MESH = 100_000_000
"""A mesh file of more bytes than this is refused."""

MOST_VERTICES = 100_000
"""A mesh of more vertices is refused: the hull of as many points of a sphere takes seconds."""

FORMATS = ("stl", "obj", "dae", "ply", "glb", "gltf", "msh")
"""Formats that trimesh reads, and MuJoCo's own. For contact, from one file alone, without following references."""

logging.getLogger("trimesh").addHandler(logging.NullHandler())  # which prints tracebacks of what it tried in vain


class MeshFinder:
    """Finds and reads the meshes of one file (a URDF, or any folder's); each is read once."""

    def __init__(self, start: str | Path, mesh_dirs: Sequence[str | Path] = ()) -> None:
        start = Path(start).resolve()
        folder = start if start.is_dir() else start.parent
        ros = [Path(entry) for entry in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if entry]
        self.roots = [folder, *map(Path, mesh_dirs), *folder.parents, *ros]
        self._read: dict[Path, Any] = {}

    def parts(self, filename: str, scale: Sequence[float], deviation: float | None, placement: Pose) -> Parts:
        """The convex hull of a mesh, scaled along the mesh's own axes (its deviation is not measured: NaN); with a
        `deviation` (m), convex parts whose union deviates by no more."""
        from softdock.world.convex_parts import split

        path = self.find(filename)
        if path not in self._read:
            self._read[path] = _read(path)
        vertices, triangles = self._read[path]
        if deviation is None:
            hull = _hull(path, vertices * scale)
            return Parts((hull.altered(placement=placement),), math.nan)
        try:
            found = split(vertices * scale, triangles, deviation)
        except ValueError as error:
            raise WorldFileError(f"{path}: mesh {error}") from None
        many = len(found.parts)
        meshes = (
            ConvexMesh(
                vertices=tuple(map(tuple, part[0].tolist())),
                triangles=tuple(map(tuple, part[1].tolist())),
                source=f"{path}: part {k + 1} of {many}, deviation {found.deviation:.3g} m",
                placement=placement,
            )
            for k, part in enumerate(found.parts)
        )
        return Parts(tuple(meshes), found.deviation)

    def volume(self, filename: str, scale: Sequence[float], kind: str = "exact") -> tuple[float, Any, Any]:
        """Volume (m³), centre (3) and moments of volume about it (3, 3; m⁵) of a mesh, scaled: `exact` of a closed one,
        of its `convex` hull, or as MuJoCo has it unless told otherwise (`legacy`: hollows count as if filled)."""
        import numpy as np

        path = self.find(filename)
        vertices, triangles = self._read[path] if path in self._read else self._read.setdefault(path, _read(path))
        if kind == "convex":
            hull = _hull(path, vertices * scale)
            return _volume(np.array(hull.vertices), np.array(hull.triangles), False)
        return _volume(vertices * scale, triangles, kind == "legacy")

    def find(self, filename: str) -> Path:
        """The file that a URDF's mesh name stands for: an absolute or relative path, file:// or package://."""
        scheme, mark, rest = filename.partition("://")
        if not mark:
            candidates = [root / filename for root in self.roots]
        elif scheme == "file":
            candidates = [root / unquote(rest) for root in self.roots]
        elif scheme in ("package", "model"):
            rest = rest.lstrip("/")
            package, _, inside = rest.partition("/")
            candidates = [root / rest for root in self.roots]
            candidates += [root / inside for root in self.roots if root.name == package]
        else:
            raise ValueError(f"mesh {filename!r}: only files are read, not {scheme}://")
        for path in candidates:
            if os.path.isfile(path):
                return path
        sought = ", ".join(dict.fromkeys(str(root) for root in self.roots))
        raise ValueError(f"mesh {filename!r} not found; sought below {sought}")


def _volume(vertices: Any, triangles: Any, unsigned: bool) -> tuple[float, Any, Any]:
    """Volume, centre and moments about it, by the tetrahedra between triangles and a point: the mean of the surface,
    then the centre. Unsigned, those that look inward count as much as the others."""
    import numpy as np

    corners = np.asarray(vertices)[np.asarray(triangles)]
    sizes = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    if not sizes.sum() > 0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    origin = sizes @ corners.mean(axis=1) / sizes.sum()

    def volumes(from_origin: Any) -> Any:
        signed = np.linalg.det(from_origin) / 6
        return np.abs(signed) if unsigned else signed

    parts = volumes(corners - origin)
    volume = float(parts.sum())
    if abs(volume) < 1e-15:
        return 0.0, origin, np.zeros((3, 3))
    center = origin + parts @ (corners - origin).sum(axis=1) / (4 * volume)
    a, parts = corners - center, volumes(corners - center)
    whole = a.sum(axis=1)  # ∫ x xᵀ of a tetrahedron with a corner at 0: V/20 (Σ aᵢ aᵢᵀ + s sᵀ), s = Σ aᵢ
    second = (np.einsum("n,nij,nik->jk", parts, a, a) + np.einsum("n,nj,nk->jk", parts, whole, whole)) / 20
    moments = np.trace(second) * np.eye(3) - second
    sign = -1.0 if volume < 0 else 1.0  # turned inside out
    return sign * float(parts.sum()), center, sign * moments


def _hull(path: Path, points: Any) -> ConvexMesh:
    import trimesh

    try:
        try:
            hull = trimesh.convex.convex_hull(points)
        except ImportError:  # of what it mends windings with, where rounding has spoilt some
            hull = _plain_hull(points)
    except Exception as error:
        reason = (str(error).splitlines() or [repr(error)])[0]
        raise WorldFileError(f"{path}: mesh has no convex hull (is it flat or empty?): {reason}") from None
    vertices, triangles = (tuple(map(tuple, rows.tolist())) for rows in (hull.vertices, hull.faces))
    return ConvexMesh(vertices=vertices, triangles=triangles, source=str(path))


def _plain_hull(points: Any) -> Any:
    """The hull with windings by qhull's own outward planes, without triangles that have no area."""
    import numpy as np
    import trimesh
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    a, b, c = (points[hull.simplices[:, k]] for k in range(3))
    outward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3])
    turned = np.where(outward[:, None] < 0, hull.simplices[:, ::-1], hull.simplices)
    mesh = trimesh.Trimesh(points, turned[outward != 0], process=False)
    mesh.remove_unreferenced_vertices()
    return mesh


def msh_mesh(content: bytes) -> Any:
    """A mesh in MuJoCo's own binary format: four counts, then vertices, normals, texture coordinates, faces."""
    import numpy as np
    import trimesh

    counts = np.frombuffer(content, "<i4", 4).astype(np.int64) if len(content) >= 16 else np.zeros(4, np.int64)
    points, normals, textured, faces = counts.tolist()
    if counts.min() < 0 or points < 1 or len(content) != 16 + 4 * (3 * points + 3 * normals + 2 * textured + 3 * faces):
        raise ValueError("its counts do not fit its length")
    vertices = np.frombuffer(content, "<f4", 3 * points, 16).reshape(-1, 3).astype(float)
    triangles = np.frombuffer(content, "<i4", 3 * faces, len(content) - 12 * faces).reshape(-1, 3)
    if faces and (triangles.min() < 0 or triangles.max() >= points):
        raise ValueError("a face names a vertex that it does not have")
    return trimesh.Trimesh(vertices, triangles.astype(np.int64), process=False)


def _read(path: Path) -> tuple[Any, Any]:
    """Vertices (n x 3), in metres if the format knows its unit, and triangles of a mesh file."""
    import trimesh

    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise WorldFileError(f"{path}: meshes of format {kind!r} are not read (known: {', '.join(FORMATS)})")
    content = read_bytes(path, LARGEST_MESH)
    metre = collada_unit(content, path) if kind == "dae" else 1.0
    try:
        own = kind == "msh"
        mesh = msh_mesh(content) if own else trimesh.load_scene(io.BytesIO(content), file_type=kind).to_mesh()
    except Exception as error:
        reason = (str(error).splitlines() or [repr(error)])[0]
        raise WorldFileError(f"{path}: mesh cannot be read: {reason}") from None
    if len(mesh.vertices) > MOST_VERTICES:
        raise WorldFileError(f"{path}: has {len(mesh.vertices)} vertices, more than {MOST_VERTICES}: simplify it")
    return mesh.vertices * metre, mesh.faces


def collada_unit(content: bytes, path: Path) -> float:
    """Length (m) of a Collada file's unit, after the same refusals as for a URDF."""
    unit = parse_xml(content, str(path)).find("asset/unit")
    try:
        return 1.0 if unit is None else float(unit.get("meter", "1"))
    except ValueError:
        raise WorldFileError(f"{path}: the 'meter' of <unit> is not a number") from None
