"""softdock: on-orbit servicing, simulated.

Describe a world (`World`, `Body`, joints, latches, gravity), compile it (`Dynamics`), and set it in
motion (`Motion`, `rollout`, `reference`), or run whole scenarios from the command line.
"""

from importlib.metadata import version
from typing import Any

from softdock.world import *  # noqa: F403
from softdock.world import __all__ as _described

__version__ = version("softdock")

_COMPILED = ("Balance", "Dynamics", "Motion", "StepFailed", "Trajectory", "reference", "rollout")

__all__ = [*_described, *_COMPILED]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    """Load the compiler only when something is compiled: describing a world needs none of it."""
    if name in _COMPILED:
        from softdock import dynamics

        return getattr(dynamics, name)
    raise AttributeError(f"module 'softdock' has no attribute {name!r}")
