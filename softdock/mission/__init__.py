"""Missions made of parts on a world, and phases as a coroutine (docs/missions.md).

from softdock import mission as ms
from softdock.scenarios import Mission
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from softdock.mission.arm import Arm
    from softdock.mission.brake import Brake
    from softdock.mission.bus import Bus
    from softdock.mission.camera import Camera, LaserCamera, PoseCamera
    from softdock.mission.chase import Braking, Chase
    from softdock.mission.driver import Driver
    from softdock.mission.flying import Avoid, BackOut, Fly, Line, Press, ReachBeside, Stop, Synchronise
    from softdock.mission.formation import Formation
    from softdock.mission.grasping import Envelope
    from softdock.mission.gripper import Close, Gripper, Open, Rigidise
    from softdock.mission.lock import Latch, Lock, NotLatched, Release
    from softdock.mission.navigation import Navigation
    from softdock.mission.part import Mechanism, Part, PartError, Sensor, Truth
    from softdock.mission.passivating import Passivate, StopOptimally, estimated
    from softdock.mission.phase import (
        Aborted,
        Astray,
        Collided,
        Done,
        Ended,
        Failure,
        Missed,
        Move,
        Phase,
        Reach,
        Success,
        TimedOut,
        Touch,
        Unreachable,
        Unsure,
        Wait,
    )
    from softdock.mission.pilot import Pilot
    from softdock.mission.policy import Policy
    from softdock.mission.pursuit import Align, Blind, Seek, Track
    from softdock.mission.reaching import ChaseOptimally, MoveOptimally, ReachOptimally
    from softdock.mission.retreat import Retreat
    from softdock.mission.tracker import TargetTracker
    from softdock.mission.ways import WAYS
    from softdock.mission.wrench import ForceTorque, JointTorques

__all__ = [
    "WAYS",
    "Aborted",
    "Align",
    "Arm",
    "Astray",
    "Avoid",
    "BackOut",
    "Blind",
    "Brake",
    "Braking",
    "Bus",
    "Camera",
    "Chase",
    "ChaseOptimally",
    "Close",
    "Collided",
    "Done",
    "Driver",
    "Ended",
    "Envelope",
    "Failure",
    "Fly",
    "ForceTorque",
    "Formation",
    "Gripper",
    "JointTorques",
    "LaserCamera",
    "Latch",
    "Line",
    "Lock",
    "Mechanism",
    "Missed",
    "Move",
    "MoveOptimally",
    "Navigation",
    "NotLatched",
    "Open",
    "Part",
    "PartError",
    "Passivate",
    "Phase",
    "Pilot",
    "Policy",
    "PoseCamera",
    "Press",
    "Reach",
    "ReachBeside",
    "ReachOptimally",
    "Release",
    "Retreat",
    "Rigidise",
    "Seek",
    "Sensor",
    "Stop",
    "StopOptimally",
    "Success",
    "Synchronise",
    "TargetTracker",
    "TimedOut",
    "Touch",
    "Track",
    "Truth",
    "Unreachable",
    "Unsure",
    "Wait",
    "estimated",
]

_LAZY = {
    "arm": "Arm",
    "brake": "Brake",
    "bus": "Bus",
    "camera": "Camera LaserCamera PoseCamera",
    "chase": "Braking Chase",
    "driver": "Driver",
    "flying": "Avoid BackOut Fly Line Press ReachBeside Stop Synchronise",
    "formation": "Formation",
    "grasping": "Envelope",
    "gripper": "Close Gripper Open Rigidise",
    "lock": "Latch Lock NotLatched Release",
    "navigation": "Navigation",
    "part": "Mechanism Part PartError Sensor Truth",
    "passivating": "Passivate StopOptimally estimated",
    "reaching": "ChaseOptimally MoveOptimally ReachOptimally",
    "phase": "Aborted Astray Collided Done Ended Failure Missed Move Phase Reach Success TimedOut Touch Unreachable "
    "Unsure Wait",
    "pilot": "Pilot",
    "policy": "Policy",
    "pursuit": "Align Blind Seek Track",
    "retreat": "Retreat",
    "tracker": "TargetTracker",
    "ways": "WAYS",
    "wrench": "ForceTorque JointTorques",
}
"""Names of each module, loaded when one of them is first used: a mission without a camera needs no registration."""
_HOME = {name: module for module, names in _LAZY.items() for name in names.split()}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            found = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)  # looked for once
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
