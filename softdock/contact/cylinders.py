"""Cylinder against any core: the largest separation over a finite list of directions, exact in each.

The gap of two convex bodies is the maximum over unit vectors n of the separation

    s(n) = min_A n·x − max_B n·y,                                                            (1)

apart or overlapping alike. Where it is attained, n belongs to a pair of features: a cylinder's cap (n = ±u), side
(n ⊥ u) or rim; a polytope's face, edge or corner. Each pair has few stationary directions, in closed form or as the
root of a monotone function, except for two rims, which are climbed by Newton's method. s(n) of any n is a lower
bound, so a direction too many does no harm. docs/theory/proximity.md has the derivation.
"""

import math

from softdock.contact.closest import extreme
from softdock.contact.shapes import DISC, EDGE, FACE, POINT
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, turned, upright
from softdock.kernels.jit import njit

_PARALLEL = 1e-12
_ON_AXIS = 1e-12
"""Distance from a cylinder's axis, in sizes, up to which any direction across the axis is radial: rounding has none."""


@njit(cache=True, nogil=True)
def highest(A, disc, n):
    """max n·x of a core: hull of points A, or (disc > 0) cylinder of that radius about segment A."""
    height = dot(n, row(A, extreme(A, n)))
    if disc > 0.0:
        d = minus(row(A, 1), row(A, 0))
        height += disc * norm(cross(n, d)) / norm(d)
    return height


@njit(cache=True, nogil=True)
def separation(A, disc_a, B, disc_b, n):
    """s(n), eq. (1)."""
    return -highest(A, disc_a, times(-1.0, n)) - highest(B, disc_b, n)


@njit(cache=True, nogil=True)
def better(A, disc_a, B, disc_b, s, n, m):
    """The better of direction n with its separation s, and direction m (of any length but zero)."""
    length = norm(m)
    if length > 0.0:
        m = times(1.0 / length, m)
        now = separation(A, disc_a, B, disc_b, m)
        if now > s:
            return now, m
    return s, n


@njit(cache=True, nogil=True)
def either(A, disc_a, B, disc_b, s, n, m):
    """The best of n, m and −m."""
    s, n = better(A, disc_a, B, disc_b, s, n, m)
    return better(A, disc_a, B, disc_b, s, n, times(-1.0, m))


@njit(cache=True, nogil=True)
def best_direction(shapes, a, b, A, B, R_A, R_B):
    """Largest separation of two cores of which at least one is a cylinder, and its direction from B to A."""
    da, db = shapes.sizes[a, DISC], shapes.sizes[b, DISC]
    s, n = -math.inf, (0.0, 0.0, 1.0)
    if da > 0.0:
        s, n = either(A, da, B, db, s, n, minus(row(A, 1), row(A, 0)))
        s, n = _against(shapes, b, A, da, B, db, R_B, -1.0, A, da, B, db, s, n)
    if db > 0.0:
        s, n = either(A, da, B, db, s, n, minus(row(B, 1), row(B, 0)))
        s, n = _against(shapes, a, B, db, A, da, R_A, 1.0, A, da, B, db, s, n)
    if da > 0.0 and db > 0.0:
        s, n = rims(A, da, B, db, s, n)
    return s, n


@njit(cache=True, nogil=True)
def _against(shapes, x, C, r, X, disc, R_X, sign, A, da, B, db, s, n):
    """Improves on (s, n) by the features of x with those of cylinder C; `sign` −1 if C is the first of the pair."""
    if disc > 0.0 or X.shape[0] == 2:
        s, n = _line(C, r, row(X, 0), row(X, 1), sign, A, da, B, db, s, n)
    if disc > 0.0:
        return s, n
    first = shapes.table[x, POINT]
    for face in range(shapes.table[x, FACE], shapes.table[x + 1, FACE]):
        s, n = better(A, da, B, db, s, n, times(-sign, turned(R_X, row(shapes.normals, face))))
    for edge in range(shapes.table[x, EDGE], shapes.table[x + 1, EDGE]):
        p, q = row(X, shapes.indices[edge, 0] - first), row(X, shapes.indices[edge, 1] - first)
        s, n = _line(C, r, p, q, sign, A, da, B, db, s, n)
    for k in range(X.shape[0]):
        s, n = _corner(C, r, row(X, k), sign, A, da, B, db, s, n)
    return s, n


