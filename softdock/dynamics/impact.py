"""Steps with gaps: an impact is located within its step, resolved there, and the step goes on.

A step of size h that would end with a gap φ < 0 is taken again as a part α h with φ(q₁) = 0 (Gibson
& Murphey, eqs. 4a, 4b), the impulse at q₁, and the rest (1 − α) h (eq. 4d). The impulse is
λ = −(1 + e) (∇φ·v)/(∇φ M⁻¹ ∇φᵀ): energy changes by −(1 − e²)(∇φ·v)²/(2 ∇φ M⁻¹ ∇φᵀ), exactly.
Impacts at one instant are resolved one after the other until no touching gap is closing. Between
impacts the steps are of order 2.
"""

import numpy as np
from numba import njit

from softdock.dynamics.gaps import RESTITUTION, gradient
from softdock.dynamics.latch import align, prepare
from softdock.dynamics.linear import some
from softdock.dynamics.looking import look, nearest_gap, remember_gaps, smallest_of, stride, travel
from softdock.dynamics.plant import (
    BEGAN,
    CONTACT_POWER,
    CONTRACTION,
    DEPTH,
    EVENTS_DONE,
    EVERY,
    FACTOR_H,
    FIRST,
    IMPACTS,
    LAST,
    LEDGER,
    LENGTH,
    RUN_FREE,
    RUN_HELD,
    RUN_TOUCHING,
    SINCE,
    STEPS,
    STEPS_DONE,
    TIME,
    H,
)
from softdock.dynamics.rollout import write_row
from softdock.dynamics.step import DONE, EVENTS_FULL, STOPPED, STUCK, TUNNELLING
from softdock.kernels import Entry, enter_task

TOUCH = 1e-12
"""Gap (m or rad) that counts as closed; as far as this a body may be inside another."""
CLOSING = 1e-12
"""Speed of approach (m/s or rad/s) that counts as an impact."""
ZENO = 8
"""Impacts of one gap within one step after which it is taken to rest, if it loses energy."""


@njit(forceinline=True)
def integer(x):  # type: ignore[no-untyped-def]
    """x, but not a literal, for whose value Numba would compile once more what it is passed to."""
    return np.int64(x)


@njit(forceinline=True)
def stretch(plant, work, task):  # type: ignore[no-untyped-def]
    """The steps of a task with what holds or touches at present; returns the status."""
    loop = RUN_HELD if some(work.engaged) or some(work.resting) else RUN_FREE
    if work.touch.touching[0]:
        loop = RUN_TOUCHING
    work.clock[CONTACT_POWER] = 0.0
    return enter_task(work.loops[loop], plant, work, task)


@njit(forceinline=True)
def keep(q, e, clock, account, saved):  # type: ignore[no-untyped-def]
    """Save q, p, t and the account."""
    nq = q.size
    n = saved.size - nq - 1 - account.size
    for i in range(nq):
        saved[i] = q[i]
    for i in range(n):
        saved[nq + i] = e[4 + n + i]
    saved[nq + n] = clock[TIME]
    for i in range(account.size):
        saved[nq + n + 1 + i] = account[i]


@njit(forceinline=True)
def restore(q, e, clock, account, saved):  # type: ignore[no-untyped-def]
    """Go back to what `keep` saved."""
    nq = q.size
    n = saved.size - nq - 1 - account.size
    for i in range(nq):
        q[i] = saved[i]
    for i in range(n):
        e[4 + n + i] = saved[nq + i]
    clock[TIME] = saved[nq + n]
    for i in range(account.size):
        account[i] = saved[nq + n + 1 + i]


@njit(cache=True, nogil=True)
def strike(plant, work, m, k, v, row, push, answer, plastic, event):  # type: ignore[no-untyped-def]
    """The impulse of gap k on p and v; writes the event. The m rows of engaged latches answer with their own."""
    n = plant.nv
    for i in range(n):
        push[i] = row[i]
    align(plant, work, m, push, answer)
    speed, compliance = 0.0, 0.0
    for i in range(n):
        speed += row[i] * v[i]
        compliance += row[i] * answer[i]
    e = 0.0 if plastic else plant.gaps.numbers[k, RESTITUTION]
    impulse = -(1.0 + e) * speed / compliance
    for i in range(n):
        work.e[4 + n + i] += impulse * push[i]
        v[i] += impulse * answer[i]
    change = impulse * (speed + 0.5 * impulse * compliance)
    work.account[IMPACTS] -= change
    event[0], event[1] = work.clock[TIME], k
    for i in range(3):
        event[2 + i], event[5 + i] = work.hits[k, 3 + i], work.hits[k, i]
    event[8], event[9], event[10], event[11] = impulse, speed, -e * speed, change


