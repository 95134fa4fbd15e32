"""How any file is read: bounded, no XML tricks, one-line errors."""

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np
from pydantic import ValidationError

from softdock.world.describe import nearest

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
        with np.errstate(over="raise", divide="raise", invalid="ignore"):
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
        data = item(data, step)
    return path.removeprefix(".")


def item(data: Any, step: str | int) -> Any:
    """What data that was read has at a key or place, or None."""
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
