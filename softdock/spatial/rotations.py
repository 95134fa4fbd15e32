"""Rotations as unit quaternions w x y z (…, 4), matrices (…, 3, 3) and rotation vectors (…, 3), axis times angle (rad).

A single rotation takes the way of plain numbers, ten times as fast as that of arrays.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.spatial.vectors import cross, lengths

_FLOAT = np.dtype(np.float64)


def _split(x: ArrayLike) -> Any:
    """Numbers of one row, or columns of many."""
    if isinstance(x, tuple):
        return x
    array = x if isinstance(x, np.ndarray) and x.dtype == _FLOAT else np.asarray(x, dtype=np.float64)
    if array.ndim == 1:
        return array.tolist()
    return array.T if array.ndim == 2 else np.moveaxis(array, -1, 0)


def _joined(parts: Sequence[Any]) -> np.ndarray:
    if isinstance(parts[0], float):
        return np.array(parts)
    out = np.empty((*parts[0].shape, len(parts)))  # np.stack takes several times as long for few rotations
    for k, part in enumerate(parts):
        out[..., k] = part
    return out


def _last(R: np.ndarray) -> np.ndarray:
    """Matrices (3, 3, …) as (…, 3, 3)."""
    return R if R.ndim == 2 else np.moveaxis(R, (0, 1), (-2, -1))


def four(q_wxyz: ArrayLike) -> tuple[float, float, float, float]:
    """One quaternion as plain numbers, as descriptions have it."""
    w, x, y, z = np.asarray(q_wxyz, dtype=np.float64).tolist()
    return w, x, y, z


# --- quaternions ---------------------------------------------------------------------------------


def quaternion_product(q_AB: ArrayLike, q_BC: ArrayLike) -> np.ndarray:
    """q_AC, Hamilton's product: R_AC = R_AB R_BC."""
    w, x, y, z = _split(q_AB)
    W, X, Y, Z = _split(q_BC)
    return _joined(
        [
            w * W - x * X - y * Y - z * Z,
            w * X + x * W + y * Z - z * Y,
            w * Y - x * Z + y * W + z * X,
            w * Z + x * Y - y * X + z * W,
        ]
    )


def conjugate(q_AB: ArrayLike) -> np.ndarray:
    """q_BA."""
    w, x, y, z = _split(q_AB)
    return _joined([w, -x, -y, -z])


def upward(q_wxyz: np.ndarray) -> np.ndarray:
    """Of q and −q, which are the same rotation, the one with w ≥ 0."""
    return np.asarray(np.where(q_wxyz[..., :1] < 0, -q_wxyz, q_wxyz))


def turn_between(q_WA: ArrayLike, q_WB: ArrayLike) -> np.ndarray:
    """q_AB: how B is turned, seen from A."""
    return quaternion_product(conjugate(q_WA), q_WB)


def angle_between(q_WA: ArrayLike, q_WB: ArrayLike) -> np.ndarray:
    """Angle (rad, 0 to π) of the turn from A to B, exact to rounding at both ends."""
    turn = turn_between(q_WA, q_WB)
    return np.asarray(2 * np.arctan2(np.linalg.norm(turn[..., 1:], axis=-1), np.abs(turn[..., 0])))


# --- from one form to another --------------------------------------------------------------------


