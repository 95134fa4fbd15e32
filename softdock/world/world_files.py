"""Worlds in TOML files.

Such a world has the keys of `World`, `urdf` and `mjcf`, lists of models to import (`Import`, `ImportMjcf`), and those
of `APPENDAGES`: lists of parts that are described by few numbers.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import model_validator

from softdock.world.appendage import Appendage, Made
from softdock.world.beams import Beam
from softdock.world.describe import Described, Name
from softdock.world.files import WorldFileError, blaming, item, read_toml
from softdock.world.modal_links import Modal
from softdock.world.model import WORLD, Body, Frame, World
from softdock.world.panels import Panel
from softdock.world.pose import Pose
from softdock.world.shapes import Positive
from softdock.world.tanks import Tank


class Import(Described):
    """A URDF robot in a TOML world; `path` and `mesh_dirs` are relative to the TOML file.

    `placement` puts the root link in `attach` (a body or a frame of this file, or of an import
    above). Every name of the robot gets `prefix`.
    """

    path: str
    base: Literal["fixed", "free"] = "fixed"
    attach: Name = WORLD
    placement: Pose = Pose()
    prefix: str = ""
    meshes: bool = True
    mesh_dirs: tuple[str, ...] = ()
    mesh_deviation: Positive | None = None
    """(m)."""

    @model_validator(mode="after")
    def _only_a_fixed_base_is_attached(self) -> "Import":
        if self.base == "free" and self.attach != WORLD:
            raise ValueError("'attach' goes with base 'fixed' only")
        return self


class ImportMjcf(Described):
    """An MJCF model in a TOML world; `path` is relative to the TOML file. Gravity is the world's own.

    `placement` puts the model's world frame in `attach`; what is free comes free. Every name gets `prefix`.
    """

    path: str
    attach: Name = WORLD
    placement: Pose = Pose()
    prefix: str = ""
    meshes: bool = True


def load_world(path: str | Path) -> World:
    """The world that a TOML file describes."""
    path = Path(path)
    return world_of(read_toml(path), str(path), path.parent)


APPENDAGES: dict[str, type[Appendage]] = {"beams": Beam, "panels": Panel, "tanks": Tank, "modal": Modal}
IMPORTS: dict[str, type[Import] | type[ImportMjcf] | type[Appendage]] = {
    "urdf": Import,
    "mjcf": ImportMjcf,
    **APPENDAGES,
}
"""Keys of a TOML world beside those of `World`."""


def world_of(data: Mapping[str, Any], where: str, folder: str | Path = ".") -> World:
    """The world of a parsed TOML table; `where` opens every error, `folder` is where paths in it start."""
    own = {key: value for key, value in data.items() if key not in IMPORTS}
    for key in ("bodies", "frames", *(key for key in IMPORTS if key in data)):
        if not isinstance(data.get(key, []), list):
            raise WorldFileError(f"{where}: {key}: must be a list of tables")
    bodies, frames = list(own.get("bodies", [])), list(own.get("frames", []))
    for kind, described in IMPORTS.items():
        for index, entry in enumerate(data.get(kind, [])):
            with blaming(f"{where}: {kind}[{index}]", entry):
                part = described.model_validate(entry, context={"folder": str(folder)})
                made = _made(part, frames) if isinstance(part, Appendage) else _imported(part, Path(folder), frames)
            bodies += made.bodies
            frames += made.frames
    own |= {"bodies": bodies, "frames": frames}
    with blaming(where, own):
        return World.model_validate(own, context={"folder": str(folder)})


def _read_robot(entry: Import | ImportMjcf, folder: Path) -> World:
    if isinstance(entry, ImportMjcf):
        from softdock.world.mjcf import load_mjcf

        return load_mjcf(folder / entry.path, meshes=entry.meshes)
    from softdock.world.urdf import load_urdf

    return load_urdf(
        folder / entry.path,
        entry.base,
        mesh_dirs=[folder / name for name in entry.mesh_dirs],
        meshes=entry.meshes,
        mesh_deviation=entry.mesh_deviation,
    )


def _imported(entry: Import | ImportMjcf, folder: Path, frames: Sequence[Any]) -> World:
    """The robot of one entry, renamed and put in its place."""
    robot = _read_robot(entry, folder)
    place = _place(entry.attach, frames)
    at = place.placement @ entry.placement

    def carried(body: Body) -> Body:
        name = entry.prefix + body.name
        if body.parent == WORLD:
            return body.altered(name=name, parent=place.body, placement=at @ body.placement)
        return body.altered(name=name, parent=entry.prefix + body.parent)

    return robot.model_copy(
        update={
            "bodies": tuple(carried(body) for body in robot.bodies),
            "frames": tuple(
                frame.altered(name=entry.prefix + frame.name, body=entry.prefix + frame.body) for frame in robot.frames
            ),
        }
    )


def _made(part: Appendage, frames: Sequence[Any]) -> Made:
    return part.carried(_place(part.on, frames))


def _place(name: str, frames: Sequence[Any]) -> Frame:
    """The frame of that name among those read so far; any other name is taken for a body's."""
    for frame in frames:
        known = frame.name if isinstance(frame, Frame) else item(frame, "name")
        if known == name:
            return Frame.model_validate(frame)
    return Frame(name=name, body=name)
