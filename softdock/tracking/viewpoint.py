"""From what a moving camera measures to the frame of an estimator, and back."""

from typing import NamedTuple

import numpy as np

from softdock.estimation import PoseMeasurement
from softdock.sensing import Rates, Registration
from softdock.spatial import cross, quaternion_of_matrix
from softdock.world import Pose


class Viewpoint(NamedTuple):
    """Where a camera K is in the estimator's frame {A}, and its motion there; at A's origin, at rest, if not given."""

    R_AK: np.ndarray = np.eye(3)
    p_AK: np.ndarray = np.zeros(3)
    v_AK: np.ndarray = np.zeros(3)
    """Velocity of K's origin in A, in A's axes (m/s)."""
    w_AK: np.ndarray = np.zeros(3)
    """Angular velocity of K relative to A, in A's axes (rad/s)."""

    def in_camera(self, frame: Pose) -> Pose:
        """A frame given in A, in K."""
        return Pose.of(self.R_AK.T @ frame.rotation, self.R_AK.T @ (np.asarray(frame.position) - self.p_AK))

    def from_camera(self, frame: Pose) -> Pose:
        """A frame given in K, in A."""
        return Pose.of(self.R_AK @ frame.rotation, self.p_AK + self.R_AK @ np.asarray(frame.position))

    def rates(self, frame: Pose, v: np.ndarray, w: np.ndarray) -> Rates:
        """Motion in K of a frame in A with velocity v (in A) and angular velocity w (in the frame's own axes)."""
        apart = np.asarray(frame.position) - self.p_AK
        linear = self.R_AK.T @ (v - self.v_AK - cross(self.w_AK, apart))
        angular = w - frame.rotation.T @ self.w_AK
        return Rates(angular=tuple(angular.tolist()), linear=tuple(linear.tolist()))

    def rates_covariance(self, covariance: np.ndarray) -> np.ndarray:
        """Covariance (6, 6) of those rates, of that of (w, v)."""
        J = np.eye(6)
        J[3:, 3:] = self.R_AK.T
        return J @ covariance @ J.T

    def measurement(self, found: Registration) -> PoseMeasurement:
        """A frame registered in K, measured in A."""
        return self.measured(found.time, found.pose, found.covariance)

    def measured(self, t: float, frame: Pose, covariance: np.ndarray) -> PoseMeasurement:
        """A frame seen in K at time t, measured in A; `covariance` (6, 6) is of (δ, ε): in the frame's axes, in K."""
        J = np.eye(6)
        J[3:, 3:] = self.R_AK
        position = self.p_AK + self.R_AK @ np.asarray(frame.position)
        quaternion = quaternion_of_matrix(self.R_AK @ frame.rotation)
        return PoseMeasurement(t, position, quaternion, J @ covariance @ J.T)
