"""Tumbling targets with a known truth, simulated by softdock's own core, and what a camera would measure of them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics, reference
from softdock.estimation.filter import Estimate
from softdock.estimation.measurement import PoseMeasurement, isotropic
from softdock.world import Body, Free, Orbit, Pose, World
from softdock.world.pose import quaternion_product, rotation_of

Vector = tuple[float, float, float]


class Tumble(NamedTuple):
    """A target near a chaser in a circular orbit: moments and ω along its principal axes {B}, handle {C} in {B}."""

    moments: Vector = (4.0, 8.0, 5.0)
    """Paper 001, sec. 4 (kg m²)."""
    spin: Vector = (0.08, 0.05, 0.10)
    """ω at t = 0 (rad/s), inertial, in {B}."""
    handle: Pose = Pose(position=(-0.15, 0.0, 0.0), rpy=(0.3, -0.2, 0.5))
    center: Vector = (0.5, 6.0, -0.3)
    """Centre of mass in the Hill frame (m)."""
    drift: Vector = (0.002, -0.005, 0.001)
    """Its velocity there (m/s)."""
    orbit: Orbit = Orbit(semi_major_axis=6.778e6)

    @property
    def n(self) -> float:
        """The orbit's rate (rad/s)."""
        return float(np.sqrt(self.orbit.mu / self.orbit.semi_major_axis**3))


TUMBLES = {
    "rich": Tumble(),
    "major axis": Tumble(spin=(0.0, 0.12, 0.0)),
    "minor axis": Tumble(spin=(0.12, 0.0, 0.0)),
    "near the middle axis": Tumble(spin=(0.001, 0.001, 0.12)),
    "axisymmetric": Tumble(moments=(8.0, 5.0, 5.0), spin=(0.10, 0.05, 0.06)),
    "rod": Tumble(moments=(1.0, 20.0, 20.0), spin=(0.08, 0.06, 0.05)),
    "sphere": Tumble(moments=(5.0, 5.0, 5.0), spin=(0.06, 0.08, 0.05)),
    "slow": Tumble(spin=(0.010, 0.006, 0.012)),
}
"""Those of docs/estimation.md."""


class Truth(NamedTuple):
    """A target's true motion."""

    tumble: Tumble
    times: np.ndarray
    states: tuple[Estimate, ...]
    """At each time, in the words of an estimate."""


def true_motion(tumble: Tumble, times: Sequence[float] | np.ndarray) -> Truth:
    """The motion at increasing times from t = 0, by softdock's reference integrator in the orbit's co-moving frame."""
    at = np.asarray(times, float)
    body = Body(name="target", joint=Free(), mass=100.0, inertia=tumble.moments)
    dynamics = Dynamics(World(name="tumble", gravity=tumble.orbit, bodies=(body,)))
    hill = np.array([_hill(dynamics, t) for t in at])
    R_WA, center = hill[0], np.array(tumble.center)
    turning = np.array([0.0, 0.0, tumble.n])
    velocity = R_WA @ (np.array(tumble.drift) + np.cross(turning, center))
    start = np.concatenate([R_WA @ center, [1.0, 0.0, 0.0, 0.0]])
    q, v = reference(dynamics, start, np.concatenate([velocity, tumble.spin]), at)
    moments = np.diag(tumble.moments) / np.sum(tumble.moments)
    R_BC = tumble.handle.rotation
    states = [_seen(tumble, t, R, a, b, R_BC.T @ moments @ R_BC) for t, R, a, b in zip(at, hill, q, v, strict=True)]
    return Truth(tumble, at, tuple(states))


def _hill(dynamics: Dynamics, t: float) -> np.ndarray:
    """R_WA: radial, along track, normal."""
    r, v = (row.reshape(3) for row in dynamics.reference_orbit(t))
    x, z = r / np.linalg.norm(r), np.cross(r, v) / np.linalg.norm(np.cross(r, v))
    return np.column_stack([x, np.cross(z, x), z])


def _seen(tumble: Tumble, t: float, R_WA: np.ndarray, q: np.ndarray, v: np.ndarray, inertia: np.ndarray) -> Estimate:
    from scipy.spatial.transform import Rotation

    q_WA = Rotation.from_matrix(R_WA).as_quat(scalar_first=True)
    q_AB = quaternion_product(tuple(q_WA * np.array([1, -1, -1, -1])), tuple(q[3:7]))
    quaternion = np.array(quaternion_product(q_AB, tumble.handle.quaternion))
    R_BC, offset = tumble.handle.rotation, np.array(tumble.handle.position)
    center = R_WA.T @ q[:3]
    velocity = R_WA.T @ v[:3] - np.cross([0.0, 0.0, tumble.n], center)
    position = center + rotation_of(np.array(q_AB)) @ offset
    return Estimate(t, position, quaternion, R_BC.T @ v[3:6], center, velocity, R_BC.T @ offset, inertia)


def observed(
    truth: Truth,
    rng: np.random.Generator,
    *,
    position: float = 0.005,
    angle: float = np.radians(0.5),
    covariance: ArrayLike | None = None,
) -> list[PoseMeasurement]:
    """Every true pose with noise of these standard deviations along each axis (m, rad).

    The measurements state `covariance`, or the true one.
    """
    stated = isotropic(position, angle) if covariance is None else np.asarray(covariance, float)
    return [_noisy(state, rng, position, angle, stated) for state in truth.states]


def _noisy(state: Estimate, rng: np.random.Generator, position: float, angle: float, stated: np.ndarray) -> PoseMeasurement:
    half = rng.normal(0, angle, 3) / 2
    size = float(np.linalg.norm(half))
    turn = (np.cos(size), *(np.sinc(size / np.pi) * half))
    quaternion = quaternion_product(tuple(state.quaternion), turn)
    return PoseMeasurement(state.t, state.position + rng.normal(0, position, 3), np.array(quaternion), stated)