@njit(cache=True, nogil=True)
def _corner(C, r, x, sign, A, da, B, db, s, n):
    """Directions from cylinder C to a point: to the nearest point of its surface if outside; radially."""
    d = minus(row(C, 1), row(C, 0))
    h = 0.5 * norm(d)
    u = times(0.5 / h, d)
    w = minus(x, times(0.5, plus(row(C, 0), 1.0, row(C, 1))))
    z = dot(w, u)
    radial = plus(w, -z, u)
    distance = norm(radial)
    if distance <= _ON_AXIS * (h + r):
        return better(A, da, B, db, s, n, upright(u))
    s, n = better(A, da, B, db, s, n, times(sign, radial))
    if distance > r and abs(z) > h:
        m = plus(times((distance - r) / distance, radial), z - math.copysign(h, z), u)
        s, n = better(A, da, B, db, s, n, times(sign, m))
    return s, n


@njit(cache=True, nogil=True)
def _line(C, r, p, q, sign, A, da, B, db, s, n):
    """Directions across the line p-q to side and rims of cylinder C (theory, eqs. 3-5)."""
    d = minus(row(C, 1), row(C, 0))
    h = 0.5 * norm(d)
    u = times(0.5 / h, d)
    e = minus(q, p)
    e = times(1.0 / norm(e), e)
    w = minus(p, times(0.5, plus(row(C, 0), 1.0, row(C, 1))))
    m = dot(u, e)
    f = plus(u, -m, e)
    k = norm(f)
    if k < _PARALLEL:
        radial = plus(w, -dot(w, e), e)
        return better(A, da, B, db, s, n, times(sign, radial) if norm(radial) > _ON_AXIS * (h + r) else upright(e))
    f = times(1.0 / k, f)
    f = plus(f, -dot(f, e), e)  # nearly parallel, the first projection leaves rounding / k
    f = times(1.0 / norm(f), f)
    g = cross(e, f)
    s, n = either(A, da, B, db, s, n, g)
    x, y = dot(w, f), dot(w, g)
    for side in (1.0, -1.0):
        found, t = steepest(side * x - h * k, y, r * k * k, abs(m))
        if found:
            s, n = better(A, da, B, db, s, n, times(sign, plus(times(side, f), t, g)))
    return s, n


@njit(cache=True, nogil=True)
def steepest(x, y, c, m):
    """Where x cosθ + y sinθ − r √(1 − k² cos²θ) has its interior maximum, as t = tan θ: whether, and t.

    The derivative has the sign of y − x t − c t / √(m² + t²), with c = r k², m² = 1 − k²; it falls on the bracket.
    """
    if x >= 0.0:
        if y == 0.0 or (m == 0.0 and abs(y) <= c):
            return True, 0.0
        end = min(abs(y) / x, 1e12) if x > 0.0 else 1e12
        low, high = (0.0, end) if y > 0.0 else (-end, 0.0)
    else:
        squared = (c * m * m / -x) ** (2.0 / 3.0) - m * m
        if squared <= 0.0:
            return False, 0.0
        high = math.sqrt(squared)
        low = -high
        bend = c * high / math.sqrt(m * m + squared)
        if y - x * low + bend < 0.0 or y - x * high - bend > 0.0:
            return False, 0.0
    t = 0.5 * (low + high) if x < 0.0 else y / (x + c / (m + abs(y) / (x + c)))
    for _ in range(200):
        if not low < t < high:
            t = 0.5 * (low + high)
        root = math.sqrt(m * m + t * t)
        value = y - x * t - c * t / root if root > 0.0 else y
        if value > 0.0:
            low = t
        else:
            high = t
        slope = -x - c * m * m / (root * root * root) if root > 0.0 else 0.0
        now = t - value / slope if slope < 0.0 else 0.5 * (low + high)
        if abs(now - t) <= 1e-16 * (abs(t) + m) or high - low <= 2e-16 * abs(t):
            break
        t = now
    return True, t


