"""Box against box: fifteen separating axes, then closest points where two corners or a corner and an edge decide."""

import math

from softdock.contact.closest import OUT, closest_points
from softdock.contact.hit import NORMAL, ON_A, ON_B
from softdock.contact.shapes import HALF
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, write
from softdock.kernels.jit import njit

_NOISE = 4e-16
"""Rounding of a separation, in sizes; an edge axis has it divided by the sine of the edges' angle."""


@njit(cache=True, nogil=True)
def frame_of(B, half):
    """Centre and unit axes of a box with corners B (the last axis runs fastest)."""
    o = row(B, 0)
    return (
        times(0.5, plus(o, 1.0, row(B, 7))),
        times(0.5 / half[0], minus(row(B, 4), o)),
        times(0.5 / half[1], minus(row(B, 2), o)),
        times(0.5 / half[2], minus(row(B, 1), o)),
    )


@njit(forceinline=True)
def _face(d, reach, best, at, code, sign):
    """The better of the best axis so far and a face's: d is the centres' distance along it."""
    s = abs(d) - reach
    if s > best:
        return s, code, (1.0 if d >= 0.0 else -1.0)
    return best, at, sign


@njit(forceinline=True)
def _edge(d, reach, x, y, best, at, code, sign, noise):
    """The same for the axis of two edges; d and reach are times the sine of their angle.

    x, y are the cosines of B's edge with A's other two axes: their squares add to the sine's without cancelling.
    """
    squared = x * x + y * y
    over = abs(d) - reach
    # most axes are out of the question before the root is taken
    if squared > 1e-16 and (over > 0.0 or best < 0.0) and (best < 0.0 or over * over > best * best * squared):
        sine = math.sqrt(squared)
        s = over / sine
        if s > best + noise + noise / sine:
            return s, code, (1.0 if d >= 0.0 else -1.0)
    return best, at, sign


@njit(cache=True, nogil=True)
def boxes(A, B, sizes_a, sizes_b, hit):
    """Gap of boxes with corners A and B. (From A's centre: far from the origin, places are rounded more than gaps.)"""
    ha = (sizes_a[HALF], sizes_a[HALF + 1], sizes_a[HALF + 2])
    hb = (sizes_b[HALF], sizes_b[HALF + 1], sizes_b[HALF + 2])
    ca, ax, ay, az = frame_of(A, ha)
    cb, bx, by, bz = frame_of(B, hb)
    s = placed_boxes((0.0, 0.0, 0.0), ax, ay, az, ha, minus(cb, ca), bx, by, bz, hb, hit)
    for k in range(3):
        hit[ON_A + k] += ca[k]
        hit[ON_B + k] += ca[k]
    return s


@njit(cache=True, nogil=True)
def placed_boxes(ca, ax, ay, az, ha, cb, bx, by, bz, hb, hit):
    """Gap of boxes with these centres, unit axes and half edges."""
    s, at, sign = _best_axis(minus(ca, cb), ha, hb, ax, ay, az, bx, by, bz)
    if at < 3:
        n = times(sign, ax if at == 0 else (ay if at == 1 else az))
    elif at < 6:
        n = times(sign, bx if at == 3 else (by if at == 4 else bz))
    else:
        i, j = (at - 6) // 3, (at - 6) % 3
        e = ax if i == 0 else (ay if i == 1 else az)
        f = bx if j == 0 else (by if j == 1 else bz)
        n = cross(e, f)
        n = times(sign / norm(n), n)
    return _with_points(ha, hb, ca, ax, ay, az, cb, bx, by, bz, s, at, n, hit)


