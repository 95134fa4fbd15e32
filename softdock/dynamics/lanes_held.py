"""The step of worlds with engaged latches, side by side (lanes.py): `latch.solve_held` in all lanes at once.

What one kernel does for one world, one of four worlds does here, and the rest is done number by number as the loop of
one world does it, so that a lane's numbers are its own to the last bit. A matrix that is to be made anew on the way,
and a step that does not add up at once, are left to that loop.
"""

import numpy as np

from softdock.dynamics.guard import CLOSED, SHARE, check_pushes
from softdock.dynamics.guard import ROUNDING as EVEN
from softdock.dynamics.latch import MAX_ITERATIONS, SLOW, factor_latched, grain_of
from softdock.dynamics.latch_system import energy_by_bodies
from softdock.dynamics.status import DONE
from softdock.dynamics.step import FLOOR, TURN_LIMIT, predict
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.lanes import LANES
from softdock.kernels.place import at


@njit(forceinline=True)
def holds(lane):
    """Are latches engaged in the worlds that are in lanes? (In all of them, or in none.)"""
    for k in range(LANES):
        if lane[k].world >= 0:
            return lane[k].held
    return False


@njit(forceinline=True)
def begin_iteration(lane, clock):
    """Nothing of an iteration is known yet but the contraction of the last."""
    lane.rate, lane.before, lane.worst, lane.load, lane.used = clock.contraction, -1.0, 0.0, -1.0, 0


@njit(forceinline=True)
def solve_held_together(plant, state, lanes):
    """ξ and λ in all lanes that are `open`: which are `solved` then; and where each goes from there."""
    lane, given, kernels, xi = lanes.lane, lanes.input, lanes.kernels, lanes.committed.foreseen
    call(kernels.latches, lanes.q, lanes.q, given.latches.held.vector, lanes.theta, given.latches.start.vector)
    move(given.momentum, given.before)
    call(kernels.begin_held, lanes.q, xi, given.vector, lanes.theta, given.pushes.vector)
    move(given.pushes.momentum, given.momentum)
    for k in range(LANES):
        if lane[k].open:
            begin_iteration(lane[k], at(state, lanes.states[lane[k].world]).clock)
    refactor_held(plant, state, lanes)
    for iteration in range(1, MAX_ITERATIONS + 1):
        call(kernels.newton_held, lanes.q, xi, given.vector, lanes.theta, given.newton.vector)
        goes_on = False
        for k in range(LANES):
            if lane[k].open:
                own, about = at(state, lanes.states[lane[k].world]), at(plant, lanes.plants[lane[k].world])
                judge_held(about, own, lanes, k, iteration)
            given.goes_on[k] = 1.0 if lane[k].open else 0.0
            goes_on = goes_on or lane[k].open
        if not goes_on:
            break
        change_together(lanes, xi)
        xi = lanes.xi
    for k in range(LANES):
        given.goes_on[k] = 1.0
    change_together(lanes, xi)
    xi = lanes.xi
    call(kernels.move, lanes.q, xi, given.vector, lanes.theta, given.moved.by.vector)
    call(kernels.commit_held, lanes.q, xi, given.vector, lanes.theta, lanes.committed.vector)


@njit(forceinline=True)
def refactor_held(plant, state, lanes):
    """`latch.refactor_latched`, for the lanes that ask for it: their rows are factored one by one."""
    lane, anew = lanes.lane, False
    for k in range(LANES):
        anew = anew or lane[k].anew
    if anew:
        call(lanes.kernels.factor, lanes.q, lanes.committed.foreseen, lanes.input.vector, lanes.theta, lanes.mass)
    for k in range(LANES):
        if lane[k].anew:
            world = lane[k].world
            factor_lane(at(plant, lanes.plants[world]), at(state, lanes.states[world]), lanes, k)


@njit(cache=True, nogil=True)
def factor_lane(plant, state, lanes, k):
    """`latch.factor_latched` of lane k."""
    mine, own, rows = lanes.input.latches, state.input.latches, lanes.input.latches.on.shape[0]
    for i in range(plant.nq):
        state.q[i] = lanes.q[i, k]
    for i in range(state.input.factor.size):
        state.input.factor[i] = lanes.input.factor[i, k] = lanes.mass[i, k]
    for row in range(rows):
        for i in range(plant.nv):
            own.start.A[row, i] = mine.start.A[row, i, k]
    factor_latched(plant, state, lanes.input.h[k])
    for row in range(rows):
        for i in range(plant.nv):
            mine.Y[row, i, k] = own.Y[row, i]
        for i in range(rows):
            mine.F[row, i, k] = own.F[row, i]


@njit(forceinline=True)
def move(source, target):
    """Copy (n, lanes) numbers."""
    for i in range(source.shape[0]):
        for k in range(LANES):
            target[i, k] = source[i, k]


@njit(forceinline=True)
def change_together(lanes, xi):
    """Take the changes that an iteration found, where it goes on: elsewhere the next gives the same again."""
    changed, given = lanes.changed, lanes.input
    call(lanes.kernels.go_on_held, lanes.q, xi, given.vector, lanes.theta, changed.vector)
    move(changed.pushes.vector, given.pushes.vector)
    move(changed.pushes.momentum, given.momentum)
    move(changed.velocity, lanes.xi)


