"""Motions chosen in advance: least acceleration within bounds, torque limits and clearances."""

from softdock.planning.goal import joint_limits, reach
from softdock.planning.plan import Infeasible, Plan, Sample
from softdock.planning.quadratic import minimum_acceleration
from softdock.planning.refine import plan_motion
from softdock.planning.request import Waypoint

__all__ = ["Infeasible", "Plan", "Sample", "Waypoint", "joint_limits", "minimum_acceleration", "plan_motion", "reach"]
