"""A spacecraft's own state from its own sensors: an error-state Kalman filter, attitude multiplicative.

State: R_WS, gyro bias b_g, place p and velocity v of the body's origin in W, accelerometer bias b_a; errors
(δθ in S, δb_g, δp, δv, δb_a). Increments of a period T are as an inertial unit gives them: the turn
log(R_kᵀ R_{k+1}) and the change of velocity without gravity R_kᵀ (v_{k+1} − v_k − g T), with bias and noise. Gravity is
the tide about the reference orbit, n² (3 r̂ r̂·p − p). (Markley & Crassidis, Fundamentals of Spacecraft Attitude
Determination and Control, 2014, section 6.2.)
"""

from typing import NamedTuple

import numpy as np

from softdock.spatial import matrix_of_vector, skew, vector_of_matrix
from softdock.world.describe import Described
from softdock.world.joints import NonNegative
from softdock.world.shapes import Positive

ERRORS = 15
TURN, GYRO, PLACE, VELOCITY, ACCELEROMETER = (slice(3 * k, 3 * k + 3) for k in range(5))


class InertialUnit(Described):
    """Noise of gyros and accelerometers."""

    gyro: NonNegative = 1e-5
    """Angular random walk (rad/√s)."""
    gyro_bias: Positive = 1e-5
    """Standard deviation of the bias at first (rad/s)."""
    gyro_walk: Positive = 1e-8
    """Of the bias (rad/s/√s)."""
    accelerometer: Positive = 5e-6
    """Velocity random walk (m/s/√s)."""
    accelerometer_bias: Positive = 1e-6
    """At first (m/s²)."""
    accelerometer_walk: Positive = 1e-9
    """(m/s²/√s)."""


class Increments(NamedTuple):
    """What an inertial unit says of a period, in S."""

    seconds: float
    """(s)."""
    turn: np.ndarray
    """(rad)."""
    velocity: np.ndarray
    """(m/s)."""


def tide_gradient(n: float, t: float) -> np.ndarray:
    """Of gravity in W's axes (1/s²), on a circular orbit of rate n (rad/s)."""
    r = np.array([np.cos(n * t), np.sin(n * t), 0.0])
    return n * n * (3 * np.outer(r, r) - np.eye(3))


def tide(n: float, t: float, p: np.ndarray) -> np.ndarray:
    """Differential gravity at p (m) in W's axes (m/s²)."""
    return tide_gradient(n, t) @ p


class OwnFilter:
    """Starts from a known attitude `R` (-), place `p` (m) and velocity `v` (m/s) at time `t` (s), with standard
    deviations `sigma`: attitude (rad), velocity (m/s); the place is that of the frame that it navigates in. `n` (rad/s)
    is the orbit's rate."""

    def __init__(
        self, unit: InertialUnit, n: float, t: float, R: np.ndarray, p: np.ndarray, v: np.ndarray,
        sigma: tuple[float, float] = (1e-3, 5e-3),
    ) -> None:  # fmt: skip
        self.unit, self.n, self.t = unit, n, t
        self.R, self.p, self.v = R.copy(), p.copy(), v.copy()
        self.gyro_bias, self.accelerometer_bias = np.zeros(3), np.zeros(3)
        first = (sigma[0], unit.gyro_bias, 1e-6, sigma[1], unit.accelerometer_bias)
        self.P = np.diag(np.repeat(first, 3) ** 2)

    def predict(self, read: Increments) -> None:
        """By a period of the inertial unit."""
        T, unit = read.seconds, self.unit
        turn = read.turn - T * self.gyro_bias
        push = read.velocity - T * self.accelerometer_bias
        G = tide_gradient(self.n, self.t + T / 2)
        gained = self.R @ push + T * (G @ (self.p + T / 2 * self.v))
        F = np.eye(ERRORS)
        F[TURN, TURN], F[TURN, GYRO] = matrix_of_vector(-turn), -T * np.eye(3)
        F[VELOCITY, TURN], F[VELOCITY, ACCELEROMETER] = -self.R @ skew(push), -T * self.R
        # An unknown velocity leads to another place, where the tide is another: 1 mm/s in quarter of an hour.
        F[VELOCITY, PLACE], F[VELOCITY, VELOCITY] = T * G, np.eye(3) + T * T / 2 * G
        F[PLACE, VELOCITY], F[PLACE, PLACE] = T * np.eye(3) + T**3 / 4 * G, np.eye(3) + T * T / 2 * G
        F[PLACE, TURN], F[PLACE, ACCELEROMETER] = T / 2 * F[VELOCITY, TURN], T / 2 * F[VELOCITY, ACCELEROMETER]
        Q = np.zeros((ERRORS, ERRORS))
        for part, density in (
            (TURN, unit.gyro), (GYRO, unit.gyro_walk), (ACCELEROMETER, unit.accelerometer_walk),
            (VELOCITY, unit.accelerometer),
        ):  # fmt: skip
            Q[part, part] = density**2 * T * np.eye(3)
        Q[PLACE, VELOCITY] = Q[VELOCITY, PLACE] = (
            T / 2 * Q[VELOCITY, VELOCITY]
        )  # the noise of a period acts in its middle
        Q[PLACE, PLACE] = T * T / 4 * Q[VELOCITY, VELOCITY]
        self.P = F @ self.P @ F.T + Q
        self.p = self.p + T * self.v + T / 2 * gained
        self.v, self.R, self.t = self.v + gained, self.R @ matrix_of_vector(turn), self.t + T

    def see_attitude(self, R: np.ndarray, sigma: float) -> None:
        """A star tracker's R_WS, with noise (rad) about each axis."""
        self._correct(TURN, vector_of_matrix(self.R.T @ R), sigma)

    def see_velocity(self, v: np.ndarray, sigma: float) -> None:
        """A measured velocity in W (m/s), with noise (m/s) along each axis."""
        self._correct(VELOCITY, v - self.v, sigma)

    def _correct(self, part: slice, residual: np.ndarray, sigma: float) -> None:
        R = sigma**2 * np.eye(3)
        K = np.linalg.solve(self.P[part, part] + R, self.P[part, :]).T
        joseph = np.eye(ERRORS)
        joseph[:, part] -= K
        self.P = joseph @ self.P @ joseph.T + K @ R @ K.T
        d = K @ residual
        self.R = self.R @ matrix_of_vector(d[TURN])
        self.p, self.v = self.p + d[PLACE], self.v + d[VELOCITY]
        self.gyro_bias, self.accelerometer_bias = self.gyro_bias + d[GYRO], self.accelerometer_bias + d[ACCELEROMETER]

    def errors(
        self, R: np.ndarray, p: np.ndarray, v: np.ndarray, gyro_bias: np.ndarray, accelerometer_bias: np.ndarray
    ) -> np.ndarray:
        """(15) of a true state."""
        return np.concatenate(
            [vector_of_matrix(self.R.T @ R), gyro_bias - self.gyro_bias, p - self.p, v - self.v,
             accelerometer_bias - self.accelerometer_bias]
        )  # fmt: skip

    def nees(self, errors: np.ndarray) -> float:
        """Normalised errors squared, of 15."""
        scale = np.sqrt(self.P.diagonal())
        return float(errors / scale @ np.linalg.solve(self.P / np.outer(scale, scale), errors / scale))
