"""Motions chosen in advance: least acceleration within bounds, torque limits and clearances; inverse kinematics."""

from softdock.planning.free_floating import FreeFloatingArm
from softdock.planning.goal import joint_limits, reach
from softdock.planning.inverse_kinematics import Reached, Unreachable, solve_pose
from softdock.planning.plan import Infeasible, Plan, Sample
from softdock.planning.quadratic import minimum_acceleration
from softdock.planning.refine import plan_motion
from softdock.planning.request import Waypoint

__all__ = [
    "FreeFloatingArm",
    "Infeasible",
    "Plan",
    "Reached",
    "Sample",
    "Unreachable",
    "Waypoint",
    "joint_limits",
    "minimum_acceleration",
    "plan_motion",
    "reach",
    "solve_pose",
]
