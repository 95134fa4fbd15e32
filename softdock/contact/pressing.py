"""Where two overlapping shapes press on each other: points, and each one's share of the stiffness, continuous in the
poses (docs/theory/contact.md, eqs. 6 to 8).

Two polytopes press over all of their overlap, seen along the normal: a face that tips over becomes an edge or a corner
by itself. Of what is round, a line (side of a cylinder, core of a capsule) presses on a polygon (face, cap) or on a
line (side, core, edge), as long as it is below it; which of them does is blended by angles.
"""

import math

import numpy as np

from softdock.contact.closest import closest_points, extreme
from softdock.contact.hit import GAP, HIT, NORMAL, ON_A, ON_B
from softdock.contact.patches import MOST, face_corners
from softdock.contact.proximity import gap
from softdock.contact.shapes import DISC, FACE, HALF, POINT, RADIUS
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
_STEEP = 1e-6
"""Cosine of the angle between a face's normal and the normal below which it is not seen."""
_ROOM = 64
"""Corners that a clipped polygon may have."""
SUMS = 11
"""Integrals over an overlap (`add_cell`)."""


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
    count, taken = 0, 0.0
    if A.shape[0] > 2 and B.shape[0] > 2:
        if shapes.sizes[a, HALF] > 0.0 and shapes.sizes[b, HALF] > 0.0:
            n = between_cores(A, shapes.sizes[a], B, shapes.sizes[b], -s, n)
        middle = (
            0.5 * (hit[ON_A] + hit[ON_B]),
            0.5 * (hit[ON_A + 1] + hit[ON_B + 1]),
            0.5 * (hit[ON_A + 2] + hit[ON_B + 2]),
        )
        found = press_polytopes(shapes, a, b, A, B, R_A, R_B, n, middle, points)
        count, taken = give(shares, count, found, 1.0, taken)
    elif A.shape[0] > 1 and B.shape[0] > 1:
        count, taken = press_round(shapes, a, b, A, B, R_A, R_B, n, points, shares)
    write(normal, 0, n)
    if taken < 1.0 and count < MOST:
        for k in range(3):
            points[count, k] = 0.5 * (hit[ON_A + k] + hit[ON_B + k])
        points[count, GAP] = s
        shares[count] = 1.0 - taken
        count += 1
    return count


@njit(cache=True, nogil=True)
def press_round(shapes, a, b, A, B, R_A, R_B, n, points, shares):
    """Points and shares of two shapes of which one is a capsule or a cylinder: how many, and what they take of the
    whole."""
    count, taken = 0, 0.0
    first, second = np.empty((_ROOM, 3)), np.empty((_ROOM, 3))
    count_a, normal_a, axis_a, cap_a, level_a = polygon(shapes, a, A, R_A, times(-1.0, n), first)
    count_b, normal_b, axis_b, cap_b, level_b = polygon(shapes, b, B, R_B, n, second)
    if cap_a * cap_b > 0.0:
        axis = axis_b if B.shape[0] > 2 else axis_a
        sums = np.zeros(SUMS)
        add_cell(first, count_a, normal_a, second, count_b, normal_b, n, axis, row(first, 0), sums)
        found = spread(sums, n, axis, row(first, 0), points)
        count, taken = give(shares, count, found, cap_a * cap_b, taken)
    on_a, on_b = cap_a * (1.0 - cap_b) * level_a, cap_b * (1.0 - cap_a) * level_b
    edges = 1.0 - cap_a * cap_b - on_a - on_b
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
    return count, taken


@njit(cache=True, nogil=True)
def between_cores(A, sizes_a, B, sizes_b, depth, n):
    """The direction between two overlapping boxes whose faces are moved inwards by the depth of the overlap.

    They are then apart by at least that much, so the direction is continuous, which the shortest way out is not: it
    changes at once from one face or pair of edges to another. `n` if a box is too thin for that.
    """
    thin = min(sizes_a[HALF : HALF + 3].min(), sizes_b[HALF : HALF + 3].min())
    inwards = min(depth, 0.9 * thin)
    squared, x, y = closest_points(core(A, sizes_a, inwards), core(B, sizes_b, inwards), (0.0, 0.0, 0.0), n)
    return times(1.0 / math.sqrt(squared), minus(x, y)) if squared > 0.0 else n


@njit(cache=True, nogil=True)
def core(A, sizes, inwards):
    """A box of corners A with its faces moved inwards: centre and half-axes."""
    centre = times(0.5, plus(row(A, 0), 1.0, row(A, 7)))
    x, y, z = minus(row(A, 4), row(A, 0)), minus(row(A, 2), row(A, 0)), minus(row(A, 1), row(A, 0))
    return (
        centre,
        times(0.5 * (1.0 - inwards / sizes[HALF]), x),
        times(0.5 * (1.0 - inwards / sizes[HALF + 1]), y),
        times(0.5 * (1.0 - inwards / sizes[HALF + 2]), z),
    )


