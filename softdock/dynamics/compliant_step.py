"""The step with compliant contacts: Newton's method on their forces and on what holds (docs/theory/contact.md)."""

import numpy as np

from softdock.dynamics.compliance import along, contact_rows, ease
from softdock.dynamics.latch import (
    CLOSED,
    begin_push,
    compliance_in_step,
    correct,
    end_push,
    factor_rows,
    grain_of,
    reach_of,
    rows_at,
    stiffness_of,
)
from softdock.dynamics.status import DONE, NOT_CONVERGED, NOT_FINITE, TOO_STIFF
from softdock.dynamics.step import FLOOR, GRAIN, STILL
from softdock.kernels import call
from softdock.kernels.jit import njit

MAX_ITERATIONS = 100
PATIENCE = 6
"""Iterations until friction has its true slope: from afar its secant, which never overshoots, is safer. If the slope
overshoots, the secant is taken again, for twice as long."""
SLOW = 0.1
"""Contraction above which the iteration's matrix is made anew."""
RESOLVED = 0.6
"""Largest h ω of a contact, ω² its stiffness over the mass that it moves: ten steps a period."""


@njit(forceinline=True)
def stiffest(held, owner, m, total):
    """The largest h ω of a contact: (h ω / 2)² is the elastic share of its rows' A W⁻¹ Aᵀ (before 1 is added)."""
    most, now, which = 0.0, 0.0, -1
    for i in range(m, total):
        if owner[i] != which:
            which, now = owner[i], 0.0
        now += held.c[i] * held.S[i, i]
        most = max(most, now)
    return 2.0 * np.sqrt(most)


@njit(forceinline=True)
def foreseen(stiff, contact, h):
    """The largest h ω that a contact will reach as deep as its motion carries it: with ω² = k n ρⁿ⁻¹/m now,
    (ρ_most/ρ)ⁿ⁺¹ = 1 + ½ n (n + 1) (ρ̇/(ω ρ))²."""
    rho, rate, n = contact.depth, contact.rate, contact.exponent
    if stiff <= 0.0 or rho <= 0.0 or rate <= 0.0:
        return stiff
    return stiff * (1.0 + 0.5 * n * (n + 1.0) * (h * rate / (stiff * rho)) ** 2) ** (0.5 * (n - 1.0) / (n + 1.0))


@njit(forceinline=True)
def verdict(status, clock, ahead):
    """The status, or TOO_STIFF if the step does not resolve the contact; then `stiffness` is what is to come."""
    if (status == DONE and clock.stiffness > RESOLVED) or (status == NOT_CONVERGED and ahead > RESOLVED):
        clock.stiffness = max(clock.stiffness, ahead)
        return TOO_STIFF
    return status


@njit(cache=True, nogil=True)
def solve_compliant(plant, state, h, stage):
    """ξ of one substep with compliant contacts, and with what holds; DONE, or why not."""
    n, held, touch, clock, moved = plant.nv, state.held, state.compliance, state.clock, state.moved
    given, newton = state.input, state.input.newton
    call(plant.kernels.factor, state.q, state.xi, given.vector, plant.theta, given.factor)
    state.counts.factorisations += 1
    clock.factor_h = 0.0
    m = rows_at(plant, state, state.q, held.c, held.A)
    reach = reach_of(state.q)
    begin_push(state, held.A, n, m, h, stage, False)
    for k in range(n):
        touch.command[k] = given.command[k]
    ease(plant, state, touch.force)
    status, before, rate, ahead, known = NOT_CONVERGED, np.inf, 0.0, 0.0, -1
    sharp_from, patience = PATIENCE, PATIENCE
    for iteration in range(MAX_ITERATIONS):
        given.h = 0.5 * h
        call(plant.kernels.advance, state.q, state.xi, given.vector, plant.theta, moved.vector)
        given.h = h
        total = contact_rows(plant, state, moved.q, h, m, iteration >= sharp_from)
        power = along(touch.force, state.xi)
        for k in range(n):
            given.command[k] = touch.command[k] + touch.force[k]
        call(plant.kernels.newton, state.q, state.xi, given.vector, plant.theta, newton.vector)
        state.counts.evaluations += 1
        if total != known or rate > SLOW:
            known = total
            compliance_in_step(plant, state, total)
            clock.stiffness = stiffest(held, touch.owner, m, total)
            if iteration == 0:
                ahead = foreseen(clock.stiffness, touch.contact, h)
            for i in range(m, total):
                held.S[i, i] += 1.0
            factor_rows(held, total)
        if m > 0:
            call(plant.kernels.advance, state.q, state.xi, given.vector, plant.theta, moved.vector)
            rows_at(plant, state, moved.q, held.c, held.ahead)
        change, violation = correct(state, n, m, total, h, reach)
        if not np.isfinite(change):
            status = NOT_FINITE
            break
        scale = newton.scale + touch.contact.load  # at rest only the contacts hold energy
        rate = np.sqrt(change / before)
        # not rate² × change, as elsewhere: the work of the contacts is that of the last evaluation
        stiffness = stiffness_of(held.S, held.independent, m)
        small = change <= clock.tolerance**2 * scale + grain_of(state, stiffness, h, reach)
        small = small or change <= GRAIN * newton.grain or change <= STILL
        if (small or (rate > 0.3 and change <= FLOOR * FLOOR * scale)) and violation <= CLOSED * reach:
            status = DONE
            clock.contact_power = power
            for k in range(touch.filling.size):
                touch.stored[k] = max(0.0, touch.stored[k] + h * touch.filling[k])
            newton.powers[0] -= power  # the contacts' force went in with the actuators'
            break
        if iteration >= sharp_from and change > before:
            patience *= 2
            sharp_from = iteration + patience
        before = change
    status = verdict(status, clock, ahead)
    for k in range(n):
        given.command[k] = touch.command[k]
    end_push(state, m, h, stage, False)
    return status
