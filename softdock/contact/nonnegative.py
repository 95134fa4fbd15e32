"""Least squares with non-negative unknowns: plastic impacts without friction.

    min |w|²,  w = v + A x,  x ≥ 0

With the columns of A = M^(−½) Jᵀ and v = M^½ × velocity, x are the impulses of a plastic impact: afterwards no point
closes (Aᵀw ≥ 0), and only points that do not part push (x ⊥ Aᵀw). Lawson & Hanson's method (Solving Least Squares
Problems, 1974, ch. 23), with the active columns kept orthonormal, so that redundant points (four corners of a face)
do no harm: a column that depends on the active ones is left out while they are active.
"""

import numpy as np

from softdock.kernels.jit import njit
from softdock.kernels.linear import copy, dot

DEPENDENT = 1e-11
"""What is left of a column, relative to it, below which it depends on the active ones."""
CLOSED = 1e-14
"""Speed, relative to |v|, that counts as none."""


@njit(cache=True, nogil=True)
def nonnegative_least_squares(A, v, x, w):
    """Writes x and w = v + A x. A (d, n), v and w (d), x (n)."""
    d, n = A.shape
    length, size = lengths(A), np.sqrt(dot(v, v))
    active, barred = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    order = np.empty(n, np.int64)
    Q, R, z = np.empty((n, d)), np.zeros((n, n)), np.empty(n)
    for j in range(n):
        x[j] = 0.0
    copy(v, w)
    count = 0
    for _ in range(10 * n + 20):
        pick = most_closing(A, w, length, active, barred, CLOSED * size)
        if pick < 0:
            break
        if not append(A, pick, Q, R, order, count, length[pick]):
            barred[pick] = True
            continue
        active[pick] = True
        count += 1
        while True:
            least_squares(Q, R, v, count, z)
            leaves = blocking(x, z, order, count)
            if leaves < 0:
                for i in range(count):
                    x[order[i]] = z[i]
                break
            barred[pick] = barred[pick] or order[leaves] == pick  # in and out at once: rounding
            count = without_zeros(A, x, leaves, active, Q, R, order, count, length)
        for j in range(n if active[pick] else 0):
            barred[j] = False
        for k in range(d):
            w[k] = v[k]
            for i in range(count):
                w[k] += A[k, order[i]] * x[order[i]]


@njit(cache=True, nogil=True)
def lengths(A):
    """Of the columns of A."""
    out = np.zeros(A.shape[1])
    for k in range(A.shape[0]):
        for j in range(A.shape[1]):
            out[j] += A[k, j] ** 2
    for j in range(A.shape[1]):
        out[j] = np.sqrt(out[j])
    return out


@njit(cache=True, nogil=True)
def most_closing(A, w, length, active, barred, least):
    """The column that w points against most, by more than `least`; −1 if there is none."""
    pick, most = -1, -least
    for j in range(A.shape[1]):
        if not active[j] and not barred[j] and length[j] > 0.0:
            slope = 0.0
            for k in range(A.shape[0]):
                slope += A[k, j] * w[k]
            if slope < most * length[j]:
                pick, most = j, slope / length[j]
    return pick


@njit(cache=True, nogil=True)
def append(A, j, Q, R, order, count, length):
    """Column j as one more orthonormal row of Q (Gram-Schmidt, twice); False if it depends on those before."""
    d = A.shape[0]
    new = Q[count]
    for k in range(d):
        new[k] = A[k, j]
    for i in range(count):
        R[i, count] = 0.0
    for _ in range(2):
        for i in range(count):
            along = dot(Q[i], new)
            R[i, count] += along
            for k in range(d):
                new[k] -= along * Q[i, k]
    left = np.sqrt(dot(new, new))
    if left <= DEPENDENT * length:
        return False
    R[count, count] = left
    for k in range(d):
        new[k] /= left
    order[count] = j
    return True


@njit(cache=True, nogil=True)
def least_squares(Q, R, v, count, z):
    """z of the active columns alone, without regard to signs: R z = −Q v."""
    for i in range(count - 1, -1, -1):
        z[i] = -dot(Q[i], v)
        for k in range(i + 1, count):
            z[i] -= R[i, k] * z[k]
        z[i] /= R[i, i]


@njit(cache=True, nogil=True)
def blocking(x, z, order, count):
    """Where on the way from x to z the first active column reaches zero; x goes there. −1 if z is all positive."""
    leaves, share = -1, 1.0
    for i in range(count):
        if z[i] <= 0.0:
            old = x[order[i]]
            part = old / (old - z[i]) if old > z[i] else 0.0
            if leaves < 0 or part < share:
                leaves, share = i, part
    if leaves >= 0:
        for i in range(count):
            x[order[i]] += share * (z[i] - x[order[i]])
        x[order[leaves]] = 0.0
    return leaves


@njit(cache=True, nogil=True)
def without_zeros(A, x, leaves, active, Q, R, order, count, length):
    """Drop the active columns at zero and orthonormalise those after the first of them anew; how many stay."""
    staying, first = 0, count
    for i in range(count):
        j = order[i]
        if i == leaves or x[j] <= 0.0:
            active[j], x[j] = False, 0.0
            first = min(first, i)
        else:
            order[staying] = j
            staying += 1
    count = first
    for i in range(first, staying):
        j = order[i]
        if append(A, j, Q, R, order, count, length[j]):
            count += 1
        else:
            active[j], x[j] = False, 0.0
    return count
