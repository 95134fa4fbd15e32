"""Steps with contacts: an impact is located within its step, resolved there, and the step goes on.

A step of size h that would end with a gap φ < 0 is taken again as a part α h with φ(q₁) = 0 (Gibson
& Murphey, eqs. 4a, 4b), the impulse at q₁ (impulse.py), and the rest (1 − α) h (eq. 4d). Between
impacts the steps are of order 2.
"""

import numpy as np

from softdock.dynamics.gap_schedule import nearest_gap, smallest_of
from softdock.dynamics.guard import ENERGY, guard_anew
from softdock.dynamics.impulse import TOUCH, come_to_rest, rattles, resolve, stays_closed, strikes
from softdock.dynamics.near import remember_gaps
from softdock.dynamics.passing import seen_through
from softdock.dynamics.resting import settle_now
from softdock.dynamics.state import NEAR, ROOM
from softdock.dynamics.status import (
    DONE,
    EVENTS_FULL,
    NOT_CONVERGED,
    NOT_FINITE,
    OFF_BALANCE,
    STOPPED,
    STUCK,
    TUNNELLING,
)
from softdock.dynamics.stiction import lies, rests
from softdock.kernels import enter_request
from softdock.kernels.jit import njit
from softdock.kernels.linear import copy, some
from softdock.mechanics.layouts import DEPTH


@njit(forceinline=True)
def integer(x):
    """x, but not a literal, for whose value Numba would compile once more what it is passed to."""
    return np.int64(x)


@njit(forceinline=True)
def stretch(plant, state, request):
    """The steps of a request with what holds or touches at present; returns the status."""
    loops, held = state.loops, state.held
    loop = loops.run_held if some(held.engaged) else loops.run_free
    if state.compliance.touching or held.sprung or rests(plant, state):
        loop = loops.run_touching
    state.clock.contact_power = 0.0
    state.proximity.seen.fresh = False
    return enter_request(loop, plant, state, request)


@njit(forceinline=True)
def save(state, saved):
    """Save q, p, t, the account, what contacts hold and how joints rub."""
    copy(state.q, saved.q)
    copy(state.input.momentum, saved.momentum)
    copy(state.step.lost_way, saved.lost_way)
    copy(state.step.lost_gain, saved.lost_gain)
    saved.time = state.clock.time
    copy(state.account.vector, saved.account)
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        saved.stored[k] = state.compliance.stored[k]
        copy(state.compliance.traded[k], saved.traded[k])
        for c in range(6 * k, 6 * k + 6):
            saved.impulse[c] = state.compliance.impulse[c]
    saved.owed = state.points.owed
    copy(state.points.sliding, saved.sliding)


@njit(forceinline=True)
def restore(state, saved):
    """Go back to what `save` saved."""
    copy(saved.q, state.q)
    copy(saved.momentum, state.input.momentum)
    copy(saved.lost_way, state.step.lost_way)
    copy(saved.lost_gain, state.step.lost_gain)
    state.clock.time = saved.time
    copy(saved.account, state.account.vector)
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        state.compliance.stored[k] = saved.stored[k]
        copy(saved.traded[k], state.compliance.traded[k])
        for c in range(6 * k, 6 * k + 6):
            state.compliance.impulse[c] = saved.impulse[c]
    state.points.owed = saved.owed
    copy(saved.sliding, state.points.sliding)


@njit(cache=True, nogil=True)
def begin_step(state):
    """Save what a step that is taken in parts may change, of all contacts: others may be near when it fails."""
    began, touch = state.retry.began, state.compliance
    save(state, began)
    copy(touch.stored, began.stored)
    copy(touch.impulse, began.impulse)
    for k in range(touch.traded.shape[0]):
        copy(touch.traded[k], began.traded[k])
    copy(state.held.resting, state.retry.rested)


@njit(cache=True, nogil=True)
def undo_step(state):
    """Go back to what `begin_step` saved: the step failed."""
    began, touch = state.retry.began, state.compliance
    copy(began.stored, touch.stored)
    copy(began.impulse, touch.impulse)
    for k in range(touch.traded.shape[0]):
        copy(began.traded[k], touch.traded[k])
    copy(state.retry.rested, state.held.resting)
    undo_part(state, began)


