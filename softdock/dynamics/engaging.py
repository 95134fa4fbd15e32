"""What engaging a latch asks: how far its frames are from where they belong."""

import math

import numpy as np

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
