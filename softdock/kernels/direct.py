"""Inverse dynamics as a built-in function: machine code that CPython calls with no dispatcher between.

Numba's dispatcher asks for the type of every argument, unboxes it and boxes the result: 1.5 µs for eight arguments,
where the equations of a seven-joint arm take 0.2 µs. The general way of `Dynamics.inverse_dynamics`, with the checks of
arrays and batches, takes 15.7 µs a call, this one 0.57 µs (`softdock bench --only inverse-dynamics-7`). Here the
arguments' fields are read where CPython and NumPy keep them (layouts that are part of their binary interfaces, and that
`_layouts_hold` checks in this process). An argument that is not exactly a float64, C-contiguous, one-dimensional array
of the right length makes the function answer None, and the caller takes the general way.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from softdock.kernels import machine
from softdock.kernels.operations import DECLARATIONS

_HEAD = object.__basicsize__
"""Size of the head of every Python object; its last word is the object's type."""
_PLACES = {
    "TYPE": _HEAD - 8,
    "DATA": _HEAD, "NDIM": _HEAD + 8, "SHAPE": _HEAD + 16, "DTYPE": _HEAD + 40, "FLAGS": _HEAD + 48,  # of an array
    "SOUND": 0x0001 | 0x0100,  # flags: C-contiguous, aligned
}  # fmt: skip

_WORDS = ("kernel", "nq", "nv", "before", "ndarray", "float64", "none", "empty", "length", "vectorcall",
          "incref")  # fmt: skip
"""What `self`, an int64 array, holds before the world's constants theta."""

_FUNCTION = """
define ptr @direct(ptr %self, ptr %args, i64 %given) nounwind {{
  %box = getelementptr i8, ptr %self, i64 {DATA}
  %held = load ptr, ptr %box
{words}
  %theta = getelementptr i64, ptr %held, i64 {count}
  %three = icmp eq i64 %given, 3
  br i1 %three, label %open, label %no
open:
{arguments}
  br label %q.look
{checks}
ready:
  %size = add i64 %nv, %before
  %e = alloca double, i64 %size
  %e.a = getelementptr double, ptr %e, i64 %before
  br label %clear
clear:
  %z = phi i64 [0, %ready], [%z.next, %zero]
  %left = icmp slt i64 %z, %before
  br i1 %left, label %zero, label %copy
zero:
  %z.p = getelementptr double, ptr %e, i64 %z
  store double 0.0, ptr %z.p
  %z.next = add i64 %z, 1
  br label %clear
copy:
  %k = phi i64 [0, %clear], [%k.next, %copy]
  %a.p = getelementptr double, ptr %a.data, i64 %k
  %a.k = load double, ptr %a.p
  %e.p = getelementptr double, ptr %e.a, i64 %k
  store double %a.k, ptr %e.p
  %k.next = add i64 %k, 1
  %more = icmp slt i64 %k.next, %nv
  br i1 %more, label %copy, label %allocate
allocate:
  %slots = alloca [2 x ptr]
  %slot = getelementptr ptr, ptr %slots, i64 1
  %length.o = inttoptr i64 %length to ptr
  store ptr %length.o, ptr %slot
  %ask = inttoptr i64 %vectorcall to ptr
  %empty.o = inttoptr i64 %empty to ptr
  %out = call ptr %ask(ptr %empty.o, ptr %slot, i64 -9223372036854775807, ptr null)
  %failed = icmp eq ptr %out, null
  br i1 %failed, label %end, label %evaluate
evaluate:
  %out.p = getelementptr i8, ptr %out, i64 {DATA}
  %out.data = load ptr, ptr %out.p
  %equations = inttoptr i64 %kernel to ptr
  call void %equations(ptr %q.data, ptr %v.data, ptr %e, ptr %theta, ptr %out.data)
  br label %end
end:
  ret ptr %out
no:
  %none.o = inttoptr i64 %none to ptr
  %hold = inttoptr i64 %incref to ptr
  call void %hold(ptr %none.o)
  ret ptr %none.o
}}
"""

