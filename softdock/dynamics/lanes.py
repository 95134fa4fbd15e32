"""Four worlds of one structure stepped side by side, one in each lane of the processor's vectors.

A lane holds the vectors of a world's `StepState`, and what each step needs of its clock, counts, account and guard. All
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
from softdock.dynamics.lanes_filled import load, store, store_clock
from softdock.dynamics.lanes_held import begin_iteration, change, holds, is_sound_held, solve_held_together
from softdock.dynamics.lanes_moved import commit, commit_held, weigh
from softdock.dynamics.latch import SLOW as SLOW_HELD
from softdock.dynamics.orbit import position, velocity
from softdock.dynamics.plant import Plant
from softdock.dynamics.rollout import write_row
from softdock.dynamics.settling import RESOLVED
from softdock.dynamics.status import ABREAST, DONE
from softdock.dynamics.step import FAR, FLOOR, GRAIN, MAX_ITERATIONS, ROUNDING, SLOW, STILL, TURN_LIMIT
from softdock.kernels import CompiledLoop, call, enter_request, record
from softdock.kernels.four import any_of, copy_rows, spread, take
from softdock.kernels.jit import njit
from softdock.kernels.lanes import LANES
from softdock.kernels.linear import some
from softdock.kernels.place import at
from softdock.mechanics.fields import Fields, Sizes
from softdock.mechanics.layouts import ADVANCE, FACTOR_INPUT, GROSS, IN_LANE, MOVING, STEP_INPUT

LANE_KERNELS = np.dtype(
    [(name, "i8") for name in
     ("newton", "gross", "move", "advance", "factor", "solve", "push", "newton_held", "latches", "run_free", "run_held",
      "run_contacts")]
)  # fmt: skip
"""Addresses of kernels of four worlds, 0 for those that are not needed; and of the loops of one world."""
LANE = np.dtype(
    [*((name, "i8") for name in
       ("world", "last", "due", "done", "first", "counted", "evaluations", "kept", "factorisations")),
     *((name, "f8") for name in ("time", "began", "factor_h", "load", "before_h", "contraction", "loaded")),
     *((name, "?") for name in ("anew", "rounds", "ledger", "held", "resists", "steered"))]
)  # fmt: skip
"""The world in it (-1: none); its last step, the next that leaves a row, those that are done, about those before its
request, and those that its counts know; evaluations that they do not know yet. The world that was in it last, and its
factorisations. Its clock, while it is in the lane: time, when its request began, `factor_h`, load; of these before the
step, and its contraction. Is the step matrix to be factored, may the change be rounding? Is there a ledger, are latches
engaged, does the step matrix depend on h, does the command change?"""
TIMES = 4096
"""So many places of a reference orbit are kept."""


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
    input: Any
    """layouts.STEP_INPUT"""
    mine: Any
    """layouts.IN_LANE"""
    moved: Any
    """layouts.ADVANCE"""
    now: Any
    """layouts.MOVING"""
    evaluated: np.ndarray
    """Of long chains: ξ before its last change (step.iterate)."""
    gross: Any
    """layouts.GROSS"""
    mass: np.ndarray
    no_step: np.ndarray
    v: np.ndarray
    """For rows: the factor of M, the input that it takes, velocities."""
    push: np.ndarray
    past: np.ndarray
    """Of the first reference orbit: times, and where it is then. Worlds that start together come to the same times, one
    after the other."""
    along: np.ndarray
    """Radius or velocity of one reference orbit."""


def lanes_for(plant: Plant, sizes: Sizes, kernels: dict[str, int], worlds: int) -> Lanes:
    """Room for so many worlds of one structure, whose kernels of four worlds have these addresses."""

    def beside(count: int) -> np.ndarray:
        """(count, lanes), beginning with a line of the processor's cache."""
        memory = np.zeros(LANES * count + 8)
        start = -(memory.ctypes.data // 8) % 8
        return memory[start : start + LANES * count].reshape(count, LANES)

    def parts(fields: Fields) -> Any:
        return fields.beside(beside(fields.size(sizes)), sizes)

    plants, states, requests, orbits, statuses = np.zeros((5, worlds), dtype=np.int64)
    return Lanes(
        kernels=record(LANE_KERNELS, **kernels), plants=plants, states=states, requests=requests, orbits=orbits,
        statuses=statuses, lane=np.zeros(LANES, LANE), theta=beside(len(plant.theta)), input=parts(STEP_INPUT),
        mine=parts(IN_LANE), moved=parts(ADVANCE), now=parts(MOVING),
        evaluated=beside(plant.nv), gross=parts(GROSS),
        mass=beside(plant.factor_size), no_step=beside(FACTOR_INPUT.size(sizes)), v=beside(plant.nv),
        push=beside(6), past=beside(TIMES if plant.orbit.size else 0), along=np.zeros(3),
    )  # fmt: skip


@CompiledLoop
def run_lanes(plant, state, request, lanes):
    """The steps of all worlds in `lanes`, of which the others are one, for its kinds of structs. A lane whose world is
    done takes the next."""
    ahead, lane = 0, lanes.lane
    for k in range(LANES):
        empty(lanes, k)
    for i in range(lanes.past.shape[0]):
        lanes.past[i, 0] = np.nan
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
def empty(lanes, k):
    """No world is in lane k."""
    lanes.lane[k].world, lanes.lane[k].kept, lanes.mine.active[k] = -1, -1, 0.0


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
        empty(lanes, k)


@njit(cache=True, nogil=True)
def go_on_alone(plant, state, request, lanes, k):
    """What the world in lane k, with contacts, does until it is in the lane again, or at its end."""
    world = lanes.lane[k].world
    while True:
        lanes.statuses[world] = enter_request(lanes.kernels.run_contacts, plant, state, request)
        if lanes.statuses[world] != ABREAST:
            empty(lanes, k)
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
    held = some(state.held.engaged)
    lanes.lane[k].kept = lanes.lane[k].kept if held == lanes.lane[k].held else -1
    lanes.lane[k].held = held
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
        empty(lanes, k)


@njit(cache=True, nogil=True)
def take_alone(plant, state, request, lanes, steps):
    """So many steps of a world with the loop of one world; returns the status."""
    options = request.options
    options.first, options.last = request.done.steps, request.done.steps + steps
    loop = lanes.kernels.run_held if some(state.held.engaged) else lanes.kernels.run_free
    return enter_request(loop, plant, state, request)


@njit(forceinline=True)
def step_together(plant, state, request, lanes):
    """One step of every world in a lane."""
    lane, given, kernels, solved, held = lanes.lane, lanes.input, lanes.kernels, lanes.mine.judged.solved, holds(lanes)
    now = lanes.now
    prepare_step(plant, state, request, lanes)
    if held:
        solve_held_together(plant, state, lanes)
    else:
        solve_together(plant, lanes)
    weigh(plant, lanes)
    way = lanes.evaluated if plant.is_long and not held else lanes.mine.velocity
    call(kernels.move, now.vector, way, given.vector, lanes.theta, lanes.moved.by.vector)
    if kernels.push != 0:
        call(kernels.push, now.vector, lanes.mine.velocity, given.vector, lanes.theta, lanes.push)
    for k in range(LANES):
        if lane[k].world >= 0 and not (solved[k] != 0.0 and is_sound(plant, state, lanes, k, held)):
            solved[k] = 0.0
            own_plant, own, asked = in_lane(plant, state, request, lanes, k)
            put_back(own, lanes, k)
            store(own_plant, own, asked, lanes, k)
            lane[k].kept = -1
    if held:
        commit_held(plant, lanes)
    else:
        commit(plant, lanes)
    is_row = False
    for k in range(LANES):
        if lane[k].world >= 0 and finish_step(plant, state, request, lanes, k):
            is_row = True
    if is_row and held:
        write_held_rows(plant, state, request, lanes)
    elif is_row:
        write_rows(plant, state, request, lanes)
    for k in range(LANES):
        if lane[k].world >= 0 and lane[k].done == lane[k].last:
            own_plant, own, asked = in_lane(plant, state, request, lanes, k)
            store(own_plant, own, asked, lanes, k)
            leave(own_plant, own, asked, lanes, k, DONE)


@njit(forceinline=True)
def prepare_step(plant, state, request, lanes):
    """What steps are given: commands, radii; the step matrix, where it is to be factored."""
    lane, given, now, anew = lanes.lane, lanes.input, lanes.now, False
    for k in range(LANES):
        world = lane[k].world
        lane[k].anew = False
        if world < 0:
            continue
        h = given.h[k]
        if lane[k].steered:
            asked = at(request, lanes.requests[world])
            row = min(lane[k].done, asked.commands.shape[0] - 1)
            for i in range(plant.nv):
                given.command[i, k] = asked.commands[row, i]
        if plant.orbit.size > 0:
            known = lanes.past[(lane[k].first + lane[k].done) & (TIMES - 1)]
            find_radius(plant, lanes, world, lane[k].time + 0.5 * h, known)
            given.radius[0, k], given.radius[1, k], given.radius[2, k] = known[1], known[2], known[3]
        lane[k].contraction, lane[k].before_h, lane[k].loaded = now.contraction[k], lane[k].factor_h, lane[k].load
        changed = lane[k].resists and h != lane[k].factor_h
        lane[k].anew = changed or lane[k].factor_h == 0.0 or now.contraction[k] > (SLOW_HELD if lane[k].held else SLOW)
        anew = anew or (lane[k].anew and not lane[k].held)
    if anew:
        refactor_lanes(state, lanes)


@njit(forceinline=True)
def find_radius(plant, lanes, world, time, known):
    """`orbit.position` at a time, unless that is known."""
    if known[0] != time or lanes.orbits[world] != 0:
        position(at(plant, lanes.plants[world]).orbit, time, lanes.along)
        known[0] = time if lanes.orbits[world] == 0 else np.nan
        known[1], known[2], known[3] = lanes.along[0], lanes.along[1], lanes.along[2]


@njit(cache=True, nogil=True)
def refactor_lanes(state, lanes):
    """`step.refactor`, for the lanes that ask for it."""
    lane, given, kernels, new, now = lanes.lane, lanes.input, lanes.kernels, lanes.mass, lanes.now
    for k in range(LANES):
        given.h[k] *= 0.5
    copy_rows(now.momentum, given.momentum, given.momentum.shape[0])
    call(kernels.advance, now.vector, now.foreseen, given.vector, lanes.theta, lanes.moved.vector)
    for k in range(LANES):
        given.h[k] *= 2.0
    call(kernels.factor, lanes.moved.vector, now.foreseen, given.vector, lanes.theta, new)
    for k in range(LANES):
        if lane[k].anew:
            own = at(state, lanes.states[lane[k].world])
            for i in range(new.shape[0]):
                given.factor[i, k] = own.input.factor[i] = new[i, k]
            lane[k].factor_h = given.h[k]
            now.contraction[k] = min(now.contraction[k], 0.25 * SLOW)
            own.counts.factorisations += 1


@njit(forceinline=True)
def solve_together(plant, lanes):
    """`step.iterate` in all lanes that have a world: which are `solved` then."""
    lane, given, newton, kernels, judged = lanes.lane, lanes.input, lanes.input.newton, lanes.kernels, lanes.mine.judged
    xi, now, n = lanes.mine.velocity, lanes.now, plant.nv
    copy_rows(now.momentum, given.momentum, n)
    copy_rows(now.foreseen, xi, n)
    begin_iteration(lanes.mine, now)
    for iteration in range(1, max(MAX_ITERATIONS, 2 * (n + 1)) + 1):
        call(kernels.newton, now.vector, xi, given.vector, lanes.theta, newton.vector)
        rounds = False
        for k in range(LANES):
            lane[k].rounds = judged.open[k] != 0.0 and judge_iteration(lanes, k, iteration)
            rounds = rounds or lane[k].rounds
        if rounds:
            call(kernels.gross, now.vector, xi, given.vector, lanes.theta, lanes.gross.vector)
        for k in range(LANES):
            if judged.open[k] != 0.0:
                judge_rounding(lanes, k, iteration)
        goes_on = take(judged.open, 0) > 0.0
        if not any_of(goes_on):
            break
        change(xi, newton.step, n, goes_on)
    if plant.is_long:
        copy_rows(xi, lanes.evaluated, n)
    change(xi, newton.step, n, spread(0.0) < 1.0)


@njit(forceinline=True)
def judge_iteration(lanes, k, iteration):
    """Has the iteration in lane k ended well? Or may it, if its change is rounding? (That is returned.)"""
    newton, judged, tolerance = lanes.input.newton, lanes.mine.judged, lanes.mine.tolerance[k]
    change, scale, known = newton.change[k], newton.scale[k], judged.before[k] > 0.0
    judged.used[k] += 1.0
    if known:
        judged.rate[k] = np.sqrt(change / judged.before[k])
        if change > (100 * ROUNDING) ** 2 * scale:
            judged.worst[k] = max(judged.worst[k], judged.rate[k])
    stuck = known and judged.rate[k] > 0.3 and change <= FLOOR * FLOOR * scale
    left = max(judged.rate[k], lanes.mine.slack[k])
    if stuck or change <= STILL or left * left * change <= tolerance * tolerance * scale:
        judged.solved[k], judged.open[k] = 1.0, 0.0
        return False
    return not (iteration <= 2 and change > FAR * GRAIN * GRAIN * lanes.lane[k].load)


@njit(forceinline=True)
def judge_rounding(lanes, k, iteration):
    """Has the iteration in lane k ended because the change is rounding, or without hope?"""
    lane, judged, change, grain = lanes.lane[k], lanes.mine.judged, lanes.input.newton.change[k], lanes.gross.grain[k]
    if lane.rounds:
        lane.load = grain * grain / change if change > 0.0 else np.inf
    if lane.rounds and change <= GRAIN * grain:
        judged.solved[k], judged.open[k] = 1.0, 0.0
    elif not np.isfinite(change) or (iteration > 3 and judged.rate[k] > 0.7):
        judged.open[k] = 0.0
    judged.before[k] = change


@njit(forceinline=True)
def is_sound(plant, state, lanes, k, held):
    """Does the step of lane k turn no further than it may, and does its energy add up?"""
    if not lanes.mine.turned[k] <= TURN_LIMIT**2:
        return False
    if held:
        return is_sound_held(plant, state, lanes, k)
    if not lanes.mine.missed[k] <= EVEN * lanes.now.of.energy[k]:
        world = lanes.lane[k].world
        return judge_lane(at(plant, lanes.plants[world]), at(state, lanes.states[world]), lanes, k)
    return True


@njit(cache=True, nogil=True)
def judge_lane(plant, state, lanes, k):
    """`guard.judge` of lane k, without what large loads in balance may leave: that is found alone."""
    given, newton, of, guard, now = lanes.input, state.input.newton, lanes.input.newton, state.guard.of, lanes.now
    newton.energy = of.energy[k]
    guard.h, guard.energy, guard.power, guard.rested = (
        now.of.h[k], now.of.energy[k], now.of.power[k], now.of.rested[k],
    )  # fmt: skip
    for i in range(plant.nv):
        state.xi[i], newton.force[i] = lanes.mine.velocity[i, k], of.force[i, k]
        state.guard.force[i] = now.force[i, k]
        state.step.velocities.differences[0, i, 0] = now.kept.differences[0, i, k]
    for joint in plant.settling:
        state.input.momentum[joint.v], newton.gradient[joint.v] = now.momentum[joint.v, k], of.gradient[joint.v, k]
    return judge(plant, state, given.h[k], 0, False) == DONE


@njit(forceinline=True)
def put_back(state, lanes, k):
    """What the try in a lane changed beside its vectors is as it was: the step alone must not begin with a contraction
    that it has not had, nor with a matrix that it would make anew."""
    lane, now = lanes.lane[k], lanes.now
    now.contraction[k], lane.factor_h, lane.load = lane.contraction, lane.before_h, lane.loaded
    state.counts.factorisations -= lane.anew


@njit(forceinline=True)
def finish_step(plant, state, request, lanes, k):
    """What else changes in a step of lane k, or that step alone. Returns whether a row is due."""
    lane, h = lanes.lane[k], lanes.input.h[k]
    if lanes.mine.judged.solved[k] == 0.0:
        finish_alone(plant, state, request, lanes, k)
        return False
    if lane.ledger and lanes.kernels.push != 0:
        own_plant, own, _ = in_lane(plant, state, request, lanes, k)
        keep_push(own_plant, own, lanes, k)
    lane.evaluations += int(lanes.mine.judged.used[k])
    lane.done += 1
    lane.time = lane.began + lane.done * h
    return lane.done == lane.due


@njit(cache=True, nogil=True)
def finish_alone(plant, state, request, lanes, k):
    """The step of lane k, which is put back, as one world takes it."""
    plant, state, request = in_lane(plant, state, request, lanes, k)
    status, request.options.last = take_alone(plant, state, request, lanes, 1), lanes.lane[k].last
    if status == DONE:
        load(plant, state, request, lanes, k)
    else:
        leave(plant, state, request, lanes, k, status)


@njit(cache=True, nogil=True)
def keep_push(plant, state, lanes, k):
    """`step.account_push` of lane k."""
    account, h = state.account, lanes.input.h[k]
    for i in range(6):
        account.push[i] += h * lanes.push[i, k]
    if plant.orbit.size > 0:
        velocity(plant.orbit, lanes.lane[k].time + 0.5 * h, lanes.along)
        carried = lanes.push[0, k] * lanes.along[0] + lanes.push[1, k] * lanes.along[1]
        account.work_carried += h * (carried + lanes.push[2, k] * lanes.along[2])


@njit(forceinline=True)
def write_rows(plant, state, request, lanes):
    """Rows of the worlds for which one is due."""
    now = lanes.now
    call(lanes.kernels.factor, now.vector, now.vector, lanes.no_step, lanes.theta, lanes.mass)
    call(lanes.kernels.solve, now.vector, now.momentum, lanes.mass, lanes.theta, lanes.v)
    for k in range(LANES):
        lane = lanes.lane[k]
        if lane.world >= 0 and lanes.mine.judged.solved[k] != 0.0 and lane.done == lane.due:
            own_plant, own, asked = in_lane(plant, state, request, lanes, k)
            write_lane(own_plant, own, asked, lanes, k)


@njit(cache=True, nogil=True)
def write_held_rows(plant, state, request, lanes):
    """The same of worlds with engaged latches, with which each brings its velocity in line alone."""
    for k in range(LANES):
        lane = lanes.lane[k]
        if lane.world >= 0 and lanes.mine.judged.solved[k] != 0.0 and lane.done == lane.due:
            own_plant, own, asked = in_lane(plant, state, request, lanes, k)
            lane.due += asked.options.every
            store(own_plant, own, asked, lanes, k)
            row = (lane.done + asked.options.since) // asked.options.every - 1
            write_row(own_plant, own, asked, row, own.held)


@njit(forceinline=True)
def write_lane(plant, state, request, lanes, k):
    """Lane k as a row."""
    lane, now = lanes.lane[k], lanes.now
    row = (lane.done + request.options.since) // request.options.every - 1
    lane.due += request.options.every
    store_clock(plant, state, request, lanes, k)
    request.t[row] = lane.time
    for i in range(now.q.shape[0]):
        request.q[row, i] = now.q[i, k]
    for i in range(lanes.v.shape[0]):
        request.v[row, i] = lanes.v[i, k]
    for i in range(request.account.shape[1]):
        request.account[row, i] = state.account.vector[i]
