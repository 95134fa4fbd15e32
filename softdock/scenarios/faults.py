"""One line about what went wrong in the code of someone's own scenario: exception, message, and where in that code."""

import importlib
import json
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pydantic

from softdock.runs.recorder import RunFolderError, finite
from softdock.world.describe import shown
from softdock.world.files import explain

Result = TypeVar("Result")
_PLAIN = frozenset((float, int, bool, type(None)))
"""What JSON can hold as it is, or as null, whatever it is."""
_ENCODER = json.JSONEncoder(ensure_ascii=False)
SOFTDOCK = Path(__file__).parents[1]
_BETWEEN = (*(str(Path(str(module.__file__)).parent) for module in (importlib, pydantic)), str(SOFTDOCK), "<frozen")
"""Files that stand between a user's code and whoever calls it."""
EXPECTED = (ValueError, ArithmeticError, RunFolderError)
"""What softdock itself raises with a message for users; StepFailed aside, which has its own."""


class HookFailed(ValueError):
    """A method of a scenario raised, or returned something else than it must; the one-line message says which.
    `metrics` holds what is known of the run all the same."""

    metrics: Mapping[str, Any]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.metrics = {}


def is_own(kind: type) -> bool:
    """Is that someone's own scenario, not one of softdock's?"""
    return not kind.__module__.startswith(f"{SOFTDOCK.name}.")


def told(error: BaseException, is_own: bool) -> str:
    """An exception on one line. What softdock refuses has its message only; anything else its type, and where it was
    raised: of one's own scenario, the last line of one's own file on the way there; if it was on none, but where
    softdock called (a wrong number of arguments), that place would tell nothing."""
    text = explain(error) if isinstance(error, pydantic.ValidationError) else " ".join(str(error).split())
    frames = traceback.extract_tb(error.__traceback__)
    foreign = [frame for frame in frames if is_own and _is_foreign(frame.filename)]
    if not foreign and isinstance(error, EXPECTED):
        return text or type(error).__name__
    within = [frame for frame in frames[1:] if frame.filename.startswith(str(SOFTDOCK))]
    place = ""
    if (foreign or within) and not isinstance(error, SyntaxError):
        file = (foreign[0] if foreign else within[-1]).filename
        place = f" ({file}:{[frame.lineno for frame in frames if frame.filename == file][-1]})"
    return f"{type(error).__name__}{text and ': '}{text}{place}"


def _is_foreign(file: str) -> bool:
    return not file.startswith(_BETWEEN)


def called(scenario: object, name: str, returns: type[Result], *arguments: Any) -> Result:
    """What a method of a scenario returns, if that is of the right type; HookFailed if not."""
    try:
        result = getattr(scenario, name)(*arguments)
    except (Exception, SystemExit) as error:  # whatever someone's own code does
        if not is_own(type(scenario)):
            raise
        raise HookFailed(f"{name}(): {told(error, is_own=True)}") from error
    if not isinstance(result, returns):
        raise HookFailed(f"{name}() must return a {returns.__name__}, not {shown(result)}")
    return result


def _encoded(value: Any) -> bytes:
    """A value as JSON."""
    try:
        text = _ENCODER.encode(value)
    except TypeError:
        text = _ENCODER.encode(finite(value))
    return text.encode()  # half a surrogate pair is no text


def _is_plain(value: Any) -> bool:
    """Can JSON surely hold it? That is sooner told than written."""
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind is str:
        return bool(value.isascii())
    if kind is list:
        return all(map(_is_plain, value))
    return kind is dict and all(type(key) is str and key.isascii() for key in value) and _is_plain([*value.values()])


def refuse_unwritable(what: str, entries: Mapping[Any, Any], taken: Iterable[str] = ()) -> None:
    """HookFailed if JSON cannot hold one of the entries, or if its name is taken."""
    for key, value in entries.items():
        if not isinstance(key, str):
            raise HookFailed(f"{what}: names are strings, not {shown(key)}")
        if key in taken:
            raise HookFailed(f"{what}: {key!r} is in the metrics of every run; choose another name")
        try:
            if not _is_plain(value):
                _encoded(value)
        except (TypeError, ValueError, RecursionError):
            raise HookFailed(f"{what}: {key!r} is {shown(value)}, which JSON cannot hold") from None


def refuse_no_columns(name: Any, columns: Any, taken: Iterable[str]) -> None:
    """HookFailed if that is no table to record: columns of one length, each with its unit."""
    if not isinstance(name, str) or Path(name).name != name:
        raise HookFailed(f"tables(): {name!r} cannot be the name of a file")
    if name in taken:
        raise HookFailed(f"tables(): {name!r} is a table that every run has; choose another name")
    lengths = set()
    for column, entry in columns.items() if isinstance(columns, Mapping) else [("its value", columns)]:
        match entry:
            case (values, str()) if np.ndim(values) == 1:
                lengths.add(len(values))
            case _:
                raise HookFailed(f"tables(): {name!r}: {column} must be (values, unit), not {shown(entry)}")
    if len(lengths) > 1:
        raise HookFailed(f"tables(): {name!r}: its columns have different lengths: {sorted(lengths)}")
