"""What goes into an estimator and what comes out: measured poses, forecasts, and how far the two are apart."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.estimation import loops
from softdock.estimation.layouts import MOTION, MOTION_ERROR, POSE
from softdock.spatial import cross, matrix_of_quaternion, quaternion_product, turn_between, vector_of_quaternion
from softdock.world import Pose


class PoseMeasurement(NamedTuple):
    """Pose of the measured frame {C} in the orbit frame {A} (Hill axes, chaser at the origin), when it was seen.

    Nothing is checked here: an estimator counts a measurement that cannot be used as rejected, and says why.
    """

    t: float
    """Time stamp (s)."""
    position: ArrayLike
    """In {A} (m)."""
    quaternion: ArrayLike
    """w x y z; either sign, any length but zero (-)."""
    covariance: ArrayLike
    """(6, 6): rotation vector in {C}'s own axes, R = R_true exp(δ) (rad²), then position in {A} (m²)."""


class Forecast(NamedTuple):
    """Where the grasp frame will be, and how well that is known."""

    t: float
    """(s)."""
    position: np.ndarray
    """In {A} (m)."""
    quaternion: np.ndarray
    """In {A}, w x y z (-)."""
    velocity: np.ndarray
    """Of the frame's origin, in {A} (m/s)."""
    angular_velocity: np.ndarray
    """Relative to {A}, in the frame's own axes (rad/s)."""
    covariance: np.ndarray
    """(6, 6): rotation vector in the frame's own axes (rad²), then position in {A} (m²)."""
    motion_covariance: np.ndarray
    """(6, 6): angular velocity in the frame's own axes (rad²/s²), then velocity in {A} (m²/s²)."""

    @property
    def pose(self) -> Pose:
        return Pose(position=tuple(self.position.tolist()), quaternion=tuple(self.quaternion.tolist()))

    @property
    def position_sigma(self) -> float:
        """Root of the expected squared distance (m)."""
        return float(np.sqrt(np.trace(self.covariance[3:, 3:])))

    @property
    def angle_sigma(self) -> float:
        """Root of the expected squared angle (rad)."""
        return float(np.sqrt(np.trace(self.covariance[:3, :3])))


class Update(NamedTuple):
    """What became of a measurement."""

    accepted: bool
    reason: str | None
    """Why not, in a word of `REASONS`."""
    nis: float
    """Normalised innovation squared, of 6 degrees of freedom; NaN if there was nothing to compare with (-)."""


_POSE, _MOTION, _ERROR = POSE.places(), MOTION.places(), MOTION_ERROR.places()
REASONS = ("not finite", "shape", "zero quaternion", "covariance", "out of order", "gate")


class Checked(NamedTuple):
    """A measurement as the loops take it."""

    t: float
    pose: np.ndarray
    """Position, unit quaternion (layouts.POSE)."""
    covariance: np.ndarray
    """(6, 6) in the order of `pose`: position, then rotation vector."""


def checked(measurement: PoseMeasurement, after: float) -> Checked | str:
    """The measurement in arrays, or why it cannot be used."""
    try:
        t = float(measurement.t)
        pose = np.concatenate([np.asarray(measurement.position, float), np.asarray(measurement.quaternion, float)])
        stated = np.ascontiguousarray(measurement.covariance, float)
    except (TypeError, ValueError):
        return "shape"
    if pose.shape != (7,) or np.shape(measurement.position) != (3,) or stated.shape != (6, 6):
        return "shape"
    R = np.empty((6, 6))
    fault = loops.fault(t, pose[_POSE.position], pose[_POSE.quaternion], stated, R)
    if fault == loops.SOUND:
        return Checked(t, pose, R) if t > after else "out of order"
    return ("not finite", "zero quaternion", "covariance")[fault]


def isotropic(position: float, angle: float) -> np.ndarray:
    """Covariance (6, 6) of the same standard deviation along every axis: `position` (m) and `angle` (rad)."""
    return np.diag([angle**2] * 3 + [position**2] * 3)


def pose_error(estimate: tuple[ArrayLike, ArrayLike], truth: tuple[ArrayLike, ArrayLike]) -> np.ndarray:
    """(6) how far the truth is from an estimate, both (position, quaternion): rad in the estimate's axes, m in {A}."""
    distance = np.asarray(truth[0], float) - np.asarray(estimate[0], float)
    return np.concatenate([vector_of_quaternion(turn_between(estimate[1], truth[1])), distance])


def nees(error: np.ndarray, covariance: np.ndarray) -> float:
    """Normalised estimation error squared, eᵀ P⁻¹ e."""
    return float(error @ np.linalg.solve(covariance, error))


def consistent(values: Iterable[float], dimension: int, confidence: float = 0.95) -> tuple[float, float, float]:
    """Mean of independent NEES (or NIS) values, and the interval that it falls in with the given confidence if the
    covariances are right: N times the mean is χ² with N·dimension degrees of freedom."""
    from scipy.stats import chi2  # slow to import, and needed by studies only

    sample = np.fromiter(values, float)
    freedom, tail = len(sample) * dimension, (1 - confidence) / 2
    low, high = (float(chi2.ppf(level, freedom)) / len(sample) for level in (tail, 1 - tail))
    return float(sample.mean()), low, high


def exchanged(covariance: np.ndarray) -> np.ndarray:
    """A covariance (6, 6) or (12, 12) taken from softdock's order (rotation, position, angular velocity, velocity) to
    that of a pose's and a motion's own numbers (position, quaternion, velocity, angular velocity), or back.

    The filters' kernels and loops have the latter: whitened by a lower factor, positions stay apart from rotations.
    """
    k = len(covariance) // 6
    return covariance.reshape(k, 2, 3, k, 2, 3)[:, ::-1, :, :, ::-1].reshape(6 * k, 6 * k)


def noisier(covariance: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Covariances (..., 6, 6; position, then rotation) of noise that is `scales` (2) times as large: of positions, and
    of rotations where positions are known.

    A covariance L Lᵀ becomes L s² Lᵀ, as whitened residuals are judged. Scaled row by row and column by column it would
    keep its correlations, and what position and rotation say together, often ten times as well as either alone, would
    be said of another combination of them."""
    L = np.linalg.cholesky(covariance) * np.repeat(scales, 3)
    return np.asarray(L @ np.swapaxes(L, -1, -2))


def placed(shown: np.ndarray, covariance: np.ndarray, frame: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Pose and motion (layouts.MOTION) of a frame fixed in {C}, of {C}'s; and their covariance (12, 12: rotation,
    position, angular velocity, velocity), of {C}'s."""
    position, quaternion = shown[_MOTION.position], shown[_MOTION.quaternion]
    velocity, turning = shown[_MOTION.velocity], shown[_MOTION.angular_velocity]
    R_AC, R_BC, offset = matrix_of_quaternion(quaternion), frame.rotation.T, np.asarray(frame.position)
    swing = cross(turning, offset)
    turned = quaternion_product(quaternion, frame.quaternion)
    there = (position + R_AC @ offset, turned, velocity + R_AC @ swing, R_BC @ turning)
    return np.concatenate(there), loops.carried(R_AC, R_BC, offset, swing, covariance)
