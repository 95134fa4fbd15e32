"""The Cramér-Rao bound: how well any unbiased estimator can forecast the grasp pose."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.estimation.batch import PRIOR
from softdock.estimation.filter import Estimate
from softdock.estimation.measurement import exchanged
from softdock.estimation.model import Model
from softdock.estimation.target import target_state

_UNDISTURBED = np.diag(np.where(PRIOR >= 1e9, 1e18, 0.0))


class Bound(NamedTuple):
    """Least covariance of a forecast pose (rotation vector in {C}, position in {A}), and its size."""

    covariance: np.ndarray
    """(6, 6): rotation (rad²), then position (m²)."""
    position: float
    """Root of the expected squared distance (m)."""
    angle: float
    """Root of the expected squared angle (rad)."""


def cramer_rao(
    truth: Estimate, n: float, times: ArrayLike, covariance: np.ndarray, t: float, prior: np.ndarray | None = None
) -> Bound:
    """Bound of a forecast to time t from poses measured at `times`, all with one covariance; truth is at its time t.

    `prior` is information (26, 26) about the state at truth.t; without it, directions that the data say nothing of are
    left out, which is right as long as the forecast does not depend on them. Nothing is taken to disturb the target.
    """
    model = Model("target", n, 0.0, 0.0)
    x, at = target_state(truth), np.asarray(times, float)
    exact = np.array([np.concatenate(model.pose(model.propagated(x, model.certain(), k - truth.t)[0])) for k in at])
    _, J, _, _ = model.followed(x, truth.t, at, exact)
    white = np.linalg.solve(np.linalg.cholesky(exchanged(covariance)), J)
    information = np.einsum("kia,kib->ab", white, white) + (_UNDISTURBED if prior is None else prior)
    _, _, there, S = model.followed(x, truth.t, np.array([t]), exact[:1])
    H = model.sensitivity(there) @ S
    size = np.sqrt(np.maximum(np.diag(information), 1e-300))
    least = np.linalg.pinv(information / np.outer(size, size), rcond=1e-14, hermitian=True) / np.outer(size, size)
    C = H @ least @ H.T
    return Bound(C, float(np.sqrt(np.trace(C[3:, 3:]))), float(np.sqrt(np.trace(C[:3, :3]))))
