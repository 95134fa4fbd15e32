"""Checking arrays at the edge: one clear message for a wrong shape or a number that is not finite."""

import numpy as np
from numpy.typing import ArrayLike


def batched(name: str, value: ArrayLike, size: int) -> np.ndarray:
    """`value` as a contiguous float64 array (batch, size); a single row becomes a batch of one."""
    array = np.ascontiguousarray(value, dtype=np.float64)
    if array.ndim not in (1, 2) or array.shape[-1] != size:
        raise ValueError(f"{name} must have shape ({size},) or (batch, {size}), not {array.shape}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} has a value that is not finite")
    return array.reshape(-1, size)


def same_length(*arrays: np.ndarray) -> list[np.ndarray]:
    """Arrays repeated along their first axis to a common length; 1 or the common length is allowed."""
    count = max(len(array) for array in arrays)
    for array in arrays:
        if len(array) not in (1, count):
            raise ValueError(f"batch axes differ: {sorted({len(a) for a in arrays})}")
    return [np.ascontiguousarray(np.broadcast_to(array, (count, *array.shape[1:]))) for array in arrays]


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of rows (…, 3): as np.cross, without its preparations, which take ten times as long for few rows."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        out[..., k] = a[..., i] * b[..., j] - a[..., j] * b[..., i]
    return out


def configuration(q: ArrayLike, nq: int, quaternions: list[int]) -> np.ndarray:
    """A checked batch of configurations, their quaternions normalised."""
    array = batched("q", q, nq)
    for k in quaternions:
        norm = np.linalg.norm(array[:, k : k + 4], axis=1, keepdims=True)
        if np.any(norm < 1e-6):
            raise ValueError(f"the quaternion at q[{k}:{k + 4}] has zero norm")
        if np.any(np.abs(norm - 1) > 1e-15):
            array = array.copy()
            array[:, k : k + 4] /= norm
    return array
