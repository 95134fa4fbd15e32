"""Motions by discrete mechanics and optimal control, on the simulator's own step."""

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
from softdock.optimal.task import Limits, Task

__all__ = [
    "Check",
    "Condition",
    "Cost",
    "Limits",
    "NoPlan",
    "Plan",
    "Planner",
    "Quantities",
    "Task",
    "angular_momentum_at",
    "at_rest",
    "frame_at",
    "frame_moving",
    "frame_turned",
    "joints_at",
    "momentum_at",
    "plan",
    "rates_at",
]


def __dir__() -> list[str]:
    return __all__
