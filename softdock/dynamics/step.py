"""The step: predict ξ, iterate, advance. Solves the equations of mechanics/step.py.

Small functions are inlined by LLVM, and loops run without Numba's reference counts (`_nrt`): counting
those of every array of `Plant` and `StepState` would cost more than a step.
"""

import numpy as np

from softdock.dynamics.guard import check_energy
from softdock.dynamics.latch_system import whole_of
from softdock.dynamics.orbit import position, velocity
from softdock.dynamics.settling import RESOLVED
from softdock.dynamics.status import DONE, NOT_CONVERGED, NOT_FINITE, OFF_BALANCE, TURN_TOO_LARGE
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.linear import copy, eliminate
from softdock.mechanics.layouts import DEPTH, FAR_BACK, VALUES

MAX_ITERATIONS = 12
"""Of the simplified iteration for small worlds; 2 (nv + 1) for larger ones: about what one exact
Newton solve costs."""
ROUNDING = 1e-15
GRAIN = 5e-15
"""Of the newton kernel's grain: a change this small is made by rounding of the residual alone, some
twenty units in the last place of each of its terms."""
FLOOR = 1e-10
"""Relative change of ξ, in the norm of kinetic energy, below which an iteration that no longer
contracts has met its rounding error (about 1e-16 × the square root of the mass matrix's condition)."""
STILL = 1e-200
"""Change (J) below which nothing moves."""
FAR = 1e6
"""Change of ξ, relative to that by rounding as it was last: larger ones are not compared with it anew, in the first
two iterations. (If loads grew as much meanwhile, there is an iteration more.)"""
SLOW = 0.05
"""Contraction above which the step matrix is factored anew."""
AGING = 1.1
"""How the contraction grows at least in a step in which it is not measured."""
RELAXED = 0.99
"""Of that growth, a step later."""
DEEP = DEPTH + 1
"""Depth from which on they stand for predictions by `FAR_BACK`."""
TURN_LIMIT = 2.0
"""Largest turn in a step (rad): mechanics/rotation.py's series hold to there, and no more is followed of an angle."""


@njit(forceinline=True)
def predict(predictor, stage, length, values, count):
    """The next values of a stage: the polynomial through its last ones, the sum of their backward differences."""
    differences, depth = predictor.differences, min(predictor.depths[stage], length)
    if predictor.depths[stage] >= DEEP and length == VALUES:
        predict_far_back(differences, stage, predictor.depths[stage] - DEEP, values, count)
        return
    for i in range(count):
        total = differences[stage, i, 0]
        for k in range(1, DEPTH):  # a constant number, so that the compiler writes them out
            if k < depth:
                total += differences[stage, i, k]
        values[i] = total


@njit(cache=True, nogil=True)
def predict_far_back(differences, stage, which, values, count):
    """The same by `FAR_BACK[which]`."""
    weights = FAR_BACK[which]
    for i in range(count):
        d = differences[stage, i]
        total = d[0] + d[1] + d[2] + d[3] + d[4]
        values[i] = total + weighed(weights, d)


@njit(forceinline=True)
def weighed(weights, d):
    """What differences of order 5 to 9 add to a prediction."""
    a, b, c, e, f = weights
    return a * d[5] + b * d[6] + c * d[7] + e * d[8] + f * d[9]


@njit(forceinline=True)
def remember(predictor, stage, length, values, count):
    """Update the backward differences of a stage's values with the newest, and the depth with which to
    predict the next: the k-th differences are what depth k would have missed by, and the least of them
    wins. More differences follow a smooth motion further; after a kink, or where they are rounding, fewer do."""
    differences = predictor.differences
    m1, m2, m3, m4, m5, m6 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(count):  # written out: sums in registers, several at a time
        d0 = values[i]
        d1 = d0 - differences[stage, i, 0]
        d2 = d1 - differences[stage, i, 1]
        d3 = d2 - differences[stage, i, 2]
        d4 = d3 - differences[stage, i, 3]
        d5 = d4 - differences[stage, i, 4]
        d6 = d5 - differences[stage, i, 5]
        differences[stage, i, 0], differences[stage, i, 1], differences[stage, i, 2] = d0, d1, d2
        differences[stage, i, 3], differences[stage, i, 4], differences[stage, i, 5] = d3, d4, d5
        differences[stage, i, DEPTH] = d6
        m1, m2, m3, m4, m5, m6 = m1 + d1 * d1, m2 + d2 * d2, m3 + d3 * d3, m4 + d4 * d4, m5 + d5 * d5, m6 + d6 * d6
    choose(predictor, stage, length, m1, m2, m3, m4, m5, m6)


