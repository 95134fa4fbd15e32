"""Poses and Jacobians of frames, from the links' poses."""

import numpy as np
from numba import njit

from softdock.kernels import call


@njit(cache=True, nogil=True)
def frame_pose(kernel, theta, q, links, link, R_LF, p_LF, R, p):  # type: ignore[no-untyped-def]
    """R_WF and p_WF of a frame fixed in a link; returns all links' poses (R by rows, p)."""
    poses = np.empty((links, 12))
    call(kernel, q, q, q, theta, poses)
    for i in range(3):  # by hand: NumPy's @ would load SciPy's BLAS, and assigning whole arrays compiles slowly
        if link < 0:
            p[i] = p_LF[i]
            for j in range(3):
                R[i, j] = R_LF[i, j]
            continue
        p[i] = poses[link, 9 + i]
        for j in range(3):
            R[i, j] = 0.0
            p[i] += poses[link, 3 * i + j] * p_LF[j]
            for k in range(3):
                R[i, j] += poses[link, 3 * i + k] * R_LF[k, j]
    return poses


@njit(cache=True, nogil=True)
def frame_jacobian(poses, parents, kinds, first_v, link, p, J):  # type: ignore[no-untyped-def]
    """(angular; linear) velocity of the frame per unit velocity, world axes, at its origin p."""
    J[:] = 0.0
    while link >= 0:
        R = poses[link, :9].copy().reshape(3, 3)
        arm = p - poses[link, 9:]
        v = first_v[link]
        kind = kinds[link]
        count = 1 if kind <= 1 else 3
        for k in range(count):
            axis = R[:, 2 if count == 1 else k].copy()
            if kind in (0, 2):
                J[:3, v + k] = axis
                J[3:, v + k] = np.cross(axis, arm)
            else:
                J[3:, v + k] = axis
        link = parents[link]


@njit(cache=True, nogil=True)
def frame_batch(kernel, theta, q, links, link, R_LF, p_LF, R, p):  # type: ignore[no-untyped-def]
    """`frame_pose` over a leading axis."""
    for b in range(q.shape[0]):
        frame_pose(kernel, theta, q[b], links, link, R_LF, p_LF, R[b], p[b])
