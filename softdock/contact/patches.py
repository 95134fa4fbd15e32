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
FLAT = 1e-8
"""Angle (rad) up to which all of a cap's rim may touch."""
_ANY = 0.5 * math.pi
"""What lies on a face shows a face, however that is tilted: its other corners may land next."""
_INNER = 0.9
"""Of a cap's radius: further in than that is inside an octagon in its rim, whose sides are at 0.92."""
_ON = 1e-8
"""Height below a face's plane, in sizes, up to which a corner is on the face."""
ROOM = 64
"""Corners that a clipped polygon may have on the way."""
EDGE_ON = 1e-6
"""Cosine with the normal up to which a face is seen from its edge, and has no heights."""


@njit(cache=True, nogil=True)
def patch(shapes, a, b, A, B, R_A, R_B, margin, normal, points):
    """Contact patch of shapes a and b (arguments as of `gap`): how many points, 0 if the gap is above `margin`.

    Writes the unit normal from B to A (3), and for each point its place, midway between the shapes, and its signed
    gap along the normal, negative where they overlap (8, 4). Points whose own gap is above `margin` are left out.
    """
    return patch_leaning(shapes, a, b, A, B, R_A, R_B, margin, (0.0, 0.0, 0.0), normal, points)


@njit(cache=True, nogil=True, apart=True)
def patch_leaning(shapes, a, b, A, B, R_A, R_B, margin, lean, normal, points):
    """The same. A cap that lies flat has a corner in the direction `lean` (3), if that is not zero."""
    hit = np.empty(HIT)
    s = gap(shapes, a, b, A, B, R_A, R_B, hit)
    if s > margin:
        return 0
    n = (hit[NORMAL], hit[NORMAL + 1], hit[NORMAL + 2])
    write(normal, 0, n)
    if A.shape[0] == 1 or B.shape[0] == 1:
        return only(hit, s, points)
    room = np.empty((5, ROOM, 4))  # one piece of memory, since to get it takes longer than to fill it
    first, second = room[0], room[1]
    count_a = facing(shapes, a, A, R_A, times(-1.0, n), lean, LEVEL, first)
    count_b = facing(shapes, b, B, R_B, n, lean, LEVEL, second)
    if count_b > 2 and count_a <= 2:
        count_a = facing(shapes, a, A, R_A, times(-1.0, n), lean, _ANY, first)
    elif count_a > 2 and count_b <= 2:
        count_b = facing(shapes, b, B, R_B, n, lean, _ANY, second)
    if count_a == MOST and shapes.sizes[a, DISC] > 0.0:
        count_a = _with_crossings(A, shapes.sizes[a, DISC], times(-1.0, n), second, count_b, first)
    elif count_b == MOST and shapes.sizes[b, DISC] > 0.0:
        count_b = _with_crossings(B, shapes.sizes[b, DISC], n, first, count_a, second)
    count = 0
    if count_a > 1 and count_b > 1 and (count_a > 2 or count_b > 2):
        count = _clipped(first, count_a, second, count_b, n, margin, room[2:4], room[4], points)
    elif count_a == 2 and count_b == 2 and sine_between(first, second) <= LEVEL:
        count = _near(points, along(first, second, n, points), margin)
    return count if count > 0 else only(hit, s, points)


@njit(cache=True, nogil=True)
def _near(points, count, margin):
    """Leave out points whose gap is above the margin: how many are left."""
    left = 0
    for k in range(count):
        if points[k, GAP] <= margin:
            for c in range(4):
                points[left, c] = points[k, c]
            left += 1
    return left


@njit(cache=True, nogil=True)
def only(hit, s, points):
    """The single point where the gap s is."""
    for k in range(3):
        points[0, k] = 0.5 * (hit[ON_A + k] + hit[ON_B + k])
    points[0, GAP] = s
    return 1


@njit(cache=True, nogil=True)
def facing(shapes, a, A, R_A, n, lean, slope, out):
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
            return cap(A, disc, n, lean if level < FLAT and norm(lean) > 0.0 else n, out)
        count = rim(A, disc, radius, n, out)
        if abs(dot(n, u)) < (slope if disc == 0.0 else LEVEL):
            return count
        write(out[0], 0, row(out, top))
        return 1
    return _face_or_edge(shapes, a, A, R_A, n, top, slope, out)


@njit(cache=True, nogil=True)
def cap(A, disc, n, low, out):
    """A cylinder's cap towards n as an octagon in its rim, one of whose corners is furthest along `low`."""
    d = minus(row(A, 1), row(A, 0))
    u = times(1.0 / norm(d), d)
    radial = plus(low, -dot(low, u), u)
    level = norm(radial)
    e = times(1.0 / level, radial) if level > _TILT else upright(u)
    f = cross(u, e) if dot(u, n) > 0.0 else cross(e, u)
    top = extreme(A, n)
    for k in range(MOST):
        angle = 2.0 * math.pi * k / MOST
        write(out[k], 0, plus(plus(row(A, top), disc * math.cos(angle), e), disc * math.sin(angle), f))
    return MOST


