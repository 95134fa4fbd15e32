"""When gaps are looked at, and what is seen (docs/theory/impacts.md)."""

import numpy as np

from softdock.contact.hit import GAP
from softdock.dynamics.compliance import patch_of
from softdock.dynamics.latch_system import reach_of
from softdock.dynamics.manifold import tipped_over
from softdock.dynamics.near import UNLISTED, room
from softdock.kernels import enter
from softdock.kernels.jit import njit

TIPPED = 1.0
"""Depth (m) that stands for a landing that was passed over."""
ROUNDING = 1e-15
"""Of gaps, relative to 1 + the largest coordinate: less is none. (Far from the origin it is more than TOUCH.)"""
BAND = 1e-11
"""Depth (m or rad) to which a point that touches may go further into the other body."""


@njit(forceinline=True)
def smallest_of(proximity, phi, left_out):
    """The smallest gap of those near that are not left out."""
    smallest = np.inf
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        if not left_out[k]:
            smallest = min(smallest, phi[k])
    return smallest


@njit(forceinline=True)
def nearest_gap(plant, state, taken):
    """The smallest hard gap that is not locked, at the present configuration, `taken` steps after the last look; of the
    compliant ones the smallest is kept apart. Of a contact that rests it is the gap of the points at which it does not
    touch yet (`yet_to_touch`)."""
    proximity, soft, phi, nearest, smallest = state.proximity, plant.contacts.soft, state.proximity.phi, np.inf, np.inf
    proximity.seen.taken = taken
    for i in range(plant.nq):
        proximity.where[i] = state.q[i]
    enter(state.loops.look_near, plant, state)
    rounding = ROUNDING * reach_of(state.q)
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        if abs(phi[k]) <= rounding:
            phi[k] = 0.0
        if soft[k]:
            nearest = min(nearest, phi[k])
            phi[k] = np.inf
        elif state.held.resting[k]:
            state.points.least[k] = phi[k]
            phi[k] = yet_to_touch(plant, state, k)
        smallest = min(smallest, phi[k])
    state.compliance.nearest = nearest
    return smallest


@njit(cache=True, nogil=True)
def yet_to_touch(plant, state, k):
    """How much deeper than those that touch may a point of a resting contact has gone that was to land (negative, and
    zero where it has just landed too deep); infinite if none has. If the pair has, but no point of its patch, it is the
    pair's."""
    gap, deepest, smallest = state.proximity.phi[k], state.points.depth[k] - BAND, np.inf
    deepest -= ROUNDING * reach_of(state.q)
    if tipped_over(plant, state, k):
        return -TIPPED
    if gap >= deepest or k >= plant.contacts.pairs.shape[0]:  # no point is deeper than the gap of the pair
        return gap - deepest if gap < deepest else np.inf
    points = state.compliance.points
    for i in range(patch_of(plant, state, k)):
        if points[i, GAP] < deepest or points[i, GAP] > state.points.margin[k]:
            smallest = min(smallest, points[i, GAP])
    return (smallest if smallest < deepest else gap) - deepest


@njit(forceinline=True)
def look(plant, state, h, taken):
    """The smallest gap that is not closed for good: that does not rest, nor is compliant while one touches.
    If all are locked there is nothing to look at, nor if few are, all compliant, and one will go on to touch."""
    touch, contact, seen = state.compliance, state.compliance.contact, state.proximity.seen
    known = touch.touching and plant.contacts.all_soft and state.clock.error == 0.0
    if seen.margin == np.inf and (seen.number == 0 or known):
        depth = contact.depth + 0.5 * h * contact.rate  # the contact's is of the step's middle
        if seen.number == 0 or (contact.depth > 0.0 and depth > 0.0):
            touch.nearest = -depth if seen.number > 0 else np.inf
            seen.fits, seen.skim, seen.hasty, seen.passed, seen.surprised = np.inf, 0.0, False, False, False
            return np.inf
    smallest = nearest_gap(plant, state, taken)
    room(plant, state, taken)
    if not touch.touching:
        smallest = min(smallest, max(0.0, touch.nearest))
    return smallest


@njit(forceinline=True)
def first_look(plant, state):
    """The smallest gap where a run begins: where the last one ended, unless something was changed since. Does a
    compliant contact touch?"""
    touch, proximity, seen = state.compliance, state.proximity, state.proximity.seen
    if seen.fresh:
        smallest = smallest_of(proximity, proximity.phi, proximity.locked)
    else:
        seen.margin, seen.used, seen.kept = UNLISTED, 0.0, 0.0
        smallest = nearest_gap(plant, state, 0)
    touch.touching = touch.nearest <= 0.0
    return smallest if touch.touching else min(smallest, max(0.0, touch.nearest))
