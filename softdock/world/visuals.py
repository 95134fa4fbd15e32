"""What is drawn of a body in place of its shapes: mesh files with their materials and colours, read when a run is
recorded into pieces of one colour each.

Formats are those that trimesh reads. References to other files (an OBJ's MTL, a glTF's buffers, textures) are followed
only within the mesh's own folder. A texture becomes colours of triangles. Whatever cannot be read is told in one line,
and the rest is drawn.
"""

import io
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import Field

from softdock.world.describe import Vec3
from softdock.world.files import WorldFileError, read_bytes
from softdock.world.meshes import FORMATS, LARGEST_MESH, collada_unit, msh_mesh
from softdock.world.shapes import Placed, Shape

VISUALS = "visuals.json"
"""Of a run's directory: by body, what is drawn in place of its shapes."""
MOST_TRIANGLES = 40_000
"""Of all meshes of a world as they are drawn: about 0.6 MB of a page. Finer ones are made coarser."""
MOST_COLORS = 12
"""Of one mesh; others become the nearest of these."""
FINE = 5
"""Decimals of vertices (m) that are kept."""
Color = Annotated[str, Field(pattern=r"^(#[0-9a-fA-F]{6})?$")]


class Visual(Placed):
    """A drawn mesh or shape, which nothing touches."""

    file: Annotated[str, Field(max_length=4096)] = ""
    """A mesh: its path. GLB, glTF, OBJ with MTL, Collada, STL, PLY."""
    scale: Vec3 = (1.0, 1.0, 1.0)
    """Of the mesh, along its own axes (-)."""
    shape: Shape | None = None
    """Or a shape."""
    color: Color = ""
    """As #rrggbb, in place of the mesh's own; without one, of a shape, that of the body."""

    def model_post_init(self, context: object, /) -> None:
        """Refuse what is neither a mesh nor a shape, or both."""
        if bool(self.file) == (self.shape is not None):
            raise ValueError("a visual is either a 'file' or a 'shape'")


class Piece(NamedTuple):
    """Triangles of one colour."""

    vertices: np.ndarray
    """(n, 3), in the body's frame (m)."""
    triangles: np.ndarray
    """(m, 3)."""
    color: str
    """As #rrggbb; empty if none is known."""


def drawn_bodies(bodies: Iterable[Any], say: Callable[[str], object] | None = None) -> dict[str, list[dict[str, Any]]]:
    """By body, what its visuals are made of, as JSON holds it (docs/replay.md); a body of whose visuals none can be
    read is not in it. `say` is told, in one line each, what cannot be drawn as it is."""
    tell = say or (lambda message: warnings.warn(message, stacklevel=3))
    shapes: dict[str, list[dict[str, Any]]] = {}
    meshes: list[tuple[str, Piece]] = []
    plain: list[str] = []
    for body in bodies:
        for visual in body.visuals:
            if visual.shape is not None:
                shapes.setdefault(body.name, []).append(_shape(visual))
                continue
            try:
                found = _placed(pieces_of(Path(visual.file), tell), visual)
            except (WorldFileError, OSError) as error:
                tell(f"{error}; body {body.name!r} is drawn without it")
                continue
            plain += [Path(visual.file).name] * (not any(piece.color for piece in found))
            meshes += [(body.name, piece) for piece in found]
    if plain:
        more = f" and {len(plain) - 4} more" if len(plain) > 4 else ""
        tell(f"without materials, drawn in the colour of the body: {', '.join(plain[:4])}{more}")
    for name, piece in _coarser(meshes, tell):
        shapes.setdefault(name, []).append(_mesh(piece))
    return shapes


def _shape(visual: Visual) -> dict[str, Any]:
    assert visual.shape
    at = visual.placement @ visual.shape.placement
    given = visual.shape.model_dump(mode="json", exclude={"placement", "source"})
    colored = {"color": visual.color} if visual.color else {}
    return {**given, "position": list(at.position), "quaternion": list(at.quaternion), **colored}


def _mesh(piece: Piece) -> dict[str, Any]:
    vertices, triangles = piece.vertices.round(FINE).tolist(), piece.triangles.tolist()
    colored = {"color": piece.color} if piece.color else {}
    return {"kind": "mesh", "vertices": vertices, "triangles": triangles, **colored}


def _placed(pieces: Sequence[Piece], visual: Visual) -> list[Piece]:
    R, p, scale = visual.placement.rotation, np.array(visual.placement.position), np.array(visual.scale)
    turned = np.linalg.det(np.diag(scale)) < 0  # a mirror image: its triangles turn the other way
    return [
        Piece(
            vertices=(piece.vertices * scale) @ R.T + p,
            triangles=piece.triangles[:, ::-1] if turned else piece.triangles,
            color=visual.color or piece.color,
        )
        for piece in pieces
    ]


# --- files -------------------------------------------------------------------------------------------


