"""Signed gap of two convex shapes: distance apart, or less the depth of penetration.

The depth is the shortest way on which one shape, moved without turning, leaves the other. Apart or not, the gap is

    gap = max over unit n of  min_A n·x − max_B n·y,                                          (1)

a continuous function of the configuration whose gradient is given by n and the two points. A ball that sweeps a core
takes its radius off every separation, so the gap of swept shapes is that of their cores less the radii.

All write into `hit` (hit.py) the normal from B to A, the point on A, the point on B; and return the gap.
"""

import math

import numpy as np

from softdock.contact.boxes import boxes
from softdock.contact.closest import OUT, closest_points, extreme
from softdock.contact.cylinders import best_direction, outside, rims_again
from softdock.contact.hit import NORMAL, ON_A, ON_B
from softdock.contact.polytopes import hulls
from softdock.contact.shapes import DISC, HALF, RADIUS
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, upright, write
from softdock.kernels.jit import njit

_ROUNDING = 1e-15
"""Of a point's coordinates, relative to their size."""
_FLAT = 1e-9
"""Sine below which a direction counts as a cylinder's cap's, or cosine as its side's."""


@njit(cache=True, nogil=True, apart=True)
def gap(shapes, a, b, A, B, R_A, R_B, hit):
    """Gap of shapes a and b, whose points are A and B in the world; R_A, R_B turn their links' axes."""
    if shapes.sizes[a, HALF] > 0.0 and shapes.sizes[b, HALF] > 0.0:
        return boxes(A, B, shapes.sizes[a], shapes.sizes[b], hit)
    if shapes.sizes[a, DISC] > 0.0 or shapes.sizes[b, DISC] > 0.0:
        da, db = shapes.sizes[a, DISC], shapes.sizes[b, DISC]
        s, n = best_direction(shapes, a, b, A, B, R_A, R_B)
        _cylinder_points(A, da, B, db, s, n, hit)
        if da > 0.0 and db > 0.0:
            p, q = (hit[ON_A], hit[ON_A + 1], hit[ON_A + 2]), (hit[ON_B], hit[ON_B + 1], hit[ON_B + 2])
            if max(outside(A, da, p), outside(B, db, q)) > 1e-11 * (da + db):  # not yet the largest separation
                s, n = rims_again(A, da, B, db, s, n)
                _cylinder_points(A, da, B, db, s, n, hit)
        write(hit, NORMAL, n)
    elif A.shape[0] <= 2 and B.shape[0] <= 2:
        s = segments(A, B, hit)
    else:
        s = hulls(shapes, a, b, A, B, R_A, R_B, hit)
    for k in range(3):
        hit[ON_A + k] -= shapes.sizes[a, RADIUS] * hit[NORMAL + k]
        hit[ON_B + k] += shapes.sizes[b, RADIUS] * hit[NORMAL + k]
    return s - shapes.sizes[a, RADIUS] - shapes.sizes[b, RADIUS]


@njit(cache=True, nogil=True)
def clamp(x):
    """x limited to 0..1."""
    return 0.0 if x < 0.0 else (1.0 if x > 1.0 else x)


@njit(cache=True, nogil=True)
def segments(A, B, hit):
    """Point or segment against point or segment (Ericson, Real-Time Collision Detection, 2005, sec. 5.1.9)."""
    p, r = row(A, 0), row(B, 0)
    d, g, w = minus(row(A, A.shape[0] - 1), p), minus(row(B, B.shape[0] - 1), r), minus(p, r)
    a, e, f, c, b = dot(d, d), dot(g, g), dot(g, w), dot(d, w), dot(d, g)
    if a <= 0.0 and e <= 0.0:
        x = y = 0.0
    elif a <= 0.0:
        x, y = 0.0, clamp(f / e)
    elif e <= 0.0:
        x, y = clamp(-c / a), 0.0
    else:
        denominator = a * e - b * b
        x = clamp((b * f - c * e) / denominator) if denominator > 1e-14 * a * e else 0.5
        y = (b * x + f) / e
        if y < 0.0 or y > 1.0:
            y = clamp(y)
            x = clamp((b * y - c) / a)
    x_a, y_b = plus(p, x, d), plus(r, y, g)
    apart = minus(x_a, y_b)
    distance, rounding = norm(apart), _ROUNDING * (norm(p) + norm(r) + math.sqrt(a) + math.sqrt(e))
    m = cross(d, g)
    sine = norm(m) / math.sqrt(a * e) if a * e > 0.0 else 0.0
    crossed = sine > _FLAT
    if distance > (rounding / sine if crossed else rounding) or (distance > 0.0 and a <= 0.0 and e <= 0.0):
        n = times(1.0 / distance, apart)
    else:  # rounding has no direction, and nearly parallel lines more of it
        n = times(1.0 / norm(m), m) if crossed else upright(d if a > 0.0 else g)
        if dot(n, apart) < 0.0:
            n = times(-1.0, n)
    write(hit, NORMAL, n)
    write(hit, ON_A, x_a)
    write(hit, ON_B, y_b)
    return distance


