"""The step with contacts that touch: compliant ones and located ones that rest, and with latches.

Newton's method on the forces of compliant contacts (docs/theory/contact.md) and the violations of latches; in each
iteration the points of located contacts are solved by their own laws (resting.py).
"""

import numpy as np

from softdock.dynamics.compliance import ease, soft_rows
from softdock.dynamics.guard import CLOSED, check_cones
from softdock.dynamics.latch import (
    begin_push,
    compliance_in_step,
    end_push,
    factor_rows,
    grain_of,
    keep_load,
    rows_at,
    solve_rows,
    stiffness_of,
)
from softdock.dynamics.latch_system import reach_of
from softdock.dynamics.manifold import points_moved
from softdock.dynamics.resting import (
    SHORT,
    UNSOLVED,
    begin_bend,
    begin_points,
    bend,
    delassus_in_step,
    end_points,
    move_straight,
    push_points,
)
from softdock.dynamics.status import CONTACTS_FULL, DONE, NO_SOLUTION, NOT_CONVERGED, NOT_FINITE, TOO_STIFF
from softdock.dynamics.step import FLOOR, GRAIN, STILL
from softdock.dynamics.stiction import break_away, end_dry
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.linear import FAST, dot
from softdock.mechanics.tree import NOISE

MAX_ITERATIONS = 100
PATIENCE = 6
"""Iterations until friction has its true slope: from afar its secant, which never overshoots, is safer. If the slope
overshoots, the secant is taken again, for twice as long."""
PATIENT = 12
"""Iterations after which impulses of points that swing to and fro (redundant ones have a choice) go half way."""
WORN, UNDECIDED = 40, 1e-6
"""Iterations, and relative change of ξ with which points at rest are content after them: those that slide and are
redundant leave a choice between solutions, and may swing between two for ever."""
SLOW = 0.1
"""Contraction above which the iteration's matrix is made anew."""
RESOLVED = 0.6
"""Largest h ω and h λ of a contact, ω² its stiffness and λ its viscosity over the mass that it moves: ten steps a
period."""


@njit(forceinline=True)
def stiffest(held, touch, m, total):
    """The largest h ω or h λ of a contact: (h ω / 2)² is the elastic share of its rows' A W⁻¹ Aᵀ (before 1 is added),
    h λ/2 the damped one."""
    most, elastic, damped, which = 0.0, 0.0, 0.0, -1
    for i in range(m, total):
        if touch.owner[i] != which:
            which, elastic, damped = touch.owner[i], 0.0, 0.0
        elastic += held.c[i] * held.S[i, i]
        damped += touch.damped[i] * held.S[i, i]
        most = max(most, np.sqrt(elastic), damped)
    return 2.0 * most


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
def answer_rows(state, n, m, total, h, reach):
    """What the first m rows, of latches, push for the sake of residual and violation, and what the rows from m to
    `total`, of compliant contacts, answer, in `held.push`. Returns the violation."""
    held, newton, violation = state.held, state.input.newton, 0.0
    for i in range(m):
        violation = max(violation, abs(held.c[i]))
    weight = -1.0 / h if violation > NOISE * reach else 0.0
    for i in range(total):
        slip = weight * held.c[i] if i < m else 0.0
        for k in range(n):
            slip -= held.A[i, k] * newton.step[k]
        held.push[i] = slip
    if total > 0:
        solve_rows(held, total, held.push)
    return violation


@njit(cache=True, nogil=True, fastmath=FAST)
def correct(state, n, m, total):
    """Change ξ by the newton step and the answers, and p and the impulses of latches by what they push. (Compliant
    rows only stiffen the matrix.) Returns the change, in the norm of kinetic energy."""
    held, newton, points, momentum = state.held, state.input.newton, state.points, state.input.momentum
    change = 0.0
    for k in range(n):
        d, r = newton.step[k], 0.0
        for i in range(m):
            d += held.Y[i, k] * held.push[i]
            r += held.A[i, k] * held.push[i]
        for i in range(3 * points.number):
            d += points.Y[i, k] * points.r[i]
            r += points.J[i, k] * points.r[i]
        momentum[k] += r
        r += newton.residual[k]
        for i in range(m, total):
            d += held.Y[i, k] * held.push[i]
            r += held.A[i, k] * held.push[i]
        state.xi[k] += d
        points.moved[k], points.loaded[k] = d, r
        change += d * r
    for i in range(m):
        held.multipliers[i] += held.push[i]
    return abs(change)


@njit(cache=True, nogil=True, fastmath=FAST)
def load_of(points, n):
    """What the impulses of points at rest could do (J): at rest there is no kinetic energy to compare a change with."""
    energy = 0.0
    for k in range(n):
        load, answer = 0.0, 0.0
        for i in range(3 * points.number):
            load += points.J[i, k] * points.impulse[i]
            answer += points.Y[i, k] * points.impulse[i]
        energy += load * answer
    return energy


@njit(cache=True, nogil=True)
def stiffness_of_points(points):
    """Of the normals of all points together, each for itself: what the rounding of their gaps is multiplied with."""
    total = 0.0
    for i in range(points.number - points.dry):
        total += 1.0 / points.G[3 * i, 3 * i]
    return total


