"""Many steps without Python in the loop."""

from softdock.dynamics.compliance import tell_eased
from softdock.dynamics.contacts import press_resting
from softdock.dynamics.guard import begin_pushes, check_pushes
from softdock.dynamics.latch import align_by_bodies, factor_mass, keep_load, overloaded, solve_held
from softdock.dynamics.resting import settle_all, work_of_settling
from softdock.dynamics.state import ACCOUNT_NAMES
from softdock.dynamics.status import BROKE, DONE
from softdock.dynamics.step import after_step, before_step, solve_free
from softdock.dynamics.stiction import rests
from softdock.dynamics.touching_step import solve_touching
from softdock.kernels import CompiledLoop, call, loop
from softdock.kernels.jit import njit
from softdock.kernels.linear import copy
from softdock.mechanics.latch_pattern import WRITTEN_OUT
from softdock.mechanics.layouts import VALUES

# Symmetric compositions of the midpoint step (fractions of h). Order 4: Suzuki, Phys. Lett. A 146
# (1990) 319. Order 6: Kahan & Li, Math. Comp. 66 (1997) 1089, nine stages.
_S = 1 / (4 - 4 ** (1 / 3))
_K = (0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.082213596293550800230)
COMPOSITIONS: dict[int, tuple[float, ...]] = {
    2: (1.0,),
    4: (_S, _S, 1 - 4 * _S, _S, _S),
    6: (*_K, 1 - 2 * sum(_K), *reversed(_K)),
}

_WORK_CONTACTS, _WORK_FRICTION = ACCOUNT_NAMES.index("work_contacts"), ACCOUNT_NAMES.index("work_friction")


@loop
def settle(plant, state):
    """The inelastic impulse that brings the motion in line with what holds; the energy lost."""
    state.points.share = 0.5
    lost = bring_in_line(plant, state, state.input.momentum, state.projection.v)
    state.points.owed = 0.0
    return lost


@loop
def velocity_free(plant, state, v):
    """The present velocity, if nothing holds."""
    velocity(plant, state, None, v)


@loop
def velocity_held(plant, state, v):
    """The present velocity, in line with what holds."""
    velocity(plant, state, state.held, v)


@loop
def account_held(plant, state, v, account):
    """The present velocity, in line with what holds, and the account."""
    velocity(plant, state, state.held, v)
    write_account(plant, state, v, account)


@loop
def press_now(plant, state, pressed, rubbed):
    """`press_resting` at the present state."""
    velocity(plant, state, state.held, state.projection.v)
    press_resting(plant, state, pressed, rubbed)


@loop
def eased_now(plant, state, request, v):
    """`tell_eased` at the present state and velocity, as of the first row."""
    tell_eased(plant, state, v, request, 0)


@njit(forceinline=True)
def velocity(plant, state, held, v):
    """The present velocity; returns whether the rows of latches at q are known thereby. (`held` as for `run`: what free
    worlds do not need takes long to compile.)"""
    if held is None:
        factor_mass(plant, state)
        call(plant.kernels.solve, state.q, state.input.momentum, state.projection.factor, plant.theta, v)
        return False
    p = state.projection.p
    for i in range(plant.nv):
        p[i] = state.input.momentum[i]
    bring_in_line(plant, state, p, v)
    return True


@njit(forceinline=True)
def bring_in_line(plant, state, p, v):
    """`settle_all`, which many latches do by bodies, if nothing else holds."""
    if state.input.latches.on.size <= WRITTEN_OUT or rests(plant, state) or state.points.owed > 0.0:
        return settle_all(plant, state, p, v)
    return align_by_bodies(plant, state, p, v)


@njit(cache=True, nogil=True)
def write_account(plant, state, v, account):
    """The account with what bringing the momentum in line, to velocity v, does."""
    contacts, friction = work_of_settling(plant, state, v)
    copy(state.account.vector, account)
    account[_WORK_CONTACTS] += contacts
    account[_WORK_FRICTION] += friction


@njit(forceinline=True)
def write_row(plant, state, request, row, held):
    """The present state as a row. Returns whether the rows of latches at q are known thereby."""
    request.t[row] = state.clock.time
    for i in range(plant.nq):
        request.q[row, i] = state.q[i]
    known = velocity(plant, state, held, request.v[row])
    if held is None:
        copy(state.account.vector, request.account[row])
    else:
        write_account(plant, state, request.v[row], request.account[row])
    if held is not None and request.pressed.shape[0] > 0:
        press_resting(plant, state, request.pressed[row], request.rubbed[row])
    return known


