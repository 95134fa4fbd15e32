"""The step with contacts that touch: compliant ones and located ones that rest, and with latches.

Newton's method on the forces of compliant contacts (docs/theory/contact.md) and the violations of latches; in each
iteration the points of located contacts are solved by their own laws (resting.py).
"""

import numpy as np

from softdock.dynamics.compliance import ease, soft_rows
from softdock.dynamics.guard import CLOSED, ENERGY, check_cones, check_gains
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
from softdock.dynamics.manifold import fill_rows, points_moved, turn_caps
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
from softdock.dynamics.sliding import still_slides
from softdock.dynamics.status import (
    CONTACTS_FULL,
    DONE,
    NO_SOLUTION,
    NOT_CONVERGED,
    NOT_FINITE,
    OFF_BALANCE,
    TOO_DEEP,
    TOO_STIFF,
)
from softdock.dynamics.step import FLOOR, GRAIN, STILL, count_pushes, grain_of_residual
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
OUT = 1e-7
"""Depth (m) out of which contacts at rest may push in a step."""
UNMADE, LENT = 1e-3, 1e-4
"""Work of contacts at rest in a step, relative to the kinetic energy before it and to what their impulses could do,
above which the step is too long; and that of the first half of what they push, which the second half takes back, above
which it is divided, though not beyond a limit."""
TURNS = 8
"""How often caps may be turned in a step (manifold.turn_caps)."""
KINKED = 1e-8
"""The same for compliant contacts, whose patch's law has kinks."""
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
    if (status in (DONE, TOO_DEEP) and clock.stiffness > RESOLVED) or (status == NOT_CONVERGED and ahead > RESOLVED):
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
    weight, short = -1.0 / h if violation > NOISE * reach else 0.0, state.points.part < SHORT
    for i in range(total):
        slip = weight * held.c[i] if i < m else 0.0
        for k in range(n):
            slip -= held.A[i, k] * newton.step[k]
        if i < m and short:  # as points do then (`move_straight`), or what is jammed between bodies would be squeezed
            slip = -dot(held.A[i], state.xi) - dot(held.A[i], newton.step)
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


@njit(forceinline=True)
def feel(plant, state, h, m, sharp):
    """The forces of what is compliant at the middle of the step, in the command, and their rows from row m on: how many
    rows there are then, −1 if too many, the contact that is too deep, or −1, and the power of the forces (W)."""
    given, touch = state.input, state.compliance
    given.h = 0.5 * h
    call(plant.kernels.advance, state.q, state.xi, given.vector, plant.theta, state.moved.vector)
    given.h = h
    total, too_deep = soft_rows(plant, state, state.moved.q, h, m, sharp)
    for k in range(plant.nv):
        given.command[k] = touch.command[k] + touch.force[k]
    return total, too_deep, dot(touch.force, state.xi)


@njit(forceinline=True)
def renew(plant, state, m, total):
    """The step's answer to unit impulses of `total` rows, of which the first m are latches', and of the points."""
    held = state.held
    compliance_in_step(plant, state, total)
    state.clock.stiffness = stiffest(held, state.compliance, m, total)
    for i in range(m, total):
        held.S[i, i] += 1.0
    if total > 0:
        factor_rows(held, total)
    delassus_in_step(plant, state, total)
    begin_bend(state.points)


@njit(forceinline=True)
def press_points(plant, state, h, reach, total, bent, share):
    """Where points are at the step's end, and their impulses for it (or a share of the change); the violation."""
    points = state.points
    if points.part < SHORT:
        move_straight(state, h)
    else:
        points_moved(plant, state, state.moved.q)
    if bent:
        bend(state, h, reach, total)
    violation = push_points(plant, state, h, reach, total, share)
    for i in range(points.number):
        points.last[i] = points.gap[i]
    return violation


