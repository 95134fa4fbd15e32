"""Where one frame is in another."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from pydantic import model_validator

from softdock.spatial import (
    conjugate,
    four,
    matrix_of_quaternion,
    quaternion_of_matrix,
    quaternion_of_rpy,
    quaternion_product,
    transform,
)
from softdock.world.describe import Described, Quaternion, Vec3, _is_numeric, _listed


class Pose(Described):
    """Frame B in frame A.

    In TOML or as keywords, `rpy` (fixed-axis roll, pitch, yaw in rad) may stand for `quaternion`.
    """

    position: Vec3 = (0.0, 0.0, 0.0)
    """p_AB in A (m)."""
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """q_AB, Hamilton's, w x y z (-)."""

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

    @classmethod
    def of(cls, R_AB: np.ndarray, p_AB: ArrayLike) -> "Pose":
        """Frame B in A by its rotation matrix and position."""
        x, y, z = np.asarray(p_AB, dtype=np.float64).tolist()
        return cls(position=(x, y, z), quaternion=four(quaternion_of_matrix(R_AB)))

    @property
    def rotation(self) -> np.ndarray:
        """R_AB, exact for quarter turns: entries within rounding of 0 and ±1 are those."""
        return matrix_of_quaternion(self.quaternion)

    def __matmul__(self, other: "Pose") -> "Pose":
        """Frame C in A, of B in A (self) and C in B."""
        x, y, z = (self.position + self.rotation @ other.position).tolist()
        return Pose(position=(x, y, z), quaternion=four(quaternion_product(self.quaternion, other.quaternion)))

    def inverse(self) -> "Pose":
        """Frame A in B."""
        back = Pose(quaternion=four(conjugate(self.quaternion)))
        a, b, c = (-back.rotation @ self.position).tolist()
        return Pose(position=(a, b, c), quaternion=back.quaternion)

    def matrix(self) -> np.ndarray:
        """The homogeneous 4x4 transform of B in A."""
        return transform(self.rotation, np.array(self.position))
