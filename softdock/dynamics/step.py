"""The step: predict, iterate, advance. Solves the equations of mechanics/step.py for ξ."""

import numpy as np
from numba import njit

from softdock.dynamics.latch import constrained_update, project
from softdock.dynamics.linear import cholesky_solve
from softdock.dynamics.mass import factor_step_matrix, has_resistance
from softdock.dynamics.plant import DEPTH
from softdock.dynamics.orbit import position
from softdock.kernels import call

DONE, NOT_CONVERGED, TURN_TOO_LARGE, NOT_FINITE = range(4)

MAX_ITERATIONS = 12
ROUNDING = 1e-15
SLOW = 0.02
"""Contraction above which the step matrix is factored anew."""


@njit(cache=True, nogil=True)
def predict(work, stage, depth):  # type: ignore[no-untyped-def]
    """ξ of a stage, by the polynomial through its last `depth` values."""
    n = work.xi.size
    history = work.history[stage]
    c = 1.0
    for i in range(n):
        work.xi[i] = 0.0
    for k in range(depth):
        c = c * (depth - k) / (k + 1)
        sign = c if k % 2 == 0 else -c
        for i in range(n):
            work.xi[i] += sign * history[k, i]


@njit(cache=True, nogil=True)
def remember(work, stage):  # type: ignore[no-untyped-def]
    """Push ξ on the stage's history."""
    history = work.history[stage]
    n = work.xi.size
    for k in range(DEPTH - 1, 0, -1):
        for i in range(n):
            history[k, i] = history[k - 1, i]
    for i in range(n):
        history[0, i] = work.xi[i]


@njit(cache=True, nogil=True)
def refactor(plant, work, h):  # type: ignore[no-untyped-def]
    """Factor the step matrix at the predicted middle of the step."""
    work.e[0] = 0.5 * h
    call(plant.kernels[1], work.q, work.xi, work.e, plant.theta, work.moved)
    work.e[0] = h
    failed = factor_step_matrix(plant, work.inertia, work.moved[: plant.nq], work.xi, h, work.factor)
    work.clock[1] = h if failed < 0 else 0.0
    work.counts[2] += 1
    return failed


@njit(cache=True, nogil=True)
def turn_of(plant, xi, h):  # type: ignore[no-untyped-def]
    """Largest turn of a spherical joint in the step (rad)."""
    largest = 0.0
    for s in plant.spherical:
        largest = max(largest, h * h * (xi[s] ** 2 + xi[s + 1] ** 2 + xi[s + 2] ** 2))
    return np.sqrt(largest)


@njit(cache=True, nogil=True)
def energy_scale(work, n, h):  # type: ignore[no-untyped-def]
    """About 2T: ξ·p and the work of the force, the scale of the squared energy norm."""
    p, g = work.e[4 + n : 4 + 2 * n], work.out[n : 2 * n]
    kinetic, push = 0.0, 0.0
    for i in range(n):
        kinetic += work.xi[i] * p[i]
        push += work.xi[i] * g[i]
    return abs(kinetic) + abs(h * push)


@njit(cache=True, nogil=True)
def iterate(plant, work, h):  # type: ignore[no-untyped-def]
    """Simplified Newton iteration on ξ; DONE, or why not. Norms are of kinetic energy."""
    n = plant.nv
    rate, before, tolerance = work.clock[2], -1.0, work.clock[3]
    worst_rate = 0.0
    for iteration in range(MAX_ITERATIONS):
        call(plant.kernels[0], work.q, work.xi, work.e, plant.theta, work.out)
        work.counts[1] += 1
        for i in range(n):
            work.d[i] = work.out[i]
        cholesky_solve(work.factor, n, work.d)
        change = 0.0
        for i in range(n):
            change += work.d[i] * work.out[i]
            work.xi[i] += work.d[i]
        if not np.isfinite(change):
            return NOT_FINITE
        scale = energy_scale(work, n, h)
        if before > 0.0:
            rate = np.sqrt(abs(change) / before)
            worst_rate = max(worst_rate, rate)
        # What is left after this change is about rate × change, in ξ and (h × slope ≈ rate) in the force.
        if abs(change) <= (16 * ROUNDING) ** 2 * scale or rate * rate * abs(change) <= tolerance * tolerance * scale:
            break
        if iteration == MAX_ITERATIONS - 1 or (iteration > 2 and rate > 0.7):
            return NOT_CONVERGED
        before = abs(change)
    if worst_rate > 0.0:
        work.clock[2] = min(worst_rate, 1.0)
    return DONE