@njit(forceinline=True)
def choose(predictor, stage, length, m1, m2, m3, m4, m5, m6):
    """The depth that would have missed by least, of the squares of what each missed by; that square."""
    least, depth = m1, 1
    if length > 1 and m2 < least:
        least, depth = m2, 2
    if length > 2 and m3 < least:
        least, depth = m3, 3
    if length > 3 and m4 < least:
        least, depth = m4, 4
    if length > 4 and m5 < least:
        least, depth = m5, 5
    if length > 5 and m6 < least:
        least, depth = m6, 6
    predictor.depths[stage] = min(depth + 1, DEPTH) if depth == length else depth
    return least


@njit(forceinline=True, fastmath={"contract"})
def missed_far_back(weights, d5, d):
    """By how much differences of order 5 to 9 would have foreseen that of order 5 too small."""
    a, b, c, e, f = weights
    return d5 - a * d[5] - b * d[6] - c * d[7] - e * d[8] - f * d[9]


@njit(cache=True, nogil=True, fastmath={"contract"})
def remember_far_back(predictor, stage, length, values, count):
    """`remember` of long chains, in which differences of high order are soon the noise of rounding: they are foreseen
    by `FAR_BACK` where that would have missed by less. Only that is asked of sums of products, so none is rounded."""
    differences, f0, f1, f2, f3, f4 = predictor.differences, 0.0, 0.0, 0.0, 0.0, 0.0
    m1, m2, m3, m4, m5, m6 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        d = differences[stage, i]
        d0 = values[i]
        d1 = d0 - d[0]
        d2 = d1 - d[1]
        d3 = d2 - d[2]
        d4 = d3 - d[3]
        d5 = d4 - d[4]
        d6 = d5 - d[5]
        d7 = d6 - d[6]
        d8 = d7 - d[7]
        d9 = d8 - d[8]
        n0, n1 = missed_far_back(FAR_BACK[0], d5, d), missed_far_back(FAR_BACK[1], d5, d)
        n2, n3 = missed_far_back(FAR_BACK[2], d5, d), missed_far_back(FAR_BACK[3], d5, d)
        n4 = missed_far_back(FAR_BACK[4], d5, d)
        f0, f1, f2, f3, f4 = f0 + n0 * n0, f1 + n1 * n1, f2 + n2 * n2, f3 + n3 * n3, f4 + n4 * n4
        m1, m2, m3, m4, m5, m6 = m1 + d1 * d1, m2 + d2 * d2, m3 + d3 * d3, m4 + d4 * d4, m5 + d5 * d5, m6 + d6 * d6
        d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9] = d0, d1, d2, d3, d4, d5, d6, d7, d8, d9
    least = choose(predictor, stage, length, m1, m2, m3, m4, m5, m6)
    if length == VALUES:
        for which, missed in enumerate((f0, f1, f2, f3, f4)):
            if missed < least:
                least, predictor.depths[stage] = missed, DEEP + which


@njit(forceinline=True)
def refactor(plant, state, h):
    """Factor the step matrix at the predicted middle of the step."""
    given, clock = state.input, state.clock
    given.h = 0.5 * h
    call(plant.kernels.advance, state.q, state.xi, given.vector, plant.theta, state.moved.vector)
    given.h = h
    call(plant.kernels.factor, state.moved.vector, state.xi, given.vector, plant.theta, given.factor)
    clock.factor_h = h
    clock.contraction = min(clock.contraction, 0.25 * SLOW)


@njit(forceinline=True)
def age(plant, clock, worst):
    """Keep the contraction that was measured or, if none was (0), let the last one grow: in long chains as fast as
    those tell that were measured."""
    if plant.is_long:
        grown = clock.aging * np.sqrt(np.sqrt(worst / clock.contraction)) if worst > 0.0 else RELAXED * clock.aging
        clock.aging = min(max(grown, AGING), 2.0)
    clock.contraction = min(worst, 1.0) if worst > 0.0 else min(clock.aging * clock.contraction, 2 * SLOW)