class _Beside(Mapping[str, bytes]):
    """Files that a mesh refers to, as trimesh asks for them: of its own folder and below only."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.missing = folder.resolve(), list[str]()

    def get(self, name: str, default: Any = None) -> Any:
        """ValueError or OSError if it is not there."""
        path = (self.folder / str(name).strip().replace("\\", "/")).resolve()
        try:
            if not path.is_relative_to(self.folder) or not path.is_file():
                raise WorldFileError(f"{name}: not found")
            return read_bytes(path, LARGEST_MESH)
        except (WorldFileError, OSError, ValueError):
            self.missing.append(str(name))
            raise

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def namespaced(self, namespace: str) -> "_Beside":
        return self


def pieces_of(path: Path, say: Callable[[str], object]) -> list[Piece]:
    """A mesh file as pieces of one colour each (m); WorldFileError if it cannot be read."""
    import trimesh

    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise WorldFileError(f"{path}: meshes of format {kind!r} are not read (known: {', '.join(FORMATS)})")
    content = read_bytes(path, LARGEST_MESH)
    metre = collada_unit(content, path) if kind == "dae" else 1.0
    beside = _Beside(path.parent)
    try:
        if kind == "msh":
            scene = trimesh.Scene(msh_mesh(content))
        else:
            scene = trimesh.load_scene(io.BytesIO(content), file_type=kind, resolver=beside)
        found = [piece for node in scene.graph.nodes_geometry for piece in _pieces(scene, node, metre)]
    except Exception as error:
        reason = (str(error).splitlines() or [repr(error)])[0]
        raise WorldFileError(f"{path}: mesh cannot be read: {reason[:120]}") from None
    if beside.missing:
        say(f"{path}: drawn without {', '.join(dict.fromkeys(beside.missing))[:120]}, not found beside it")
    if not found:
        raise WorldFileError(f"{path}: has no triangles")
    return found


def _pieces(scene: Any, node: str, metre: float) -> list[Piece]:
    transform, name = scene.graph[node]
    mesh = scene.geometry[name]
    if not hasattr(mesh, "faces") or not len(mesh.faces):
        return []
    vertices = (np.asarray(mesh.vertices) @ transform[:3, :3].T + transform[:3, 3]) * metre
    if not np.all(np.isfinite(vertices)):
        raise ValueError("it holds numbers that are not finite")
    triangles = np.asarray(mesh.faces)
    colors = _colors(mesh.visual, triangles)
    return [_used(vertices, triangles[colors == color], color) for color in dict.fromkeys(colors.tolist())]


def _used(vertices: np.ndarray, triangles: np.ndarray, color: str) -> Piece:
    """Without vertices that no triangle has."""
    kept, renumbered = np.unique(triangles, return_inverse=True)
    return Piece(vertices[kept], renumbered.reshape(triangles.shape), color)


def _colors(visual: Any, triangles: np.ndarray) -> np.ndarray:
    """A colour for each triangle, as #rrggbb; empty where there is none."""
    rgb = _faces(visual, triangles)
    if rgb is None:
        return np.full(len(triangles), "")
    few, which, often = np.unique(rgb >> 3 << 3 | 4, axis=0, return_inverse=True, return_counts=True)
    if len(few) == 1:
        few = rgb[:1]  # as it was given
    chosen = np.argsort(-often)[:MOST_COLORS]
    nearest = np.argmin(((few[:, None].astype(int) - few[chosen][None].astype(int)) ** 2).sum(-1), axis=1)
    names = np.array(["#{:02x}{:02x}{:02x}".format(*few[chosen[k]]) for k in nearest])
    return np.asarray(names[which.ravel()])


def _faces(visual: Any, triangles: np.ndarray) -> np.ndarray | None:
    """Red, green and blue of each triangle (0 to 255), of a texture in its middle; None if nothing is known."""
    if getattr(visual, "kind", None) == "texture":
        material = visual.material
        image = getattr(material, "image", None) or getattr(material, "baseColorTexture", None)
        if image is not None and visual.uv is not None:
            from trimesh.visual.color import uv_to_color

            return np.asarray(uv_to_color(np.asarray(visual.uv)[triangles].mean(axis=1), image))[:, :3]
        if type(material).__name__ == "SimpleMaterial" and material.name is None:
            return None  # trimesh's own, in place of none
        return np.tile(np.asarray(material.main_color, dtype=np.uint8)[:3], (len(triangles), 1))
    if getattr(visual, "kind", None) in ("face", "vertex"):
        return np.asarray(visual.face_colors)[:, :3]
    return None


# --- as fine as a page can hold ----------------------------------------------------------------------


def _coarser(meshes: list[tuple[str, Piece]], say: Callable[[str], object]) -> list[tuple[str, Piece]]:
    total = sum(len(piece.triangles) for _, piece in meshes)
    if total <= MOST_TRIANGLES:
        return meshes
    share = MOST_TRIANGLES / total
    say(f"meshes of {total} triangles are drawn with {MOST_TRIANGLES}")
    return [(name, coarser(piece, max(12, int(share * len(piece.triangles))))) for name, piece in meshes]


def coarser(piece: Piece, most: int) -> Piece:
    """At most so many triangles: vertices within a cell of a grid become one, in the finest grid that does."""
    low = piece.vertices.min(axis=0)
    size = float(np.ptp(piece.vertices, axis=0).max())
    fine, coarse, best = 4096.0, 1.0, piece
    while coarse < 0.98 * fine and len(piece.triangles) > most:
        cells = np.sqrt(fine * coarse)
        tried = _gathered(piece, low, size / cells)
        if len(tried.triangles) <= most:
            coarse, best = cells, tried
        else:
            fine = cells
    return best if len(best.triangles) <= most else _gathered(piece, low, size)


def _gathered(piece: Piece, low: np.ndarray, cell: float) -> Piece:
    keys = np.floor((piece.vertices - low) / max(cell, 1e-12)).astype(np.int64)
    _, which = np.unique(keys, axis=0, return_inverse=True)
    which = which.ravel()
    counts = np.bincount(which)
    means = np.stack([np.bincount(which, piece.vertices[:, k]) / counts for k in range(3)], axis=-1)
    triangles = which[piece.triangles]
    apart = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    triangles = triangles[apart]
    _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
    return _used(means, triangles[np.sort(first)], piece.color)
