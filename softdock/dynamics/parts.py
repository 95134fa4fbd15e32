"""Steps that change on the way: one in which a compliant contact touches is divided (docs/theory/steps.md).

Sizes of parts are h/2ˡ. A part that is too long for what touches in it is taken again with a larger l; what begins at a
multiple of twice its size, and could be longer, is.
"""

import numpy as np

from softdock.dynamics.gap_schedule import look, nearest_gap
from softdock.dynamics.impact import careful_step, end_rest, go_back, save, start_afresh, stretch
from softdock.dynamics.impulse import TOUCH
from softdock.dynamics.near import remember_gaps
from softdock.dynamics.resting import settle_now
from softdock.dynamics.status import DONE, NOT_CONVERGED, TOO_DEEP, TOO_STIFF, TUNNELLING
from softdock.dynamics.stiction import lies, rests
from softdock.dynamics.touching_step import RESOLVED
from softdock.kernels.jit import njit

DEEPEST = 12
"""Largest l."""
WHOLE = 2**DEEPEST
SHORT = 12.0
"""(h ω)² over the relative error of a contact that oscillates at ω: the midpoint rule's period is off by (h ω)²/12."""
EASY = 0.4
"""Of the h ω that is allowed: below it a step may be twice as long."""


@njit(forceinline=True)
def halvings(times):
    """How often a step is to be halved to be so many times shorter; 6 at most."""
    count = 0
    while times > 1.0 and count < 6:
        times, count = 0.5 * times, count + 1
    return count


@njit(cache=True, nogil=True)
def step_in_parts(plant, state, request, h, k, divided, count):
    """Step k of a request in parts so short that compliant contacts keep to the error asked for; at first in at least
    `divided` parts. Returns status and events so far."""
    clock, counts, touch, seen = state.clock, state.counts, state.compliance, state.proximity.seen
    began, counted, status, at, taken = clock.time, counts.steps, DONE, 0, 0
    allowed = min(RESOLVED, np.sqrt(SHORT * clock.error))
    level = min(max(counts.level, halvings(divided)), DEEPEST)
    while at < WHOLE:
        size = WHOLE >> level
        state.retry.request.options.breaks = request.options.breaks and at == 0
        span = h * (size / WHOLE), began + h * (at / WHOLE)
        status, count, more = one_part(plant, state, request, span, k, allowed if level < DEEPEST else np.inf, count)
        counts.steps = counted
        if more > 0:
            level = min(level + more, DEEPEST)
            continue
        if status != DONE:
            break
        at, taken = at + size, taken + 1
        easy = clock.demand < EASY * allowed if touch.touching else seen.fits >= 2.0
        if easy and level > 0 and at % (2 * size) == 0:
            level -= 1
    counts.level = level
    if status == DONE:
        clock.time = request.options.began + (k + 1) * h
        counts.steps, counts.divided = counted + 1, counts.divided + taken - 1
        change_size(plant, state, h, request.options.ledger)
    return status, count


@njit(cache=True, nogil=True)
def change_size(plant, state, h, ledger):
    """Make ready for a step of another size than the last: impulses at rest are of half of each of two equal ones."""
    if abs(state.input.h - h) > 1e-9 * h:
        if rests(plant, state):
            settle_now(plant, state, state.retry.v, ledger)
            start_afresh(state, state.retry.v)
        state.counts.history = 1


@njit(cache=True, nogil=True)
def unfelt(plant, state):
    """1 if a contact closed in the second half of a part, so that it was not felt in its middle, else 0."""
    proximity, found = state.proximity, 0
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        if plant.contacts.soft[k] and proximity.bound[k] < 0.0 <= state.retry.bound[k]:
            found = 1 if state.compliance.filling[k] == 0.0 else found
    return found


@njit(cache=True, nogil=True)
def one_part(plant, state, request, span, k, allowed, count):
    """A part of step k: its size and the time at which it begins are `span`. Returns status and events so far, and how
    often it is to be halved instead, if h ω would be larger than `allowed`; the state is then as before."""
    retry, touch, seen, clock = state.retry, state.compliance, state.proximity.seen, state.clock
    (h, began), own, ledger, was_touching = span, retry.request.options, request.options.ledger, touch.touching
    remember_gaps(state)
    change_size(plant, state, h, ledger)
    save(state, retry.saved)
    for i in range(plant.nv):
        retry.request.commands[0, i] = request.commands[min(k, request.commands.shape[0] - 1), i]
    smallest, status, more = 0.0, DONE, 0
    while True:
        own.h, own.began, own.ledger, clock.demand, state.points.part = h, began, ledger, 0.0, 1.0
        status = stretch(plant, state, retry.request)
        more = halvings(clock.demand / allowed)
        if more == 0 and allowed < np.inf and status in (TOO_STIFF, TOO_DEEP, NOT_CONVERGED):
            more = 1
        if status == DONE and state.points.released and lies(state):  # again, with what was still to come
            go_back(plant, state, retry.saved, ledger)
            continue
        if status == DONE and more == 0:
            smallest = look(plant, state, h, 1)
            if (not touch.touching and touch.nearest < 0.0) or seen.surprised:
                go_back(plant, state, retry.saved, ledger)
                touch.touching = True
                continue
            if allowed < np.inf:
                more = max(halvings(seen.skim), unfelt(plant, state))
        break
    if more > 0:
        go_back(plant, state, retry.saved, ledger)
        touch.touching = was_touching
        nearest_gap(plant, state, 0)
        return DONE, count, more
    if status == DONE and seen.passed:
        status = TUNNELLING
    if status == DONE and smallest < -TOUCH:
        status, count = careful_step(plant, state, h, 1.0, ledger, request.stops, request.events, count)
        seen.fits = 0.0
    if status == DONE:
        end_rest(plant, state, ledger)
        touch.touching = touch.touching and touch.nearest <= 0.0
    return status, count, 0
