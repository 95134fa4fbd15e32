"""Supports of convex shapes, compiled: how far they are apart along a direction."""

import math
from typing import NamedTuple

import numpy as np

from softdock.contact.query import DISTANCE, PLACES, ask
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
        low[k] = max(low[k], _gap_along(a, b, rows[k], X_A[k], X_B[k]))


@njit(cache=True, nogil=True)
def _gap_along(a, b, row, X_A, X_B):
    """min(φ, s(n)) by the gap and normal of one end, at poses of the other."""
    n = (row[PLACES], row[PLACES + 1], row[PLACES + 2])
    return min(row[DISTANCE], _least(a, n, X_A) + _least(b, times(-1.0, n), X_B))


@njit(cache=True, nogil=True)
def look(query, a, b, t, X_A, X_B, rows, balls, L, bend, enough, tolerance, gap):
    """Answers at the times t (k) between which a gap may be less than it needs to be, into `rows` (k, 10); at others,
    the gaps of `balls` (k) and NaN. The first is where these are nearest. `gap` is the least that is known, `enough`
    what needs no look.

    Of the stretches: which are open, by eq. (1) and (2) of `clearance` with `L` and `bend`; the least of what is
    certified of others, and of these; and at which time the least gap is, −1 if it is not less than the known one.
    """
    points, turns = np.empty(query.shapes.points.shape), np.empty((2, 3, 3))
    found, is_open, closed, left = 0, np.zeros(len(L), np.bool_), np.inf, np.inf
    for k in range(len(t)):
        rows[k, :] = np.nan
        rows[k, DISTANCE] = balls[k]
        if balls[k] < balls[found]:
            found = k
    ask(query, X_A[found], X_B[found], points, turns, rows[found])
    found, gap = (found, rows[found, DISTANCE]) if rows[found, DISTANCE] < gap else (-1, gap)
    target = min(enough, gap - tolerance)
    for k in range(len(L)):
        low = (rows[k, DISTANCE] + rows[k + 1, DISTANCE] - L[k] * (t[k + 1] - t[k])) / 2
        is_open[k] = low < target
        closed = closed if is_open[k] else min(closed, low)
    for k in range(len(t)):
        needed = (k > 0 and is_open[k - 1]) or (k < len(L) and is_open[k])
        if needed and np.isnan(rows[k, PLACES]):
            ask(query, X_A[k], X_B[k], points, turns, rows[k])
            if rows[k, DISTANCE] < gap:
                found, gap = k, rows[k, DISTANCE]
    target = min(enough, gap - tolerance)
    for k in range(len(L)):
        if is_open[k]:
            span = t[k + 1] - t[k]
            along = max(
                _gap_along(a, b, rows[k], X_A[k + 1], X_B[k + 1]), _gap_along(a, b, rows[k + 1], X_A[k], X_B[k])
            )
            low = (rows[k, DISTANCE] + rows[k + 1, DISTANCE] - L[k] * span) / 2
            low = max(low, along - bend[k] * span**2 / 8)
            is_open[k] = low < target
            if is_open[k]:
                left = min(left, low)
            else:
                closed = min(closed, low)
    return is_open, closed, left, found
