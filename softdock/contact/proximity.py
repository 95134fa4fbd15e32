"""Signed gap of two convex shapes: distance apart, or less the depth of penetration.

Round pairs (spheres, capsules) and round against polytope: the distance of the cores less the
radii. Polytope against polytope: the largest separation over the faces' normals and the edge pairs
(separating axes). That is a smooth function of the motion through touching, exact in sign and at
zero, and equal to the distance unless two corners, or a corner and an edge, are closest; there it is
a lower bound.

All write into `hit` (9): the normal from B to A, the point on A, the point on B; and return the gap.
"""

import numpy as np
from numba import njit

from softdock.contact.shapes import EDGE, FACE, HALF, POINT, RADIUS, TRIANGLE

_FAR = 1e300


@njit(cache=True, nogil=True)
def gap(shapes, a, b, A, B, R_A, R_B, hit):  # type: ignore[no-untyped-def]
    """Gap of shapes a and b, whose points are A and B in the world; R_A, R_B turn their links' axes."""
    round_a, round_b = A.shape[0] <= 2, B.shape[0] <= 2
    if round_a and round_b:
        return segments(A, B, shapes.sizes[a, RADIUS], shapes.sizes[b, RADIUS], hit)
    if round_a:
        return round_polytope(shapes, b, A, B, R_B, shapes.sizes[a, RADIUS], hit)
    if round_b:
        value = round_polytope(shapes, a, B, A, R_A, shapes.sizes[b, RADIUS], hit)
        for k in range(3):
            hit[k] = -hit[k]
            hit[3 + k], hit[6 + k] = hit[6 + k], hit[3 + k]
        return value
    return polytopes(shapes, a, b, A, B, R_A, R_B, hit)


@njit(cache=True, nogil=True)
def clamp(x):  # type: ignore[no-untyped-def]
    """x limited to 0..1."""
    return 0.0 if x < 0.0 else (1.0 if x > 1.0 else x)


@njit(cache=True, nogil=True)
def closest_on_segments(p, q, r, s, out):  # type: ignore[no-untyped-def]
    """Closest points of segments p-q and r-s into out (6); squared distance. (Ericson, Real-Time
    Collision Detection, 2005, sec. 5.1.9.)"""
    a = e = f = c = b = 0.0
    for k in range(3):
        d1, d2, w = q[k] - p[k], s[k] - r[k], p[k] - r[k]
        a += d1 * d1
        e += d2 * d2
        f += d2 * w
        c += d1 * w
        b += d1 * d2
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
    squared = 0.0
    for k in range(3):
        out[k] = p[k] + x * (q[k] - p[k])
        out[3 + k] = r[k] + y * (s[k] - r[k])
        squared += (out[k] - out[3 + k]) ** 2
    return squared


@njit(cache=True, nogil=True)
def rounded(out, squared, ra, rb, hit):  # type: ignore[no-untyped-def]
    """Gap and hit of two balls at the closest points `out` of their cores."""
    distance = np.sqrt(squared)
    for k in range(3):
        n = (out[k] - out[3 + k]) / distance if distance > 0.0 else (1.0 if k == 2 else 0.0)
        hit[k] = n
        hit[3 + k] = out[k] - ra * n
        hit[6 + k] = out[3 + k] + rb * n
    return distance - ra - rb


@njit(cache=True, nogil=True)
def segments(A, B, ra, rb, hit):  # type: ignore[no-untyped-def]
    """Sphere or capsule against sphere or capsule."""
    out = np.empty(6)
    squared = closest_on_segments(A[0], A[A.shape[0] - 1], B[0], B[B.shape[0] - 1], out)
    return rounded(out, squared, ra, rb, hit)


@njit(cache=True, nogil=True)
def turned(R, v, out):  # type: ignore[no-untyped-def]
    """out = R v."""
    for i in range(3):
        out[i] = R[i, 0] * v[0] + R[i, 1] * v[1] + R[i, 2] * v[2]