@njit(forceinline=True)
def judge_held(plant, state, lanes, k, iteration):
    """Has the iteration in lane k ended well, as `latch.solve_held` judges it?"""
    lane, newton, clock, h = lanes.lane[k], lanes.input.newton, state.clock, lanes.input.h[k]
    change, violation, reach, scale = newton.change[k], newton.violation[k], newton.reach[k], newton.scale[k]
    tolerance = clock.tolerance
    lane.used += 1
    if not np.isfinite(change):
        lane.open = False
        return
    enough = tolerance * tolerance * scale + grain_of(state, state.held.stiffness, h, reach)
    if lane.before > 0.0:
        lane.rate = np.sqrt(change / lane.before)
        if change > enough:
            lane.worst = max(lane.worst, lane.rate)
    left = max(lane.rate, min(max(clock.damping, 0.5 * h * h * plant.sprung), 1.0))
    if left * left * change > enough:
        if lane.load < 0.0:
            lane.load = load_of(plant, state, lanes, k)
        enough += tolerance * tolerance * lane.load
    stuck = lane.before > 0.0 and lane.rate > 0.3 and change <= FLOOR * FLOOR * scale
    small = left * left * change <= enough
    if (small and max(lane.rate, 0.25) * violation <= CLOSED * reach) or (stuck and violation <= CLOSED * reach):
        lane.solved, lane.open = True, False
    elif iteration % 4 == 0 and lane.rate > SLOW:  # its matrix is to be made anew
        lane.open = False
    lane.before = change


@njit(cache=True, nogil=True)
def load_of(plant, state, lanes, k):
    """What the latches' impulses could do in lane k, after the change that an iteration found."""
    held, newton, pushes = state.held, lanes.input.newton, lanes.input.pushes
    for i in range(newton.multipliers.shape[0]):
        held.multipliers[i] = pushes.multipliers[i, k] + newton.multipliers[i, k]
    for i in range(plant.nv):
        held.pushed[i] = pushes.pushed[i, k] + newton.push[i, k]
    return energy_by_bodies(plant, state.input.latches.Y, held.multipliers, held.pushed)


@njit(forceinline=True)
def is_sound_held(plant, state, lanes, k):
    """Does the step of lane k turn no further than it may, do its energy and its pushes add up at once?"""
    xi, newton, of, h = lanes.xi, lanes.input.newton, state.guard.of, lanes.input.h[k]
    largest = 0.0
    for s in plant.spherical:
        largest = max(largest, xi[s, k] ** 2 + xi[s + 1, k] ** 2 + xi[s + 2, k] ** 2)
    for r in plant.turning:
        largest = max(largest, xi[r, k] ** 2)
    turned = h * h * largest
    if not turned <= TURN_LIMIT**2:
        return False
    missed = abs(newton.energy[k] - of.energy - 0.5 * (h * newton.power[k] + of.h * of.power) - min(of.rested, 0.0))
    beyond, cubed = missed - EVEN * of.energy, SHARE / 8 * of.energy
    plain = beyond * beyond <= cubed * cubed * (turned * turned * turned) and 0.75 * newton.energy[k] <= of.energy
    return (beyond <= 0.0 or plain) and (plant.roots.size == 0 or cancels(plant, state, lanes, k))


@njit(cache=True, nogil=True)
def cancels(plant, state, lanes, k):
    """Do the pushes on floating bodies cancel in lane k?"""
    given = lanes.input
    for i in range(plant.nq):
        state.q[i] = lanes.q[i, k]
    for i in range(plant.nv):
        state.input.momentum[i], state.guard.momentum[i] = given.momentum[i, k], given.before[i, k]
        state.input.newton.gradient[i] = given.newton.gradient[i, k]
    return check_pushes(plant, state, given.h[k]) == DONE


@njit(forceinline=True)
def begin_again(plant, state, lanes, k):
    """After `store`: p as it was before latches pushed."""
    for i in range(plant.nv):
        state.input.momentum[i] = lanes.input.before[i, k]


@njit(forceinline=True)
def finish_held(state, lanes, k):
    """What the iteration of lane k leaves: its contraction, and how the forces of latches are foreseen."""
    clock, worst = state.clock, lanes.lane[k].worst
    clock.contraction = min(worst, 1.0) if worst > 0.0 else min(1.1 * clock.contraction, 2 * SLOW)
    state.held.forces.depths[0] = int(lanes.committed.force_depth[k])


@njit(cache=True, nogil=True)
def load_forces(state, lanes, k):
    """Put the forces of a world's latches into lane k, and what is foreseen of them."""
    held, forces = state.held, lanes.input.forces
    predict(held.forces, 0, state.counts.history, held.multipliers, forces.foreseen.shape[0])
    for i in range(forces.foreseen.shape[0]):
        forces.foreseen[i, k] = held.multipliers[i]
        for d in range(forces.differences.shape[0]):
            forces.differences[d, i, k] = held.forces.differences[0, i, d]


@njit(cache=True, nogil=True)
def store_forces(state, lanes, k):
    """Put the forces of lane k back."""
    held, differences = state.held, lanes.input.forces.differences
    for i in range(differences.shape[1]):
        for d in range(differences.shape[0]):
            held.forces.differences[0, i, d] = differences[d, i, k]
        held.multipliers[i] = differences[0, i, k]
