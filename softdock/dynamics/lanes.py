"""Four worlds of one structure stepped side by side, one in each lane of the processor's vectors.

A lane holds the vectors of a world's `StepState`; its numbers (clock, counts, account, guard) stay where they are. All
lanes take each step together, as kernels of four worlds do, and none sees another: what ends in one is frozen there
until all have. A lane in which something happens (no convergence, a step out of balance) is put back and takes the step
alone, with the loop of one world. Worlds with contacts leave their lane when gaps are to be looked at, and join again
for the next stretch in which nothing touches (contact_run.py). If latches are engaged, lanes_held.py solves the step.
So a world's numbers are those of that loop, to rounding, whatever its neighbours.
"""

from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics.guard import ROUNDING as EVEN
from softdock.dynamics.guard import judge
from softdock.dynamics.lanes_held import (
    begin_again,
    begin_iteration,
    finish_held,
    holds,
    is_sound_held,
    load_forces,
    solve_held_together,
    store_forces,
)
from softdock.dynamics.latch import SLOW as SLOW_HELD
from softdock.dynamics.orbit import position, velocity
from softdock.dynamics.plant import Plant
from softdock.dynamics.rollout import write_row
from softdock.dynamics.settling import RESOLVED
from softdock.dynamics.status import ABREAST, DONE
from softdock.dynamics.step import FAR, FLOOR, GRAIN, MAX_ITERATIONS, ROUNDING, SLOW, STILL, TURN_LIMIT, age, predict
from softdock.kernels import CompiledLoop, call, enter_request, record
from softdock.kernels.jit import njit
from softdock.kernels.lanes import LANES
from softdock.kernels.linear import copy, some
from softdock.kernels.place import at
from softdock.mechanics.fields import Fields, Sizes
from softdock.mechanics.layouts import CHANGED, COMMITTED_HELD, FACTOR_INPUT, GROSS, LOCKSTEP_INPUT, VALUES

LANE_KERNELS = np.dtype(
    [(name, "i8") for name in
     ("newton", "gross", "go_on", "move", "advance", "commit", "factor", "solve", "push", "newton_held", "latches",
      "begin_held", "go_on_held", "commit_held", "run_free", "run_held", "run_contacts")]
)  # fmt: skip
"""Addresses of kernels of four worlds, 0 for those that are not needed; and of the loops of one world."""
EXACT = ("go_on", "commit", "begin_held", "go_on_held", "commit_held")
"""Kernels whose operations are rounded each on its own, as those of loops."""
LANE = np.dtype(
    [*((name, "i8") for name in ("world", "last", "due", "used")),
     *((name, "f8") for name in ("rate", "before", "worst", "load", "contraction", "factor_h", "loaded")),
     *((name, "?") for name in ("anew", "open", "rounds", "solved", "ledger", "held"))]
)  # fmt: skip
"""The world in it (-1: none), its last step and the next that leaves a row; of the iteration: evaluations, contraction,
the change before, the worst contraction, what latches bear; of the clock before the step: contraction, `factor_h`,
load; is the step matrix to be factored, does the iteration go on, may its change be rounding, has it ended well; is
there a ledger, are latches engaged?"""


class Lanes(NamedTuple):
    """Worlds to be stepped, and the vectors of those that are in lanes: (…, lanes)."""

    kernels: Any
    """`LANE_KERNELS`"""
    plants: np.ndarray
    states: np.ndarray
    requests: np.ndarray
    """Addresses of the structs of every world."""
    orbits: np.ndarray
    """Of every world: a number that those with the same orbit share."""
    statuses: np.ndarray
    """How each ended."""
    lane: np.ndarray
    """`LANE`"""
    theta: np.ndarray
    q: np.ndarray
    xi: np.ndarray
    other: np.ndarray
    """ξ at which an iteration evaluates, and the next; the first is what is foreseen."""
    input: Any
    """layouts.LOCKSTEP_INPUT"""
    gross: Any
    """layouts.GROSS"""
    committed: Any
    """layouts.COMMITTED_HELD"""
    force: np.ndarray
    """Of the step before, for the guard."""
    changed: Any
    """layouts.CHANGED"""
    mass: np.ndarray
    no_step: np.ndarray
    v: np.ndarray
    """For rows: the factor of M, the input that it takes, velocities."""
    push: np.ndarray
    radius: np.ndarray
    along: np.ndarray
    """Radius and velocity of one reference orbit."""
    old: "Moving"
    new: "Moving"
    """Before a step, and after it."""


