"""What engaging a latch asks: how far its frames are from where they belong, and what the impulse lifts."""

import math

import numpy as np

from softdock.dynamics.impulse import CLOSING
from softdock.dynamics.latch import DEPENDENT

ROUNDING = 1e-9
"""Violation (m or rad) of a state that someone gives, up to which it counts as rounded."""


def misfit(kind: str, p: np.ndarray, R: np.ndarray, p0: np.ndarray, R0: np.ndarray) -> tuple[float, float]:
    """How far (m, rad) frame B, at p and R in frame A, is from p0 and R0 in what a latch of that kind holds.

    The angle is the true one up to π; sines, as the constraints have them, are zero upside down too.
    """
    apart = abs(math.hypot(*p) - math.hypot(*p0)) if kind == "distance" else math.hypot(*(p - p0))
    E = R0.T @ R
    sine, cosine = 0.0, 1.0
    if kind == "hinge":
        sine, cosine = math.hypot(E[0, 2], E[1, 2]), E[2, 2]
    elif kind == "weld":
        turn = E[1, 2] - E[2, 1], E[2, 0] - E[0, 2], E[0, 1] - E[1, 0]
        sine, cosine = math.hypot(*turn) / 2, (E[0, 0] + E[1, 1] + E[2, 2] - 1) / 2
    return apart, math.atan2(sine, cosine)


def lifted(M: np.ndarray, p: np.ndarray, A: np.ndarray, G: np.ndarray) -> np.ndarray:
    """Which resting contacts (rows G = ∇φ) the impulse that latches (rows A) give the momentum p opens.

        p⁺ = p + Aᵀμ + Gᵀν,   A M⁻¹p⁺ = 0,   0 ≤ ν ⊥ G M⁻¹p⁺ ≥ 0

    Of all momenta p + Aᵀμ + Gᵀν with ν ≥ 0, p⁺ is the one of least kinetic energy (docs/theory/latches.md). With
    M = L Lᵀ that is a least-squares problem in L⁻¹p, and what latches hold leaves it by projection.
    """
    from scipy.optimize import nnls  # slow to import, and rarely needed

    L = np.linalg.cholesky(M)
    axes, size, _ = np.linalg.svd(np.linalg.solve(L, A.T), full_matrices=False)
    axes = axes[:, size > math.sqrt(DEPENDENT) * size.max(initial=0.0)]
    pushes, motion = (x - axes @ (axes.T @ x) for x in (np.linalg.solve(L, G.T), np.linalg.solve(L, p)))
    opening: np.ndarray = pushes.T @ (motion + pushes @ nnls(pushes, -motion)[0])
    return opening > CLOSING
