"""Supports of convex shapes, compiled: how far they are apart along a direction."""

import math
from typing import NamedTuple

import numpy as np

from softdock.contact.query import DISTANCE, PLACES
from softdock.contact.vectors import dot, of_transposed, row, times, vector
from softdock.kernels.jit import njit


class Support(NamedTuple):
    """A shape in its body's frame: points (n, 3), swept by a ball and by a disc across an axis."""

    points: np.ndarray
    """(m)."""
    axis: np.ndarray
    """(-)."""
    radius: float
    """(m)."""
    disc: float
    """(m)."""


@njit(cache=True, nogil=True)
def _least(shape, n, X):
    """min over a shape's points of n·x, at a pose (4, 4)."""
    inward, low = of_transposed(X, n), np.inf
    for k in range(len(shape.points)):
        low = min(low, dot(inward, row(shape.points, k)))
    if shape.disc > 0.0:
        low -= shape.disc * math.sqrt(max(1.0 - dot(inward, vector(shape.axis)) ** 2, 0.0))
    return low - shape.radius + n[0] * X[0, 3] + n[1] * X[1, 3] + n[2] * X[2, 3]


@njit(cache=True, nogil=True)
def raise_to_gap(a, b, rows, X_A, X_B, low):
    """Raise each of `low` (k) to min(φ, s(n)) of two shapes: gap and normal by `rows` (k, 10) at one end of a stretch,
    s(n) = min_A n·x − max_B n·y at the other, where poses are X_A and X_B (k, 4, 4)."""
    for k in range(len(rows)):
        n = (rows[k, PLACES], rows[k, PLACES + 1], rows[k, PLACES + 2])
        apart = _least(a, n, X_A[k]) + _least(b, times(-1.0, n), X_B[k])
        low[k] = max(low[k], min(rows[k, DISTANCE], apart))
