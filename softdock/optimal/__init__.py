"""Motions by discrete mechanics and optimal control, on the simulator's own step."""

from softdock.optimal.following import OpenLoop
from softdock.optimal.linearisation import linearised
from softdock.optimal.planner import NoPlan, Planner, plan
from softdock.optimal.plans import Check, Plan
from softdock.optimal.quantities import (
    Condition,
    Cost,
    Quantities,
    angular_momentum_at,
    at_rest,
    frame_at,
    frame_moving,
    frame_turned,
    joints_at,
    momentum_at,
    rates_at,
)
from softdock.optimal.receding import RecedingHorizon
from softdock.optimal.regulator import Tracking, Weights, gains
from softdock.optimal.sensitivities import Sensitivity, sensitivity
from softdock.optimal.task import Limits, Task

__all__ = [
    "Check",
    "Condition",
    "Cost",
    "Limits",
    "NoPlan",
    "OpenLoop",
    "Plan",
    "Planner",
    "Quantities",
    "RecedingHorizon",
    "Sensitivity",
    "Task",
    "Tracking",
    "Weights",
    "angular_momentum_at",
    "at_rest",
    "frame_at",
    "frame_moving",
    "frame_turned",
    "gains",
    "joints_at",
    "linearised",
    "momentum_at",
    "plan",
    "rates_at",
    "sensitivity",
]


def __dir__() -> list[str]:
    return __all__
