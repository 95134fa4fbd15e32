"""Named arrays and numbers that a compiled loop gets by one pointer.

Numba passes a tuple of arrays member by member, seven words an array, and counts references of each: with the sixty
arrays of a world that costs more than a step does, and most of the compile time. A `Room` is a table of addresses and
shapes; in compiled code `room.name` reads from it. The room keeps its arrays alive, so nothing is counted.
"""

from __future__ import annotations

from ctypes import addressof, c_char
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, models, register_model, unbox
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

_WORD = ir.IntType(64)


class RoomType(types.Type):
    """What a room holds: names with their types, in the order of the table."""

    def __init__(self, fields: tuple[tuple[str, Any], ...]) -> None:
        super().__init__(name=f"Room({', '.join(f'{name}: {kind}' for name, kind in fields)})")
        self.fields = fields
        self.kinds = dict(fields)
        sizes = np.cumsum([0, *(1 + getattr(kind, "ndim", 0) for _, kind in fields)])
        self.slots = {name: int(slot) for (name, _), slot in zip(fields, sizes[:-1], strict=True)}


class Room:
    """A record's arrays, numbers and records within it, as compiled loops take them."""

    parts: dict[str, Room]
    """Rooms of the records within."""

    def __init__(self, record: Any) -> None:
        """`record` is a NamedTuple of C-contiguous arrays, numbers, and further such records."""
        self.record, self.parts = record, {}
        kinds: list[Any] = []
        words: list[int] = []
        for name, x in zip(record._fields, record, strict=True):
            if isinstance(x, tuple):
                self.parts[name] = Room(x)
            _enter(name, self.parts.get(name, x), kinds, words)
        known = (type(record), *map(id, kinds))  # they stay: hashing Numba's types would take longer than all the rest
        if known not in _TYPES:
            _TYPES[known] = RoomType(tuple(zip(record._fields, kinds, strict=True)))
        self._numba_type_ = _TYPES[known]
        self.table = np.array(words, dtype=np.int64)
        self.address = _address(self.table)

    def again(self, record: Any) -> Room:
        """A room for another record of the same kind; members that are the same are not looked at again."""
        room = Room.__new__(Room)
        room._numba_type_, room.record, room.parts = self._numba_type_, record, self.parts
        words = self.table.tolist()
        for (name, slot), old, new in zip(self._numba_type_.slots.items(), self.record, record, strict=True):
            if new is not old:
                part = self.parts[name].again(new) if isinstance(new, tuple) else new
                if part is not new:
                    room.parts = room.parts | {name: part}
                mine = _words(part)
                words[slot : slot + len(mine)] = mine
        room.table = np.array(words, dtype=np.int64)
        room.address = _address(room.table)
        return room


_TYPES: dict[Any, RoomType] = {}
"""By record class and what its members are."""


def _enter(name: str, x: Any, kinds: list[Any], words: list[int]) -> None:
    """Add what a member is, and its words in the table: of an array its address and shape."""
    if isinstance(x, np.ndarray):
        if not x.flags.c_contiguous:
            raise ValueError(f"array {name!r} must be C-contiguous")
        kinds.append(_array_type(x.dtype, x.ndim))
    elif isinstance(x, Room):
        kinds.append(x._numba_type_)
    else:
        kinds.append({bool: types.boolean, int: types.int64, float: types.float64}[type(x)])
    words += _words(x)


def _words(x: Any) -> tuple[int, ...]:
    if isinstance(x, np.ndarray):
        return (_address(x), *x.shape)
    if isinstance(x, Room):
        return (x.address,)
    return (int(np.float64(x).view(np.int64)) if isinstance(x, float) else int(x),)


def _address(x: np.ndarray) -> int:
    """Where a C-contiguous array is: by its buffer, in a fifth of the time that its own description takes."""
    if not x.flags.writeable:
        return int(x.ctypes.data)
    return addressof(_NOTHING.from_buffer(x))  # type: ignore[arg-type]


_NOTHING = c_char * 0


@cache
def _array_type(dtype: np.dtype[Any], ndim: int) -> Any:
    return types.Array(from_dtype(dtype), ndim, "C")


@register_model(RoomType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: RoomType) -> None:
        super().__init__(manager, kind, _WORD.as_pointer())


@unbox(RoomType)
def _unbox(kind: RoomType, room: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(room, "address")
    table = c.builder.bitcast(c.pyapi.long_as_voidptr(address), _WORD.as_pointer())
    c.pyapi.decref(address)
    return NativeValue(table, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _Attributes(AttributeTemplate):
    key = RoomType

    def generic_resolve(self, room: RoomType, name: str) -> Any:  # type: ignore[override]
        return room.kinds.get(name)


@lower_getattr_generic(RoomType)
def _read(context: Any, builder: Any, room: RoomType, table: Any, name: str) -> Any:
    kind, slot = room.kinds[name], room.slots[name]
    word = _load(builder, table, slot)
    if isinstance(kind, RoomType):
        return builder.inttoptr(word, _WORD.as_pointer())
    if isinstance(kind, types.Array):
        return _array(context, builder, kind, word, [_load(builder, table, slot + 1 + k) for k in range(kind.ndim)])
    if kind == types.float64:
        return builder.bitcast(word, ir.DoubleType())
    return builder.icmp_unsigned("!=", word, ir.Constant(_WORD, 0)) if kind == types.boolean else word


def _load(builder: Any, table: Any, slot: int) -> Any:
    word = builder.load(builder.gep(table, [ir.Constant(_WORD, slot)]))
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


def _array(context: Any, builder: Any, kind: Any, address: Any, shape: list[Any]) -> Any:
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides: list[Any] = []
    stride = ir.Constant(_WORD, itemsize)
    for size in reversed(shape):
        strides.insert(0, stride)
        stride = builder.mul(stride, size)
    array = context.make_array(kind)(context, builder)
    populate_array(
        array,
        data=builder.inttoptr(address, array.data.type),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=ir.Constant(_WORD, itemsize),
        meminfo=None,
    )
    return array._getvalue()
