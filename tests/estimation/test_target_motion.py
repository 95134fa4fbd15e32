"""The truth of the trials against an independent one, and the filters' orbital model against two-body motion."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from softdock.estimation import TargetEstimator, pose_error
from softdock.estimation.target import target_state
from softdock.estimation.tumbles import TUMBLES, Tumble, true_motion

END = 110.0


def two_bodies_and_a_spin(tumble: Tumble, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Pose of {C} in the Hill frame by SciPy, in Earth-centred coordinates: nothing of softdock's."""
    mu, a, n = tumble.orbit.mu, tumble.orbit.semi_major_axis, tumble.n
    I = np.array(tumble.moments)

    def rate(_, y):
        r, v, q, w = y[:3], y[3:6], y[6:10], y[10:]
        dq = 0.5 * np.array([
            -q[1] * w[0] - q[2] * w[1] - q[3] * w[2], q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
            q[0] * w[1] + q[3] * w[0] - q[1] * w[2], q[0] * w[2] + q[1] * w[1] - q[2] * w[0],
        ])  # fmt: skip
        return np.concatenate([v, -mu * r / np.linalg.norm(r) ** 3, dq, np.cross(I * w, w) / I])

    center, drift = np.array(tumble.center), np.array(tumble.drift)
    chaser = np.array([a, 0, 0])
    velocity = drift + np.cross([0, 0, n], chaser + center)
    start = np.concatenate([chaser + center, velocity, [1, 0, 0, 0], tumble.spin])
    y = solve_ivp(rate, (0, t), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    R_WA = Rotation.from_rotvec([0, 0, n * t])
    R_WB = Rotation.from_quat(y[6:10], scalar_first=True)
    chaser = R_WA.apply([a, 0, 0])
    position = R_WA.inv().apply(y[:3] - chaser + R_WB.apply(tumble.handle.position))
    R_BC = Rotation.from_quat(tumble.handle.quaternion, scalar_first=True)
    return position, (R_WA.inv() * R_WB * R_BC).as_quat(scalar_first=True)


@pytest.mark.parametrize("name", ["rich", "near the middle axis"])
def test_the_truth_agrees_with_scipy_in_earth_centred_coordinates(name):
    truth = true_motion(TUMBLES[name], [0.0, END]).states[-1]
    error = pose_error((truth.position, truth.quaternion), two_bodies_and_a_spin(TUMBLES[name], END))
    assert np.abs(error[3:]).max() < 1e-7 and np.abs(error[:3]).max() < 1e-9  # 1e-9 m of 6.8e6 is rounding


@pytest.mark.parametrize(("metres", "limit"), [(10.0, 2e-7), (100.0, 2e-5), (1000.0, 2e-3)])
def test_hills_equations_against_two_body_motion(metres, limit):
    """Hill's equations leave out accelerations of order (3/2) n² d²/a: in time t they cost about (3/4) n² d² t²/a."""
    tumble = TUMBLES["rich"]._replace(center=(0.4 * metres, 0.8 * metres, -0.45 * metres))
    first, last = true_motion(tumble, [0.0, END]).states
    model = TargetEstimator(tumble.n).model
    x, _ = model.propagated(target_state(first), model.certain(), END)
    error = np.linalg.norm(x[12:15] - last.center)
    scale = 0.75 * tumble.n**2 * END**2 * metres**2 / tumble.orbit.semi_major_axis
    assert error < limit and 0.3 < error / scale < 3
    turned = pose_error(model.pose(x), (last.position, last.quaternion))[:3]
    assert np.abs(turned).max() < 2e-5  # Runge-Kutta of at most 0.1 rad a step


def test_attitude_needs_the_orbits_turning():
    """Without ω_rel = ω − Rᵀn the attitude in {A} drifts by n t: 7° in 110 s."""
    tumble = TUMBLES["rich"]
    first, last = true_motion(tumble, [0.0, END]).states
    error = {}
    for n in (tumble.n, 0.0):
        model = TargetEstimator(n).model
        x, _ = model.propagated(target_state(first), model.certain(), END)
        error[n] = np.linalg.norm(pose_error(model.pose(x), (last.position, last.quaternion))[:3])
    assert error[tumble.n] < 2e-5
    assert error[0.0] == pytest.approx(tumble.n * END, rel=1e-3)