@njit(forceinline=True)
def _best_axis(d, ha, hb, ax, ay, az, bx, by, bz):
    """Largest separation, its axis (A's faces, B's faces, edge pairs row by row) and the sign towards A."""
    r00, r01, r02 = dot(ax, bx), dot(ax, by), dot(ax, bz)
    r10, r11, r12 = dot(ay, bx), dot(ay, by), dot(ay, bz)
    r20, r21, r22 = dot(az, bx), dot(az, by), dot(az, bz)
    q00, q01, q02 = abs(r00), abs(r01), abs(r02)
    q10, q11, q12 = abs(r10), abs(r11), abs(r12)
    q20, q21, q22 = abs(r20), abs(r21), abs(r22)
    tx, ty, tz = dot(d, ax), dot(d, ay), dot(d, az)
    a0, a1, a2 = ha
    b0, b1, b2 = hb
    s, at, g = -math.inf, 0, 1.0
    s, at, g = _face(tx, a0 + b0 * q00 + b1 * q01 + b2 * q02, s, at, 0, g)
    s, at, g = _face(ty, a1 + b0 * q10 + b1 * q11 + b2 * q12, s, at, 1, g)
    s, at, g = _face(tz, a2 + b0 * q20 + b1 * q21 + b2 * q22, s, at, 2, g)
    s, at, g = _face(dot(d, bx), b0 + a0 * q00 + a1 * q10 + a2 * q20, s, at, 3, g)
    s, at, g = _face(dot(d, by), b1 + a0 * q01 + a1 * q11 + a2 * q21, s, at, 4, g)
    s, at, g = _face(dot(d, bz), b2 + a0 * q02 + a1 * q12 + a2 * q22, s, at, 5, g)
    noise = _NOISE * (abs(tx) + abs(ty) + abs(tz) + a0 + a1 + a2 + b0 + b1 + b2)
    s, at, g = _edge(tz * r10 - ty * r20, a1 * q20 + a2 * q10 + b1 * q02 + b2 * q01, r10, r20, s, at, 6, g, noise)
    s, at, g = _edge(tz * r11 - ty * r21, a1 * q21 + a2 * q11 + b0 * q02 + b2 * q00, r11, r21, s, at, 7, g, noise)
    s, at, g = _edge(tz * r12 - ty * r22, a1 * q22 + a2 * q12 + b0 * q01 + b1 * q00, r12, r22, s, at, 8, g, noise)
    s, at, g = _edge(tx * r20 - tz * r00, a0 * q20 + a2 * q00 + b1 * q12 + b2 * q11, r00, r20, s, at, 9, g, noise)
    s, at, g = _edge(tx * r21 - tz * r01, a0 * q21 + a2 * q01 + b0 * q12 + b2 * q10, r01, r21, s, at, 10, g, noise)
    s, at, g = _edge(tx * r22 - tz * r02, a0 * q22 + a2 * q02 + b0 * q11 + b1 * q10, r02, r22, s, at, 11, g, noise)
    s, at, g = _edge(ty * r00 - tx * r10, a0 * q10 + a1 * q00 + b1 * q22 + b2 * q21, r00, r10, s, at, 12, g, noise)
    s, at, g = _edge(ty * r01 - tx * r11, a0 * q11 + a1 * q01 + b0 * q22 + b2 * q20, r01, r11, s, at, 13, g, noise)
    s, at, g = _edge(ty * r02 - tx * r12, a0 * q12 + a1 * q02 + b0 * q21 + b1 * q20, r02, r12, s, at, 14, g, noise)
    return s, at, g


@njit(cache=True, nogil=True)
def _corner(c, h, x, y, z, n):
    """The corner of a box furthest along n, and the least of the axes' shares in n: zero if it is not alone."""
    p, q, r = dot(n, x), dot(n, y), dot(n, z)
    at = plus(plus(plus(c, math.copysign(h[0], p), x), math.copysign(h[1], q), y), math.copysign(h[2], r), z)
    return at, min(abs(p), abs(q), abs(r))


@njit(cache=True, nogil=True)
def _within(p, c, h, x, y, z, slack):
    """Is p in the box?"""
    d = minus(p, c)
    return abs(dot(d, x)) <= h[0] + slack and abs(dot(d, y)) <= h[1] + slack and abs(dot(d, z)) <= h[2] + slack


