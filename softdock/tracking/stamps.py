"""Times of measurements from someone's own file: in order, in seconds, and none that cannot be of the same motion."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from softdock.estimation import PoseMeasurement

UNITS = {1e-9: "nanoseconds", 1e-6: "microseconds", 1e-3: "milliseconds"}
WHOLE = 20.0
"""Whole-numbered stamps that are usually so far apart, or farther, are not seconds."""
FAR = 1000.0
"""A stamp that is so many times farther from the median than the middle half of all is long is none of them."""
NO_TIME, ALONE, AGAIN = "no time", "a time far from all others", "a time that is there twice"


def ordered(poses: Sequence[PoseMeasurement]) -> tuple[list[PoseMeasurement], dict[str, object]]:
    """Measurements by time (s), and what was done to them: the unit of their stamps, how many were out of order, and
    how many were dropped, by reason."""
    dropped: Counter[str] = Counter()
    known = [pose for pose in poses if np.isfinite(pose.t)]
    dropped[NO_TIME] = len(poses) - len(known)
    factor = _factor(np.array([pose.t for pose in known]))
    late = sum(b.t < a.t for a, b in pairwise(known))
    known = sorted((pose._replace(t=pose.t * factor) for pose in known), key=lambda pose: pose.t)
    near = _together(np.array([pose.t for pose in known]))
    dropped[ALONE] = len(known) - len(near)
    known = [known[k] for k in near]
    first = [k for k, pose in enumerate(known) if not k or pose.t > known[k - 1].t]
    dropped[AGAIN] = len(known) - len(first)
    told: dict[str, object] = {"out_of_order": late, "dropped": {why: n for why, n in dropped.items() if n}}
    if factor != 1.0:
        told["stamps"] = UNITS[factor]
    return [known[k] for k in first], told


def _factor(t: np.ndarray) -> float:
    """What makes seconds of stamps."""
    apart = np.diff(np.unique(t))
    if len(apart) == 0 or np.any(t != np.round(t)):
        return 1.0
    usual = float(np.median(apart))
    return next((factor for factor in UNITS if usual * factor >= WHOLE / 1000), 1.0)


def _together(t: np.ndarray) -> np.ndarray:
    """Which times belong together: those not FAR times farther from the median than the middle half is long."""
    if len(t) == 0:
        return np.zeros(0, dtype=np.int64)
    low, middle, high = np.quantile(t, [0.25, 0.5, 0.75])
    return np.flatnonzero((np.abs(t - middle) <= FAR * (high - low)) | (high == low))
