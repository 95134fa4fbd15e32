"""Engaged latches, and gaps that rest closed, in the step: at every step c(q) = 0 and A M⁻¹ p = 0.

    p̃ = p + Aᵀ(q) λ,  residual(ξ; p̃) = 0,  c(q ⊕ hξ) = 0        then   p' += A(q')ᵀ μ,  A M⁻¹ p' = 0

(docs/theory/latches.md). Symmetric in time, so that composition raises its order too.
"""

import numpy as np
from numba import njit

from softdock.dynamics.gaps import evaluate, gradient
from softdock.dynamics.linear import semidefinite_factor, semidefinite_solve
from softdock.dynamics.plant import ADVANCE, FACTOR, LATCHES, NEWTON, POSES, SOLVE
from softdock.kernels import call

DEPENDENT = 1e-11
"""Pivot, relative to the largest, below which a constraint row counts as dependent on the others."""
MAX_ITERATIONS = 60
NOISE = 1e-14
"""Violation, likewise, that is rounding: over a tiny part of a step c/h would make a speed of it."""
FLOOR = 1e-10
"""As in step.py."""
CLOSED = 2e-13
"""Violation (m, rad), relative to 1 + the largest coordinate, at which positions count as closed."""


@njit(cache=True, nogil=True)
def constraints(kernels, theta, rows, n, engaged, held, latch, gaps, resting, phi, hits, poses, q, c, A):  # type: ignore[no-untyped-def]
    """c and A of the engaged latches and the resting gaps at q; returns how many rows. (Element by
    element: array expressions would double the compile time.)"""
    m = 0
    if engaged.size > 0:
        total = rows[-1]
        call(kernels[LATCHES], q, q, held, theta, latch)
        for k in range(engaged.size):
            if engaged[k]:
                for row in range(rows[k], rows[k + 1]):
                    c[m] = latch[row]
                    for j in range(n):
                        A[m, j] = latch[total + row * n + j]
                    m += 1
    if np.any(resting):
        evaluate(gaps, kernels[POSES], theta, q, poses, phi, hits)
        for k in range(resting.size):
            if resting[k]:
                c[m] = phi[k]
                gradient(gaps, poses, k, hits[k], A[m])
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


@njit(cache=True, nogil=True)
def constrained_step(  # type: ignore[no-untyped-def]
    kernels,
    theta,
    rows,
    engaged,
    held,
    latch,
    gaps,
    resting,
    phi,
    hits,
    poses,
    A,
    Y,
    q,
    xi,
    e,
    out,
    moved,
    multipliers,
    h,
):
    """ξ and λ of one substep with engaged latches; leaves p + Aᵀλ in place of p in e.

    Returns the evaluations used, negative if they did not converge. The matrix [W −Aᵀ; A 0] of the
    iteration is that of the step's start.
    """
    n, size = xi.size, A.shape[0]
    c, push, S = np.empty(size), np.empty(size), np.empty((size, size))
    kept = np.empty(size, dtype=np.bool_)
    ahead = np.empty((size, n))
    factor, p = e[4 + 3 * n :], e[4 + n : 4 + 2 * n]
    call(kernels[FACTOR], q, xi, e, theta, factor)
    m = constraints(kernels, theta, rows, n, engaged, held, latch, gaps, resting, phi, hits, poses, q, c, A)
    compliance(kernels[SOLVE], theta, factor, A, m, Y, S)
    order = semidefinite_factor(S, m, kept, DEPENDENT)
    reach = 1.0
    for i in range(q.size):
        reach = max(reach, 1.0 + abs(q[i]))
    for i in range(m):
        for k in range(n):
            p[k] += A[i, k] * multipliers[i]
    before = np.inf
    for iteration in range(1, MAX_ITERATIONS + 1):
        call(kernels[NEWTON], q, xi, e, theta, out)
        call(kernels[ADVANCE], q, xi, e, theta, moved)
        constraints(kernels, theta, rows, n, engaged, held, latch, gaps, resting, phi, hits, poses, moved, c, ahead)
        violation, change, scale = 0.0, 0.0, out[2 * n + 4]
        for i in range(m):
            violation = max(violation, abs(c[i]))
        for i in range(m):
            push[i] = -c[i] / h if violation > NOISE * reach else 0.0
            for k in range(n):
                push[i] -= A[i, k] * out[k]
        semidefinite_solve(S, m, kept, order, push)
        for k in range(n):
            d, r = out[k], out[2 * n + 6 + k]
            for i in range(m):
                d += Y[i, k] * push[i]
                r += A[i, k] * push[i]
                p[k] += A[i, k] * push[i]
            xi[k] += d
            change += d * r
        for i in range(m):
            multipliers[i] += push[i]
        change = abs(change)
        if not np.isfinite(change):
            break
        for k in range(n):  # at rest there is no kinetic energy to compare with, but what the impulses λ could do
            load, answer = 0.0, 0.0
            for i in range(m):
                load += A[i, k] * multipliers[i]
                answer += Y[i, k] * multipliers[i]
            scale += load * answer
        small = change <= 1e-28 * scale or (change <= FLOOR * FLOOR * scale and change > 0.25 * before)
        if small and violation <= CLOSED * reach:
            return iteration
        before = change
    return -MAX_ITERATIONS


@njit(cache=True, nogil=True)
def project(kernels, theta, rows, engaged, held, latch, gaps, resting, phi, hits, poses, A, Y, q, e, p):  # type: ignore[no-untyped-def]
    """A momentum p projected on the engaged latches: p += Aᵀμ with A M⁻¹ p = 0. Returns the energy lost.

    Within a step the projection loses nothing to speak of; on engaging it is the momentum-conserving
    inelastic impulse, and the loss is ½ (A v)ᵀ (A M⁻¹ Aᵀ)⁻¹ (A v).
    """
    size, n = A.shape
    slip, mu, S = np.empty(size), np.empty(size), np.empty((size, size))
    kept = np.empty(size, dtype=np.bool_)
    factor = e[4 + 3 * n :]
    m = constraints(kernels, theta, rows, n, engaged, held, latch, gaps, resting, phi, hits, poses, q, slip, A)
    call(kernels[FACTOR], q, q, np.zeros(1), theta, factor)
    compliance(kernels[SOLVE], theta, factor, A, m, Y, S)
    order = semidefinite_factor(S, m, kept, DEPENDENT)
    lost = 0.0
    for _ in range(2):  # the second pass removes what rounding left of the first
        for i in range(m):
            slip[i] = 0.0
            for k in range(n):
                slip[i] += Y[i, k] * p[k]
            mu[i] = -slip[i]
        semidefinite_solve(S, m, kept, order, mu)
        for i in range(m):
            lost -= 0.5 * mu[i] * slip[i]
            for k in range(n):
                p[k] += A[i, k] * mu[i]
    return lost
