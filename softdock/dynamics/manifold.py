"""Points at which located contacts touch: found where shapes are, followed as bodies move (docs/theory/impacts.md).

Points are those of one body over a plane of the other: a point of a core polytope, less the radii that sweep it, so
that a capsule or cylinder may roll; or of one axis around another; or where two edges cross; or, where what is round
touches no face and crosses no edge, where the gap of the pair is. Each has a gap of its own: that of the pair would
jump to another feature when that lands.
"""

from functools import partial

import numpy as np

from softdock.contact.hit import GAP, HIT, NORMAL, ON_A, ON_B
from softdock.contact.patches import FLAT as TURNED
from softdock.contact.patches import LEVEL, MOST, patch_leaning
from softdock.contact.proximity import gap
from softdock.contact.shapes import BALL, DISC, EDGE, FACE, LINK, POINT, RADIUS, WIDTH
from softdock.contact.vectors import cross, dot, minus, norm, plus, row, times, turned, upright, vector, write
from softdock.dynamics.compliance import fill_row
from softdock.dynamics.gaps import place, placed_pair, stop_gap
from softdock.dynamics.state import NEAR
from softdock.kernels import CompiledLoop, enter
from softdock.kernels.jit import njit
from softdock.mechanics.tree import WORLD_LINK

FLAT = 1e-12
"""1 − cosine up to which a face lies across the normal."""

SAME = 1e-6
"""Distance, relative to a shape's width, up to which two points are one, or one is on a line."""

CROSSING = 1e-3
"""Sine of the angle between two edges above which they cross; and distance from an edge, relative to its length, and
cosine with the normal, up to which a point is on it."""

SQUARE = 1e-6
"""Angle (rad) between the normal and the direction across both of two edges up to which they touch where they cross."""

ROLLS = 2e-3
"""Tilt (rad) above which a cap that touches at one point rolls on its rim; below, the rim is that of an octagon."""

TURNING = 4
"""Iterations (Newton's, for a place on a rim that moves by less than its radius)."""

NEAR_RIM = 0.9
"""Of a cap's radius: further out than that the sides of an octagon in the rim may be, which are at 0.92."""
AT_CORNER = 1e-9
"""1 − cosine of the angle between where a cap presses and a corner, up to which it presses at that corner."""

FULL = 2
"""What `gather` returns if there are more points than there is room for; else 1."""


@partial(CompiledLoop, makes_arrays=True)
def gather(plant, state):
    """The points of the contacts `wanted` whose own gap is at most NEAR, or their margin, at `proximity.where`."""
    contacts, proximity, points = plant.contacts, state.proximity, state.points
    normal, found, pairs = np.empty(3), np.empty((MOST, 4)), contacts.pairs.shape[0]
    place(plant, state, proximity.where)
    points.number, points.dry, points.of_step = 0, 0, False
    for which in range(proximity.seen.number):
        k = proximity.near[which]
        if not points.wanted[k]:
            continue
        if points.number + MOST > points.gap.size - plant.dry.size:
            state.compliance.which = k
            return FULL
        if k < pairs:
            shapes, a, b, A, B, R_A, R_B = placed_pair(plant, state, k)
            margin = points.margin[k] if points.wide else NEAR
            count = patch_leaning(shapes, a, b, A, B, R_A, R_B, margin, vector(points.lean[k]), normal, found)
            count = distinct(found, count, shapes.sizes[a, WIDTH])
            level = count > 2 and spread(found, count) <= SAME * shapes.sizes[a, WIDTH]
            for i in range(count):
                add_point(plant, state, k, normal, found[i], count, level)
        else:
            value = stop_gap(plant, state, k)
            if value <= NEAR:
                points.gap[points.number], points.contact[points.number] = value, k
                points.friction[points.number] = 0.0
                points.number += 1
    if points.wanted[contacts.laws.size]:
        points.dry = plant.dry.size
        for _ in range(plant.dry.size):
            points.gap[points.number], points.contact[points.number] = 0.0, contacts.laws.size
            points.friction[points.number] = 1.0
            points.number += 1
    return 1


