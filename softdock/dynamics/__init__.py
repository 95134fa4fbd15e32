"""A world compiled and set in motion."""

from softdock.dynamics.contacts import Contacts
from softdock.dynamics.latch_loads import Wrench
from softdock.dynamics.loads import Loads
from softdock.dynamics.many import rollout
from softdock.dynamics.model import Balance, Dynamics
from softdock.dynamics.modes import Modes
from softdock.dynamics.motion import Motion
from softdock.dynamics.reference import reference
from softdock.dynamics.reference_motion import ReferenceMotion
from softdock.dynamics.revise import revised
from softdock.dynamics.trajectory import ACCOUNT, Break, Impact, StepFailed, Trajectory

__all__ = [
    "ACCOUNT",
    "Balance",
    "Break",
    "Contacts",
    "Dynamics",
    "Impact",
    "Loads",
    "Modes",
    "Motion",
    "ReferenceMotion",
    "StepFailed",
    "Trajectory",
    "Wrench",
    "reference",
    "revised",
    "rollout",
]


def __dir__() -> list[str]:
    return __all__
