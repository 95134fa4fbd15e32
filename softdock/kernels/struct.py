"""Named arrays, records and numbers that a compiled loop gets by one pointer.

Numba passes a tuple of arrays member by member, seven words an array, and counts references of each: with the sixty
arrays of a world that costs more than a step does, and most of the compile time. A `Struct` is a table of addresses and
shapes; in compiled code `struct.name` reads from it. The struct keeps its arrays alive, so nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import addressof, c_char
from functools import cache
from hashlib import sha256
from struct import pack_into
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    unbox,
)
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

_WORD = ir.IntType(64)


class StructType(types.Type):
    """What a struct holds: names with their types, in the order of the table."""

    def __init__(self, of: str, fields: tuple[tuple[str, Any], ...], cells: frozenset[str]) -> None:
        shown = ", ".join(f"{name}: {kind}{'&' if name in cells else ''}" for name, kind in fields)
        super().__init__(name=f"{of}_{sha256(shown.encode()).hexdigest()[:16]}")  # part of functions' names: short
        self.fields, self.cells = fields, cells
        self.kinds = dict(fields)
        sizes = np.cumsum([0, *(1 + getattr(kind, "ndim", 0) for _, kind in fields)])
        self.slots = {name: int(slot) for (name, _), slot in zip(fields, sizes[:-1], strict=True)}


class Struct:
    """A NamedTuple's members, as compiled loops take them:

    - C-contiguous arrays; an array without axes is a number that loops read and write as `struct.name`
    - records (`record`), whose numbers they read and write as `struct.name.number`
    - numbers, which they only read
    - further such NamedTuples
    """

    parts: dict[str, Struct]
    """Structs of the NamedTuples within."""

    def __init__(self, record: Any) -> None:
        self.record, self.parts = record, {}
        kinds: list[Any] = []
        words: list[int] = []
        cells: list[str] = []
        for name, x in zip(record._fields, record, strict=True):
            if isinstance(x, tuple):
                x = self.parts[name] = Struct(x)  # noqa: PLW2901
            elif isinstance(x, np.ndarray) and not x.ndim:
                cells.append(name)
            _enter(name, x, kinds, words)
        known = (type(record), *cells, *map(id, kinds))  # they stay; hashing Numba's types would take longer
        if known not in _TYPES:
            fields = tuple(zip(record._fields, kinds, strict=True))
            _TYPES[known] = StructType(type(record).__name__, fields, frozenset(cells))
        self._numba_type_ = _TYPES[known]
        self.table = np.array(words, dtype=np.int64)
        self.address = address_of(self.table)

    @staticmethod
    def of(record: Any, kind: StructType, table: np.ndarray, address: int) -> Struct:
        """One whose table is made already."""
        struct = Struct.__new__(Struct)
        struct.record, struct._numba_type_, struct.table, struct.address = record, kind, table, address
        return struct

    def point(self, first: str, *arrays: np.ndarray) -> None:
        """Let members, from that name on, be other arrays, for loops; who calls keeps them as long as they are used."""
        self.write(first, *[word for array in arrays for word in (address_of(array), *array.shape)])

    def write(self, first: str, *words: int) -> None:
        """Write words of the table, from that member on: of an array its address and shape. (As bytes: in a third of
        the time that a slice of the table takes.)"""
        pack_into(f"{len(words)}q", self.table, 8 * self._numba_type_.slots[first], *words)  # type: ignore[arg-type]

    def renewed(self, record: Any, names: Iterable[str]) -> Struct:
        """The struct of another NamedTuple of the same kind; only members of those names are others in it."""
        table, parts, slots = self.table.copy(), dict(self.parts), self._numba_type_.slots
        for name in names:
            member = getattr(record, name)
            if isinstance(member, tuple):
                member = parts[name] = Struct(member)
            words = _words(member)
            table[slots[name] : slots[name] + len(words)] = words
        struct = Struct.of(record, self._numba_type_, table, address_of(table))
        struct.parts = parts
        return struct


def record(dtype: np.dtype[Any], **values: Any) -> Any:
    """A writable record of that type, zero but for `values`: `record["name"]` in Python, `record.name` in loops."""
    made = np.zeros(1, dtype)[0]
    for name, value in values.items():
        made[name] = value
    return made


_TYPES: dict[Any, StructType] = {}
"""By record class and what its members are."""


def _enter(name: str, x: Any, kinds: list[Any], words: list[int]) -> None:
    """Add what a member is, and its words in the table: of an array its address and shape."""
    if isinstance(x, np.ndarray):
        if not x.flags.c_contiguous:
            raise ValueError(f"array {name!r} must be C-contiguous")
        kinds.append(_array_type(x.dtype, x.ndim) if x.ndim else _record_type(x.dtype))
    elif isinstance(x, np.void):
        kinds.append(_record_type(x.dtype))
    elif isinstance(x, Struct):
        kinds.append(x._numba_type_)
    else:
        kinds.append({bool: types.boolean, int: types.int64, float: types.float64}[type(x)])
    words += _words(x)


def _words(x: Any) -> tuple[int, ...]:
    if isinstance(x, np.ndarray):
        return (address_of(x), *x.shape)
    if isinstance(x, np.void):
        return (address_of(whole(x)),)
    if isinstance(x, Struct):
        return (x.address,)
    return (int(np.float64(x).view(np.int64)) if isinstance(x, float) else int(x),)


def whole(x: Any) -> np.ndarray:
    """The array that a record is in."""
    base: np.ndarray = x.base
    return base


def address_of(x: np.ndarray) -> int:
    """Where a C-contiguous array is: by its buffer, in a fifth of the time that its own description takes."""
    if not x.flags.writeable:
        return int(x.ctypes.data)
    if x.dtype.names:  # whose buffer's description would take longer than all the rest
        x = x.view(np.uint8)
    return addressof(_NOTHING.from_buffer(x))  # type: ignore[arg-type]


_NOTHING = c_char * 0


@cache
def _array_type(dtype: np.dtype[Any], ndim: int) -> Any:
    return types.Array(from_dtype(dtype), ndim, "C")


@cache
def _record_type(dtype: np.dtype[Any]) -> Any:
    return from_dtype(np.dtype((np.void, dtype)) if dtype.fields else dtype)


@register_model(StructType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: StructType) -> None:
        super().__init__(manager, kind, _WORD.as_pointer())


@unbox(StructType)
def _unbox(kind: StructType, struct: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(struct, "address")
    table = c.builder.bitcast(c.pyapi.long_as_voidptr(address), _WORD.as_pointer())
    c.pyapi.decref(address)
    return NativeValue(table, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _Attributes(AttributeTemplate):
    key = StructType

    def generic_resolve(self, struct: StructType, name: str) -> Any:  # type: ignore[override]
        return struct.kinds.get(name)


@lower_getattr_generic(StructType)
def _read(context: Any, builder: Any, struct: StructType, table: Any, name: str) -> Any:
    kind, slot = struct.kinds[name], struct.slots[name]
    word = _load(builder, table, slot)
    if name in struct.cells:
        return context.unpack_value(builder, kind, _cell(context, builder, kind, word))
    if isinstance(kind, StructType):
        return builder.inttoptr(word, _WORD.as_pointer())
    if isinstance(kind, types.Record):
        return builder.inttoptr(word, context.get_value_type(kind))
    if isinstance(kind, types.Array):
        return _array(context, builder, kind, word, [_load(builder, table, slot + 1 + k) for k in range(kind.ndim)])
    if kind == types.float64:
        return builder.bitcast(word, ir.DoubleType())
    return builder.icmp_unsigned("!=", word, ir.Constant(_WORD, 0)) if kind == types.boolean else word


@lower_setattr_generic(StructType)
def _write(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> Any:
    (struct, _), (table, value) = signature.args, arguments
    if name not in struct.cells:
        raise NotImplementedError(f"{name} is not to be written")
    kind = struct.kinds[name]
    value = context.cast(builder, value, signature.args[1], kind)
    context.pack_value(builder, kind, value, _cell(context, builder, kind, _load(builder, table, struct.slots[name])))


def _cell(context: Any, builder: Any, kind: Any, word: Any) -> Any:
    return builder.inttoptr(word, context.get_data_type(kind).as_pointer())


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