@njit(cache=True, nogil=True)
def turn_caps(plant, state):
    """Caps that lie flat and press near the octagon's rim, but not at a corner, get a corner there: are there such?
    (Between two corners the octagon is narrower than the cap, and would tip too early.)"""
    points, shapes, turned_any, i = state.points, plant.contacts.shapes, False, 0
    while i < points.number - points.dry:
        k, j = points.contact[i], i + 1
        while j < points.number and points.contact[j] == k:
            j += 1
        for side in range(2 if k < plant.contacts.pairs.shape[0] and j > i + 1 else 0):
            s, n = plant.contacts.pairs[k, side], row(points.normal, i)
            disc = shapes.sizes[s, DISC]
            if disc > 0.0 and norm(lowest_of_rim(plant, state, s, n)) < TURNED:
                turned_any = lean_to(plant, state, s, i, j) or turned_any
        i = j
    return turned_any


@njit(cache=True, nogil=True)
def lean_to(plant, state, s, first, last):
    """Does shape s, a cylinder on its cap, press near the rim but at none of the corners that are the points from
    `first` to before `last`? Then its contact leans that way."""
    points, disc, n = state.points, plant.contacts.shapes.sizes[s, DISC], row(state.points.normal, first)
    at, total, offset, best = plant.contacts.shapes.table[s, POINT], 0.0, (0.0, 0.0, 0.0), -1.0
    for i in range(first, last):
        away = minus(row(points.x, i), row(state.proximity.corners, at))
        away = plus(away, -dot(away, n), n)
        total, offset = total + points.impulse[3 * i], plus(offset, points.impulse[3 * i], away)
    if norm(offset) <= NEAR_RIM * disc * total:
        return False
    u, lean = times(1.0 / norm(offset), offset), vector(points.lean[points.contact[first]])
    if dot(u, lean) > 1.0 - AT_CORNER:  # turned there already
        return False
    for i in range(first, last):
        away = minus(row(points.x, i), row(state.proximity.corners, at))
        away = plus(away, -dot(away, n), n)
        best = max(best, dot(u, away) / max(norm(away), 1e-300))
    if best > 1.0 - AT_CORNER:
        return False
    write(state.points.lean[points.contact[first]], 0, u)
    return True


@njit(cache=True, nogil=True)
def spread(found, count):
    """Of the gaps of a patch's points."""
    low, high = np.inf, -np.inf
    for i in range(count):
        low, high = min(low, found[i, GAP]), max(high, found[i, GAP])
    return high - low


@njit(cache=True, nogil=True)
def distinct(found, count, width):
    """Leave out points that only rounding makes, where edges of two faces coincide: those that are where the one before
    is, and those on the line between their neighbours. How many are left."""
    i = 0
    while i < count and count > 1:
        x, after = vector(found[i]), vector(found[(i + 1) % count])
        same = norm(minus(after, x)) <= SAME * width
        if count > 3 and not same:
            before = vector(found[(i - 1) % count])
            same = norm(cross(minus(after, x), minus(before, x))) <= SAME * width * width
        if same:
            count -= 1
            for j in range(i, count):
                for c in range(4):
                    found[j, c] = found[j + 1, c]
        else:
            i += 1
    return count


