"""A step of Levenberg and Marquardt within the limits of joints, compiled."""

import numpy as np

from softdock.contact.vectors import cross, dot, row
from softdock.kernels.jit import njit
from softdock.kernels.linear import eliminate, some


@njit(cache=True, nogil=True)
def stepped(q, J, e, weight, damping, low, high):
    """q after a step, within the limits; the step's size, the cost before it, and what is expected of it."""
    n, cost, size, expected = len(q), 0.0, 0.0, 0.0
    H, slope, room, trial = np.zeros((n, n)), np.zeros(n), np.empty((n, 2)), np.empty(n)
    for k in range(6):
        w = weight[k] * weight[k]
        cost += w * e[k] * e[k]
        for i in range(n):
            slope[i] += w * J[k, i] * e[k]
            for j in range(n):
                H[i, j] += w * J[k, i] * J[k, j]
    for i in range(n):
        H[i, i] += damping
        room[i, 0], room[i, 1] = low[i] - q[i], high[i] - q[i]
    step = step_within(H, slope, room)
    for i in range(n):
        size = max(size, abs(step[i]))
        expected += step[i] * (damping * step[i] + slope[i])
        trial[i] = min(max(q[i] + step[i], low[i]), high[i])
    return trial, size, cost, expected


@njit(cache=True, nogil=True)
def step_within(H, slope, room):
    """The least of ½ δᵀHδ − slopeᵀδ within `room` (n, 2), but for joints once stopped, which are not let go again.

    Cutting a full step off at the limits instead would leave a direction that need not go down.
    """
    n = len(slope)
    step, is_free = np.zeros(n), np.ones(n, np.bool_)
    for i in range(n):
        is_free[i] = not ((room[i, 0] >= 0.0 and slope[i] < 0.0) or (room[i, 1] <= 0.0 and slope[i] > 0.0))
    while some(is_free):
        free = np.flatnonzero(is_free)
        A, b, stops = np.empty((len(free), len(free))), np.empty(len(free)), False
        for a in range(len(free)):
            i = free[a]
            b[a] = slope[i]
            for j in range(n):
                if not is_free[j]:
                    b[a] -= H[i, j] * step[j]
            for c in range(len(free)):
                A[a, c] = H[i, free[c]]
        eliminate(A, len(free), b)
        for a in range(len(free)):
            i = free[a]
            step[i] = min(max(b[a], room[i, 0]), room[i, 1])
            if step[i] != b[a]:
                is_free[i], stops = False, True
        if not stops:
            break
    return step


@njit(cache=True, nogil=True)
def is_rotation(R, tolerance):
    """Is RᵀR one, each entry to within a tolerance, and R no reflection?"""
    for i in range(3):
        for j in range(3):
            total = -1.0 if i == j else 0.0
            for k in range(3):
                total += R[k, i] * R[k, j]
            if not abs(total) <= tolerance:
                return False
    return dot(cross(row(R, 0), row(R, 1)), row(R, 2)) > 0.0