@njit(forceinline=True)
def small_enough(plant, state, n, m, h, reach, change, rate, iteration, soft):
    """Is the last change of ξ one that may be left?"""
    held, newton, clock, points = state.held, state.input.newton, state.clock, state.points
    scale = newton.scale + state.compliance.contact.load * soft  # at rest only the contacts hold energy
    # not rate² × change, as elsewhere: the work of the contacts is that of the last evaluation
    enough = clock.tolerance**2 * scale + grain_of(state, stiffness_of(held.S, held.independent, m), h, reach)
    if points.number > 0:
        enough += clock.tolerance**2 * load_of(points, n) + (5.0 * points.floor) ** 2 * stiffness_of_points(points)
    small = change <= enough or change <= STILL or change <= GRAIN * grain_of_residual(plant, state)
    small = small or (rate > 0.3 and change <= FLOOR * FLOOR * scale)
    return small or (iteration > WORN and change <= (UNDECIDED if points.number > 0 else KINKED) ** 2 * scale)


@njit(forceinline=True)
def keep_soft(state, h, power):
    """Keep what compliant contacts hold and what they pushed in the step."""
    touch = state.compliance
    state.clock.contact_power = power
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        touch.stored[k] = max(0.0, touch.stored[k] + h * touch.filling[k])
        for c in range(6):
            touch.impulse[6 * k + c] += h * touch.wrench[k, c]
        force = touch.wrench[k, :3]
        touch.traded[k, 2] = max(touch.traded[k, 2], np.sqrt(dot(force, force)))
    state.input.newton.powers[0] -= power  # the contacts' force went in with the actuators'


@njit(cache=True, nogil=True)
def keep_points(plant, state, h, status):
    """Keep the impulses of points at rest, and their work; the status. (Of a step that was not solved they are only
    what the next try begins with.)"""
    if status == NOT_FINITE:
        for i in range(3 * state.points.number):
            state.points.impulse[i] = 0.0
    rubbed = end_dry(plant, state, h) if status == DONE else 0.0
    taken = end_points(state, h)
    state.clock.contact_power += taken - rubbed
    state.guard.of.rested = h * taken
    state.input.newton.powers[2] += rubbed
    return check_rest(plant, state, h, h * (taken - rubbed)) if status == DONE else status


@njit(cache=True, nogil=True)
def work_at_both_ends(plant, state):
    """Of the impulses of points at rest with this step's own velocity (J): half along where they are at its start, half
    where they are at its end. On a way that is curved the first gives what the second takes."""
    points, work = state.points, 0.0
    for end in range(2):
        for i in range(3 * (points.number - points.dry)):
            work += 0.5 * points.impulse[i] * dot(points.J[i], state.xi)
        if end == 0:
            points_moved(plant, state, state.moved.q)
            fill_rows(plant, state)
    return work


@njit(cache=True, nogil=True)
def lent(state, h):
    """Work (J) of the first half of what normals push in a step, on a way that is curved (docs/theory/impacts.md, 6).
    The impulse comes between two steps, and belongs to them by their lengths."""
    points, work = state.points, 0.0
    for i in range(points.number - points.dry):
        work += points.impulse[3 * i] * dot(points.J[3 * i], state.xi)
    return 0.5 * h / (h + state.guard.of.h) * work


@njit(cache=True, nogil=True)
def check_rest(plant, state, h, work):
    """DONE if impulses at rest are in their cones and do no work (J) beyond what the step's error explains: where
    normals turn too much in a step they would push bodies apart."""
    of, scale, out = state.guard.of, state.guard.of.energy + load_of(state.points, plant.nv), 0.0
    status = check_cones(state, state.points.impulse)
    for i in range(state.points.number - state.points.dry):  # what is a little inside comes out slowly
        out += OUT * state.points.impulse[3 * i] / h
    allowed = UNMADE * scale + out
    state.points.coarse = lent(state, h) > LENT * scale + out
    if status == DONE and work > allowed and work_at_both_ends(plant, state) > allowed:
        of.what, of.missed, of.allowed = ENERGY, work, allowed
        return OFF_BALANCE
    return status