@njit(cache=True, nogil=True)
def add_point(plant, state, k, normal, found, count, level):
    """One of `count` points of contact k, as `patch` found it; are they all level?"""
    points, shapes = state.points, plant.contacts.shapes
    a, b = plant.contacts.pairs[k, 0], plant.contacts.pairs[k, 1]
    n, x, s, i = vector(normal), vector(found), found[GAP], points.number
    points.contact[i], points.gap[i], points.friction[i] = k, s, plant.contacts.laws[k].friction
    write(points.x[i], 0, x)
    write(points.normal[i], 0, n)
    across_a, across_b = across(plant, state, a, times(-1.0, n)), across(plant, state, b, n)
    ball = shapes.table[a, POINT] + 1 == shapes.table[a + 1, POINT] or (
        shapes.table[b, POINT] + 1 == shapes.table[b + 1, POINT]
    )
    alone = count == 1 and max(across_a, across_b) <= 1.0 - FLAT  # not on a face
    points.single[i] = ball
    points.crossing[i], points.around[i] = False, False
    points.plane[i] = a if across_a > across_b else b
    if abs(across_a - across_b) <= FLAT:  # of two faces, the smaller shape has the points, which go with it
        points.plane[i] = a if shapes.sizes[a, BALL] > shapes.sizes[b, BALL] else b
    least = ROLLS if count == 1 and not alone else LEVEL
    points.swept[i, 0], points.swept[i, 1] = rolling(plant, state, a, n, least), rolling(plant, state, b, n, least)
    on_a, on_b = plus(x, 0.5 * s, n), plus(x, -0.5 * s, n)
    for side in range(2):
        if points.swept[i, side] > 0.0:
            write(points.rim[i, side], 0, lowest_of_rim(plant, state, plant.contacts.pairs[k, side], n))
    first = core_point(plant, state, a, times(-1.0, n), on_a, points.swept[i, 0])
    second = core_point(plant, state, b, n, on_b, points.swept[i, 1])
    write(points.on[i, 0], 0, into_link(plant, state, a, first))
    write(points.on[i, 1], 0, into_link(plant, state, b, second))
    write(points.plane_normal[i], 0, turned(state.proximity.turns[points.plane[i]].T, n))
    if alone and not ball:
        cross_edges(plant, state, i, n, first, second, CROSSING)
        # what is round turns its normal as it rolls; only the gap of the pair knows how
        points.single[i] = not points.crossing[i] and (is_round(shapes, a) or is_round(shapes, b))
    elif count == 2 and lies_along(plant, state, a, n) and lies_along(plant, state, b, n):
        points.around[i], points.plane[i] = True, b
    elif not level and not ball:
        tell_apart(plant, state, i, n, first, second)
    for side in range(2):
        s = plant.contacts.pairs[k, side]
        write(points.grip[i, side], 0, into_link(plant, state, s, row(points.x, i)))
        write(points.start[i, side, 3], 0, origin_of(plant, state, s))
        for c in range(3):
            write(points.start[i, side, c], 0, row(state.proximity.turns[s], c))
    points.number += 1


@njit(cache=True, nogil=True)
def is_round(shapes, s):
    """Is shape s a capsule or a cylinder (or a ball)?"""
    return shapes.sizes[s, RADIUS] > 0.0 or shapes.sizes[s, DISC] > 0.0


@njit(cache=True, nogil=True)
def lies_along(plant, state, s, n):
    """Does a capsule or cylinder touch along n with its side?"""
    table = plant.contacts.shapes.table
    return table[s + 1, POINT] - table[s, POINT] == 2 and abs(dot(axis_of(plant, state, s), n)) < LEVEL


@njit(cache=True, nogil=True)
def cross_edges(plant, state, i, n, first, second, most):
    """Let point i be where two edges cross, if it is; `most` is the cosine of such edges with n."""
    points = state.points
    a, b = plant.contacts.pairs[points.contact[i], 0], plant.contacts.pairs[points.contact[i], 1]
    d, e = edge_at(plant, state, a, first, n, most), edge_at(plant, state, b, second, n, most)
    m = cross(d, e)
    if norm(m) > CROSSING and norm(cross(m, n)) <= SQUARE * norm(m):
        points.crossing[i] = True
        write(points.along[i, 0], 0, turned(state.proximity.turns[a].T, d))
        write(points.along[i, 1], 0, turned(state.proximity.turns[b].T, e))


