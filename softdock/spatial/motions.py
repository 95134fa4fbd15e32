"""Rigid motions: homogeneous transforms T_AB (…, 4, 4), and twists, the angular velocity first.

A twist of a body in a frame holds its angular velocity and the velocity of that point of the body which is at the
frame's origin, both in the frame's components.
"""

import numpy as np

from softdock.spatial.rotations import matrix_of_vector
from softdock.spatial.vectors import skew


def transform(R_AB: np.ndarray, p_AB: np.ndarray) -> np.ndarray:
    """T_AB (4, 4) of frame B in A."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R_AB, p_AB
    return T


def inverse(T_AB: np.ndarray) -> np.ndarray:
    """T_BA (…, 4, 4)."""
    out = np.zeros(T_AB.shape)
    out[..., :3, :3] = np.swapaxes(T_AB[..., :3, :3], -1, -2)
    out[..., :3, 3] = -np.einsum("...ji,...j->...i", T_AB[..., :3, :3], T_AB[..., :3, 3])
    out[..., 3, 3] = 1.0
    return out


def adjoint(T_AB: np.ndarray) -> np.ndarray:
    """Ad (…, 6, 6): takes twists in B to twists in A."""
    R, p = T_AB[..., :3, :3], T_AB[..., :3, 3]
    out = np.zeros((*T_AB.shape[:-2], 6, 6))
    out[..., :3, :3] = out[..., 3:, 3:] = R
    out[..., 3:, :3] = skew(p) @ R
    return out


def twist_bracket(V: np.ndarray) -> np.ndarray:
    """ad_V (…, 6, 6): d/dt Ad = Ad ad_V for a frame that moves with the twist V in itself."""
    out = np.zeros((*V.shape, 6))
    out[..., :3, :3] = out[..., 3:, 3:] = skew(V[..., :3])
    out[..., 3:, :3] = skew(V[..., 3:])
    return out


def screw_motion(S: np.ndarray, x: float) -> np.ndarray:
    """exp([S] x) (4, 4) of a unit screw without pitch: a turn by x (rad) about a line, or a slide by x (m)."""
    w, v = S[:3], S[3:]
    if not np.any(w):
        return transform(np.eye(3), x * v)
    R, point = matrix_of_vector(x * w), np.cross(w, v)
    return transform(R, point - R @ point)
