"""The step of worlds with engaged latches, side by side (lanes.py): `latch.solve_held` in all lanes at once.

What one kernel does for one world, one of four worlds does here; the rest is done operation by operation as the
loop of one world does it (kernels/four.py), so that a lane has its own numbers to the last bit. A matrix to be
made anew on the way, and a step that does not add up at once, are left to that loop.
"""

import numpy as np

from softdock.dynamics.guard import CLOSED, SHARE, check_pushes
from softdock.dynamics.guard import ROUNDING as EVEN
from softdock.dynamics.latch import GRAIN, MAX_ITERATIONS, SLOW, refactor_latched
from softdock.dynamics.status import DONE
from softdock.dynamics.step import FLOOR
from softdock.kernels import call
from softdock.kernels.four import any_of, larger, put, root, spread, take, where
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
def solve_held_together(plant, state, lanes):
    """ξ and λ in all lanes that have a world: which are `solved` then."""
    given, kernels, mine, now, theta = lanes.input, lanes.kernels, lanes.mine, lanes.now, lanes.theta
    call(kernels.latches, now.vector, now.vector, given.latches.held.vector, theta, given.latches.start.vector)
    refactor_held(plant, state, lanes)
    begin_held(plant, lanes, now)
    for _ in range(MAX_ITERATIONS):
        call(kernels.newton_held, now.vector, mine.velocity, given.vector, theta, given.newton.vector)
        goes_on = judge_held(plant, lanes)
        if not any_of(goes_on):
            break
        change_held(plant, lanes, now, goes_on)
    change_held(plant, lanes, now, spread(0.0) < 1.0)


@njit(forceinline=True)
def begin_held(plant, lanes, now):
    """Where an iteration begins: pushed by the forces that are foreseen. (Row by row, as `latch_system.push_by_bodies`;
    what is not engaged, and no joint between the frames, adds zero.)"""
    given, mine, n, rows = lanes.input, lanes.mine, plant.nv, lanes.mine.multipliers.shape[0]
    h, on, A = take(given.h, 0), given.latches.on, given.latches.start.A
    for row in range(rows):
        put(mine.multipliers, row, take(now.forces.foreseen, row) * (h * take(on, row)))
    for i in range(n):
        pushed = spread(0.0)
        for row in range(rows):
            pushed = pushed + take(A, row * n + i) * take(mine.multipliers, row)
        put(mine.pushed, i, pushed)
        put(mine.velocity, i, take(now.foreseen, i))
        put(given.momentum, i, take(now.momentum, i) + pushed)
    begin_iteration(lanes.mine, now)


@njit(forceinline=True)
def begin_iteration(mine, now):
    """Nothing of it is known but the last contraction."""
    judged = mine.judged
    put(judged.rate, 0, take(now.contraction, 0))
    put(judged.before, 0, spread(-1.0))
    put(judged.worst, 0, spread(0.0))
    put(judged.load, 0, spread(-1.0))
    put(judged.used, 0, spread(0.0))
    put(judged.since, 0, spread(0.0))
    put(judged.open, 0, take(mine.active, 0))
    put(judged.solved, 0, spread(0.0))


@njit(forceinline=True)
def change_held(plant, lanes, now, chosen):
    """Take the changes that an iteration found in those lanes: elsewhere the next gives the same again."""
    given, mine, newton = lanes.input, lanes.mine, lanes.input.newton
    change(mine.multipliers, newton.multipliers, plant.rows.size, chosen)
    change(mine.pushed, newton.push, plant.nv, chosen)
    change(mine.velocity, newton.step, plant.nv, chosen)
    for i in range(plant.nv):
        put(given.momentum, i, take(now.momentum, i) + take(mine.pushed, i))


@njit(forceinline=True)
def change(x, by, n, chosen):
    """x += by in those lanes."""
    for i in range(n):
        put(x, i, where(chosen, take(x, i) + take(by, i), take(x, i)))