@njit(cache=True, nogil=True)
def tell_apart(plant, state, i, n, first, second):
    """Of a patch that is not level, what point i is: a corner of one body over a face of the other, whose plane then is
    that face's own, or where edges cross. (Over the patch's plane it would slide into the other body.)"""
    points, pair = state.points, plant.contacts.pairs[state.points.contact[i]]
    if points.swept[i, 0] > 0.0 or points.swept[i, 1] > 0.0:
        return
    if is_corner(plant, state, pair[0], first):
        lay_on(plant, state, i, 1, face_along(plant, state, pair[1], n))
    elif is_corner(plant, state, pair[1], second):
        lay_on(plant, state, i, 0, times(-1.0, face_along(plant, state, pair[0], times(-1.0, n))))
    else:
        cross_edges(plant, state, i, n, first, second, 2.0 * LEVEL)
    follow(plant, state, i)


@njit(cache=True, nogil=True)
def is_corner(plant, state, s, x):
    """Is x a corner of shape s's core?"""
    shapes, found = plant.contacts.shapes, False
    for at in range(shapes.table[s, POINT], shapes.table[s + 1, POINT]):
        away = norm(minus(x, row(state.proximity.corners, at)))
        found = found or away <= SAME * shapes.sizes[s, WIDTH]
    return found


@njit(cache=True, nogil=True)
def face_along(plant, state, s, n):
    """The outward normal of the face of shape s that is most along n; zero if none is nearly."""
    shapes, found, best = plant.contacts.shapes, (0.0, 0.0, 0.0), 1.0 - LEVEL * LEVEL
    for face in range(shapes.table[s, FACE], shapes.table[s + 1, FACE]):
        outward = turned(state.proximity.turns[s], row(shapes.normals, face))
        if dot(outward, n) > best:
            found, best = outward, dot(outward, n)
    return found


@njit(cache=True, nogil=True)
def lay_on(plant, state, i, side, n):
    """Let the plane of point i be that of a face of the pair's body `side`, with the normal n, if there is one."""
    if norm(n) > 0.0:
        points = state.points
        points.plane[i] = plant.contacts.pairs[points.contact[i], side]
        write(points.plane_normal[i], 0, turned(state.proximity.turns[points.plane[i]].T, n))


@njit(cache=True, nogil=True)
def across(plant, state, s, n):
    """How far a face or cap of shape s lies across n, its outward normal: the cosine; 0 if it has none."""
    shapes, best = plant.contacts.shapes, 0.0
    for face in range(shapes.table[s, FACE], shapes.table[s + 1, FACE]):
        best = max(best, dot(turned(state.proximity.turns[s], row(shapes.normals, face)), n))
    return abs(dot(axis_of(plant, state, s), n)) if shapes.sizes[s, DISC] > 0.0 else best


@njit(cache=True, nogil=True)
def edge_at(plant, state, s, x, n, most):
    """Unit vector along the edge of shape s's core, or the rim of its cap if that is nearly across n, on which x lies
    and whose cosine with n is below `most`; zero if there is none, as in a corner of a shape without edges."""
    shapes, corners, found, best = plant.contacts.shapes, state.proximity.corners, (0.0, 0.0, 0.0), CROSSING
    first, last = shapes.table[s, POINT], shapes.table[s + 1, POINT]
    if last - first == 2:
        d = axis_of(plant, state, s)
        if shapes.sizes[s, DISC] > 0.0 and norm(cross(d, n)) < LEVEL:
            return rim_at(plant, state, s, x)
        return d if abs(dot(d, n)) < most else found
    for edge in range(shapes.table[s, EDGE], shapes.table[s + 1, EDGE]):
        p, q = row(corners, shapes.indices[edge, 0]), row(corners, shapes.indices[edge, 1])
        d = minus(q, p)
        length = norm(d)
        d = times(1.0 / length, d)
        away = minus(x, p)
        off = norm(plus(away, -dot(away, d), d)) / length
        if off < best and abs(dot(d, n)) < most:
            found, best = d, off
    return found


@njit(cache=True, nogil=True)
def rim_at(plant, state, s, x):
    """Unit vector along the rim of a cylinder's cap at x; zero if x is not on it."""
    d = axis_of(plant, state, s)
    away = minus(x, row(state.proximity.corners, plant.contacts.shapes.table[s, POINT]))
    away = plus(away, -dot(away, d), d)
    on = abs(norm(away) - plant.contacts.shapes.sizes[s, DISC]) <= SAME * plant.contacts.shapes.sizes[s, WIDTH]
    return times(1.0 / norm(away), cross(d, away)) if on else (0.0, 0.0, 0.0)


