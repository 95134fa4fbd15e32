"""The loop with contacts: steps, looks at the gaps, impacts, and steps that are taken again."""

from softdock.dynamics.compliance import tell_eased
from softdock.dynamics.gap_schedule import first_look, look, nearest_gap
from softdock.dynamics.impact import (
    begin_step,
    careful_step,
    end_rest,
    go_back,
    restore,
    save,
    start_afresh,
    stretch,
    too_coarse,
    too_long,
    undo_part,
    undo_step,
)
from softdock.dynamics.impulse import TOUCH
from softdock.dynamics.near import remember_gaps, stride
from softdock.dynamics.parts import step_in_parts
from softdock.dynamics.passing import seen_through
from softdock.dynamics.resting import settle_now
from softdock.dynamics.rollout import take_kernels, write_row
from softdock.dynamics.status import ABREAST, DONE, STOPPED, TOO_STIFF, TUNNELLING
from softdock.dynamics.stiction import lies, rests
from softdock.kernels import CompiledLoop
from softdock.kernels.jit import njit

SHORTEST = 4
"""Steps from which on a stretch is worth a lane."""


@njit(forceinline=True)
def write_if_due(plant, state, request, done):
    """The row that is due after so many steps of a request, if one is."""
    since, every = request.options.since, request.options.every
    if (done + since) % every == 0:
        row = (done + since) // every - 1
        write_row(plant, state, request, row, state.held)
        tell_eased(plant, state, request.v[row], request, row)


@njit(forceinline=True)
def kept(state, status, before, events):
    """How many events there are after a step that ended so; if it failed, it is undone, and they are those before."""
    if status == DONE or status == STOPPED:  # noqa: PLR1714, SIM109
        return events
    undo_step(state)
    return before


@njit(forceinline=True)
def step_with_impacts(plant, state, request, first, k, before):
    """Step k of a request again, with its impacts (`careful_step`); returns status and events so far."""
    options = request.options
    restore(state, state.retry.saved)
    begin_step(state)
    status, count = careful_step(plant, state, options.h, first, options.ledger, request.stops, request.events, before)
    count = kept(state, status, before, count)
    if status == DONE:
        state.clock.time = options.began + (k + 1) * options.h
        write_if_due(plant, state, request, k + 1)
        state.proximity.seen.fits = 0.0
    return status, count


@njit(forceinline=True)
def begin_run(plant, state, request):
    """Look at the gaps where a request begins."""
    turn = state.turn
    turn.step, turn.steps, turn.events, turn.ahead, turn.divided = 0, request.options.last, 0, 1, 0.0
    turn.status, turn.anew = DONE, True
    take_kernels(state, request.options)
    first_look(plant, state)


@njit(forceinline=True)
def next_stretch(plant, state, request):
    """Make the request one for the steps until the next look; False if there are none to be taken. Steps that are
    divided are taken on the way."""
    options, touch, turn, changes = request.options, state.compliance, state.turn, state.clock.error > 0.0
    while turn.status == DONE and turn.step < turn.steps:
        if turn.anew:
            remember_gaps(state)
        turn.anew = True
        if rests(plant, state) and (turn.step == 0 or request.commands.shape[0] > 1):  # the force may jump here
            settle_now(plant, state, state.retry.v, options.ledger)
            start_afresh(state, state.retry.v)
        if not (changes and (touch.touching or turn.divided > 0.0)):
            save(state, state.retry.saved)
            turn.taken, turn.counted = min(turn.ahead, turn.steps - turn.step), state.counts.steps
            options.first, options.last = turn.step, turn.step + turn.taken
            state.points.part = 1.0
            return True
        begin_step(state)
        turn.status, count = step_in_parts(plant, state, request, options.h, turn.step, turn.divided, turn.events)
        turn.events = kept(state, turn.status, turn.events, count)
        if turn.status == DONE:
            turn.step, turn.ahead, turn.divided = turn.step + 1, 1, 0.0
            write_if_due(plant, state, request, turn.step)
    request.done.steps, request.done.events = turn.step, turn.events
    return False