@njit(cache=True, nogil=True)
def _nearest(p, c, h, x, y, z):
    """The point of a box nearest to p."""
    d = minus(p, c)
    a, b, e = dot(d, x), dot(d, y), dot(d, z)
    a, b, e = min(max(a, -h[0]), h[0]), min(max(b, -h[1]), h[1]), min(max(e, -h[2]), h[2])
    return plus(plus(plus(c, a, x), b, y), e, z)


@njit(cache=True, nogil=True)
def _extreme(d, x, y, z, v):
    """Is the corner at d from its box's centre furthest along v?"""
    return dot(d, x) * dot(v, x) >= 0.0 and dot(d, y) * dot(v, y) >= 0.0 and dot(d, z) * dot(v, z) >= 0.0


@njit(cache=True, nogil=True)
def _crossing(p, e, q, f):
    """Where the lines p + x e and q + y f (unit vectors, not parallel) are closest."""
    w, c = minus(p, q), dot(e, f)
    x = (c * dot(f, w) - dot(e, w)) / (1.0 - c * c)
    return plus(p, x, e)


@njit(forceinline=True)
def _with_points(ha, hb, ca, ax, ay, az, cb, bx, by, bz, s, at, n, hit):
    """Points for the best axis; if there are none s apart, the boxes' distance is larger: closest points."""
    slack = 1e-14 * (ha[0] + ha[1] + ha[2] + hb[0] + hb[1] + hb[2])
    if at < 3:
        y, _ = _corner(cb, hb, bx, by, bz, n)
        x = plus(y, s, n)
        held = _within(x, ca, ha, ax, ay, az, slack)
    elif at < 6:
        x, _ = _corner(ca, ha, ax, ay, az, times(-1.0, n))
        y = plus(x, -s, n)
        held = _within(y, cb, hb, bx, by, bz, slack)
    else:
        i, j = (at - 6) // 3, (at - 6) % 3
        e = ax if i == 0 else (ay if i == 1 else az)
        f = bx if j == 0 else (by if j == 1 else bz)
        x, _ = _corner(ca, ha, ax, ay, az, times(-1.0, n))
        y, _ = _corner(cb, hb, bx, by, bz, n)
        x = _crossing(x, e, y, f)
        y = plus(x, -s, n)
        slack = 1e-12 * (norm(minus(ca, cb)) + 1e2 * slack)
        held = _within(x, ca, ha, ax, ay, az, slack) and _within(y, cb, hb, bx, by, bz, slack)
    if not held:
        size = ha[0] + ha[1] + ha[2]
        A = (ca, times(ha[0], ax), times(ha[1], ay), times(ha[2], az))
        B = (cb, times(hb[0], bx), times(hb[1], by), times(hb[2], bz))
        squared = 0.0
        if s > 0.0:
            # a corner and its nearest point of the other box are closest if the corner is extreme between them
            if at < 3:
                x = _nearest(y, ca, ha, ax, ay, az)
                v = minus(x, y)
                held = _extreme(minus(y, cb), bx, by, bz, v)
            elif at < 6:
                y = _nearest(x, cb, hb, bx, by, bz)
                v = minus(x, y)
                held = _extreme(minus(ca, x), ax, ay, az, v)
            else:
                v = n
            squared = dot(v, v)
            if not held:
                squared, v, x, y = closest_points(A, B, (0.0, 0.0, 0.0), v)
        if s > 1e-6 * size or squared > (s + 1e-12 * size) ** 2:
            s = math.sqrt(squared)
            n = times(1.0 / s, v)
        else:  # overlapping, or touching: move A out along n, and n stays the closest direction
            _, _, x, y = closest_points(A, B, times(OUT * size - s, n), n)
    write(hit, NORMAL, n)
    write(hit, ON_A, x)
    write(hit, ON_B, y)
    return s
