"""Missions made of parts on a world, and phases as a coroutine (docs/missions.md).

from softdock import mission as ms
from softdock.scenarios import Mission
"""

from softdock.mission.agent import Agent, Decide
from softdock.mission.arm import Arm
from softdock.mission.brake import Brake
from softdock.mission.bus import Bus
from softdock.mission.camera import Camera, LaserCamera, PoseCamera
from softdock.mission.chase import Braking, Chase
from softdock.mission.driver import Driver
from softdock.mission.flying import Avoid, Fly, Line, ReachBeside, Stop, Synchronise
from softdock.mission.formation import Formation
from softdock.mission.grasping import Envelope
from softdock.mission.gripper import Close, Gripper, Open, Rigidise
from softdock.mission.lock import Latch, Lock, NotLatched, Release
from softdock.mission.navigation import Navigation
from softdock.mission.part import Mechanism, Part, PartError, Sensor, Truth
from softdock.mission.passivating import Passivate
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
from softdock.mission.pursuit import Align, Blind, Seek, Track
from softdock.mission.retreat import Retreat
from softdock.mission.tracker import TargetTracker
from softdock.mission.wrench import ForceTorque, JointTorques

__all__ = [
    "Aborted",
    "Agent",
    "Align",
    "Arm",
    "Astray",
    "Avoid",
    "Blind",
    "Brake",
    "Braking",
    "Bus",
    "Camera",
    "Chase",
    "Close",
    "Collided",
    "Decide",
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
    "Navigation",
    "NotLatched",
    "Open",
    "Part",
    "PartError",
    "Passivate",
    "Phase",
    "Pilot",
    "PoseCamera",
    "Reach",
    "ReachBeside",
    "Release",
    "Retreat",
    "Rigidise",
    "Seek",
    "Sensor",
    "Stop",
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
]


def __dir__() -> list[str]:
    return __all__
