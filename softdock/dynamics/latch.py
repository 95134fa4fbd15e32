"""Engaged latches in the step: positions satisfy c(q) = 0, momenta A M⁻¹ p = 0, at every step.

    p̃ = p + Aᵀ(q) λ,  residual(ξ; p̃) = 0,  c(q ⊕ hξ) = 0        then   p' += A(q')ᵀ μ,  A M⁻¹ p' = 0

(docs/theory/latches.md). Symmetric in time, so that composition raises its order too.
"""

import numpy as np
from numba import njit

from softdock.dynamics.linear import cholesky, cholesky_solve, semidefinite_factor, semidefinite_solve
from softdock.dynamics.mass import factor_step_matrix, mass_matrix
from softdock.kernels import call

DEPENDENT = 1e-11
"""Pivot, relative to the largest, below which a constraint row counts as dependent on the others."""
MAX_ITERATIONS = 60
CLOSED = 2e-13
"""Violation (m, rad), relative to 1 + the largest coordinate, at which positions count as closed."""


@njit(cache=True, nogil=True)
def latch_state(plant, work, q, c):  # type: ignore[no-untyped-def]
    """c and A (in work.A) of the engaged latches at q; returns how many rows."""
    n, total = plant.nv, plant.latch_rows[-1]
    call(plant.kernels[3], q, q, work.held, plant.theta, work.latch)
    m = 0
    for latch in range(work.engaged.size):
        if work.engaged[latch]:
            for row in range(plant.latch_rows[latch], plant.latch_rows[latch + 1]):
                c[m] = work.latch[row]
                for j in range(n):
                    work.A[m, j] = work.latch[total + row * n + j]
                m += 1
    return m


@njit(cache=True, nogil=True)
def compliance(factor, A, m, n):  # type: ignore[no-untyped-def]
    """Y = M⁻¹Aᵀ (by rows) and S = A M⁻¹ Aᵀ."""
    Y = np.empty((m, n))
    S = np.empty((m, m))
    for i in range(m):
        Y[i] = A[i]
        cholesky_solve(factor, n, Y[i])
    for i in range(m):
        for j in range(m):
            s = 0.0
            for k in range(n):
                s += A[i, k] * Y[j, k]
            S[i, j] = s
    return Y, S


@njit(cache=True, nogil=True)
def constrained_update(plant, work, h, xi_guess):  # type: ignore[no-untyped-def]
    """ξ and λ of one substep with engaged latches; leaves p + Aᵀλ in place of p. 0, or why not."""
    n, nq = plant.nv, plant.nq
    work.xi[:] = xi_guess
    c = np.empty(work.A.shape[0])
    if factor_step_matrix(plant, work.inertia, work.q, work.xi, h, work.factor) >= 0:
        return 1
    work.clock[1] = 0.0
    work.counts[2] += 1
    m = latch_state(plant, work, work.q, c)
    A0 = work.A[:m].copy()
    Y, S = compliance(work.factor, A0, m, n)
    kept = np.empty(m, dtype=np.bool_)
    order = semidefinite_factor(S, m, kept, DEPENDENT)
    p = work.e[4 + n : 4 + 2 * n]
    for i in range(m):
        for k in range(n):
            p[k] += A0[i, k] * work.multipliers[i]
    before = np.inf
    for _ in range(MAX_ITERATIONS):
        call(plant.kernels[0], work.q, work.xi, work.e, plant.theta, work.out)
        call(plant.kernels[1], work.q, work.xi, work.e, plant.theta, work.moved)
        work.counts[1] += 1
        latch_state(plant, work, work.moved[:nq], c)
        violation = np.max(np.abs(c[:m]))
        for i in range(n):
            work.d[i] = work.out[i]
        cholesky_solve(work.factor, n, work.d)
        rhs = -c[:m] / h - A0 @ work.d
        semidefinite_solve(S, m, kept, order, rhs)
        change = 0.0
        for k in range(n):
            push = 0.0
            for i in range(m):
                work.d[k] += Y[i, k] * rhs[i]
                push += A0[i, k] * rhs[i]
            p[k] += push
            change += work.d[k] * (work.out[k] + push)
            work.xi[k] += work.d[k]
        work.multipliers[:m] = work.multipliers[:m] + rhs
        change = abs(change)
        if not np.isfinite(change):
            return 3
        scale = abs(np.dot(work.xi, p)) + abs(h * np.dot(work.xi, work.out[n : 2 * n]))
        closed = violation <= CLOSED * (1.0 + np.max(np.abs(work.q)))
        if closed and (change <= 1e-28 * scale or (change <= 1e-24 * scale and change > 0.25 * before)):
            return 0
        before = change
    return 1


@njit(cache=True, nogil=True)
def project(plant, work):  # type: ignore[no-untyped-def]
    """Momentum projected on the engaged latches: p += Aᵀμ with A M⁻¹ p = 0. Returns the energy lost.

    Within a step the projection loses nothing to speak of; on engaging it is the momentum-conserving
    inelastic impulse, and the loss is ½ (A v)ᵀ (A M⁻¹ Aᵀ)⁻¹ (A v).
    """
    n = plant.nv
    c = np.empty(work.A.shape[0])
    m = latch_state(plant, work, work.q, c)
    mass_matrix(plant.kernels[2], plant.theta, plant.ancestors, work.q, work.inertia, work.factor)
    cholesky(work.factor, n)
    work.clock[1] = 0.0
    A = work.A[:m].copy()
    Y, S = compliance(work.factor, A, m, n)
    kept = np.empty(m, dtype=np.bool_)
    order = semidefinite_factor(S, m, kept, DEPENDENT)
    p = work.e[4 + n : 4 + 2 * n]
    lost = 0.0
    for _ in range(2):  # the second pass removes what rounding left of the first
        slip = np.zeros(m)
        for i in range(m):
            for k in range(n):
                slip[i] += Y[i, k] * p[k]
        mu = -slip
        semidefinite_solve(S, m, kept, order, mu)
        for i in range(m):
            lost -= 0.5 * mu[i] * slip[i]
            for k in range(n):
                p[k] += A[i, k] * mu[i]
    return lost
