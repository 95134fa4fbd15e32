"""Copies of a struct: its arrays, and the tables that compiled loops read, in one piece of memory.

The state of a step has over a hundred arrays. To make each and to find its address takes 400 µs; to fill one piece of
memory with what is not zero in it, and to add where it begins to the addresses, takes a few. Arrays of a copy become
NumPy's when Python asks for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softdock.kernels.struct import Struct, address_of, whole

_LINE = 8
"""Words in a line of the processor's cache: where arrays begin."""


class Prototype:
    """What copies of a struct are made from: its members' present values."""

    def __init__(self, record: Any) -> None:
        struct = Struct(record)
        self._kind, self._length, self._size = struct._numba_type_, len(struct.table), 0
        self._roots: dict[int, tuple[int, int, np.ndarray]] = {}
        tables: list[tuple[int, np.ndarray]] = []
        pointers: dict[int, int] = {}
        self._table, self._plan = self._enter(struct, tables, pointers)
        words = np.zeros(self._size, dtype=np.int64)
        for place, _, root in self._roots.values():
            words[place:].view(np.uint8)[: root.nbytes] = root.reshape(-1).view(np.uint8)
        for place, table in tables:
            words[place : place + len(table)] = table
        self._pointers = np.array(list(pointers), dtype=np.int64)
        self._targets = np.array(list(pointers.values()), dtype=np.int64)
        words[self._pointers] = 0
        self._filled = np.flatnonzero(words)
        self._values = words[self._filled]

    def copy(self) -> Struct:
        """A struct with memory of its own."""
        memory = np.zeros(self._size + _LINE, dtype=np.int64)
        begin = address_of(memory)
        shift = -(begin // 8) % _LINE
        begin += 8 * shift
        memory = memory[shift:]
        self._fill(memory, begin)
        table = memory[self._table : self._table + self._length]
        return Struct.of(_Members(self._plan, memory), self._kind, table, begin + 8 * self._table)

    def renew(self, copy: Struct) -> None:
        """Make a copy what it was when it was made: a new one takes longer, and so do its arrays."""
        memory = copy.record._memory
        memory[:] = 0
        self._fill(memory, copy.address - 8 * self._table)

    def _fill(self, memory: np.ndarray, begin: int) -> None:
        memory[self._filled] = self._values
        memory[self._pointers] = self._targets + begin

    def _enter(self, struct: Struct, tables: list[Any], pointers: dict[int, int]) -> tuple[int, dict[str, Any]]:
        """Give a struct its place: that of its table (words), and what Python's views of its members need."""
        mine = self._room(len(struct.table))
        tables.append((mine, struct.table))
        plan: dict[str, Any] = {}
        for (name, slot), x in zip(struct._numba_type_.slots.items(), struct.record, strict=True):
            if isinstance(x, tuple):
                inner, plan[name] = self._enter(struct.parts[name], tables, pointers)
                pointers[mine + slot] = 8 * inner
            elif isinstance(x, np.ndarray | np.void):
                array = x if isinstance(x, np.ndarray) else whole(x)
                offset = self._offset(array)
                pointers[mine + slot] = offset
                plan[name] = array.shape, array.dtype, offset, array is not x
            else:
                plan[name] = x
        return mine, plan

    def _offset(self, array: np.ndarray) -> int:
        """Where an array will be (bytes), in the place of that which it is a part of."""
        root = array
        while isinstance(root.base, np.ndarray):
            root = root.base
        if id(root) not in self._roots:
            self._roots[id(root)] = self._room(-(-root.nbytes // 8)), address_of(root), root
        place, begin, _ = self._roots[id(root)]
        return 8 * place + (address_of(array) - begin if array.size else 0)

    def _room(self, words: int) -> int:
        place = self._size
        self._size += -(-words // _LINE) * _LINE
        return place


class _Members:
    """The members of a copy by name, as in the record that it was made from."""

    def __init__(self, plan: dict[str, Any], memory: np.ndarray) -> None:
        self._plan, self._memory = plan, memory

    def __getattr__(self, name: str) -> Any:
        try:
            member = self._plan[name]
        except KeyError:
            raise AttributeError(name) from None
        if isinstance(member, dict):
            member = _Members(member, self._memory)
        elif isinstance(member, tuple):
            shape, dtype, offset, is_record = member
            member = np.ndarray(shape, dtype, self._memory, offset)
            if is_record:
                member = member[0]
        self.__dict__[name] = member
        return member
