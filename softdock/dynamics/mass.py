"""The mass matrix, from the inertia kernel."""

from softdock.kernels import call
from softdock.kernels.jit import njit


@njit(cache=True, nogil=True)
def mass_matrix(kernel, theta, pairs, q, inertia, M):
    """M_ij = S_i · F_j for i an ancestor of j; both triangles of M are written.

    `inertia` (2, nv, 6) receives S and F of every velocity (layouts.INERTIA).
    """
    call(kernel, q, q, q, theta, inertia)
    n, S, F = M.shape[0], inertia[0], inertia[1]
    for i in range(n):
        for j in range(n):
            M[i, j] = 0.0
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        m = S[i, 0] * F[j, 0] + S[i, 1] * F[j, 1] + S[i, 2] * F[j, 2]
        m += S[i, 3] * F[j, 3] + S[i, 4] * F[j, 4] + S[i, 5] * F[j, 5]
        M[i, j] = m
        M[j, i] = m
