"""Engaged latches, and gaps that rest closed, in the step: at every step c(q) = 0 and A M⁻¹ p = 0.

    p̃ = p + Aᵀ(q) λ,  residual(ξ; p̃) = 0,  c(q ⊕ hξ) = 0        then   p' += A(q')ᵀ μ,  A M⁻¹ p' = 0

(docs/theory/latches.md). Symmetric in time, so that composition raises its order too.
"""

import numpy as np
from numba import njit

from softdock.dynamics.gaps import evaluate_at, gradient
from softdock.dynamics.linear import semidefinite_factor, semidefinite_solve, some
from softdock.dynamics.plant import (
    ADVANCE,
    CONTRACTION,
    EVALUATIONS,
    FACTOR,
    FACTOR_H,
    FACTORS,
    FORCES,
    LATCHES,
    LENGTH,
    NEWTON,
    NEWTON_HELD,
    SOLVE,
    TOLERANCE,
)
from softdock.dynamics.step import DONE, FLOOR, NOT_CONVERGED, predict, remember
from softdock.kernels import call
from softdock.mechanics.tree import NOISE

DEPENDENT = 1e-11
"""Pivot, relative to the largest, below which a constraint row counts as dependent on the others."""
MAX_ITERATIONS = 60
SLOW = 0.02
"""Contraction above which the iteration's matrix is made anew; less than of free steps, since it costs less than
an iteration."""
GRAIN = 1e-15
"""Rounding of c, likewise: ξ need not be better than this over h in plain steps, whose own error is far larger.
(Compositions are there for accuracy to rounding.)"""
CLOSED = 2e-13
"""Violation (m, rad), relative to 1 + the largest coordinate, at which positions count as closed."""


@njit(forceinline=True)
def reach_of(q):  # type: ignore[no-untyped-def]
    """1 + the largest coordinate: violations are relative to it."""
    reach = 1.0
    for i in range(q.size):
        reach = max(reach, 1.0 + abs(q[i]))
    return reach


@njit(forceinline=True)
def rows_at(plant, work, q, c, A):  # type: ignore[no-untyped-def]
    """c and A of the engaged latches and the resting gaps at q; returns how many rows."""
    m = 0
    if work.engaged.size > 0:
        call(plant.kernels[LATCHES], q, q, work.held, plant.theta, work.latch)
        m = engaged_rows(work, c, A)
    return resting_rows(plant, work, q, c, A, m) if some(work.resting) else m


@njit(forceinline=True)
def engaged_rows(work, c, A):  # type: ignore[no-untyped-def]
    """c and A of the engaged latches, of all that the latch kernel gave; returns how many rows. (Element by
    element: array expressions would double the compile time.)"""
    m = 0
    for row in range(work.on.size):
        if work.on[row] != 0.0:
            c[m] = work.latch[row]
            for j in range(A.shape[1]):
                A[m, j] = work.latch_A[row, j]
            m += 1
    return m


@njit(cache=True, nogil=True)
def resting_rows(plant, work, q, c, A, m):  # type: ignore[no-untyped-def]
    """φ and ∇φ of the resting gaps at q, from row m on; how many rows there are then."""
    evaluate_at(plant, work, q)
    for k in range(work.resting.size):
        if work.resting[k]:
            c[m] = work.phi[k]
            gradient(plant.gaps, work.poses, k, work.hits[k], A[m])
            m += 1
    return m


@njit(cache=True, nogil=True)
def compliance(solve, theta, factor, A, m, Y, S):  # type: ignore[no-untyped-def]
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
def refactor_held(plant, work, m, h):  # type: ignore[no-untyped-def]
    """Factor the matrix [W −Aᵀ; A 0] of the iteration at the step's start, with m rows in `holds.A`."""
    factor, holds = work.factor, work.holds
    call(plant.kernels[FACTOR], work.q, work.xi, work.e, plant.theta, factor)
    compliance(plant.kernels[SOLVE], plant.theta, factor, holds.A, m, holds.Y, holds.S)
    semidefinite_factor(holds.S, m, holds.kept, holds.order, DEPENDENT)
    holds.stiffness[0] = stiffness_of(holds.S, holds.kept, m)
    work.clock[FACTOR_H] = h
    work.clock[CONTRACTION] = min(work.clock[CONTRACTION], 0.25 * SLOW)
    work.counts[FACTORS] += 1


@njit(forceinline=True)
def refactor_latched(plant, work, h):  # type: ignore[no-untyped-def]
    """The same with the engaged latches alone, and what the kernel newton_held takes of it: W⁻¹Aᵀ and
    (A W⁻¹ Aᵀ)⁻¹, each row in its place among those of all latches."""
    holds, on, K, Y = work.holds, work.on, work.latch_K, work.latch_Y
    total = engaged_rows(work, holds.c, holds.A)
    refactor_held(plant, work, total, h)
    m = 0
    for row in range(on.size):
        for k in range(plant.nv):
            Y[row, k] = holds.Y[m, k] if on[row] != 0.0 else 0.0
        for i in range(total):
            holds.push[i] = 1.0 if i == m and on[row] != 0.0 else 0.0
        semidefinite_solve(holds.S, total, holds.kept, holds.order, holds.push)
        i = 0
        for other in range(on.size):
            K[row, other] = holds.push[i] if on[other] != 0.0 else 0.0
            i += 1 if on[other] != 0.0 else 0
        m += 1 if on[row] != 0.0 else 0


