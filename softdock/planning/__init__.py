"""Motions chosen in advance: least acceleration within bounds, torque limits; clearances; intercepts; goal poses."""

from softdock.planning.braking import Stop, stopping
from softdock.planning.clearance import Bounds, Clearance, Course, are_clear, clearances
from softdock.planning.courses import JointMotion, RecordedMotion, RigidMotion, Together
from softdock.planning.free_floating import FreeFloatingArm
from softdock.planning.goal import joint_limits, reach
from softdock.planning.intercept import Intercept, Moving, Reacher, Search, Timing, Weights
from softdock.planning.inverse_kinematics import Reached, Unreachable, solve_pose
from softdock.planning.plan import Infeasible, Plan, Sample
from softdock.planning.quadratic import minimum_acceleration
from softdock.planning.refine import plan_motion
from softdock.planning.request import Waypoint
from softdock.planning.swept import Swept

__all__ = [
    "Bounds",
    "Clearance",
    "Course",
    "FreeFloatingArm",
    "Infeasible",
    "Intercept",
    "JointMotion",
    "Moving",
    "Plan",
    "Reached",
    "Reacher",
    "RecordedMotion",
    "RigidMotion",
    "Sample",
    "Search",
    "Stop",
    "Swept",
    "Timing",
    "Together",
    "Unreachable",
    "Waypoint",
    "Weights",
    "are_clear",
    "clearances",
    "joint_limits",
    "minimum_acceleration",
    "plan_motion",
    "reach",
    "solve_pose",
    "stopping",
]


def __dir__() -> list[str]:
    return __all__
