"""Where two overlapping shapes press on each other: points, and each one's share of the stiffness, continuous in the
poses (docs/theory/contact.md, eqs. 6 to 8).

Each shape shows a polygon (the face most across the normal, however it is tilted; a cylinder's cap), a line (side of a
cylinder, core of a capsule, edge) or, as a ball does, a point. Only where shown parts overlap is there pressure, so
that a face that tips over becomes an edge or a corner by itself. What cannot change by itself is blended by an angle.
"""

import math

import numpy as np

from softdock.contact.closest import extreme
from softdock.contact.hit import GAP, HIT, NORMAL, ON_A, ON_B
from softdock.contact.patches import MOST, face_corners
from softdock.contact.proximity import gap
from softdock.contact.shapes import DISC, FACE, POINT, RADIUS
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, turned, upright, write
from softdock.kernels.jit import njit

_CAP = (0.5, 0.87)
"""Sine of the angle between a cylinder's axis and the normal: up to the first the cap presses, from the second on the
side."""
_FACE = (0.02, 0.3)
"""Sine of the angle between a face's normal and the normal: what is round presses on the face; on its edge."""
_LEVEL = (0.1, 0.5)
"""Sine of a line's slope against what is across the normal: it presses along a stretch; with its end."""
_PARALLEL = (0.0, 0.1)
"""Sine of the angle between two lines: they press along a stretch; in a point."""
_RIM = 16
"""Sides of the polygon about a cap's rim."""
_ROOM = 64
"""Corners that a clipped polygon may have."""


@njit(cache=True, nogil=True)
def pressed(shapes, a, b, A, B, R_A, R_B, normal, points, shares):
    """Points of pressure of shapes a and b (arguments as of `gap`): how many, 0 if they do not overlap.

    Writes the unit normal from B to A (3), each point's place, midway between the shapes, with its gap along the
    normal (8, 4), and its share of the stiffness; the shares add up to one.
    """
    hit = np.empty(HIT)
    s = gap(shapes, a, b, A, B, R_A, R_B, hit)
    if s >= 0.0:
        return 0
    n = (hit[NORMAL], hit[NORMAL + 1], hit[NORMAL + 2])
    write(normal, 0, n)
    count, taken = 0, 0.0
    if A.shape[0] > 1 and B.shape[0] > 1:
        first, second = np.empty((_ROOM, 3)), np.empty((_ROOM, 3))
        count_a, normal_a, axis_a, cap_a, level_a = polygon(shapes, a, A, R_A, times(-1.0, n), first)
        count_b, normal_b, axis_b, cap_b, level_b = polygon(shapes, b, B, R_B, n, second)
        if cap_a * cap_b > 0.0:
            axis = axis_b if B.shape[0] > 2 else axis_a
            found = press_areas(first, count_a, normal_a, second, count_b, normal_b, n, axis, points)
            count, taken = give(shares, count, found, cap_a * cap_b, taken)
        on_a, on_b = cap_a * (1.0 - cap_b) * level_a, cap_b * (1.0 - cap_a) * level_b
        edges = (1.0 - cap_a) * (1.0 - cap_b) + cap_a * (1.0 - cap_b) + cap_b * (1.0 - cap_a) - on_a - on_b
        line_a, line_b = line(shapes, a, A, times(-1.0, n)), line(shapes, b, B, n)
        if on_b > 0.0:
            found = press_line(line_a, second, count_b, normal_b, n, points[count:])
            count, taken = give(shares, count, found, on_b * flatness(line_a, n), taken)
        if on_a > 0.0:
            found = press_line(line_b, first, count_a, normal_a, times(-1.0, n), points[count:])
            count, taken = give(shares, count, found, on_a * flatness(line_b, n), taken)
        if edges > 0.0 and count + 2 <= MOST:
            parallel, found = press_lines(line_a, line_b, n, points[count:])
            count, taken = give(shares, count, found, edges * parallel, taken)
    if taken < 1.0 and count < MOST:
        for k in range(3):
            points[count, k] = 0.5 * (hit[ON_A + k] + hit[ON_B + k])
        points[count, GAP] = s
        shares[count] = 1.0 - taken
        count += 1
    return count


