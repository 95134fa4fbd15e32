"""`--set key.path=value`: one key of a scenario's tables, changed."""

import re
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from softdock.world.describe import nearest

_STEP = re.compile(r'\.?(?:"([^"]+)"|([^.\[\]"=]+)|\[(\d+)\])')

_WORD = re.compile(r"[A-Za-z][\w-]*")
"""What may go without quotes, since shells eat them, where there is text already."""

Key = str | int


class SettingError(ValueError):
    """A `--set` that cannot be followed; the message repeats it and says what was expected."""


def apply(data: dict[str, Any], settings: Sequence[str]) -> None:
    """Change `data` in place. Keys that it does not have yet are made: whether they mean anything, its model tells."""
    for setting in settings:
        path, text = _parsed(setting)
        place: Any = data
        for step, following in pairwise(path):
            if isinstance(place, dict) and step not in place and isinstance(following, str):
                place[step] = {}
            place = place[_checked(setting, place, step)]
        if not isinstance(place, dict):
            _checked(setting, place, path[-1])
        before = place.get(path[-1]) if isinstance(place, dict) else place[path[-1]]
        place[path[-1]] = text if isinstance(before, str) and _WORD.fullmatch(text) else _value(setting, text)


def _parsed(setting: str) -> tuple[list[Key], str]:
    key, equals, text = setting.partition("=")
    path: list[Key] = []
    at = 0
    while at < len(key) and (match := _STEP.match(key, at)):
        quoted, plain, index = match.groups()
        path.append(int(index) if index else (quoted or plain.strip()))
        at = match.end()
    if not equals or not path or at < len(key) or not isinstance(path[0], str):
        raise SettingError(f"--set {setting}: expected key.path=value, such as run.h=0.005 or world.bodies[2].mass=3")
    return path, text.strip()


def _value(setting: str, text: str) -> Any:
    try:
        table = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        table = {}
    if table.keys() != {"value"}:
        raise SettingError(
            f'--set {setting}: {text!r} is not a TOML value; a number, true, [1, 2] or, in quotes, "text"'
        )
    return table["value"]


def _checked(setting: str, place: Any, step: Key) -> Key:
    """`step`, if `place` has it."""
    if isinstance(place, list):
        if not isinstance(step, int):
            raise SettingError(f"--set {setting}: before {step!r} an index is needed, [0] to [{len(place) - 1}]")
        if step >= len(place):
            raise SettingError(f"--set {setting}: there is no [{step}]; the last is [{len(place) - 1}]")
    elif not isinstance(place, dict) or isinstance(step, int):
        raise SettingError(
            f"--set {setting}: {step!r} is looked for in what is no {'list' if isinstance(step, int) else 'table'}"
        )
    elif step not in place:
        raise SettingError(f"--set {setting}: no key {step!r}{nearest(step, place)}")
    return step
