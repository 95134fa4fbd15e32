"""Steps with contacts: an impact is located within its step, resolved there, and the step goes on.

A step of size h that would end with a gap φ < 0 is taken again as a part α h with φ(q₁) = 0 (Gibson
& Murphey, eqs. 4a, 4b), the impulse at q₁ (impulse.py), and the rest (1 − α) h (eq. 4d). Between
impacts the steps are of order 2.
"""

import numpy as np

from softdock.dynamics.gap_schedule import look, nearest_gap, part, remember_gaps, smallest_of, stride, travel
from softdock.dynamics.guard import guard_anew
from softdock.dynamics.impulse import TOUCH, closing, come_to_rest, rattles, resolve, strikes
from softdock.dynamics.resting import settle_now
from softdock.dynamics.rollout import write_row
from softdock.dynamics.state import DEPTH, NEAR
from softdock.dynamics.status import DONE, EVENTS_FULL, STOPPED, STUCK, TUNNELLING
from softdock.dynamics.stiction import rests
from softdock.kernels import CompiledLoop, enter_request
from softdock.kernels.jit import njit
from softdock.kernels.linear import copy, some


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
    return enter_request(loop, plant, state, request)


@njit(forceinline=True)
def save(state, saved):
    """Save q, p, t, the account, what contacts hold and how joints rub."""
    copy(state.q, saved.q)
    copy(state.input.momentum, saved.momentum)
    saved.time = state.clock.time
    copy(state.account.vector, saved.account)
    copy(state.compliance.stored, saved.stored)
    copy(state.compliance.impulse, saved.impulse)
    saved.owed = state.points.owed
    copy(state.points.sliding, saved.sliding)


@njit(forceinline=True)
def restore(state, saved):
    """Go back to what `save` saved."""
    copy(saved.q, state.q)
    copy(saved.momentum, state.input.momentum)
    state.clock.time = saved.time
    copy(saved.account, state.account.vector)
    copy(saved.stored, state.compliance.stored)
    copy(saved.impulse, state.compliance.impulse)
    state.points.owed = saved.owed
    copy(saved.sliding, state.points.sliding)


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
its points, those of the step's end are not those of its start.)"""
SMALLEST_PART = 1.0 / 64
"""Of what is left of a step, tried when points at rest go deeper than that."""
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
        size = 1.0
    elif mode == PROBE and f > TOUCH:
        bracket.a, bracket.f_a = size, f
        mode = CLOSE_IN
    elif mode == PROBE:
        if f < -TOUCH:
            bracket.b, bracket.f_b = size, f
        if size < 1e-15:
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
def suspect(state, smallest, size):
    """The step's part `size` ends with gaps violated: the search begins, at the start. Returns mode and fraction."""
    retry, phi, bracket = state.retry, state.proximity.phi, state.retry.bracket
    for k in range(phi.size):
        retry.ahead[k] = phi[k]
        retry.spared[k] = phi[k] >= -TOUCH
    bracket.b, bracket.f_b, bracket.side, bracket.close = size, smallest, 0.0, 0.0
    return integer(START), 0.0