@njit(cache=True, nogil=True)
def give(shares, count, found, share, taken):
    """A share to the points found; how many there are then, and what is taken of the whole."""
    if found == 0 or share <= 0.0:
        return count, taken
    for k in range(count, count + found):
        shares[k] = share / found
    return count + found, taken + share


@njit(cache=True, nogil=True)
def blend(x, bounds):
    """1 below the bounds, 0 above, smooth between."""
    x = min(1.0, max(0.0, (x - bounds[0]) / (bounds[1] - bounds[0])))
    return 1.0 - x * x * (3.0 - 2.0 * x)


@njit(cache=True, nogil=True)
def polygon(shapes, a, A, R_A, m, out):
    """The polygon that shape a shows along m, in turn, in out: corners, outward normal, an axis of its link that is not
    along the normal; how much of a polygon the shape is, and how level.

    A polytope is all polygon, of its faces at the top the one most across m; a cylinder is by its cap's tilt; a capsule
    is none.
    """
    if A.shape[0] > 2:
        best, on, f, start = -1.0, 0, m, shapes.table[a, POINT]
        top, size = row(A, extreme(A, m)), norm(minus(row(A, 0), row(A, A.shape[0] - 1)))
        for face in range(shapes.table[a, FACE], shapes.table[a + 1, FACE]):
            g = turned(R_A, row(shapes.normals, face))
            if dot(g, m) > best and dot(g, minus(top, row(A, shapes.indices[face, 0] - start))) > -1e-8 * size:
                best, on, f = dot(g, m), face, g
        local = row(shapes.normals, on)
        x, y, z = abs(local[0]), abs(local[1]), abs(local[2])
        column = 0 if x <= y and x <= z else (1 if y <= z else 2)
        axis = (R_A[0, column], R_A[1, column], R_A[2, column])
        count = face_corners(A, f, shapes.indices[on, 0] - start, out)
        return count, f, axis, 1.0, blend(norm(cross(f, m)), _FACE)
    d = minus(row(A, 1), row(A, 0))
    u = times(1.0 / norm(d), d)
    disc, sine = shapes.sizes[a, DISC], norm(cross(u, m))
    cap = blend(sine, _CAP) if disc > 0.0 else 0.0
    if cap == 0.0:
        return 0, m, u, 0.0, 1.0
    up = u if dot(u, m) > 0.0 else times(-1.0, u)
    radial = plus(m, -dot(m, u), u)
    e = times(1.0 / sine, radial) if sine > 1e-9 else upright(u)  # where the rim is lowest a side touches it
    f = cross(up, e)
    top = row(A, extreme(A, m))
    corner = disc / math.cos(math.pi / _RIM)
    for k in range(_RIM):
        angle = math.pi * (2 * k + 1) / _RIM
        write(out[k], 0, plus(plus(top, corner * math.cos(angle), e), corner * math.sin(angle), f))
    return _RIM, up, upright(u), cap, blend(sine, _FACE)


@njit(cache=True, nogil=True)
def line(shapes, a, A, m):
    """The line that shape a shows along m: its ends. Of a polytope, the most level edge at its top."""
    if A.shape[0] > 2:
        top, best, at = extreme(A, m), math.inf, 0
        for k in range(A.shape[0]):
            d = minus(row(A, top), row(A, k))
            length = norm(d)
            if length > 0.0 and dot(d, m) < best * length:
                best, at = dot(d, m) / length, k
        return row(A, top), row(A, at)
    d = minus(row(A, 1), row(A, 0))
    u = times(1.0 / norm(d), d)
    radial = plus(m, -dot(m, u), u)
    length = norm(radial)
    sweep = times(shapes.sizes[a, RADIUS], m)
    if shapes.sizes[a, DISC] > 0.0 and length > 0.0:
        sweep = plus(sweep, shapes.sizes[a, DISC] / length, radial)
    return plus(row(A, 0), 1.0, sweep), plus(row(A, 1), 1.0, sweep)