@njit(cache=True, nogil=True)
def axis_of(plant, state, s):
    """Unit vector along a cylinder."""
    at = plant.contacts.shapes.table[s, POINT]
    d = minus(row(state.proximity.corners, at + 1), row(state.proximity.corners, at))
    return times(1.0 / norm(d), d)


@njit(cache=True, nogil=True)
def rolling(plant, state, s, n, least):
    """The radius of a cylinder that touches along n with its side, or with the rim of a cap that is tilted by `least`
    (rad) or more; 0 for other shapes and for caps that are not."""
    disc = plant.contacts.shapes.sizes[s, DISC]
    if disc > 0.0 and norm(cross(axis_of(plant, state, s), n)) >= least:
        return disc
    return 0.0


@njit(cache=True, nogil=True)
def lowest_of_rim(plant, state, s, n):
    """Where the lowest point of a cylinder's tilted cap is, from its axis: across it, along n, of the size of the sine
    of its tilt."""
    u = axis_of(plant, state, s)
    return plus(n, -dot(n, u), u)


@njit(cache=True, nogil=True)
def tipped_over(plant, state, k):
    """Has a cap of the resting contact k, which stood on its rim, come down and up again on the other side of it? (Its
    landing would be passed over.)"""
    points, found = state.points, False
    for i in range(points.number if points.of_step else 0):
        for side in range(2):
            if points.contact[i] == k and points.swept[i, side] > 0.0:
                s = plant.contacts.pairs[k, side]
                now = lowest_of_rim(plant, state, s, row(points.normal, i))
                found = found or dot(now, row(points.rim[i], side)) < 0.0
    return found


@njit(cache=True, nogil=True)
def core_point(plant, state, s, n, x, disc):
    """The point of shape s's core for its surface's point x with the outward normal n; `disc` as of `rolling`."""
    x = plus(x, -plant.contacts.shapes.sizes[s, RADIUS], n)
    if disc > 0.0:
        radial = lowest_of_rim(plant, state, s, n)
        x = plus(x, -disc / norm(radial), radial)
    return x


@njit(cache=True, nogil=True)
def surface_point(plant, state, s, n, x, disc):
    """The point of shape s's surface with the outward normal n for its core's point x: undoes `core_point`."""
    x = plus(x, plant.contacts.shapes.sizes[s, RADIUS], n)
    if disc > 0.0:
        radial = lowest_of_rim(plant, state, s, n)
        x = plus(x, disc / max(norm(radial), 1e-300), radial)
    return x


@njit(cache=True, nogil=True)
def crossed(x, d, y, e):
    """Where two lines are nearest to each other, which go through x along d and through y along e."""
    m, apart = cross(d, e), minus(y, x)
    squared = max(dot(m, m), 1e-300)
    return plus(x, dot(cross(apart, e), m) / squared, d), plus(y, dot(cross(apart, d), m) / squared, e)


@njit(cache=True, nogil=True)
def onto_rim(plant, state, s, x, d):
    """The point of a cylinder's rim nearest to x, which is at its height, and the tangent there, which is along d."""
    u, corner = axis_of(plant, state, s), row(state.proximity.corners, plant.contacts.shapes.table[s, POINT])
    away = minus(x, corner)
    centre = plus(corner, dot(away, u), u)
    away = minus(x, centre)
    away = times(1.0 / max(norm(away), 1e-300), away)
    tangent = cross(u, away)
    return plus(centre, plant.contacts.shapes.sizes[s, DISC], away), times(np.sign(dot(tangent, d)), tangent)


