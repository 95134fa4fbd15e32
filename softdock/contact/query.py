"""Proximity from Python: one pair of shapes in one placement, or in many."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import carray, types  # type: ignore[attr-defined]

from softdock.contact.boxes import placed_boxes
from softdock.contact.hit import HIT, NORMAL, ON_A, ON_B
from softdock.contact.proximity import gap
from softdock.contact.shapes import HALF, POINT, Shapes, encode
from softdock.contact.vectors import plus
from softdock.kernels.direct import direct
from softdock.kernels.jit import cfunc, njit
from softdock.world.pose import Pose
from softdock.world.shapes import Placed

DISTANCE, PLACES, ROW = 0, 1, 1 + HIT
"""Of an answer: where its signed distance is, where its hit begins, how long it is."""


class Proximity(NamedTuple):
    """Where two shapes are closest, in the world's frame; arrays with a leading axis for many placements."""

    distance: Any
    """Signed (m): distance apart, or less the depth of penetration."""
    normal: np.ndarray
    """Unit vector from B to A."""
    point_a: np.ndarray
    point_b: np.ndarray


class Pair:
    """Two shapes, prepared for many queries.

    `pair(X_A, X_B)` takes the bodies' poses and gives numbers: distance, normal, point on A, point on B, in the first
    ten places of an array. A pose is a 4 × 4 matrix, or, quicker for two boxes, the twelve numbers of R_WA, row by
    row, and p_WA.
    """

    def __init__(self, shape_a: Placed, shape_b: Placed) -> None:
        still = (np.eye(3), np.zeros(3))
        self._shapes = encode([(0, *still, shape_a), (1, *still, shape_b)])
        sizes = self._shapes.sizes
        self._boxes = bool(sizes[0, HALF] > 0 and sizes[1, HALF] > 0)
        self._held = np.concatenate([_frame(self._shapes, k) for k in (0, 1)]) if self._boxes else np.zeros(0)
        self._direct = direct(_box_kernel(), self._held, 12, 12) if self._boxes else _never

    def __call__(self, X_A: np.ndarray, X_B: np.ndarray) -> np.ndarray:
        row = self._direct(X_A, X_B, _REST)
        return self.many(_matrix(X_A), _matrix(X_B))[0] if row is None else row

    def many(self, T_A: np.ndarray, T_B: np.ndarray) -> np.ndarray:
        """Rows of ten numbers, for (n, 4, 4) poses; a single pose (4, 4) is shared by all."""
        first, second = (np.ascontiguousarray(T, dtype=np.float64) for T in (T_A, T_B))
        for T in (first, second):
            if T.ndim not in (2, 3) or T.shape[-2:] != (4, 4):
                raise ValueError(f"poses are (4, 4) or (n, 4, 4) arrays, not {T.shape}")
            if not np.isfinite(T.sum()):  # any NaN or infinity shows in the sum
                raise ValueError("a pose has entries that are not finite numbers")
        first, second = (T.reshape(-1, 4, 4) for T in (first, second))
        if len(first) != len(second) and 1 not in (len(first), len(second)):
            raise ValueError(f"{len(first)} poses of A for {len(second)} of B")
        out = np.empty((max(len(first), len(second)), ROW))
        if self._boxes:
            _many_of_boxes(self._held, first.reshape(-1, 16), second.reshape(-1, 16), out)
        else:
            _many(self._shapes, first, second, out)
        return out


def _frame(shapes: Shapes, k: int) -> np.ndarray:
    """Half edges, centre and unit axes of box k, fifteen numbers."""
    corners, half = shapes.points[shapes.table[k, POINT] :][:8], shapes.sizes[k, HALF : HALF + 3]
    axes = (corners[[4, 2, 1]] - corners[0]) / (2 * half[:, None])
    return np.concatenate([half, (corners[0] + corners[7]) / 2, axes.ravel()])


def _never(X_A: np.ndarray, X_B: np.ndarray, rest: np.ndarray) -> None:
    """No direct way for this pair of shapes."""


_REST = np.zeros(12)
"""`direct` calls with three arrays; the third is not used."""


def _matrix(X: np.ndarray) -> np.ndarray:
    """A pose as a 4 × 4 matrix."""
    X = np.asarray(X, dtype=np.float64)
    if X.shape != (12,):
        return X
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = X[:9].reshape(3, 3), X[9:]
    return T