@njit(forceinline=True)
def grain_of_residual(plant, state):
    """Change of ξ (twice its energy, J), over the unit of rounding, that rounding of the residual's terms makes."""
    gross, change = state.step.gross, state.input.newton.change
    call(plant.kernels.gross, state.q, state.xi, state.input.vector, plant.theta, gross.vector)
    state.clock.load = gross.grain * gross.grain / change if change > 0.0 else np.inf
    return gross.grain


@njit(forceinline=True)
def is_rounding(plant, state, change, iteration):
    """Is a change of ξ one that rounding of the residual's terms makes?"""
    if iteration <= 2 and change > FAR * GRAIN * GRAIN * state.clock.load:
        return False
    return change <= GRAIN * grain_of_residual(plant, state)


@njit(forceinline=True)
def iterate(plant, state):
    """Simplified Newton iteration on ξ; returns evaluations, negative if they did not converge.

    Norms are of kinetic energy. What is left after a change is about rate × change, in ξ and (since
    h × slope ≈ rate, but for springs, dampers and servos, which the matrix has) in the force; without a
    measure of the rate the last one ages, so that the matrix is renewed in time.
    """
    xi, given, newton, clock = state.xi, state.input, state.input.newton, state.clock
    rate, before, worst, tolerance = clock.contraction, -1.0, 0.0, clock.tolerance
    limit = max(MAX_ITERATIONS, 2 * (xi.size + 1))
    used = -limit
    for iteration in range(1, limit + 1):
        call(state.loops.newton, state.q, xi, given.vector, plant.theta, newton.vector)
        change, scale = newton.change, newton.scale
        if before > 0.0:
            rate = np.sqrt(change / before)
            if change > (100 * ROUNDING) ** 2 * scale:
                worst = max(worst, rate)
        stuck = before > 0.0 and rate > 0.3 and change <= FLOOR * FLOOR * scale
        left = max(rate, min(max(clock.damping, 0.5 * given.h * given.h * plant.sprung), 1.0))
        enough = stuck or change <= STILL or left * left * change <= tolerance * tolerance * scale
        enough = enough or is_rounding(plant, state, change, iteration)
        if enough and plant.is_long:
            copy(xi, state.step.evaluated)
        for i in range(xi.size):
            xi[i] += newton.step[i]
        if enough:
            age(plant, clock, worst)
            used = iteration
            break
        if not np.isfinite(change) or (iteration > 3 and rate > 0.7):
            used = -iteration
            break
        before = change
    return used


@njit(cache=True, nogil=True)
def shorten(plant, state, merit):
    """Halve a Newton step that made the residual larger (in the norm of kinetic energy), as bends
    like that of dry friction do; ξ is the step's end."""
    xi, given, newton, d = state.xi, state.input, state.input.newton, state.step.change
    size = 1.0
    for _ in range(30):
        call(state.loops.newton, state.q, xi, given.vector, plant.theta, newton.vector)
        if newton.change <= merit:
            return
        size *= 0.5
        for i in range(xi.size):
            xi[i] -= size * d[i]


@njit(cache=True, nogil=True)
def exact_newton(plant, state, stage):
    """Newton's method with the residual's own Jacobian (by differences), from the last velocity of the stage,
    for steps that turn far or that stiff forces bend; slower, rarely needed."""
    n, xi, given, newton = plant.nv, state.xi, state.input, state.input.newton
    J, base, d = state.step.jacobian, state.step.residual, state.step.change
    before = np.inf
    for i in range(n):
        xi[i] = state.step.velocities.differences[stage, i, 0]
    for _ in range(4 * MAX_ITERATIONS):
        call(state.loops.newton, state.q, xi, given.vector, plant.theta, newton.vector)
        merit, scale, grain = newton.change, newton.scale, grain_of_residual(plant, state)
        for i in range(n):
            base[i] = newton.residual[i]
            d[i] = -base[i]
        for j in range(n):
            here = xi[j]
            nudge = 1e-7 * max(1e-2, abs(here))
            xi[j] = here + nudge
            call(state.loops.newton, state.q, xi, given.vector, plant.theta, newton.vector)
            xi[j] = here
            for i in range(n):
                J[i, j] = (newton.residual[i] - base[i]) / nudge
        if not eliminate(J, n, d):
            return NOT_CONVERGED
        change = 0.0
        for i in range(n):
            change += d[i] * base[i]
            xi[i] += d[i]
        change = abs(change)
        shorten(plant, state, merit)
        if not np.isfinite(change):
            return NOT_FINITE
        stuck = change >= 0.1 * before and change <= FLOOR * FLOOR * scale
        if stuck or change <= GRAIN * grain or change <= STILL:
            call(state.loops.newton, state.q, xi, given.vector, plant.theta, newton.vector)
            copy(xi, state.step.evaluated)
            return DONE
        before = change
    return NOT_CONVERGED


