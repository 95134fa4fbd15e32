"""Estimating a tumbling target from measured poses: two filters behind one interface."""

from softdock.estimation.bound import Bound, cramer_rao
from softdock.estimation.files import PoseFileError, read_poses, write_poses
from softdock.estimation.filter import Aliased, Estimate, Filter, NotStarted, RunAway
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
from softdock.estimation.track import History, track

__all__ = [
    "Aliased",
    "Bound",
    "Estimate",
    "Filter",
    "Forecast",
    "History",
    "NotStarted",
    "PaperFilter",
    "PoseFileError",
    "PoseMeasurement",
    "Principal",
    "RunAway",
    "TargetEstimator",
    "Update",
    "consistent",
    "cramer_rao",
    "isotropic",
    "nees",
    "paper_state",
    "pose_error",
    "principal",
    "read_poses",
    "track",
    "write_poses",
]


def __dir__() -> list[str]:
    return __all__
