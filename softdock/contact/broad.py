"""Broad phase: which of many axis-aligned boxes overlap."""

import numpy as np

from softdock.kernels.jit import njit


def overlapping_pairs(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Pairs (i < j) of boxes [lower, upper] (n, 3) that overlap or touch, in order: rows of an (m, 2) array.

    Sweep and prune: boxes sorted by where they begin along the axis on which they spread most.
    """
    low, high = np.ascontiguousarray(lower, dtype=np.float64), np.ascontiguousarray(upper, dtype=np.float64)
    if low.shape != high.shape or low.ndim != 2 or low.shape[1] != 3:
        raise ValueError(f"lower and upper are (n, 3) arrays, not {low.shape} and {high.shape}")
    if not np.all(low <= high):  # also where either is NaN
        raise ValueError(f"box {int(np.argmin(np.all(low <= high, axis=1)))} has a lower corner over its upper one")
    if len(low) < 2:
        return np.empty((0, 2), dtype=np.int64)
    axis = int(np.argmax(np.var(low + high, axis=0)))
    order = np.argsort(low[:, axis], kind="stable")
    pairs = np.empty((_sweep(low, high, order, axis, np.empty((0, 2), dtype=np.int64)), 2), dtype=np.int64)
    _sweep(low, high, order, axis, pairs)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


@njit(cache=True, nogil=True)
def _sweep(low, high, order, axis, pairs):
    """Number of overlapping pairs; the first ones into `pairs`, as many as it holds."""
    count = 0
    for a in range(order.size):
        i = order[a]
        for b in range(a + 1, order.size):
            j = order[b]
            if low[j, axis] > high[i, axis]:
                break
            if (
                low[i, 0] <= high[j, 0] and low[j, 0] <= high[i, 0]
                and low[i, 1] <= high[j, 1] and low[j, 1] <= high[i, 1]
                and low[i, 2] <= high[j, 2] and low[j, 2] <= high[i, 2]
            ):  # fmt: skip
                if count < pairs.shape[0]:
                    pairs[count, 0], pairs[count, 1] = min(i, j), max(i, j)
                count += 1
    return count
