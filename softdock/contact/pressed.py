"""The patch of a compliant contact: points with shares of its stiffness, which change continuously as the shapes move.

A shape shows the faces that are most across the normal, each with a weight: where one takes over from another, both
are shown. Two faces are clipped against each other across the normal; a corner of what is left has its exterior angle,
over 2π, as its share. That measure is continuous (Schneider, Convex Bodies, 2014, sec. 4.2): it passes to 1/2 and 1/2
where the polygon shrinks to an edge, to 1 at a point, and a corner that splits in two divides it.
"""

import math

import numpy as np

from softdock.contact.cylinders import separation
from softdock.contact.hit import GAP, HIT, NORMAL
from softdock.contact.patches import LEVEL, MOST, ROOM, along, cap, common, corners_of, only, rim, sine_between
from softdock.contact.proximity import gap
from softdock.contact.shapes import BALL, DISC, FACE, POINT, RADIUS
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, turned, vector, write
from softdock.kernels.jit import njit

PRESSED = 2 * MOST
"""Points of a patch."""
TURN = 0.04
"""Angle (rad) between n and a face, beyond that of the face most across n, at which it is no longer shown."""
STEEP = 0.3
"""Sine of a cap's tilt at which only the cylinder's side is shown; up to LEVEL only the cap is."""
BAND = 0.5
"""Part of the depth by which a face's direction may be deeper than the least and still count in the normal."""
NEARLY = 0.8
"""Part of the depth that counts as all of it."""
_SHOWN = 4
"""Faces of a shape that are shown at once, at most."""
_CAP, _SIDE = -1, -2
_SAME = 1e-9
"""Distance, relative to a patch's size, up to which two points are one."""


@njit(cache=True, nogil=True, apart=True)
def pressed(shapes, a, b, A, B, R_A, R_B, normal, points, shares):
    """Patch of shapes a and b (arguments as of `gap`), apart or overlapping: how many points.

    Writes the unit normal from B to A (3), and for each point its place, midway between the shapes, its signed gap
    along the normal (16, 4) and its share (16). Shares add up to 1.
    """
    hit = np.empty(HIT)
    s = gap(shapes, a, b, A, B, R_A, R_B, hit)
    n = vector(hit[NORMAL:])
    if A.shape[0] == 1 or B.shape[0] == 1:
        write(normal, 0, n)
        shares[0] = 1.0
        return only(hit, s, points)
    n = _mean_normal(shapes, a, b, A, B, R_A, R_B, s, n)
    write(normal, 0, n)
    faces, weights = np.empty((2, _SHOWN), np.int64), np.empty((2, _SHOWN))
    of_a = _shown(shapes, a, A, R_A, times(-1.0, n), faces[0], weights[0])
    of_b = _shown(shapes, b, B, R_B, n, faces[1], weights[1])
    first, second, work = np.empty((ROOM, 3)), np.empty((ROOM, 3)), np.empty((2, ROOM, 3))
    found, angles, count, left = np.empty((ROOM, 4)), np.empty(ROOM), 0, 1.0
    same = _SAME * min(shapes.sizes[a, BALL], shapes.sizes[b, BALL])
    deepest = separation(A, shapes.sizes[a, DISC], B, shapes.sizes[b, DISC], n)
    deepest -= shapes.sizes[a, RADIUS] + shapes.sizes[b, RADIUS]
    for i in range(of_a):
        across_a = _across(shapes, A, R_A, faces[0, i], times(-1.0, n))
        for j in range(of_b):
            across_b = _across(shapes, B, R_B, faces[1, j], n)
            many = _outline(shapes, a, A, R_A, times(-1.0, n), faces[0, i], times(-1.0, across_b), first)
            sides = _outline(shapes, b, B, R_B, n, faces[1, j], times(-1.0, across_a), second)
            weight = weights[0, i] * weights[1, j]
            if many > 2 or sides > 2:
                number = common(first, many, second, sides, n, max(0.0, -s), work, found)
                for k in range(number):  # beyond a face's edge its plane may be deeper than the shape is
                    found[k, GAP] = max(found[k, GAP], deepest)
            else:
                weight *= min(1.0, max(0.0, 2.0 - sine_between(first, second) / LEVEL))
                number = along(first, second, n, found) if weight > 0.0 else 0
            weight *= _part_met(found, number, s)
            number = _angles(found, number, n, angles)
            for k in range(number if weight > 0.0 else 0):
                count = _add(points, shares, count, found[k], weight * angles[k], same)
            left -= weight
    if left > 1e-12:
        only(hit, s, found)
        count = _add(points, shares, count, found[0], left, same)
    return count


@njit(cache=True, nogil=True)
def _mean_normal(shapes, a, b, A, B, R_A, R_B, s, n):
    """The normal of cores that overlap: not that of the least depth alone, which jumps from face to face where two are
    as deep, but with others that are nearly so, by how nearly."""
    s += shapes.sizes[a, RADIUS] + shapes.sizes[b, RADIUS]
    if s >= 0.0:
        return n
    band, best, total = BAND * -s, -math.inf, (0.0, 0.0, 0.0)
    for side in range(2):
        shape, R, X, sign = (a, R_A, A, -1.0) if side == 0 else (b, R_B, B, 1.0)
        flat = shapes.table[shape, FACE]
        for face in range(2 if shapes.sizes[shape, DISC] > 0.0 else shapes.table[shape + 1, FACE] - flat):
            if shapes.sizes[shape, DISC] > 0.0:
                d = minus(row(X, face), row(X, 1 - face))
                m = times(sign / norm(d), d)
            else:
                m = times(sign, turned(R, row(shapes.normals, flat + face)))
            apart = separation(A, shapes.sizes[a, DISC], B, shapes.sizes[b, DISC], m)
            best, total = max(best, apart), plus(total, max(0.0, 1.0 - (s - apart) / band), m)
    total = plus(total, min(1.0, max(0.0, (s - best) / band)), n)
    length = norm(total)
    return times(1.0 / length, total) if length > 0.0 else n