@njit(cache=True, nogil=True)
def resolve(plant, work, struck, events, count, v):  # type: ignore[no-untyped-def]
    """All impacts at the present instant, the fastest closing gap first; the velocity after them in v.
    Returns the events so far."""
    n, again = plant.nv, work.again
    row, best, push, answer, resting = again.row, again.best, again.push, again.answer, again.rested
    m = prepare(plant, work)
    align(plant, work, m, work.e[4 + n : 4 + 2 * n], v)
    for k in range(resting.size):
        resting[k] = work.resting[k]
        work.resting[k] = False
    if some(resting):  # each for itself, like any other gap
        m = prepare(plant, work)
    while count < events.shape[0]:
        pick, fastest = -1, -CLOSING
        for k in range(work.phi.size):
            if work.phi[k] <= TOUCH or resting[k]:
                gradient(plant.gaps, work.poses, k, work.hits[k], row)
                speed = 0.0
                for i in range(n):
                    speed += row[i] * v[i]
                if speed < fastest:
                    pick, fastest = k, speed
                    for i in range(n):
                        best[i] = row[i]
        if pick < 0:
            break
        struck[pick] += 1
        plastic = struck[pick] > ZENO and plant.gaps.numbers[pick, RESTITUTION] < 1.0
        strike(plant, work, m, pick, v, best, push, answer, plastic, events[count])
        count += 1
    for k in range(resting.size):
        work.resting[k] = resting[k]
    return count


@njit(forceinline=True)
def start_again(work, v):  # type: ignore[no-untyped-def]
    """The velocity jumped: forget the earlier ones."""
    for i in range(v.size):
        for k in range(DEPTH + 1):
            work.history[0, i, k] = v[i] if k == 0 else 0.0
    for i in range(v.size):
        work.xi[i] = v[i]
        work.surprise[i] = 0.0
    work.counts[LENGTH] = 1
    work.clock[FACTOR_H], work.clock[CONTRACTION] = 0.0, 1.0
    for i in range(work.holds.multipliers.size):
        for k in range(DEPTH):
            work.holds.history[0, i, k] = 0.0


@njit(forceinline=True)
def come_to_rest(phi, resting, ahead):  # type: ignore[no-untyped-def]
    """Let the gaps rest that are closed and would be violated `ahead`; how many."""
    added = 0
    for k in range(phi.size):
        if not resting[k] and phi[k] <= TOUCH and ahead[k] < -TOUCH:
            resting[k] = True
            added += 1
    return added


@njit(forceinline=True)
def lift_off(plant, work):  # type: ignore[no-untyped-def]
    """Release the resting gaps that would have to pull (after a constrained step); how many."""
    m = 0
    for k in range(work.engaged.size):
        if work.engaged[k]:
            m += plant.latch_rows[k + 1] - plant.latch_rows[k]
    released = 0
    for k in range(work.resting.size):
        if work.resting[k]:
            if work.holds.multipliers[m] < 0.0:
                work.resting[k] = False
                work.clock[FACTOR_H] = 0.0
                released += 1
            m += 1
    return released


@njit(cache=True, nogil=True)
def closing(gaps, poses, phi, hits, spared, v, row):  # type: ignore[no-untyped-def]
    """Is a closed gap among the suspects closing further?"""
    for k in range(phi.size):
        if not spared[k] and phi[k] <= TOUCH:
            gradient(gaps, poses, k, hits[k], row)
            speed = 0.0
            for i in range(v.size):
                speed += row[i] * v[i]
            if speed < -CLOSING:
                return True
    return False


WHOLE, START, PROBE, CLOSE_IN, AT_START = range(5)
"""What a part of a step is tried for, in `careful_step`."""


