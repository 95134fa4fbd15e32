"""How a camera is turned against where its craft believes it to be, by what it sees of the craft itself."""

from typing import NamedTuple

import numpy as np

from softdock.estimation import Forecast
from softdock.planning.intercept import Moving
from softdock.spatial import (
    matrix_of_quaternion,
    matrix_of_vector,
    quaternion_of_matrix,
    quaternion_product,
    skew,
)
from softdock.tracking.viewpoint import Viewpoint

GATE = 0.03
"""Points further (m) from where the craft believes itself to be are something else."""
SPREAD = 0.003
"""Width of Cauchy's loss (m): noise of ranges, facets, and edges where a ray meets another body than it should."""
KNOWN = 3e-4
"""How well the craft knows where its own bodies are, as an angle from the camera (rad)."""
LOOSE = 0.02
"""Of a turn before anything was seen (rad)."""
SURE = 21.1
"""χ² (3 degrees of freedom) that a camera which is not turned exceeds in one of 10,000 cases."""
FEWEST, MOST = 100, 1 / 2
"""Points from which it is told, and the weight that they have left on average: else it is not a turn that is seen."""


class Misalignment:
    """Least squares for a small turn δ (rad, in the believed camera's axes K): a ray d that meets a surface of the own
    craft with the normal n at ρ instead of ρ̂ says n·d (ρ − ρ̂) = −ρ (d × n)·δ."""

    def __init__(self) -> None:
        self.turn: np.ndarray = np.zeros(3)
        self.sure_at: float | None = None
        """Since when it is sure that the camera is turned (s)."""
        self._count, self._weight = 0, 0.0
        self._A, self._b = np.eye(3) / LOOSE**2, np.zeros(3)

    @property
    def tilt(self) -> np.ndarray:
        """The camera as it is, in the believed one."""
        return matrix_of_vector(self.turn)

    @property
    def covariance(self) -> np.ndarray:
        """Of the turn (3, 3) (rad²)."""
        return np.asarray(np.linalg.inv(self._A) + KNOWN**2 * np.eye(3))

    def _is_sure(self) -> bool:
        if self._count < FEWEST or self._weight < MOST * self._count:
            return False
        return float(self.turn @ np.linalg.solve(self.covariance, self.turn)) > SURE

    def correction(self, view: Viewpoint) -> "Correction | None":
        """Of what was measured from where the camera is believed; None if it is not known to be turned."""
        if self.sure_at is None:
            return None
        C = view.R_AK @ self.covariance @ view.R_AK.T
        return Correction(view.R_AK @ self.tilt @ view.R_AK.T, view.p_AK, C)

    def see(self, t: float, points: np.ndarray, ranges: np.ndarray, normals: np.ndarray) -> None:
        """Points (n, 3) in K that are the own craft's, where a camera turned by `turn` should have met it, and the
        normals (n, 3) there."""
        rho = np.linalg.norm(points, axis=1)
        d = points / np.maximum(rho, 1e-9)[:, None]
        with np.errstate(invalid="ignore"):
            off = np.einsum("ij,ij->i", normals, d) * (rho - ranges)
        used = np.abs(np.where(np.isfinite(off), off, np.inf)) < GATE
        off, J = off[used], -rho[used, None] * np.cross(d[used], normals[used])
        weights = 1 / (1 + (off / SPREAD) ** 2)
        self._A += (J * weights[:, None]).T @ J / SPREAD**2
        self._b += (J * weights[:, None]).T @ (off + J @ self.turn) / SPREAD**2
        self._count, self._weight = self._count + len(off), self._weight + float(weights.sum())
        self.turn = np.linalg.solve(self._A, self._b)
        if self.sure_at is None and self._is_sure():
            self.sure_at = t


class Correction(NamedTuple):
    """A turn `R` in A about `p` (m), with its covariance (rad²)."""

    R: np.ndarray
    p: np.ndarray
    covariance: np.ndarray

    def of_motion(self, frame: Moving) -> Moving:
        """A frame in A, where it is."""
        return Moving(self.R @ frame.R, self.p + self.R @ (frame.p - self.p), self.R @ frame.v, self.R @ frame.w)

    def of_forecast(self, there: Forecast) -> Forecast:
        """A forecast frame; its covariance has that of the turn too."""
        away = self.R @ (there.position - self.p)
        quaternion = quaternion_product(quaternion_of_matrix(self.R), there.quaternion)
        T, J = np.eye(6), np.vstack([matrix_of_quaternion(quaternion).T, -skew(away)])
        T[3:, 3:] = self.R
        return there._replace(
            position=self.p + away, quaternion=quaternion, velocity=self.R @ there.velocity,
            covariance=T @ there.covariance @ T.T + J @ self.covariance @ J.T,
            motion_covariance=T @ there.motion_covariance @ T.T,
        )  # fmt: skip