@njit(cache=True, nogil=True)
def press_areas(first, count_a, f_a, second, count_b, f_b, n, axis, points):
    """Four points with the area, centre and second moments of that on which polygon `first` of A is below polygon
    `second` of B, seen along n; 0 if there is none. The depth is linear over it (eqs. 6, 7)."""
    steep_a, steep_b = dot(f_a, n), dot(f_b, n)
    if steep_a > -1e-3 or steep_b < 1e-3:
        return 0
    kept, spare = np.empty((_ROOM, 3)), np.empty((_ROOM, 3))
    many = count_a
    for k in range(many):
        write(kept[k], 0, row(first, k))
    for k in range(count_b + 1):  # the sides of B's polygon, and last its plane
        p, q = row(second, k % count_b), row(second, (k + 1) % count_b)
        inward = cross(n, minus(q, p)) if k < count_b else times(-1.0, f_b)
        left = 0
        for i in range(many):
            x, y = row(kept, i), row(kept, (i + 1) % many)
            dx, dy = dot(inward, minus(x, p)), dot(inward, minus(y, p))
            if dx >= 0.0 and left < _ROOM:
                write(spare[left], 0, x)
                left += 1
            if dx * dy < 0.0 and left < _ROOM:
                write(spare[left], 0, plus(x, dx / (dx - dy), minus(y, x)))
                left += 1
        kept, spare, many = spare, kept, left
        if many < 3:
            return 0
    origin = row(kept, 0)
    area, centre = 0.0, (0.0, 0.0, 0.0)
    for i in range(1, many - 1):
        x, y = minus(row(kept, i), origin), minus(row(kept, i + 1), origin)
        t = abs(dot(cross(x, y), n))
        area += t
        centre = plus(centre, t / 3.0, plus(x, 1.0, y))
    if area <= 0.0:
        return 0
    centre = plus(origin, 1.0 / area, centre)
    e = plus(axis, -dot(axis, n), n)
    e = times(1.0 / norm(e), e) if norm(e) > 1e-6 else upright(n)
    f = cross(n, e)
    see, sef, sff = moments(kept, many, centre, e, f, n, area)
    root = math.sqrt(max(0.0, see * sff - sef * sef))
    size = math.sqrt(see + sff + 2.0 * root)
    if size <= 0.0:
        return 0
    depth = -dot(f_b, minus(centre, row(second, 0))) / steep_b
    # slopes of the depth across e and f, and of A's own plane, on which the centre lies
    slope_e, slope_f = dot(f_a, e) / steep_a - dot(f_b, e) / steep_b, dot(f_a, f) / steep_a - dot(f_b, f) / steep_b
    own_e, own_f = -dot(f_a, e) / steep_a, -dot(f_a, f) / steep_a
    scale = math.sqrt(2.0) / size
    for k in range(4):
        sign = scale if k % 2 == 0 else -scale
        x, y = (sign * (see + root), sign * sef) if k < 2 else (sign * sef, sign * (sff + root))
        rho = max(0.0, depth + x * slope_e + y * slope_f)
        place = plus(plus(centre, x, e), y, f)
        write(points[k], 0, plus(place, x * own_e + y * own_f + 0.5 * rho, n))
        points[k, GAP] = -rho
    return 4