@njit(cache=True, nogil=True)
def careful_step(plant, state, h, ledger, stops, events, count):
    """One step of size h from `saved`, with its impacts; returns status and events so far.

    Parts of the step are tried from `saved` until it is done or an impact is found; an impact moves
    `saved` to itself. The whole step was tried already: phi are its gaps, and `retry.phi` those at the
    start. Ends at once, within the step, when a contact of `stops` is struck.
    """
    retry, proximity, counts, steps = state.retry, state.proximity, state.counts, state.counts.steps
    struck, spared, bracket, v = retry.struck, retry.spared, retry.bracket, retry.v
    saved, request, options = retry.saved, retry.request, retry.request.options
    options.ledger = ledger
    for k in range(struck.size):
        struck[k] = 0
        state.points.margin[k] = NEAR
    for i in range(plant.nv):
        request.commands[0, i] = state.input.command[i]
    restore(state, saved)
    end = state.clock.time + h
    settle_now(plant, state, v, ledger)
    save(state, saved)
    start_afresh(state, v)
    left, tolerant = h, False
    mode, size = suspect(state, smallest_of(proximity.phi, proximity.locked), 1.0)
    if smallest_of(retry.phi, spared) > TOUCH:
        mode, size = next_try(mode, size, smallest_of(retry.phi, spared), bracket)
    for _ in range(4000):
        restore(state, saved)
        if size > 0.0:
            counts.history = 1  # predict the velocity of the try before
            guard_anew(state, v)
            options.h, options.began = size * left, state.clock.time
            state.points.part = size * left / h
            status = stretch(plant, state, request)
            counts.steps = steps
            if status != DONE:
                return status, count
        smallest = nearest_gap(plant, state)
        if mode == WHOLE:
            if smallest >= -TOUCH or (tolerant and smallest >= -TOLERATED):
                if size == 1.0:
                    break
                settle_now(plant, state, v, ledger)
                start_afresh(state, v)
                save(state, saved)
                left, size = end - state.clock.time, min(1.0, 2.0 * size)
                continue
            if tolerant and size > SMALLEST_PART:  # points that are followed too far from where they were found
                size *= 0.5
                continue
            mode, size = suspect(state, smallest, size)
            continue
        at_start = mode == AT_START
        if mode == START:
            at_start = closing(plant, state, spared, v)
        if not at_start:
            mode, size = next_try(mode, size, smallest_of(proximity.phi, spared), bracket)
            if size >= 0.0:
                continue
        if count + proximity.phi.size >= events.shape[0]:
            return EVENTS_FULL, count
        hits = strikes(struck, spared)
        status, count = resolve(plant, state, struck, events, count, v, ledger)
        if status != DONE:
            return status, count
        start_afresh(state, v)
        save(state, saved)
        for k in range(stops.size):
            if stops[k] and struck[k] > 0:
                return STOPPED, count
        if (
            at_start
            and strikes(struck, spared) == hits
            and come_to_rest(proximity.phi, state.held.resting, retry.ahead) == 0
        ):
            if tolerant:
                return STUCK, count
            tolerant = True
        tolerant = tolerant or rattles(struck, state.held.resting)
        left = end - state.clock.time
        if left <= 1e-15 * max(1.0, abs(end)):
            break
        mode, size = integer(WHOLE), 1.0
    else:
        return STUCK, count
    counts.history = 1
    counts.steps = steps + 1
    for k in range(struck.size):
        state.points.margin[k] = NEAR
    return DONE, count


@CompiledLoop
def run_contacts(plant, state, request):
    """The steps of a request, with impacts and compliant contacts; returns the status.

    Gaps are looked at when they may have closed. If one has closed unseen, the steps since the last
    look are taken again one by one, and those with a compliant contact closed with its force.
    """
    options, touch, counts, held = request.options, state.compliance, state.counts, state.held
    h, steps, every, since, ledger = options.h, options.last, options.every, options.since, options.ledger
    saved, proximity = state.retry.saved, state.proximity
    count, k, ahead = integer(0), integer(0), integer(1)
    touch.touching = False
    look(plant, state, h)
    touch.touching = touch.nearest <= 0.0
    smallest = look(plant, state, h)
    status = DONE
    anew = True
    while k < steps:
        if anew:
            remember_gaps(proximity, state.retry)
        anew = True
        if rests(plant, state) and (k == 0 or request.commands.shape[0] > 1):  # the force may jump here
            settle_now(plant, state, state.retry.v, ledger)
            start_afresh(state, state.retry.v)
        save(state, saved)
        taken, counted = min(ahead, steps - k), counts.steps
        options.first, options.last = k, k + taken
        state.points.part = 1.0
        status = stretch(plant, state, request)
        if status != DONE:
            k = request.done.steps
            break
        reach, smallest = smallest, look(plant, state, h)
        way = travel(plant.contacts.shapes, proximity.poses, state.retry.poses)
        closed = not touch.touching and touch.nearest < 0.0
        if closed or (taken > 1 and (smallest < -TOUCH or way > 0.5 * reach)):
            restore(state, saved)
            settle_now(plant, state, state.retry.v, ledger)
            start_afresh(state, state.retry.v)
            counts.steps = counted
            touch.touching = closed and taken == 1
            ahead, smallest, anew = max(1, taken // 4), reach, False
            continue
        if way > reach and way > plant.contacts.thinnest:
            status = TUNNELLING
            break
        if smallest < -TOUCH:
            counts.steps = counted
            status, count = careful_step(plant, state, h, ledger, request.stops, request.events, count)
            if status != DONE:
                break
            state.clock.time = options.began + (k + 1) * h
            if (k + 1 + since) % every == 0:
                write_row(plant, state, request, (k + 1 + since) // every - 1, held)
            smallest, way = max(0.0, smallest_of(proximity.phi, proximity.locked)), np.inf
        part(state)
        k += taken
        if touch.touching and touch.nearest > 0.0:
            touch.touching = False
            smallest = min(smallest, touch.nearest)
        watched = plant.contacts.stops.size > 0 or some(held.resting)
        ahead = 1 if watched else stride(taken, way, smallest)
    request.done.steps, request.done.events = k, count
    return status