@njit(forceinline=True)
def squared_turn(plant, xi, h):
    """Square of the largest turn of a joint in the step (rad), of those that it must follow."""
    largest = 0.0
    for s in plant.spherical:
        largest = max(largest, xi[s] ** 2 + xi[s + 1] ** 2 + xi[s + 2] ** 2)
    for r in plant.turning:
        largest = max(largest, xi[r] ** 2)
    return h * h * largest


@njit(forceinline=True)
def solve_free(plant, state, h, stage):
    """ξ of one substep with nothing held; DONE, or why not."""
    clock, counts = state.clock, state.counts
    if clock.factor_h == 0.0 or clock.contraction > SLOW or (plant.resists and h != clock.factor_h):
        refactor(plant, state, h)
        counts.factorisations += 1
    used = iterate(plant, state)
    counts.evaluations += abs(used)
    status = DONE
    if used < 0:
        clock.factor_h, clock.contraction = 0.0, 1.0
        counts.exact_newton += 1
        status = exact_newton(plant, state, stage)
    return status


@njit(forceinline=True)
def keep_ledger(plant, state, h, weigh):
    """Add the substep's works, and gravity's impulse and turn about the centre of mass, to the account; those are as
    the last iteration found them, or are to be found first, if `weigh`."""
    account, weight = state.account, state.step.weight
    for k in range(account.work.size):
        account.work[k] += h * state.input.newton.powers[k]
    account.work_contacts += h * state.clock.contact_power
    if plant.kernels.weight != 0:
        if weigh:
            call(plant.kernels.weight, state.q, state.xi, state.input.vector, plant.theta, weight)
        else:
            copy(state.input.newton.weight, weight)
        for k in range(weight.size):
            account.gravity[k] += h * weight[k]
    if plant.kernels.push != 0:
        account_push(plant, state, h)


@njit(cache=True, nogil=True)
def account_push(plant, state, h):
    """Add the impulse of what free roots are commanded, its turn about the centre of mass, and its work along the
    reference orbit, whose frame the world's energy is not counted in (runs/ledger.py)."""
    account, push, along = state.account, state.step.push, state.step.carried
    call(plant.kernels.push, state.q, state.xi, state.input.vector, plant.theta, push)
    for k in range(push.size):
        account.push[k] += h * push[k]
    if plant.orbit.size > 0:
        velocity(plant.orbit, state.clock.time + 0.5 * h, along)
        account.work_carried += h * (push[0] * along[0] + push[1] * along[1] + push[2] * along[2])


@njit(forceinline=True)
def steady(a, b):
    """What goes on of two values in a row: the smaller one if it is at least ¾ of the other, nothing if it is less than
    half of it."""
    small, large = (a, b) if abs(a) < abs(b) else (b, a)
    return small * min(max(4.0 * small / large - 2.0, 0.0), 1.0) if large != 0.0 else 0.0


@njit(forceinline=True)
def weight_of(h, rate):
    """Of the step's end, for a joint that comes to rest at a rate λ: 1 − 1/(hλ), but at least ½."""
    return max(0.5, 1.0 - 1.0 / max(abs(h) * rate, 1.0))


@njit(cache=True, nogil=True)
def foresee(plant, state, h):
    """Weights of the step's end for joints that come to rest, and what the last two steps, if there was no jump,
    foresee of this one."""
    given, weights, past = state.input, state.input.weights, state.step.past
    if abs(state.clock.time - state.clock.past_end) > 1e-6 * abs(h):  # a step is taken again, in parts
        past[:] = 0.0
    for k in range(plant.settling.size):
        joint = plant.settling[k]
        past[k, 0] = given.momentum[joint.v]
        given.foreseen.momentum[joint.v] = past[k, 0] + h * foreseen_of(plant, state, k)
        given.foreseen.velocity[joint.v] = steady(past[k, 3], past[k, 4])
    if state.clock.weights_h != h:
        state.clock.weights_h, state.clock.damping = h, 0.0
        for joint in plant.settling:
            state.clock.damping = max(state.clock.damping, abs(h) * joint.fast)
            weights.momentum[joint.v] = weight_of(h, joint.fast)
            weights.position[joint.v] = weight_of(h, joint.slow)


