"""A motion that jumped: what it knew of the steps before is forgotten."""

from softdock.dynamics.guard import guard_anew
from softdock.dynamics.rollout import velocity
from softdock.dynamics.status import DONE
from softdock.kernels import CompiledLoop
from softdock.kernels.jit import njit


@CompiledLoop
def restart_free(plant, state):
    """Begin anew where nothing holds."""
    return begin_anew(plant, state, None)


@CompiledLoop
def restart_held(plant, state):
    """Begin anew in line with what holds."""
    return begin_anew(plant, state, state.held)


@njit(forceinline=True)
def begin_anew(plant, state, held):
    """Let predictor and guard begin with the present velocity, and forget what else a new state has not."""
    step, clock, v = state.step, state.clock, state.projection.v
    velocity(plant, state, held, v)
    foreseen, forces = step.velocities.differences, state.held.forces.differences
    for stage in range(foreseen.shape[0]):
        for k in range(foreseen.shape[2]):
            for i in range(foreseen.shape[1]):
                foreseen[stage, i, k] = v[i] if k == 0 else 0.0
            for i in range(forces.shape[1]):
                forces[stage, i, k] = 0.0
    for i in range(step.lost_way.size):
        step.lost_way[i] = 0.0
    for i in range(plant.nv):
        step.lost_gain[i] = step.surprise[i] = 0.0
    for i in range(step.past.shape[0]):
        for k in range(step.past.shape[1]):
            step.past[i, k] = 0.0
    guard_anew(state, v)
    state.counts.history = 1
    clock.factor_h, clock.weights_h, clock.contraction = 0.0, 0.0, 1.0
    state.proximity.seen.fresh = False
    return DONE
