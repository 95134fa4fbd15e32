"""Tumbling targets with a known truth, simulated by softdock's own core, and what a camera would measure of them."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics, reference
from softdock.estimation.filter import Estimate
from softdock.estimation.measurement import PoseMeasurement, isotropic
from softdock.spatial import (
    matrix_of_quaternion,
    quaternion_of_matrix,
    quaternion_of_rpy,
    quaternion_of_vector,
    quaternion_product,
)
from softdock.world import Body, Free, Orbit, Pose, World

Vector = tuple[float, float, float]


class Tumble(NamedTuple):
    """A target near a chaser in a circular orbit: moments and ω along its principal axes {B}, handle {C} in {B}."""

    moments: Vector = (4.0, 8.0, 5.0)
    """Aghili, sec. 4 (kg m²)."""
    spin: Vector = (0.08, 0.05, 0.10)
    """ω at t = 0 (rad/s), inertial, in {B}."""
    handle: Pose = Pose(position=(-0.15, 0.0, 0.0), quaternion=quaternion_of_rpy(0.3, -0.2, 0.5))
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
    dynamics = _target(tumble.moments, tumble.orbit)
    R_WA, turning = _hill(dynamics, at), np.array([0.0, 0.0, tumble.n])
    velocity = R_WA[0] @ (np.array(tumble.drift) + np.cross(turning, tumble.center))
    start = np.concatenate([R_WA[0] @ np.array(tumble.center), [1.0, 0.0, 0.0, 0.0]])
    q, v = reference(dynamics, start, np.concatenate([velocity, tumble.spin]), at)
    R_AW, R_BC, offset = R_WA.transpose(0, 2, 1), tumble.handle.rotation, np.array(tumble.handle.position)
    R_AB = R_AW @ matrix_of_quaternion(q[:, 3:7])
    quaternion = quaternion_of_matrix(R_AB @ R_BC)
    center = np.einsum("kij,kj->ki", R_AW, q[:, :3])
    drift = np.einsum("kij,kj->ki", R_AW, v[:, :3]) - np.cross(turning, center)
    inertia = R_BC.T @ np.diag(tumble.moments) @ R_BC / sum(tumble.moments)
    spin, position, rho = v[:, 3:6] @ R_BC, center + R_AB @ offset, R_BC.T @ offset
    rows = zip(at, position, quaternion, spin, center, drift, strict=True)
    return Truth(tumble, at, tuple(Estimate(t, p, q, w, r, d, rho, inertia) for t, p, q, w, r, d in rows))


@cache
def _target(moments: Vector, orbit: Orbit) -> Dynamics:
    a, b, c = moments
    body = Body(name="target", joint=Free(), mass=100.0, inertia=((a, 0, 0), (0, b, 0), (0, 0, c)))
    return Dynamics(World(name="tumble", gravity=orbit, bodies=(body,)))


def _hill(dynamics: Dynamics, times: np.ndarray) -> np.ndarray:
    """R_WA (N, 3, 3): radial, along track, normal."""
    r, v = dynamics.reference_orbit(times)
    normal = np.cross(r, v)
    x, z = (w / np.linalg.norm(w, axis=1, keepdims=True) for w in (r, normal))
    return np.stack([x, np.cross(z, x), z], axis=2)


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


def _noisy(
    state: Estimate, rng: np.random.Generator, position: float, angle: float, stated: np.ndarray
) -> PoseMeasurement:
    quaternion = quaternion_product(state.quaternion, quaternion_of_vector(rng.normal(0, angle, 3)))
    return PoseMeasurement(state.t, state.position + rng.normal(0, position, 3), quaternion, stated)