_CHECK = """
{x}.look:
  %{x}.type.p = getelementptr i8, ptr %{x}, i64 {TYPE}
  %{x}.type = load i64, ptr %{x}.type.p
  %{x}.is = icmp eq i64 %{x}.type, %ndarray
  br i1 %{x}.is, label %{x}.fields, label %no
{x}.fields:
  %{x}.ndim.p = getelementptr i8, ptr %{x}, i64 {NDIM}
  %{x}.ndim = load i32, ptr %{x}.ndim.p
  %{x}.row = icmp eq i32 %{x}.ndim, 1
  %{x}.dtype.p = getelementptr i8, ptr %{x}, i64 {DTYPE}
  %{x}.dtype = load i64, ptr %{x}.dtype.p
  %{x}.double = icmp eq i64 %{x}.dtype, %float64
  %{x}.flags.p = getelementptr i8, ptr %{x}, i64 {FLAGS}
  %{x}.flags = load i32, ptr %{x}.flags.p
  %{x}.masked = and i32 %{x}.flags, {SOUND}
  %{x}.sound = icmp eq i32 %{x}.masked, {SOUND}
  %{x}.both = and i1 %{x}.row, %{x}.double
  %{x}.all = and i1 %{x}.both, %{x}.sound
  br i1 %{x}.all, label %{x}.size, label %no
{x}.size:
  %{x}.shape.p = getelementptr i8, ptr %{x}, i64 {SHAPE}
  %{x}.shape = load ptr, ptr %{x}.shape.p
  %{x}.length = load i64, ptr %{x}.shape
  %{x}.fits = icmp eq i64 %{x}.length, %{n}
  %{x}.data.p = getelementptr i8, ptr %{x}, i64 {DATA}
  %{x}.data = load ptr, ptr %{x}.data.p
  br i1 %{x}.fits, label %{then}, label %no
"""

_lengths: dict[int, int] = {}
"""One int object for each length, kept for good: functions hold its address."""


def direct(kernel: int, theta: np.ndarray, nq: int, nv: int, before: int) -> Callable[..., np.ndarray | None]:
    """f(q, v, a), which evaluates `kernel` on (q, v, e, theta) in a new array (nv); None if it cannot.

    In e, so many zeros come `before` a.
    """
    if not _layouts_hold():
        return lambda q, v, a: None
    api = ctypes.pythonapi
    words = {
        "kernel": kernel, "nq": nq, "nv": nv, "before": before,
        "ndarray": id(np.ndarray), "float64": id(np.dtype(np.float64)), "none": id(None),
        "empty": id(np.empty), "length": id(_lengths.setdefault(nv, nv)),
        "vectorcall": _address(api.PyObject_Vectorcall), "incref": _address(api.Py_IncRef),
    }  # fmt: skip
    held = np.concatenate([np.array([words[word] for word in _WORDS], dtype=np.int64), theta.view(np.int64)])
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", api)
    )
    return make(ctypes.addressof(_method()[0]), held, None)


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@cache
def _method() -> tuple[_Method, Any]:
    """The function's definition, and the engine that holds its code; both live as long as the process."""
    engine = machine.linked(machine.object_code(f"{DECLARATIONS}\n{_text()}"))
    fastcall = 0x0080
    return _Method(b"direct", engine.get_function_address("direct"), fastcall, None), engine


def _text() -> str:
    words = "\n".join(
        f"  %{word}.p = getelementptr i64, ptr %held, i64 {k}\n  %{word} = load i64, ptr %{word}.p"
        for k, word in enumerate(_WORDS)
    )
    arguments = "\n".join(
        f"  %{x}.arg = getelementptr ptr, ptr %args, i64 {k}\n  %{x} = load ptr, ptr %{x}.arg"
        for k, x in enumerate("qva")
    )
    order = (("q", "nq", "v.look"), ("v", "nv", "a.look"), ("a", "nv", "ready"))
    checks = "".join(_CHECK.format(x=x, n=n, then=then, **_PLACES) for x, n, then in order)
    return _FUNCTION.format(words=words, arguments=arguments, checks=checks, count=len(_WORDS), **_PLACES)


@cache
def _layouts_hold() -> bool:
    """Do arrays have their fields where this module reads them?"""
    try:
        samples = (np.arange(3.0), np.zeros((4, 5)).T, np.arange(6)[::2])
        return all(_fields(array) == _known(array) for array in samples)
    except (AttributeError, TypeError, ValueError):
        return False


def _fields(array: np.ndarray) -> tuple[object, ...]:
    def word(place: str, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(id(array) + _PLACES[place]).value)

    shape = tuple((ctypes.c_int64 * array.ndim).from_address(word("SHAPE")))
    small = ctypes.c_int32
    return word("TYPE"), word("DATA"), word("NDIM", small), shape, word("DTYPE"), word("FLAGS", small)


def _known(array: np.ndarray) -> tuple[object, ...]:
    return id(np.ndarray), array.ctypes.data, array.ndim, array.shape, id(array.dtype), array.flags.num


def _address(function: Any) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)
