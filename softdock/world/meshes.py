"""Mesh files into convex shapes: where a URDF's file name may lead, and the hull of what is found there."""

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from softdock.world.files import WorldFileError, parse_xml, read_bytes

LARGEST_MESH = 100_000_000
"""A mesh file of more bytes than this is refused."""

MOST_VERTICES = 50_000
"""A mesh of more vertices is refused: the hull of as many points of a sphere takes 2 s."""

FORMATS = ("stl", "obj", "dae", "ply")
"""Formats that trimesh reads from one file alone, without following references to others."""


class Hull(NamedTuple):
    """A convex hull (m) and the file that it wraps."""

    vertices: tuple[tuple[float, float, float], ...]
    triangles: tuple[tuple[int, int, int], ...]
    path: Path


class MeshFinder:
    """Finds and reads the meshes of one URDF; each file is read once."""

    def __init__(self, urdf: Path, mesh_dirs: Sequence[str | Path] = ()) -> None:
        folder = urdf.resolve().parent
        ros = [Path(entry) for entry in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if entry]
        self.roots = [folder, *map(Path, mesh_dirs), *folder.parents, *ros]
        self._points: dict[Path, Any] = {}

    def hull(self, filename: str, scale: Sequence[float]) -> Hull:
        """The convex hull of a mesh, scaled along the mesh's own axes."""
        import trimesh

        path = self.find(filename)
        if path not in self._points:
            self._points[path] = _points_of(path)
        try:
            hull = trimesh.convex.convex_hull(self._points[path] * scale)
        except Exception as error:
            reason = (str(error).splitlines() or [repr(error)])[0]
            raise WorldFileError(f"{path}: mesh has no convex hull (is it flat or empty?): {reason}") from None
        return Hull(tuple(map(tuple, hull.vertices.tolist())), tuple(map(tuple, hull.faces.tolist())), path)

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


def _points_of(path: Path) -> Any:
    """All vertices of a mesh file (n x 3), in metres if the format knows its unit."""
    import trimesh

    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise WorldFileError(f"{path}: meshes of format {kind!r} are not read (known: {', '.join(FORMATS)})")
    content = read_bytes(path, LARGEST_MESH)
    metre = _collada_unit(content, path) if kind == "dae" else 1.0
    try:
        mesh = trimesh.load_scene(io.BytesIO(content), file_type=kind).to_mesh()
    except Exception as error:
        reason = (str(error).splitlines() or [repr(error)])[0]
        raise WorldFileError(f"{path}: mesh cannot be read: {reason}") from None
    if len(mesh.vertices) > MOST_VERTICES:
        raise WorldFileError(f"{path}: has {len(mesh.vertices)} vertices, more than {MOST_VERTICES}: simplify it")
    return mesh.vertices * metre


def _collada_unit(content: bytes, path: Path) -> float:
    """Length (m) of a Collada file's unit, after the same refusals as for a URDF."""
    unit = parse_xml(content, str(path)).find("asset/unit")
    try:
        return 1.0 if unit is None else float(unit.get("meter", "1"))
    except ValueError:
        raise WorldFileError(f"{path}: the 'meter' of <unit> is not a number") from None
