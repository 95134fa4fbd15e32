"""An estimator run over recorded measurements."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from softdock.estimation.filter import Filter
from softdock.estimation.measurement import PoseMeasurement, pose_error


class History(NamedTuple):
    """One row for each measurement, at its time stamp; NaN before the first that could be used."""

    t: np.ndarray
    """(s)."""
    position: np.ndarray
    """Of {C} in {A}, estimated (m)."""
    quaternion: np.ndarray
    """q_AC (-)."""
    sigma: np.ndarray
    """(N, 6): standard deviations of the pose, rotation in {C} (rad), then position in {A} (m)."""
    angular_velocity: np.ndarray
    """Inertial, in {C} (rad/s)."""
    offset: np.ndarray
    """ρ (m)."""
    inertia: np.ndarray
    """(N, 3, 3), of trace 1, in {C} (-)."""
    residual: np.ndarray
    """(N, 6): measured pose less the estimate, rotation (rad), then position (m)."""
    nis: np.ndarray
    """Normalised innovations squared (-)."""
    accepted: np.ndarray
    """Whether the measurement was used (-)."""
    reasons: tuple[str | None, ...]

    def columns(self) -> dict[str, np.ndarray]:
        """As a table: one flat column for each number."""
        axes, turns = "xyz", ("rx", "ry", "rz")
        table = {"t": self.t}
        table |= {name: self.position[:, k] for k, name in enumerate(axes)}
        table |= {f"q{name}": self.quaternion[:, k] for k, name in enumerate("wxyz")}
        table |= {f"sigma_{name}": self.sigma[:, k] for k, name in enumerate((*turns, *axes))}
        table |= {f"w{name}": self.angular_velocity[:, k] for k, name in enumerate(axes)}
        table |= {f"rho_{name}": self.offset[:, k] for k, name in enumerate(axes)}
        table |= {f"I{a}{b}": self.inertia[:, i, j] for i, a in enumerate(axes) for j, b in enumerate(axes) if j >= i}
        table |= {f"residual_{name}": self.residual[:, k] for k, name in enumerate((*turns, *axes))}
        return table | {"nis": self.nis, "accepted": self.accepted}


def track(measurements: Iterable[PoseMeasurement], estimator: Filter) -> History:
    """Feed measurements in their order, and keep what the estimator believed after each."""
    rows: list[tuple[Any, ...]] = []
    reasons = []
    for measurement in measurements:
        update = estimator.update(measurement)
        reasons.append(update.reason)
        rows.append(_row(measurement, estimator, update.accepted, update.nis))
    if not rows:
        raise ValueError("there are no measurements to track")
    t, position, quaternion, sigma, spin, offset, inertia, residual, nis, accepted = map(
        np.array, zip(*rows, strict=True)
    )
    return History(
        t, position, quaternion, sigma, spin, offset, inertia, residual, nis, accepted, reasons=tuple(reasons)
    )


def _row(measurement: PoseMeasurement, estimator: Filter, accepted: bool, nis: float) -> tuple[Any, ...]:
    position, quaternion, sigma, spin, offset = (np.full(size, np.nan) for size in (3, 4, 6, 3, 3))
    inertia, residual = np.full((3, 3), np.nan), np.full(6, np.nan)
    if estimator.accepted:
        now, forecast = estimator.estimate(), estimator.forecast(estimator.time)
        position, quaternion, sigma = now.position, now.quaternion, np.sqrt(forecast.covariance.diagonal())
        spin, offset, inertia = now.angular_velocity, now.offset, now.inertia
        if accepted:
            residual = pose_error((position, quaternion), (measurement.position, measurement.quaternion))
    when = _number(measurement.t)
    return (when, position, quaternion, sigma, spin, offset, inertia, residual, np.float64(nis), np.bool_(accepted))


def _number(t: object) -> np.ndarray:
    try:
        return np.asarray(float(t))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return np.asarray(np.nan)
