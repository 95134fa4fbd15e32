"""Controllers: small objects with a period, called with (t, q, v), that return a command (nv)."""

from softdock.control.cartesian import CartesianControl, Target, generalised_jacobian
from softdock.control.limits import Limited, Saturation
from softdock.control.reactionless import Reactionless
from softdock.control.reference import Follow, Hold
from softdock.control.thrusters import Allocation
from softdock.control.tracking import PD, ComputedTorque
from softdock.control.wheels import AttitudeHold, ReactionWheels

__all__ = [
    "PD",
    "Allocation",
    "AttitudeHold",
    "CartesianControl",
    "ComputedTorque",
    "Follow",
    "Hold",
    "Limited",
    "ReactionWheels",
    "Reactionless",
    "Saturation",
    "Target",
    "generalised_jacobian",
]


def __dir__() -> list[str]:
    return __all__
