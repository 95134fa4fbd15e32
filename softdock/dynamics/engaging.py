"""What engaging a latch asks: how far its frames are from where they belong."""

import math

import numpy as np

ROUNDING = 1e-9
"""Violation (m or rad) of a state that someone gives, up to which it counts as rounded."""


def misfit(kind: str, p: np.ndarray, R: np.ndarray, p0: np.ndarray, R0: np.ndarray | None) -> tuple[float, float]:
    """How far (m, rad) frame B, at p and R in frame A, is from p0 and R0 in what a latch of that kind holds. R0 may be
    None, for not turned.

    The angle is the true one up to π; sines, as the constraints have them, are zero upside down too.
    """
    if kind == "distance":
        return abs(math.hypot(*p.tolist()) - math.hypot(*p0.tolist())), 0.0
    apart = math.hypot(*(p - p0).tolist())
    if kind == "point":
        return apart, 0.0
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (R if R0 is None else R0.T @ R).tolist()
    if kind == "hinge":
        return apart, math.atan2(math.hypot(xz, yz), zz)
    return apart, math.atan2(math.hypot(yz - zy, zx - xz, xy - yx) / 2, (xx + yy + zz - 1) / 2)
