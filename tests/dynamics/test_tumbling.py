"""A free rigid body tumbling about its intermediate axis follows Jacobi's elliptic functions.

Landau & Lifshitz, Mechanics, sec. 37; attitude from the angular momentum fixed in space and the
precession about it, ψ̇ = L (2E − …)/(…), by quadrature to full precision.
"""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipj
from worlds import order_of, tumbler

from softdock.dynamics import Dynamics, Motion, reference
from softdock.spatial import matrix_of_quaternion

I1, I2, I3 = MOMENTS = (1.0, 2.0, 3.0)
START = np.array([0.02, 1.0, 0.01])
END = 20.0


def jacobi(t: np.ndarray | float) -> np.ndarray:
    """Body rates at times t from START (2 E I2 > L² or <: which axis is circled)."""
    E2 = float(np.array(MOMENTS) @ START**2)
    L2 = float(np.array(MOMENTS) ** 2 @ START**2)
    order = [0, 1, 2] if L2 > E2 * I2 else [2, 1, 0]
    a, b, c = (MOMENTS[k] for k in order)
    amplitude = np.sqrt([(E2 * c - L2) / (a * (c - a)), (E2 * c - L2) / (b * (c - b)), (L2 - E2 * a) / (c * (c - a))])
    rate = np.sqrt((c - b) * (L2 - E2 * a) / (a * b * c))
    m = (b - a) * (E2 * c - L2) / ((c - b) * (L2 - E2 * a))
    w = START[order]
    phase = _phase(w / amplitude, m)
    sn, cn, dn, _ = ellipj(np.sign(w[2]) * rate * np.asarray(t) + phase, m)
    out = np.empty((*np.shape(t), 3))
    out[..., order[0]], out[..., order[1]] = amplitude[0] * cn, amplitude[1] * sn
    out[..., order[2]] = amplitude[2] * dn * np.sign(w[2])
    return out


def _phase(scaled: np.ndarray, m: float) -> float:
    """u with cn u, sn u as given, by inverting the amplitude."""
    from scipy.special import ellipkinc

    return float(ellipkinc(np.arctan2(scaled[1], scaled[0]), m))


def attitude(t: float) -> np.ndarray:
    """R_WB at t (identity at 0): body axes relative to L, turned about L by the precession's quadrature."""
    I = np.array(MOMENTS)
    L = I * START
    size = np.linalg.norm(L)

    def towards(w: np.ndarray) -> np.ndarray:
        """Axes, in the body, of a frame whose z is along L and whose x is normal to the body's third axis."""
        z = I * w / size
        x = np.cross(np.array([0.0, 0.0, 1.0]), z)
        x /= np.linalg.norm(x)
        return np.column_stack([x, np.cross(z, x), z])

    def precession(s: float) -> float:
        w = jacobi(s)
        return size * (I[0] * w[0] ** 2 + I[1] * w[1] ** 2) / ((I[0] * w[0]) ** 2 + (I[1] * w[1]) ** 2)

    pieces = np.linspace(0.0, t, 13)
    turned = sum(quad(precession, a, b, epsabs=1e-14, epsrel=1e-13)[0] for a, b in itertools.pairwise(pieces))
    c, s = np.cos(turned), np.sin(turned)
    about_L = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return towards(START) @ about_L @ towards(jacobi(t)).T


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return Dynamics(tumbler(MOMENTS))


def errors(motion: Motion) -> tuple[float, float]:
    """Of the rates and of the attitude (rad), at END."""
    rate = np.abs(motion.v[3:] - jacobi(END)).max()
    return float(rate), float(np.linalg.norm(matrix_of_quaternion(motion.q[3:]) - attitude(END)) / np.sqrt(2))


def start() -> tuple[np.ndarray, np.ndarray]:
    return np.array([0, 0, 0, 1.0, 0, 0, 0]), np.array([0, 0, 0, *START])


def test_the_analytic_solution_solves_eulers_equations() -> None:
    I, e = np.array(MOMENTS), 1e-3
    np.testing.assert_allclose(jacobi(0.0), START, atol=1e-14)
    for t in (0.0, 2.0, 5.0, 9.0):
        w = jacobi(t)
        rate = (45 * (jacobi(t + e) - jacobi(t - e)) - 9 * (jacobi(t + 2 * e) - jacobi(t - 2 * e))
                + jacobi(t + 3 * e) - jacobi(t - 3 * e)) / (60 * e)  # fmt: skip
        np.testing.assert_allclose(I * rate, -np.cross(w, I * w), atol=1e-11)


def test_the_body_does_tumble(dynamics: Dynamics) -> None:
    run = Motion(dynamics, *start(), h=0.01).run(2000)
    assert run.v[:, 4].min() < -0.95  # the intermediate axis turns over


def test_the_adaptive_integrator_follows_the_analytic_solution(dynamics: Dynamics) -> None:
    q, v = reference(dynamics, *start(), [0.0, END])
    np.testing.assert_allclose(v[-1, 3:], jacobi(END), atol=1e-11)
    np.testing.assert_allclose(matrix_of_quaternion(q[-1, 3:]), attitude(END), atol=1e-11)


@pytest.mark.parametrize(("order", "sizes"), [(2, (0.04, 0.02, 0.01)), (4, (0.1, 0.05, 0.025)), (6, (0.4, 0.25, 0.2))])
def test_declared_order(dynamics: Dynamics, order: int, sizes: tuple[float, ...]) -> None:
    found = []
    for h in sizes:
        motion = Motion(dynamics, *start(), h=h, order=order)
        motion.run(round(END / h))
        found.append(errors(motion))
    for error in np.array(found).T:
        assert order_of(np.array(sizes), error) == pytest.approx(order, abs=0.2), found


def test_kinetic_energy_and_angular_momentum_are_kept(dynamics: Dynamics) -> None:
    run = Motion(dynamics, *start(), h=0.05).run(20000, every=10)
    balance = dynamics.balance(run.q, run.v)
    assert np.abs(balance.angular_momentum - balance.angular_momentum[0]).max() < 1e-12 * 2.0
    assert np.abs(balance.kinetic / balance.kinetic[0] - 1).max() < 2e-3