@njit(cache=True, nogil=True)
def touching(A, disc, n, out):
    """The part of a cylinder furthest along n in out (2, 3): a rim's point, a side's line; of a cap only its centre.
    How many points that are, 0 for a cap."""
    d = minus(row(A, 1), row(A, 0))
    u = times(1.0 / norm(d), d)
    radial = plus(n, -dot(n, u), u)
    length = norm(radial)
    at = extreme(A, n)
    if length < _FLAT:
        for k in range(3):
            out[0, k] = out[1, k] = A[at, k]
        return 0
    line = abs(dot(n, u)) < _FLAT
    for i in range(2):
        for k in range(3):
            out[i, k] = A[i if line else at, k] + disc / length * radial[k]
    return 2 if line else 1


@njit(cache=True, nogil=True)
def level(A, n, out):
    """The points of a hull that are furthest along n, within rounding, in out: how many."""
    height = dot(n, row(A, extreme(A, n)))
    slack = 1e-10 * norm(minus(row(A, 0), row(A, A.shape[0] - 1)))
    count = 0
    for k in range(A.shape[0]):
        if dot(n, row(A, k)) >= height - slack:
            for i in range(3):
                out[count, i] = A[k, i]
            count += 1
    return count


@njit(cache=True, nogil=True)
def _middle(points):
    """The mean of points, as an array of one."""
    out = np.zeros((1, 3))
    for i in range(points.shape[0]):
        for k in range(3):
            out[0, k] += points[i, k] / points.shape[0]
    return out


@njit(cache=True, nogil=True)
def _cylinder_points(A, disc_a, B, disc_b, s, n, hit):
    """Points s apart along n, of two cores of which at least one is a cylinder.

    The parts furthest along n, projected along it, overlap. A rim's point decides alone; against a cap, the other
    part's point closest to its centre is in it; two caps share the middle of their chord through both centres.
    """
    x, y = np.empty((max(2, A.shape[0]), 3)), np.empty((max(2, B.shape[0]), 3))
    of_a = touching(A, disc_a, times(-1.0, n), x) if disc_a > 0.0 else level(A, times(-1.0, n), x)
    of_b = touching(B, disc_b, n, y) if disc_b > 0.0 else level(B, n, y)
    if of_a == 1:
        p = row(x, 0)
        q = plus(p, -s, n)
    elif of_b == 1:
        q = row(y, 0)
        p = plus(q, s, n)
    elif of_a == 0 and of_b == 0:
        q = row(y, 0)
        apart = minus(row(x, 0), q)
        apart = plus(apart, -dot(apart, n), n)
        far = norm(apart)
        middle = 0.5 * (max(-disc_b, far - disc_a) + min(disc_b, far + disc_a))
        if far > 0.0:
            q = plus(q, middle / far, apart)
        p = plus(q, s, n)
    else:
        size = norm(minus(row(A, 0), row(A, A.shape[0] - 1))) + norm(minus(row(B, 0), row(B, B.shape[0] - 1)))
        far = OUT * (size + disc_a + disc_b)
        away = times(far - s, n)
        x, y = x[: max(of_a, 1)], y[: max(of_b, 1)]
        # a side lying on something touches along a stretch: its middle, if that is on it, takes a blow without a turn
        first, second = (_middle(x), y) if of_a == 2 else (x, _middle(y))
        squared, _, p, q = closest_points(first, second, away, n)
        if squared > (1.0 + 1e-9) * far * far:
            _, _, p, q = closest_points(x, y, away, n)
        if of_a == 0:
            p = plus(q, s, n)
        elif of_b == 0:
            q = plus(p, -s, n)
    write(hit, ON_A, p)
    write(hit, ON_B, q)
