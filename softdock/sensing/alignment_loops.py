"""Compiled loops over the points of an alignment: all that is done with them between two looks at the model."""

import math
from typing import NamedTuple

import numpy as np

from softdock.contact.vectors import cross, dot, minus, of_transposed, plus, row, times, vector
from softdock.kernels.jit import njit
from softdock.kernels.loop import loop
from softdock.sensing.loops import (
    GRAZING,
    NEIGHBOURS,
    _about,
    _normal_at,
    _rate_of,
    _set,
    add_row,
    begin_at,
    drawn_to,
    mirror,
    ray_at,
    solve_step,
)

OFF = 6.0
"""A range this many standard deviations off is of another part of the target than the ray predicts."""
EDGE = 3.0
"""Standard deviation of an edge's distance, in units of the range noise."""


@njit(cache=True, nogil=True)
def trust(e, width):
    """Weight of Geman and McClure's loss."""
    off = e / width
    fallen = 1.0 + off * off
    return 1.0 / (fallen * fallen)


@loop
def displace(R, p, step, scale):
    """Displace a pose by (δ, ε) in units of `scale`, in place: R exp(δ), p + ε."""
    rate, axis = _rate_of((step[0] * scale[0], step[1] * scale[1], step[2] * scale[2]))
    c, s = math.cos(rate), -math.sin(rate)
    for i in range(3):
        if rate > 0.0:
            _set(R, i, _about(axis, c, s, row(R, i)))
        p[i] += step[3 + i] * scale[3 + i]


@njit(cache=True, nogil=True)
def displaced_along(R, p, direction, steps, scale):
    """Poses (k, 3, 3) and (k, 3) after displacements by so many `steps` (k) of a direction."""
    turned, moved, step = np.empty((len(steps), 3, 3)), np.empty((len(steps), 3)), np.empty(6)
    for k in range(len(steps)):
        for i in range(6):
            step[i] = steps[k] * direction[i]
        for i in range(3):
            moved[k, i] = p[i]
            _set(turned[k], i, row(R, i))
        displace(turned[k], moved[k], step, scale)
    return turned, moved


class Room(NamedTuple):
    """For what a step needs in between, and its equations: loops that allocate nothing count no references."""

    H: np.ndarray
    g: np.ndarray
    rows: np.ndarray
    factor: np.ndarray
    step: np.ndarray
    found: np.ndarray
    square: np.ndarray


def room() -> Room:
    """Not shared by threads."""
    H, factor, found = np.empty((6, 6)), np.empty((6, 6)), np.empty(NEIGHBOURS, np.int64)
    return Room(H, np.empty(6), np.empty(6), factor, np.empty(6), found, np.empty(NEIGHBOURS))


@njit(cache=True, nogil=True)
def _begin(H, g):
    for i in range(6):
        g[i] = 0.0
        for j in range(6):
            H[i, j] = 0.0


@loop
def take_step(R, p, H, g, scale, hold, room):
    """Take a pose a Gauss-Newton step on, at most a fifth of a radian or radius, in place; the step's size before that,
    zero of numbers that have run away: they are no step."""
    step, size = room.step, 0.0
    solve_step(H, g, scale, hold, room.factor, step)
    for i in range(6):
        if not abs(step[i]) < np.inf:
            return 0.0
        size = max(size, abs(step[i]))
    for i in range(6):
        step[i] *= min(1.0, 0.2 / max(size, 1e-300))
    displace(R, p, step, scale)
    return size


@loop
def approach(beams, visible, R, p, part, width, most, scale, hold, least, room):
    """Take a pose steps on, in place, that draw points to the visible surface; how many: at most `most`, and none after
    one smaller than `least`."""
    H, g = room.H, room.g
    for done in range(most):
        _begin(H, g)
        for i in part:
            _, _, x = ray_at(beams, R, p, i)
            e, n = drawn_to(visible, x, room.found, room.square)
            add_row(R, n, x, e, trust(e, width), 1.0, room.rows, H, g)
        mirror(H)
        if take_step(R, p, H, g, scale, hold, room) < least:
            return done + 1
    return most