@njit(forceinline=True)
def foreseen_of(plant, state, k):
    """Force on the k-th joint that settles, as the last two steps foresee it."""
    return steady(state.step.past[k, 1], state.step.past[k, 2]) if plant.settling[k].flat else 0.0


@njit(cache=True, nogil=True)
def count_pushes(plant, state):
    """Let what was pushed, which is in the momentum, count for joints that settle as that of the whole step."""
    foreseen, momentum, h = state.input.foreseen.momentum, state.input.momentum, state.input.h
    for k in range(plant.settling.size if state.clock.damping > RESOLVED else 0):
        v, began = plant.settling[k].v, state.step.past[k, 0]
        foreseen[v] = began + h * foreseen_of(plant, state, k) - (whole_of(state) - 1.0) * (momentum[v] - began)


@njit(cache=True, nogil=True)
def remember_past(plant, state, h):
    """What `foresee` needs of a step that was taken."""
    past = state.step.past
    for k in range(plant.settling.size):
        v = plant.settling[k].v
        gained = state.input.momentum[v] - state.input.foreseen.momentum[v] + h * foreseen_of(plant, state, k)
        past[k, 2], past[k, 4] = past[k, 1], past[k, 3]
        past[k, 1], past[k, 3] = gained / h, state.xi[v]
    state.clock.past_end = state.clock.time


@njit(forceinline=True)
def before_step(plant, state, h, stage):
    """Set the step's inputs and predict ξ."""
    state.input.h = h
    if plant.settling.size > 0 and (h != state.clock.weights_h or state.clock.damping > RESOLVED):
        foresee(plant, state, h)
    if plant.orbit.size > 0:
        position(plant.orbit, state.clock.time + 0.5 * h, state.input.radius)
    predict(state.step.velocities, stage, state.counts.history, state.xi, plant.nv)
    if state.step.velocities.depths.size > 1:  # within a composition the stage before tells how far they are off
        for i in range(plant.nv):
            foreseen = state.xi[i]
            state.xi[i] += state.step.surprise[i] if stage > 0 else 0.0
            state.step.surprise[i] = foreseen


@njit(forceinline=True)
def added(a, b):
    """a + b, and what rounding leaves out of it (Kahan)."""
    s = a + b
    return s, b - (s - a)


@njit(forceinline=True)
def move_on(plant, state, held):
    """Add the step to q and p, with what rounding left out of the last one (compensated summation): else rounding of
    the sums, not the steps' own, would be most of what momentum loses in a long run. Likewise with what latches
    pushed, if `held` is not None. The guard keeps the force."""
    q, p, by, step, force = state.q, state.input.momentum, state.moved.by, state.step, state.guard.force
    for i in range(plant.nq):
        q[i], step.lost_way[i] = added(q[i], by.way[i] + step.lost_way[i])
    for i in range(plant.nv):
        force[i] = state.input.newton.force[i]
        if held is None:
            p[i], step.lost_gain[i] = added(p[i], by.gain[i] + step.lost_gain[i])
        else:
            gain = held.pushed[i] + (by.gain[i] + step.lost_gain[i])
            p[i], step.lost_gain[i] = added(state.guard.momentum[i], gain)


@njit(forceinline=True)
def after_step(plant, state, h, stage, ledger, weigh, held):
    """Move on by the ξ that was found; DONE, or why not. `held` as for `move_on`."""
    n, given, velocities = plant.nv, state.input, state.step.velocities
    turned = squared_turn(plant, state.xi, h)
    if not turned <= TURN_LIMIT**2:
        return TURN_TOO_LARGE
    way = state.step.evaluated if plant.is_long and held is None and not weigh else state.xi
    call(plant.kernels.move, state.q, way, given.vector, plant.theta, state.moved.by.vector)
    if check_energy(plant, state, h, stage, turned) != DONE:
        return OFF_BALANCE
    if ledger:
        keep_ledger(plant, state, h, weigh)
    move_on(plant, state, held)
    state.clock.time += h
    if state.clock.damping > RESOLVED:
        remember_past(plant, state, h)
    if velocities.differences.shape[0] > 1:
        for i in range(n):
            state.step.surprise[i] = state.xi[i] - state.step.surprise[i]
    if plant.is_long:
        remember_far_back(velocities, stage, state.counts.history, state.xi, n)
    else:
        remember(velocities, stage, state.counts.history, state.xi, n)
    return DONE