@njit(forceinline=True)
def correct(work, n, m, total, h, reach):  # type: ignore[no-untyped-def]
    """Change ξ, and the impulses λ of the first m rows, by what the iteration's matrix makes of residual and
    violation; leaves p + Aᵀλ in place of p in e. Rows from m to `total` only stiffen the matrix. Returns
    the change, in the norm of kinetic energy, and the violation before it."""
    holds, out, xi, e = work.holds, work.out, work.xi, work.e
    A, Y, c, push, multipliers = holds.A, holds.Y, holds.c, holds.push, holds.multipliers
    violation, change = 0.0, 0.0
    for i in range(m):
        violation = max(violation, abs(c[i]))
    weight = -1.0 / h if violation > NOISE * reach else 0.0
    for i in range(total):
        slip = weight * c[i] if i < m else 0.0
        for k in range(n):
            slip -= A[i, k] * out[k]
        push[i] = slip
    semidefinite_solve(holds.S, total, holds.kept, holds.order, push)
    for k in range(n):
        d, r = out[k], 0.0
        for i in range(m):
            d += Y[i, k] * push[i]
            r += A[i, k] * push[i]
        e[4 + n + k] += r
        r += out[2 * n + 6 + k]
        for i in range(m, total):
            d += Y[i, k] * push[i]
            r += A[i, k] * push[i]
        xi[k] += d
        change += d * r
    for i in range(m):
        multipliers[i] += push[i]
    return abs(change), violation


@njit(forceinline=True)
def begin_push(work, A, n, m, h, stage, latched):  # type: ignore[no-untyped-def]
    """Predict the forces of m rows A, as impulses λ, and add Aᵀλ to p. `latched`: they are of all latches, engaged or
    not."""
    e, multipliers = work.e, work.holds.multipliers
    predict(work.holds.history, stage, min(work.depths[FORCES, stage], work.counts[LENGTH]), multipliers, m)
    for i in range(m):
        multipliers[i] *= h * work.on[i] if latched else h
        if multipliers[i] != 0.0:
            for k in range(n):
                e[4 + n + k] += A[i, k] * multipliers[i]


@njit(forceinline=True)
def end_push(work, m, h, stage):  # type: ignore[no-untyped-def]
    """Keep the impulses λ as forces, since steps differ in size."""
    holds, rate = work.holds, 1.0 / h
    for i in range(m):
        holds.multipliers[i] *= rate
    work.depths[FORCES, stage] = remember(holds.history, stage, work.counts[LENGTH], holds.multipliers, m, work.missed)


@njit(forceinline=True)
def push_energy(A, Y, multipliers, n, m):  # type: ignore[no-untyped-def]
    """What the impulses λ could do: at rest there is no kinetic energy to compare a change with."""
    energy = 0.0
    for k in range(n):
        load, answer = 0.0, 0.0
        for i in range(m):
            load += A[i, k] * multipliers[i]
            answer += Y[i, k] * multipliers[i]
        energy += load * answer
    return energy


@njit(forceinline=True)
def stiffness_of(S, kept, m):  # type: ignore[no-untyped-def]
    """Of m rows together, by their factor S."""
    total = 0.0
    for i in range(m):
        if kept[i]:
            total += 1.0 / (S[i, i] * S[i, i])
    return total


@njit(forceinline=True)
def grain_of(work, stiffness, h, reach):  # type: ignore[no-untyped-def]
    """Change of ξ (twice its energy, J) that the rounding of c makes in a plain step: GRAIN over h at every row."""
    return (GRAIN * reach / h) ** 2 * stiffness if work.history.shape[0] == 1 else 0.0


@njit(cache=True, nogil=True)
def try_resting(plant, work, m, h):  # type: ignore[no-untyped-def]
    """One iteration with gaps that rest; returns change, violation and reach."""
    holds, reach = work.holds, reach_of(work.q)
    call(plant.kernels[NEWTON], work.q, work.xi, work.e, plant.theta, work.out)
    call(plant.kernels[ADVANCE], work.q, work.xi, work.e, plant.theta, work.moved)
    rows_at(plant, work, work.moved, holds.c, holds.ahead)
    change, violation = correct(work, plant.nv, m, m, h, reach)
    return change, violation, reach


@njit(forceinline=True)
def try_latched(plant, work):  # type: ignore[no-untyped-def]
    """The same with latches alone, which one kernel does; it also weighs the world, for the ledger."""
    n, out, multipliers = plant.nv, work.out, work.holds.multipliers
    call(plant.kernels[NEWTON_HELD], work.q, work.xi, work.e, plant.theta, out)
    for k in range(n):
        work.xi[k] += out[k]
        work.e[4 + n + k] += out[3 * n + 6 + k]
    rows = work.on.size
    for i in range(rows):
        multipliers[i] += out[4 * n + 6 + i]
    for i in range(6):
        work.weight[i] = out[4 * n + 8 + rows + i]
    return out[2 * n + 3], out[4 * n + 6 + rows], out[4 * n + 7 + rows]