@njit(cache=True, nogil=True)
def point_polytope(shapes, b, x, B, R_B, out):  # type: ignore[no-untyped-def]
    """Signed distance of a point to a polytope, its normal (3) and closest point (3) in out."""
    first_point = shapes.table[b, POINT]
    n = np.empty(3)
    deepest = -_FAR
    for face in range(shapes.table[b, FACE], shapes.table[b + 1, FACE]):
        turned(R_B, shapes.normals[face], n)
        on = B[shapes.indices[face, 0] - first_point]
        height = 0.0
        for k in range(3):
            height += n[k] * (x[k] - on[k])
        if height > deepest:
            deepest = height
            for k in range(3):
                out[k] = n[k]
    if deepest <= 0.0:
        for k in range(3):
            out[3 + k] = x[k] - deepest * out[k]
        return deepest
    best = _FAR
    foot = np.empty(3)
    for row in range(shapes.table[b, TRIANGLE], shapes.table[b + 1, TRIANGLE]):
        i, j, k = shapes.indices[row, 0], shapes.indices[row, 1], shapes.indices[row, 2]
        squared = closest_on_triangle(x, B[i - first_point], B[j - first_point], B[k - first_point], foot)
        if squared < best:
            best = squared
            for m in range(3):
                out[3 + m] = foot[m]
    distance = np.sqrt(best)
    if distance > 1e-9 * (1.0 + abs(deepest)):
        for m in range(3):
            out[m] = (x[m] - out[3 + m]) / distance
    return max(distance, deepest)


@njit(cache=True, nogil=True)
def point_box(x, B, sizes, out):  # type: ignore[no-untyped-def]
    """As `point_polytope`, for a box with corners B (the last axis runs fastest)."""
    outside, squared, deepest, side = False, 0.0, -_FAR, 0
    for m in range(3):
        out[m], out[3 + m] = 0.0, x[m]
    for axis in range(3):
        corner = 4 >> axis
        along = 0.0
        for m in range(3):
            along += (B[corner, m] - B[0, m]) * (x[m] - 0.5 * (B[0, m] + B[7, m]))
        along /= 2 * sizes[HALF + axis]
        over = abs(along) - sizes[HALF + axis]
        if over > 0.0:
            outside = True
            squared += over * over
            for m in range(3):
                step = (over if along > 0.0 else -over) / (2 * sizes[HALF + axis]) * (B[corner, m] - B[0, m])
                out[m] += step
                out[3 + m] -= step
        elif not outside and over > deepest:
            deepest, side = over, corner if along > 0.0 else -corner
    if outside:
        distance = np.sqrt(squared)
        for m in range(3):
            out[m] /= distance
        return distance
    corner = abs(side)
    axis = 0 if corner == 4 else (1 if corner == 2 else 2)
    for m in range(3):
        n = (B[corner, m] - B[0, m]) / (2 * sizes[HALF + axis])
        out[m] = n if side > 0 else -n
        out[3 + m] = x[m] - deepest * out[m]
    return deepest


@njit(cache=True, nogil=True)
def closest_on_triangle(x, a, b, c, out):  # type: ignore[no-untyped-def]
    """Closest point of a triangle to x; squared distance. (Ericson, sec. 5.1.5.)"""
    d1 = d2 = d3 = d4 = d5 = d6 = 0.0
    for k in range(3):
        ab, ac = b[k] - a[k], c[k] - a[k]
        d1 += ab * (x[k] - a[k])
        d2 += ac * (x[k] - a[k])
        d3 += ab * (x[k] - b[k])
        d4 += ac * (x[k] - b[k])
        d5 += ab * (x[k] - c[k])
        d6 += ac * (x[k] - c[k])
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if d1 <= 0.0 and d2 <= 0.0:
        u, w = 0.0, 0.0
    elif d3 >= 0.0 and d4 <= d3:
        u, w = 1.0, 0.0
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        u, w = d1 / (d1 - d3), 0.0
    elif d6 >= 0.0 and d5 <= d6:
        u, w = 0.0, 1.0
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        u, w = 0.0, d2 / (d2 - d6)
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        u = 1.0 - w
    else:
        total = va + vb + vc
        u, w = vb / total, vc / total
    squared = 0.0
    for k in range(3):
        out[k] = a[k] + u * (b[k] - a[k]) + w * (c[k] - a[k])
        squared += (x[k] - out[k]) ** 2
    return squared


@njit(cache=True, nogil=True)
def round_polytope(shapes, b, A, B, R_B, radius, hit):  # type: ignore[no-untyped-def]
    """Sphere or capsule (core A) against polytope b."""
    first_point = shapes.table[b, POINT]
    out, both = np.empty(6), np.empty(6)
    best = _FAR
    for end in range(A.shape[0]):
        if shapes.sizes[b, HALF] > 0.0:
            distance = point_box(A[end], B, shapes.sizes[b], out)
        else:
            distance = point_polytope(shapes, b, A[end], B, R_B, out)
        if distance < best:
            best = distance
            for k in range(3):
                hit[k] = out[k]
                hit[3 + k] = A[end, k] - radius * out[k]
                hit[6 + k] = out[3 + k]
    if A.shape[0] == 2 and best > 0.0:
        for row in range(shapes.table[b, EDGE], shapes.table[b + 1, EDGE]):
            i, j = shapes.indices[row, 0] - first_point, shapes.indices[row, 1] - first_point
            squared = closest_on_segments(A[0], A[1], B[i], B[j], both)
            if squared < best * best * (1 - 1e-12):
                best = np.sqrt(squared)
                rounded(both, squared, radius, 0.0, hit)
    return best - radius