@njit(cache=True, nogil=True)
def press_polytopes(shapes, a, b, A, B, R_A, R_B, n, middle, points):
    """Four points for the overlap of two polytopes seen along n: over all pairs of faces that look at each other there;
    0 if there is none. `middle` is a point of the overlap."""
    first, second, sums = np.empty((_ROOM, 3)), np.empty((_ROOM, 3)), np.zeros(SUMS)
    start_a, start_b = shapes.table[a, POINT], shapes.table[b, POINT]
    bottom, top = dot(n, row(A, extreme(A, times(-1.0, n)))), dot(n, row(B, extreme(B, n)))
    axis = (R_B[0, 0], R_B[1, 0], R_B[2, 0])
    if abs(dot(axis, n)) > 0.95:
        axis = (R_B[0, 1], R_B[1, 1], R_B[2, 1])
    for i in range(shapes.table[a, FACE], shapes.table[a + 1, FACE]):
        f = turned(R_A, row(shapes.normals, i))
        if dot(f, n) > -_STEEP:
            continue
        count_a = face_corners(A, f, shapes.indices[i, 0] - start_a, first)
        if -dot(n, row(first, extreme(first[:count_a], times(-1.0, n)))) <= -top:
            continue
        for j in range(shapes.table[b, FACE], shapes.table[b + 1, FACE]):
            g = turned(R_B, row(shapes.normals, j))
            if dot(g, n) < _STEEP:
                continue
            count_b = face_corners(B, g, shapes.indices[j, 0] - start_b, second)
            if dot(n, row(second, extreme(second[:count_b], n))) > bottom:
                add_cell(first, count_a, f, second, count_b, g, n, axis, middle, sums)
    return spread(sums, n, axis, middle, points)


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
def across(n, axis):
    """Two unit vectors across n, the first as near to the axis as can be."""
    e = plus(axis, -dot(axis, n), n)
    e = times(1.0 / norm(e), e)
    return e, cross(n, e)


@njit(cache=True, nogil=True)
def add_cell(first, count_a, f_a, second, count_b, f_b, n, axis, origin, sums):
    """Adds the integrals of 1, x, y, x², xy, y², ρ, ρx, ρy, ρ² and of the height, over where polygon `first` of A is
    below polygon `second` of B by ρ, seen along n (Sutherland & Hodgman 1974); coordinates are from the origin."""
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
            return
    e, f = across(n, axis)
    base, steep = row(second, 0), dot(f_b, n)
    for i in range(1, many - 1):
        p, q, r = row(kept, 0), row(kept, i), row(kept, i + 1)
        area = 0.5 * abs(dot(cross(minus(q, p), minus(r, p)), n))
        sx, sy, s, sz, sxx, sxy, syy, sx_, sy_, s_ = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for corner in (p, q, r):
            d = minus(corner, origin)
            x, y, rho = dot(d, e), dot(d, f), max(0.0, -dot(f_b, minus(corner, base)) / steep)
            sx, sy, s, sz = sx + x, sy + y, s + rho, sz + dot(d, n) + 0.5 * rho
            sxx, sxy, syy = sxx + x * x, sxy + x * y, syy + y * y
            sx_, sy_, s_ = sx_ + x * rho, sy_ + y * rho, s_ + rho * rho
        third, twelfth = area / 3.0, area / 12.0
        sums[0] += area
        sums[1] += third * sx
        sums[2] += third * sy
        sums[3] += twelfth * (sxx + sx * sx)
        sums[4] += twelfth * (sxy + sx * sy)
        sums[5] += twelfth * (syy + sy * sy)
        sums[6] += third * s
        sums[7] += twelfth * (sx_ + sx * s)
        sums[8] += twelfth * (sy_ + sy * s)
        sums[9] += twelfth * (s_ + s * s)
        sums[10] += third * sz


@njit(cache=True, nogil=True)
def spread(sums, n, axis, origin, points):
    """Four points with the area, centre and second moments of the overlap, and the linear part of its depth
    (eqs. 6, 7); 0 if there is no overlap."""
    area = sums[0]
    if area <= 0.0:
        return 0
    x, y, depth = sums[1] / area, sums[2] / area, sums[6] / area
    xx, xy, yy = sums[3] / area - x * x, sums[4] / area - x * y, sums[5] / area - y * y
    px, py = sums[7] / area - x * depth, sums[8] / area - y * depth
    root, trace = math.sqrt(max(0.0, xx * yy - xy * xy)), xx + yy
    if trace <= 0.0:
        return 0
    size = math.sqrt(trace + 2.0 * root)
    a, b, c = (xx + root) / size, xy / size, (yy + root) / size  # the root of the second moments
    if root > 1e-9 * trace:
        along, other = (c * px - b * py) / root, (a * py - b * px) / root
    else:  # a line
        along, other = (xx * px + xy * py) / trace**1.5, (xy * px + yy * py) / trace**1.5
    bent = max(0.0, sums[9] / area - depth * depth - along * along - other * other)
    depth = math.sqrt(depth * depth + bent)
    e, f = across(n, axis)
    centre = plus(plus(plus(origin, x, e), y, f), sums[10] / area, n)
    for k in range(4):
        sign = math.sqrt(2.0) if k % 2 == 0 else -math.sqrt(2.0)
        u, v, more = (a, b, along) if k < 2 else (b, c, other)
        write(points[k], 0, plus(plus(centre, sign * u, e), sign * v, f))
        points[k, GAP] = -max(0.0, depth + sign * more)
    return 4


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