@njit(forceinline=True)
def solve_held(plant, work, h, stage, known):  # type: ignore[no-untyped-def]
    """ξ and λ of one substep with something that holds; DONE, or why not. As `step.iterate`, the
    iteration keeps its matrix while it contracts well. Rows at q are made if they are not `known`."""
    n, clock, holds, rests = plant.nv, work.clock, work.holds, some(work.resting)
    m, A, Y = work.on.size, work.latch_A, work.latch_Y
    if rests:
        m, A, Y = known if known > 0 else rows_at(plant, work, work.q, holds.c, holds.A), holds.A, holds.Y
    elif known == 0:
        call(plant.kernels[LATCHES], work.q, work.q, work.held, plant.theta, work.latch)
    anew = clock[FACTOR_H] == 0.0 or clock[CONTRACTION] > SLOW or (plant.resists and h != clock[FACTOR_H])
    begin_push(work, A, n, m, h, stage, not rests)
    rate, before, worst = clock[CONTRACTION], -1.0, 0.0
    status, tolerance = NOT_CONVERGED, clock[TOLERANCE]
    for iteration in range(1, MAX_ITERATIONS + 1):
        if anew and rests:
            refactor_held(plant, work, m, h)
        elif anew:
            refactor_latched(plant, work, h)
        change, violation, reach = try_resting(plant, work, m, h) if rests else try_latched(plant, work)
        work.counts[EVALUATIONS] += 1
        if not np.isfinite(change):
            break
        scale = work.out[2 * n + 4]
        enough = tolerance * tolerance * scale + grain_of(work, holds.stiffness[0], h, reach)
        if before > 0.0:
            rate = np.sqrt(change / before)
            if change > enough:
                worst = max(worst, rate)
        if rate * rate * change > enough:
            enough += tolerance * tolerance * push_energy(A, Y, holds.multipliers, n, m)
        stuck = before > 0.0 and rate > 0.3 and change <= FLOOR * FLOOR * scale
        small = rate * rate * change <= enough
        if (small and max(rate, 0.25) * violation <= CLOSED * reach) or (stuck and violation <= CLOSED * reach):
            clock[CONTRACTION] = min(worst, 1.0) if worst > 0.0 else min(1.1 * clock[CONTRACTION], 2 * SLOW)
            status = DONE
            break
        anew = iteration % 4 == 0 and rate > SLOW
        before = change
    end_push(work, m, h, stage)
    return status


@njit(forceinline=True)
def factor_mass(plant, work):  # type: ignore[no-untyped-def]
    """The factor of M into `work.scratch`."""
    step = work.newton[0]
    step[0] = 0.0  # M alone, without what springs and dampers would add
    call(plant.kernels[FACTOR], work.q, work.q, step, plant.theta, work.scratch)


@njit(cache=True, nogil=True)
def prepare(plant, work):  # type: ignore[no-untyped-def]
    """Rows of what holds at q into `holds.A`, the factor of M into `work.scratch`, and that of A M⁻¹ Aᵀ;
    returns how many rows."""
    holds = work.holds
    m = rows_at(plant, work, work.q, holds.c, holds.A)
    factor_mass(plant, work)
    if m > 0:
        compliance(plant.kernels[SOLVE], plant.theta, work.scratch, holds.A, m, holds.Y_now, holds.S_now)
        semidefinite_factor(holds.S_now, m, holds.kept_now, holds.order_now, DEPENDENT)
    return m


@njit(cache=True, nogil=True)
def align(plant, work, m, p, v):  # type: ignore[no-untyped-def]
    """A momentum p projected on what holds, after `prepare`: p += Aᵀμ with A M⁻¹ p = 0; and v = M⁻¹ p.
    Returns the energy lost.

    Within a step the projection loses nothing to speak of; on engaging it is the momentum-conserving
    inelastic impulse, and the loss is ½ (A v)ᵀ (A M⁻¹ Aᵀ)⁻¹ (A v).
    """
    holds, n = work.holds, plant.nv
    slip, mu, A, Y = holds.c, holds.push, holds.A, holds.Y_now
    lost = 0.0
    for _ in range(2 if m > 0 else 0):  # the second pass removes what rounding left of the first
        for i in range(m):
            rate = 0.0
            for k in range(n):
                rate += Y[i, k] * p[k]
            slip[i] = rate
            mu[i] = -rate
        semidefinite_solve(holds.S_now, m, holds.kept_now, holds.order_now, mu)
        for i in range(m):
            lost -= 0.5 * mu[i] * slip[i]
            for k in range(n):
                p[k] += A[i, k] * mu[i]
    call(plant.kernels[SOLVE], work.q, p, work.scratch, plant.theta, v)
    return lost
