"""Engaged latches in the step: at every step c(q) = 0 and A M⁻¹ p = 0.

    p̃ = p + Aᵀ(q) λ,  residual(ξ; p̃) = 0,  c(q ⊕ hξ) = 0        then   p' += A(q')ᵀ μ,  A M⁻¹ p' = 0

(docs/theory/latches.md). Symmetric in time, so that composition raises its order too.
"""

import numpy as np

from softdock.dynamics.guard import CLOSED
from softdock.dynamics.latch_system import (
    DEPENDENT,
    answer_by_bodies,
    energy_by_bodies,
    factor_by_bodies,
    felt,
    find_self_stress,
    push_by_bodies,
    rates_by_bodies,
    reach_of,
    solve_by_bodies,
    stiffness_by_bodies,
    taken_of,
    write_out,
)
from softdock.dynamics.settling import RESOLVED
from softdock.dynamics.status import DONE, NOT_CONVERGED
from softdock.dynamics.step import FLOOR, count_pushes, predict, remember
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.linear import FAST, remove, semidefinite_factor, semidefinite_null, semidefinite_solve
from softdock.mechanics.latch_pattern import WRITTEN_OUT
from softdock.mechanics.tree import NOISE

MAX_ITERATIONS = 60
SLOW = 0.02
"""Contraction above which the iteration's matrix is made anew; less than of free steps, since it costs less than
an iteration."""
AGING = 1.03
"""How the contraction grows in a step in which it is not measured. (In `iss-docking`, 1.1 made 265 matrices a run, for
4736 evaluations; this makes 114, for 4651.)"""
GRAIN = 1e-15
"""Rounding of c, likewise: ξ need not be better than this over h in plain steps, whose own error is far larger.
(Compositions are there for accuracy to rounding.)"""
ROUNDED = 2.5e-16
"""Of a sum of products, relative to the sum of their sizes."""


@njit(forceinline=True)
def constrain(plant, state, q):
    """c and A of all latches at q, engaged or not, into `input.latches.start`."""
    latches = state.input.latches
    call(plant.kernels.latches, q, q, latches.held.vector, plant.theta, latches.start.vector)


@njit(forceinline=True)
def rows_at(plant, state, q, c, A):
    """c and A of the engaged latches at q; returns how many rows."""
    if state.held.engaged.size == 0:
        return 0
    constrain(plant, state, q)
    return engaged_rows(state, c, A)


@njit(forceinline=True)
def engaged_rows(state, c, A):
    """c and A of the engaged latches, of all that the latch kernel gave; returns how many rows. (Element by
    element: array expressions would double the compile time.)"""
    latches, m, grain = state.input.latches, 0, NOISE * reach_of(state.q)
    for row in range(latches.on.size):
        if latches.on[row] != 0.0:
            c[m] = latches.start.c[row]
            for j in range(A.shape[1]):
                A[m, j] = felt(latches.start.A[row, j], grain)
            m += 1
    return m


@njit(cache=True, nogil=True)
def compliance(solve, theta, factor, A, m, Y, S):
    """Y = W⁻¹Aᵀ (by rows) and S = A W⁻¹ Aᵀ, W the factored matrix."""
    n = A.shape[1]
    for i in range(m):
        call(solve, A[i], A[i], factor, theta, Y[i])
    for i in range(m):
        for j in range(i + 1):
            s = 0.0
            for k in range(n):
                s += A[i, k] * Y[j, k]
            S[i, j] = s
            S[j, i] = s


@njit(forceinline=True)
def share_pushes(plant, state, rows, count, power):
    """Rows × G^power in the columns of joints that settle: what they take of a push (docs/theory/step.md)."""
    weights = state.input.weights.momentum
    for joint in plant.settling:
        for i in range(count):
            rows[i, joint.v] *= taken_of(state, weights[joint.v]) ** power


@njit(cache=True, nogil=True)
def compliance_in_step(plant, state, m):
    """The same of the rows `held.A` and the step's matrix. Joints that settle take G (`taken_of`) of what latches
    push: Y = G^½ W⁻¹ G^½ Aᵀ, which is nearly W⁻¹ G Aᵀ, and symmetric."""
    held = state.held
    share_pushes(plant, state, held.A, m, 0.5)
    compliance(plant.kernels.solve, plant.theta, state.input.factor, held.A, m, held.Y, held.S)
    share_pushes(plant, state, held.A, m, -0.5)
    share_pushes(plant, state, held.Y, m, 0.5)


