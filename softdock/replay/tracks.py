"""Numbers for a page: quantised, delta-coded, packed in as few bytes as they need, deflated.

A channel is a list of numbers x and a step s. Stored are the differences of the whole numbers round(x / s), the first
from 0, each as 0, −1, 1, −2, … → 0, 1, 2, 3, … in groups of seven bits, lowest first, the eighth bit set in all bytes
but the last. Channels follow each other without marks: the page knows how many numbers each has.
"""

import base64
import zlib

import numpy as np

POSITION_STEP = 1e-4
"""Metres. Rounding is off by at most half of it in each axis: 0.087 mm in space."""
QUATERNION_STEP = 2.0**-14
"""Rounding is off by at most half of it in each of four numbers, so by one step in all: an angle of 0.007°."""
TIME_STEP = 1e-6
LARGEST = 2**52
"""A number of more steps than this would not survive JavaScript's arithmetic."""


class Tracks:
    """Channels on their way to a page."""

    def __init__(self) -> None:
        self._steps: list[float] = []
        self._counts: list[int] = []
        self._deltas: list[np.ndarray] = []

    def add(self, values: np.ndarray, step: float) -> int:
        """Number of a new channel; ValueError for what is not finite or too large."""
        flat = np.ravel(values)
        if not np.all(np.abs(flat) < LARGEST * step):  # also false for NaN
            raise ValueError(f"numbers from {flat.min():.6g} to {flat.max():.6g} cannot be shown in steps of {step:g}")
        whole = np.rint(flat / step).astype(np.int64)
        self._deltas.append(np.diff(whole, prepend=0))
        self._steps.append(step)
        self._counts.append(len(flat))
        return len(self._steps) - 1

    def add_scaled(self, values: np.ndarray) -> dict[str, float | int]:
        """A channel of numbers that matter to a 30,000th of their range, or to a 3000th of what nine in ten of them
        span, if a few are far out; NaN is a gap (the lowest code)."""
        known = np.isfinite(values)
        low, high = (float(f(values[known])) for f in (np.min, np.max)) if known.any() else (0.0, 0.0)
        usual = float(np.ptp(np.percentile(values[known], (5, 95)))) if high > low else 0.0
        scale = min(high - low, max(10 * usual, 1e-6 * (high - low))) / 30_000 or 1.0
        codes = np.where(known, np.rint((np.where(known, values, low) - low) / scale), -1.0)
        return {"channel": self.add(codes, 1.0), "low": low, "scale": scale}

    def head(self) -> list[list[float]]:
        """Step and count of every channel."""
        return [list(pair) for pair in zip(self._steps, self._counts, strict=True)]

    def text(self) -> str:
        """All channels as base64 of zlib's format."""
        deltas = np.concatenate(self._deltas) if self._deltas else np.zeros(0, dtype=np.int64)
        return base64.b64encode(zlib.compress(groups_of_seven(deltas), 5)).decode()


def groups_of_seven(numbers: np.ndarray) -> bytes:
    """Signed whole numbers as bytes (see the top of the file)."""
    left = ((numbers << 1) ^ (numbers >> 63)).view(np.uint64)
    length = np.ones(len(left), dtype=np.int64)
    for bits in range(7, 64, 7):
        length += left >= np.uint64(1 << bits)
    ends = np.cumsum(length)
    out = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    at = ends - length
    while len(left):
        last = length == 1
        out[at] = (left & np.uint64(127)).astype(np.uint8) | np.where(last, 0, 128).astype(np.uint8)
        left, at, length = left[~last] >> np.uint64(7), at[~last] + 1, length[~last] - 1
    return out.tobytes()
