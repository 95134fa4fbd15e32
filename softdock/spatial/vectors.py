"""Vectors (…, 3)."""

import numpy as np

_YZX, _ZXY = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of rows (…, 3): as np.cross, without its preparations, which take ten times as long for few rows."""
    (a_yzx, a_zxy), (b_yzx, b_zxy) = ((x.take(_YZX, axis=-1), x.take(_ZXY, axis=-1)) for x in (a, b))
    return np.asarray(a_yzx * b_zxy - a_zxy * b_yzx)


def lengths(x: np.ndarray) -> np.ndarray:
    """|x| of rows (…, 3): as np.linalg.norm, in half the time for few rows."""
    return np.sqrt(np.add.reduce(x * x, axis=-1))


def seen(R: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Rᵀ x of rows (n, 3, 3) and (n, 3): vectors as frames see them."""
    return np.asarray((x[:, None] @ R)[:, 0])


def skew(u: np.ndarray) -> np.ndarray:
    """[u] (…, 3, 3) with [u] w = u × w."""
    S = np.zeros((*u.shape, 3))
    S[..., 2, 1], S[..., 0, 2], S[..., 1, 0] = u[..., 0], u[..., 1], u[..., 2]
    return S - np.swapaxes(S, -1, -2)