def quaternion_of_rpy(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """Quaternion of Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


def rpy_of_matrix(R: np.ndarray) -> tuple[float, float, float]:
    """Roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll); roll is zero where pitch is a quarter turn."""
    across = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], across)
    if across < 1e-9:
        return 0.0, pitch, math.atan2(-R[0, 1], R[1, 1])
    return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])


def quaternion_of_vector(phi: ArrayLike) -> np.ndarray:
    """exp(φ/2): the quaternion of a rotation vector; by a series up to 1e-3 rad, so that nothing is divided by zero."""
    x, y, z = _split(phi)
    square = x * x + y * y + z * z
    if isinstance(square, float):
        angle = math.sqrt(square)
        scale = _half_sinc(angle) if angle <= 1e-3 else math.sin(angle / 2) / angle
        return np.array([math.cos(angle / 2), scale * x, scale * y, scale * z])
    angle = np.sqrt(square)
    small = angle <= 1e-3
    scale = np.where(small, _half_sinc(angle), np.sin(angle / 2) / np.where(small, 1.0, angle))
    return _joined([np.cos(angle / 2), scale * x, scale * y, scale * z])


def _half_sinc(angle: Any) -> Any:
    """sin(angle/2)/angle of a small angle."""
    square = angle * angle
    return 0.5 - square / 48 + square * square / 3840


def vector_of_quaternion(q_wxyz: ArrayLike) -> np.ndarray:
    """2 log(q): the rotation vector, of length at most π, exact to rounding for small turns too."""
    w, x, y, z = _split(q_wxyz)
    square = x * x + y * y + z * z
    scale: Any
    if isinstance(square, float):
        sine = math.sqrt(square)
        scale = 2 * math.atan2(sine, abs(w)) / sine if sine > 1e-150 else 2.0
        scale = -scale if w < 0 else scale
    else:
        sine = np.sqrt(square)
        small = sine <= 1e-150
        scale = np.where(small, 2.0, 2 * np.arctan2(sine, np.abs(w)) / np.where(small, 1.0, sine))
        scale = np.where(w < 0, -scale, scale)
    return _joined([scale * x, scale * y, scale * z])


def matrix_of_quaternion(q_AB: ArrayLike) -> np.ndarray:
    """R_AB of a unit quaternion, cleaned of rounding at 0 and ±1: exact for quarter turns."""
    w, x, y, z = _split(q_AB)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    if isinstance(w, float):
        return np.array([[_snapped(entry) for entry in row] for row in rows])
    return clean(_last(np.array(rows)))


def _snapped(entry: float) -> float:
    """One entry, as `clean` has it."""
    size = abs(entry)
    if size < 1e-15:
        return 0.0 * entry
    return math.copysign(1.0, entry) if abs(size - 1.0) < 1e-15 else entry


def clean(R: np.ndarray) -> np.ndarray:
    """Snap entries within 4 units of rounding of -1, 0, 1: they fold away in the compiled code."""
    nearest = np.round(R)
    return np.where(np.abs(R - nearest) < 1e-15, nearest, R)


def matrix_of_vector(phi: ArrayLike) -> np.ndarray:
    """exp([φ]): the matrix of a rotation vector, not cleaned: the smallest turns are kept."""
    w, x, y, z = _split(quaternion_of_vector(phi))
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    R = np.array(
        [
            [xx - yy - zz + ww, 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), -xx + yy - zz + ww, 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), -xx - yy + zz + ww],
        ]
    )
    return _last(R)


def quaternion_of_matrix(R_AB: np.ndarray) -> np.ndarray:
    """q_AB (…, 4) of rotation matrices (…, 3, 3), its largest entry positive.

    That entry is found from the diagonal, and the others from it (Shepperd 1978), so nothing is divided by a small
    number.
    """
    single = R_AB.ndim == 2
    rows = R_AB.tolist() if single else np.moveaxis(R_AB, (-2, -1), (0, 1))
    (a, xy, xz), (yx, b, yz), (zx, zy, c) = rows
    trace = a + b + c
    by_largest = [
        (zy - yz, 1 - trace + 2 * a, yx + xy, zx + xz),
        (xz - zx, yx + xy, 1 - trace + 2 * b, zy + yz),
        (yx - xy, zx + xz, zy + yz, 1 - trace + 2 * c),
        (1 + trace, zy - yz, xz - zx, yx - xy),
    ]
    decision = [a, b, c, trace]
    if single:
        w, x, y, z = by_largest[decision.index(max(decision))]
        size = math.sqrt(x * x + y * y + z * z + w * w)
        return np.array([w / size, x / size, y / size, z / size])
    largest = np.argmax(np.stack(decision), axis=0)
    w, x, y, z = (np.choose(largest, choices) for choices in zip(*by_largest, strict=True))
    return _joined([w, x, y, z]) / np.sqrt(x * x + y * y + z * z + w * w)[..., None]


def vector_of_matrix(R_AB: np.ndarray) -> np.ndarray:
    """log(R): the rotation vector, of length at most π."""
    if R_AB.ndim == 2:
        s = 0.5 * np.array([R_AB[2, 1] - R_AB[1, 2], R_AB[0, 2] - R_AB[2, 0], R_AB[1, 0] - R_AB[0, 1]])
        sine, cosine = math.sqrt(s @ s), 0.5 * (R_AB[0, 0] + R_AB[1, 1] + R_AB[2, 2] - 1.0)
        if sine > 1e-4:
            return s * (math.atan2(sine, cosine) / sine)
        if cosine > 0:
            return s * (1.0 + sine * sine / 6.0)  # arcsin(x)/x to rounding
    return vector_of_quaternion(quaternion_of_matrix(R_AB))


def least_turn(a: ArrayLike, b: ArrayLike) -> np.ndarray:
    """Quaternion of the smallest rotation that takes the direction of a (…, 3) to that of b.

    With the unit vector m halfway between them, q = (a·m, a × m). Beyond a quarter turn, half a turn about an axis
    across both comes first, so that m is well defined; about any axis across a, where b is opposite.
    """
    u, v = np.broadcast_arrays(_unit(np.asarray(a, dtype=np.float64)), _unit(np.asarray(b, dtype=np.float64)))
    far = _dot(u, v) < 0
    axis, across = cross(u, v), cross(u, np.eye(3)[np.argmin(np.abs(u), axis=-1)])
    axis = np.where(_dot(axis, axis) < 1e-24, across, axis)
    half_turn = np.concatenate([np.zeros(far.shape), _unit(axis - _dot(axis, u) * u)], axis=-1)
    start = np.where(far, -u, u)
    middle = _unit(start + v)
    near = np.concatenate([_dot(start, middle), cross(start, middle)], axis=-1)
    return np.asarray(np.where(far, quaternion_product(near, half_turn), near))


def _unit(a: np.ndarray) -> np.ndarray:
    return np.asarray(a / lengths(a)[..., None])


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(…, 1)."""
    return np.sum(a * b, axis=-1, keepdims=True)
