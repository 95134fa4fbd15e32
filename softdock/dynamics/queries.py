"""Questions about a world at given states, compiled: one state, or many along a leading axis."""

import numpy as np

from softdock.dynamics.mass import mass_matrix
from softdock.dynamics.orbit import position
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.mechanics.layouts import FACTOR_INPUT, INVERSE_INPUT

inverse_input = INVERSE_INPUT.zeros("nv")
"""What the inverse kernel takes, zero."""
FACTOR_ONE, FACTOR_EACH = FACTOR_INPUT.size({"nv": 0}), FACTOR_INPUT.size({"nv": 1}) - FACTOR_INPUT.size({"nv": 0})
"""Numbers that the factor kernel takes, and how many of them each velocity adds."""


@njit(cache=True, nogil=True)
def apply_batch(kernel, theta, q, v, e, out):
    """A kernel at as many states as `out` (…, size) has rows; a leading length of 1 is shared. (To return a new array
    would take five times as long as one state.)"""
    for b in range(out.shape[0]):
        call(kernel, q[min(b, q.shape[0] - 1)], v[min(b, v.shape[0] - 1)], e[min(b, e.shape[0] - 1)], theta, out[b])


@njit(cache=True, nogil=True)
def inverse_batch(kernel, theta, orbit, q, v, a, t):
    """Inverse dynamics at many states."""
    n = v.shape[1]
    e = inverse_input(n)
    out = np.empty((q.shape[0], n))
    for b in range(q.shape[0]):
        if orbit.size > 0:
            position(orbit, t[b], e.radius)
        for i in range(n):
            e.acceleration[i] = a[b, i]
        call(kernel, q[b], v[b], e.vector, theta, out[b])
    return out


@njit(cache=True, nogil=True)
def mass_batch(kernel, theta, pairs, n, q):
    """Mass matrices at many configurations."""
    M = np.empty((q.shape[0], n, n))
    inertia = np.empty((2, n, 6))
    for b in range(q.shape[0]):
        mass_matrix(kernel, theta, pairs, q[b], inertia, M[b])
    return M


@njit(cache=True, nogil=True)
def mass_factor(plant, q):
    """The factor of M: that of the step matrix, of h = 0."""
    factor, no_step = np.empty(plant.factor_size), np.zeros(FACTOR_ONE + FACTOR_EACH * plant.nv)
    call(plant.kernels.factor, q, q, no_step, plant.theta, factor)
    return factor


@njit(cache=True, nogil=True)
def acceleration(plant, inverse, actuators, q, v, command, e, a):
    """a = M⁻¹(actuators − inverse dynamics without acceleration); e is an `inverse_input`."""
    n = plant.nv
    push, bias = np.empty(n), np.empty(n)
    call(inverse, q, v, e, plant.theta, bias)
    call(actuators, q, v, command, plant.theta, push)
    for i in range(n):
        push[i] -= bias[i]
    call(plant.kernels.solve, q, push, mass_factor(plant, q), plant.theta, a)


@njit(cache=True, nogil=True)
def forward_batch(plant, inverse, actuators, q, v, command, t):
    """Accelerations at many states."""
    out = np.empty((q.shape[0], plant.nv))
    e = inverse_input(plant.nv)
    for b in range(q.shape[0]):
        if plant.orbit.size > 0:
            position(plant.orbit, t[b], e.radius)
        acceleration(plant, inverse, actuators, q[b], v[b], command[b], e.vector, out[b])
    return out
