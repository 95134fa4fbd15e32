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

from softdock.contact.coulomb import into_disc, signorini_coulomb, sweep_above, velocities
from softdock.contact.nonnegative import dot, lengths, nonnegative_least_squares
from softdock.kernels.jit import njit

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
    d, n = B.shape[0], restitution.size
    r[:] = 0.0
    size = np.sqrt(dot(w, w))
    if size == 0.0:
        return
    normals = np.ascontiguousarray(B[:, ::3])
    least = CLOSING * size * lengths(normals)
    rough = np.any(friction > 0.0)
    e, picked = np.empty(n), np.empty(n, np.int64)
    for turn in range(MOST_PASSES + 4):
        plastic = turn >= MOST_PASSES
        count, closing = 0, False
        for i in range(n):
            speed = 0.0
            for k in range(d):
                speed += normals[k, i] * w[k]
            closes = speed < -least[i]
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
            one_rough_pass(B, normals, w, picked[:count], e[:count], friction, least, r, stats)
        else:
            one_smooth_pass(normals, w, picked[:count], e[:count], r)


@njit(cache=True, nogil=True)
def one_smooth_pass(normals, w, picked, e, r):
    """Compress and restitute the picked points, without friction."""
    A = np.ascontiguousarray(normals[:, picked])
    count, d = picked.size, w.size
    x, after = np.zeros(count), np.empty(d)
    nonnegative_least_squares(A, w, x, after)
    alike = np.all(e == e[0])
    for a in range(count):
        r[3 * picked[a]] += (1.0 + e[a]) * x[a]
    if alike:  # a reflection, exactly
        for k in range(d):
            w[k] = after[k] + e[0] * (after[k] - w[k])
        return
    for k in range(d):
        for a in range(count):
            after[k] += e[a] * x[a] * A[k, a]
    more = np.zeros(count)
    nonnegative_least_squares(A, after, more, w)
    for a in range(count):
        r[3 * picked[a]] += more[a]


@njit(cache=True, nogil=True)
def one_rough_pass(B, normals, w, picked, e, friction, least, r, stats):
    """Compress and restitute the picked points, with friction."""
    count, d = picked.size, w.size
    C, mu = np.empty((d, 3 * count)), np.empty(count)
    for a in range(count):
        mu[a] = friction[picked[a]]
        for k in range(d):
            for c in range(3):
                C[k, 3 * a + c] = B[k, 3 * picked[a] + c]
    G, energy = C.T @ C, dot(w, w)
    first = compressed(G, C.T @ w, mu, stats)
    after = w + C @ first
    if np.any(e * first[::3] > 0.0):
        second = restituted(G, C.T @ after, mu, e * first[::3], stats)
        change = C @ second
        share = affordable(after, change, energy)
        stats[CAPPED] += 1.0 if share < 1.0 else 0.0
        for k in range(d):
            after[k] += share * change[k]
        for j in range(3 * count):
            first[j] += share * second[j]
    w[:] = after
    open_ = True
    for a in range(count):
        speed = 0.0
        for k in range(d):
            speed += normals[k, picked[a]] * w[k]
        open_ = open_ and speed >= -least[picked[a]]
    if not open_:  # what the solver left of closing, normals alone end, and lose energy
        x = np.zeros(count)
        nonnegative_least_squares(np.ascontiguousarray(normals[:, picked]), after, x, w)
        stats[CLOSED_BY_NORMALS] += 1.0
        for a in range(count):
            first[3 * a] += x[a]
    for a in range(count):
        for c in range(3):
            r[3 * picked[a] + c] += first[3 * a + c]


@njit(cache=True, nogil=True)
def compressed(G, b, mu, stats):
    """Impulses of a plastic impact with friction, in their cones whatever the solver's error, and never making
    energy."""
    r, info = np.zeros(b.size), np.zeros(4, np.int64)
    error = signorini_coulomb(G, b, mu, r, 1e-13, 1e-7, info)
    stats[FRICTION_ERROR] = max(stats[FRICTION_ERROR], error)
    for a in range(mu.size):
        r[3 * a] = max(r[3 * a], 0.0)
        r[3 * a + 1], r[3 * a + 2] = into_disc(r[3 * a + 1], r[3 * a + 2], mu[a] * r[3 * a])
    if error > SOLVED:
        twice, work = dot(r, G @ r), dot(b, r)
        share = min(max(-work / twice, 0.0), 1.0) if twice > 0.0 else 0.0
        r *= share
    return r


@njit(cache=True, nogil=True)
def restituted(G, b, mu, floor, stats):
    """Impulses with r_N ≥ floor that keep points from closing, friction in the discs of the whole r_N."""
    r, u = np.zeros(b.size), np.empty(b.size)
    r[::3] = floor
    velocities(G, b, r, u)
    size = np.max(np.abs(b)) + np.max(np.abs(u))
    error = sweep_above(G, mu, floor, r, u, 4000, 1e-13 * size)
    stats[FRICTION_ERROR] = max(stats[FRICTION_ERROR], error / size)
    return r


@njit(cache=True, nogil=True)
def affordable(w, change, energy):
    """The largest s ≤ 1 with |w + s change|² ≤ energy."""
    a, b, c = dot(change, change), dot(w, change), dot(w, w) - energy
    if a + 2 * b + c <= 0.0 or a == 0.0:
        return 1.0
    return min(max((-b + np.sqrt(max(b * b - a * c, 0.0))) / a, 0.0), 1.0)
