"""Impacts at several points at one instant, without an order among them, with restitution and Coulomb friction.

Generalised reflections (Smith, Kaufman, Vouga, Tamstorf & Grinspun, ACM Trans. Graph. 31(4), 2012, 106), with a
restitution for each point and friction. In coordinates w = M^½ v, with B = M^(−½) Jᵀ, as long as a point closes:

    compress    plastic impact of the points that close, and of those that touch and have no restitution: r₁, w₁
    restitute   r₂_N ≥ e r₁_N, no less than keeps points from closing, r₂_T in the disc of μ r₂_N: w₂
    w = w₁ + s (w₂ − w₁), s ≤ 1 the largest with |w|² ≤ |w₀|²

Only points that close take part, so a cradle of balls gives what one impact after the other gives; all that close take
part at once, so a box that lands on four feet stays level. Energy never grows: without friction for any mix of e, with
it by s. After `MOST_PASSES` the impact ends plastically.
"""

import numpy as np

from softdock.contact.coulomb import into_disc, pushed_by, signorini_coulomb, velocities
from softdock.contact.nonnegative import lengths, nonnegative_least_squares
from softdock.kernels.jit import njit
from softdock.kernels.linear import dot

MOST_PASSES = 100
CLOSING = 1e-13
"""Speed of a point, relative to |w| and its own |B|, that counts as closing."""
SOLVED = 1e-10
"""Error of the friction law above which an impulse is shortened until it cannot make energy."""

PASSES, FRICTION_ERROR, CAPPED, PLASTIC, CLOSED_BY_NORMALS = range(5)
"""What `stats` tells: passes, the largest error of the friction law, passes in which s < 1, whether it ended
plastically, and passes in which normal impulses alone closed what the friction solver had left."""


@njit(cache=True, nogil=True)
def impact(B, w, restitution, friction, r, stats):
    """The impulses r (3n) of all points, w (d) after them. B (d, 3n): columns by point, normal and two tangents."""
    n, rough = restitution.size, False
    picked, e, normals, least = np.empty(n, np.int64), np.empty(n), columns(B, np.arange(n), 1), np.empty(n)
    size, length = np.sqrt(dot(w, w)), lengths(normals)
    for i in range(n):
        least[i] = CLOSING * size * length[i]
        rough = rough or friction[i] > 0.0
        r[3 * i] = r[3 * i + 1] = r[3 * i + 2] = 0.0
    for turn in range(MOST_PASSES + 4):
        plastic = turn >= MOST_PASSES
        count, closing = 0, False
        for i in range(n):
            closes = speed(normals, i, w) < -least[i]
            closing = closing or closes
            if plastic or closes or restitution[i] == 0.0:
                picked[count] = i
                e[count] = 0.0 if plastic else restitution[i]
                count += 1
        if not closing:
            break
        stats[PASSES] += 1
        stats[PLASTIC] = 1.0 if plastic else 0.0
        if rough:
            one_rough_pass(B, w, picked[:count], e[:count], friction, least, r, stats)
        else:
            one_smooth_pass(B, w, picked[:count], e[:count], r)


@njit(cache=True, nogil=True)
def columns(B, picked, width):
    """The first `width` columns of each picked point. (Element by element, here and below: array expressions would take
    ten times as long to compile.)"""
    C = np.empty((B.shape[0], width * picked.size))
    for k in range(B.shape[0]):
        for a in range(picked.size):
            for c in range(width):
                C[k, width * a + c] = B[k, 3 * picked[a] + c]
    return C


@njit(cache=True, nogil=True)
def speed(C, j, w):
    """Column j of C times w."""
    total = 0.0
    for k in range(w.size):
        total += C[k, j] * w[k]
    return total


@njit(cache=True, nogil=True)
def speeds(C, w, out):
    """Cᵀ w."""
    for j in range(C.shape[1]):
        out[j] = speed(C, j, w)


@njit(cache=True, nogil=True)
def add_impulses(C, x, w):
    """w += C x."""
    for k in range(w.size):
        for j in range(x.size):
            w[k] += C[k, j] * x[j]


