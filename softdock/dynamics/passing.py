"""Shapes that overlap within a step, though not at its ends (docs/theory/impacts.md, "When gaps are evaluated")."""

import numpy as np

from softdock.contact.shapes import WIDTH
from softdock.dynamics.gaps import place
from softdock.dynamics.impulse import TOUCH
from softdock.dynamics.near import SEEN_PART, gap_of
from softdock.kernels import call
from softdock.kernels.jit import njit

ARC = 1.2
"""How much longer an arc of up to 2 rad is than a straight line."""
MOST_LOOKS = 400
"""Places within one step at which a gap is looked at."""


@njit(cache=True, nogil=True)
def place_between(plant, state, fraction, h):
    """Put the world where it was at a fraction of the step from `saved` that was taken."""
    given = state.input
    given.h = fraction * h
    call(plant.kernels.advance, state.retry.saved.q, state.xi, given.vector, plant.theta, state.moved.vector)
    given.h = h
    place(plant, state, state.moved.q)


@njit(cache=True, nogil=True)
def overlap_between(plant, state, k, h, slack):
    """The fraction of the step at which pair k overlaps; 1 if it does nowhere by more than the slack, 0 if that cannot
    be told. (Conservative advancement: its gap closes by no more than its shapes move against each other.)"""
    swept, last = ARC * state.proximity.ways[k], state.proximity.bound[k]
    fraction, gap = 0.0, state.retry.bound[k]
    for _ in range(MOST_LOOKS):
        fraction += (max(gap, 0.0) + slack) / swept
        if fraction >= 1.0 or (1.0 - fraction) * swept <= last + slack:
            return 1.0
        place_between(plant, state, fraction, h)
        gap = gap_of(plant, state, k)
        if gap < -TOUCH:
            return 0.0 if plant.contacts.soft[k] else fraction
    return 0.0


@njit(cache=True, nogil=True)
def seen_through(plant, state, h):
    """The first fraction of the step from `saved` at which shapes overlap that do not at its ends: 1 if none do by more
    than a hundredth of the thinner one, 0 if that cannot be told, or if it is a compliant contact that is passed."""
    proximity, contacts, first, looked = state.proximity, plant.contacts, 1.0, False
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        if k >= contacts.pairs.shape[0] or state.held.resting[k] or proximity.locked[k]:
            continue
        reach, left, sizes = state.retry.bound[k], proximity.bound[k], contacts.shapes.sizes
        slack = SEEN_PART * min(sizes[contacts.pairs[k, 0], WIDTH], sizes[contacts.pairs[k, 1], WIDTH])
        in_step = contacts.soft[k] and state.compliance.touching and not proximity.apart[k]
        if in_step or not ARC * proximity.ways[k] - max(reach, 0.0) - left > 2.0 * slack:
            continue
        looked, when = True, overlap_between(plant, state, k, h, slack)
        if when < first:
            first, state.compliance.which = when, k
    if looked:
        place(plant, state, state.q)
    return first if np.isfinite(first) else 0.0