@njit(forceinline=True)
def judge_held(plant, lanes):
    """Has the iteration ended well, as `latch.solve_held` judges it? Returns where it goes on."""
    newton, mine, judged, h = lanes.input.newton, lanes.mine, lanes.mine.judged, take(lanes.input.h, 0)
    tolerance, is_open, before = take(mine.tolerance, 0), take(judged.open, 0) > 0.0, take(judged.before, 0)
    change, scale = take(newton.change, 0), take(newton.scale, 0)
    violation, reach = take(newton.violation, 0), take(newton.reach, 0)
    square, known, finite = tolerance * tolerance, before > 0.0, change < np.inf
    rounding = GRAIN / h * reach
    enough = square * scale + rounding * rounding * take(mine.stiffness, 0)
    rate, worst = where(known, root(change / before), take(judged.rate, 0)), take(judged.worst, 0)
    worst = where(known & (change > enough), larger(worst, rate), worst)
    left = larger(rate, take(mine.slack, 0))
    remains, load = left * left * change, take(judged.load, 0)
    asks = is_open & (remains > enough)
    if any_of(asks & (load < 0.0)):
        load = where(asks & (load < 0.0), load_of(plant, lanes), load)
    enough = where(asks, enough + square * load, enough)
    small = (remains <= enough) & (larger(rate, spread(0.25)) * violation <= CLOSED * reach)
    stuck = known & (rate > 0.3) & (change <= FLOOR * FLOOR * scale) & (violation <= CLOSED * reach)
    since = take(judged.since, 0)
    tried = since == 3.0  # four times; then, if that contracts too slowly, the matrix is to be made anew
    ended = is_open & finite & (small | stuck)
    goes_on = is_open & finite & ~(ended | (tried & (rate > SLOW)))
    put(judged.rate, 0, where(is_open, rate, take(judged.rate, 0)))
    put(judged.before, 0, where(is_open, change, before))
    put(judged.worst, 0, where(is_open, worst, take(judged.worst, 0)))
    put(judged.load, 0, load)
    put(judged.used, 0, take(judged.used, 0) + where(is_open, spread(1.0), 0.0))
    put(judged.since, 0, where(tried, spread(0.0), since + 1.0))
    put(judged.open, 0, where(goes_on, spread(1.0), 0.0))
    put(judged.solved, 0, where(ended, spread(1.0), take(judged.solved, 0)))
    return goes_on


@njit(forceinline=True)
def load_of(plant, lanes):
    """What the latches' impulses could do, after the change that an iteration found (latch_system.energy_by_bodies)."""
    newton, mine, n, Y, energy = lanes.input.newton, lanes.mine, plant.nv, lanes.input.latches.Y, spread(0.0)
    for row in range(mine.multipliers.shape[0]):
        if any_of(take(lanes.input.latches.on, row) > 0.0):
            push, rate = take(mine.multipliers, row) + take(newton.multipliers, row), spread(0.0)
            for i in range(n):
                rate = rate + take(Y, row * n + i) * (take(mine.pushed, i) + take(newton.push, i))
            energy = energy + push * rate
    return energy


@njit(forceinline=True)
def refactor_held(plant, state, lanes):
    """`latch.refactor_latched`, for the lanes that ask for it, one by one: there is seldom more than one."""
    for k in range(LANES):
        if lanes.lane[k].anew:
            world = lanes.lane[k].world
            refactor_lane(at(plant, lanes.plants[world]), at(state, lanes.states[world]), lanes, k)


@njit(cache=True, nogil=True)
def refactor_lane(plant, state, lanes, k):
    """The same of lane k."""
    given, now, clock, own = lanes.input, lanes.now, state.clock, state.input.latches
    for i in range(plant.nq):
        state.q[i] = now.q[i, k]
    for i in range(plant.nv):
        state.xi[i] = now.foreseen[i, k]
        for row in range(own.on.size):
            own.start.A[row, i] = given.latches.start.A[row, i, k]
    clock.contraction = now.contraction[k]
    refactor_latched(plant, state, given.h[k])
    now.contraction[k], lanes.lane[k].factor_h, lanes.mine.stiffness[k] = (
        clock.contraction, clock.factor_h, state.held.stiffness,
    )  # fmt: skip
    for i in range(state.input.factor.size):
        given.factor[i, k] = state.input.factor[i]
    for row in range(own.on.size):
        for i in range(plant.nv):
            given.latches.Y[row, i, k] = own.Y[row, i]
        for i in range(own.on.size):
            given.latches.F[row, i, k] = own.F[row, i]


@njit(forceinline=True)
def is_sound_held(plant, state, lanes, k):
    """Do the energy of lane k's step and its pushes add up at once?"""
    energy, missed, turned = lanes.now.of.energy[k], lanes.mine.missed[k], lanes.mine.turned[k]
    beyond, cubed = missed - EVEN * energy, SHARE / 8 * energy
    plain = (
        beyond * beyond <= cubed * cubed * (turned * turned * turned) and 0.75 * lanes.input.newton.energy[k] <= energy
    )
    if not (beyond <= 0.0 or plain):
        return False
    world = lanes.lane[k].world
    if plant.roots.size == 0:
        return True
    return cancels(at(plant, lanes.plants[world]), at(state, lanes.states[world]), lanes, k)


@njit(cache=True, nogil=True)
def cancels(plant, state, lanes, k):
    """Do the pushes on floating bodies cancel in lane k?"""
    given, now = lanes.input, lanes.now
    for i in range(plant.nq):
        state.q[i] = now.q[i, k]
    for i in range(plant.nv):
        state.input.momentum[i], state.guard.momentum[i] = given.momentum[i, k], now.momentum[i, k]
        state.input.newton.gradient[i] = given.newton.gradient[i, k]
    return check_pushes(plant, state, given.h[k]) == DONE