@njit(cache=True, nogil=True)
def one_smooth_pass(B, w, picked, e, r):
    """Compress and restitute the picked points, without friction."""
    A, alike = columns(B, picked, 1), True
    count, d = picked.size, w.size
    x, after = np.zeros(count), np.empty(d)
    nonnegative_least_squares(A, w, x, after)
    for a in range(count):
        alike = alike and e[a] == e[0]
        r[3 * picked[a]] += (1.0 + e[a]) * x[a]
        x[a] *= e[a]
    if alike:  # a reflection, exactly
        for k in range(d):
            w[k] = after[k] + e[0] * (after[k] - w[k])
        return
    add_impulses(A, x, after)
    nonnegative_least_squares(A, after, x, w)
    for a in range(count):
        r[3 * picked[a]] += x[a]


@njit(cache=True, nogil=True)
def one_rough_pass(B, w, picked, e, friction, least, r, stats):
    """Compress and restitute the picked points, with friction."""
    count, d, energy = picked.size, w.size, dot(w, w)
    C, G, mu, b = columns(B, picked, 3), np.empty((3 * count, 3 * count)), np.empty(count), np.empty(3 * count)
    for a in range(count):
        mu[a] = friction[picked[a]]
    for i in range(3 * count):
        for j in range(i + 1):
            G[i, j] = 0.0
            for k in range(d):
                G[i, j] += C[k, i] * C[k, j]
            G[j, i] = G[i, j]
    speeds(C, w, b)
    first = compressed(G, b, mu, stats)
    add_impulses(C, first, w)
    floor, bounces = np.empty(count), False
    for a in range(count):
        floor[a] = e[a] * first[3 * a]
        bounces = bounces or floor[a] > 0.0
    if bounces:
        speeds(C, w, b)
        second, change = restituted(G, b, mu, floor, stats), np.zeros(d)
        add_impulses(C, second, change)
        share = affordable(w, change, energy)
        stats[CAPPED] += 1.0 if share < 1.0 else 0.0
        for k in range(d):
            w[k] += share * change[k]
        for j in range(3 * count):
            first[j] += share * second[j]
    close_by_normals(C, w, picked, least, first, stats)
    for a in range(count):
        for c in range(3):
            r[3 * picked[a] + c] += first[3 * a + c]


@njit(cache=True, nogil=True)
def close_by_normals(C, w, picked, least, r, stats):
    """What the friction solver left of closing, normal impulses alone end, and lose energy."""
    closes = False
    for a in range(picked.size):
        closes = closes or speed(C, 3 * a, w) < -least[picked[a]]
    if closes:
        x, after = np.zeros(picked.size), w.copy()
        nonnegative_least_squares(columns(C, np.arange(picked.size), 1), after, x, w)
        stats[CLOSED_BY_NORMALS] += 1.0
        for a in range(picked.size):
            r[3 * a] += x[a]


@njit(cache=True, nogil=True)
def compressed(G, b, mu, stats):
    """Impulses of a plastic impact with friction, in their cones whatever the solver's error, and never making
    energy."""
    r, u, info = np.zeros(b.size), np.empty(b.size), np.zeros(4, np.int64)
    error = signorini_coulomb(G, b, mu, np.zeros(mu.size), r, 1e-13, 0.0, 1e-7, info)
    stats[FRICTION_ERROR] = max(stats[FRICTION_ERROR], error)
    for a in range(mu.size):
        r[3 * a] = max(r[3 * a], 0.0)
        r[3 * a + 1], r[3 * a + 2] = into_disc(r[3 * a + 1], r[3 * a + 2], mu[a] * r[3 * a])
    if error > SOLVED:
        velocities(G, b, r, u)
        work = dot(b, r)
        twice = dot(u, r) - work
        share = min(max(-work / twice, 0.0), 1.0) if twice > 0.0 else 0.0
        for i in range(r.size):
            r[i] *= share
    return r


@njit(cache=True, nogil=True)
def restituted(G, b, mu, floor, stats):
    """Impulses with r_N ≥ floor that keep points from closing, friction in the discs of the whole r_N."""
    r, info = pushed_by(floor), np.zeros(4, np.int64)
    error = signorini_coulomb(G, b, mu, floor, r, 1e-13, 0.0, 1e-7, info)
    stats[FRICTION_ERROR] = max(stats[FRICTION_ERROR], error)
    return r


@njit(cache=True, nogil=True)
def affordable(w, change, energy):
    """The largest s ≤ 1 with |w + s change|² ≤ energy."""
    a, b, c = dot(change, change), dot(w, change), dot(w, w) - energy
    if a + 2 * b + c <= 0.0 or a == 0.0:
        return 1.0
    return min(max((-b + np.sqrt(max(b * b - a * c, 0.0))) / a, 0.0), 1.0)