@njit(forceinline=True)
def undo_part(state, saved):
    """Go back to what `save` saved, to stay there. Points at rest are found anew from there."""
    restore(state, saved)
    state.points.of_step = state.proximity.seen.fresh = False


@njit(forceinline=True)
def start_afresh(state, v):
    """The velocity jumped: forget the earlier ones."""
    velocities, forces = state.step.velocities.differences, state.held.forces.differences
    for i in range(v.size):
        for k in range(DEPTH + 1):
            velocities[0, i, k] = v[i] if k == 0 else 0.0
    for i in range(v.size):
        state.xi[i] = v[i]
        state.step.surprise[i] = 0.0
    state.counts.history = 1
    state.clock.factor_h, state.clock.contraction = 0.0, 1.0
    guard_anew(state, v)
    for i in range(state.held.multipliers.size):
        for k in range(DEPTH):
            forces[0, i, k] = 0.0


TOLERATED = 1e-7
"""Depth (m or rad) to which points of a contact at rest may go in a step; the next step ends it. (Where a patch changes
its points, those of the step's end are not those of its start.) A cap that wobbles on its rim goes a little deeper in
every step, and comes out more slowly than that: where nothing else is left, or no instant is found at which its gap
closes (of a contact at rest it counts only beyond a depth), twice as deep is tried, up to MOST_TOLERATED (m)."""
MOST_TOLERATED, MOST_SEARCHES = 1e-6, 40
"""How often in a row an instant is sought at which nothing is deeper."""
SMALLEST_PART = 1.0 / 64
"""Of what is left of a step, tried when points at rest go deeper than that."""
LEAST_PART, FINE_PART = 2.0**-12, 2.0**-6
"""Of a step, tried when one with contacts at rest has no solution or makes energy; and when it is coarse."""
WHOLE, START, PROBE, CLOSE_IN, AT_START = range(5)
"""What a part of a step is tried for, in `careful_step`."""


@njit(forceinline=True)
def next_try(mode, size, f, bracket):
    """The search for the fraction α at which the first suspect gap closes (Illinois' method).

    `bracket` is `state.BRACKET`; f is the smallest suspect gap at fraction `size`.
    Returns the next mode and fraction; fraction −1: found, at `size`. If the gap is closed at the
    start, a later fraction at which it is open is sought first; if there is none, it is at rest or
    struck at once (AT_START).
    """
    found = False
    f = min(f, abs(bracket.f_b))  # infinite for a contact that rests, but for points to come
    if mode == START:
        bracket.a, bracket.f_a = 0.0, f
        mode = CLOSE_IN if f > TOUCH else PROBE
        size = bracket.b
    elif mode == PROBE and f > TOUCH:
        bracket.a, bracket.f_a = size, f
        mode = CLOSE_IN
    elif mode == PROBE:
        if f < -TOUCH:
            bracket.b, bracket.f_b = size, f
        if size < 1e-15 or (f >= -TOUCH and bracket.b > 2.0 * size):  # twice within a touch: it opens by no more
            mode = AT_START
    elif abs(f) <= bracket.close or bracket.b - bracket.a <= 4e-16:
        found = True
    elif f > 0.0:
        bracket.a, bracket.f_a = size, f
        bracket.f_b *= 0.5 if bracket.side > 0.0 else 1.0
        bracket.side = 1.0
    else:
        bracket.b, bracket.f_b = size, f
        bracket.f_a *= 0.5 if bracket.side < 0.0 else 1.0
        bracket.side = -1.0
    if found:
        size = -1.0
    elif mode == PROBE:
        size *= 0.5
    elif mode == AT_START:
        size = 0.0
    else:
        if bracket.close == 0.0:
            bracket.close = 1e-14 + 1e-13 * abs(bracket.f_b - bracket.f_a)
        size = (bracket.a * bracket.f_b - bracket.b * bracket.f_a) / (bracket.f_b - bracket.f_a)
        if not bracket.a < size < bracket.b:
            size = 0.5 * (bracket.a + bracket.b)
    return mode, size


@njit(forceinline=True)
def suspect(state, smallest, size, tolerated):
    """The step's part `size` ends with gaps violated by more than is tolerated: the search begins, at the start.
    Returns mode and fraction."""
    retry, phi, bracket = state.retry, state.proximity.phi, state.retry.bracket
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        retry.ahead[k] = phi[k]
        retry.spared[k] = phi[k] >= -tolerated
    bracket.b, bracket.f_b, bracket.side, bracket.close = size, smallest, 0.0, 0.0
    return integer(START), 0.0


