"""`--set key.path=value`: one key of a scenario's tables, changed."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from softdock.world.describe import nearest
from softdock.world.files import parse_toml

_WORD = re.compile(r"[A-Za-z][\w-]*")
_STEP = re.compile(r'\.?(?:"([^"]+)"|([^.\[\]"=]+)|\[(\d+)\])')

Key = str | int


class SettingError(ValueError):
    """A `--set` that cannot be followed; the message repeats it and says what was expected."""


def apply(data: dict[str, Any], settings: Sequence[str]) -> None:
    """Change `data` in place. Keys that it does not have yet are made: whether they mean anything, its model tells."""
    for setting in settings:
        key, equals, text = setting.partition("=")
        path = path_of(key) if equals else []
        if not path:
            raise SettingError(
                f"--set {setting}: expected key.path=value, such as run.h=0.005 or world.bodies[2].mass=3"
            )
        put(data, path, _value(setting, text), f"--set {setting}")


def put(data: dict[str, Any], path: Sequence[Key], value: Any, what: str) -> None:
    """Set one entry; `what` is named by the SettingError if there is no such place.

    Tables and lists on the way to it become copies, so that `data` may share them with other tables.
    """
    place: Any = data
    for step, following in pairwise(path):
        if isinstance(place, dict) and step not in place and isinstance(following, str):
            place[step] = {}
        inner = place[_checked(what, place, step)]
        place[step] = inner.copy() if isinstance(inner, dict | list) else inner
        place = place[step]
    if not isinstance(place, dict):
        _checked(what, place, path[-1])
    place[path[-1]] = value


def path_of(key: str) -> list[Key]:
    """The steps of `a.b[2]."c d"`; empty if it is no such path."""
    path: list[Key] = []
    at = 0
    while at < len(key) and (match := _STEP.match(key, at)):
        quoted, plain, index = match.groups()
        path.append(int(index[-18:]) if index else (quoted or plain.strip()))
        at = match.end()
    return path if path and at == len(key) and isinstance(path[0], str) else []


def _value(setting: str, text: str) -> Any:
    try:
        table = parse_toml(f"value = {text.strip()}")
    except ValueError:
        table = {}
    if table.keys() != {"value"} and _WORD.fullmatch(text.strip()):
        return text.strip()  # a plain word needs no quotes
    if table.keys() != {"value"}:
        raise SettingError(
            f'--set {setting}: {text.strip()!r} is not a TOML value: a number, true, [1, 2], a word, "any text"'
        )
    return table["value"]


def _checked(what: str, place: Any, step: Key) -> Key:
    """`step`, if `place` has it."""
    if isinstance(place, list):
        if not isinstance(step, int):
            raise SettingError(f"{what}: before {step!r} an index is needed, [0] to [{len(place) - 1}]")
        if step >= len(place):
            raise SettingError(f"{what}: there is no [{step}]; the last is [{len(place) - 1}]")
    elif not isinstance(place, dict) or isinstance(step, int):
        raise SettingError(
            f"{what}: {step!r} is looked for in what is no {'list' if isinstance(step, int) else 'table'}"
        )
    elif step not in place:
        raise SettingError(f"{what}: no key {step!r}{nearest(step, place)}")
    return step
