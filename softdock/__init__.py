"""softdock: on-orbit servicing, simulated.

Describe a world (`World`, `Body`, joints, latches, gravity), compile it (`Dynamics`), and simulate it (`Motion`,
`Simulation`, `rollout`, `reference`). The packages `arm`, `campaign`, `contact`, `control`, `estimation`, `figures`,
`mission`, `optimal`, `planning`, `replay`, `scenarios` and `sensing` build on that. docs/api/ has every public name.
"""

from importlib import import_module

TYPE_CHECKING = False  # typing's own takes 10 ms, in which no Ctrl-C can be caught; type checkers know the name
if TYPE_CHECKING:  # "as": strict checkers take only what is passed on by name for public
    from softdock import (
        arm,
        campaign,
        contact,
        control,
        estimation,
        figures,
        mission,
        optimal,
        planning,
        replay,
        scenarios,
        sensing,
    )  # fmt: skip
    from softdock.dynamics import (
        ACCOUNT as ACCOUNT,
        Balance as Balance,
        Break as Break,
        Contacts as Contacts,
        Dynamics as Dynamics,
        Impact as Impact,
        Loads as Loads,
        Modes as Modes,
        Motion as Motion,
        StepFailed as StepFailed,
        Trajectory as Trajectory,
        Wrench as Wrench,
        revised as revised,
    )
    from softdock.dynamics.many import rollout as rollout
    from softdock.dynamics.reference import reference as reference
    from softdock.dynamics.reference_motion import ReferenceMotion as ReferenceMotion
    from softdock.runs.agenda import engage as engage, release as release, touch as touch
    from softdock.runs.controllers import Controller as Controller
    from softdock.runs.recorder import Recorder as Recorder, RunFolderError as RunFolderError
    from softdock.runs.recording import Run as Run, Table as Table, read_run as read_run
    from softdock.runs.simulation import Simulation as Simulation
    from softdock.scenarios.runner import run as run
    from softdock.world import *  # noqa: F403
    from softdock.world import __all__ as _described

    __version__: str

_LAZY = {
    "ACCOUNT": "dynamics",
    "Balance": "dynamics",
    "Break": "dynamics",
    "Contacts": "dynamics",
    "Controller": "runs.controllers",
    "Dynamics": "dynamics",
    "Impact": "dynamics",
    "Loads": "dynamics",
    "Modes": "dynamics",
    "Motion": "dynamics",
    "Recorder": "runs.recorder",
    "Run": "runs.recording",
    "RunFolderError": "runs.recorder",
    "Simulation": "runs.simulation",
    "StepFailed": "dynamics",
    "Table": "runs.recording",
    "Trajectory": "dynamics",
    "Wrench": "dynamics",
    "engage": "runs.agenda",
    "read_run": "runs.recording",
    "ReferenceMotion": "dynamics",
    "reference": "dynamics",
    "release": "runs.agenda",
    "revised": "dynamics",
    "rollout": "dynamics",
    "run": "scenarios.runner",
    "touch": "runs.agenda",
}
"""Module of each name that is loaded when it is first used: describing a world needs no compiler and no file format."""

_OWN = [
    "ACCOUNT",
    "Balance",
    "Break",
    "Contacts",
    "Controller",
    "Dynamics",
    "Impact",
    "Loads",
    "Modes",
    "Motion",
    "Recorder",
    "Run",
    "RunFolderError",
    "Simulation",
    "StepFailed",
    "Table",
    "Trajectory",
    "Wrench",
    "arm",
    "campaign",
    "contact",
    "control",
    "engage",
    "estimation",
    "figures",
    "mission",
    "optimal",
    "planning",
    "read_run",
    "ReferenceMotion",
    "reference",
    "release",
    "replay",
    "revised",
    "rollout",
    "run",
    "scenarios",
    "sensing",
    "touch",
]


if TYPE_CHECKING:  # type checkers know all names from above, and report others
    __all__ = _OWN + _described  # noqa: PLE0605
else:

    def __getattr__(name: str) -> object:
        if name in _LAZY:
            return getattr(import_module(f"softdock.{_LAZY[name]}"), name)
        if name in _OWN:
            return import_module(f"softdock.{name}")
        if name == "__version__":
            return import_module("importlib.metadata").version("softdock")
        world = import_module("softdock.world")
        if name == "__all__":
            return [*_OWN, *world.__all__]
        if name in world.__all__:
            return getattr(world, name)
        raise AttributeError(f"module 'softdock' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return [*__getattr__("__all__"), "__version__"]