@njit(forceinline=True)
def too_long(state, status):
    """Did a step fail with contacts at rest for a reason that shorter ones may not have?"""
    failed = status in (NOT_CONVERGED, NOT_FINITE) or (status == OFF_BALANCE and state.guard.of.what == ENERGY)
    return failed and lies(state) and not state.compliance.touching


@njit(forceinline=True)
def too_coarse(state, status):
    """Did normals of contacts at rest turn much in a step that was solved?"""
    return status == DONE and state.points.coarse and lies(state) and not state.compliance.touching


@njit(forceinline=True)
def opened(state, k):
    """Does contact k rest, and has it opened? (Not of one all of whose points are held for the rest of the step.)"""
    return state.held.resting[k] and state.points.least[k] > NEAR and state.points.margin[k] <= NEAR


@njit(forceinline=True)
def let_go(state):
    """End the rest of contacts that have opened, so that they may be struck again."""
    proximity = state.proximity
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        if opened(state, k):
            state.held.resting[k] = False
            proximity.phi[k] = state.points.least[k]


@njit(cache=True, nogil=True)
def begin_careful(plant, state, ledger):
    """Go back to `saved`, in line with all that holds, with nothing struck yet."""
    retry, proximity = state.retry, state.proximity
    retry.request.options.ledger = ledger
    for i in range(proximity.seen.number):
        retry.struck[proximity.near[i]] = 0
        state.points.margin[proximity.near[i]] = NEAR
    for i in range(plant.nv):
        retry.request.commands[0, i] = state.input.command[i]
    restore(state, retry.saved)
    settle_now(plant, state, retry.v, ledger)
    save(state, retry.saved)
    start_afresh(state, retry.v)


@njit(cache=True, nogil=True)
def take_part(plant, state, h, span):
    """A part of a step h, as long as `span`, from `saved`; returns the status."""
    options, steps = state.retry.request.options, state.counts.steps
    state.counts.history = 1  # predict the velocity of the try before
    guard_anew(state, state.retry.v)
    options.h, options.began = span, state.clock.time
    state.points.part = span / h
    status = stretch(plant, state, state.retry.request)
    state.counts.steps = steps
    return status


@njit(forceinline=True)
def go_on_from_here(plant, state, ledger):
    """What is left of a step begins where a part of it ended."""
    settle_now(plant, state, state.retry.v, ledger)
    start_afresh(state, state.retry.v)
    save(state, state.retry.saved)
    let_go(state)
    remember_gaps(state)


@njit(cache=True, nogil=True)
def strike_here(plant, state, stops, events, count, ledger):
    """Resolve what is struck at the present instant, from which on the step goes on: DONE, STOPPED, or why not, and the
    events so far."""
    if count + min(state.proximity.seen.number, ROOM) >= events.shape[0]:
        return EVENTS_FULL, count
    before = count
    status, count = resolve(plant, state, state.retry.struck, events, count, state.retry.v, ledger)
    if status != DONE:
        return status, count
    start_afresh(state, state.retry.v)
    save(state, state.retry.saved)
    let_go(state)
    remember_gaps(state)
    for j in range(before, count if stops.size > 0 else before):
        if stops[events[j].contact]:
            return STOPPED, count
    return DONE, count


@njit(forceinline=True)
def first_try(state, first):
    """What part of the step is tried first, and what for: the fraction `first` at which a gap was closed, or where the
    gaps of the whole step and of its start would have one close."""
    retry, proximity = state.retry, state.proximity
    mode, size = suspect(state, smallest_of(proximity, proximity.phi, proximity.locked), 1.0, TOUCH)
    smallest = smallest_of(proximity, retry.phi, retry.spared)
    if first < 1.0:
        mode, size = integer(WHOLE), first
    elif smallest > TOUCH:
        mode, size = next_try(mode, size, smallest, retry.bracket)
    return mode, size


@njit(forceinline=True)
def none_comes_to_rest(state):
    """Let the contacts rest that do; is there none?"""
    return come_to_rest(state.proximity, state.held.resting, state.retry.ahead) == 0


@njit(forceinline=True)
def end_careful(state, steps):
    """The step is taken, after so many."""
    state.counts.history, state.counts.steps = 1, steps + 1
    for i in range(state.proximity.seen.number):
        state.points.margin[state.proximity.near[i]] = NEAR