@njit(forceinline=True)
def keep_diagonal(S, m, own):
    """Rows are dependent by the angle between them: those of heavy bodies are small, however they stand."""
    for i in range(m):
        own[i] = S[i, i]


@njit(forceinline=True)
def factor_rows(held, m):
    """Factor `held.S` of m rows, in place; if rows are redundant, find their states of self-stress too."""
    keep_diagonal(held.S, m, held.own)
    semidefinite_factor(held.S, m, held.independent, held.order, held.own, DEPENDENT)
    independent = 0
    for i in range(m):
        independent += 1 if held.independent[i] else 0
    held.redundant = 0
    if independent < m:
        held.redundant = semidefinite_null(held.S, m, held.independent, held.order, held.self_stress)


@njit(forceinline=True)
def solve_rows(held, m, b):
    """S⁺ b in place of b: where rows are redundant, the smallest multipliers that push the same. Of the solution with
    the dependent rows left out, S⁻, and P = I − Σ n nᵀ over the states of self-stress n, S⁺ = P S⁻ P."""
    if held.redundant > 0:
        remove(held.self_stress, held.redundant, m, b)
    semidefinite_solve(held.S, m, held.independent, held.order, b)
    if held.redundant > 0:
        remove(held.self_stress, held.redundant, m, b)


@njit(cache=True, nogil=True, apart=True, _nrt=False)
def refactor_latched(plant, state, h):
    """Factor the matrix [W −Aᵀ; A 0] of the iteration at the step's start: the kernel newton_held takes W⁻¹Aᵀ and the
    factor of A W⁻¹ Aᵀ."""
    held, latches, clock, factor = state.held, state.input.latches, state.clock, state.input.factor
    call(plant.kernels.factor, state.q, state.xi, state.input.vector, plant.theta, factor)
    answer_by_bodies(plant, state, factor, state.input.weights.momentum, latches.start.A, latches.Y)
    few = latches.on.size <= WRITTEN_OUT
    F = held.S if few else latches.F
    held.redundant = factor_by_bodies(plant, state, latches.start.A, latches.Y, F)
    if held.redundant > 0:
        held.redundant = find_self_stress(plant, state, F)
    if few:
        write_out(plant, F, latches.F, held.push)
    held.stiffness = stiffness_by_bodies(latches.F, latches.on.size, few)
    clock.factor_h = h if clock.damping <= RESOLVED or state.guard.of.h == h else 0.0  # a first step has its own
    clock.contraction = min(clock.contraction, 0.25 * SLOW)
    state.counts.factorisations += 1


@njit(forceinline=True)
def foresee_push(state, m, h, stage, latched):
    """Predict the forces of m rows, as impulses λ. `latched`: they are of all latches, engaged or not."""
    multipliers = state.held.multipliers
    predict(state.held.forces, stage, state.counts.history, multipliers, m)
    for i in range(m):
        multipliers[i] *= h * state.input.latches.on[i] if latched else h


@njit(forceinline=True)
def begin_push(state, A, n, m, h, stage):
    """The same of the m rows A of what is engaged, and add Aᵀλ to p."""
    foresee_push(state, m, h, stage, False)
    multipliers, momentum = state.held.multipliers, state.input.momentum
    for i in range(m):
        if multipliers[i] != 0.0:
            for k in range(n):
                momentum[k] += A[i, k] * multipliers[i]


@njit(forceinline=True)
def end_push(state, m, h, stage):
    """Keep the impulses λ of m rows as forces, since steps differ in size; without self-stress, λ ← P λ: it pushes
    nothing, so no iteration would ever correct it, and its prediction from its own past would grow as a polynomial
    does."""
    held, rate = state.held, 1.0 / h
    if held.redundant > 0:
        remove(held.self_stress, held.redundant, m, held.multipliers)
    for i in range(m):
        held.multipliers[i] *= rate
    remember(held.forces, stage, state.counts.history, held.multipliers, m)