@njit(cache=True, nogil=True)
def _compared(facets, is_smooth, f, ray, x, sigma, incidence):
    """A point against the facet that its ray meets: normal, height in units of the noise along it (inf where the ray
    meets none), that noise (m), and where the ray meets the facet, or the point. `is_smooth` says that some facets
    stand for curved surfaces."""
    if f < 0:
        return (0.0, 0.0, 0.0), np.inf, sigma, x
    n = row(facets.normals, f)
    above, slope = dot(n, x) - facets.offsets[f], dot(n, ray)
    steep = min(slope, -GRAZING)
    met = plus(x, -above / steep, ray)
    if is_smooth:
        n = _normal_at(facets, f, met)
        slope = dot(n, ray)
        above *= min(max(slope / steep, 0.2), 5.0)
    s = sigma * max(-slope, incidence)
    return n, above / s, s, met


@loop
def judge(visible, is_smooth, triangle, d, x, R, sigma, width, edge, incidence, fit, room):
    """Points whose rays meet triangles, judged as a `Stage` says, into a `Fit`; how many are off: the first so many of
    `fit.off`.

    Those are drawn to the nearest visible surface. The derivative of a range is that of the place on the model: levers
    to measured points, which have the noise of their residuals, would turn the pose by its square, scan after scan
    alike.
    """
    beside = 0
    _begin(fit.H, fit.g)
    for i in range(len(x)):
        point = row(x, i)
        n, e, s, met = _compared(visible.facets, is_smooth, triangle[i], row(d, i), point, sigma, incidence)
        if abs(e) > OFF:
            distance, n = drawn_to(visible, point, room.found, room.square)
            s, met, w = EDGE * sigma, point, trust(distance, edge)
            e = distance / s
            fit.off[beside] = i
            beside += 1
        else:
            w = trust(e, width)
        add_row(R, n, met, e, w, s, fit.rows[i], fit.H, fit.g)
        fit.residuals[i], fit.pull[i] = e, math.sqrt(w) / s
        _set(fit.normals, i, n)
    mirror(fit.H)
    return beside


@njit(cache=True, nogil=True)
def looks(beams, R, p, part, center, radius):
    """Rays of several poses (k, 3, 3) and (k, 3), pose after pose: as `begun` has them; their directions, and what is
    at their ranges."""
    count = len(p) * len(part)
    begin, single = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
    d, x = np.empty((count, 3)), np.empty((count, 3))
    for k in range(len(p)):
        for j in range(len(part)):
            i = k * len(part) + j
            origin, direction, point = ray_at(beams, R[k], p[k], part[j])
            begin_at(origin, direction, center, radius, begin[i], single[i])
            _set(d, i, direction)
            _set(x, i, point)
    return begin, single, d, x


@njit(cache=True, nogil=True)
def surprises(facets, triangle, d, x, poses, sigma, incidence):
    """Sums of squared residuals, none above `OFF`², at each of several poses."""
    sums, count = np.zeros(poses), len(x) // poses
    for k in range(poses):
        for i in range(k * count, (k + 1) * count):
            f, square = triangle[i], OFF * OFF
            if f >= 0:
                n = row(facets.normals, f)
                e = (dot(n, row(x, i)) - facets.offsets[f]) / (sigma * max(-dot(n, row(d, i)), incidence))
                square = min(e * e, square)
            sums[k] += square
    return sums


@njit(cache=True, nogil=True)
def held(facets, triangle, d, x, R, direction, scale, sigma, incidence):
    """As `surprises`, of one pose; and how much each residual changes along a direction."""
    share = np.zeros(len(x))
    turn = (direction[0] * scale[0], direction[1] * scale[1], direction[2] * scale[2])
    shift = of_transposed(R, (direction[3] * scale[3], direction[4] * scale[4], direction[5] * scale[5]))
    for i in range(len(x)):
        f = triangle[i]
        if f >= 0:
            n = row(facets.normals, f)
            share[i] = abs(dot(cross(n, row(x, i)), turn) - dot(n, shift)) / max(-dot(n, row(d, i)), incidence)
    return surprises(facets, triangle, d, x, 1, sigma, incidence)[0], share


@njit(cache=True, nogil=True)
def lying(residuals, off):
    """Indices of the points that lie on the model, and the sum of their squares."""
    out, found, square, beside = np.empty(len(residuals), np.int64), 0, 0.0, 0
    for i in range(len(residuals)):
        if beside < len(off) and off[beside] == i:
            beside += 1
        elif abs(residuals[i]) < OFF:
            out[found] = i
            found += 1
            square += residuals[i] * residuals[i]
    return out[:found].copy(), square