class Moving(NamedTuple):
    """What every step changes, number by number."""

    q: np.ndarray
    momentum: np.ndarray
    kept: np.ndarray
    force: np.ndarray
    forces: np.ndarray


def lanes_for(plant: Plant, sizes: Sizes, kernels: dict[str, int], worlds: int) -> Lanes:
    """Room for so many worlds of one structure, whose kernels of four worlds have these addresses."""

    def beside(count: int) -> np.ndarray:
        """(count, lanes), beginning with a line of the processor's cache."""
        memory = np.zeros(LANES * count + 8)
        start = -(memory.ctypes.data // 8) % 8
        return memory[start : start + LANES * count].reshape(count, LANES)

    def parts(fields: Fields) -> Any:
        return fields.beside(beside(fields.size(sizes)), sizes)

    q, given, committed, force = beside(plant.nq), parts(LOCKSTEP_INPUT), parts(COMMITTED_HELD), beside(plant.nv)
    old = q, given.momentum, given.kept.vector, force, given.forces.vector
    new = committed.q, committed.momentum, committed.kept.vector, given.newton.force, committed.forces.vector
    plants, states, requests, orbits, statuses = np.zeros((5, worlds), dtype=np.int64)
    return Lanes(
        kernels=record(LANE_KERNELS, **kernels), plants=plants, states=states, requests=requests, orbits=orbits,
        statuses=statuses, lane=np.zeros(LANES, LANE),
        theta=beside(len(plant.theta)), q=q, xi=beside(plant.nv), other=beside(plant.nv),
        input=given, gross=parts(GROSS), committed=committed, force=force,
        changed=parts(CHANGED),
        mass=beside(plant.factor_size), no_step=beside(FACTOR_INPUT.size(sizes)), v=beside(plant.nv),
        push=beside(6), radius=np.zeros(3), along=np.zeros(3),
        old=Moving(*(x.reshape(-1) for x in old)), new=Moving(*(x.reshape(-1) for x in new)),
    )  # fmt: skip


@CompiledLoop
def run_lanes(plant, state, request, lanes):
    """The steps of all worlds in `lanes`, of which the others are one, for its kinds of structs. A lane whose world is
    done takes the next."""
    ahead, lane = 0, lanes.lane
    for k in range(LANES):
        lane[k].world = -1
    while True:
        busy = False
        for k in range(LANES):
            while lane[k].world < 0 and ahead < lanes.states.size:
                lane[k].world, ahead = ahead, ahead + 1
                begin(plant, state, request, lanes, k)
            busy = busy or lane[k].world >= 0
        if not busy:
            return DONE
        step_together(plant, state, request, lanes)


@njit(forceinline=True)
def in_lane(plant, state, request, lanes, k):
    """The structs of the world in lane k."""
    world = lanes.lane[k].world
    return at(plant, lanes.plants[world]), at(state, lanes.states[world]), at(request, lanes.requests[world])


@njit(cache=True, nogil=True)
def begin(plant, state, request, lanes, k):
    """Take the world of lane k into it."""
    lane = lanes.lane
    plant, state, request = in_lane(plant, state, request, lanes, k)
    lane[k].ledger = request.options.ledger
    for i in range(plant.theta.size):
        lanes.theta[i, k] = plant.theta[i]
    if lanes.kernels.run_contacts != 0:
        state.turn.abreast = True
        go_on_alone(plant, state, request, lanes, k)
    elif begin_stretch(plant, state, request, lanes, k) != ABREAST:
        lane[k].world = -1


@njit(cache=True, nogil=True)
def go_on_alone(plant, state, request, lanes, k):
    """What the world in lane k, with contacts, does until it is in the lane again, or at its end."""
    lane, world = lanes.lane, lanes.lane[k].world
    while True:
        lanes.statuses[world] = enter_request(lanes.kernels.run_contacts, plant, state, request)
        if lanes.statuses[world] != ABREAST:
            lane[k].world = -1
            return
        state.turn.ended = begin_stretch(plant, state, request, lanes, k)
        if state.turn.ended == ABREAST:
            return


@njit(cache=True, nogil=True)
def begin_stretch(plant, state, request, lanes, k):
    """Take the world into lane k for the steps of its request: ABREAST, or how they ended if they were taken alone. The
    first is if h was another, which finds what depends on it."""
    options, world, status = request.options, lanes.lane[k].world, DONE
    first, last, request.done.steps = options.first, options.last, options.first
    lanes.lane[k].held = some(state.held.engaged)
    if not fits(lanes.lane, k):
        status = take_alone(plant, state, request, lanes, last - first)
    elif first < last and not (state.input.h == options.h and lanes.kernels.run_contacts != 0):
        status = take_alone(plant, state, request, lanes, 1)
    if status == DONE and state.clock.damping > RESOLVED:
        status = take_alone(plant, state, request, lanes, last - request.done.steps)
    options.first, options.last, lanes.lane[k].last, lanes.statuses[world] = first, last, last, status
    if status != DONE or request.done.steps == last:
        return status
    if options.first == request.done.steps:  # else the step alone has done it
        for i in range(plant.nv):
            state.input.command[i] = request.commands[min(first, request.commands.shape[0] - 1), i]
    load(plant, state, request, lanes, k)
    return ABREAST


@njit(forceinline=True)
def fits(lane, k):
    """Are latches engaged in the other lanes as they are in lane k? They take other kernels."""
    alike = True
    for other in range(LANES):
        alike = alike and (lane[other].world < 0 or lane[other].held == lane[k].held)
    return alike


@njit(forceinline=True)
def leave(plant, state, request, lanes, k, status):
    """The steps for which the world is in lane k have ended so; its vectors are its own again."""
    world = lanes.lane[k].world
    lanes.statuses[world] = status
    if lanes.kernels.run_contacts != 0:
        state.turn.ended = status
        go_on_alone(plant, state, request, lanes, k)
    else:
        lanes.lane[k].world = -1


@njit(cache=True, nogil=True)
def take_alone(plant, state, request, lanes, steps):
    """So many steps of a world with the loop of one world; returns the status."""
    options = request.options
    options.first, options.last = request.done.steps, request.done.steps + steps
    loop = lanes.kernels.run_held if some(state.held.engaged) else lanes.kernels.run_free
    return enter_request(loop, plant, state, request)


@njit(cache=True, nogil=True)
def load(plant, state, request, lanes, k):
    """Put a world's vectors into lane k, and what is foreseen of ξ."""
    given, differences = lanes.input, state.step.velocities.differences
    for i in range(state.input.vector.size - (0 if lanes.lane[k].held else state.input.latches.vector.size)):
        given.vector[i, k] = state.input.vector[i]
    for i in range(plant.nq):
        lanes.q[i, k], given.kept.lost_way[i, k] = state.q[i], state.step.lost_way[i]
    predict(state.step.velocities, 0, state.counts.history, state.xi, plant.nv)
    for i in range(plant.nv):
        lanes.committed.foreseen[i, k], lanes.force[i, k] = state.xi[i], state.guard.force[i]
        given.kept.lost_gain[i, k] = state.step.lost_gain[i]
        for d in range(given.kept.differences.shape[0]):
            given.kept.differences[d, i, k] = differences[0, i, d]
    given.history[k] = state.counts.history
    if lanes.lane[k].held:
        load_forces(state, lanes, k)
    every, done = request.options.every, request.done.steps
    lanes.lane[k].due = done + every - (done + request.options.since) % every


@njit(cache=True, nogil=True)
def store(plant, state, lanes, k):
    """Put the vectors of lane k back."""
    given, differences = lanes.input, state.step.velocities.differences
    for i in range(state.input.vector.size - state.input.latches.vector.size):
        state.input.vector[i] = given.vector[i, k]
    for i in range(plant.nq):
        state.q[i], state.step.lost_way[i] = lanes.q[i, k], given.kept.lost_way[i, k]
    for i in range(plant.nv):
        state.guard.force[i], state.step.lost_gain[i] = lanes.force[i, k], given.kept.lost_gain[i, k]
        for d in range(given.kept.differences.shape[0]):
            differences[0, i, d] = given.kept.differences[d, i, k]
        state.xi[i] = differences[0, i, 0]
    if lanes.lane[k].held:
        store_forces(state, lanes, k)


@njit(forceinline=True)
def step_together(plant, state, request, lanes):
    """One step of every world in a lane."""
    lane, given, kernels, out = lanes.lane, lanes.input, lanes.kernels, lanes.committed
    held = holds(lane)
    prepare_step(plant, state, request, lanes)
    if held:
        solve_held_together(plant, state, lanes)
    else:
        solve_together(plant, state, lanes)
    if kernels.push != 0:
        call(kernels.push, lanes.q, out.kept.differences[0], given.vector, lanes.theta, lanes.push)
    for k in range(LANES):
        world = lane[k].world
        if world >= 0:
            own_plant, own = at(plant, lanes.plants[world]), at(state, lanes.states[world])
            if lane[k].solved:
                lane[k].solved = is_sound_held(own_plant, own, lanes, k) if held else is_sound(own_plant, own, lanes, k)
            if not lane[k].solved:
                store(own_plant, own, lanes, k)
                put_back(own, lane[k])
                if held:
                    begin_again(own_plant, own, lanes, k)
    move_lanes(lanes.old, lanes.new, held)
    is_row = False
    for k in range(LANES):
        if lane[k].world >= 0 and finish_step(plant, state, request, lanes, k):
            is_row = True
    if is_row and held:
        write_held_rows(plant, state, request, lanes)
    elif is_row:
        write_rows(plant, state, request, lanes)
    for k in range(LANES):
        world = lane[k].world
        if world >= 0 and at(request, lanes.requests[world]).done.steps == lane[k].last:
            own_plant, own, asked = in_lane(plant, state, request, lanes, k)
            store(own_plant, own, lanes, k)
            leave(own_plant, own, asked, lanes, k, DONE)


@njit(forceinline=True)
def prepare_step(plant, state, request, lanes):
    """What steps are given: commands, radii; the step matrix, where it is to be factored."""
    lane, given, n = lanes.lane, lanes.input, plant.nv
    orbit, time, anew = -1, 0.0, False
    for k in range(LANES):
        world = lane[k].world
        lane[k].open = lane[k].solved = lane[k].anew = False
        if world < 0:
            continue
        about, own, asked = in_lane(plant, state, request, lanes, k)
        clock, h = own.clock, asked.options.h
        if asked.commands.shape[0] > 1:
            row = min(asked.done.steps, asked.commands.shape[0] - 1)
            for i in range(n):
                given.command[i, k] = asked.commands[row, i]
        if about.orbit.size > 0:
            middle = clock.time + 0.5 * h
            if not (orbit == lanes.orbits[world] and time == middle):
                orbit, time = lanes.orbits[world], middle
                position(about.orbit, middle, lanes.radius)
            for i in range(3):
                given.radius[i, k] = lanes.radius[i]
        lane[k].contraction, lane[k].factor_h, lane[k].loaded = clock.contraction, clock.factor_h, clock.load
        slow = SLOW_HELD if lane[k].held else SLOW
        lane[k].anew = clock.factor_h == 0.0 or clock.contraction > slow or (about.resists and h != clock.factor_h)
        lane[k].open = True
        anew = anew or (lane[k].anew and not lane[k].held)
    if anew:
        refactor_lanes(state, lanes)


@njit(cache=True, nogil=True)
def refactor_lanes(state, lanes):
    """`step.refactor`, for the lanes that ask for it."""
    lane, given, kernels, new = lanes.lane, lanes.input, lanes.kernels, lanes.mass
    for k in range(LANES):
        given.h[k] *= 0.5
    call(kernels.advance, lanes.q, lanes.committed.foreseen, given.vector, lanes.theta, given.moved.vector)
    for k in range(LANES):
        given.h[k] *= 2.0
    call(kernels.factor, given.moved.vector, lanes.committed.foreseen, given.vector, lanes.theta, new)
    for k in range(LANES):
        if lane[k].anew:
            own = at(state, lanes.states[lane[k].world])
            for i in range(new.shape[0]):
                given.factor[i, k] = new[i, k]
            own.clock.factor_h = given.h[k]
            own.clock.contraction = min(own.clock.contraction, 0.25 * SLOW)
            own.counts.factorisations += 1


@njit(forceinline=True)
def solve_together(plant, state, lanes):
    """`step.iterate` in all lanes that are `open`: which are `solved` then; and where each goes from there."""
    lane, given, newton, kernels = lanes.lane, lanes.input, lanes.input.newton, lanes.kernels
    xi, free, other = lanes.committed.foreseen, lanes.xi, lanes.other
    for k in range(LANES):
        if lane[k].open:
            own = at(state, lanes.states[lane[k].world])
            begin_iteration(lane[k], own.clock)
    for iteration in range(1, max(MAX_ITERATIONS, 2 * (plant.nv + 1)) + 1):
        call(kernels.newton, lanes.q, xi, given.vector, lanes.theta, newton.vector)
        for k in range(LANES):
            if lane[k].open:
                own, about = at(state, lanes.states[lane[k].world]), at(plant, lanes.plants[lane[k].world])
                judge_iteration(about, own, lanes, k, iteration)
        if may_be_rounding(lane):
            call(kernels.gross, lanes.q, xi, given.vector, lanes.theta, lanes.gross.vector)
        goes_on = False
        for k in range(LANES):
            if lane[k].open:
                judge_rounding(at(state, lanes.states[lane[k].world]), lanes, k, iteration)
            given.goes_on[k] = 1.0 if lane[k].open else 0.0
            goes_on = goes_on or lane[k].open
        if not goes_on:
            break
        call(kernels.go_on, lanes.q, xi, given.vector, lanes.theta, free)
        xi, free, other = free, other, free
    for k in range(LANES):
        given.goes_on[k] = 1.0
    call(kernels.go_on, lanes.q, xi, given.vector, lanes.theta, free)
    call(kernels.move, lanes.q, xi if plant.is_long else free, given.vector, lanes.theta, given.moved.by.vector)
    call(kernels.commit, lanes.q, free, given.vector, lanes.theta, lanes.committed.vector)


@njit(forceinline=True)
def judge_iteration(plant, state, lanes, k, iteration):
    """Has the iteration in lane k ended well? Or may it, if its change is rounding?"""
    lane, newton, clock, h = lanes.lane[k], lanes.input.newton, state.clock, lanes.input.h[k]
    change, scale = newton.change[k], newton.scale[k]
    lane.used += 1
    if lane.before > 0.0:
        lane.rate = np.sqrt(change / lane.before)
        if change > (100 * ROUNDING) ** 2 * scale:
            lane.worst = max(lane.worst, lane.rate)
    stuck = lane.before > 0.0 and lane.rate > 0.3 and change <= FLOOR * FLOOR * scale
    left = max(lane.rate, min(max(clock.damping, 0.5 * h * h * plant.sprung), 1.0))
    if stuck or change <= STILL or left * left * change <= clock.tolerance * clock.tolerance * scale:
        lane.solved, lane.open = True, False
    lane.rounds = lane.open and not (iteration <= 2 and change > FAR * GRAIN * GRAIN * clock.load)


@njit(forceinline=True)
def may_be_rounding(lane):
    """Is there a lane in which the change may be rounding?"""
    rounds = False
    for k in range(LANES):
        rounds = rounds or (lane[k].open and lane[k].rounds)
    return rounds


@njit(forceinline=True)
def judge_rounding(state, lanes, k, iteration):
    """Has the iteration in lane k ended because the change is rounding, or without hope?"""
    lane, change, grain = lanes.lane[k], lanes.input.newton.change[k], lanes.gross.grain[k]
    if lane.rounds:
        state.clock.load = grain * grain / change if change > 0.0 else np.inf
    if lane.rounds and change <= GRAIN * grain:
        lane.solved, lane.open = True, False
    elif not np.isfinite(change) or (iteration > 3 and lane.rate > 0.7):
        lane.open = False
    lane.before = change


@njit(forceinline=True)
def is_sound(plant, state, lanes, k):
    """Does the step of lane k turn no further than it may, and does its energy add up?"""
    xi, newton, of, h = lanes.committed.kept.differences, lanes.input.newton, state.guard.of, lanes.input.h[k]
    largest = 0.0
    for s in plant.spherical:
        largest = max(largest, xi[0, s, k] ** 2 + xi[0, s + 1, k] ** 2 + xi[0, s + 2, k] ** 2)
    for r in plant.turning:
        largest = max(largest, xi[0, r, k] ** 2)
    if not h * h * largest <= TURN_LIMIT**2:
        return False
    missed = abs(newton.energy[k] - of.energy - 0.5 * (h * newton.power[k] + of.h * of.power) - min(of.rested, 0.0))
    if not missed <= EVEN * of.energy:
        return judge_lane(plant, state, lanes, k)
    return True


@njit(cache=True, nogil=True)
def judge_lane(plant, state, lanes, k):
    """`guard.judge` of lane k, without what large loads in balance may leave: that is found alone."""
    given, newton, of = lanes.input, state.input.newton, lanes.input.newton
    newton.energy = of.energy[k]
    for i in range(plant.nv):
        state.xi[i], newton.force[i] = lanes.committed.kept.differences[0, i, k], of.force[i, k]
        state.guard.force[i] = lanes.force[i, k]
        state.step.velocities.differences[0, i, 0] = given.kept.differences[0, i, k]
    for joint in plant.settling:
        state.input.momentum[joint.v], newton.gradient[joint.v] = given.momentum[joint.v, k], of.gradient[joint.v, k]
    return judge(plant, state, given.h[k], 0, False) == DONE


@njit(forceinline=True)
def put_back(state, lane):
    """What the try in a lane changed beside its vectors is as it was: the step alone must not begin with a contraction
    that it has not had, nor with a matrix that it would make anew."""
    state.clock.contraction, state.clock.factor_h, state.clock.load = lane.contraction, lane.factor_h, lane.loaded
    state.counts.factorisations -= lane.anew


@njit(forceinline=True)
def move_lanes(old, new, held):
    """Take over what `commit` gave, in all lanes: those that are put back are stored already."""
    copy(new.q, old.q)
    copy(new.momentum, old.momentum)
    copy(new.kept, old.kept)
    copy(new.force, old.force)
    if held:
        copy(new.forces, old.forces)


@njit(forceinline=True)
def finish_step(plant, state, request, lanes, k):
    """What else changes in a step of lane k, or that step alone. Returns whether a row is due."""
    lane, given, newton = lanes.lane, lanes.input, lanes.input.newton
    plant, state, request = in_lane(plant, state, request, lanes, k)
    options, clock, counts, of, h = request.options, state.clock, state.counts, state.guard.of, given.h[k]
    if not lane[k].solved:
        status, options.last = take_alone(plant, state, request, lanes, 1), lane[k].last
        if status == DONE:
            load(plant, state, request, lanes, k)
        else:
            leave(plant, state, request, lanes, k, status)
        return False
    counts.evaluations += lane[k].used
    if lane[k].held:
        finish_held(state, lanes, k)
    else:
        age(plant, clock, lane[k].worst)
    of.h, of.energy, of.power, of.rested = h, newton.energy[k], newton.power[k], 0.0
    if lane[k].ledger:
        keep_lane(plant, state, lanes, k)
    request.done.steps += 1
    clock.time = options.began + request.done.steps * h
    counts.steps += 1
    counts.history = min(counts.history + 1, VALUES)
    given.history[k] = counts.history
    state.step.velocities.depths[0] = int(lanes.committed.depth[k])
    return request.done.steps == lane[k].due


@njit(cache=True, nogil=True)
def keep_lane(plant, state, lanes, k):
    """`step.keep_ledger` of lane k."""
    account, h = state.account, lanes.input.h[k]
    for i in range(account.work.size):
        account.work[i] += h * lanes.input.newton.powers[i, k]
    if plant.kernels.weight != 0:
        for i in range(6):
            account.gravity[i] += h * lanes.input.newton.weight[i, k]
    if lanes.kernels.push != 0:
        for i in range(6):
            account.push[i] += h * lanes.push[i, k]
        if plant.orbit.size > 0:
            velocity(plant.orbit, state.clock.time + 0.5 * h, lanes.along)
            carried = lanes.push[0, k] * lanes.along[0] + lanes.push[1, k] * lanes.along[1]
            account.work_carried += h * (carried + lanes.push[2, k] * lanes.along[2])


@njit(forceinline=True)
def write_rows(plant, state, request, lanes):
    """Rows of the worlds for which one is due."""
    call(lanes.kernels.factor, lanes.q, lanes.q, lanes.no_step, lanes.theta, lanes.mass)
    call(lanes.kernels.solve, lanes.q, lanes.input.momentum, lanes.mass, lanes.theta, lanes.v)
    for k in range(LANES):
        world = lanes.lane[k].world
        if world >= 0 and lanes.lane[k].solved:
            asked, own = at(request, lanes.requests[world]), at(state, lanes.states[world])
            if asked.done.steps == lanes.lane[k].due:
                write_lane(own, asked, lanes, k)


@njit(cache=True, nogil=True)
def write_held_rows(plant, state, request, lanes):
    """The same of worlds with engaged latches, with which each brings its velocity in line alone."""
    for k in range(LANES):
        world = lanes.lane[k].world
        if world >= 0 and lanes.lane[k].solved:
            own_plant, own, asked = in_lane(plant, state, request, lanes, k)
            if asked.done.steps == lanes.lane[k].due:
                lanes.lane[k].due += asked.options.every
                store(own_plant, own, lanes, k)
                row = (asked.done.steps + asked.options.since) // asked.options.every - 1
                write_row(own_plant, own, asked, row, own.held)


@njit(forceinline=True)
def write_lane(state, request, lanes, k):
    """Lane k as a row."""
    row = (request.done.steps + request.options.since) // request.options.every - 1
    lanes.lane[k].due += request.options.every
    request.t[row] = state.clock.time
    for i in range(lanes.q.shape[0]):
        request.q[row, i] = lanes.q[i, k]
    for i in range(lanes.v.shape[0]):
        request.v[row, i] = lanes.v[i, k]
    for i in range(request.account.shape[1]):
        request.account[row, i] = state.account.vector[i]
