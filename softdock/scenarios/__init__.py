"""The scenarios that come with softdock: a TOML file each, and the little Python that it needs.

A scenario file says `scenario = NAME`, which chooses the builder; `softdock new NAME` writes the
built-in file to start from.
"""

from importlib import import_module, resources
from typing import TYPE_CHECKING

from softdock.world.describe import nearest

if TYPE_CHECKING:
    from softdock.scenarios.scenario import Scenario

__all__ = ["SCENARIOS", "UnknownScenario", "builder", "text_of"]

SCENARIOS = {
    "berthing": "an arm reaches a free target, couples to it and drags it in; hinges compared",
    "capture": "a chaser sees, estimates, captures and stills a tumbling satellite, blind for the last 20 s",
    "free-flyer": "a spacecraft in low orbit moves its 7-joint arm, and its free base reacts",
    "iss-docking": "the station's arm docks a payload: a side impact, the docking impact, latches change hands",
    "testbed": "Sawyer on an air bearing: its torques by several methods, the platform let go, wheels hold it",
    "world": "any described world, let go from its initial state; as it comes: two bodies dock and part",
}
"""Name and one line for each; package `free_flyer` belongs to 'free-flyer'."""


class UnknownScenario(ValueError):
    """No built-in scenario has that name; the message suggests one."""


def text_of(name: str) -> str:
    """The built-in TOML file of a scenario."""
    return resources.files(__package__).joinpath(_stem(name), f"{_stem(name)}.toml").read_text(encoding="utf-8")


def builder(name: str) -> "type[Scenario]":
    """The class of that scenario's files."""
    chosen: type[Scenario] = import_module(f"{__package__}.{_stem(name)}.scenario").SCENARIO
    return chosen


def _stem(name: str) -> str:
    if name not in SCENARIOS:
        raise UnknownScenario(f"no scenario {name!r}{nearest(name, SCENARIOS)}")
    return name.replace("-", "_")
