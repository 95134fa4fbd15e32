"""The step: predict ξ, iterate, advance. Solves the equations of mechanics/step.py.

Small functions are inlined by LLVM, and loops run without Numba's reference counts (`_nrt`): counting
those of every array of `Plant` and `Work` would cost more than a step.
"""

import numpy as np
from numba import njit

from softdock.dynamics.linear import eliminate
from softdock.dynamics.orbit import position
from softdock.dynamics.plant import (
    ADVANCE,
    CONTACT_POWER,
    CONTACTS,
    CONTRACTION,
    DEPTH,
    EVALUATIONS,
    EXACT,
    FACTOR,
    FACTOR_H,
    FACTORS,
    LENGTH,
    NEWTON,
    TIME,
    TOLERANCE,
    VELOCITIES,
    WEIGHT,
)
from softdock.kernels import call

DONE, NOT_CONVERGED, TURN_TOO_LARGE, NOT_FINITE, STUCK, EVENTS_FULL, STOPPED, TUNNELLING, TOO_STIFF = range(1, 10)

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
SLOW = 0.05
"""Contraction above which the step matrix is factored anew."""
TURN_LIMIT = 2.0
"""Largest turn in a step (rad): mechanics/rotation.py's series hold to there."""


@njit(forceinline=True)
def predict(history, stage, depth, values, count):  # type: ignore[no-untyped-def]
    """The next values of a stage: the polynomial through its last ones, the sum of their backward differences."""
    for i in range(count):
        total = history[stage, i, 0]
        for k in range(1, DEPTH):  # a constant number, so that the compiler writes them out
            if k < depth:
                total += history[stage, i, k]
        values[i] = total
        history[stage, i, DEPTH] = total


@njit(forceinline=True)
def remember(history, stage, length, values, count, missed):  # type: ignore[no-untyped-def]
    """Update the backward differences of a stage's values with the newest. Returns the depth with which to
    predict the next: the k-th differences are what depth k would have missed by, and the least of them
    wins. More differences follow a smooth motion further; after a kink, or where they are rounding, fewer do."""
    for k in range(DEPTH):
        missed[k] = 0.0
    for i in range(count):
        new = values[i]
        for k in range(DEPTH):
            old = history[stage, i, k]
            history[stage, i, k] = new
            new -= old
            missed[k] += new * new
    least, depth = np.inf, 1
    for k in range(DEPTH):
        if k < length and missed[k] < least:
            least, depth = missed[k], k + 1
    return min(depth + 1, DEPTH) if depth == length else depth


@njit(forceinline=True)
def refactor(kernels, theta, q, xi, e, factor, moved, clock, h):  # type: ignore[no-untyped-def]
    """Factor the step matrix at the predicted middle of the step."""
    e[0] = 0.5 * h
    call(kernels[ADVANCE], q, xi, e, theta, moved)
    e[0] = h
    call(kernels[FACTOR], moved, xi, e, theta, factor)
    clock[FACTOR_H] = h
    clock[CONTRACTION] = min(clock[CONTRACTION], 0.25 * SLOW)


@njit(forceinline=True)
def iterate(kernel, theta, q, xi, e, out, clock):  # type: ignore[no-untyped-def]
    """Simplified Newton iteration on ξ; returns evaluations, negative if they did not converge.

    Norms are of kinetic energy. What is left after a change is about rate × change, in ξ and (since
    h × slope ≈ rate) in the force; without a measure of the rate the last one ages, so that the
    matrix is renewed in time.
    """
    n = xi.size
    rate, before, worst, tolerance = clock[CONTRACTION], -1.0, 0.0, clock[TOLERANCE]
    limit = max(MAX_ITERATIONS, 2 * (n + 1))
    used = -limit
    for iteration in range(1, limit + 1):
        call(kernel, q, xi, e, theta, out)
        for i in range(n):
            xi[i] += out[i]
        change, scale = out[2 * n + 3], out[2 * n + 4]
        if before > 0.0:
            rate = np.sqrt(change / before)
            if change > (100 * ROUNDING) ** 2 * scale:
                worst = max(worst, rate)
        stuck = before > 0.0 and rate > 0.3 and change <= FLOOR * FLOOR * scale
        small = change <= GRAIN * out[2 * n + 5] or change <= STILL
        if stuck or small or rate * rate * change <= tolerance * tolerance * scale:
            clock[CONTRACTION] = min(worst, 1.0) if worst > 0.0 else min(1.1 * clock[CONTRACTION], 2 * SLOW)
            used = iteration
            break
        if not np.isfinite(change) or (iteration > 3 and rate > 0.7):
            break
        before = change
    return used


@njit(cache=True, nogil=True)
def shorten(kernel, theta, q, xi, e, out, d, merit):  # type: ignore[no-untyped-def]
    """Halve a Newton step d that made the residual larger (in the norm of kinetic energy), as bends
    like that of dry friction do; ξ is the step's end."""
    n = xi.size
    size = 1.0
    for _ in range(30):
        call(kernel, q, xi, e, theta, out)
        if out[2 * n + 3] <= merit:
            return
        size *= 0.5
        for i in range(n):
            xi[i] -= size * d[i]


