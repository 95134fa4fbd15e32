"""Mass matrix from the inertia kernel, and its factor."""

import numpy as np
from numba import njit

from softdock.dynamics.linear import cholesky
from softdock.kernels import call


@njit(cache=True, nogil=True)
def mass_matrix(kernel, theta, ancestors, q, inertia, M):  # type: ignore[no-untyped-def]
    """M_ij = S_i · F_j for i an ancestor of j; both triangles of M are written."""
    call(kernel, q, q, q, theta, inertia)
    n = M.shape[0]
    for i in range(n):
        S = inertia[i, 0]
        for j in range(i, n):
            m = 0.0
            if ancestors[i, j]:
                F = inertia[j, 1]
                for k in range(6):
                    m += S[k] * F[k]
            M[i, j] = m
            M[j, i] = m


@njit(cache=True, nogil=True)
def factor_step_matrix(plant, inertia, q, xi, h, L):  # type: ignore[no-untyped-def]
    """Factor of M + (h/2) D + (h²/4) K at q: minus the derivative of the step's residual, but for
    gyroscopic terms. Friction counts with its slope at ξ. Returns as `cholesky` does."""
    mass_matrix(plant.kernels[2], plant.theta, plant.ancestors, q, inertia, L)
    for i in range(plant.nv):
        slope = plant.damping[i]
        if plant.friction[i] > 0.0:
            s = plant.friction_speed[i]
            slope += plant.friction[i] * s * s / (xi[i] * xi[i] + s * s) ** 1.5
        L[i, i] += 0.5 * h * slope + 0.25 * h * h * plant.stiffness[i]
    return cholesky(L, plant.nv)


@njit(cache=True, nogil=True)
def has_resistance(plant):  # type: ignore[no-untyped-def]
    """Does the step matrix depend on h?"""
    return np.any(plant.damping > 0.0) or np.any(plant.stiffness > 0.0) or np.any(plant.friction > 0.0)