def proximity_of(shape_a: Placed, pose_a: Pose, shape_b: Placed, pose_b: Pose) -> Proximity:
    """Signed distance, normal and closest points of two shapes whose bodies are at pose_a and pose_b in the world."""
    row = Pair(shape_a, shape_b)(pose_a.matrix(), pose_b.matrix())
    return Proximity(float(row[DISTANCE]), *_places(row))


def proximities(shape_a: Placed, poses_a: np.ndarray, shape_b: Placed, poses_b: np.ndarray) -> Proximity:
    """The same for (n, 4, 4) homogeneous poses."""
    rows = Pair(shape_a, shape_b).many(poses_a, poses_b)
    return Proximity(rows[:, DISTANCE], *_places(rows))


def _places(rows: np.ndarray) -> list[np.ndarray]:
    """Normal and points of rows (…, ROW)."""
    return [rows[..., PLACES + at : PLACES + at + 3] for at in (NORMAL, ON_A, ON_B)]


@njit(cache=True, nogil=True)
def _turned(X, k, held, p):
    """R times three numbers of `held`; R is in X, its rows k apart."""
    a, b, c = held[p], held[p + 1], held[p + 2]
    return (
        X[0] * a + X[1] * b + X[2] * c,
        X[k] * a + X[k + 1] * b + X[k + 2] * c,
        X[2 * k] * a + X[2 * k + 1] * b + X[2 * k + 2] * c,
    )


@njit(cache=True, nogil=True)
def _box_row(held, X_A, X_B, k, p_A, p_B, out):
    """One answer for boxes at poses X (flat, rows of R k apart, centres p)."""
    ca, cb = plus(p_A, 1.0, _turned(X_A, k, held, 3)), plus(p_B, 1.0, _turned(X_B, k, held, 18))
    out[DISTANCE] = placed_boxes(
        ca, _turned(X_A, k, held, 6), _turned(X_A, k, held, 9), _turned(X_A, k, held, 12), (held[0], held[1], held[2]),
        cb, _turned(X_B, k, held, 21), _turned(X_B, k, held, 24), _turned(X_B, k, held, 27),
        (held[15], held[16], held[17]), out[PLACES:],
    )  # fmt: skip


@cache
def _box_kernel() -> int:
    """Address of `_box_row` with the signature of kernels: (X_A, X_B, -, held, out)."""
    pointer = types.CPointer(types.float64)

    def kernel(X_A, X_B, rest, held, out):
        p_A, p_B = (X_A[9], X_A[10], X_A[11]), (X_B[9], X_B[10], X_B[11])
        _box_row(carray(held, 30), carray(X_A, 12), carray(X_B, 12), 3, p_A, p_B, carray(out, 12))

    compiled = cfunc(types.void(pointer, pointer, pointer, pointer, pointer))(kernel)
    _kept.append(compiled)
    return int(compiled.address or 0)


_kept: list[Any] = []


@njit(cache=True, nogil=True)
def _many_of_boxes(held, T_A, T_B, out):
    """All answers; the poses are rows of sixteen numbers."""
    step_a, step_b = min(1, T_A.shape[0] - 1), min(1, T_B.shape[0] - 1)  # 0: one pose for all
    for k in range(out.shape[0]):
        X_A, X_B = T_A[k * step_a], T_B[k * step_b]
        _box_row(held, X_A, X_B, 4, (X_A[3], X_A[7], X_A[11]), (X_B[3], X_B[7], X_B[11]), out[k])


@njit(cache=True, nogil=True)
def _row(shapes, T_A, T_B, points, turns, out):
    middle = shapes.table[1, POINT]
    for s in range(2):
        T = T_A if s == 0 else T_B
        for i in range(3):
            for j in range(3):
                turns[s, i, j] = T[i, j]
            for k in range(shapes.table[s, POINT], shapes.table[s + 1, POINT]):
                p = shapes.points[k]
                points[k, i] = T[i, 0] * p[0] + T[i, 1] * p[1] + T[i, 2] * p[2] + T[i, 3]
    out[DISTANCE] = gap(shapes, 0, 1, points[:middle], points[middle:], turns[0], turns[1], out[PLACES:])


@njit(cache=True, nogil=True)
def _many(shapes, T_A, T_B, out):
    points, turns = np.empty(shapes.points.shape), np.empty((2, 3, 3))
    for k in range(out.shape[0]):
        _row(shapes, T_A[k % T_A.shape[0]], T_B[k % T_B.shape[0]], points, turns, out[k])
