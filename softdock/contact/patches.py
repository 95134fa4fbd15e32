"""Contact patch of two shapes: up to eight points that stand for the area on which they touch.

Each shape shows its part that faces the other: a polygon (face, or cap as a regular octagon), a segment (edge, side
line, core of a capsule) or a point. The two parts are clipped against each other in the plane across the normal.
"""

import math

import numpy as np

from softdock.contact.closest import extreme
from softdock.contact.hit import GAP, HIT, NORMAL, ON_A, ON_B
from softdock.contact.proximity import gap
from softdock.contact.shapes import DISC, FACE, POINT, RADIUS
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, turned, upright, write
from softdock.kernels.jit import njit

MOST = 8
"""Points of a patch."""
LEVEL = 0.02
"""Angle (rad) up to which a face, an edge or a side counts as lying flat."""
_TILT = 1e-9
"""Angle (rad) above which it is known where a cap's rim is lowest."""
_ANY = 0.5 * math.pi
"""What lies on a face shows the face that is most across the normal, however it is tilted: the force of a contact that
tips over does not jump."""
_ROOM = 64
"""Corners that a clipped polygon may have on the way."""


@njit(cache=True, nogil=True)
def patch(shapes, a, b, A, B, R_A, R_B, margin, normal, points):
    """Contact patch of shapes a and b (arguments as of `gap`): how many points, 0 if the gap is above `margin`.

    Writes the unit normal from B to A (3), and for each point its place, midway between the shapes, and its signed
    gap along the normal, negative where they overlap (8, 4). Points whose own gap is above `margin` are left out.
    """
    hit = np.empty(HIT)
    s = gap(shapes, a, b, A, B, R_A, R_B, hit)
    if s > margin:
        return 0
    n = (hit[NORMAL], hit[NORMAL + 1], hit[NORMAL + 2])
    write(normal, 0, n)
    if A.shape[0] == 1 or B.shape[0] == 1:
        return _only(hit, s, points)
    first, second = np.empty((_ROOM, 3)), np.empty((_ROOM, 3))
    count_a = facing(shapes, a, A, R_A, times(-1.0, n), LEVEL, first)
    count_b = facing(shapes, b, B, R_B, n, LEVEL, second)
    if count_b > 2 and count_a <= 2:
        count_a = facing(shapes, a, A, R_A, times(-1.0, n), _ANY, first)
    elif count_a > 2 and count_b <= 2:
        count_b = facing(shapes, b, B, R_B, n, _ANY, second)
    count = 0
    if count_a > 1 and count_b > 1 and (count_a > 2 or count_b > 2):
        count = _clipped(first, count_a, second, count_b, n, margin, points)
    elif count_a == 2 and count_b == 2:
        count = _along(first, second, n, margin, points)
    return count if count > 0 else _only(hit, s, points)


@njit(cache=True, nogil=True)
def _only(hit, s, points):
    """The single point where the gap s is."""
    for k in range(3):
        points[0, k] = 0.5 * (hit[ON_A + k] + hit[ON_B + k])
    points[0, GAP] = s
    return 1


@njit(cache=True, nogil=True)
def facing(shapes, a, A, R_A, n, slope, out):
    """The part of shape a that lies flat across n, up to a slope, in order round n, in out: how many points."""
    disc, radius = shapes.sizes[a, DISC], shapes.sizes[a, RADIUS]
    top = extreme(A, n)
    if A.shape[0] == 1:
        return _put(A, top, radius, n, out, 0)
    if A.shape[0] == 2:
        d = minus(row(A, 1), row(A, 0))
        u = times(1.0 / norm(d), d)
        radial = plus(n, -dot(n, u), u)
        level = norm(radial)
        if disc > 0.0 and level < LEVEL:
            e = times(1.0 / level, radial) if level > _TILT else upright(u)  # the rim's lowest point is among them
            f = cross(u, e) if dot(u, n) > 0.0 else cross(e, u)
            for k in range(MOST):
                angle = 2.0 * math.pi * k / MOST
                write(out[k], 0, plus(plus(row(A, top), disc * math.cos(angle), e), disc * math.sin(angle), f))
            return MOST
        sweep = plus(times(radius, n), disc / level if disc > 0.0 else 0.0, radial)
        if abs(dot(n, u)) < (slope if disc == 0.0 else LEVEL):
            write(out[0], 0, plus(row(A, 0), 1.0, sweep))
            write(out[1], 0, plus(row(A, 1), 1.0, sweep))
            return 2
        write(out[0], 0, plus(row(A, top), 1.0, sweep))
        return 1
    return _face_or_edge(shapes, a, A, R_A, n, top, slope, out)


@njit(cache=True, nogil=True)
def _put(A, i, radius, n, out, count):
    """Point i of A, swept by the radius, as one more row of out."""
    write(out[count], 0, plus(row(A, i), radius, n))
    return count + 1


@njit(cache=True, nogil=True)
def _face_or_edge(shapes, a, A, R_A, n, top, slope, out):
    """A polytope's face across n with its corners in order, else its edge, else its corner."""
    steepest, m, on = 0.0, n, 0
    for face in range(shapes.table[a, FACE], shapes.table[a + 1, FACE]):
        f = turned(R_A, row(shapes.normals, face))
        if dot(f, n) > steepest:
            steepest, m, on = dot(f, n), f, shapes.indices[face, 0] - shapes.table[a, POINT]
    if steepest > math.cos(slope):
        return _corners(A, m, on, out)
    # an edge through the top corner that is as good as level
    best, at = LEVEL, -1
    for k in range(A.shape[0]):
        d = minus(row(A, k), row(A, top))
        length = norm(d)
        if length > 0.0 and -dot(d, n) < best * length:
            best, at = -dot(d, n) / length, k
    count = _put(A, top, 0.0, n, out, 0)
    return _put(A, at, 0.0, n, out, count) if at >= 0 else count


