"""softdock: on-orbit servicing, simulated.

Describe a world (`World`, `Body`, joints, latches, gravity), compile it (`Dynamics`), and set it in
motion (`Motion`, `rollout`, `reference`), or run whole scenarios from the command line.
"""

from importlib import import_module
from typing import Any

from softdock.world import *  # noqa: F403
from softdock.world import __all__ as _described

_LATER = {
    **dict.fromkeys(("Balance", "Dynamics", "Motion", "StepFailed", "Trajectory", "reference", "rollout"), "dynamics"),
    **dict.fromkeys(("Simulation", "engage", "release", "touch"), "runs.simulation"),
    **dict.fromkeys(("Recorder", "RunFolderError"), "runs.recorder"),
    **dict.fromkeys(("Run", "read_run"), "runs.recording"),
}

__all__ = [*_described, *_LATER]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    """Load the compiler and the file formats only when they are used: describing a world needs none of them."""
    if name in _LATER:
        return getattr(import_module(f"softdock.{_LATER[name]}"), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("softdock")
    raise AttributeError(f"module 'softdock' has no attribute {name!r}")
