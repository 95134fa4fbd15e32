"""Where one frame is in another."""

import math
from typing import Any

import numpy as np
from pydantic import model_validator

from softdock.world.describe import Described, Quaternion, Vec3, _is_numeric, _listed


class Pose(Described):
    """Frame B in frame A: `position` p_AB (m, in A) and `quaternion` q_AB (Hamilton, w x y z).

    In TOML or as keywords, `rpy` (fixed-axis roll, pitch, yaw in rad) may stand for `quaternion`.
    """

    position: Vec3 = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)

    @model_validator(mode="before")
    @classmethod
    def _accept_rpy(cls, data: Any) -> Any:
        if not (isinstance(data, dict) and "rpy" in data):
            return data
        if "quaternion" in data:
            raise ValueError("give either 'quaternion' or 'rpy', not both")
        rpy = _listed(data["rpy"])
        if not _is_numeric(rpy, 3):
            raise ValueError("'rpy' must be three finite numbers (rad)")
        rest = {key: value for key, value in data.items() if key != "rpy"}
        return {**rest, "quaternion": quaternion_of_rpy(*rpy)}

    @property
    def rotation(self) -> np.ndarray:
        """R_AB, exact for quarter turns: entries within rounding of 0 and ±1 are those."""
        return rotation_of(self.quaternion)

    def __matmul__(self, other: "Pose") -> "Pose":
        """Frame C in A, of B in A (self) and C in B."""
        x, y, z = (self.position + self.rotation @ other.position).tolist()
        return Pose(position=(x, y, z), quaternion=quaternion_product(self.quaternion, other.quaternion))

    def inverse(self) -> "Pose":
        """Frame A in B."""
        w, x, y, z = self.quaternion
        back = Pose(quaternion=(w, -x, -y, -z))
        a, b, c = (-back.rotation @ self.position).tolist()
        return Pose(position=(a, b, c), quaternion=back.quaternion)

    def matrix(self) -> np.ndarray:
        """The homogeneous 4x4 transform of B in A."""
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = self.rotation, self.position
        return T


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


def quaternion_product(
    q_AB: tuple[float, float, float, float], q_BC: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """q_AC, Hamilton's product."""
    w, x, y, z = q_AB
    W, X, Y, Z = q_BC
    return (
        w * W - x * X - y * Y - z * Z,
        w * X + x * W + y * Z - z * Y,
        w * Y - x * Z + y * W + z * X,
        w * Z + x * Y - y * X + z * W,
    )


def rotation_vector(q_wxyz: tuple[float, float, float, float]) -> np.ndarray:
    """Axis times angle (rad, at most π) of a unit quaternion, exact to rounding for small turns too."""
    w, x, y, z = q_wxyz if q_wxyz[0] >= 0 else (-c for c in q_wxyz)
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2 * math.atan2(sine, w) / sine if sine > 1e-150 else 2.0
    return np.array([scale * x, scale * y, scale * z])


def rotation_of(q_wxyz: tuple[float, float, float, float] | np.ndarray) -> np.ndarray:
    """Rotation matrix of a unit quaternion, cleaned of rounding at 0 and ±1."""
    w, x, y, z = q_wxyz
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return clean(R)


def clean(R: np.ndarray) -> np.ndarray:
    """Snap entries within 4 units of rounding of -1, 0, 1: they fold away in the compiled code."""
    nearest = np.round(R)
    return np.where(np.abs(R - nearest) < 1e-15, nearest, R)


def quaternions_of(R: np.ndarray) -> np.ndarray:
    """Unit quaternions w x y z (…, 4) of rotation matrices (…, 3, 3); w ≥ 0.

    The largest of 4w², 4x², 4y², 4z² is found from the diagonal, and the others from it (Shepperd 1978),
    so nothing is divided by a small number.
    """
    a, b, c = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    squares = np.stack([1 + a + b + c, 1 + a - b - c, 1 - a + b - c, 1 - a - b + c], axis=-1)
    skew = [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]]
    even = [R[..., 1, 0] + R[..., 0, 1], R[..., 0, 2] + R[..., 2, 0], R[..., 2, 1] + R[..., 1, 2]]
    rows = [
        [squares[..., 0], skew[0], skew[1], skew[2]],
        [skew[0], squares[..., 1], even[0], even[1]],
        [skew[1], even[0], squares[..., 2], even[2]],
        [skew[2], even[1], even[2], squares[..., 3]],
    ]
    largest = np.argmax(squares, axis=-1)[..., None]
    q = np.choose(largest, [np.stack(row, axis=-1) for row in rows])
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.asarray(np.where(q[..., :1] < 0, -q, q))
