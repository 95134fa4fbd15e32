"""Compiled loops over kernels and structs, called by address.

Numba compiles all that a function calls into it, again in each function that calls it. What is large and called from
several places is therefore a `CompiledLoop`: compiled once, on its own, and called through a pointer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from softdock.kernels.jit import cfunc, njit
from softdock.kernels.struct import Struct

FLAGS: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}
"""No reference counts: a loop's arrays outlive it, and it makes none. Division by zero is no exception."""


def loop(function: Callable[..., Any]) -> Any:
    """`njit` without reference counts. It may not make arrays, nor may what it calls, except through a
    `CompiledLoop` that `makes_arrays`."""
    return njit(cache=True, nogil=True, **FLAGS)(function)


class CompiledLoop:
    """A function of two or three structs that returns an integer, called by address; zero means that it raised."""

    def __init__(self, function: Callable[..., Any], *, makes_arrays: bool = False) -> None:
        self.function, self._flags = function, {**FLAGS, "_nrt": makes_arrays}
        self.__doc__ = function.__doc__
        self._compiled: list[Any] = []
        self._addresses: dict[Any, int] = {}

    def address(self, *structs: Struct) -> int:
        """Where its code is; compiled on the first call."""
        kinds = [struct._numba_type_ for struct in structs]
        known = tuple(map(id, kinds))  # of the kinds of structs there is one each, and they stay
        if known not in self._addresses:
            self._compiled.append(cfunc(types.int64(*kinds), cache=True, **self._flags)(self.function))
            self._addresses[known] = int(self._compiled[-1].address)
        return self._addresses[known]

    def __call__(self, *structs: Struct) -> int:
        """Call it from Python, without the interpreter's lock."""
        return int(_DRIVE[len(structs)](self.address(*structs), *structs))


def _generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    code = ir.FunctionType(ir.IntType(64), [value.type for value in values[1:]]).as_pointer()
    return builder.call(builder.inttoptr(values[0], code), values[1:])


def _enter(typingctx: Any, address: Any, plant: Any, state: Any) -> Any:
    """enter(address, plant, state): call the loop of two structs at that address. In compiled code only."""
    return types.int64(address, plant, state), _generate


def _enter_request(typingctx: Any, address: Any, plant: Any, state: Any, request: Any) -> Any:
    """enter_request(address, plant, state, request): the same of three structs."""
    return types.int64(address, plant, state, request), _generate


enter: Any = intrinsic(_enter)
enter_request: Any = intrinsic(_enter_request)


@njit(nogil=True, cache=True)
def _drive(address, plant, state):
    return enter(address, plant, state)


@njit(nogil=True, cache=True)
def _drive_request(address, plant, state, request):
    return enter_request(address, plant, state, request)


_DRIVE: dict[int, Any] = {2: _drive, 3: _drive_request}
