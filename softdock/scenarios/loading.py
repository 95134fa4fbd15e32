"""From a name or a file, and settings, to a scenario."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from softdock.scenarios import (
    SCENARIOS,
    UnknownScenario,
    builder,
    installed,
    is_file,
    is_known,
    settings,
    text_of,
    toml_beside,
)  # fmt: skip
from softdock.scenarios.faults import is_own, told
from softdock.scenarios.scenario import Scenario
from softdock.world import World, WorldFileError, world_of
from softdock.world.describe import nearest
from softdock.world.files import blaming, parse_toml, read_toml


def load(source: str | Path, changes: Sequence[str] = ()) -> Scenario:
    """The scenario of that name, TOML file or Python file, with `--set` changes applied.

    ValueError (WorldFileError, SettingError, UnknownScenario) with a one-line message if there is
    something wrong with it.
    """
    source = str(source)
    data, folder = draft(source, changes)
    return scenario_of(data, source + "".join(f" --set {change}" for change in changes), folder)


def draft(source: str, changes: Sequence[str] = ()) -> tuple[dict[str, Any], Path]:
    """The tables of a scenario with `--set` changes applied, not checked yet, and the folder of its files."""
    data, folder = _read(source)
    settings.apply(data, changes)
    return data, folder


def scenario_of(data: dict[str, Any], where: str, folder: Path) -> Scenario:
    """The scenario that tables describe; `where` is named if there is something wrong with them."""
    name = data.get("scenario")
    if not isinstance(name, str) or not is_known(name):
        known = [*SCENARIOS, *installed()]
        hint = nearest(name, known) if isinstance(name, str) else f" (known: {', '.join(known)})"
        raise WorldFileError(f"{where}: scenario: must name the kind of scenario{hint}")
    return made_of(builder(name, folder), data, where, folder)


def made_of(kind: type[Scenario], data: dict[str, Any], where: str, folder: Path) -> Scenario:
    """The scenario of a kind that tables describe."""
    with blaming(where, data):
        try:
            return kind.model_validate(data | _world(data, where, folder))
        except (ValueError, RecursionError, ArithmeticError):
            raise
        except Exception as error:  # of someone's own validators
            raise ValueError(told(error, is_own(kind))) from error


def _read(source: str) -> tuple[dict[str, Any], Path]:
    if source in SCENARIOS:
        return parse_toml(text_of(source)), Path()
    path = Path(source)
    exists = os.path.exists(path)
    if is_file(source) and exists:
        return _own(str(path.resolve())), path.parent
    if not exists and source in installed():
        return _own(source), Path()
    if not exists and path.suffix not in (".toml", ".py") and len(path.parts) == 1:
        raise UnknownScenario(f"no scenario and no file {source!r}{nearest(source, [*SCENARIOS, *installed()])}")
    return _with_defaults(read_toml(path), path.parent), path.parent


def _own(name: str) -> dict[str, Any]:
    """Tables of someone's own scenario: its TOML file, if there is one, over the defaults of its class."""
    kind, beside = builder(name), toml_beside(name)
    return _over(kind.defaults(), (read_toml(beside) if beside.exists() else {}) | {"scenario": name})


def _with_defaults(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Tables of someone's own scenario over the defaults of its class; built-in ones have none."""
    name = data.get("scenario")
    if not isinstance(name, str) or name in SCENARIOS or not is_known(name):
        return data
    return _over(builder(name, folder).defaults(), data)


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    tables = [key for key, x in above.items() if isinstance(x, dict) and isinstance(below.get(key), dict)]
    return below | above | {key: _over(below[key], above[key]) for key in tables}


def _world(data: dict[str, Any], where: str, folder: Path) -> dict[str, World]:
    """The `[world]` table, read as a world's own file is; pydantic names it if it is missing."""
    if "world" not in data or isinstance(data["world"], World):
        return {}
    if not isinstance(data["world"], dict):
        raise WorldFileError(f"{where}: world: must be a table")
    return {"world": world_of(data["world"], f"{where}: world", folder)}
