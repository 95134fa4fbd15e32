"""Worlds in files: TOML tables into a World, and how any file is read (bounded, no XML tricks, one-line errors).

A TOML world has the keys of `World`, `urdf` and `mjcf`, lists of models to import (`Import`, `ImportMjcf`), and those
of `APPENDAGES`: lists of parts that are described by few numbers.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from pydantic import ValidationError, model_validator

from softdock.world.appendage import Appendage, Made
from softdock.world.beams import Beam
from softdock.world.describe import Described, Name, nearest
from softdock.world.modal_links import Modal
from softdock.world.model import WORLD, Body, Frame, World
from softdock.world.panels import Panel
from softdock.world.pose import Pose
from softdock.world.shapes import Positive
from softdock.world.tanks import Tank

LARGEST_TEXT = 20_000_000
"""A URDF file, or the TOML file of a recorded run, of more bytes than this is refused."""
LARGEST_TOML = 2_000_000
"""As is a TOML file of more than this: Python reads about 1 MB of TOML in a second."""

DEEPEST_XML = 100


class WorldFileError(ValueError):
    """A file does not describe a world; the one-line message names the file and the place in it."""


@contextmanager
def blaming(where: str, data: Any = None) -> Iterator[None]:
    """Turn what goes wrong inside into a WorldFileError that begins with `where`."""
    try:
        yield
    except WorldFileError:
        raise
    except ValidationError as error:
        raise WorldFileError(f"{where}: {explain(error, data)}") from None
    except ValueError as error:
        raise WorldFileError(f"{where}: {error}") from None
    except RecursionError:
        raise WorldFileError(f"{where}: is nested too deeply") from None
    except ArithmeticError as error:
        raise WorldFileError(f"{where}: has numbers with which nothing can be computed: {error}") from None


def explain(error: ValidationError, data: Any = None) -> str:
    """The first of pydantic's complaints on one line, with its key as in the file: `bodies[2].joint.axis`."""
    errors = error.errors(include_url=False, include_input=False)
    key = _key_path(errors[0]["loc"], data)
    match errors[0]:
        case {"type": "union_tag_not_found"}:
            what = "has no 'kind'"
        case {"type": "union_tag_invalid", "ctx": {"tag": tag, "expected_tags": known}}:
            what = f"unknown kind {tag!r}{nearest(tag, known.replace(chr(39), '').split(', '))}"
        case first:
            what = first["msg"].removeprefix("Value error, ").replace("\n", " ")
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return (f"{key}: " if key else "") + what + more


def _key_path(location: Sequence[str | int], data: Any) -> str:
    """Pydantic puts the chosen `kind` of a joint, shape or gravity in the path; the file has no such level."""
    path = ""
    for step in location:
        if isinstance(data, Mapping) and step not in data and step == data.get("kind"):
            continue
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
        data = _item(data, step)
    return path.removeprefix(".")


def _item(data: Any, step: str | int) -> Any:
    try:
        return data[step]
    except (TypeError, KeyError, IndexError):
        return None


def read_bytes(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """The content of a regular file of at most `most` bytes."""
    if not os.path.isfile(path):  # whatever the name: Path.is_file raises for some
        raise WorldFileError(f"{path}: no such file")
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise WorldFileError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > most:
        raise WorldFileError(f"{path}: larger than {most / 1e6:g} MB")
    return content


class _ShallowTree(TreeBuilder):
    """Builds elements, and refuses a document that nests deeper than any honest one."""

    depth = 0

    def start(self, tag: str, attrs: dict[Any, Any], /) -> Element:
        self.depth += 1
        if self.depth > DEEPEST_XML:
            raise ValueError(f"XML elements nest deeper than {DEEPEST_XML}")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self.depth -= 1
        return super().end(tag)


def parse_xml(content: bytes, where: str) -> Element:
    """The root element, without text. Entities need a document type declaration, and any such is refused.

    Prefixes stay as written (`xacro:macro`): nothing is looked up by namespace here.
    """

    def refuse_doctype(*_: Any) -> None:
        raise ValueError("document type declarations (DTD, entities) are refused: they can expand without bound")

    tree = _ShallowTree()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse_doctype
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    with blaming(where):
        try:
            parser.Parse(content, True)
        except (expat.ExpatError, LookupError) as error:
            raise ValueError(f"not well-formed XML: {error}") from None
    return tree.close()


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


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    content = read_bytes(path, LARGEST_TOML)
    with blaming(str(path)):
        return parse_toml(content.decode())


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a text; ValueError if it is no TOML, is nested too deeply, or has integers that TOML has not."""
    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    waiting: list[Any] = [tables]
    while waiting:
        match waiting.pop():
            case dict() as inner:
                waiting += inner.values()
            case list() as inner:
                waiting += inner
            case int() as number if not -(2**63) <= number < 2**63:
                raise ValueError("has an integer of more than 64 bits")
    return tables


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
        known = frame.name if isinstance(frame, Frame) else _item(frame, "name")
        if known == name:
            return Frame.model_validate(frame)
    return Frame(name=name, body=name)
