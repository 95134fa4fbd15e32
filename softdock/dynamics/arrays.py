"""Checking arrays at the edge: one clear message for a wrong shape or a number that is not finite."""

import math
from numbers import Real
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from softdock.kernels.jit import njit


def is_number(value: Any) -> bool:
    """Is it a finite number?"""
    return (type(value) is float or isinstance(value, Real)) and math.isfinite(value)


def batched(name: str, value: ArrayLike, size: int) -> np.ndarray:
    """`value` as a contiguous float64 array (batch, size), all finite; a single row becomes a batch of one."""
    array = value if _is_batch(value, size) else shaped(name, value, size)
    if not _is_finite(array):
        raise ValueError(f"{name} has a value that is not finite")
    return array


def _is_batch(value: ArrayLike, size: int) -> TypeGuard[np.ndarray]:
    """Is it such an array already?"""
    return (
        type(value) is np.ndarray and value.dtype is _FLOAT and value.shape[1:] == (size,) and value.flags.c_contiguous
    )


def _is_finite(array: np.ndarray) -> bool:
    """Is every value? Of a few numbers the sum of squares tells it soonest, unless they are very large."""
    flat = array.reshape(-1)
    return (flat.size < _FEW and math.isfinite(flat.dot(flat))) or _flaw(array, _NO_QUATERNIONS) == FINE


def shaped(name: str, value: ArrayLike, size: int) -> np.ndarray:
    """As `batched`, whatever the values."""
    if type(value) is np.ndarray and value.dtype is _FLOAT and value.shape == (size,) and value.flags.c_contiguous:
        return value.reshape(1, size)  # the quick way of control loops
    refuse_lossy(name, value)
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be {size} numbers, or rows of them, not {value!r:.80}") from None
    if array.ndim not in (1, 2) or array.shape[-1] != size:
        raise ValueError(f"{name} must have shape ({size},) or (batch, {size}), not {array.shape}")
    return array.reshape(-1, size)


def refuse_lossy(name: str, value: ArrayLike) -> None:
    """ValueError for an array that would lose its imaginary part, or its mask."""
    if isinstance(value, np.ndarray) and (value.dtype.kind == "c" or isinstance(value, np.ma.MaskedArray)):
        raise ValueError(f"{name} must be an array of real numbers without a mask")


def rows_of(what: str, value: ArrayLike, size: int, count: int) -> np.ndarray:
    """`value` as `count` rows, or a single one that stands for all."""
    array = batched(what, value, size)
    if len(array) not in (1, count):
        raise ValueError(f"{what} must have {'1 row' if count <= 1 else f'1 or {count} rows'}, not {len(array)}")
    return array


def same_length(*arrays: np.ndarray) -> list[np.ndarray]:
    """Arrays repeated along their first axis to a common length; 1 or the common length is allowed."""
    count = refuse_lengths(*arrays)
    return [
        np.ascontiguousarray(array if len(array) == count else np.broadcast_to(array, (count, *array.shape[1:])))
        for array in arrays
    ]


def refuse_lengths(*arrays: np.ndarray) -> int:
    """The common length of arrays along their first axis; ValueError if any has another one that is not 1."""
    lengths = {len(array) for array in arrays}
    count = max(lengths)
    if lengths - {1, count}:
        raise ValueError(f"batch axes differ: {sorted(lengths)}")
    return count


def configuration(q: ArrayLike, nq: int, quaternions: np.ndarray) -> np.ndarray:
    """A checked batch of configurations, their quaternions (from those indices on) normalised."""
    array = q if _is_batch(q, nq) else shaped("q", q, nq)
    if not quaternions.size and _is_finite(array):
        return array
    flaw = _flaw(array, quaternions)
    if flaw == NOT_FINITE:
        raise ValueError("q has a value that is not finite")
    if flaw == NOT_UNIT:
        array = array.copy()
        for k in quaternions:
            norm = np.linalg.norm(array[:, k : k + 4], axis=1, keepdims=True)
            if np.any(norm < 1e-6):
                raise ValueError(f"the quaternion at q[{k}:{k + 4}] has zero norm")
            array[:, k : k + 4] /= norm
    return array


FINE, NOT_FINITE, NOT_UNIT = range(3)
_FEW = 1000
_FLOAT = np.dtype(np.float64)
_NO_QUATERNIONS = np.zeros(0, dtype=np.int64)


@njit(cache=True, nogil=True)
def _flaw(rows, quaternions):
    """What is not right with configurations; in one pass, since single states are asked about in control loops."""
    for row in rows:
        for value in row:
            if not np.isfinite(value):
                return NOT_FINITE
    for row in rows:
        for k in quaternions:
            square = row[k] ** 2 + row[k + 1] ** 2 + row[k + 2] ** 2 + row[k + 3] ** 2
            if abs(square - 1.0) > 2e-15:
                return NOT_UNIT
    return FINE