@njit(cache=True, nogil=True)
def _corners(A, m, on, out):
    """Corners of the face with normal m through point `on`, counter-clockwise seen against m."""
    size = norm(minus(row(A, 0), row(A, A.shape[0] - 1)))
    height = dot(m, row(A, on))
    count = 0
    centre = (0.0, 0.0, 0.0)
    for k in range(A.shape[0]):
        if dot(m, row(A, k)) > height - 1e-8 * size and count < _ROOM // 2:
            write(out[count], 0, row(A, k))
            centre = plus(centre, 1.0, row(A, k))
            count += 1
    centre = times(1.0 / count, centre)
    e = upright(m)
    f = cross(m, e)
    for i in range(1, count):  # sorted by angle; faces have few corners
        x = row(out, i)
        angle = _angle(x, centre, e, f)
        j = i
        while j > 0 and _angle(row(out, j - 1), centre, e, f) > angle:
            write(out[j], 0, row(out, j - 1))
            j -= 1
        write(out[j], 0, x)
    return count


@njit(cache=True, nogil=True)
def _angle(x, centre, e, f):
    """What grows with the angle of x about the centre, from −2 to 2: along a square instead of a circle."""
    d = minus(x, centre)
    along, across = dot(d, e), dot(d, f)
    part = across / (abs(along) + abs(across)) if along != 0.0 or across != 0.0 else 0.0
    if along >= 0.0:
        return part
    return 2.0 - part if across >= 0.0 else -2.0 - part


@njit(cache=True, nogil=True)
def _clipped(first, count_a, second, count_b, n, margin, points):
    """Polygon (or segment) `first` of A over polygon (or segment) `second` of B, one of them a polygon
    (Sutherland & Hodgman 1974, in the plane across n); heights are those over the clipping polygon's plane."""
    swap = count_b < 3
    subject, clip = (second, first) if swap else (first, second)
    many, sides = (count_b, count_a) if swap else (count_a, count_b)
    kept, spare = np.empty((_ROOM, 3)), np.empty((_ROOM, 3))
    for k in range(many):
        write(kept[k], 0, row(subject, k))
    up = times(-1.0, n) if swap else n  # outwards of the clipping face
    plane = (0.0, 0.0, 0.0)
    for k in range(sides):
        p, q = row(clip, k), row(clip, (k + 1) % sides)
        plane = plus(plane, 1.0, cross(minus(p, row(clip, 0)), minus(q, row(clip, 0))))
        inward = cross(up, minus(q, p))
        left = 0
        for i in range(many):
            x, y = row(kept, i), row(kept, (i + 1) % many)
            dx, dy = dot(inward, minus(x, p)), dot(inward, minus(y, p))
            if dx >= 0.0 and left < _ROOM:
                write(spare[left], 0, x)
                left += 1
            if dx * dy < 0.0 and left < _ROOM and (many > 2 or i == 0):
                write(spare[left], 0, plus(x, dx / (dx - dy), minus(y, x)))
                left += 1
        kept, spare = spare, kept
        many = left
        if many == 0:
            return 0
    height = times(1.0 / dot(plane, n), plane)
    count, base, heights = 0, row(clip, 0), np.empty(_ROOM)
    for k in range(many):
        x = row(kept, k)
        s = dot(height, minus(x, base))
        s = -s if swap else s
        if s <= margin:
            write(spare[count], 0, plus(x, (0.5 if swap else -0.5) * s, n))
            heights[count] = s
            count += 1
    return _fewer(spare, heights, count, points)


@njit(cache=True, nogil=True)
def _fewer(corners, heights, count, points):
    """Writes the corners; of more than eight, those go first whose triangle with their neighbours is smallest."""
    while count > MOST:
        least, at = math.inf, 0
        for k in range(count):
            x = row(corners, k)
            area = norm(cross(minus(row(corners, (k + 1) % count), x), minus(row(corners, (k - 1) % count), x)))
            if area < least:
                least, at = area, k
        for k in range(at, count - 1):
            write(corners[k], 0, row(corners, k + 1))
            heights[k] = heights[k + 1]
        count -= 1
    for k in range(count):
        write(points[k], 0, row(corners, k))
        points[k, GAP] = heights[k]
    return count


@njit(cache=True, nogil=True)
def _along(first, second, n, margin, points):
    """Two segments, nearly parallel: the ends of their common stretch; none if they cross."""
    p, r = row(first, 0), row(second, 0)
    d, g = minus(row(first, 1), p), minus(row(second, 1), r)
    length, other = norm(d), norm(g)
    if norm(cross(d, g)) > LEVEL * length * other:
        return 0
    e = times(1.0 / length, d)
    x, y = dot(minus(r, p), e), dot(minus(plus(r, 1.0, g), p), e)
    low, high = max(0.0, min(x, y)), min(length, max(x, y))
    count = 0
    if high > low:
        for end in (low, high):
            top, below = plus(p, end, e), plus(r, (end - x) / (y - x), g)
            s = dot(n, minus(top, below))
            if s <= margin:
                write(points[count], 0, times(0.5, plus(top, 1.0, below)))
                points[count, GAP] = s
                count += 1
    return count
