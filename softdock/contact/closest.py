"""Closest points of two convex hulls of points (Gilbert, Johnson & Keerthi 1988), in finitely many steps.

A hull is an array of points, or a box: a tuple of its centre and its three half-axes, whose corners need not be
computed before they are asked for. The simplex lives in four slots of scalars; a slot is free if its weight is zero.
"""

import math
from typing import Any

from numba import types
from numba.extending import overload

from softdock.contact.vectors import cross, dot, minus, plus, row, times
from softdock.kernels.jit import njit

OUT = 1e-4
"""How far, in sizes, overlapping shapes are moved apart to find their points: further, rounding of the distance would
hide an error of the points across it that grows with its root."""
_MOST = 64
"""Steps; polytopes take fewer than ten."""


def extreme(A: Any, d: Any) -> Any:
    """Index of the point of A that is furthest along d; compiled code has one of the two below."""
    return (_extreme_corner if isinstance(A, tuple) else _extreme_point)(A, d)


def point(A: Any, i: Any) -> Any:
    """Point i of A."""
    return (_corner if isinstance(A, tuple) else row)(A, i)


@njit(cache=True, nogil=True)
def _extreme_point(A, d):
    best, at = A[0, 0] * d[0] + A[0, 1] * d[1] + A[0, 2] * d[2], 0
    for i in range(1, A.shape[0]):
        height = A[i, 0] * d[0] + A[i, 1] * d[1] + A[i, 2] * d[2]
        if height > best:
            best, at = height, i
    return at


@njit(cache=True, nogil=True)
def _extreme_corner(A, d):
    at = 4 if dot(A[1], d) > 0.0 else 0
    at += 2 if dot(A[2], d) > 0.0 else 0
    return at + 1 if dot(A[3], d) > 0.0 else at


@njit(cache=True, nogil=True)
def _corner(A, i):
    x, y, z = 1.0 if i & 4 else -1.0, 1.0 if i & 2 else -1.0, 1.0 if i & 1 else -1.0
    return plus(plus(plus(A[0], x, A[1]), y, A[2]), z, A[3])


@overload(extreme)
def _extreme_of(A, d):
    if isinstance(A, types.BaseTuple):
        return lambda A, d: _extreme_corner(A, d)  # noqa: PLW0108
    return lambda A, d: _extreme_point(A, d)  # noqa: PLW0108


@overload(point)
def _point_of(A, i):
    if isinstance(A, types.BaseTuple):
        return lambda A, i: _corner(A, i)  # noqa: PLW0108
    return lambda A, i: row(A, i)  # noqa: PLW0108


@njit(cache=True, nogil=True)
def on_segment(a, b):
    """Weights of the point of a-b closest to the origin."""
    d = minus(b, a)
    squared = dot(d, d)
    x = -dot(a, d) / squared if squared > 0.0 else 0.0
    x = 0.0 if x < 0.0 else (1.0 if x > 1.0 else x)
    return 1.0 - x, x


@njit(cache=True, nogil=True)
def on_triangle(a, b, c):
    """Weights of the point of a triangle closest to the origin, by Voronoi regions."""
    ab, ac = minus(b, a), minus(c, a)
    d1, d2 = -dot(ab, a), -dot(ac, a)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    d3, d4 = -dot(ab, b), -dot(ac, b)
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    d5, d6 = -dot(ab, c), -dot(ac, c)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    n = cross(ab, ac)
    # signed areas of the origin's foot with each side: cross products first, they cancel least
    vc, va, vb = dot(n, cross(a, b)), dot(n, cross(b, c)), dot(n, cross(c, a))
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        x, y = on_segment(a, b)
        return x, y, 0.0
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        x, y = on_segment(a, c)
        return x, 0.0, y
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        x, y = on_segment(b, c)
        return 0.0, x, y
    total = va + vb + vc
    if total <= 0.0:  # a needle
        x, y = on_segment(a, b)
        return x, y, 0.0
    return va / total, vb / total, vc / total


@njit(cache=True, nogil=True)
def _mixed(a, b, c, d, l):
    return (
        l[0] * a[0] + l[1] * b[0] + l[2] * c[0] + l[3] * d[0],
        l[0] * a[1] + l[1] * b[1] + l[2] * c[1] + l[3] * d[1],
        l[0] * a[2] + l[1] * b[2] + l[2] * c[2] + l[3] * d[2],
    )