@njit(cache=True, nogil=True)
def rims(A, ra, B, rb, s, n):
    """Improves on (s, n) by the rims of two cylinders: the four pairs of their discs, each from several starts.

    Apart, the separation of two discs has a single maximum where it is positive; discs that cross may have more.
    """
    u, v = minus(row(A, 1), row(A, 0)), minus(row(B, 1), row(B, 0))
    u, v = times(1.0 / norm(u), u), times(1.0 / norm(v), v)
    w = cross(u, v)
    w = times(1.0 / norm(w), w) if norm(w) > 1e-6 else upright(u)
    for i in range(2):
        for j in range(2):
            d = minus(row(A, i), row(B, j))
            start = _between(row(A, i), u, ra, row(B, j), v, rb)
            s, n = better(A, ra, B, rb, s, n, climb(d, ra, rb, u, v, start, 12))
            if s > 0.0:
                s, n = better(A, ra, B, rb, s, n, approach(d, ra, rb, u, v, start))
            middle = plus(times(1.0 - 2.0 * i, u), 2.0 * j - 1.0, v)
            for k in range(4 if s < 0.0 else 0):
                m = climb(d, ra, rb, u, v, plus(middle, 1.2 * (k - 1.5), w), 12)
                s, n = better(A, ra, B, rb, s, n, m)
    return _sharpened(A, ra, B, rb, u, v, s, n)


@njit(cache=True, nogil=True)
def _sharpened(A, ra, B, rb, u, v, s, n):
    """Rounding of s hides an error of n up to its root: of equal separations, take the direction of zero slope."""
    d = minus(row(A, extreme(A, times(-1.0, n))), row(B, extreme(B, n)))
    m = climb(d, ra, rb, u, v, n, 12)
    m = times(1.0 / norm(m), m)
    now = separation(A, ra, B, rb, m)
    return (now, m) if now >= s - 1e-15 * (abs(s) + ra + rb) else (s, n)


@njit(cache=True, nogil=True)
def rims_again(A, ra, B, rb, s, n):
    """As `rims`, from starts all over the sphere: for the pairs with nearly parallel or crossed axes that need it."""
    u, v = minus(row(A, 1), row(A, 0)), minus(row(B, 1), row(B, 0))
    u, v = times(1.0 / norm(u), u), times(1.0 / norm(v), v)
    golden = math.pi * (3.0 - math.sqrt(5.0))
    for k in range(60):
        z = 1.0 - (2 * k + 1.0) / 60
        level = math.sqrt(1.0 - z * z)
        start = (level * math.cos(golden * k), level * math.sin(golden * k), z)
        for i in range(2):
            for j in range(2):
                m = climb(minus(row(A, i), row(B, j)), ra, rb, u, v, start, 60)
                s, n = better(A, ra, B, rb, s, n, m)
    return _sharpened(A, ra, B, rb, u, v, s, n)


@njit(cache=True, nogil=True)
def outside(C, r, x):
    """How far a point is outside a cylinder, at most zero if it is in it (along the axis or across it)."""
    d = minus(row(C, 1), row(C, 0))
    length = norm(d)
    u = times(1.0 / length, d)
    w = minus(x, row(C, 0))
    z = dot(w, u)
    return max(abs(z - 0.5 * length) - 0.5 * length, norm(plus(w, -z, u)) - r)


@njit(cache=True, nogil=True)
def _nearest(c, u, r, x):
    """The point of a disc nearest to x."""
    d = minus(x, c)
    d = plus(d, -dot(d, u), u)
    distance = norm(d)
    return plus(c, min(1.0, r / distance), d) if distance > 0.0 else c


@njit(cache=True, nogil=True)
def _between(a, u, ra, b, v, rb):
    """About the direction between two discs' closest points: projected from one to the other in turn."""
    x = y = _nearest(a, u, ra, b)
    for _ in range(30):
        y = _nearest(b, v, rb, x)
        x = _nearest(a, u, ra, y)
    n = minus(x, y)
    return n if norm(n) > 1e-9 * (ra + rb) else plus(u, 0.5, v)


