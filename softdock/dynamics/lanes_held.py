"""The step of worlds with engaged latches, side by side (lanes.py): `latch.solve_held` in all lanes at once.

What one kernel does for one world, one of four worlds does here, and the rest is done number by number as the loop of
one world does it, so that a lane's numbers are its own to the last bit. A matrix that is to be made anew on the way,
and a step that does not add up at once, are left to that loop.
"""

from softdock.dynamics.guard import ROUNDING as EVEN
from softdock.dynamics.guard import SHARE, check_pushes
from softdock.dynamics.latch import MAX_ITERATIONS, factor_latched
from softdock.dynamics.status import DONE
from softdock.dynamics.step import predict
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.lanes import LANES
from softdock.kernels.place import at


@njit(forceinline=True)
def holds(lanes):
    """Are latches engaged in the worlds that are in lanes? (In all of them, or in none.)"""
    for k in range(LANES):
        if lanes.lane[k].world >= 0:
            return lanes.lane[k].held
    return False


@njit(forceinline=True)
def solve_held_together(plant, state, lanes, now, then):
    """ξ and λ in all lanes that have a world: which are `solved` then; and where each goes from there. Of what kernels
    give here (layouts.BEGUN), the first is the momentum."""
    given, kernels, judged, theta = lanes.input, lanes.kernels, lanes.input.judged, lanes.theta
    call(kernels.latches, now.vector, now.vector, given.latches.held.vector, theta, given.latches.start.vector)
    call(kernels.begin_held, now.vector, given.velocity, given.vector, theta, given.momentum)
    refactor_held(plant, state, lanes, now)
    for _ in range(MAX_ITERATIONS):
        call(kernels.newton_held, now.vector, given.velocity, given.vector, theta, given.newton.vector)
        call(kernels.judge_held, now.vector, given.velocity, given.vector, theta, judged.vector)
        goes_on = False
        for k in range(LANES):
            given.goes_on[k] = judged.open[k]
            goes_on = goes_on or judged.open[k] != 0.0
        if not goes_on:
            break
        call(kernels.go_on_held, now.vector, given.velocity, given.vector, theta, given.momentum)
    for k in range(LANES):
        given.goes_on[k] = 1.0
    call(kernels.go_on_held, now.vector, given.velocity, given.vector, theta, given.momentum)
    call(kernels.move, now.vector, given.velocity, given.vector, theta, given.moved.by.vector)
    call(kernels.commit_held, now.vector, given.velocity, given.vector, theta, then.vector)


@njit(forceinline=True)
def refactor_held(plant, state, lanes, now):
    """`latch.refactor_latched`, for the lanes that ask for it: their rows are factored one by one."""
    lane, anew = lanes.lane, False
    for k in range(LANES):
        anew = anew or lane[k].anew
    if anew:
        call(lanes.kernels.factor, now.vector, now.foreseen, lanes.input.vector, lanes.theta, lanes.mass)
    for k in range(LANES):
        if lane[k].anew:
            world = lane[k].world
            factor_lane(at(plant, lanes.plants[world]), at(state, lanes.states[world]), lanes, now, k)


@njit(cache=True, nogil=True)
def factor_lane(plant, state, lanes, now, k):
    """`latch.factor_latched` of lane k."""
    given, mine, own, clock = lanes.input, lanes.input.latches, state.input.latches, state.clock
    rows = mine.on.shape[0]
    for i in range(plant.nq):
        state.q[i] = now.q[i, k]
    for i in range(state.input.factor.size):
        state.input.factor[i] = given.factor[i, k] = lanes.mass[i, k]
    for row in range(rows):
        for i in range(plant.nv):
            own.start.A[row, i] = mine.start.A[row, i, k]
    clock.contraction = now.contraction[k]
    factor_latched(plant, state, given.h[k])
    now.contraction[k], lanes.lane[k].factor_h, given.stiffness[k] = (
        clock.contraction, clock.factor_h, state.held.stiffness,
    )  # fmt: skip
    for row in range(rows):
        for i in range(plant.nv):
            mine.Y[row, i, k] = own.Y[row, i]
        for i in range(rows):
            mine.F[row, i, k] = own.F[row, i]


@njit(forceinline=True)
def is_sound_held(plant, state, lanes, now, then, k):
    """Do the energy of lane k's step and its pushes add up at once?"""
    energy, missed, turned = now.of.energy[k], then.missed[k], then.turned[k]
    beyond, cubed = missed - EVEN * energy, SHARE / 8 * energy
    plain = beyond * beyond <= cubed * cubed * (turned * turned * turned) and 0.75 * then.of.energy[k] <= energy
    if not (beyond <= 0.0 or plain):
        return False
    world = lanes.lane[k].world
    if plant.roots.size == 0:
        return True
    return cancels(at(plant, lanes.plants[world]), at(state, lanes.states[world]), lanes, now, k)


@njit(cache=True, nogil=True)
def cancels(plant, state, lanes, now, k):
    """Do the pushes on floating bodies cancel in lane k?"""
    given = lanes.input
    for i in range(plant.nq):
        state.q[i] = now.q[i, k]
    for i in range(plant.nv):
        state.input.momentum[i], state.guard.momentum[i] = given.momentum[i, k], now.momentum[i, k]
        state.input.newton.gradient[i] = given.newton.gradient[i, k]
    return check_pushes(plant, state, given.h[k]) == DONE


@njit(cache=True, nogil=True)
def load_forces(state, given, now, k):
    """Put the forces of a world's latches into lane k, and what is foreseen of them."""
    held, forces = state.held, now.forces
    given.stiffness[k] = held.stiffness
    predict(held.forces, 0, state.counts.history, held.multipliers, forces.foreseen.shape[0])
    for i in range(forces.foreseen.shape[0]):
        forces.foreseen[i, k] = held.multipliers[i]
        for d in range(forces.differences.shape[0]):
            forces.differences[d, i, k] = held.forces.differences[0, i, d]


@njit(cache=True, nogil=True)
def store_forces(state, now, k):
    """Put the forces of lane k back."""
    held, differences = state.held, now.forces.differences
    for i in range(differences.shape[1]):
        for d in range(differences.shape[0]):
            held.forces.differences[0, i, d] = differences[d, i, k]
        held.multipliers[i] = differences[0, i, k]