@njit(forceinline=True)
def next_try(mode, size, f, bracket):  # type: ignore[no-untyped-def]
    """The search for the fraction α at which the first suspect gap closes (Illinois' method).

    `bracket` is (a, b, f(a), f(b), side, close); f is the smallest suspect gap at fraction `size`.
    Returns the next mode and fraction; fraction −1: found, at `size`. If the gap is closed at the
    start, a later fraction at which it is open is sought first; if there is none, it is at rest or
    struck at once (AT_START).
    """
    found = False
    if mode == START:
        bracket[0], bracket[2] = 0.0, f
        mode = CLOSE_IN if f > TOUCH else PROBE
        size = 1.0
    elif mode == PROBE and f > TOUCH:
        bracket[0], bracket[2] = size, f
        mode = CLOSE_IN
    elif mode == PROBE:
        if f < -TOUCH:
            bracket[1], bracket[3] = size, f
        if size < 1e-15:
            mode = AT_START
    elif abs(f) <= bracket[5] or bracket[1] - bracket[0] <= 4e-16:
        found = True
    elif f > 0.0:
        bracket[0], bracket[2] = size, f
        bracket[3] *= 0.5 if bracket[4] > 0.0 else 1.0
        bracket[4] = 1.0
    else:
        bracket[1], bracket[3] = size, f
        bracket[2] *= 0.5 if bracket[4] < 0.0 else 1.0
        bracket[4] = -1.0
    if found:
        size = -1.0
    elif mode == PROBE:
        size *= 0.5
    elif mode == AT_START:
        size = 0.0
    else:
        if bracket[5] == 0.0:
            bracket[5] = 1e-14 + 1e-13 * abs(bracket[3] - bracket[2])
        size = (bracket[0] * bracket[3] - bracket[1] * bracket[2]) / (bracket[3] - bracket[2])
        if not bracket[0] < size < bracket[1]:
            size = 0.5 * (bracket[0] + bracket[1])
    return mode, size


@njit(forceinline=True)
def suspect(work, smallest, again):  # type: ignore[no-untyped-def]
    """The whole step ends with gaps violated: the search begins, at the start. Returns mode and fraction."""
    for k in range(work.phi.size):
        again.ahead[k] = work.phi[k]
        again.spared[k] = work.resting[k] or work.phi[k] >= -TOUCH
    bracket = again.bracket
    bracket[1], bracket[3], bracket[4], bracket[5] = 1.0, smallest, 0.0, 0.0
    return integer(START), 0.0


@njit(cache=True, nogil=True)
def careful_step(plant, work, h, ledger, stops, events, count, tried):  # type: ignore[no-untyped-def]
    """One step of size h from `saved`, with its impacts; returns status and events so far.

    Parts of the step are tried from `saved` until it is done or an impact is found; an impact moves
    `saved` to itself. If the whole step was `tried` already, phi are its gaps, and `again.phi` those at the
    start. Ends at once, within the step, when a gap of `stops` is struck.
    """
    n, steps, again = plant.nv, work.counts[STEPS], work.again
    struck, spared, ahead, bracket, v = again.struck, again.spared, again.ahead, again.bracket, again.v
    saved, task = again.saved, again.task
    task.span[LEDGER] = ledger
    for k in range(struck.size):
        struck[k] = 0
    for i in range(n):
        task.commands[0, i] = work.e[4 + i]
    restore(work.q, work.e, work.clock, work.account, saved)
    end = work.clock[TIME] + h
    align(plant, work, prepare(plant, work), work.e[4 + n : 4 + 2 * n], v)
    keep(work.q, work.e, work.clock, work.account, saved)
    start_again(work, v)
    mode, size, left = integer(WHOLE), 1.0, h
    if tried:
        mode, size = suspect(work, smallest_of(work.phi, work.resting), again)
        if smallest_of(again.phi, spared) > TOUCH:
            mode, size = next_try(mode, size, smallest_of(again.phi, spared), bracket)
    for _ in range(4000):
        restore(work.q, work.e, work.clock, work.account, saved)
        if size > 0.0:
            work.counts[LENGTH] = 1  # predict the velocity of the try before
            task.times[H], task.times[BEGAN] = size * left, work.clock[TIME]
            status = stretch(plant, work, task)
            work.counts[STEPS] = steps
            if status != DONE:
                return status, count
        smallest = nearest_gap(plant, work)
        if mode == WHOLE:
            if lift_off(plant, work) > 0:
                continue
            if smallest >= -TOUCH:
                break
            mode, size = suspect(work, smallest, again)
            continue
        at_start = mode == AT_START
        if mode == START:
            at_start = closing(plant.gaps, work.poses, work.phi, work.hits, spared, v, again.row)
        if not at_start:
            mode, size = next_try(mode, size, smallest_of(work.phi, spared), bracket)
            if size >= 0.0:
                continue
        if count + work.phi.size >= events.shape[0]:
            return EVENTS_FULL, count
        before = count
        count = resolve(plant, work, struck, events, count, v)
        start_again(work, v)
        keep(work.q, work.e, work.clock, work.account, saved)
        for k in range(stops.size):
            if stops[k] and struck[k] > 0:
                return STOPPED, count
        if at_start and count == before and come_to_rest(work.phi, work.resting, ahead) == 0:
            return STUCK, count
        left = end - work.clock[TIME]
        if left <= 1e-15 * max(1.0, abs(end)):
            break
        mode, size = integer(WHOLE), 1.0
    else:
        return STUCK, count
    work.counts[LENGTH] = 1
    work.counts[STEPS] = steps + 1
    return DONE, count


