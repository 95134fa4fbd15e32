"""Proximity from Python: one pair of shapes in one placement, or in many."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numba import carray, from_dtype, types  # type: ignore[attr-defined]

from softdock.contact.boxes import placed_boxes
from softdock.contact.hit import HIT, NORMAL, ON_A, ON_B
from softdock.contact.proximity import gap
from softdock.contact.shapes import HALF, POINT, Shapes, encode_alone
from softdock.contact.vectors import plus
from softdock.kernels.direct import direct
from softdock.kernels.jit import cfunc, njit
from softdock.world.pose import Pose
from softdock.world.shapes import Placed

DISTANCE, PLACES, ROW = 0, 1, 1 + HIT
"""Of an answer: where its signed distance is, where its hit begins, how long it is."""

BOX = np.dtype([("half", "f8", 3), ("center", "f8", 3), ("axes", "f8", (3, 3))])
"""A box in its body's frame: half edges, centre, unit axes by rows."""
POSE = np.dtype([("R", "f8", (3, 3)), ("p", "f8", 3)])
"""Of a body in the world."""
_POSE = POSE.itemsize // 8
"""Numbers of a pose."""


class Proximity(NamedTuple):
    """Where two shapes are closest, in the world's frame; arrays with a leading axis for many placements."""

    distance: Any
    """Signed (m): distance apart, or less the depth of penetration."""
    normal: np.ndarray
    """Unit vector from B to A (-)."""
    point_a: np.ndarray
    """(m)."""
    point_b: np.ndarray
    """(m)."""


class Pair:
    """Two shapes, prepared for many queries.

    `pair(X_A, X_B)` takes the bodies' poses and gives numbers: distance, normal, point on A, point on B, in the first
    ten places of an array. A pose is a 4 × 4 matrix, or, quicker for two boxes, the twelve numbers of R_WA, row by
    row, and p_WA.
    """

    def __init__(self, shape_a: Placed, shape_b: Placed) -> None:
        self._shapes = encode_alone(shape_a, shape_b)
        sizes = self._shapes.sizes
        self._boxes = bool(sizes[0, HALF] > 0 and sizes[1, HALF] > 0)
        self._pair = np.array([_box(self._shapes, k) for k in (0, 1)] if self._boxes else [], BOX)

    @property
    def query(self) -> "Query":
        """What compiled loops take."""
        return Query(self._pair, self._shapes)

    @cached_property
    def _direct(self) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray | None]:
        """For single calls; compiled when there is one."""
        return direct(_box_kernel(), self._pair, _POSE, _POSE, 0) if self._boxes else _never

    def __call__(self, X_A: np.ndarray, X_B: np.ndarray) -> np.ndarray:
        row = self._direct(X_A, X_B, _REST)
        if row is not None:
            return row
        if _is_plain(X_A) and _is_plain(X_B):
            row = np.empty(ROW)
            if _single(self._shapes, X_A, X_B, row):
                return row
        return self.many(_matrix(X_A), _matrix(X_B))[0]

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
            _many_of_boxes(self._pair, first, second, out)
        else:
            _many(self._shapes, first, second, out)
        return out


class Query(NamedTuple):
    """Two shapes, as `ask` takes them."""

    boxes: np.ndarray
    """(2), if both are boxes; else none (`BOX`)."""
    shapes: Shapes


