"""Inverse and forward dynamics of an arm by the two recursions, and the regressor of its inertial parameters."""

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm import block
from softdock.arm.denavit_hartenberg import Convention
from softdock.arm.kinematics import relative_frame
from softdock.arm.recursion import frame_torques, twist_torques
from softdock.arm.serial import SerialArm, states
from softdock.spatial import adjoint, inverse, skew, twist_bracket


def exponentials(arm: SerialArm, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
    """τ (…, n) by the product of exponentials (Korczyk et al., eq. 13): twists and wrenches, O(n) a sample."""
    q_, v_, a_ = states(arm, q=q, v=v, a=a)
    R0, p0, parameters = _along_z(arm)
    out = np.empty(q_.shape)
    q_, v_, a_ = _rows(arm, q_, v_, a_)
    twist_torques(R0, p0, arm.prismatic, parameters, arm.gravity, q_, v_, a_, out.reshape(-1, arm.n))
    return out


inverse_dynamics = exponentials


def newton_euler(
    arm: SerialArm, q: ArrayLike, v: ArrayLike, a: ArrayLike, convention: Convention = "standard"
) -> np.ndarray:
    """τ (…, n) by the recursive Newton-Euler method in the frames of the arm's D-H table."""
    q_, v_, a_ = states(arm, q=q, v=v, a=a)
    table = arm.denavit_hartenberg(convention)
    links = arm.in_frames(table.frames(np.zeros(arm.n)))
    out = np.empty(q_.shape)
    q_, v_, a_ = _rows(arm, q_, v_, a_)
    frame_torques(
        table.table,
        convention == "modified",
        arm.prismatic,
        table.base[:3, :3].T @ arm.gravity,
        np.array([link.mass for link in links]),
        np.array([link.center for link in links]),
        np.array([link.inertia for link in links]),
        q_,
        v_,
        a_,
        out.reshape(-1, arm.n),
    )
    return out


def forward_dynamics(arm: SerialArm, q: ArrayLike, v: ArrayLike, torque: ArrayLike) -> np.ndarray:
    """q̈ (…, n) under joint torques (…, n)."""
    q_, v_, torque_ = states(arm, q=q, v=v, torque=torque)
    bias = exponentials(arm, q_, v_, np.zeros(q_.shape))
    return np.linalg.solve(block.mass_matrix(arm, q_), (torque_ - bias)[..., None])[..., 0]


def regressor(arm: SerialArm, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
    """Y (…, n, 10 n) with τ = Y π: π are `arm.parameters()`, the arm's own numbers do not matter."""
    q_, v_, a_ = states(arm, q=q, v=v, a=a)
    n, lead = arm.n, q_.shape[:-1]
    V, dV = np.zeros((*lead, 6)), np.broadcast_to(np.concatenate([np.zeros(3), -arm.gravity]), (*lead, 6))
    B = np.zeros((*lead, 6, n))  # twist of link i per joint rate
    Y = np.empty((*lead, n, 10 * n))
    for i in range(n):
        Ad = adjoint(inverse(relative_frame(arm, i, q_[..., i])))
        screw = block.own_screw(arm, i)
        V = _apply(Ad, V) + screw * v_[..., i, None]
        dV = _apply(Ad, dV) + _apply(twist_bracket(V), screw * v_[..., i, None]) + screw * a_[..., i, None]
        B = Ad @ B
        B[..., :, i] += screw
        Y[..., :, 10 * i : 10 * i + 10] = np.swapaxes(B, -1, -2) @ _wrench(V, dV)
    return Y


def _wrench(V: np.ndarray, dV: np.ndarray) -> np.ndarray:
    """W (…, 6, 10) with J V̇ − ad_Vᵀ J V = W π, for one link."""
    return _momentum(dV) - np.swapaxes(twist_bracket(V), -1, -2) @ _momentum(V)


def _momentum(V: np.ndarray) -> np.ndarray:
    """(…, 6, 10) with J V = (I ω + h × v, m v − h × ω), linear in π = (m, h, I)."""
    w, v = V[..., :3], V[..., 3:]
    out = np.zeros((*V.shape, 10))
    out[..., 3:, 0] = v
    out[..., :3, 1:4] = -skew(v)
    out[..., 3:, 1:4] = skew(w)
    x, y, z = w[..., 0], w[..., 1], w[..., 2]
    for row, entries in enumerate((((4, x), (7, y), (8, z)), ((5, y), (7, x), (9, z)), ((6, z), (8, x), (9, y)))):
        for column, value in entries:
            out[..., row, column] = value
    return out


def _apply(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (A @ x[..., None])[..., 0]


def _rows(arm: SerialArm, *arrays: np.ndarray) -> list[np.ndarray]:
    return [np.ascontiguousarray(array).reshape(-1, arm.n) for array in arrays]


def _along_z(arm: SerialArm) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Placements and parameters in link frames turned so that every joint's axis is z."""
    turns = np.array([_to_z(axis) for axis in arm.axes])
    T = arm.placements @ turns
    T[1:] = inverse(turns[:-1]) @ T[1:]
    parameters = [link.moved(inverse(turn)).parameters() for link, turn in zip(arm.inertials, turns, strict=True)]
    return np.ascontiguousarray(T[:, :3, :3]), np.ascontiguousarray(T[:, :3, 3]), np.array(parameters)


def _to_z(axis: np.ndarray) -> np.ndarray:
    """A frame with this z axis, in the link's."""
    T = np.eye(4)
    if axis[2] < 1 - 1e-15:
        x = np.cross(np.eye(3)[np.argmin(np.abs(axis))], axis)
        x /= np.linalg.norm(x)
        T[:3, :3] = np.column_stack([x, np.cross(axis, x), axis])
    return T
