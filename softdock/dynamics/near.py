"""Which contacts are near, and gaps of those (docs/theory/impacts.md, "When gaps are evaluated").

Shapes are in balls. Contacts whose gap is below a margin are listed; until balls have moved by half of it against each
other, no other contact can close. Of those listed, a gap is evaluated when what was left of it may have been used up;
until then it is bounded by what the two shapes have moved against each other.
"""

from functools import partial

import numpy as np

from softdock.contact.proximity import gap
from softdock.contact.shapes import BALL, CENTRE, DISC, HALF, LINK, POINT, WIDTH
from softdock.dynamics.gaps import place, placed_pair, stop_gap
from softdock.kernels import CompiledLoop
from softdock.kernels.jit import njit
from softdock.kernels.linear import copy
from softdock.mechanics.tree import WORLD_LINK

FEW = 32
"""So few pairs are all listed, always."""
LONGEST = 64
"""Most steps between two looks at the gaps."""
UNLISTED = -1.0
"""Margin of a list that is not made yet."""
SEEN_PART = 0.01
"""Of the thinner shape: an overlap less deep may pass unseen where steps change on the way."""


@njit(forceinline=True)
def drift(plant, state):
    """How balls have moved (3), and points in them by turning, since the last look; the farthest that any has moved
    against any other."""
    shapes, proximity, before = plant.contacts.shapes, state.proximity, state.retry
    poses, balls, moves, count = proximity.poses, proximity.balls, proximity.moves, shapes.sizes.shape[0]
    m0, m1, m2 = 0.0, 0.0, 0.0
    for s in range(count):
        link = shapes.table[s, LINK]
        for i in range(3):
            x = shapes.sizes[s, CENTRE + i]
            if link != WORLD_LINK:
                x = poses.p[link, i]
                for j in range(3):
                    x += poses.R[link, i, j] * shapes.sizes[s, CENTRE + j]
            balls[s, i], moves[s, i] = x, x - before.balls[s, i]
        moves[s, 3] = turned(shapes, s, before.poses.R[link], poses.R[link]) if link != WORLD_LINK else 0.0
        m0, m1, m2 = m0 + moves[s, 0] / count, m1 + moves[s, 1] / count, m2 + moves[s, 2] / count
    farthest = 0.0
    if state.proximity.seen.margin == np.inf:  # nothing is left out
        return farthest
    for s in range(count):  # what all of them move together moves none against another
        way = np.sqrt((moves[s, 0] - m0) ** 2 + (moves[s, 1] - m1) ** 2 + (moves[s, 2] - m2) ** 2)
        farthest = max(farthest, way + moves[s, 3])
    return 2.0 * farthest


@njit(cache=True, nogil=True)
def turned(shapes, s, R_0, R):
    """How far the surface of shape s can have gone from where it was, about its middle, as its link turned from R_0 to
    R. What is round about an axis does not move by turning about it: a thin rod rolls fast."""
    sizes, points, first, whole = shapes.sizes, shapes.points, shapes.table[s, POINT], 0.0
    corners = shapes.table[s + 1, POINT] - first
    if sizes[s, HALF] > 0.0:  # a box: half its three edges from its first corner
        for k in (1, 2, 4):
            whole += 0.5 * turned_by(points[first], points[first + k], R_0, R)
        return whole
    if corners == 1:
        return 0.0
    if corners == 2:
        for j in range(3):
            whole += (points[first + 1, j] - points[first, j]) ** 2
        return (0.5 + sizes[s, DISC] / np.sqrt(whole)) * turned_by(points[first], points[first + 1], R_0, R)
    for i in range(3):
        for j in range(3):
            whole += (R[i, j] - R_0[i, j]) ** 2
    return sizes[s, BALL] * np.sqrt(whole)


@njit(forceinline=True)
def turned_by(a, b, R_0, R):
    """|(R − R_0)(b − a)|."""
    total = 0.0
    for i in range(3):
        x = 0.0
        for j in range(3):
            x += (R[i, j] - R_0[i, j]) * (b[j] - a[j])
        total += x * x
    return np.sqrt(total)


@njit(forceinline=True)
def way_of(plant, state, k):
    """How far points of the shapes of contact k can have moved against each other since the last look."""
    moves, a, b = state.proximity.moves, plant.contacts.pairs[k, 0], plant.contacts.pairs[k, 1]
    x, y, z = moves[a, 0] - moves[b, 0], moves[a, 1] - moves[b, 1], moves[a, 2] - moves[b, 2]
    return np.sqrt(x * x + y * y + z * z) + moves[a, 3] + moves[b, 3]


@njit(cache=True, nogil=True)
def gap_of(plant, state, k):
    """Of a pair of shapes, or of a joint's stop, where `place` has put the world."""
    if k >= plant.contacts.pairs.shape[0]:
        return stop_gap(plant, state, k)
    shapes, a, b, A, B, R_A, R_B = placed_pair(plant, state, k)
    return gap(shapes, a, b, A, B, R_A, R_B, state.proximity.hits[k])