@njit(cache=True, nogil=True)
def extent(points):
    """How many points are not finite; and how far (m) the farthest and the nearest are, along the axis where most."""
    bad, farthest, nearest = 0, 0.0, np.inf
    for i in range(len(points)):
        far = max(abs(points[i, 0]), abs(points[i, 1]), abs(points[i, 2]))
        if not (abs(points[i, 0]) + abs(points[i, 1]) + abs(points[i, 2]) < np.inf):
            bad += 1
        farthest, nearest = max(farthest, far), min(nearest, far)
    return bad, farthest, nearest


@njit(cache=True, nogil=True)
def within(beams, R, p, part, center, radius):
    """How many points are within a ball."""
    count = 0
    for i in part:
        _, _, x = ray_at(beams, R, p, i)
        away = minus(x, vector(center))
        count += math.sqrt(dot(away, away)) < radius
    return count


@njit(cache=True, nogil=True)
def shared_errors(beams, R, p, part, normals, triangle, sagitta, bias, lens, tolerance, scale_error):
    """As `Alignment.shared`."""
    out = np.empty((5, len(part)))
    for j in range(len(part)):
        i = part[j]
        n, direction = row(normals, j), row(beams.directions, i)
        _, d, x = ray_at(beams, R, p, i)
        away = (direction[0], direction[1], 0.0)
        across = of_transposed(R, plus(away, -dot(away, direction), direction))
        out[0, j] = bias * dot(n, d)
        out[1, j] = lens * dot(n, times(beams.ranges[i], across))
        out[2, j] = tolerance
        out[3, j] = scale_error * dot(n, x)
        out[4, j] = 2 / 3 * sagitta[triangle[j]] if triangle[j] >= 0 else 0.0  # the mean depth of a facet under an arc
    return out


@njit(cache=True, nogil=True)
def gathered(rows, pull, shared, t, part):
    """Σ rᵀ (pull shared) and Σ t rᵀ r over the rows r of a fit: (6, 5) and (6, 6)."""
    by_shared, by_time = np.zeros((6, len(shared))), np.zeros((6, 6))
    for j in range(len(rows)):
        for a in range(6):
            for k in range(len(shared)):
                by_shared[a, k] += rows[j, a] * (pull[j] * shared[k, j])
            for b in range(6):
                by_time[a, b] += rows[j, a] * (t[part[j]] * rows[j, b])
    return by_shared, by_time


@njit(cache=True, nogil=True)
def grown(beams, R, p, part, some, rows, residuals, normals, pull, center, width):
    """What a larger target would do to residuals of plain least squares: to each of `some` points (and by how much its
    weight is more then); and the normal equations of what a displacement does of it, (6, 6) and (6)."""
    by, plain, H, g = np.empty(len(some)), np.empty(len(some)), np.zeros((6, 6)), np.zeros(6)
    for k in range(len(some)):
        i = some[k]
        _, _, x = ray_at(beams, R, p, part[i])
        plain[k] = 1.0 / math.sqrt(trust(residuals[i], width))  # whoever doubts what is far off finds too little
        by[k] = pull[i] * plain[k] * dot(row(normals, i), minus(x, vector(center)))
        for a in range(6):
            pulled = rows[i, a] * plain[k]
            g[a] += pulled * by[k]
            for b in range(6):
                H[a, b] += pulled * (rows[i, b] * plain[k])
    return by, plain, H, g


@njit(cache=True, nogil=True)
def grown_alone(rows, residuals, pull, some, by, plain, step, shared, t, part):
    """Of what is left of that after a displacement by `step`: its square, and that before; its products with the
    residuals, with rates (6) and with what points share (5)."""
    power, before, found, by_rates, by_shared = 0.0, 0.0, 0.0, np.zeros(6), np.zeros(len(shared))
    for k in range(len(some)):
        i, own = some[k], by[k]
        for a in range(6):
            own -= rows[i, a] * plain[k] * step[a]
        power += own * own
        before += by[k] * by[k]
        found += own * residuals[i]
        for a in range(6):
            by_rates[a] += own * (t[part[i]] * (rows[i, a] * plain[k]))
        for a in range(len(shared)):
            by_shared[a] += pull[i] * plain[k] * shared[a, i] * own
    return power, before, found, by_rates, by_shared
