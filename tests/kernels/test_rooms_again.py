"""A room for another record is the one that would be made of it anew."""

from typing import NamedTuple

import numpy as np

from softdock.kernels import Room


class Inner(NamedTuple):
    x: np.ndarray
    size: float


class Outer(NamedTuple):
    a: np.ndarray
    inner: Inner
    count: int
    on: bool


def words(room: Room) -> list[int]:
    """The table, with what rooms within hold in place of where they are."""
    at = room._numba_type_.slots
    table = {name: room.table[slot:].tolist()[0] for name, slot in at.items()}
    return [*(word for name, word in table.items() if name not in room.parts), *map(words, room.parts.values())]


def test_again_is_as_anew():
    old = Outer(np.zeros((2, 3)), Inner(np.ones(4), 0.5), 7, True)
    fixed = np.arange(6.0).reshape(3, 2)
    fixed.flags.writeable = False
    for new in (
        old,
        old._replace(a=np.zeros((5, 3)), on=False),
        old._replace(inner=Inner(np.empty(0), -2.0)),
        old._replace(a=fixed, count=-1),
    ):
        again, anew = Room(old).again(new), Room(new)
        assert words(again) == words(anew) and again._numba_type_ is anew._numba_type_ and again.record is new
        shape = again.table[again._numba_type_.slots["a"] :][:3]
        assert shape.tolist() == [new.a.ctypes.data, *new.a.shape]
        assert again.parts["inner"].record is new.inner
