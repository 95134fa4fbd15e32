"""States of motions, used again: making one takes longer than filling it."""

import copy
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import numpy as np

from softdock.kernels import Struct


class LentStates:
    """One state of each kind, lent to one motion at a time and as new for each. Not for several threads at once."""

    def __init__(self) -> None:
        self._kinds: dict[Any, _Lent] = {}

    def lend(self, kind: Any, make: Callable[[], Struct]) -> Struct:
        """The state of that kind, or a new one while somebody has it."""
        state = self._kinds[kind].lend() if kind in self._kinds else None
        if state is None:
            self._kinds[kind] = _Lent(make())
            state = self._kinds[kind].lend()
            assert state
        return state


class _Lent:
    def __init__(self, state: Struct) -> None:
        self._state = state
        self._arrays = [(array, array.copy()) for array in _arrays(state)]
        self._borrower: Any = None

    def lend(self) -> Struct | None:
        if self._borrower and self._borrower() is not None:
            return None
        for array, fresh in self._arrays:
            array[...] = fresh
        state = copy.copy(self._state)  # of the same arrays; when it is gone, they are free again
        self._borrower = ref(state)
        return state


def _arrays(struct: Struct) -> Iterator[np.ndarray]:
    """All that are not parts of others; of records what they are a view of."""
    for member in struct.record:
        if isinstance(member, np.void):
            yield np.asarray(member.base)
        elif isinstance(member, np.ndarray) and member.base is None:
            yield member
    for inner in struct.parts.values():
        yield from _arrays(inner)