@njit(cache=True, nogil=True)
def _shown(shapes, a, A, R_A, n, faces, weights):
    """Which faces shape a shows along n, and the weight of each: how many. A capsule shows its side."""
    if A.shape[0] == 2:
        d = minus(row(A, 1), row(A, 0))
        sine = norm(cross(n, d)) / norm(d)
        capped = (STEEP - sine) / (STEEP - LEVEL) if shapes.sizes[a, DISC] > 0.0 else 0.0
        weights[0] = min(1.0, max(0.0, capped))
        weights[1] = 1.0 - weights[0]
        faces[0], faces[1] = _CAP, _SIDE
        if weights[0] == 0.0:
            weights[0], faces[0] = 1.0, _SIDE
        return 2 if 0.0 < weights[1] < 1.0 else 1
    count, total = 0, 0.0
    for face in range(shapes.table[a, FACE], shapes.table[a + 1, FACE]):
        cosine = dot(turned(R_A, row(shapes.normals, face)), n)
        k = min(count, _SHOWN - 1)
        if count == _SHOWN and cosine <= weights[k]:
            continue
        while k > 0 and weights[k - 1] < cosine:  # in order, the most across first
            weights[k], faces[k] = weights[k - 1], faces[k - 1]
            k -= 1
        weights[k], faces[k] = cosine, face
        count = min(count + 1, _SHOWN)
    steepest = math.acos(min(1.0, weights[0]))
    for k in range(count):
        weights[k] = max(0.0, 1.0 - (math.acos(min(1.0, max(-1.0, weights[k]))) - steepest) / TURN)
        total += weights[k]
    while weights[count - 1] == 0.0:
        count -= 1
    for k in range(count):
        weights[k] /= total
    return count


@njit(cache=True, nogil=True)
def _across(shapes, A, R_A, face, n):
    """Outward normal of a face; of a side, n."""
    if face == _SIDE:
        return n
    if face == _CAP:
        d = minus(row(A, 1), row(A, 0))
        return times((1.0 if dot(d, n) > 0.0 else -1.0) / norm(d), d)
    return turned(R_A, row(shapes.normals, face))


@njit(cache=True, nogil=True)
def _outline(shapes, a, A, R_A, n, face, low, out):
    """Corners of a face of shape a in order round n, or the ends of a side's line: how many. A cap has a corner where
    it is furthest along `low`."""
    if face == _CAP:
        return cap(A, shapes.sizes[a, DISC], n, low, out)
    if face == _SIDE:
        return rim(A, shapes.sizes[a, DISC], shapes.sizes[a, RADIUS], n, out)
    m = turned(R_A, row(shapes.normals, face))
    return corners_of(A, m, shapes.indices[face, 0] - shapes.table[a, POINT], out)


@njit(cache=True, nogil=True)
def _part_met(found, count, s):
    """How much two faces, with these points in common, have of the gap s: all if they are nearly as deep, nothing if
    they do not meet. The rest is where the gap is."""
    lowest = math.inf
    for k in range(count):
        lowest = min(lowest, found[k, GAP])
    if not lowest < math.inf:
        return 0.0
    return min(1.0, max(0.0, lowest / (NEARLY * s))) if s < 0.0 else 1.0


@njit(cache=True, nogil=True)
def _angles(found, count, n, angles):
    """Exterior angles, over 2π, of the corners of a polygon across n, with those that coincide made one: how many."""
    size, number = 0.0, 0
    for k in range(count):
        size = max(size, norm(minus(vector(found[k]), vector(found[0]))))
    for k in range(count):
        if number == 0 or norm(minus(vector(found[k]), vector(found[number - 1]))) > _SAME * size:
            for c in range(4):
                found[number, c] = found[k, c]
            number += 1
    while number > 1 and norm(minus(vector(found[number - 1]), vector(found[0]))) <= _SAME * size:
        number -= 1
    for k in range(number):
        angles[k] = 1.0 / number
        if number > 2:
            x = vector(found[k])
            come, go = minus(x, vector(found[(k - 1) % number])), minus(vector(found[(k + 1) % number]), x)
            come, go = plus(come, -dot(come, n), n), plus(go, -dot(go, n), n)
            angles[k] = math.atan2(norm(cross(come, go)), dot(come, go)) / (2.0 * math.pi)
    return number


@njit(cache=True, nogil=True)
def _add(points, shares, count, x, share, same):
    """One more point, or more of one that is there already; if there is no room, the highest goes: how many."""
    highest = 0
    for k in range(count):
        if norm(minus(vector(points[k]), vector(x))) <= same:
            shares[k] += share
            return count
        highest = k if points[k, GAP] > points[highest, GAP] else highest
    at = count if count < PRESSED else highest
    if count == PRESSED and x[GAP] >= points[highest, GAP]:
        return count
    for c in range(4):
        points[at, c] = x[c]
    shares[at] = share
    return min(count + 1, PRESSED)
