"""Every derivative that the dynamics gives meets finite differences of what it is the derivative of."""

from collections.abc import Callable

import numpy as np
import pytest
from worlds import ISS_ORBIT, mixed, random_state

from softdock.dynamics import Dynamics
from softdock.spatial import quaternion_product
from softdock.world import Uniform


def displaced(dynamics: Dynamics, q: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """q ⊕ δ, from the definition: flat coordinates add, rotations turn by δ in the child's frame."""
    out, starts = q.copy(), dict.fromkeys(dynamics.layout.quaternions())
    i = j = 0
    while i < dynamics.nq:
        if i in starts:
            phi = delta[j : j + 3]
            angle = np.linalg.norm(phi)
            turn = np.concatenate([[np.cos(angle / 2)], np.sinc(angle / (2 * np.pi)) * phi / 2])
            out[i : i + 4] = quaternion_product(tuple(q[i : i + 4]), tuple(turn))
            i, j = i + 4, j + 3
        else:
            out[i] = q[i] + delta[j]
            i, j = i + 1, j + 1
    return out


def differences(f: Callable[[np.ndarray], np.ndarray], n: int, step: float = 1e-3) -> np.ndarray:
    """Columns ∂f/∂x at 0 by central differences of order 6."""
    columns = []
    for k in range(n):
        e = np.zeros(n)
        e[k] = step
        columns.append((45 * (f(e) - f(-e)) - 9 * (f(2 * e) - f(-2 * e)) + (f(3 * e) - f(-3 * e))) / (60 * step))
    return np.stack(columns, axis=-1)


@pytest.fixture(scope="module", params=[Uniform(acceleration=(1.0, -2.0, -9.0)), ISS_ORBIT], ids=lambda g: g.kind)
def dynamics(request: pytest.FixtureRequest) -> Dynamics:
    return Dynamics(mixed(request.param))


def test_jacobians_are_differences_of_poses(dynamics: Dynamics) -> None:
    q, _ = random_state(dynamics, np.random.default_rng(1))
    for frame in ("tip", "bracket", "b7"):
        J = dynamics.jacobian(frame, q)
        R0, _ = dynamics.pose(frame, q)
        linear = differences(lambda d: dynamics.pose(frame, displaced(dynamics, q, d))[1], dynamics.nv)  # noqa: B023
        turned = differences(lambda d: dynamics.pose(frame, displaced(dynamics, q, d))[0] @ R0.T, dynamics.nv)  # noqa: B023
        angular = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]) / 2
        np.testing.assert_allclose(J[3:], linear, atol=1e-10)
        np.testing.assert_allclose(J[:3], angular, atol=1e-10)


def test_rates_are_what_q_moves_by(dynamics: Dynamics) -> None:
    q, v = random_state(dynamics, np.random.default_rng(2))
    moved = differences(lambda d: displaced(dynamics, q, d[0] * v), 1)[:, 0]
    np.testing.assert_allclose(dynamics.rates(q, v), moved, atol=1e-10)


def test_forward_dynamics_undoes_inverse_dynamics(dynamics: Dynamics) -> None:
    rng = np.random.default_rng(3)
    q, v = random_state(dynamics, rng)
    a = rng.normal(size=dynamics.nv)
    force = dynamics.inverse_dynamics(q, v, a, 100.0)
    own = dynamics.layout.v["b1"].start
    force[own] += (
        4.0 * q[dynamics.layout.q["b1"].start] + 1.5 * v[own]
    )  # the servo's gains act in forward dynamics only
    np.testing.assert_allclose(dynamics.forward_dynamics(q, v, force, 100.0), a, rtol=0, atol=1e-11)


def test_force_of_gravity_and_springs_is_minus_the_slope_of_energy(dynamics: Dynamics) -> None:
    q, _ = random_state(dynamics, np.random.default_rng(4))
    still = np.zeros(dynamics.nv)
    slope = differences(lambda d: dynamics.balance(displaced(dynamics, q, d), still, 50.0).potential, dynamics.nv)
    held = dynamics.inverse_dynamics(q, still, still, 50.0)
    np.testing.assert_allclose(held, slope, atol=1e-9 * np.abs(slope).max())


def test_kinetic_energy_is_half_of_v_m_v(dynamics: Dynamics) -> None:
    q, v = random_state(dynamics, np.random.default_rng(5))
    assert dynamics.balance(q, v).kinetic == pytest.approx(v @ dynamics.mass_matrix(q) @ v / 2, rel=1e-13)


def test_linearisation_is_the_difference_of_forward_dynamics(dynamics: Dynamics) -> None:
    rng = np.random.default_rng(6)
    n = dynamics.nv
    q, v = random_state(dynamics, rng)
    u = rng.normal(size=n)
    A, B = dynamics.linearise(q, v, u, 20.0)
    by_delta = differences(lambda d: dynamics.forward_dynamics(displaced(dynamics, q, d), v, u, 20.0), n)
    by_v = differences(lambda d: dynamics.forward_dynamics(q, v + d, u, 20.0), n)
    by_u = differences(lambda d: dynamics.forward_dynamics(q, v, u + d, 20.0), n)
    scale = np.abs(by_delta).max()
    np.testing.assert_allclose(A[n:, :n], by_delta, atol=1e-8 * scale)
    np.testing.assert_allclose(A[n:, n:], by_v, atol=1e-9 * np.abs(by_v).max())
    np.testing.assert_allclose(B[n:], by_u, atol=1e-10 * np.abs(by_u).max())
    assert not B[:n].any()


def test_linearised_motion_is_the_motion_nearby(dynamics: Dynamics) -> None:
    """δ̇ of rotations has the term −Ω × δ: seen only by moving two neighbours for a while."""
    from scipy.linalg import expm

    from softdock.dynamics import reference

    rng = np.random.default_rng(7)
    n, span, size = dynamics.nv, 1e-3, 1e-4
    q, v = random_state(dynamics, rng)
    A, _ = dynamics.linearise(q, v)
    delta = rng.normal(size=2 * n)
    times = [0.0, span]

    def end(s: float) -> tuple[np.ndarray, np.ndarray]:
        qs, vs = reference(dynamics, displaced(dynamics, q, s * delta[:n]), v + s * delta[n:], times)
        return qs[-1], vs[-1]

    (q_up, v_up), (q_down, v_down) = end(size), end(-size)
    found = np.concatenate([between(dynamics, q_down, q_up), v_up - v_down]) / (2 * size)
    expected = expm(A * span) @ delta
    first_order = (np.eye(2 * n) + A * span) @ delta
    error = np.abs(found - expected).max()
    assert error < 1e-2 * np.abs(first_order - delta).max()  # A itself moves within the span


def between(dynamics: Dynamics, q1: np.ndarray, q2: np.ndarray) -> np.ndarray:
    """δ with q2 = q1 ⊕ δ, for small δ."""
    out, starts = [], dynamics.layout.quaternions()
    i = 0
    while i < dynamics.nq:
        if i in starts:
            w, x, y, z = q1[i : i + 4]
            d = quaternion_product((w, -x, -y, -z), tuple(q2[i : i + 4]))
            out += [2 * d[1] * np.sign(d[0]), 2 * d[2] * np.sign(d[0]), 2 * d[3] * np.sign(d[0])]
            i += 4
        else:
            out.append(q2[i] - q1[i])
            i += 1
    return np.array(out)