@njit(cache=True, nogil=True)
def climb(d, ra, rb, u, v, n, patience):
    """Newton's method on the sphere, upwards from n, for the separation of two discs, n·d − ra |n⊥u| − rb |n⊥v|.

    With τ the tangent of a rim and q = |n⊥u|, the gradient is x − y, the difference of the rims' points, and the
    second derivative −Σ (r/q) ττᵀ − (its value) on the tangent plane (theory, eqs. 6, 7).
    """
    n = times(1.0 / norm(n), n)
    best = dot(n, d) - ra * norm(plus(n, -dot(n, u), u)) - rb * norm(plus(n, -dot(n, v), v))
    for _ in range(patience):
        pu, pv = plus(n, -dot(n, u), u), plus(n, -dot(n, v), v)
        qu, qv = norm(pu), norm(pv)
        if qu < 1e-12 or qv < 1e-12:
            break
        ku, kv = ra / qu, rb / qv
        g = plus(plus(d, -ku, pu), -kv, pv)
        value = dot(g, n)
        g = plus(g, -value, n)
        slope = norm(g)
        if slope < 1e-16 * (ra + rb):
            break
        e = times(1.0 / slope, g)
        f = cross(n, e)
        tu, tv = times(1.0 / qu, cross(u, pu)), times(1.0 / qv, cross(v, pv))
        a, b, c, h = dot(tu, e), dot(tu, f), dot(tv, e), dot(tv, f)
        hee, hef, hff = ku * a * a + kv * c * c + value, ku * a * b + kv * c * h, ku * b * b + kv * h * h + value
        determinant = hee * hff - hef * hef
        if hee > 0.0 and determinant > 0.0:
            step = plus(times(slope * hff / determinant, e), -slope * hef / determinant, f)
        else:
            step = times(slope / (ku + kv), e)
        length = norm(step)
        if length > 0.7:
            step = times(0.7 / length, step)
        now, m, whole = -math.inf, n, step
        for _ in range(patience):
            m = plus(n, 1.0, step)
            m = times(1.0 / norm(m), m)
            now = dot(m, d) - ra * norm(plus(m, -dot(m, u), u)) - rb * norm(plus(m, -dot(m, v), v))
            if now > best:
                break
            step = times(0.25, step)
        if now <= best:
            if length < 1e-5:  # too near for a gain to show: Newton's last step improves n itself
                n = plus(n, 1.0, whole)
            break
        best, n = now, m
        if length < 1e-9:
            break
    return n


@njit(cache=True, nogil=True)
def approach(d, ra, rb, u, v, n):
    """Direction between the closest points of two rims, by Newton's method for their angles from where n meets them.

    As `climb`, but well-conditioned also where the discs are nearly parallel and n is nearly their normal.
    """
    pu, pv = plus(n, -dot(n, u), u), plus(n, -dot(n, v), v)
    qu, qv = norm(pu), norm(pv)
    if qu < 1e-14 or qv < 1e-14:
        return n
    x, y = times(-ra / qu, pu), times(rb / qv, pv)
    damping = 0.0
    apart = minus(plus(d, 1.0, x), y)
    best = dot(apart, apart)
    for _ in range(40):
        tx, ty = cross(u, x), cross(v, y)
        gx, gy = dot(apart, tx), -dot(apart, ty)
        a, b, c = ra * ra - dot(apart, x), -dot(tx, ty), rb * rb + dot(apart, y)
        low = 0.5 * (a + c) - math.sqrt(0.25 * (a - c) ** 2 + b * b)  # the lesser curvature
        lift = damping + max(0.0, 1e-3 * (ra * ra + rb * rb) - low if low <= 0.0 else 0.0)
        a, c = a + lift, c + lift
        determinant = a * c - b * b
        if determinant <= 0.0:
            break
        dx, dy = -(c * gx - b * gy) / determinant, -(a * gy - b * gx) / determinant
        # a turn by the half-angle formula keeps the points on their circles
        x1 = plus(times((1.0 - 0.25 * dx * dx) / (1.0 + 0.25 * dx * dx), x), dx / (1.0 + 0.25 * dx * dx), tx)
        y1 = plus(times((1.0 - 0.25 * dy * dy) / (1.0 + 0.25 * dy * dy), y), dy / (1.0 + 0.25 * dy * dy), ty)
        now = minus(plus(d, 1.0, x1), y1)
        if dot(now, now) > best * (1.0 + 1e-15):
            damping = 4.0 * lift + 0.1 * (ra * ra + rb * rb)
            continue
        damping *= 0.1
        x, y, apart, best = x1, y1, now, dot(now, now)
        if abs(dx) + abs(dy) < 1e-15:
            break
    return apart