@njit(cache=True, nogil=True)
def faces_against(shapes, a, A, R_A, B, hit, best, sign):  # type: ignore[no-untyped-def]
    """Largest separation of points B from polytope a over a's face normals; improves on `best`.

    `sign` is −1 if A's own shape is the first of the pair (the normal then points from B to A)."""
    first_point = shapes.table[a, POINT]
    n = np.empty(3)
    for face in range(shapes.table[a, FACE], shapes.table[a + 1, FACE]):
        turned(R_A, shapes.normals[face], n)
        on = A[shapes.indices[face, 0] - first_point]
        lowest, at = _FAR, 0
        for j in range(B.shape[0]):
            height = n[0] * (B[j, 0] - on[0]) + n[1] * (B[j, 1] - on[1]) + n[2] * (B[j, 2] - on[2])
            if height < lowest:
                lowest, at = height, j
        if lowest > best:
            best = lowest
            mine, other = (3, 6) if sign < 0 else (6, 3)
            for k in range(3):
                hit[k] = sign * n[k]
                hit[other + k] = B[at, k]
                hit[mine + k] = B[at, k] - lowest * n[k]
    return best


@njit(cache=True, nogil=True)
def polytopes(shapes, a, b, A, B, R_A, R_B, hit):  # type: ignore[no-untyped-def]
    """Polytope against polytope, by separating axes."""
    best = faces_against(shapes, a, A, R_A, B, hit, -_FAR, -1.0)
    best = faces_against(shapes, b, B, R_B, A, hit, best, 1.0)
    na, nb, ma, mb = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    n, out = np.empty(3), np.empty(6)
    first_a, first_b = shapes.table[a, POINT], shapes.table[b, POINT]
    for i in range(shapes.table[a, EDGE], shapes.table[a + 1, EDGE]):
        p, q = A[shapes.indices[i, 0] - first_a], A[shapes.indices[i, 1] - first_a]
        turned(R_A, shapes.normals[shapes.indices[i, 2]], na)
        turned(R_A, shapes.normals[shapes.indices[i, 3]], ma)
        for j in range(shapes.table[b, EDGE], shapes.table[b + 1, EDGE]):
            r, s = B[shapes.indices[j, 0] - first_b], B[shapes.indices[j, 1] - first_b]
            turned(R_B, shapes.normals[shapes.indices[j, 2]], nb)
            turned(R_B, shapes.normals[shapes.indices[j, 3]], mb)
            if not crosses(na, ma, nb, mb):
                continue
            length = 0.0
            for k in range(3):
                x, y = (k + 1) % 3, (k + 2) % 3
                n[k] = (q[x] - p[x]) * (s[y] - r[y]) - (q[y] - p[y]) * (s[x] - r[x])
                length += n[k] * n[k]
            length = np.sqrt(length)
            outward, apart = 0.0, 0.0
            for k in range(3):
                n[k] /= length
                outward += n[k] * (na[k] + ma[k])
                apart += n[k] * (r[k] - p[k])
            if outward < 0.0:
                apart = -apart
            if apart > best + 1e-12:
                best = apart
                closest_on_segments(p, q, r, s, out)
                for k in range(3):
                    hit[k] = -n[k] if outward >= 0.0 else n[k]
                    hit[3 + k] = out[k]
                    hit[6 + k] = out[3 + k]
    return best


@njit(cache=True, nogil=True)
def crosses(a, b, nc, nd):  # type: ignore[no-untyped-def]
    """Do the arcs a-b and −nc to −nd of two edges' normals cross on the Gauss sphere? Only then can
    the edges' cross product separate the polytopes (Gregorius, The Separating Axis Test, GDC 2013)."""
    cba = dba = adc = bdc = 0.0
    for k in range(3):
        x, y = (k + 1) % 3, (k + 2) % 3
        ba = b[x] * a[y] - b[y] * a[x]
        dc = nd[x] * nc[y] - nd[y] * nc[x]
        cba -= nc[k] * ba
        dba -= nd[k] * ba
        adc += a[k] * dc
        bdc += b[k] * dc
    return cba * dba < 0.0 and adc * bdc < 0.0 and cba * bdc > 0.0