@njit(cache=True, nogil=True)
def careful_step(plant, state, h, first, ledger, stops, events, count):
    """One step of size h from `saved`, with its impacts; returns status and events so far.

    Parts of the step are tried from `saved` until it is done or an impact is found; an impact moves
    `saved` to itself. The whole step was tried already: phi are its gaps, and `retry.phi` those at the
    start. If a gap was closed only at the fraction `first`, that is tried first; so is one that is passed on the way
    to an impact, or after it. Ends at once, within the step, when a contact of `stops` is struck.
    """
    retry, proximity, steps = state.retry, state.proximity, state.counts.steps
    struck, spared, bracket, v, saved = retry.struck, retry.spared, retry.bracket, retry.v, retry.saved
    begin_careful(plant, state, ledger)
    end, left, tolerated, searches = state.clock.time + h, h, TOUCH, 0
    mode, size = first_try(state, first)
    for _ in range(4000):
        restore(state, saved)
        if size > 0.0:
            status = take_part(plant, state, h, size * left)
            least = LEAST_PART if too_long(state, status) else (FINE_PART if too_coarse(state, status) else np.inf)
            if size * left > least * h:
                start_afresh(state, v)
                mode, size = integer(WHOLE), 0.5 * size
                continue
            if status != DONE:
                return status, count
        smallest = nearest_gap(plant, state, 0)
        at_start, tried = mode == AT_START, size
        if mode == WHOLE and smallest < -tolerated:
            if tolerated > TOUCH and size > SMALLEST_PART:  # points are followed too far from where they were found
                size *= 0.5
            else:
                mode, size = suspect(state, smallest, size, tolerated)
            continue
        if mode == START:
            at_start = stays_closed(plant, state, spared, v, left)
        if mode != WHOLE and not at_start:
            mode, size = next_try(mode, size, smallest_of(proximity, proximity.phi, spared), bracket)
            if size >= 0.0:
                continue
            if smallest < -tolerated:  # one that is open again at the end went in before
                searches += 1
                mode, size = suspect(state, smallest, tried, tolerated)
                if searches > MOST_SEARCHES and smallest >= -0.5 * MOST_TOLERATED:
                    tolerated, searches = max(TOLERATED, -2.0 * smallest), 0
                    mode, size = integer(WHOLE), 1.0
                continue
        if tried > 0.0:
            first = seen_through(plant, state, tried * left)
            if first == 0.0:
                return TUNNELLING, count
            if first < 1.0:
                mode, size = integer(WHOLE), first * tried
                continue
        if mode == WHOLE:
            if size == 1.0:
                break
            go_on_from_here(plant, state, ledger)
            size = min(1.0, 2.0 * size)
        else:
            hits = strikes(proximity, struck, spared)
            status, count = strike_here(plant, state, stops, events, count, ledger)
            if status != DONE:
                return status, count
            if at_start and strikes(proximity, struck, spared) == hits and none_comes_to_rest(state):
                tolerated = max(TOLERATED, 2.0 * tolerated)
                if tolerated > MOST_TOLERATED:
                    return STUCK, count
            elif rattles(proximity, struck, state.held.resting):
                tolerated = max(TOLERATED, tolerated)
            mode, size, searches = integer(WHOLE), 1.0, 0
        left = end - state.clock.time
        if left <= 1e-15 * max(1.0, abs(end)):  # what no clock tells from 0
            break
    else:
        return STUCK, count
    end_careful(state, steps)
    return DONE, count


@njit(forceinline=True)
def go_back(plant, state, saved, ledger):
    """To what `save` saved, to take a step again."""
    restore(state, saved)
    settle_now(plant, state, state.retry.v, ledger)
    start_afresh(state, state.retry.v)


@njit(cache=True, nogil=True)
def end_rest(plant, state, ledger):
    """End the rest of contacts that have opened. Of one that pushed in the step nonetheless (its bodies slid off each
    other's edge on the way) the second half of that impulse is still to come."""
    proximity, late = state.proximity, False
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        late = late or (opened(state, k) and state.points.pressed[k] > 0.0)
    if late:
        settle_now(plant, state, state.retry.v, ledger)
        start_afresh(state, state.retry.v)
    let_go(state)