@njit(forceinline=True)
def end_stretch(plant, state, request, status):
    """Look at where steps of that status led: if a gap has closed, they are taken again, one by one or with impacts."""
    options, touch, turn, seen = request.options, state.compliance, state.turn, state.proximity.seen
    h, taken, changes = options.h, turn.taken, state.clock.error > 0.0
    if changes and status == TOO_STIFF:  # a latch that gives way, with nothing that touches
        go_back(plant, state, state.retry.saved, options.ledger)
        state.counts.steps, turn.divided = turn.counted, 2.0 if taken == 1 else 0.0
        turn.ahead, turn.anew = 1, False
        nearest_gap(plant, state, 0)
        return
    whole = not (taken == 1 and too_long(state, status))
    if status != DONE and whole:
        turn.step, turn.status = request.done.steps, status
        if taken == 1:
            undo_part(state, state.retry.saved)
        return
    if status == DONE and taken == 1 and state.points.released and lies(state):  # again, with what was still to come
        go_back(plant, state, state.retry.saved, options.ledger)
        state.counts.steps, turn.anew = turn.counted, False
        return
    whole = whole and not (taken == 1 and too_coarse(state, status))
    smallest = look(plant, state, h, taken) if whole else 0.0
    closed = whole and not touch.touching and touch.nearest < 0.0
    skims = changes and taken == 1 and seen.skim > 1.0 and whole
    if closed or skims or (whole and seen.surprised) or (taken > 1 and (smallest < -TOUCH or seen.hasty)):
        turn.divided = max(1.0, seen.skim) if changes and taken == 1 else 0.0
        go_back(plant, state, state.retry.saved, options.ledger)
        state.counts.steps = turn.counted
        touch.touching = touch.touching or (closed and taken == 1 and not changes)
        turn.ahead, turn.anew = max(1, taken // 4), False
        if turn.divided > 0.0:
            nearest_gap(plant, state, 0)
        return
    first = 1.0 if whole else 0.5
    if whole and taken == 1 and smallest >= -TOUCH:
        first = seen_through(plant, state, h)
        if first == 0.0:
            turn.status = TUNNELLING
            undo_part(state, state.retry.saved)
            return
    if smallest < -TOUCH or first < 1.0:
        state.counts.steps = turn.counted
        turn.status, turn.events = step_with_impacts(plant, state, request, first, turn.step, turn.events)
        if turn.status != DONE:
            return
    end_rest(plant, state, options.ledger)
    turn.step += taken
    if touch.touching and touch.nearest > 0.0:
        touch.touching = False
        seen.fits = 0.0
    turn.ahead = 1 if rests(plant, state) else stride(seen, taken)


@njit(forceinline=True)
def goes_abreast(plant, state):
    """May the next stretch be taken beside those of other worlds: is it long, does nothing touch or give
    way, and are no latches redundant?"""
    turn = state.turn
    free = not (state.compliance.touching or state.held.sprung or state.held.redundant > 0 or rests(plant, state))
    return turn.abreast and turn.taken >= SHORTEST and free


@CompiledLoop
def run_contacts(plant, state, request):
    """The steps of a request, with impacts and compliant contacts; returns the status.

    Gaps are looked at when they may have closed. If one has closed unseen, the steps since the last
    look are taken again one by one, and those with a compliant contact closed with its force; in parts (parts.py), if
    steps may change on the way. If that was asked for (`turn.abreast`), it is left for long stretches in which nothing
    touches (ABREAST), and entered again when they are taken (lanes.py).
    """
    turn = state.turn
    if turn.status == ABREAST:
        turn.status = DONE
        end_stretch(plant, state, request, turn.ended)
    else:
        begin_run(plant, state, request)
    while next_stretch(plant, state, request):
        if goes_abreast(plant, state):
            state.clock.contact_power, state.proximity.seen.fresh, turn.status = 0.0, False, ABREAST
            return turn.status
        end_stretch(plant, state, request, stretch(plant, state, request))
    return turn.status
