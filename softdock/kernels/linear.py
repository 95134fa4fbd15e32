"""Small dense linear algebra in compiled loops (LAPACK's calls cost more than the work), and flags."""

import numpy as np

from softdock.kernels.jit import njit

FAST = {"reassoc", "contract", "nsz"}
"""Sums may be reordered (and so vectorised); NaN and infinity keep their meaning."""


@njit(forceinline=True)
def some(flags):
    """Is any of them set?"""
    found = False
    for flag in flags:
        found = found or flag
    return found


@njit(forceinline=True)
def every_one(flags):
    """Are all of them set?"""
    found = True
    for flag in flags:
        found = found and flag
    return found


@njit(forceinline=True)
def copy(source, target):
    """Element by element: array expressions take long to compile."""
    for i in range(target.size):
        target[i] = source[i]


@njit(forceinline=True)
def dot(a, b):
    """a · b."""
    total = 0.0
    for i in range(b.size):
        total += a[i] * b[i]
    return total


@njit(cache=True, nogil=True, fastmath=FAST)
def cholesky(B):
    """The lower factor of a symmetric B, in place of its lower half; False if B is not positive."""
    for j in range(B.shape[0]):
        for i in range(j, B.shape[0]):
            total = B[i, j]
            for k in range(j):
                total -= B[i, k] * B[j, k]
            B[i, j] = total
        if not B[j, j] > 0.0:
            return False
        scale = 1.0 / np.sqrt(B[j, j])
        for i in range(j, B.shape[0]):
            B[i, j] *= scale
    return True


@njit(cache=True, nogil=True, fastmath=FAST)
def cholesky_solve(B, y):
    """Solve with the factor of `cholesky`, in place."""
    n = B.shape[0]
    for i in range(n):
        total = y[i]
        for k in range(i):
            total -= B[i, k] * y[k]
        y[i] = total / B[i, i]
    for i in range(n - 1, -1, -1):
        y[i] /= B[i, i]
        for k in range(i):
            y[k] -= B[i, k] * y[i]


@njit(forceinline=True)
def independent(left, own, tolerance):
    """Does a row of a symmetric matrix not depend on those before it, `left` being its pivot after them and `own` its
    diagonal? The share is the square of the sine of its angle to them, however small the row is."""
    return left > tolerance * own


@njit(cache=True, nogil=True, fastmath=FAST)
def semidefinite_factor(S, m, kept, order, own, tolerance):
    """Cholesky of a symmetric S in place that leaves dependent rows out (`kept` false).

    Redundant constraints (a planar loop closed by a spatial hinge) make S singular but consistent.
    Pivots on the largest diagonal left, relative to `own`, recorded in `order`, so that what is dropped is truly
    dependent.
    """
    for i in range(m):
        order[i] = i
        kept[i] = False
    for j in range(m):
        pivot = j
        for i in range(j + 1, m):
            a, b = order[pivot], order[i]
            if own[b] > 0.0 and (S[b, b] * own[a] > S[a, a] * own[b] or own[a] <= 0.0):  # a row of zeros never leads
                pivot = i
        order[j], order[pivot] = order[pivot], order[j]
        a = order[j]
        if not independent(S[a, a], own[a], tolerance):
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


@njit(cache=True, nogil=True, fastmath=FAST)
def semidefinite_solve(S, m, kept, order, b):
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


@njit(cache=True, nogil=True, fastmath=FAST)
def semidefinite_null(S, m, kept, order, null):
    """Orthonormal rows n with S n = 0, from the factor of `semidefinite_factor`; returns how many.

    With F₁ the factor's rows that are kept and f one that is left out, t F₁ = f says how that row depends on
    them, so that n = (−t, 1) is one; Gram and Schmidt make them orthonormal.
    """
    rank = 0
    while rank < m and kept[order[rank]]:
        rank += 1
    count = min(m - rank, null.shape[0])
    for k in range(count):
        n, left_out = null[k], order[rank + k]
        for i in range(m):
            n[i] = 0.0
        n[left_out] = 1.0
        for j in range(rank - 1, -1, -1):
            t = S[left_out, order[j]]
            for i in range(j + 1, rank):
                t += n[order[i]] * S[order[i], order[j]]
            n[order[j]] = -t / S[order[j], order[j]]
        remove(null, k, m, n)
        size = 0.0
        for i in range(m):
            size += n[i] * n[i]
        for i in range(m):
            n[i] /= np.sqrt(size)
    return count


@njit(cache=True, nogil=True, fastmath=FAST)
def remove(null, count, m, b):
    """b −= n (n·b) for each of `count` orthonormal rows n."""
    for k in range(count):
        part = 0.0
        for i in range(m):
            part += null[k, i] * b[i]
        for i in range(m):
            b[i] -= part * null[k, i]


@njit(forceinline=True)
def pivot_row(J, n, k):
    """Bring the row of the largest pivot, of those from k on, to k; returns which it was."""
    pivot = k
    for i in range(k + 1, n):
        if abs(J[i, k]) > abs(J[pivot, k]):
            pivot = i
    if pivot != k:
        for j in range(n):
            J[k, j], J[pivot, j] = J[pivot, j], J[k, j]
    return pivot


@njit(cache=True, nogil=True, fastmath=FAST)
def eliminate(J, n, b):
    """Solve J x = b in place of b by elimination with row pivoting; J is destroyed. False if it is singular."""
    for k in range(n):
        pivot = pivot_row(J, n, k)
        if J[k, k] == 0.0:
            return False
        b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            f = J[i, k] / J[k, k]
            b[i] -= f * b[k]
            for j in range(k + 1, n):
                J[i, j] -= f * J[k, j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= J[k, j] * b[j]
        b[k] /= J[k, k]
    return True


@njit(cache=True, nogil=True, fastmath=FAST)
def eliminate_columns(J, n, B):
    """Solve J X = B in place of B, of many columns, by elimination with row pivoting; J is destroyed. False if it is
    singular. (Rows are the inner loop: it is vectorised.)"""
    for k in range(n):
        pivot = pivot_row(J, n, k)
        if J[k, k] == 0.0:
            return False
        if pivot != k:
            for j in range(B.shape[1]):
                B[k, j], B[pivot, j] = B[pivot, j], B[k, j]
        for i in range(k + 1, n):
            f = J[i, k] / J[k, k]
            for j in range(k + 1, n):
                J[i, j] -= f * J[k, j]
            for j in range(B.shape[1]):
                B[i, j] -= f * B[k, j]
    substitute_back(J, n, B)
    return True


@njit(cache=True, nogil=True, fastmath=FAST)
def substitute_back(J, n, B):
    """Solve J X = B in place of B with the upper triangle of J."""
    for k in range(n - 1, -1, -1):
        inverse = 1.0 / J[k, k]
        for j in range(B.shape[1]):
            B[k, j] *= inverse
        for i in range(k):
            f = J[i, k]
            for j in range(B.shape[1]):
                B[i, j] -= f * B[k, j]


@njit(cache=True, nogil=True, fastmath=FAST)
def less_product(out, C, A, B):
    """out = C − A B."""
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            out[i, j] = C[i, j]
        for k in range(A.shape[1]):
            f = A[i, k]
            if f != 0.0:
                for j in range(B.shape[1]):
                    out[i, j] -= f * B[k, j]
