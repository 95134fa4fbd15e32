"""Poses and Jacobians of frames, from the links' poses."""

import numpy as np

from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.mechanics.layouts import POSES

_poses = POSES.zeros("links")


@njit(cache=True, nogil=True)
def link_poses(kernel, theta, q, links):
    """R_WL (links, 3, 3) and p_WL (links, 3) of all links (layouts.POSES)."""
    poses = _poses(links)
    call(kernel, q, q, q, theta, poses.vector)
    return poses.R, poses.p


@njit(cache=True, nogil=True)
def place(R_WL, p_WL, link, R_LF, p_LF, R, p):
    """R_WF and p_WF of a frame fixed in a link, into R and p."""
    for i in range(3):  # by hand: NumPy's @ would load SciPy's BLAS, and assigning whole arrays compiles slowly
        if link < 0:
            p[i] = p_LF[i]
            for j in range(3):
                R[i, j] = R_LF[i, j]
            continue
        p[i] = p_WL[link, i]
        for j in range(3):
            R[i, j] = 0.0
            p[i] += R_WL[link, i, j] * p_LF[j]
            for k in range(3):
                R[i, j] += R_WL[link, i, k] * R_LF[k, j]


@njit(cache=True, nogil=True)
def frame_pose(kernel, theta, q, links, link, R_LF, p_LF, R, p):
    """R_WF and p_WF of a frame fixed in a link, into R and p; returns R_WL and p_WL of all links."""
    R_WL, p_WL = link_poses(kernel, theta, q, links)
    place(R_WL, p_WL, link, R_LF, p_LF, R, p)
    return R_WL, p_WL


@njit(cache=True, nogil=True)
def frame_jacobian(R_WL, p_WL, chain, link, p, J):
    """(angular; linear) velocity of the frame per unit velocity, world axes, at its origin p."""
    J[:] = 0.0
    while link >= 0:
        arm = p - p_WL[link]
        kind, v = chain[link].kind, chain[link].v
        count = 1 if kind <= 1 else 3
        for k in range(count):
            axis = R_WL[link, :, 2 if count == 1 else k].copy()
            if kind in (0, 2):
                J[:3, v + k] = axis
                J[3:, v + k] = np.cross(axis, arm)
            else:
                J[3:, v + k] = axis
        link = chain[link].parent


@njit(cache=True, nogil=True)
def frame_batch(kernel, theta, q, links, link, R_LF, p_LF, R, p):
    """R_WF (frames, n, 3, 3) and p_WF of several frames, at n configurations."""
    poses = _poses(links)
    for b in range(q.shape[0]):
        call(kernel, q[b], q[b], q[b], theta, poses.vector)
        for f in range(link.shape[0]):
            place(poses.R, poses.p, link[f], R_LF[f], p_LF[f], R[f, b], p[f, b])