@njit(cache=True, nogil=True)
def on_tetrahedron(a, b, c, d):
    """Weights of the point closest to the origin, all positive if the origin is inside."""
    ab, ac, ad = minus(b, a), minus(c, a), minus(d, a)
    volume = dot(ab, cross(ac, ad))
    flat = volume * volume <= 1e-28 * dot(ab, ab) * dot(ac, ac) * dot(ad, ad)
    # where the origin is, by the volumes that it makes with each face, in units of the whole
    la, lb = dot(b, cross(c, d)), -dot(a, cross(c, d))
    lc, ld = dot(a, cross(b, d)), -dot(a, cross(b, c))
    if not flat:
        la, lb, lc, ld = la / volume, lb / volume, lc / volume, ld / volume
        if la > 0.0 and lb > 0.0 and lc > 0.0 and ld > 0.0:
            return la, lb, lc, ld
    best, l = math.inf, (1.0, 0.0, 0.0, 0.0)
    if flat or ld <= 0.0:
        x, y, z = on_triangle(a, b, c)
        p = _mixed(a, b, c, d, (x, y, z, 0.0))
        best, l = dot(p, p), (x, y, z, 0.0)
    if flat or lc <= 0.0:
        x, y, z = on_triangle(a, b, d)
        p = _mixed(a, b, c, d, (x, y, 0.0, z))
        if dot(p, p) < best:
            best, l = dot(p, p), (x, y, 0.0, z)
    if flat or lb <= 0.0:
        x, y, z = on_triangle(a, c, d)
        p = _mixed(a, b, c, d, (x, 0.0, y, z))
        if dot(p, p) < best:
            best, l = dot(p, p), (x, 0.0, y, z)
    if flat or la <= 0.0:
        x, y, z = on_triangle(b, c, d)
        p = _mixed(a, b, c, d, (0.0, x, y, z))
        if dot(p, p) < best:
            l = (0.0, x, y, z)
    return l


@njit(cache=True, nogil=True)
def closest_points(A, B, shift, guess):
    """Closest points of hull(A) + shift and hull(B): squared distance (0 if they overlap), the way from B's to A's,
    both points.

    `guess` is a direction from B to A. The point of A is given without the shift. (Far from the origin the difference
    of the two points would be their rounding.)
    """
    i0, j0 = extreme(A, times(-1.0, guess)), extreme(B, guess)
    i1 = i2 = i3 = j1 = j2 = j3 = 0
    w0 = plus(minus(point(A, i0), point(B, j0)), 1.0, shift)
    w1 = w2 = w3 = w0
    l = (1.0, 0.0, 0.0, 0.0)
    v, squared = w0, dot(w0, w0)
    for _ in range(_MOST):
        if squared <= 0.0:
            break
        i, j = extreme(A, times(-1.0, v)), extreme(B, v)
        w = plus(minus(point(A, i), point(B, j)), 1.0, shift)
        if squared - dot(v, w) <= 0.0:  # a tolerance here would cost n the root of it
            break
        if (
            (l[0] > 0.0 and i == i0 and j == j0)
            or (l[1] > 0.0 and i == i1 and j == j1)
            or (l[2] > 0.0 and i == i2 and j == j2)
            or (l[3] > 0.0 and i == i3 and j == j3)
        ):
            break
        if l[0] == 0.0:
            w0, i0, j0 = w, i, j
            l = _weights(w0, w1, w2, w3, True, l[1] > 0.0, l[2] > 0.0, l[3] > 0.0)
        elif l[1] == 0.0:
            w1, i1, j1 = w, i, j
            l = _weights(w0, w1, w2, w3, True, True, l[2] > 0.0, l[3] > 0.0)
        elif l[2] == 0.0:
            w2, i2, j2 = w, i, j
            l = _weights(w0, w1, w2, w3, True, True, True, l[3] > 0.0)
        else:
            w3, i3, j3 = w, i, j
            l = on_tetrahedron(w0, w1, w2, w3)
        if l[0] > 0.0 and l[1] > 0.0 and l[2] > 0.0 and l[3] > 0.0:
            squared = 0.0
            break
        v = _mixed(w0, w1, w2, w3, l)
        now = dot(v, v)
        if now >= squared:
            squared = now
            break
        squared = now
    x = _mixed(point(A, i0), point(A, i1), point(A, i2), point(A, i3), l)
    y = _mixed(point(B, j0), point(B, j1), point(B, j2), point(B, j3), l)
    return squared, v, x, y


@njit(cache=True, nogil=True)
def _weights(a, b, c, d, has_a, has_b, has_c, has_d):
    """Weights of the point closest to the origin of a simplex of two or three of the slots."""
    if has_a and has_b and not has_c and not has_d:
        x, y = on_segment(a, b)
        return x, y, 0.0, 0.0
    if has_a and has_c and not has_b and not has_d:
        x, y = on_segment(a, c)
        return x, 0.0, y, 0.0
    if has_a and has_d and not has_b and not has_c:
        x, y = on_segment(a, d)
        return x, 0.0, 0.0, y
    if has_a and has_b and has_c and not has_d:
        x, y, z = on_triangle(a, b, c)
        return x, y, z, 0.0
    if has_a and has_b and has_d and not has_c:
        x, y, z = on_triangle(a, b, d)
        return x, y, 0.0, z
    if has_a and has_c and has_d and not has_b:
        x, y, z = on_triangle(a, c, d)
        return x, 0.0, y, z
    return on_tetrahedron(a, b, c, d)
