"""Hulls of points against each other: closest points if they are apart, separating axes if they overlap.

A point and a segment are such hulls, the cores of spheres and capsules.
"""

import math

from softdock.contact.closest import OUT, closest_points, extreme
from softdock.contact.hit import NORMAL, ON_A, ON_B
from softdock.contact.shapes import EDGE, FACE, POINT
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, turned, upright, write
from softdock.kernels.jit import njit

_TOUCHING = 1e-7
"""Distance, in sizes, below which the direction between closest points loses digits."""
_ALIKE = 1e-12
"""Difference, in sizes, up to which a separating axis is taken for the direction between touching closest points."""
_NOISE = 1e-15
"""Rounding of a separation, in sizes; an edge pair's has it divided by the sine of the edges' angle. A face's normal is
preferred to an edge pair's that is better by no more."""


@njit(cache=True, nogil=True)
def hulls(shapes, a, b, A, B, R_A, R_B, hit):
    """Gap of the cores of shapes a and b."""
    guess = minus(row(A, 0), row(B, 0))
    squared, v, x, y = closest_points(A, B, (0.0, 0.0, 0.0), guess)
    distance = math.sqrt(squared)
    size = norm(minus(row(A, 0), row(A, A.shape[0] - 1))) + norm(minus(row(B, 0), row(B, B.shape[0] - 1)))
    if distance > _TOUCHING * size:
        n = times(1.0 / distance, v)
    else:
        s, n = separating_axis(shapes, a, b, A, B, R_A, R_B, _NOISE * size)
        if s <= 0.0:
            _, _, x, y = closest_points(A, B, times(OUT * size - s, n), n)
            distance = s
        elif distance > s + _ALIKE * size:
            n = times(1.0 / distance, v)
        else:
            distance = s
    write(hit, NORMAL, n)
    write(hit, ON_A, x)
    write(hit, ON_B, y)
    return distance


@njit(cache=True, nogil=True)
def separating_axis(shapes, a, b, A, B, R_A, R_B, noise):
    """Largest separation over face normals and edge pairs, and its direction from B to A."""
    s, n = _faces(shapes, a, A, R_A, B)
    n = times(-1.0, n)
    other, m = _faces(shapes, b, B, R_B, A)
    if other > s:
        s, n = other, m
    if A.shape[0] > 2 and B.shape[0] > 2:
        return _edge_pairs(shapes, a, b, A, B, R_A, R_B, s, n, noise)
    if A.shape[0] == 2 and B.shape[0] == 2:
        m = cross(minus(row(A, 1), row(A, 0)), minus(row(B, 1), row(B, 0)))
        length = norm(m)
        return 0.0, times(1.0 / length, m) if length > 0.0 else upright(minus(row(A, 1), row(A, 0)))
    if A.shape[0] == 2:
        return _segment_edges(shapes, b, A, B, s, n, noise, 1.0)
    if B.shape[0] == 2:
        return _segment_edges(shapes, a, B, A, s, n, noise, -1.0)
    return s, n


@njit(cache=True, nogil=True)
def _faces(shapes, a, A, R_A, B):
    """Largest separation of points B from polytope a over a's face normals, and that normal."""
    first = shapes.table[a, POINT]
    best, axis = -math.inf, (0.0, 0.0, 1.0)
    for face in range(shapes.table[a, FACE], shapes.table[a + 1, FACE]):
        n = turned(R_A, row(shapes.normals, face))
        lowest = dot(n, row(B, extreme(B, times(-1.0, n)))) - dot(n, row(A, shapes.indices[face, 0] - first))
        if lowest > best:
            best, axis = lowest, n
    return best, axis


@njit(cache=True, nogil=True)
def _segment_edges(shapes, b, A, B, s, n, noise, sign):
    """Improves on (s, n) by the axes of segment A with the edges of polytope b; `sign` −1 if it is the first."""
    first = shapes.table[b, POINT]
    d = minus(row(A, 1), row(A, 0))
    for edge in range(shapes.table[b, EDGE], shapes.table[b + 1, EDGE]):
        p = row(B, shapes.indices[edge, 0] - first)
        m = cross(d, minus(row(B, shapes.indices[edge, 1] - first), p))
        length = norm(m)
        sine = length / (norm(d) * norm(minus(row(B, shapes.indices[edge, 1] - first), p)))
        if sine > 1e-9:
            m = times((1.0 if dot(m, minus(row(A, 0), p)) >= 0.0 else -1.0) / length, m)
            for _ in range(2):
                apart = dot(m, row(A, 0)) - dot(m, row(B, extreme(B, m)))
                if apart > s + noise + noise / sine:
                    s, n = apart, times(sign, m)
                m = times(-1.0, m)
    return s, n


@njit(cache=True, nogil=True)
def _edge_pairs(shapes, a, b, A, B, R_A, R_B, s, n, noise):
    """Improves on (s, n) by the edge pairs of two polytopes."""
    first_a, first_b = shapes.table[a, POINT], shapes.table[b, POINT]
    for i in range(shapes.table[a, EDGE], shapes.table[a + 1, EDGE]):
        p, q = row(A, shapes.indices[i, 0] - first_a), row(A, shapes.indices[i, 1] - first_a)
        na = turned(R_A, row(shapes.normals, shapes.indices[i, 2]))
        ma = turned(R_A, row(shapes.normals, shapes.indices[i, 3]))
        across = cross(ma, na)
        for j in range(shapes.table[b, EDGE], shapes.table[b + 1, EDGE]):
            nb = turned(R_B, row(shapes.normals, shapes.indices[j, 2]))
            mb = turned(R_B, row(shapes.normals, shapes.indices[j, 3]))
            if dot(nb, across) * dot(mb, across) >= 0.0 or not crosses(na, ma, nb, mb, across):
                continue
            r, t = row(B, shapes.indices[j, 0] - first_b), row(B, shapes.indices[j, 1] - first_b)
            m = cross(minus(q, p), minus(t, r))
            length = norm(m)
            sine = length / (norm(minus(q, p)) * norm(minus(t, r)))
            if sine > 1e-9:
                m = times((-1.0 if dot(m, plus(na, 1.0, ma)) >= 0.0 else 1.0) / length, m)
                apart = dot(m, minus(p, r))
                if apart > s + noise + noise / sine:
                    s, n = apart, m
    return s, n


@njit(cache=True, nogil=True)
def crosses(a, b, nc, nd, across):
    """Do the arcs a-b and −nc to −nd of two edges' normals cross on the Gauss sphere? Only then can
    the edges' cross product separate the polytopes (Gregorius, The Separating Axis Test, GDC 2013).
    `across` is b × a."""
    dc = cross(nd, nc)
    cba, dba = -dot(nc, across), -dot(nd, across)
    adc, bdc = dot(a, dc), dot(b, dc)
    return cba * dba < 0.0 and adc * bdc < 0.0 and cba * bdc > 0.0
