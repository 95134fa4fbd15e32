"""Questions about a world at given states, compiled: one state, or many along a leading axis."""

import numpy as np
from numba import njit

from softdock.dynamics.linear import cholesky, cholesky_solve
from softdock.dynamics.mass import mass_matrix
from softdock.dynamics.orbit import position
from softdock.kernels import call


@njit(cache=True, nogil=True)
def apply_one(kernel, theta, nq, nv, ne, size, q, v, e):  # type: ignore[no-untyped-def]
    """A kernel at one state."""
    if q.size != nq or v.size != nv or e.size != ne:
        raise ValueError("wrong array size")
    out = np.empty(size)
    call(kernel, q, v, e, theta, out)
    return out


@njit(cache=True, nogil=True)
def apply_batch(kernel, theta, size, q, v, e):  # type: ignore[no-untyped-def]
    """A kernel at many states; a leading length of 1 is shared."""
    count = max(q.shape[0], v.shape[0], e.shape[0])
    out = np.empty((count, size))
    for b in range(count):
        call(kernel, q[min(b, q.shape[0] - 1)], v[min(b, v.shape[0] - 1)], e[min(b, e.shape[0] - 1)], theta, out[b])
    return out


@njit(cache=True, nogil=True)
def inverse_one(kernel, theta, orbit, nq, q, v, a, t):  # type: ignore[no-untyped-def]
    """Inverse dynamics at one state."""
    n = v.size
    if q.size != nq or a.size != n or theta.size < 0:
        raise ValueError("wrong array size")
    e = np.zeros(3 + n)
    if orbit.size > 0:
        position(orbit, t, e)
    for i in range(n):
        e[3 + i] = a[i]
    out = np.empty(n)
    call(kernel, q, v, e, theta, out)
    return out


@njit(cache=True, nogil=True)
def inverse_batch(kernel, theta, orbit, q, v, a, t):  # type: ignore[no-untyped-def]
    """Inverse dynamics at many states."""
    n = v.shape[1]
    e = np.zeros(3 + n)
    out = np.empty((q.shape[0], n))
    for b in range(q.shape[0]):
        if orbit.size > 0:
            position(orbit, t[b], e)
        for i in range(n):
            e[3 + i] = a[b, i]
        call(kernel, q[b], v[b], e, theta, out[b])
    return out


@njit(cache=True, nogil=True)
def mass_batch(kernel, theta, ancestors, q):  # type: ignore[no-untyped-def]
    """Mass matrices at many configurations."""
    n = ancestors.shape[0]
    M = np.empty((q.shape[0], n, n))
    inertia = np.empty((n, 2, 6))
    for b in range(q.shape[0]):
        mass_matrix(kernel, theta, ancestors, q[b], inertia, M[b])
    return M


@njit(cache=True, nogil=True)
def forward_batch(plant, inverse, drives, q, v, command, t):  # type: ignore[no-untyped-def]
    """Accelerations M⁻¹(drives − inverse dynamics at rest of acceleration) at many states."""
    n = plant.nv
    out = np.empty((q.shape[0], n))
    inertia = np.empty((n, 2, 6))
    M = np.empty((n, n))
    bias = np.empty(n)
    e = np.zeros(3 + n)
    for b in range(q.shape[0]):
        if plant.orbit.size > 0:
            position(plant.orbit, t[b], e)
        call(inverse, q[b], v[b], e, plant.theta, bias)
        call(drives, q[b], v[b], command[b], plant.theta, out[b])
        out[b] -= bias
        mass_matrix(plant.kernels[2], plant.theta, plant.ancestors, q[b], inertia, M)
        cholesky(M, n)
        cholesky_solve(M, n, out[b])
    return out