@njit(cache=True, nogil=True)
def begin_whole(state):
    """Save what a step of several stages changes. (There are no contacts then, which use the same room.)"""
    saved = state.retry.saved
    copy(state.q, saved.q)
    copy(state.input.momentum, saved.momentum)
    copy(state.step.lost_way, saved.lost_way)
    copy(state.step.lost_gain, saved.lost_gain)
    copy(state.account.vector, saved.account)
    saved.time = state.clock.time


@njit(cache=True, nogil=True)
def undo_whole(state):
    """Go back to where a step that failed in one of its stages began."""
    saved = state.retry.saved
    copy(saved.q, state.q)
    copy(saved.momentum, state.input.momentum)
    copy(saved.lost_way, state.step.lost_way)
    copy(saved.lost_gain, state.step.lost_gain)
    copy(saved.account, state.account.vector)
    state.clock.time = saved.time


@njit(forceinline=True)
def take_kernels(state, options):
    """Those of a request; a part of a step has none of its own."""
    if options.newton != 0:
        state.loops.newton, state.loops.newton_held = options.newton, options.newton_held


@njit(forceinline=True)
def run(plant, state, request, held, touch):
    """The steps of a request, and its rows; returns the status.

    `held` is `state.held`, or None if nothing holds, `touch` is `state.compliance`, or None if nothing touches: Numba
    then leaves that out. The momentum is not in line with what holds: the multipliers of
    the next step take up what is missing (docs/theory/latches.md).
    """
    options, fractions, commands = request.options, request.fractions, request.commands
    h, first, last = options.h, options.first, options.last
    ledger, every, since = options.ledger, options.every, options.since
    done, status, known, breakable = first, DONE, False, False
    row = (first + since) // every
    due = (row + 1) * every - since
    take_kernels(state, options)
    while done < last:
        if done == first or commands.shape[0] > 1:
            for i in range(plant.nv):
                state.input.command[i] = commands[min(done, commands.shape[0] - 1), i]
        if held is not None:
            breakable = options.breaks and plant.strengths.size > 0
        if fractions.size > 1:
            begin_whole(state)
        for stage in range(fractions.size):
            if status == DONE:
                part = fractions[stage] * h
                before_step(plant, state, part, stage)
                if held is not None:
                    begin_pushes(state)
                if touch is not None:
                    status = solve_touching(plant, state, part, stage)
                elif held is not None:
                    status = solve_held(plant, state, part, stage, known)
                    if breakable:
                        keep_load(state, True, 1.0)
                else:
                    status = solve_free(plant, state, part, stage)
                known = False
                if held is not None and breakable and status == DONE and stage == 0:
                    held.broken = overloaded(plant, state)
                    if held.broken >= 0:
                        status = BROKE
                if held is not None and status == DONE and plant.roots.size > 0:
                    status = check_pushes(plant, state, part)
                if status == DONE:
                    status = after_step(
                        plant, state, part, stage, ledger, touch is not None, held if touch is None else None
                    )
        if status != DONE:
            if held is not None:
                copy(state.guard.momentum, state.input.momentum)
            if fractions.size > 1:
                undo_whole(state)
            break
        done += 1
        state.clock.time = options.began + done * h
        state.counts.steps += 1
        state.counts.history = min(state.counts.history + 1, VALUES)
        if done == due:
            known = write_row(plant, state, request, row, held)
            if touch is not None:
                tell_eased(plant, state, request.v[row], request, row)
            row, due = row + 1, due + every
    request.done.steps = done
    return status


@CompiledLoop
def run_free(plant, state, request):
    """Steps in which nothing holds."""
    return run(plant, state, request, None, None)


@CompiledLoop
def run_held(plant, state, request):
    """Steps with engaged latches."""
    return run(plant, state, request, state.held, None)


@CompiledLoop
def run_touching(plant, state, request):
    """Steps with compliant contacts closed, or located ones at rest, and with what holds."""
    return run(plant, state, request, state.held, state.compliance)
