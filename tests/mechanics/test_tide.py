"""Differential gravity keeps its digits from a millimetre to farther than Earth's centre."""

import casadi as ca
import mpmath
import numpy as np
import pytest

from softdock.mechanics.gravity import Tide

MU = 3.986004418e14
DISTANCES = [1e-3, 1.0, 1e2, 1e4, 1e6, 1e7]
R = np.array([4.2e6, -3.1e6, 4.4e6])


def tide() -> ca.Function:
    r, rho = ca.SX.sym("r", 3), ca.SX.sym("rho", 3)
    model = Tide(ca.SX(MU), r)
    return ca.Function("tide", [r, rho], [model.acceleration(r, rho), model.potential(r, rho)])


def exact(r: np.ndarray, rho: np.ndarray) -> tuple[np.ndarray, float]:
    """Gravity at r + ρ less gravity at r, and the potential of that, in 50 digits."""
    with mpmath.workdps(50):
        mu, a, d = mpmath.mpf(MU), mpmath.matrix(r.tolist()), mpmath.matrix(rho.tolist())
        b = a + d
        near, far = mpmath.norm(a), mpmath.norm(b)
        acceleration = -mu * b / far**3 + mu * a / near**3
        dot = sum(x * y for x, y in zip(a, d, strict=True))
        potential = -mu / far + mu / near - mu * dot / near**3
        return np.array([float(x) for x in acceleration]), float(potential)


@pytest.mark.parametrize("distance", DISTANCES)
def test_acceleration_and_potential_to_rounding(distance: float) -> None:
    function, rng = tide(), np.random.default_rng(int(np.log10(distance)) + 10)
    for _ in range(20):
        direction = rng.normal(size=3)
        rho = distance * direction / np.linalg.norm(direction)
        acceleration, potential = (x.full().ravel() for x in function(R, rho))
        a, U = exact(R, rho)
        assert np.abs(acceleration - a).max() < 1e-14 * np.abs(a).max()
        size = MU * distance**2 / np.linalg.norm(R) ** 3  # the potential itself vanishes in some directions
        assert abs(potential[0] - U) < 1e-14 * max(size, abs(U))


def test_at_the_reference_point_there_is_no_tide() -> None:
    acceleration, potential = tide()(R, np.zeros(3))
    assert not acceleration.full().any() and float(potential) == 0.0