@njit(cache=True, nogil=True)
def list_near(plant, state):
    """List the contacts whose gap is below a margin: one that lasts for many steps at the present pace."""
    proximity, seen, before, contacts = state.proximity, state.proximity.seen, state.retry, plant.contacts
    pairs, balls, sizes, known = contacts.pairs, proximity.balls, contacts.shapes.sizes, seen.margin >= 0.0
    left = seen.margin - seen.kept if known else np.inf
    pace = seen.way / max(seen.taken, 1) if known else 0.0
    seen.margin = max(min(8.0 * LONGEST * pace, contacts.typical), 16.0 * pace, 0.1 * contacts.typical)
    if pairs.shape[0] <= FEW:
        seen.margin = np.inf
    seen.number = 0
    for k in range(contacts.laws.size):
        was_listed, proximity.listed[k] = proximity.listed[k], False
        if proximity.locked[k]:
            continue
        if k < pairs.shape[0]:
            a, b = pairs[k, 0], pairs[k, 1]
            x, y, z = balls[a, 0] - balls[b, 0], balls[a, 1] - balls[b, 1], balls[a, 2] - balls[b, 2]
            reach = sizes[a, BALL] + sizes[b, BALL] + seen.margin
            if x * x + y * y + z * z > reach * reach:
                continue
        value = gap_of(plant, state, k)
        if value >= seen.margin and not state.held.resting[k]:
            continue
        proximity.listed[k], proximity.near[seen.number] = True, k
        seen.number += 1
        if not (was_listed and known):
            way = way_of(plant, state, k) if known and k < pairs.shape[0] else 0.0
            before.bound[k] = max(left, value - way) if known else value
            before.phi[k] = np.inf if contacts.soft[k] else before.bound[k]
            proximity.apart[k] = False
            before.saved.stored[k], state.points.pressed[k] = state.compliance.stored[k], 0.0
            copy(state.compliance.traded[k], before.saved.traded[k])
            for c in range(6 * k, 6 * k + 6):
                before.saved.impulse[c] = state.compliance.impulse[c]


@partial(CompiledLoop, makes_arrays=True)
def look_near(plant, state):
    """Gaps of the contacts that are near, at `where`: into phi those that could have closed, or would soon, after
    `seen.taken` steps since the last look (0: all), and of others what is left of them at least. Also the poses of
    links, and the rotations and world points of shapes."""
    proximity, seen, before, pairs = state.proximity, state.proximity.seen, state.retry, plant.contacts.pairs.shape[0]
    place(plant, state, proximity.where)
    seen.way = drift(plant, state)
    seen.used = seen.kept + seen.way
    seen.hasty = 0.0 <= seen.margin < np.inf and seen.way > 0.5 * (seen.margin - seen.kept)
    if seen.margin < 0.0 or (seen.taken > 0 and 2.0 * seen.used > seen.margin):
        list_near(plant, state)
        seen.used, seen.kept = 0.0, seen.way
    soon = float(min(LONGEST, 2 * seen.taken))
    for i in range(seen.number):
        k = proximity.near[i]
        if k < pairs:
            proximity.ways[k] = way_of(plant, state, k)
            left = before.bound[k] - proximity.ways[k]
            if seen.taken > 0 and 0.25 * left * seen.taken > soon * proximity.ways[k] and not state.held.resting[k]:
                proximity.bound[k] = proximity.phi[k] = left
                continue
        proximity.bound[k] = proximity.phi[k] = gap_of(plant, state, k)
        if k >= pairs:
            proximity.ways[k] = abs(proximity.bound[k] - before.bound[k])
    return 1


@njit(cache=True, nogil=True)
def room(plant, state, taken):
    """How many steps fit until gaps are to be looked at again: none may use up more than a quarter of its gap. Was that
    true of the `taken` steps since the last look (`hasty`)? Could shapes have passed each other whole (`passed`), and
    how many times too far did they go to be sure of what is thin (`skim`)? Did a compliant contact close that took no
    part in the step (`surprised`)?"""
    proximity, seen, before, contacts = state.proximity, state.proximity.seen, state.retry, plant.contacts
    sizes, pairs, touching = contacts.shapes.sizes, contacts.pairs, state.compliance.touching
    seen.fits, seen.skim, seen.passed, seen.surprised = np.inf, 0.0, False, False
    for i in range(seen.number):
        k = proximity.near[i]
        way, reach, left = proximity.ways[k], before.bound[k], proximity.bound[k]
        in_step = contacts.soft[k] and touching and not proximity.apart[k]
        if contacts.soft[k]:
            seen.surprised = seen.surprised or (touching and proximity.apart[k] and left < 0.0)
            proximity.apart[k] = seen.margin < np.inf and left > 8.0 * way / taken
        if in_step or way <= 0.0 or state.held.resting[k] or proximity.locked[k]:
            continue
        seen.fits = min(seen.fits, 0.25 * left * taken / way)
        seen.hasty = seen.hasty or way > 0.5 * reach
        if k < pairs.shape[0]:
            a, b = sizes[pairs[k, 0], WIDTH], sizes[pairs[k, 1], WIDTH]
            if way > reach and way > a + b:
                seen.passed, state.compliance.which = True, k
            if left >= 0.0:
                seen.skim = max(seen.skim, way / max(0.5 * reach, SEEN_PART * min(a, b)))
    if seen.margin < np.inf and seen.way > 0.0:
        seen.fits = min(seen.fits, 0.25 * (seen.margin - seen.used) * taken / seen.way)


@njit(forceinline=True)
def stride(seen, taken):
    """Steps until the next look, after one at `taken` steps: not more than twice as many, nor than fit."""
    most = min(LONGEST, 2 * taken)
    return most if seen.fits >= most else max(1, int(seen.fits))


@njit(forceinline=True)
def remember_gaps(state):
    """Keep where links and balls are, and the gaps, of the last look."""
    proximity, before, seen = state.proximity, state.retry, state.proximity.seen
    for i in range(proximity.poses.vector.size):
        before.poses.vector[i] = proximity.poses.vector[i]
    for s in range(proximity.balls.shape[0]):
        for i in range(3):
            before.balls[s, i] = proximity.balls[s, i]
    for i in range(seen.number):
        k = proximity.near[i]
        before.phi[k], before.bound[k] = proximity.phi[k], proximity.bound[k]
    seen.kept = seen.used
