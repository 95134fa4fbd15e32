"""A camera that is turned sees its own craft elsewhere than that believes itself to be, and forecasts are corrected."""

from types import ModuleType

import numpy as np
import pytest

from softdock import mission as ms
from softdock.dynamics import Dynamics
from softdock.estimation import Forecast
from softdock.mission.camera import Frame
from softdock.mission.craft import Crafts
from softdock.mission.hiding import InFront
from softdock.mission.misalignment import Correction
from softdock.planning.intercept import Moving
from softdock.sensing import Scan, raster
from softdock.spatial import matrix_of_quaternion, matrix_of_vector, quaternion_of_vector, vector_of_matrix
from softdock.tracking.viewpoint import Viewpoint

NOISE = 0.002
"""Of ranges (m)."""


def looked(fetch: ModuleType, turn: np.ndarray, scans: int = 6) -> ms.LaserCamera:
    """A camera, after scans of its own arm in several postures; in truth it is turned."""
    crafts, eye = Crafts(fetch.WORLD), ms.LaserCamera("camera", "client")
    eye.name = "eye"
    eye.fit(crafts)
    craft, dynamics, rng = eye.craft, Dynamics(fetch.WORLD), np.random.default_rng(4)
    others = InFront(dynamics, "camera", ["upper", "fore", "wrist"])
    rays = raster(64, 64, (1.1, 1.1), 0.0).directions
    for k in range(scans):
        q, own = dynamics.layout.neutral(), craft.dynamics.layout.neutral()
        for name, angle in {"upper": 0.6 - 0.1 * k, "fore": -0.5, "wrist": 0.2 * k}.items():
            q[dynamics.layout.q[name]] = own[craft.dynamics.layout.q[name]] = angle
        craft.measured(float(k), own, np.zeros(craft.dynamics.nv))
        ranges = others.ranges(q, rays, matrix_of_vector(turn))
        hit = ranges < np.inf
        ranges = ranges + NOISE * rng.standard_normal(len(rays))
        eye.take(float(k), Frame(float(k), Scan(points=ranges[hit, None] * rays[hit], time=float(k))))
    return eye


@pytest.mark.parametrize("turn", [(0.0035, 0.0, 0.0), (0.0, -0.0035, 0.0), (0.004, 0.003, -0.005)])
def test_a_turn_is_found(fetch: ModuleType, turn: tuple[float, float, float]) -> None:
    found = looked(fetch, np.array(turn)).misalignment
    assert found.sure_at is not None
    off = found.turn - turn
    assert off @ np.linalg.solve(found.covariance, off) < 16.3, "χ² of 3, 99.9 %"
    assert np.linalg.norm(off) < 1e-3


def test_no_turn_is_not(fetch: ModuleType) -> None:
    found = looked(fetch, np.zeros(3)).misalignment
    assert found.sure_at is None and found.correction(Viewpoint()) is None
    assert np.linalg.norm(found.turn) < 5e-4


def test_a_corrected_forecast_is_turned_about_the_camera_and_less_sure() -> None:
    rng, turn = np.random.default_rng(1), np.array([0.003, -0.002, 0.001])
    p_K, sigma = np.array([0.3, -0.1, 0.2]), 3e-4
    correction = Correction(matrix_of_vector(turn), p_K, sigma**2 * np.eye(3))
    q, p = quaternion_of_vector(rng.standard_normal(3)), np.array([2.0, 0.5, -0.3])
    P = np.diag([1e-6] * 3 + [1e-8] * 3)
    there = correction.of_forecast(Forecast(1.0, p, q, np.ones(3), np.ones(3), P, P))
    moved = correction.of_motion(Moving(matrix_of_quaternion(q), p, np.ones(3), np.ones(3)))
    np.testing.assert_allclose(there.position, p_K + matrix_of_vector(turn) @ (p - p_K), atol=1e-15)
    np.testing.assert_allclose(matrix_of_quaternion(there.quaternion), moved.R, atol=1e-14)
    np.testing.assert_allclose((moved.p, moved.v), (there.position, there.velocity), atol=1e-15)
    sample = []
    for error in sigma * rng.standard_normal((4000, 3)):
        R = matrix_of_vector(error)
        sample.append([*vector_of_matrix(moved.R.T @ R @ moved.R), *(R - np.eye(3)) @ (moved.p - p_K)])
    T = np.eye(6)
    T[3:, 3:] = correction.R
    np.testing.assert_allclose(there.covariance - T @ P @ T.T, np.cov(np.array(sample).T), atol=0.1 * sigma**2 * 4)