@njit(cache=True, nogil=True)
def keep_load(state, latched, part):
    """The forces of rigid latches, row by row of all; those of compliant ones are there. `latched` as for
    `begin_push`. Their impulses are those of this `part` of the step: a half if it began in line with them."""
    held, on, m = state.held, state.input.latches.on, 0
    for row in range(on.size):
        if not held.springs[row]:
            held.load[row] = held.multipliers[row if latched else m] / part if on[row] != 0.0 else 0.0
        m += 1 if on[row] != 0.0 else 0


@njit(cache=True, nogil=True)
def overloaded(plant, state):
    """The first latch that bears more than its strength in the last step; −1 if none does."""
    rows, load = plant.rows, state.held.load
    for k in range(plant.strengths.size):
        force, torque = 0.0, 0.0
        for row in range(rows.size):
            if rows[row].latch == k and rows[row].turns:
                torque += load[row] * load[row]
            elif rows[row].latch == k:
                force += load[row] * load[row]
        if force > plant.strengths[k].force ** 2 or torque > plant.strengths[k].torque ** 2:
            return k
    return -1


@njit(forceinline=True)
def stiffness_of(S, independent, m):
    """Of m rows together, by their factor S."""
    total = 0.0
    for i in range(m):
        if independent[i]:
            total += 1.0 / (S[i, i] * S[i, i])
    return total


@njit(forceinline=True)
def grain_of(state, stiffness, h, reach):
    """Change of ξ (twice its energy, J) that the rounding of c makes in a plain step: GRAIN over h at every row."""
    rate = GRAIN / h
    return (rate * reach) ** 2 * stiffness if state.held.forces.depths.size == 1 else 0.0


@njit(forceinline=True)
def try_latched(plant, state):
    """One iteration, which one kernel does. Returns change, violation and reach."""
    given, newton, multipliers = state.input, state.input.newton, state.held.multipliers
    count_pushes(plant, state)
    call(state.loops.newton_held, state.q, state.xi, given.vector, plant.theta, newton.vector)
    for k in range(plant.nv):
        state.xi[k] += newton.step[k]
    for k in range(plant.nv):  # for itself: of fewer arrays the compiler sees that they do not overlap
        state.held.pushed[k] += newton.push[k]
        given.momentum[k] = state.guard.momentum[k] + state.held.pushed[k]
    for i in range(newton.multipliers.size):
        multipliers[i] += newton.multipliers[i]
    return newton.change, newton.violation, newton.reach


@njit(forceinline=True)
def solve_held(plant, state, h, stage, known):
    """ξ and λ of one substep with latches engaged; DONE, or why not. As `step.iterate`, the
    iteration keeps its matrix while it contracts well. Rows at q are made if they are not `known`."""
    clock, counts, held, latches = state.clock, state.counts, state.held, state.input.latches
    m, A, momentum = latches.on.size, latches.start.A, state.input.momentum
    if not known:
        constrain(plant, state, state.q)
    anew = clock.factor_h == 0.0 or clock.contraction > SLOW or (plant.resists and h != clock.factor_h)
    foresee_push(state, m, h, stage, True)
    for k in range(plant.nv):
        held.pushed[k] = 0.0
    push_by_bodies(plant, A, held.multipliers, held.pushed)
    for k in range(plant.nv):
        momentum[k] = state.guard.momentum[k] + held.pushed[k]
    rate, before, worst, load = clock.contraction, -1.0, 0.0, -1.0
    status, tolerance = NOT_CONVERGED, clock.tolerance
    for iteration in range(1, MAX_ITERATIONS + 1):
        if anew:
            refactor_latched(plant, state, h)
            rate = clock.contraction
        change, violation, reach = try_latched(plant, state)
        counts.evaluations += 1
        if not np.isfinite(change):
            break
        scale = state.input.newton.scale
        enough = tolerance * tolerance * scale + grain_of(state, held.stiffness, h, reach)
        if before > 0.0:
            rate = np.sqrt(change / before)
            if change > enough:
                worst = max(worst, rate)
        left = max(rate, min(max(clock.damping, 0.5 * h * h * plant.sprung), 1.0))
        if left * left * change > enough:
            if load < 0.0:  # at rest there is no kinetic energy to compare a change with
                load = energy_by_bodies(plant, latches.Y, held.multipliers, held.pushed)
            enough += tolerance * tolerance * load
        stuck = before > 0.0 and rate > 0.3 and change <= FLOOR * FLOOR * scale
        small = left * left * change <= enough
        if (small and max(rate, 0.25) * violation <= CLOSED * reach) or (stuck and violation <= CLOSED * reach):
            clock.contraction = min(worst, 1.0) if worst > 0.0 else min(AGING * clock.contraction, 2 * SLOW)
            status = DONE
            break
        anew = iteration % 4 == 0 and rate > SLOW
        before = change
    count_pushes(plant, state)
    end_push(state, m, h, stage)
    return status


