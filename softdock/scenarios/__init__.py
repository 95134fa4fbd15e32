"""Scenarios: those that come with softdock, those of installed packages, and those in a Python file.

A scenario file says `scenario = NAME`, which chooses the class that reads it; `softdock new NAME` writes the file to
start from. Packages name theirs in the entry-point group `softdock.scenarios`; `scenario = "mine.py"` is the one in
that file (docs/your-scenario.md).
"""

import json
import os
import re
import sys
from hashlib import sha256
from importlib import import_module, resources
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from softdock.scenarios.loading import load
    from softdock.scenarios.mission import Mission
    from softdock.scenarios.runner import Runner
    from softdock.scenarios.scenario import RunSettings, Scenario

__all__ = ["SCENARIOS", "Mission", "RunSettings", "Runner", "Scenario", "UnknownScenario", "builder", "load", "text_of"]

_LAZY = {
    "Mission": "mission",
    "RunSettings": "scenario",
    "Runner": "runner",
    "Scenario": "scenario",
    "load": "loading",
}
"""Module of each name that is loaded when it is first used: a list of scenarios needs no compiler."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _LAZY:
            return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


SCENARIOS = {
    "berthing": "an arm reaches a free target, couples to it and drags it in; hinges compared",
    "capture": "a chaser sees, estimates, captures and detumbles a tumbling satellite, blind for the last 20 s",
    "facility": "a laboratory with two arms emulates a free target that touches a servicer, beside orbit itself",
    "free-flyer": "a spacecraft in low orbit moves its 7-joint arm, and its free base reacts",
    "iss-docking": "the station's arm docks a payload: a side impact, the docking impact, latches change hands",
    "servicing": "a whole mission: approach, inspection, synchronised flight, capture, detumbling, berthing, release",
    "testbed": "Sawyer on an air bearing: its torques by several methods, the platform released, wheels hold it",
    "world": "any described world, released from its initial state; as it comes: two bodies dock and part",
}
"""Built-in ones, name and one line for each; package `free_flyer` belongs to 'free-flyer'."""
GROUP = "softdock.scenarios"


class UnknownScenario(ValueError):
    """There is no such scenario, or it cannot be used; the one-line message says why."""


def installed() -> dict[str, EntryPoint]:
    """Scenarios of installed packages by name; UnknownScenario if two have one name."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        other = found.get(point.name)
        if point.name in SCENARIOS or (other and other.value != point.value):
            first = "softdock itself" if other is None else _package(other)
            raise UnknownScenario(f"two scenarios are called {point.name!r}: of {first} and of {_package(point)}")
        found[point.name] = point
    return found


def described() -> dict[str, str]:
    """All scenarios, one line each; those of packages with where they come from, or why they cannot be used."""
    lines = dict(SCENARIOS)
    for name, point in installed().items():
        try:
            kind = builder(name)
            line = (kind.__doc__ or f"{kind.__name__}, which has no docstring").strip().partition("\n")[0]
        except UnknownScenario as error:
            line = str(error)
        lines[name] = f"{line} [{_package(point)}]"
    return lines


def is_file(name: str) -> bool:
    """Does a scenario's name mean a Python file?"""
    return name.endswith(".py")


def is_known(name: str) -> bool:
    return name in SCENARIOS or is_file(name) or name in installed()


def text_of(name: str, folder: Path = Path()) -> str:
    """The TOML file of a scenario to start from: the built-in one, or that beside its module; if there is none, the
    defaults of its class."""
    if name in SCENARIOS:
        return resources.files(__package__).joinpath(_stem(name), f"{_stem(name)}.toml").read_text(encoding="utf-8")
    kind, beside = builder(name, folder), toml_beside(name, folder)
    if not beside.exists():
        return kind.defaults_as_toml(name)
    from softdock.world.files import read_toml

    text = beside.read_text(encoding="utf-8")
    if "scenario" in read_toml(beside):
        text = re.sub(r"^scenario *=.*\n", "", text, count=1, flags=re.MULTILINE)
    return f"scenario = {json.dumps(name)}\n{text}"


def toml_beside(name: str, folder: Path = Path()) -> Path:
    """The TOML file of someone's own scenario, if it has one: beside its Python file, or its package's module."""
    python = folder / name if is_file(name) else Path(str(sys.modules[builder(name).__module__].__file__))
    return python.with_suffix(".toml")


def builder(name: str, folder: Path = Path()) -> "type[Scenario]":
    """The class of that scenario's files; a Python file is looked for in `folder`."""
    if name in SCENARIOS:
        built_in: type[Scenario] = import_module(f"{__package__}.{_stem(name)}.scenario").SCENARIO
        return built_in
    if is_file(name):
        return _scenario_in(_imported(folder / name))
    points = installed()
    if name not in points:
        from softdock.world.describe import nearest

        raise UnknownScenario(f"no scenario {name!r}{nearest(name, [*SCENARIOS, *points])}")
    try:
        found = points[name].load()
    except (Exception, SystemExit) as error:  # whatever a package does when it is imported
        where = f"scenario {name!r} of {_package(points[name])}"
        raise UnknownScenario(f"{where} cannot be imported: {_told(error)}") from None
    return _scenario_in(found) if isinstance(found, ModuleType) else _checked(found, f"{points[name].value}")


def _imported(path: Path) -> ModuleType:
    """The module of a file, imported once; it may import others beside it, as a script may."""
    if not os.path.isfile(path):
        raise UnknownScenario(f"{path}: no such file")
    path = path.resolve()
    name = f"softdock_scenario_{sha256(str(path).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # last, so that nothing there hides what is installed
    spec = spec_from_file_location(name, path)
    assert spec and spec.loader
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever the file does
        del sys.modules[name]
        raise UnknownScenario(f"{path}: cannot be imported: {_told(error)}") from None
    return module


def _told(error: BaseException) -> str:
    from softdock.scenarios.faults import told

    return told(error, is_own=True)


def _scenario_in(module: ModuleType) -> "type[Scenario]":
    """`SCENARIO` of a module, or the only subclass of Scenario that it defines; if it defines none, that it imports."""
    from softdock.scenarios.derived import DerivedScenario
    from softdock.scenarios.mission import Mission
    from softdock.scenarios.scenario import Scenario

    if hasattr(module, "SCENARIO"):
        return _checked(module.SCENARIO, f"{module.__file__}: SCENARIO")
    kinds = {x for x in vars(module).values() if isinstance(x, type) and issubclass(x, Scenario)}
    found = [kind for kind in kinds if kind.__module__ == module.__name__]
    found = found or [kind for kind in kinds if kind not in (Scenario, DerivedScenario, Mission)]
    if len(found) != 1:
        names = ", ".join(sorted(kind.__name__ for kind in found))
        what = f"has several scenarios ({names})" if found else "has no scenario in it"
        raise UnknownScenario(f"{module.__file__}: {what}; say SCENARIO = … which subclass of Scenario it is")
    return found[0]


def _checked(found: Any, what: str) -> "type[Scenario]":
    from softdock.scenarios.scenario import Scenario

    if not (isinstance(found, type) and issubclass(found, Scenario)):
        raise UnknownScenario(f"{what}: is no subclass of softdock.scenarios.scenario.Scenario")
    return found


def _package(point: EntryPoint) -> str:
    return f"package {point.dist.name}" if point.dist else point.value


def _stem(name: str) -> str:
    return name.replace("-", "_")


def __dir__() -> list[str]:
    return __all__