@njit(cache=True, nogil=True)
def crossing_of(plant, state, i, first, second):
    """Where the two edges of point i cross, at first through points of them, and the direction across both. An edge may
    be the rim of a cap, whose tangent turns on the way."""
    points, pair, discs = state.points, plant.contacts.pairs[state.points.contact[i]], plant.contacts.shapes.sizes
    d = turned(state.proximity.turns[pair[0]], row(points.along[i], 0))
    e = turned(state.proximity.turns[pair[1]], row(points.along[i], 1))
    rim_a = discs[pair[0], DISC] > 0.0 and points.swept[i, 0] == 0.0
    rim_b = discs[pair[1], DISC] > 0.0 and points.swept[i, 1] == 0.0
    for _ in range(TURNING if rim_a or rim_b else 1):
        first, second = crossed(first, d, second, e)
        if rim_a:
            first, d = onto_rim(plant, state, pair[0], first, d)
        if rim_b:
            second, e = onto_rim(plant, state, pair[1], second, e)
    m = cross(d, e)
    return first, second, times(1.0 / norm(m), m)


@njit(cache=True, nogil=True)
def origin_of(plant, state, s):
    """Of the link that carries shape s."""
    link = plant.contacts.shapes.table[s, LINK]
    return row(state.proximity.poses.p, link) if link != WORLD_LINK else (0.0, 0.0, 0.0)


@njit(cache=True, nogil=True)
def into_link(plant, state, s, x):
    """A point of the world in the frame of shape s's link."""
    return turned(state.proximity.turns[s].T, minus(x, origin_of(plant, state, s)))


@njit(cache=True, nogil=True)
def out_of_link(plant, state, s, local):
    """A point of shape s's link in the world."""
    x = turned(state.proximity.turns[s], vector(local))
    return plus(x, 1.0, origin_of(plant, state, s))


@CompiledLoop
def measure(plant, state):
    """Gap, place and normal of every point gathered, where bodies have carried it at `proximity.where`, and how far
    they have slid there."""
    points, pairs, found = state.points, plant.contacts.pairs.shape[0], False
    place(plant, state, state.proximity.where)
    for i in range(points.number - points.dry):
        k = points.contact[i]
        if k >= pairs:
            points.gap[i] = stop_gap(plant, state, k)
        elif not points.single[i]:
            follow(plant, state, i)
        elif not found:
            enter(state.loops.measure_single, plant, state)
            found = True
        if k < pairs and points.friction[i] > 0.0:
            if rolls(plant, state, i):
                roll(plant, state, i)
            else:
                slide(plant, state, i)
    return 1


@partial(CompiledLoop, makes_arrays=True)
def measure_single(plant, state):
    """Of those points that are where the gap of their pair is."""
    points, hit = state.points, np.empty(HIT)
    for i in range(points.number - points.dry):
        k = points.contact[i]
        if k < plant.contacts.pairs.shape[0] and points.single[i]:
            shapes, a, b, A, B, R_A, R_B = placed_pair(plant, state, k)
            points.gap[i] = gap(shapes, a, b, A, B, R_A, R_B, hit)
            for c in range(3):
                points.x[i, c] = 0.5 * (hit[ON_A + c] + hit[ON_B + c])
                points.normal[i, c] = hit[NORMAL + c]
    return 1


@njit(cache=True, nogil=True)
def rolls(plant, state, i):
    """Is point i one of what is round, so that its place moves over both bodies?"""
    points, sizes, pair = state.points, plant.contacts.shapes.sizes, plant.contacts.pairs[state.points.contact[i]]
    round_side = points.swept[i, 0] > 0.0 or points.swept[i, 1] > 0.0
    return round_side or points.single[i] or sizes[pair[0], RADIUS] > 0.0 or sizes[pair[1], RADIUS] > 0.0


@njit(cache=True, nogil=True)
def roll(plant, state, i):
    """How far the bodies of point i have slid on each other, where it rolls: by the mean of their velocities against
    each other at its place at the step's start and at its end. (A ball on a floor rolls with ω r then.)"""
    points, n = state.points, row(state.points.normal, i)
    for c in range(2):
        t = row(points.tangents[i], c)
        fill_row(plant, state, points.contact[i], points.x[i], plus(t, -dot(t, n), n), points.ahead)
        way = 0.0
        for k in range(plant.nv):
            way += (points.J[3 * i + 1 + c, k] + points.ahead[k]) * state.xi[k]
        points.slip[i, c] = 0.5 * state.input.h * way