@Entry
def run_gaps(plant, work, task):  # type: ignore[no-untyped-def]
    """The steps of a task, with impacts and compliant contacts; returns the status.

    Gaps are looked at when they may have closed. If one has closed unseen, the steps since the last
    look are taken again one by one, and those with a compliant gap closed with its force.
    """
    n, h, span, touch = plant.nv, task.times[H], task.span, work.touch
    start, steps, every, ledger = task.times[BEGAN], span[LAST], span[EVERY], span[LEDGER]
    saved, before = work.again.saved, work.again.before
    count, k, ahead = integer(0), integer(0), integer(1)
    touch.touching[0] = False
    look(plant, work, h)
    touch.touching[0] = touch.nearest[0] <= 0.0
    smallest = look(plant, work, h)
    status = DONE
    anew = True
    while k < steps:
        if anew:
            remember_gaps(work, work.again)
        anew = True
        if some(work.resting):  # one may be let go
            align(plant, work, prepare(plant, work), work.e[4 + n : 4 + 2 * n], work.again.v)
        keep(work.q, work.e, work.clock, work.account, saved)
        taken, counted = min(ahead, steps - k), work.counts[STEPS]
        span[FIRST], span[LAST] = k, k + taken
        status = stretch(plant, work, task)
        if status != DONE:
            k = span[STEPS_DONE]
            break
        reach, smallest = smallest, look(plant, work, h)
        way = travel(plant.gaps.shapes, work.poses, before)
        closed = not touch.touching[0] and touch.nearest[0] < 0.0
        if closed or (taken > 1 and (smallest < -TOUCH or way > 0.5 * reach)):
            restore(work.q, work.e, work.clock, work.account, saved)
            align(plant, work, prepare(plant, work), work.e[4 + n : 4 + 2 * n], work.xi)
            start_again(work, work.xi)
            work.counts[STEPS] = counted
            touch.touching[0] = closed and taken == 1
            ahead, smallest, anew = max(1, taken // 4), reach, False
            continue
        if way > reach and way > plant.gaps.thinnest:
            status = TUNNELLING
            break
        lifted = lift_off(plant, work) > 0
        if smallest < -TOUCH or lifted:
            work.counts[STEPS] = counted
            status, count = careful_step(plant, work, h, ledger, task.stops, task.events, count, not lifted)
            if status != DONE:
                break
            work.clock[TIME] = start + (k + 1) * h
            if (k + 1 + span[SINCE]) % every == 0:
                write_row(plant, work, task, (k + 1 + span[SINCE]) // every - 1, work.holds)
            smallest, way = max(0.0, smallest_of(work.phi, work.resting)), np.inf
        k += taken
        if touch.touching[0] and touch.nearest[0] > 0.0:
            touch.touching[0] = False
            smallest = min(smallest, touch.nearest[0])
        watched = plant.gaps.stops.size > 0 or some(work.resting)
        ahead = 1 if watched else stride(taken, way, smallest)
    span[STEPS_DONE], span[EVENTS_DONE] = k, count
    return status
