"""Small dense linear algebra in compiled loops (LAPACK's calls cost more than the work)."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def cholesky(M, n):  # type: ignore[no-untyped-def]
    """Factor M = L Lᵀ in place (lower part, its diagonal inverted). -1, or the first pivot that fails."""
    for j in range(n):
        s = M[j, j]
        for k in range(j):
            s -= M[j, k] * M[j, k]
        if not s > 0.0:
            return j
        d = 1.0 / np.sqrt(s)
        M[j, j] = d
        for i in range(j + 1, n):
            s = M[i, j]
            for k in range(j):
                s -= M[i, k] * M[j, k]
            M[i, j] = s * d
    return -1


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def cholesky_solve(L, n, b):  # type: ignore[no-untyped-def]
    """Solve L Lᵀ x = b in place, L from `cholesky`."""
    for i in range(n):
        s = b[i]
        for k in range(i):
            s -= L[i, k] * b[k]
        b[i] = s * L[i, i]
    for i in range(n - 1, -1, -1):
        s = b[i] * L[i, i]
        b[i] = s
        for k in range(i):
            b[k] -= L[i, k] * s


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def semidefinite_factor(S, m, kept, tolerance):  # type: ignore[no-untyped-def]
    """Cholesky of a symmetric S in place that leaves dependent rows out (`kept` false).

    Redundant constraints (a planar loop closed by a spatial hinge) make S singular but consistent;
    the multipliers of the rows left out are zero. Pivots on the largest diagonal left, recorded in
    the returned order, so that what is dropped is truly dependent.
    """
    order = np.arange(m)
    largest = 0.0
    for i in range(m):
        largest = max(largest, S[i, i])
        kept[i] = False
    for j in range(m):
        pivot = j
        for i in range(j + 1, m):
            if S[order[i], order[i]] > S[order[pivot], order[pivot]]:
                pivot = i
        order[j], order[pivot] = order[pivot], order[j]
        a = order[j]
        if S[a, a] <= tolerance * largest:
            break
        kept[a] = True
        d = np.sqrt(S[a, a])
        S[a, a] = d
        for i in range(j + 1, m):
            b = order[i]
            S[b, a] /= d
        for i in range(j + 1, m):
            b = order[i]
            for k in range(j + 1, i + 1):
                c = order[k]
                value = S[b, c] - S[b, a] * S[c, a]
                S[b, c] = value
                S[c, b] = value
    return order


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def semidefinite_solve(S, m, kept, order, b):  # type: ignore[no-untyped-def]
    """Solve with the factor of `semidefinite_factor`, in place; rows left out get zero."""
    for j in range(m):
        a = order[j]
        if not kept[a]:
            b[a] = 0.0
            continue
        b[a] /= S[a, a]
        for i in range(j + 1, m):
            if kept[order[i]]:
                b[order[i]] -= S[order[i], a] * b[a]
    for j in range(m - 1, -1, -1):
        a = order[j]
        if not kept[a]:
            continue
        s = b[a]
        for i in range(j + 1, m):
            if kept[order[i]]:
                s -= S[order[i], a] * b[order[i]]
        b[a] = s / S[a, a]
