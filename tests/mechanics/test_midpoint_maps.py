"""The series of a step's turn, against mpmath, up to the largest turn that a step may make."""

import casadi as ca
import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softdock.mechanics.rotation import MidpointMaps, exp, matrix, normalised, product, turn

phi = ca.SX.sym("phi", 3)
_maps = MidpointMaps.of(phi)
MAPS = ca.Function("maps", [phi], [_maps.g, _maps.along, _maps.t, _maps.half, exp(phi)])


@pytest.mark.parametrize("x", [0.0, 1e-9, 1e-7, 1e-3, 0.1, 0.7, 1.3, 2.0])
def test_coefficients_are_exact_to_rounding(x: float) -> None:
    axis = np.array([0.36, -0.48, 0.8])
    g, along, t, half, whole = (value.full().ravel() for value in MAPS(x * axis))
    with mpmath.workdps(40):
        X = mpmath.mpf(x)
        expected_g = (X / 2) / mpmath.sin(X / 2) if x else mpmath.mpf(1)
        expected_along = (1 - expected_g) / X**2 if x else -mpmath.mpf(1) / 24
        expected_t = mpmath.tan(X / 4) / X if x else mpmath.mpf(1) / 4
        cosine, sine = float(mpmath.cos(X / 4)), float(mpmath.sin(X / 4))
        cosine2, sine2 = float(mpmath.cos(X / 2)), float(mpmath.sin(X / 2))
    for found, expected in ((g, expected_g), (along, expected_along), (t, expected_t)):
        assert found[0] == pytest.approx(float(expected), rel=4e-15)
    np.testing.assert_allclose(half, [cosine, *(sine * axis)], atol=4e-16)
    np.testing.assert_allclose(whole, [cosine2, *(sine2 * axis)], atol=4e-16)


unit = st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda x: np.linalg.norm(x) > 0.1)
vector = st.lists(st.floats(-3, 3), min_size=3, max_size=3)


def _unit(x: list[float]) -> np.ndarray:
    return np.array(x) / np.linalg.norm(x)


a, b, v = ca.SX.sym("a", 4), ca.SX.sym("b", 4), ca.SX.sym("v", 3)
GROUP = ca.Function("group", [a, b, v], [matrix(a), matrix(b), matrix(product(a, b)), turn(a, v), normalised(1.0 * a)])


@settings(max_examples=50, deadline=None)
@given(unit, unit, vector)
def test_quaternions_multiply_as_their_matrices(x: list[float], y: list[float], u: list[float]) -> None:
    A, B, AB, turned, same = (value.full() for value in GROUP(_unit(x), _unit(y), u))
    np.testing.assert_allclose(A @ A.T, np.eye(3), atol=1e-15 * 4)
    np.testing.assert_allclose(A @ B, AB, atol=2e-15)
    np.testing.assert_allclose(turned.ravel(), A @ np.array(u), atol=1e-14)
    np.testing.assert_allclose(same.ravel(), _unit(x), atol=1e-15)