@njit(cache=True, nogil=True)
def solve_touching(plant, state, h, stage):
    """ξ of one substep with contacts that touch, and with what holds; DONE, or why not."""
    n, held, touch, clock, moved, points = (
        plant.nv, state.held, state.compliance, state.clock, state.moved, state.points
    )  # fmt: skip
    given, newton, soft = state.input, state.input.newton, state.compliance.touching or state.held.sprung
    clock.contact_power = 0.0
    call(plant.kernels.factor, state.q, state.xi, given.vector, plant.theta, given.factor)
    state.counts.factorisations += 1
    clock.factor_h = 0.0
    m = rows_at(plant, state, state.q, held.c, held.A)
    reach = reach_of(state.q)
    begin_push(state, held.A, n, m, h, stage)
    if not begin_points(plant, state, h, reach):
        return CONTACTS_FULL
    for k in range(n):
        touch.command[k] = given.command[k]
    if touch.touching:
        ease(plant, state, touch.force)
    status, before, rate, ahead, known, total, power = NOT_CONVERGED, np.inf, 0.0, 0.0, -1, m, 0.0
    sharp_from, patience, gentle = PATIENCE, PATIENCE, False
    for iteration in range(MAX_ITERATIONS):
        if soft:
            given.h = 0.5 * h
            call(plant.kernels.advance, state.q, state.xi, given.vector, plant.theta, moved.vector)
            given.h = h
            total = soft_rows(plant, state, moved.q, h, m, iteration >= sharp_from)
            if total < 0:
                status = CONTACTS_FULL
                break
            power = dot(touch.force, state.xi)
            for k in range(n):
                given.command[k] = touch.command[k] + touch.force[k]
        call(plant.kernels.newton, state.q, state.xi, given.vector, plant.theta, newton.vector)
        state.counts.evaluations += 1
        if total != known or (soft and rate > SLOW):
            known = total
            compliance_in_step(plant, state, total)
            clock.stiffness = stiffest(held, touch, m, total)
            if iteration == 0:
                ahead = foreseen(clock.stiffness, touch.contact, h)
            for i in range(m, total):
                held.S[i, i] += 1.0
            if total > 0:
                factor_rows(held, total)
            delassus_in_step(plant, state, total)
            begin_bend(points)
        if m > 0 or points.number > 0:
            call(plant.kernels.advance, state.q, state.xi, given.vector, plant.theta, moved.vector)
            rows_at(plant, state, moved.q, held.c, held.ahead)
        violation = answer_rows(state, n, m, total, h, reach)
        if points.number > 0:
            if points.part < SHORT:
                move_straight(state, h)
            else:
                points_moved(plant, state, moved.q)
            if iteration > 2 and rate > SLOW:
                bend(state, h, total)
            gentle = gentle or (iteration >= PATIENT and rate > 0.5)
            violation = max(violation, push_points(plant, state, h, reach, total, 0.5 if gentle else 1.0))
            for i in range(points.number):
                points.last[i] = points.gap[i]
        change = correct(state, n, m, total)
        if not np.isfinite(change):
            status = NOT_FINITE
            break
        scale = newton.scale + touch.contact.load * soft  # at rest only the contacts hold energy
        rate = np.sqrt(change / before)
        # not rate² × change, as elsewhere: the work of the contacts is that of the last evaluation
        stiffness = stiffness_of(held.S, held.independent, m)
        enough = clock.tolerance**2 * scale + grain_of(state, stiffness, h, reach)
        if points.number > 0:
            enough += clock.tolerance**2 * load_of(points, n) + (5.0 * points.floor) ** 2 * stiffness_of_points(points)
        small = change <= enough or change <= GRAIN * newton.grain or change <= STILL
        small = small or (iteration > WORN and points.number > 0 and change <= UNDECIDED**2 * scale)
        if (small or (rate > 0.3 and change <= FLOOR * FLOOR * scale)) and violation <= CLOSED * reach:
            if break_away(plant, state):
                before = np.inf
                continue
            status = DONE if points.number == 0 or points.error <= UNSOLVED else NO_SOLUTION
            if soft:
                clock.contact_power = power
                for i in range(state.proximity.seen.number):
                    k = state.proximity.near[i]
                    touch.stored[k] = max(0.0, touch.stored[k] + h * touch.filling[k])
                    for c in range(6):
                        touch.impulse[6 * k + c] += h * touch.wrench[k, c]
                newton.powers[0] -= power  # the contacts' force went in with the actuators'
            break
        if iteration >= sharp_from and change > before:
            patience *= 2
            sharp_from = iteration + patience
        before = change
    if soft:
        clock.demand = max(clock.demand, clock.stiffness, ahead)
        status = verdict(status, clock, ahead)
    if points.number > 0:
        rubbed = end_dry(plant, state, h) if status == DONE else 0.0
        taken = end_points(state, h)
        clock.contact_power += taken - rubbed
        state.guard.of.rested = h * taken
        newton.powers[2] += rubbed
        if status == DONE:
            status = check_cones(state, points.impulse)
    for k in range(n):
        given.command[k] = touch.command[k]
    state.guard.of.touched = True
    end_push(state, m, h, stage)
    keep_load(state, False)
    return status