@njit(cache=True, nogil=True)
def moments(kept, many, centre, e, f, n, area):
    """Second moments of a polygon about its centre along e and f, over its area (`area` is twice that)."""
    see, sef, sff = 0.0, 0.0, 0.0
    for i in range(1, many - 1):
        x, y, z = minus(row(kept, 0), centre), minus(row(kept, i), centre), minus(row(kept, i + 1), centre)
        t = abs(dot(cross(minus(y, x), minus(z, x)), n)) / (12.0 * area)
        xe, ye, ze, xf, yf, zf = dot(x, e), dot(y, e), dot(z, e), dot(x, f), dot(y, f), dot(z, f)
        we, wf = xe + ye + ze, xf + yf + zf
        see += t * (xe * xe + ye * ye + ze * ze + we * we)
        sef += t * (xe * xf + ye * yf + ze * zf + we * wf)
        sff += t * (xf * xf + yf * yf + zf * zf + wf * wf)
    return see, sef, sff


@njit(cache=True, nogil=True)
def flatness(ends, n):
    """How much of a line, and not of its end, a tilted line is."""
    d = minus(ends[1], ends[0])
    return blend(abs(dot(d, n)) / norm(d), _LEVEL)


@njit(cache=True, nogil=True)
def press_line(ends, second, count, f, n, points):
    """Two points of the stretch on which a line is below a polygon with the outward normal f, seen along n; 0 if there
    is none."""
    p, d = ends[0], minus(ends[1], ends[0])
    steep = dot(f, n)
    if steep < 1e-3:
        return 0
    low, high = 0.0, 1.0
    for k in range(count + 1):
        o, q = row(second, k % count), row(second, (k + 1) % count)
        inward = cross(n, minus(q, o)) if k < count else times(-1.0, f)
        here, along = dot(inward, minus(p, o)), dot(inward, d)
        if along > 0.0:
            low = max(low, -here / along)
        elif along < 0.0:
            high = min(high, -here / along)
        elif here < 0.0:
            return 0
    if high <= low:
        return 0
    for k in range(2):
        t = 0.5 * (low + high) + (0.5 - k) * (high - low) / math.sqrt(3.0)
        x = plus(p, t, d)
        rho = max(0.0, -dot(f, minus(x, row(second, 0))) / steep)
        write(points[k], 0, plus(x, 0.5 * rho, n))
        points[k, GAP] = -rho
    return 2


@njit(cache=True, nogil=True)
def press_lines(of_a, of_b, n, points):
    """Two nearly parallel lines: how nearly, and two points of the stretch on which they overlap, if any."""
    p, r = of_a[0], of_b[0]
    d, g = minus(of_a[1], p), minus(of_b[1], r)
    length, other = norm(d), norm(g)
    parallel = blend(norm(cross(d, g)) / (length * other), _PARALLEL)
    parallel *= blend(abs(dot(d, n)) / length, _PARALLEL)
    if parallel == 0.0:
        return 0.0, 0
    e = times(1.0 / length, d)
    x, y = dot(minus(r, p), e), dot(minus(plus(r, 1.0, g), p), e)
    low, high = max(0.0, min(x, y)), min(length, max(x, y))
    # depth at both ends of the common stretch, then only where it is positive
    at_low = -dot(n, minus(plus(p, low, e), plus(r, (low - x) / (y - x), g)))
    at_high = -dot(n, minus(plus(p, high, e), plus(r, (high - x) / (y - x), g)))
    if high <= low or max(at_low, at_high) <= 0.0:
        return 0.0, 0
    turn = low + (high - low) * at_low / (at_low - at_high) if at_low * at_high < 0.0 else low
    if at_low < 0.0:
        low = turn
    elif at_high < 0.0:
        high = turn
    for k in range(2):
        end = 0.5 * (low + high) + (0.5 - k) * (high - low) / math.sqrt(3.0)
        top, below = plus(p, end, e), plus(r, (end - x) / (y - x), g)
        write(points[k], 0, times(0.5, plus(top, 1.0, below)))
        points[k, GAP] = min(0.0, dot(n, minus(top, below)))
    return parallel, 2