@njit(cache=True, nogil=True)
def slide(plant, state, i):
    """How far the bodies of point i have slid on each other: the mean of how far apart the two places are now that
    touched, and how far apart those were that touch now. (0 if they moved as one. By the first alone what rolls and
    spins would slide aside, with order 1.)"""
    points, pair = state.points, plant.contacts.pairs[state.points.contact[i]]
    way = (0.0, 0.0, 0.0)
    for side in range(2):
        s, start, weight = pair[side], points.start[i, side], 0.5 - side
        before = plus(turned(start, into_link(plant, state, s, row(points.x, i))), 1.0, row(start, 3))
        way = plus(way, weight, minus(out_of_link(plant, state, s, points.grip[i, side]), before))
    for c in range(2):
        points.slip[i, c] = dot(row(points.tangents[i], c), way)


@njit(cache=True, nogil=True)
def follow(plant, state, i):
    """Gap, place and normal of point i of one body over a plane of the other."""
    points, pair = state.points, plant.contacts.pairs[state.points.contact[i]]
    n = turned(state.proximity.turns[points.plane[i]], row(points.plane_normal, i))
    first = out_of_link(plant, state, pair[0], points.on[i, 0])
    second = out_of_link(plant, state, pair[1], points.on[i, 1])
    if points.crossing[i]:
        first, second, m = crossing_of(plant, state, i, first, second)
        n = m if dot(m, n) > 0.0 else times(-1.0, m)
    if points.around[i]:
        d, away = axis_of(plant, state, pair[1]), minus(first, second)
        away = plus(away, -dot(away, d), d)
        n = times(1.0 / norm(away), away)
    on_a = surface_point(plant, state, pair[0], times(-1.0, n), first, points.swept[i, 0])
    on_b = surface_point(plant, state, pair[1], n, second, points.swept[i, 1])
    s = dot(n, minus(on_a, on_b))
    points.gap[i] = s
    write(points.normal[i], 0, n)
    write(points.x[i], 0, plus(on_a, -0.5 * s, n) if points.plane[i] == pair[1] else plus(on_b, 0.5 * s, n))


@njit(cache=True, nogil=True)
def fill_rows(plant, state):
    """J of the points: speeds along the normal and, with friction, two tangents. (0 without.)"""
    points, contacts, pairs = state.points, plant.contacts, plant.contacts.pairs.shape[0]
    for i in range(points.number):
        k, J = points.contact[i], points.J
        for c in range(3 * i, 3 * i + 3):
            for j in range(J.shape[1]):
                J[c, j] = 0.0
        if k == contacts.laws.size:
            J[3 * i + 1, plant.dry[i - points.number + points.dry].v] = 1.0
            continue
        if k >= pairs:
            J[3 * i, contacts.stops[k - pairs].v] = contacts.laws[k].side
            continue
        fill_row(plant, state, k, points.x[i], points.normal[i], J[3 * i])
        if points.friction[i] > 0.0:
            n = row(points.normal, i)
            t = upright(n)
            write(points.tangents[i, 0], 0, t)
            write(points.tangents[i, 1], 0, cross(n, t))
            for c in range(2):
                fill_row(plant, state, k, points.x[i], points.tangents[i, c], J[3 * i + 1 + c])


@njit(cache=True, nogil=True)
def points_at(plant, state, q):
    """Gather the points of the contacts `wanted` at q, with their rows; False if there are too many."""
    for i in range(plant.nq):
        state.proximity.where[i] = q[i]
    if enter(state.loops.gather, plant, state) == FULL:
        return False
    fill_rows(plant, state)
    return True


@njit(cache=True, nogil=True)
def points_moved(plant, state, q):
    """Gap, place and normal of the points where they are at q."""
    for i in range(plant.nq):
        state.proximity.where[i] = q[i]
    enter(state.loops.measure, plant, state)