@njit(forceinline=True)
def factor_mass(plant, state):
    """The factor of M into `projection.factor`."""
    projection = state.projection
    call(plant.kernels.factor, state.q, state.q, projection.no_step, plant.theta, projection.factor)


@njit(cache=True, nogil=True)
def prepare(plant, state):
    """Rows of what holds at q into `held.A`, the factor of M into `projection.factor`, and that of A M⁻¹ Aᵀ;
    returns how many rows."""
    held, now = state.held, state.projection
    m = rows_at(plant, state, state.q, held.c, held.A)
    factor_mass(plant, state)
    if m > 0:
        compliance(plant.kernels.solve, plant.theta, now.factor, held.A, m, now.Y, now.S)
        keep_diagonal(now.S, m, now.own)
        semidefinite_factor(now.S, m, now.independent, now.order, now.own, DEPENDENT)
    return m


@njit(forceinline=True, fastmath=FAST)
def slips(Y, m, p, slip):
    """Speeds of m rows, Y p; are they more than the rounding of those sums?"""
    found = False
    for i in range(m):
        rate, size = 0.0, 0.0
        for k in range(p.size):
            part = Y[i, k] * p[k]
            rate, size = rate + part, size + abs(part)
        slip[i] = rate
        found |= abs(rate) > ROUNDED * size
    return found


@njit(cache=True, nogil=True)
def align(plant, state, m, p, v):
    """A momentum p projected on what holds, after `prepare`: p += Aᵀμ with A M⁻¹ p = 0; and v = M⁻¹ p.
    Returns the energy lost.

    Within a step the projection loses nothing to speak of; on engaging it is the momentum-conserving
    inelastic impulse, and the loss is ½ (A v)ᵀ (A M⁻¹ Aᵀ)⁻¹ (A v).
    """
    held, now, n = state.held, state.projection, plant.nv
    slip, mu, A, Y = held.c, held.push, held.A, now.Y
    lost = 0.0
    for _ in range(2):  # the second pass removes what rounding left of the first
        if not slips(Y, m, p, slip):
            break
        for i in range(m):
            mu[i] = -slip[i]
        semidefinite_solve(now.S, m, now.independent, now.order, mu)
        for i in range(m):
            lost -= 0.5 * mu[i] * slip[i]
            for k in range(n):
                p[k] += A[i, k] * mu[i]
    call(plant.kernels.solve, state.q, p, now.factor, plant.theta, v)
    return lost


@njit(cache=True, nogil=True)
def align_by_bodies(plant, state, p, v):
    """`prepare` and `align` of latches where nothing else holds."""
    held, now, A, on = state.held, state.projection, state.input.latches.start.A, state.input.latches.on
    mu, lost = held.c, 0.0
    constrain(plant, state, state.q)
    factor_mass(plant, state)
    answer_by_bodies(plant, state, now.factor, now.weights, A, now.Y)
    factor_by_bodies(plant, state, A, now.Y, now.S)
    for _ in range(2):  # as in `align`
        rates_by_bodies(plant, on, now.Y, p, held.slip)
        for row in range(on.size):
            mu[row] = -held.slip[row]
        solve_by_bodies(plant, now.S, mu, held.push)
        push_by_bodies(plant, A, mu, p)
        for row in range(on.size):
            lost -= 0.5 * mu[row] * held.slip[row]
    call(plant.kernels.solve, state.q, p, now.factor, plant.theta, v)
    return lost