@njit(cache=True, nogil=True)
def begin_again(plant, state, h, reach):
    """Gather the points anew, without their impulses so far; False if there are too many."""
    points, momentum = state.points, state.input.momentum
    for i in range(3 * points.number):
        for k in range(plant.nv):
            momentum[k] -= points.J[i, k] * points.impulse[i]
    return begin_points(plant, state, h, reach)


@njit(cache=True, nogil=True)
def iterate_touching(plant, state, h, m, reach):
    """Newton's method for ξ, the impulses of m rows of latches and those of the points: DONE, or why not; and the h ω
    that a compliant contact will reach."""
    n, clock, points, soft = plant.nv, state.clock, state.points, state.compliance.touching or state.held.sprung
    before, rate, ahead, known, total, power, too_deep = np.inf, 0.0, 0.0, -1, m, 0.0, -1
    sharp_from, patience, gentle, turns = PATIENCE, PATIENCE, False, TURNS
    for iteration in range(MAX_ITERATIONS):
        if soft:
            total, too_deep, power = feel(plant, state, h, m, iteration >= sharp_from)
            if total < 0:
                return CONTACTS_FULL, ahead
        count_pushes(plant, state)
        call(state.loops.newton, state.q, state.xi, state.input.vector, plant.theta, state.input.newton.vector)
        state.counts.evaluations += 1
        if total != known or (soft and rate > SLOW):
            known = total
            renew(plant, state, m, total)
            if iteration == 0:
                ahead = foreseen(clock.stiffness, state.compliance.contact, h)
        if m > 0 or points.number > 0:
            call(plant.kernels.advance, state.q, state.xi, state.input.vector, plant.theta, state.moved.vector)
            rows_at(plant, state, state.moved.q, state.held.c, state.held.ahead)
        violation = answer_rows(state, n, m, total, h, reach)
        if points.number > 0:
            bent, gentle = iteration > 2 and rate > SLOW, gentle or (iteration >= PATIENT and rate > 0.5)
            violation = max(violation, press_points(plant, state, h, reach, total, bent, 0.5 if gentle else 1.0))
        change = correct(state, n, m, total)
        if not np.isfinite(change):
            return NOT_FINITE, ahead
        rate = np.sqrt(change / before)
        if violation <= CLOSED * reach and small_enough(plant, state, n, m, h, reach, change, rate, iteration, soft):
            if break_away(plant, state) or not still_slides(points, state.xi):
                before = np.inf
                continue
            if turns > 0 and turn_caps(plant, state):
                turns, before, known = turns - 1, np.inf, -1
                if not begin_again(plant, state, h, reach):
                    return CONTACTS_FULL, ahead
                continue
            if too_deep >= 0:
                state.compliance.which = too_deep
                return TOO_DEEP, ahead
            if soft:
                keep_soft(state, h, power)
            return DONE if points.number == 0 or points.error <= UNSOLVED else NO_SOLUTION, ahead
        if iteration >= sharp_from and change > before:
            patience *= 2
            sharp_from = iteration + patience
        before = change
    return NOT_CONVERGED, ahead


@njit(cache=True, nogil=True)
def solve_touching(plant, state, h, stage):
    """ξ of one substep with contacts that touch, and with what holds; DONE, or why not."""
    n, held, touch, clock, given = plant.nv, state.held, state.compliance, state.clock, state.input
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
    status, ahead = iterate_touching(plant, state, h, m, reach)
    count_pushes(plant, state)
    if touch.touching or held.sprung:
        clock.demand = max(clock.demand, clock.stiffness, ahead)
        status = verdict(status, clock, ahead)
    if status == DONE and touch.touching:
        status = check_gains(state, h)
    if state.points.number > 0:
        status = keep_points(plant, state, h, status)
    for k in range(n):
        given.command[k] = touch.command[k]
    state.guard.of.touched = True
    end_push(state, m, h, stage)
    keep_load(state, False, 0.5 * (h + state.guard.of.h) / h)
    return status
