"""The loop with contacts: steps, looks at the gaps, impacts, and steps that are taken again."""

from softdock.dynamics.gap_schedule import first_look, look, nearest_gap, part
from softdock.dynamics.impact import careful_step, go_back, integer, save, start_afresh, stretch, too_long
from softdock.dynamics.impulse import TOUCH
from softdock.dynamics.near import remember_gaps, stride
from softdock.dynamics.parts import step_in_parts
from softdock.dynamics.passing import seen_through
from softdock.dynamics.resting import settle_now
from softdock.dynamics.rollout import take_kernels, write_row
from softdock.dynamics.status import DONE, TOO_STIFF, TUNNELLING
from softdock.dynamics.stiction import rests
from softdock.kernels import CompiledLoop
from softdock.kernels.jit import njit


@njit(forceinline=True)
def write_if_due(plant, state, request, done):
    """The row that is due after so many steps of a request, if one is."""
    since, every = request.options.since, request.options.every
    if (done + since) % every == 0:
        write_row(plant, state, request, (done + since) // every - 1, state.held)


@njit(forceinline=True)
def step_with_impacts(plant, state, request, first, k, count):
    """Step k of a request again, with its impacts (`careful_step`); returns status and events so far."""
    options = request.options
    status, count = careful_step(plant, state, options.h, first, options.ledger, request.stops, request.events, count)
    if status == DONE:
        state.clock.time = options.began + (k + 1) * options.h
        write_if_due(plant, state, request, k + 1)
        state.proximity.seen.fits = 0.0
    return status, count


@CompiledLoop
def run_contacts(plant, state, request):
    """The steps of a request, with impacts and compliant contacts; returns the status.

    Gaps are looked at when they may have closed. If one has closed unseen, the steps since the last
    look are taken again one by one, and those with a compliant contact closed with its force; in parts (parts.py), if
    steps may change on the way.
    """
    options, touch, counts = request.options, state.compliance, state.counts
    h, steps, ledger = options.h, options.last, options.ledger
    saved, seen, changes = state.retry.saved, state.proximity.seen, state.clock.error > 0.0
    count, k, ahead, divided = integer(0), integer(0), integer(1), 0.0
    take_kernels(state, options)
    first_look(plant, state)
    status = DONE
    anew = True
    while k < steps:
        if anew:
            remember_gaps(state)
        anew = True
        if rests(plant, state) and (k == 0 or request.commands.shape[0] > 1):  # the force may jump here
            settle_now(plant, state, state.retry.v, ledger)
            start_afresh(state, state.retry.v)
        if changes and (touch.touching or divided > 0.0):
            status, count = step_in_parts(plant, state, request, h, k, divided, count)
            if status != DONE:
                break
            k, ahead, divided = k + 1, integer(1), 0.0
            write_if_due(plant, state, request, k)
            continue
        save(state, saved)
        taken, counted = min(ahead, steps - k), counts.steps
        options.first, options.last = k, k + taken
        state.points.part = 1.0
        status = stretch(plant, state, request)
        if changes and status == TOO_STIFF:  # a latch that gives way, with nothing that touches
            divided = 2.0 if taken == 1 else 0.0
            go_back(plant, state, saved, ledger)
            counts.steps, ahead, anew = counted, integer(1), False
            nearest_gap(plant, state, 0)
            continue
        whole = not (taken == 1 and too_long(state, status))
        if status != DONE and whole:
            k = request.done.steps
            break
        smallest = look(plant, state, h, taken) if whole else 0.0
        closed = whole and not touch.touching and touch.nearest < 0.0
        skims = changes and taken == 1 and seen.skim > 1.0 and whole
        if closed or skims or (whole and seen.surprised) or (taken > 1 and (smallest < -TOUCH or seen.hasty)):
            divided = max(1.0, seen.skim) if changes and taken == 1 else 0.0
            go_back(plant, state, saved, ledger)
            counts.steps = counted
            touch.touching = touch.touching or (closed and taken == 1 and not changes)
            ahead, anew = max(1, taken // 4), False
            if divided > 0.0:
                nearest_gap(plant, state, 0)
            continue
        first = 1.0 if whole else 0.5
        if whole and taken == 1 and smallest >= -TOUCH:
            first = seen_through(plant, state, h)
            if first == 0.0:
                status = TUNNELLING
                break
        if smallest < -TOUCH or first < 1.0:
            counts.steps = counted
            status, count = step_with_impacts(plant, state, request, first, k, count)
            if status != DONE:
                break
        part(state)
        k += taken
        if touch.touching and touch.nearest > 0.0:
            touch.touching = False
            seen.fits = 0.0
        ahead = 1 if rests(plant, state) else stride(seen, taken)
    request.done.steps, request.done.events = k, count
    return status
