"""Copies of a struct: equal, apart from each other, and the same to Python and to loops."""

from typing import NamedTuple

import numpy as np

from softdock.kernels import Prototype, loop, record

CLOCK = np.dtype([("time", "f8"), ("ticks", "i8"), ("ready", "?")])


class Inner(NamedTuple):
    flags: np.ndarray
    size: float
    none: np.ndarray


class Whole(NamedTuple):
    matrix: np.ndarray
    row: np.ndarray
    """Of the matrix."""
    number: np.ndarray
    inner: Inner
    clock: np.void


def prototype() -> Prototype:
    matrix = np.arange(6.0).reshape(2, 3)
    inner = Inner(np.array([False, True, True]), 2.5, np.empty((0, 4)))
    return Prototype(Whole(matrix, matrix[1], np.array(7), inner, record(CLOCK, time=0.5, ready=True)))


@loop
def work(whole):
    whole.row[2] += whole.inner.size
    whole.number += whole.inner.none.shape[1]
    whole.inner.flags[0] = whole.clock.ready
    whole.clock.ticks += whole.inner.flags.size


def test_copies_hold_what_the_prototype_did():
    made = prototype()
    copy = made.copy().record
    assert copy.matrix.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] and copy.number == 7
    assert np.shares_memory(copy.row, copy.matrix) and copy.row.tolist() == [3.0, 4.0, 5.0]
    assert copy.inner.flags.tolist() == [False, True, True] and copy.inner.size == 2.5
    assert copy.inner.none.shape == (0, 4) and copy.clock.tolist() == (0.5, 0, True)
    assert copy.matrix.ctypes.data % 64 == 0


def test_a_renewed_copy_is_as_new():
    made = prototype()
    copy = made.copy()
    address, matrix = copy.address, copy.record.matrix
    work(copy)
    matrix[0] = 5.0
    copy.point("row", np.zeros(3))
    made.renew(copy)
    anew = made.copy()
    assert copy.address == address and copy.record.matrix is matrix
    for name in ("matrix", "row", "number"):
        assert np.array_equal(getattr(copy.record, name), getattr(anew.record, name))
    assert copy.record.clock.tolist() == (0.5, 0, True) and copy.record.inner.flags.tolist() == [False, True, True]
    work(copy)
    assert copy.record.row[2] == 7.5  # where the loop writes


def test_loops_change_one_copy_and_python_sees_it():
    made = prototype()
    first, second = made.copy(), made.copy()
    assert first._numba_type_ is second._numba_type_
    work(first)
    work(first)
    assert first.record.matrix.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 10.0]]
    assert first.record.number == 15 and first.record.clock["ticks"] == 6 and first.record.inner.flags[0]
    second.record.clock["ready"] = False
    work(second)
    assert second.record.row.tolist() == [3.0, 4.0, 7.5] and not second.record.inner.flags[0]
    assert made.copy().record.row.tolist() == [3.0, 4.0, 5.0]


def test_a_view_keeps_its_memory():
    view = prototype().copy().record.matrix
    others = [prototype().copy() for _ in range(50)]
    assert view.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] and len(others) == 50


def test_a_member_may_be_pointed_elsewhere():
    copy = prototype().copy()
    other = np.array([1.0, 2.0, 3.0, 4.0])
    copy.point("row", other)
    work(copy)
    assert other.tolist() == [1.0, 2.0, 5.5, 4.0] and copy.record.row.tolist() == [3.0, 4.0, 5.0]
