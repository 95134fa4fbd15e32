"""A world compiled and set in motion."""

from softdock.dynamics.contacts import Contacts
from softdock.dynamics.many import rollout
from softdock.dynamics.model import Balance, Dynamics
from softdock.dynamics.motion import ACCOUNT, Impact, Motion, StepFailed, Trajectory
from softdock.dynamics.reference import reference
from softdock.dynamics.revise import revised

__all__ = [
    "ACCOUNT",
    "Balance",
    "Contacts",
    "Dynamics",
    "Impact",
    "Motion",
    "StepFailed",
    "Trajectory",
    "reference",
    "revised",
    "rollout",
]


def __dir__() -> list[str]:
    return __all__
