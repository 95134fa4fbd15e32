"""What driven accelerations do to all others, compiled: the matrices are small, and each period has one of each."""

import math

import numpy as np

from softdock.kernels.jit import njit
from softdock.kernels.linear import eliminate_columns


@njit(cache=True, nogil=True)
def reach(M, c, own, P, U, S, s):
    """S and s of `Actuation`, for the velocities P that are not driven, into those for the driven ones U; False if P's
    part of M is singular."""
    rows, sides = np.empty((len(P), len(P))), np.empty((len(P), len(U) + 1))
    for i in range(len(P)):
        for j in range(len(P)):
            rows[i, j] = M[P[i], P[j]]
        for j in range(len(U)):
            sides[i, j] = -M[P[i], U[j]]
        sides[i, len(U)] = own[P[i]] - c[P[i]]
    if not eliminate_columns(rows, len(P), sides):
        return False
    for i in range(len(P)):
        for j in range(len(U)):
            S[P[i], j] = sides[i, j]
        s[P[i]] = sides[i, len(U)]
    return True


@njit(cache=True, nogil=True)
def settle(M, own, P, stiffness, damping, v, a, period, stiff):
    """Forces of stiff undriven joints at the period's end: D v and K q there, by Euler's backward rule, in M and `own`.
    v is that of the middle, by the acceleration a."""
    half = period / 2
    for i in P:
        held = damping[i] * period + stiffness[i] * period**2
        if held > stiff * M[i, i]:
            M[i, i] += held
            now = v[i] - half * a[i]
            own[i] += damping[i] * half * a[i] - stiffness[i] * (half * now - half**2 / 2 * a[i])


@njit(cache=True, nogil=True)
def least(S, s, tracked, wanted, tiny, singular):
    """The driven accelerations that give the tracked ones, of which there are as many; and whether their matrix is so
    far from losing rank, each actuator by all that it does, that nothing need be damped."""
    n, given = len(tracked), np.zeros(S.shape[1])
    A, inverse, sizes, size = np.empty((n, n)), np.zeros((n, n)), np.empty(n), 0.0
    for j in range(n):
        square = 0.0
        for i in range(n):
            square += S[tracked[i], j] ** 2
        sizes[j] = math.sqrt(square) + tiny
        inverse[j, j] = 1.0
        for i in range(n):
            A[i, j] = S[tracked[i], j] / sizes[j]
    if not eliminate_columns(A, n, inverse):
        return given, False
    for i in range(n):
        for j in range(n):
            size += inverse[i, j] ** 2
            given[i] += inverse[i, j] * (wanted[j] - s[tracked[j]])
        given[i] /= sizes[i]
    return given, singular * math.sqrt(size) < 1.0
