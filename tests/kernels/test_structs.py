"""Structs: what compiled loops read and write is what Python sees."""

from typing import NamedTuple

import numpy as np

from softdock.kernels import Struct, loop, record


class Inner(NamedTuple):
    x: np.ndarray
    size: float


class Outer(NamedTuple):
    a: np.ndarray
    inner: Inner
    count: int
    on: bool


def words(struct: Struct) -> list[int]:
    """The table, with what structs within hold in place of where they are."""
    at = struct._numba_type_.slots
    table = {name: struct.table[slot:].tolist()[0] for name, slot in at.items()}
    return [*(word for name, word in table.items() if name not in struct.parts), *map(words, struct.parts.values())]


def test_renewed_is_as_anew():
    old = Outer(np.zeros((2, 3)), Inner(np.ones(4), 0.5), 7, True)
    fixed = np.arange(6.0).reshape(3, 2)
    fixed.flags.writeable = False
    for new in (
        old,
        old._replace(a=np.zeros((5, 3)), on=False),
        old._replace(inner=Inner(np.empty(0), -2.0)),
        old._replace(a=fixed, count=-1),
    ):
        changed = [name for name, x in new._asdict().items() if x is not getattr(old, name)]
        renewed, anew = Struct(old).renewed(new, changed), Struct(new)
        assert words(renewed) == words(anew) and renewed._numba_type_ is anew._numba_type_ and renewed.record is new
        shape = renewed.table[renewed._numba_type_.slots["a"] :][:3]
        assert shape.tolist() == [new.a.ctypes.data, *new.a.shape]
        assert renewed.parts["inner"].record is new.inner


CLOCK = np.dtype([("time", "f8"), ("ticks", "i8"), ("ready", "?")])


class Cells(NamedTuple):
    vector: np.ndarray
    size: np.ndarray
    """The vector's last number, as one without axes."""
    on: np.ndarray
    clock: np.void


@loop
def tick(cells):
    cells.size = cells.vector[0] + cells.size
    cells.on = not cells.on
    clock = cells.clock
    clock.time += cells.size
    clock.ticks += 2
    clock.ready = clock.ticks > 2


def test_loops_and_python_share_numbers_and_records():
    vector = np.array([3.0, 4.0])
    cells = Cells(vector, vector[1:].reshape(()), np.zeros((), dtype=np.bool_), record(CLOCK, time=0.5))
    tick(Struct(cells))
    assert vector.tolist() == [3.0, 7.0] and bool(cells.on)
    assert cells.clock.tolist() == (7.5, 2, False)
    cells.clock["time"] = -1.0
    tick(Struct(cells))
    assert vector.tolist() == [3.0, 10.0] and not cells.on
    assert cells.clock.tolist() == (9.0, 4, True)