@njit(cache=True, nogil=True)
def exact_newton(plant, work, h):  # type: ignore[no-untyped-def]
    """Newton's method with the residual's own Jacobian (by differences), for steps that turn far or
    that stiff forces bend; slower, rarely needed."""
    n = plant.nv
    J = np.empty((n, n))
    base = np.empty(n)
    before = np.inf
    work.counts[3] += 1
    for _ in range(4 * MAX_ITERATIONS):
        call(plant.kernels[0], work.q, work.xi, work.e, plant.theta, work.out)
        work.counts[1] += 1
        base[:] = work.out[:n]
        if not np.all(np.isfinite(base)):
            return NOT_FINITE
        scale = energy_scale(work, n, h)
        for j in range(n):
            kept = work.xi[j]
            nudge = 1e-7 * max(1.0, abs(kept))
            work.xi[j] = kept + nudge
            call(plant.kernels[0], work.q, work.xi, work.e, plant.theta, work.out)
            J[:, j] = (work.out[:n] - base) / nudge
            work.xi[j] = kept
        d = np.linalg.solve(J, -base)
        change = abs(np.dot(d, base))
        work.xi[:] = work.xi + d
        if change <= 100 * ROUNDING * ROUNDING * scale or (change <= 1e-26 * scale and change >= 0.1 * before):
            call(plant.kernels[0], work.q, work.xi, work.e, plant.theta, work.out)
            return DONE
        before = change
    return NOT_CONVERGED


@njit(cache=True, nogil=True)
def solve_free(plant, work, h, stage):  # type: ignore[no-untyped-def]
    """ξ of one substep without engaged latches."""
    depth = min(work.counts[4], DEPTH)
    predict(work, stage, depth)
    if work.clock[1] == 0.0 or work.clock[2] > SLOW or (h != work.clock[1] and has_resistance(plant)):
        if refactor(plant, work, h) >= 0:
            return exact_newton(plant, work, h)
    status = iterate(plant, work, h)
    if status == DONE:
        return DONE
    predict(work, stage, min(depth, 1))
    work.clock[1], work.clock[2] = 0.0, 1.0
    return exact_newton(plant, work, h)


@njit(cache=True, nogil=True)
def substep(plant, work, h, stage, ledger):  # type: ignore[no-untyped-def]
    """One midpoint step of size h (negative within a composition)."""
    n, t = plant.nv, work.clock[0]
    work.e[0] = h
    if plant.orbit.size > 0:
        position(plant.orbit, t + 0.5 * h, work.e[1:4])
    held = np.any(work.engaged)
    if held:
        predict(work, stage, min(work.counts[4], DEPTH))
        status = constrained_update(plant, work, h, work.xi.copy())
    else:
        status = solve_free(plant, work, h, stage)
    if status != DONE:
        return status
    if turn_of(plant, work.xi, h) > 2.0:
        return TURN_TOO_LARGE
    if ledger:
        keep_ledger(plant, work, h)
    for i in range(n):
        work.e[4 + 2 * n + i] = work.out[n + i]
    call(plant.kernels[1], work.q, work.xi, work.e, plant.theta, work.moved)
    for i in range(plant.nq):
        work.q[i] = work.moved[i]
    for i in range(n):
        work.e[4 + n + i] = work.moved[plant.nq + i]
    if held:
        project(plant, work)
    remember(work, stage)
    work.clock[0] = t + h
    return DONE


@njit(cache=True, nogil=True)
def keep_ledger(plant, work, h):  # type: ignore[no-untyped-def]
    """Add the substep's works and gravity's impulses to the account."""
    n = plant.nv
    for k in range(3):
        work.work[k] += h * work.out[2 * n + k]
    work.e[0] = 0.5 * h
    call(plant.kernels[1], work.q, work.xi, work.e, plant.theta, work.moved)
    work.e[0] = h
    w = np.empty(9)
    call(plant.kernels[4], work.moved, work.xi, work.e[1:4], plant.theta, w)
    F, turn, moment = w[:3], w[3:6], w[6:] / plant.mass
    for k in range(3):
        a, b = (k + 1) % 3, (k + 2) % 3
        work.work[4 + k] += h * F[k]
        work.work[7 + k] += h * (turn[k] - (moment[a] * F[b] - moment[b] * F[a]))