@njit(cache=True, nogil=True)
def _with_crossings(A, disc, n, other, many, out):
    """To the octagon `out` of a cap come the places on its rim over which the outline `other` goes, and those beyond
    its corners: what lies across a cap ends there, and not at the octagon's sides. How many corners there are then."""
    angles, count, centre = np.empty(ROOM // 2), MOST, row(A, extreme(A, n))
    e, f = times(1.0 / disc, minus(row(out, 0), centre)), times(1.0 / disc, minus(row(out, MOST // 4), centre))
    for k in range(MOST):
        angles[k] = 2.0 * math.pi * k / MOST
    for k in range(many):
        p = minus(row(other, k), centre)
        d = minus(row(other, (k + 1) % many), row(other, k))
        if _INNER * disc < math.hypot(dot(p, e), dot(p, f)) < disc:
            count = _among(angles, count, math.atan2(dot(p, f), dot(p, e)))
        m = cross(n, d)
        x, y, z = dot(m, e), dot(m, f), dot(m, p) / disc
        size = math.hypot(x, y)
        for side in (-1.0, 1.0):
            if abs(z) < size and (many > 2 or k == 0):
                angle = math.atan2(y, x) + side * math.acos(z / size)
                at = plus(times(disc * math.cos(angle), e), disc * math.sin(angle), f)
                if 0.0 <= dot(minus(at, p), d) <= dot(d, d):
                    count = _among(angles, count, angle)
    for k in range(count):
        write(out[k], 0, plus(plus(centre, disc * math.cos(angles[k]), e), disc * math.sin(angles[k]), f))
    return count


@njit(cache=True, nogil=True)
def _among(angles, count, angle):
    """Put an angle among those that are sorted, if there is room: how many there are then."""
    if count == angles.size:
        return count
    angle %= 2.0 * math.pi
    j = count
    while j > 0 and angles[j - 1] > angle:
        angles[j] = angles[j - 1]
        j -= 1
    angles[j] = angle
    return count + 1


@njit(cache=True, nogil=True)
def rim(A, disc, radius, n, out):
    """The line on a capsule's or cylinder's side that is furthest along n: its ends, by those of the axis."""
    d = minus(row(A, 1), row(A, 0))
    u = times(1.0 / norm(d), d)
    radial = plus(n, -dot(n, u), u)
    sweep = plus(times(radius, n), disc / norm(radial) if disc > 0.0 else 0.0, radial)
    write(out[0], 0, plus(row(A, 0), 1.0, sweep))
    write(out[1], 0, plus(row(A, 1), 1.0, sweep))
    return 2


@njit(cache=True, nogil=True)
def _put(A, i, radius, n, out, count):
    """Point i of A, swept by the radius, as one more row of out."""
    write(out[count], 0, plus(row(A, i), radius, n))
    return count + 1


@njit(cache=True, nogil=True)
def _face_or_edge(shapes, a, A, R_A, n, top, slope, out):
    """A polytope's face across n with its corners in order, else its edge, else its corner. A face that is steeper than
    LEVEL has that edge or corner."""
    edge, steepest, m, on = _level_edge(A, n, top), 0.0, n, 0
    small = _ON * norm(minus(row(A, 0), row(A, A.shape[0] - 1)))
    for face in range(shapes.table[a, FACE], shapes.table[a + 1, FACE]):
        f, k = turned(R_A, row(shapes.normals, face)), shapes.indices[face, 0] - shapes.table[a, POINT]
        below = max(dot(f, minus(row(A, k), row(A, top))), dot(f, minus(row(A, k), row(A, edge))))
        if dot(f, n) > steepest and (dot(f, n) > math.cos(LEVEL) or below <= small):
            steepest, m, on = dot(f, n), f, k
    if steepest > math.cos(slope):
        return corners_of(A, m, on, out)
    count = _put(A, top, 0.0, n, out, 0)
    return _put(A, edge, 0.0, n, out, count) if edge != top else count


@njit(cache=True, nogil=True)
def _level_edge(A, n, top):
    """The other end of an edge through the top corner that is as good as level; the top corner if there is none."""
    best, at = LEVEL, top
    for k in range(A.shape[0]):
        d = minus(row(A, k), row(A, top))
        length = norm(d)
        if length > 0.0 and -dot(d, n) < best * length:
            best, at = -dot(d, n) / length, k
    return at


@njit(cache=True, nogil=True)
def corners_of(A, m, on, out):
    """Corners of the face with normal m through point `on`, counter-clockwise seen against m."""
    size = norm(minus(row(A, 0), row(A, A.shape[0] - 1)))
    height = dot(m, row(A, on))
    count = 0
    centre = (0.0, 0.0, 0.0)
    for k in range(A.shape[0]):
        if dot(m, row(A, k)) > height - _ON * size and count < ROOM // 2:
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
def _clipped(first, count_a, second, count_b, n, margin, work, found, points):
    """Polygon (or segment) `first` of A over polygon (or segment) `second` of B, one of them a polygon; heights are
    those over the clipping polygon's plane. `work` is room for two polygons, `found` for what they have in common."""
    number = common(first, count_a, second, count_b, n, 0.0, work, found)
    return _fewer(found, _near(found, number, margin), points)


@njit(cache=True, nogil=True)
def common(first, count_a, second, count_b, n, slack, work, found):
    """What polygon (or segment) `first` of A and `second` of B, one of them a polygon, have in common across n
    (Sutherland & Hodgman 1974), the second moved outwards by a slack: its corners, midway between the two, and their
    gaps, in found: how many. `work` is room for two polygons."""
    swap = count_b < 3
    subject, over = (second, first) if swap else (first, second)
    many, sides = (count_b, count_a) if swap else (count_a, count_b)
    kept, spare = work[0], work[1]
    for k in range(many):
        write(kept[k], 0, row(subject, k))
    up = times(-1.0, n) if swap else n  # outwards of the clipping face
    plane = (0.0, 0.0, 0.0)
    for k in range(sides):
        p, q = row(over, k), row(over, (k + 1) % sides)
        plane = plus(plane, 1.0, cross(minus(p, row(over, 0)), minus(q, row(over, 0))))
        inward = cross(up, minus(q, p))
        wide = slack * norm(inward)
        left = 0
        for i in range(many):
            x, y = row(kept, i), row(kept, (i + 1) % many)
            dx, dy = dot(inward, minus(x, p)) + wide, dot(inward, minus(y, p)) + wide
            if dx >= 0.0 and left < ROOM:
                write(spare[left], 0, x)
                left += 1
            if dx * dy < 0.0 and left < ROOM and (many > 2 or i == 0):
                write(spare[left], 0, plus(x, dx / (dx - dy), minus(y, x)))
                left += 1
        kept, spare = spare, kept
        many = left
        if many == 0:
            return 0
    if not abs(dot(plane, n)) > EDGE_ON * norm(plane):
        return 0
    height, base = times(1.0 / dot(plane, n), plane), row(over, 0)
    for k in range(many):
        x = row(kept, k)
        s = dot(height, minus(x, base))
        s = -s if swap else s
        write(found[k], 0, plus(x, (0.5 if swap else -0.5) * s, n))
        found[k, GAP] = s
    return many


@njit(cache=True, nogil=True)
def _fewer(corners, count, points):
    """Writes the corners; of more than eight, those go first whose triangle with their neighbours is smallest."""
    while count > MOST:
        least, at = math.inf, 0
        for k in range(count):
            x = row(corners, k)
            area = norm(cross(minus(row(corners, (k + 1) % count), x), minus(row(corners, (k - 1) % count), x)))
            if area < least:
                least, at = area, k
        for k in range(at, count - 1):
            for c in range(4):
                corners[k, c] = corners[k + 1, c]
        count -= 1
    for k in range(count):
        for c in range(4):
            points[k, c] = corners[k, c]
    return count


@njit(cache=True, nogil=True)
def sine_between(first, second):
    """Sine of the angle between two segments."""
    d, g = minus(row(first, 1), row(first, 0)), minus(row(second, 1), row(second, 0))
    return norm(cross(d, g)) / (norm(d) * norm(g))


@njit(cache=True, nogil=True)
def along(first, second, n, found):
    """Two segments, nearly parallel: the ends of their common stretch, in found; how many."""
    p, r = row(first, 0), row(second, 0)
    d, g = minus(row(first, 1), p), minus(row(second, 1), r)
    length = norm(d)
    e = times(1.0 / length, d)
    x, y = dot(minus(r, p), e), dot(minus(plus(r, 1.0, g), p), e)
    low, high = max(0.0, min(x, y)), min(length, max(x, y))
    if not high > low:
        return 0
    count = 0
    for end in (low, high):
        top, below = plus(p, end, e), plus(r, (end - x) / (y - x), g)
        write(found[count], 0, times(0.5, plus(top, 1.0, below)))
        found[count, GAP] = dot(n, minus(top, below))
        count += 1
    return count
