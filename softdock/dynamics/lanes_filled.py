"""How a world comes into a lane, and out of it (lanes.py): all that steps change or need, number by number.

A world that joins again after its gaps were looked at finds there what did not change meanwhile.
"""

from softdock.dynamics.step import predict
from softdock.kernels.jit import njit


@njit(cache=True, nogil=True)
def load(plant, state, request, lanes, k):
    """Put a world's vectors into lane k, and what is foreseen of ξ."""
    given, lane, options, now = lanes.input, lanes.lane[k], request.options, lanes.now
    n, differences = plant.nv, state.step.velocities.differences
    if lane.kept != lane.world or lane.factorisations != state.counts.factorisations:
        for i in range(state.input.vector.size - (0 if lane.held else state.input.latches.vector.size)):
            given.vector[i, k] = state.input.vector[i]
    predict(state.step.velocities, 0, state.counts.history, state.xi, n)
    for i in range(plant.nq):
        now.q[i, k], now.kept.lost_way[i, k] = state.q[i], state.step.lost_way[i]
    for i in range(n):
        given.momentum[i, k] = now.momentum[i, k] = state.input.momentum[i]
        given.command[i, k], given.newton.gradient[i, k] = state.input.command[i], state.input.newton.gradient[i]
        now.foreseen[i, k], now.force[i, k], lanes.mine.follows[i, k] = state.xi[i], state.guard.force[i], 0.0
        now.kept.lost_gain[i, k] = state.step.lost_gain[i]
        for d in range(now.kept.differences.shape[0]):
            now.kept.differences[d, i, k] = differences[0, i, d]
    for r in plant.turning:
        lanes.mine.follows[r, k] = 1.0
    load_clock(plant, state, options.h, lanes, k)
    if lane.held:
        load_forces(state, lanes.mine, now, k)
    done, every = request.done.steps, options.every
    lane.done = lane.counted = done
    lane.due = done + every - (done + options.since) % every
    lane.first, lane.began, lane.steered = (
        int(options.began / options.h + 0.5),
        options.began,
        request.commands.shape[0] > 1,
    )


@njit(forceinline=True)
def load_clock(plant, state, h, lanes, k):
    """The single numbers of a world, and of its guard and ledger."""
    mine, lane, clock, of, now = lanes.mine, lanes.lane[k], state.clock, state.guard.of, lanes.now
    mine.active[k], mine.tolerance[k], now.history[k] = 1.0, clock.tolerance, state.counts.history
    mine.slack[k] = min(max(clock.damping, 0.5 * h * h * plant.sprung), 1.0)
    now.contraction[k], now.aging[k] = clock.contraction, clock.aging
    now.of.h[k], now.of.energy[k], now.of.power[k], now.of.rested[k] = of.h, of.energy, of.power, of.rested
    for i in range(now.ledger.work.shape[0]):
        now.ledger.work[i, k] = state.account.work[i]
    for i in range(now.ledger.gravity.shape[0]):
        now.ledger.gravity[i, k] = state.account.gravity[i]
    lane.time, lane.factor_h, lane.load, lane.resists = clock.time, clock.factor_h, clock.load, plant.resists


@njit(cache=True, nogil=True)
def store(plant, state, request, lanes, k):
    """Put the vectors of lane k back."""
    given, differences, now = lanes.input, state.step.velocities.differences, lanes.now
    for i in range(given.radius.shape[0]):
        state.input.radius[i] = given.radius[i, k]
    for i in range(given.newton.vector.shape[0]):
        state.input.newton.vector[i] = given.newton.vector[i, k]
    for i in range(plant.nq):
        state.q[i], state.step.lost_way[i] = now.q[i, k], now.kept.lost_way[i, k]
    for i in range(plant.nv):
        state.input.momentum[i], state.input.command[i] = now.momentum[i, k], given.command[i, k]
        state.guard.force[i], state.step.lost_gain[i] = now.force[i, k], now.kept.lost_gain[i, k]
        for d in range(now.kept.differences.shape[0]):
            differences[0, i, d] = now.kept.differences[d, i, k]
        state.xi[i] = differences[0, i, 0]
    store_clock(plant, state, request, lanes, k)
    if lanes.lane[k].held:
        store_forces(state, now, k)
    lanes.lane[k].kept, lanes.lane[k].factorisations = lanes.lane[k].world, state.counts.factorisations


@njit(forceinline=True)
def store_clock(plant, state, request, lanes, k):
    """`load_clock`, back."""
    lane, clock, counts, of, now = lanes.lane[k], state.clock, state.counts, state.guard.of, lanes.now
    clock.contraction, clock.aging, counts.history = now.contraction[k], now.aging[k], int(now.history[k])
    clock.time, clock.factor_h, clock.load = lane.time, lane.factor_h, lane.load
    of.h, of.energy, of.power, of.rested = now.of.h[k], now.of.energy[k], now.of.power[k], now.of.rested[k]
    if lane.done > lane.counted:
        state.step.velocities.depths[0] = int(now.depth[k])
        if lane.held:
            state.held.forces.depths[0] = int(now.force_depth[k])
    request.done.steps = lane.done
    counts.steps += lane.done - lane.counted
    counts.evaluations += lane.evaluations
    lane.counted, lane.evaluations = lane.done, 0
    if lane.ledger:
        for i in range(now.ledger.work.shape[0]):
            state.account.work[i] = now.ledger.work[i, k]
        for i in range(now.ledger.gravity.shape[0] if plant.kernels.weight != 0 else 0):
            state.account.gravity[i] = now.ledger.gravity[i, k]


@njit(cache=True, nogil=True)
def load_forces(state, mine, now, k):
    """Put the forces of a world's latches into lane k, and what is foreseen of them."""
    held, forces = state.held, now.forces
    mine.stiffness[k] = held.stiffness
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
