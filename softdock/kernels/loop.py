"""Compiled loops over kernels and rooms, called by address.

Numba compiles all that a function calls into it, again in each function that calls it. What is large and called from
several places is therefore an `Entry`: compiled once, on its own, and called through a pointer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import cfunc, njit
from numba.core import types
from numba.extending import intrinsic

from softdock.kernels.room import Room

FLAGS: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}
"""No reference counts: a loop's arrays outlive it, and it makes none. Division by zero is no exception."""


def loop(function: Callable[..., Any]) -> Any:
    """`njit` without reference counts. It may not make arrays, nor may what it calls, except through an `Entry` that
    `makes_arrays`."""
    return njit(cache=True, nogil=True, **FLAGS)(function)


class Entry:
    """A function of two or three rooms that returns an integer, to be called by address; zero means that it raised."""

    def __init__(self, function: Callable[..., Any], *, makes_arrays: bool = False) -> None:
        self.function, self._flags = function, {**FLAGS, "_nrt": makes_arrays}
        self.__doc__ = function.__doc__
        self._compiled: list[Any] = []
        self._addresses: dict[Any, int] = {}

    def address(self, *rooms: Room) -> int:
        """Where its code is; compiled on the first call."""
        kinds = [room._numba_type_ for room in rooms]
        known = tuple(map(id, kinds))  # of the kinds of rooms there is one each, and they stay
        if known not in self._addresses:
            self._compiled.append(cfunc(types.int64(*kinds), cache=True, **self._flags)(self.function))
            self._addresses[known] = int(self._compiled[-1].address)
        return self._addresses[known]

    def __call__(self, *rooms: Room) -> int:
        """Call it from Python, without the interpreter's lock."""
        return int(_DRIVE[len(rooms)](self.address(*rooms), *rooms))


def _generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    entry = ir.FunctionType(ir.IntType(64), [value.type for value in values[1:]]).as_pointer()
    return builder.call(builder.inttoptr(values[0], entry), values[1:])


def _enter(typingctx: Any, address: Any, plant: Any, work: Any) -> Any:
    """enter(address, plant, work): call the entry of two rooms at that address. In compiled code only."""
    return types.int64(address, plant, work), _generate


def _enter_task(typingctx: Any, address: Any, plant: Any, work: Any, task: Any) -> Any:
    """enter_task(address, plant, work, task): the same of three rooms."""
    return types.int64(address, plant, work, task), _generate


enter: Any = intrinsic(_enter)
enter_task: Any = intrinsic(_enter_task)


@njit(nogil=True, cache=True)
def _drive(address, plant, work):  # type: ignore[no-untyped-def]
    return enter(address, plant, work)


@njit(nogil=True, cache=True)
def _drive_task(address, plant, work, task):  # type: ignore[no-untyped-def]
    return enter_task(address, plant, work, task)


_DRIVE: dict[int, Any] = {2: _drive, 3: _drive_task}
