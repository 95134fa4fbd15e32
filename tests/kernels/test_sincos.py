"""Sine and cosine against arithmetic of 300 bits, in units of the last place (ulp) of the exact answer."""

import casadi
import mpmath
import numpy as np
import pytest

BATCH = 256


@pytest.fixture(scope="module")
def sincos(compiled):
    q = casadi.SX.sym("q", BATCH)
    kernel = compiled(casadi.Function("f", [q], [casadi.vertcat(casadi.sin(q), casadi.cos(q))]))

    def both(x):
        batches = np.resize(x, (-(-len(x) // BATCH), BATCH))
        s, c = np.concatenate([kernel(batch).reshape(2, BATCH) for batch in batches], axis=1)
        return s[: len(x)], c[: len(x)]

    return both


def error_in_ulp(ours, exact) -> float:
    worst = 0.0
    for value, truth in zip(ours, exact, strict=True):
        unit = np.spacing(abs(float(truth))) or 5e-324
        worst = max(worst, float(abs(mpmath.mpf(float(value)) - truth) / mpmath.mpf(float(unit))))
    return worst


def worst_errors(sincos, x) -> tuple[float, float]:
    """Angles are below 2²¹ and no nearer than 2⁻⁸⁰ to a zero: 300 bits leave 100 beyond those of a double, and more."""
    with mpmath.workprec(300):
        angles = [mpmath.mpf(float(angle)) for angle in x]
        s, c = sincos(x)
        return error_in_ulp(s, map(mpmath.sin, angles)), error_in_ulp(c, map(mpmath.cos, angles))


def near_quadrants(limit: float, count: int, rng) -> np.ndarray:
    """Doubles next to multiples of π/4, where the argument reduction cancels."""
    n = rng.integers(1, int(limit / (np.pi / 4)), size=count)
    with mpmath.workprec(200):
        x = np.array([float(mpmath.pi * int(k) / 4) for k in n])
    steps = rng.integers(-2, 3, size=count)
    return (x + steps * np.spacing(x)) * rng.choice([-1, 1], size=count)


@pytest.mark.parametrize("magnitude", [1e-300, 1e-20, 1e-8, 1e-3, 0.1, 1, 10, 1e2, 1e3, 1e4, 1e5, 1e6])
def test_every_magnitude(sincos, magnitude) -> None:
    x = np.random.default_rng(3).uniform(-magnitude, magnitude, size=2000)
    assert max(worst_errors(sincos, x)) < 1.0


@pytest.mark.parametrize("limit", [10, 1e3, 1e5, 1.6e6])
def test_next_to_multiples_of_a_quarter_turn(sincos, limit) -> None:
    x = near_quadrants(limit, 3000, np.random.default_rng(5))
    assert max(worst_errors(sincos, x)) < 1.0


def test_closest_doubles_to_multiples_of_a_right_angle(sincos) -> None:
    """Of all n < 2²⁰, the hundred whose nearest double lies closest to n π/2: the worst cancellations there are."""
    with mpmath.workprec(200):  # π/2 in parts of 32 bits, whose products with n are exact
        head = mpmath.floor(mpmath.pi / 2 * 2**31) / 2**31
        middle = mpmath.floor((mpmath.pi / 2 - head) * 2**63) / 2**63
        parts = [float(part) for part in (head, middle, mpmath.pi / 2 - head - middle)]
    first, second, third = np.multiply.outer(parts, np.arange(1, 2**20))
    x = first + (second + third)
    away = (first - x) + second + third
    x = x[np.argsort(np.abs(away))[:100]]
    assert max(worst_errors(sincos, x)) < 1.0


def test_beyond_its_range_it_errs_by_a_neighbouring_angle(sincos) -> None:
    x = np.random.default_rng(9).uniform(2e6, 1e15, size=2000)
    s, c = sincos(x)
    with mpmath.workprec(200):
        exact = [(float(mpmath.sin(mpmath.mpf(float(a)))), float(mpmath.cos(mpmath.mpf(float(a))))) for a in x]
    miss = np.hypot(*(np.array([s, c]) - np.array(exact).T))
    assert np.all(miss < 2 * np.spacing(x))


def test_no_answer_where_there_is_none(sincos) -> None:
    s, c = sincos(np.array([np.nan, np.inf, -np.inf, 2.0**50, -1e300]))
    assert np.all(np.isnan(s)) and np.all(np.isnan(c))


def test_zeros_keep_their_sign_and_tiny_angles_their_value(sincos) -> None:
    tiny = np.array([0.0, -0.0, 5e-324, -5e-324, 1e-310, 1e-200])
    s, c = sincos(tiny)
    np.testing.assert_array_equal(s, tiny)
    np.testing.assert_array_equal(np.signbit(s), np.signbit(tiny))
    np.testing.assert_array_equal(c, 1.0)


def test_symmetry(sincos) -> None:
    x = np.random.default_rng(1).uniform(0, 100, size=1000)
    (s, c), (s_minus, c_minus) = sincos(x), sincos(-x)
    np.testing.assert_array_equal(s_minus, -s)
    np.testing.assert_array_equal(c_minus, c)
