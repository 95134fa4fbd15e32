"""Compiled loops over kernels and structs, called by address.

What steps a world is a `CompiledLoop`: it takes structs, is compiled on its own (linking.py), and is entered from
Python, or by another loop, through a pointer.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from functools import partial
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from softdock.kernels.jit import njit
from softdock.kernels.struct import Struct


def loop(function: Callable[..., Any]) -> Any:
    """`njit` without reference counts: its arrays outlive it. It may not make arrays, nor may what it calls, except
    through a `CompiledLoop` that `makes_arrays`."""
    return njit(cache=True, nogil=True, _nrt=False)(function)


class CompiledLoop:
    """A function of two or three structs that returns an integer, called by address; zero means that it raised."""

    def __init__(self, function: Callable[..., Any], *, makes_arrays: bool = False) -> None:
        self.__doc__ = function.__doc__
        self._function = njit(cache=True, _nrt=makes_arrays, no_cpython_wrapper=True, no_cfunc_wrapper=False)(function)
        self._addresses: dict[Any, int] = {}
        self._callable: dict[int, Any] = {}

    def address(self, *structs: Struct) -> int:
        """Where its code is; compiled on the first call."""
        kinds = [struct._numba_type_ for struct in structs]
        known = tuple(map(id, kinds))  # of the kinds of structs there is one each, and they stay
        if known not in self._addresses:
            compiled = self._function.get_compile_result(types.int64(*kinds))
            name = compiled.fndesc.llvm_cfunc_wrapper_name
            self._addresses[known] = int(compiled.library.get_pointer_to_function(name))
        return self._addresses[known]

    def __call__(self, *structs: Struct) -> int:
        """Call it from Python, without the interpreter's lock."""
        return self.bound(*structs)()

    def bound(self, *structs: Struct) -> Callable[[], int]:
        """The call with these structs, which the caller keeps as long as the call."""
        return partial(self.entry(*structs), *[struct.address for struct in structs])

    def entry(self, *structs: Struct) -> Callable[..., int]:
        """What takes the addresses of structs of these kinds."""
        address = self.address(*structs)
        if address not in self._callable:
            self._callable[address] = CFUNCTYPE(c_int64, *(c_void_p for _ in structs))(address)
        entry: Callable[..., int] = self._callable[address]
        return entry


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
