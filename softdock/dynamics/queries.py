"""Questions about a world at given states, compiled: one state, or many along a leading axis."""

import numpy as np
from numba import njit

from softdock.dynamics.mass import mass_matrix
from softdock.dynamics.orbit import position
from softdock.dynamics.plant import FACTOR, SOLVE
from softdock.kernels import call


@njit(cache=True, nogil=True)
def apply_batch(kernel, theta, size, q, v, e):  # type: ignore[no-untyped-def]
    """A kernel at many states; a leading length of 1 is shared."""
    count = max(q.shape[0], v.shape[0], e.shape[0])
    out = np.empty((count, size))
    for b in range(count):
        call(kernel, q[min(b, q.shape[0] - 1)], v[min(b, v.shape[0] - 1)], e[min(b, e.shape[0] - 1)], theta, out[b])
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
def mass_batch(kernel, theta, pairs, n, q):  # type: ignore[no-untyped-def]
    """Mass matrices at many configurations."""
    M = np.empty((q.shape[0], n, n))
    inertia = np.empty((n, 12))
    for b in range(q.shape[0]):
        mass_matrix(kernel, theta, pairs, q[b], inertia, M[b])
    return M


@njit(cache=True, nogil=True)
def acceleration(plant, inverse, drives, q, v, command, e, a):  # type: ignore[no-untyped-def]
    """a = M⁻¹(drives − inverse dynamics without acceleration); e holds r and zeros."""
    n = plant.nv
    push, bias = np.empty(n), np.empty(n)
    call(inverse, q, v, e, plant.theta, bias)
    call(drives, q, v, command, plant.theta, push)
    for i in range(n):
        push[i] -= bias[i]
    factor = np.empty(plant.factor)
    call(plant.kernels[FACTOR], q, v, e[3:], plant.theta, factor)
    call(plant.kernels[SOLVE], q, push, factor, plant.theta, a)


@njit(cache=True, nogil=True)
def forward_batch(plant, inverse, drives, q, v, command, t):  # type: ignore[no-untyped-def]
    """Accelerations at many states."""
    out = np.empty((q.shape[0], plant.nv))
    e = np.zeros(3 + plant.nv)
    for b in range(q.shape[0]):
        if plant.orbit.size > 0:
            position(plant.orbit, t[b], e)
        acceleration(plant, inverse, drives, q[b], v[b], command[b], e, out[b])
    return out