def _box(shapes: Shapes, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shape k as a `BOX`."""
    corners, half = shapes.points[shapes.table[k, POINT] :][:8], shapes.sizes[k, HALF : HALF + 3]
    return half, (corners[0] + corners[7]) / 2, (corners[[4, 2, 1]] - corners[0]) / (2 * half[:, None])


def _never(X_A: np.ndarray, X_B: np.ndarray, rest: np.ndarray) -> None:
    """No direct way for this pair of shapes."""


def _is_plain(X: np.ndarray) -> bool:
    """Whether an array is a homogeneous matrix as compiled loops take it."""
    return type(X) is np.ndarray and X.dtype is _FLOAT and X.shape == (4, 4) and X.flags.c_contiguous


_FLOAT = np.dtype(np.float64)
_REST = np.zeros(_POSE)
"""`direct` calls with three arrays; the third is not used."""


def _matrix(X: np.ndarray) -> np.ndarray:
    """A pose as a 4 × 4 matrix."""
    X = np.asarray(X, dtype=np.float64)
    if X.shape != (_POSE,):
        return X
    T, pose = np.eye(4), np.ascontiguousarray(X).view(POSE)[0]
    T[:3, :3], T[:3, 3] = pose["R"], pose["p"]
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
def _turned(R, a):
    """R a; of a homogeneous matrix, R is the upper left."""
    return (
        R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
        R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
        R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2],
    )


@njit(cache=True, nogil=True)
def _box_row(boxes, R_A, p_A, R_B, p_B, out):
    """One answer for two boxes whose bodies are at R and p."""
    a, b = boxes[0], boxes[1]
    out[DISTANCE] = placed_boxes(
        plus(p_A, 1.0, _turned(R_A, a.center)), _turned(R_A, a.axes[0]), _turned(R_A, a.axes[1]),
        _turned(R_A, a.axes[2]), (a.half[0], a.half[1], a.half[2]),
        plus(p_B, 1.0, _turned(R_B, b.center)), _turned(R_B, b.axes[0]), _turned(R_B, b.axes[1]),
        _turned(R_B, b.axes[2]), (b.half[0], b.half[1], b.half[2]), out[PLACES:],
    )  # fmt: skip


@cache
def _box_kernel() -> int:
    """Address of `_box_row` with the signature of kernels: (X_A, X_B, -, boxes, out)."""
    pose, box, number = (types.CPointer(kind) for kind in (from_dtype(POSE), from_dtype(BOX), types.float64))

    def kernel(X_A, X_B, rest, boxes, out):
        A, B = carray(X_A, 1)[0], carray(X_B, 1)[0]
        _box_row(carray(boxes, 2), A.R, A.p, B.R, B.p, carray(out, ROW))

    compiled = cfunc(types.void(pose, pose, number, box, number), cache=True)(kernel)
    _kept.append(compiled)
    return int(compiled.address or 0)


_kept: list[Any] = []


@njit(cache=True, nogil=True)
def _many_of_boxes(boxes, T_A, T_B, out):
    """All answers, for homogeneous matrices."""
    step_a, step_b = min(1, T_A.shape[0] - 1), min(1, T_B.shape[0] - 1)  # 0: one pose for all
    for k in range(out.shape[0]):
        A, B = T_A[k * step_a], T_B[k * step_b]
        _box_row(boxes, A, (A[0, 3], A[1, 3], A[2, 3]), B, (B[0, 3], B[1, 3], B[2, 3]), out[k])


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
def _single(shapes, T_A, T_B, out):
    """One answer; False if a pose has entries that are not finite."""
    for i in range(4):
        for j in range(4):
            if not (abs(T_A[i, j]) < np.inf and abs(T_B[i, j]) < np.inf):
                return False
    _row(shapes, T_A, T_B, np.empty(shapes.points.shape), np.empty((2, 3, 3)), out)
    return True


@njit(cache=True, nogil=True)
def _many(shapes, T_A, T_B, out):
    points, turns = np.empty(shapes.points.shape), np.empty((2, 3, 3))
    for k in range(out.shape[0]):
        _row(shapes, T_A[k % T_A.shape[0]], T_B[k % T_B.shape[0]], points, turns, out[k])


@njit(cache=True, nogil=True)
def ask(query, T_A, T_B, points, turns, out):
    """An answer (`ROW`) of `Pair.many`, for homogeneous matrices; `points`, as many as the shapes have, and `turns`
    (2, 3, 3) are room for it."""
    if len(query.boxes) == 2:
        _box_row(query.boxes, T_A, (T_A[0, 3], T_A[1, 3], T_A[2, 3]), T_B, (T_B[0, 3], T_B[1, 3], T_B[2, 3]), out)
    else:
        _row(query.shapes, T_A, T_B, points, turns, out)
