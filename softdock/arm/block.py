"""The block-matrix form of an arm's dynamics: τ = M q̈ + C q̇ + φ (Korczyk et al., eqs. 1-7), joints that turn or slide.

With V = G S q̇ the links' twists in their own frames, stacked, and G = (1 − Γ)⁻¹:

    M = Sᵀ Gᵀ J G S,    C = Sᵀ Gᵀ (J G a Γ + b) G S,    φ = Sᵀ Gᵀ J G P₀ V̇₀

Two things differ from print. ad* of eq. 4 has the opposite sign: b V = −ad_Vᵀ J V. And to b = −ad_Vᵀ J is added J ad_V,
which does nothing to b V as ad_V V = 0, and makes b skew, and with it Ṁ − 2C (docs/theory/serial-arms.md).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm.kinematics import relative_frame
from softdock.arm.serial import SerialArm, states
from softdock.spatial import adjoint, inverse, twist_bracket


class Blocks(NamedTuple):
    """The matrices of the paper, with leading axes as q has them."""

    S: np.ndarray
    """(6n, n)."""
    J: np.ndarray
    """(6n, 6n)."""
    Gamma: np.ndarray
    """(…, 6n, 6n)."""
    G: np.ndarray
    """(…, 6n, 6n)."""
    P0: np.ndarray
    """(…, 6n, 6)."""


def blocks(arm: SerialArm, q: ArrayLike) -> Blocks:
    """S, J, Γ, G and P₀ at joint values q (…, n)."""
    (q_,) = states(arm, q=q)
    n, lead = arm.n, q_.shape[:-1]
    S, J = np.zeros((6 * n, n)), np.zeros((6 * n, 6 * n))
    Gamma, P0 = np.zeros((*lead, 6 * n, 6 * n)), np.zeros((*lead, 6 * n, 6))
    for i in range(n):
        rows = slice(6 * i, 6 * i + 6)
        S[rows, i] = own_screw(arm, i)
        J[rows, rows] = arm.inertials[i].spatial()
        Ad = adjoint(inverse(relative_frame(arm, i, q_[..., i])))
        if i == 0:
            P0[..., rows, :] = Ad
        else:
            Gamma[..., rows, 6 * i - 6 : 6 * i] = Ad
    return Blocks(S, J, Gamma, np.linalg.inv(np.eye(6 * n) - Gamma), P0)


def own_screw(arm: SerialArm, i: int) -> np.ndarray:
    """s_i, eq. 7: joint i's screw in link i's frame."""
    zero = np.zeros(3)
    return np.concatenate([zero, arm.axes[i]] if arm.prismatic[i] else [arm.axes[i], zero])


def mass_matrix(arm: SerialArm, q: ArrayLike) -> np.ndarray:
    """M(q) (…, n, n), eq. 2."""
    S, J, _, G, _ = blocks(arm, q)
    return _t(G @ S) @ J @ (G @ S)


def coriolis_matrix(arm: SerialArm, q: ArrayLike, v: ArrayLike) -> np.ndarray:
    """C(q, q̇) (…, n, n), eq. 5, with Ṁ − 2C skew-symmetric."""
    q_, v_ = states(arm, q=q, v=v)
    return _coriolis(arm, blocks(arm, q_), v_)


def gravity_torque(arm: SerialArm, q: ArrayLike) -> np.ndarray:
    """φ(q) (…, n), eq. 6: what the actuators hold against gravity."""
    S, J, _, G, P0 = blocks(arm, q)
    lift = np.concatenate([np.zeros(3), -arm.gravity])
    return (_t(G @ S) @ (J @ (G @ (P0 @ lift)[..., None])))[..., 0]


def inverse_dynamics(arm: SerialArm, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
    """τ (…, n), eq. 1."""
    q_, v_, a_ = states(arm, q=q, v=v, a=a)
    parts = blocks(arm, q_)
    S, J, _, G, P0 = parts
    B = G @ S
    lift = np.concatenate([np.zeros(3), -arm.gravity])
    phi = _t(B) @ (J @ (G @ (P0 @ lift)[..., None]))
    M = _t(B) @ J @ B
    return (M @ a_[..., None] + _coriolis(arm, parts, v_) @ v_[..., None] + phi)[..., 0]


def coriolis_as_printed(arm: SerialArm, q: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Eqs. 3-5 as the paper has them, to show what eq. 4's sign does (sliding joints need more than eq. 3 prints)."""
    q_, v_ = states(arm, q=q, v=v)
    S, J, Gamma, G, _ = blocks(arm, q_)
    a, b = _diagonals(arm, G @ S, v_)
    return _t(G @ S) @ (J @ G @ a @ Gamma + _t(b) @ J) @ G @ S


def _coriolis(arm: SerialArm, parts: Blocks, v: np.ndarray) -> np.ndarray:
    S, J, Gamma, G, _ = parts
    B = G @ S
    a, b = _diagonals(arm, B, v)
    return _t(B) @ (J @ G @ a @ Gamma + J @ b - _t(b) @ J) @ B


def _diagonals(arm: SerialArm, B: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """−ad of the joints' own twists s_i q̇_i (eq. 3) and ad of the links' twists, each (…, 6n, 6n)."""
    V = (B @ v[..., None])[..., 0].reshape(*v.shape, 6)
    own = np.stack([own_screw(arm, i) for i in range(arm.n)]) * v[..., None]
    return -_diagonal(twist_bracket(own)), _diagonal(twist_bracket(V))


def _diagonal(parts: np.ndarray) -> np.ndarray:
    """(…, n, 6, 6) along the diagonal of (…, 6n, 6n)."""
    n = parts.shape[-3]
    out = np.zeros((*parts.shape[:-3], 6 * n, 6 * n))
    for i in range(n):
        out[..., 6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = parts[..., i, :, :]
    return out


def _t(A: np.ndarray) -> np.ndarray:
    return np.swapaxes(A, -1, -2)
