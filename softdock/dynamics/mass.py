"""The mass matrix, from the inertia kernel."""

from numba import njit

from softdock.kernels import call


@njit(cache=True, nogil=True)
def mass_matrix(kernel, theta, pairs, q, inertia, M):  # type: ignore[no-untyped-def]
    """M_ij = S_i · F_j for i an ancestor of j; both triangles of M are written.

    `inertia` (nv, 12) receives S and F of every velocity.
    """
    call(kernel, q, q, q, theta, inertia)
    n = M.shape[0]
    for i in range(n):
        for j in range(n):
            M[i, j] = 0.0
    a = inertia
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        m = a[i, 0] * a[j, 6] + a[i, 1] * a[j, 7] + a[i, 2] * a[j, 8]
        m += a[i, 3] * a[j, 9] + a[i, 4] * a[j, 10] + a[i, 5] * a[j, 11]
        M[i, j] = m
        M[j, i] = m