@njit(cache=True, nogil=True)
def exact_newton(kernel, theta, q, xi, e, out, history, stage, J, room):  # type: ignore[no-untyped-def]
    """Newton's method with the residual's own Jacobian (by differences), from the last velocity of the stage,
    for steps that turn far or that stiff forces bend; slower, rarely needed."""
    n = xi.size
    base, d = room[0], room[1]
    before = np.inf
    for i in range(n):
        xi[i] = history[stage, i, 0]
    for _ in range(4 * MAX_ITERATIONS):
        call(kernel, q, xi, e, theta, out)
        merit, scale, grain = out[2 * n + 3], out[2 * n + 4], out[2 * n + 5]
        for i in range(n):
            base[i] = out[2 * n + 6 + i]
            d[i] = -base[i]
        for j in range(n):
            kept = xi[j]
            nudge = 1e-7 * max(1e-2, abs(kept))
            xi[j] = kept + nudge
            call(kernel, q, xi, e, theta, out)
            xi[j] = kept
            for i in range(n):
                J[i, j] = (out[2 * n + 6 + i] - base[i]) / nudge
        eliminate(J, n, d)
        change = 0.0
        for i in range(n):
            change += d[i] * base[i]
            xi[i] += d[i]
        change = abs(change)
        shorten(kernel, theta, q, xi, e, out, d, merit)
        if not np.isfinite(change):
            return NOT_FINITE
        stuck = change >= 0.1 * before and change <= FLOOR * FLOOR * scale
        if stuck or change <= GRAIN * grain or change <= STILL:
            call(kernel, q, xi, e, theta, out)
            return DONE
        before = change
    return NOT_CONVERGED


@njit(forceinline=True)
def turn_of(spherical, xi, h):  # type: ignore[no-untyped-def]
    """Largest turn of a spherical joint in the step (rad)."""
    largest = 0.0
    for s in spherical:
        largest = max(largest, xi[s] ** 2 + xi[s + 1] ** 2 + xi[s + 2] ** 2)
    return abs(h) * np.sqrt(largest)


@njit(forceinline=True)
def solve_free(plant, work, h, stage):  # type: ignore[no-untyped-def]
    """ξ of one substep with nothing held; DONE, or why not."""
    clock = work.clock
    if clock[FACTOR_H] == 0.0 or clock[CONTRACTION] > SLOW or (plant.resists and h != clock[FACTOR_H]):
        refactor(plant.kernels, plant.theta, work.q, work.xi, work.e, work.factor, work.moved, clock, h)
        work.counts[FACTORS] += 1
    used = iterate(plant.kernels[NEWTON], plant.theta, work.q, work.xi, work.e, work.out, clock)
    work.counts[EVALUATIONS] += abs(used)
    status = DONE
    if used < 0:
        clock[FACTOR_H], clock[CONTRACTION] = 0.0, 1.0
        work.counts[EXACT] += 1
        status = exact_newton(
            plant.kernels[NEWTON], plant.theta, work.q, work.xi, work.e, work.out, work.history, stage,
            work.jacobian, work.newton,
        )  # fmt: skip
    return status


@njit(forceinline=True)
def keep_ledger(plant, work, h, weigh):  # type: ignore[no-untyped-def]
    """Add the substep's works, and gravity's impulse and turn about the centre of mass, to the account; those are to be
    found first, if `weigh`."""
    n, account = plant.nv, work.account
    for k in range(3):
        account[k] += h * work.out[2 * n + k]
    account[CONTACTS] += h * work.clock[CONTACT_POWER]
    if plant.kernels[WEIGHT] != 0:
        if weigh:
            call(plant.kernels[WEIGHT], work.q, work.xi, work.e, plant.theta, work.weight)
        for k in range(6):
            account[4 + k] += h * work.weight[k]


@njit(forceinline=True)
def before_step(plant, work, h, stage):  # type: ignore[no-untyped-def]
    """Set the step's inputs and predict ξ."""
    work.e[0] = h
    if plant.orbit.size > 0:
        position(plant.orbit, work.clock[TIME] + 0.5 * h, work.e[1:4])
    n = plant.nv
    predict(work.history, stage, min(work.depths[VELOCITIES, stage], work.counts[LENGTH]), work.xi, n)
    if stage > 0:  # within a composition the stage before tells how far predictions are off
        for i in range(n):
            work.xi[i] += work.surprise[i]


@njit(forceinline=True)
def after_step(plant, work, h, stage, ledger, weigh):  # type: ignore[no-untyped-def]
    """Move on by the ξ that was found; DONE, or why not."""
    n = plant.nv
    if plant.spherical.size > 0 and not turn_of(plant.spherical, work.xi, h) <= TURN_LIMIT:
        return TURN_TOO_LARGE
    if ledger:
        keep_ledger(plant, work, h, weigh)
    call(plant.kernels[ADVANCE], work.q, work.xi, work.e, plant.theta, work.moved)
    for i in range(plant.nq):
        work.q[i] = work.moved[i]
    for i in range(n):
        work.e[4 + n + i] = work.moved[plant.nq + i]
    work.clock[TIME] += h
    if work.history.shape[0] > 1:
        for i in range(n):
            work.surprise[i] = work.xi[i] - work.history[stage, i, DEPTH]
    work.depths[VELOCITIES, stage] = remember(work.history, stage, work.counts[LENGTH], work.xi, n, work.missed)
    return DONE
