"""The step with compliant contacts: Newton's method on their forces and on what holds (docs/theory/contact.md)."""

import numpy as np
from numba import njit

from softdock.dynamics.compliance import DEEPEST, LOAD, POWER, RATE, along, contact_rows, ease
from softdock.dynamics.latch import (
    CLOSED,
    DEPENDENT,
    begin_push,
    compliance,
    correct,
    end_push,
    grain_of,
    reach_of,
    rows_at,
    stiffness_of,
)
from softdock.dynamics.linear import semidefinite_factor
from softdock.dynamics.plant import (
    ACCOUNTS,
    ADVANCE,
    CONTACT_POWER,
    EVALUATIONS,
    FACTOR,
    FACTOR_H,
    FACTORS,
    NEWTON,
    SOLVE,
    STIFF,
    TOLERANCE,
)
from softdock.dynamics.step import DONE, FLOOR, GRAIN, NOT_CONVERGED, NOT_FINITE, STILL, TOO_STIFF
from softdock.kernels import call

MAX_ITERATIONS = 100
PATIENCE = 6
"""Iterations until friction has its true slope: from afar its secant, which never overshoots, is safer. If the slope
overshoots, the secant is taken again, for twice as long."""
SLOW = 0.1
"""Contraction above which the iteration's matrix is made anew."""
RESOLVED = 0.6
"""Largest h ω of a contact, ω² its stiffness over the mass that it moves: ten steps a period."""


@njit(forceinline=True)
def stiffest(holds, owner, m, total):  # type: ignore[no-untyped-def]
    """The largest h ω of a gap: (h ω / 2)² is the elastic share of its rows' A W⁻¹ Aᵀ (before 1 is added)."""
    most, now, gap = 0.0, 0.0, -1
    for i in range(m, total):
        if owner[i] != gap:
            gap, now = owner[i], 0.0
        now += holds.c[i] * holds.S[i, i]
        most = max(most, now)
    return 2.0 * np.sqrt(most)


@njit(forceinline=True)
def foreseen(stiff, state, h):  # type: ignore[no-untyped-def]
    """The largest h ω that a contact will reach as deep as its motion carries it: with ω² = k n ρⁿ⁻¹/m now,
    (ρ_most/ρ)ⁿ⁺¹ = 1 + ½ n (n + 1) (ρ̇/(ω ρ))²."""
    rho, rate, n = state[DEEPEST], state[RATE], state[POWER]
    if stiff <= 0.0 or rho <= 0.0 or rate <= 0.0:
        return stiff
    return stiff * (1.0 + 0.5 * n * (n + 1.0) * (h * rate / (stiff * rho)) ** 2) ** (0.5 * (n - 1.0) / (n + 1.0))


@njit(forceinline=True)
def verdict(status, clock, ahead):  # type: ignore[no-untyped-def]
    """The status, or TOO_STIFF if the step does not resolve the contact; then STIFF is as much as is to come."""
    if (status == DONE and clock[STIFF] > RESOLVED) or (status == NOT_CONVERGED and ahead > RESOLVED):
        clock[STIFF] = max(clock[STIFF], ahead)
        return TOO_STIFF
    return status


@njit(cache=True, nogil=True)
def solve_touching(plant, work, h, stage):  # type: ignore[no-untyped-def]
    """ξ of one substep with compliant contacts, and with what holds; DONE, or why not."""
    n, holds, touch, clock = plant.nv, work.holds, work.touch, work.clock
    factor, e = work.factor, work.e
    call(plant.kernels[FACTOR], work.q, work.xi, e, plant.theta, factor)
    work.counts[FACTORS] += 1
    clock[FACTOR_H] = 0.0
    m = rows_at(plant, work, work.q, holds.c, holds.A)
    reach = reach_of(work.q)
    begin_push(work, holds.A, n, m, h, stage, False)
    for k in range(n):
        touch.command[k] = e[4 + k]
    ease(plant, work, touch.force)
    status, before, rate, ahead, known = NOT_CONVERGED, np.inf, 0.0, 0.0, -1
    sharp_from, patience = PATIENCE, PATIENCE
    for iteration in range(MAX_ITERATIONS):
        e[0] = 0.5 * h
        call(plant.kernels[ADVANCE], work.q, work.xi, e, plant.theta, work.moved)
        e[0] = h
        total = contact_rows(plant, work, work.moved, h, m, iteration >= sharp_from)
        power = along(touch.force, work.xi)
        for k in range(n):
            e[4 + k] = touch.command[k] + touch.force[k]
        call(plant.kernels[NEWTON], work.q, work.xi, e, plant.theta, work.out)
        work.counts[EVALUATIONS] += 1
        if total != known or rate > SLOW:
            known = total
            compliance(plant.kernels[SOLVE], plant.theta, factor, holds.A, total, holds.Y, holds.S)
            clock[STIFF] = stiffest(holds, touch.owner, m, total)
            if iteration == 0:
                ahead = foreseen(clock[STIFF], touch.state, h)
            for i in range(m, total):
                holds.S[i, i] += 1.0
            semidefinite_factor(holds.S, total, holds.kept, holds.order, DEPENDENT)
        if m > 0:
            call(plant.kernels[ADVANCE], work.q, work.xi, e, plant.theta, work.moved)
            rows_at(plant, work, work.moved, holds.c, holds.ahead)
        change, violation = correct(work, n, m, total, h, reach)
        if not np.isfinite(change):
            status = NOT_FINITE
            break
        scale = work.out[2 * n + 4] + touch.state[LOAD]  # at rest only the contacts hold energy
        rate = np.sqrt(change / before)
        # not rate² × change, as elsewhere: the work of the contacts is that of the last evaluation
        small = change <= clock[TOLERANCE] ** 2 * scale + grain_of(work, stiffness_of(holds.S, holds.kept, m), h, reach)
        small = small or change <= GRAIN * work.out[2 * n + 5] or change <= STILL
        if (small or (rate > 0.3 and change <= FLOOR * FLOOR * scale)) and violation <= CLOSED * reach:
            status = DONE
            clock[CONTACT_POWER] = power
            for k in range(touch.filling.size):
                work.account[ACCOUNTS + k] = max(0.0, work.account[ACCOUNTS + k] + h * touch.filling[k])
            work.out[2 * n] -= power
            break
        if iteration >= sharp_from and change > before:
            patience *= 2
            sharp_from = iteration + patience
        before = change
    status = verdict(status, clock, ahead)
    for k in range(n):
        e[4 + k] = touch.command[k]
    end_push(work, m, h, stage)
    return status
