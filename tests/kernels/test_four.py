"""Vectors of four in compiled loops: what each lane holds is what a loop of one number computes."""

import numpy as np
import pytest

from softdock.kernels.four import any_of, copy_rows, larger, put, root, smaller, spread, take, where
from softdock.kernels.jit import njit
from softdock.kernels.lanes import LANES


def lanes(rows: int, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, LANES))


@njit
def polynomial(a, b, out):
    x, y = take(a, 0), take(b, 0)
    put(out, 0, x + y)
    put(out, 1, x - 2.0 * y)
    put(out, 2, (x * y + 1.0) / (y - 0.5))
    put(out, 3, root(x * x + y * y))
    put(out, 4, larger(x, y))
    put(out, 5, smaller(x, y))
    put(out, 6, spread(3.0))


def test_each_operation_is_rounded_on_its_own():
    """As NumPy's: no product is fused with a sum."""
    a, b, out = lanes(1), lanes(1, 8), np.zeros((7, LANES))
    polynomial(a, b, out)
    (x,), (y,) = a, b
    expected = [x + y, x - 2 * y, (x * y + 1) / (y - 0.5), np.sqrt(x * x + y * y), np.maximum(x, y), np.minimum(x, y)]
    np.testing.assert_array_equal(out, [*expected, np.full(LANES, 3.0)])


@njit
def chosen(a, b, limit, out):
    x, y = take(a, 0), take(b, 0)
    first = (x < y) & ~(x <= limit)
    put(out, 0, where(first, x, -1.0))
    put(out, 1, where((x > limit) | (y >= limit), x, y))
    put(out, 2, where(x == limit, 1.0, 0.0))
    return any_of(first), any_of(~(x == y))


@pytest.mark.parametrize("limit", [-9.0, 0.0, 9.0])
def test_flags_choose_lane_by_lane(limit: float):
    a, b, out = lanes(1), lanes(1, 8), np.zeros((3, LANES))
    a[0, 2] = np.nan
    some, differ = chosen(a, b, limit, out)
    (x,), (y,) = a, b
    first = (x < y) & ~(x <= limit)
    np.testing.assert_array_equal(out[0], np.where(first, x, -1.0))
    np.testing.assert_array_equal(out[1], np.where((x > limit) | (y >= limit), x, y))
    np.testing.assert_array_equal(out[2], x == limit)
    assert some == first.any()
    assert differ


@njit
def moved(source, target, n):
    copy_rows(source, target, n)


def test_rows_of_an_array_of_more_axes():
    source, target = lanes(6).reshape(2, 3, LANES), np.zeros((2, 3, LANES))
    moved(source, target, 5)
    np.testing.assert_array_equal(target.reshape(-1, LANES)[:5], source.reshape(-1, LANES)[:5])
    assert not target[1, 2].any()
