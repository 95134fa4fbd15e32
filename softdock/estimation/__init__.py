"""Estimating a tumbling target from measured poses: two filters behind one interface."""

from softdock.estimation.bound import Bound, cramer_rao
from softdock.estimation.filter import Estimate, Filter, NotStarted
from softdock.estimation.inertia import Principal, principal
from softdock.estimation.measurement import (
    Forecast,
    PoseMeasurement,
    Update,
    consistent,
    isotropic,
    nees,
    pose_error,
)
from softdock.estimation.paper import PaperFilter, paper_state
from softdock.estimation.target import TargetEstimator

__all__ = [
    "Bound",
    "Estimate",
    "Filter",
    "Forecast",
    "NotStarted",
    "PaperFilter",
    "PoseMeasurement",
    "Principal",
    "TargetEstimator",
    "Update",
    "consistent",
    "cramer_rao",
    "isotropic",
    "nees",
    "paper_state",
    "pose_error",
    "principal",
]
