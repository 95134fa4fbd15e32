"""What a compiled function is made of, as one hash: the key under which its machine code is stored.

From the function's own code the way leads through every global that the code names, and on through theirs: compiled
functions, numbers, arrays and record types by value, what `overload` and `intrinsic` put in by its code. It is the
objects of this process that are looked at, never files: what is compiled and what its key says cannot differ, even if
a source changes meanwhile. Comments, docstrings and places in files do not count. The packages of `_OUTSIDE` do so by
name: their versions are part of every key.

A function compiled `apart` counts by its name and options: its callers are linked to it anew in each process, where
the type that it returns is compared (linking.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from functools import cache, partial
from hashlib import sha256
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core import types
from numba.core.typing.templates import builtin_registry

_OUTSIDE = sys.stdlib_module_names | {"numba", "numpy", "llvmlite", "casadi"}
_DOCUMENTED = 0x4000000 if sys.version_info >= (3, 14) else CO_OPTIMIZED
"""Flag of code whose first constant is a docstring, if that is a text."""
_CHANGING = (np.ndarray, tuple, list, set, dict)
_PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes)

_known: dict[int, tuple[Any, bytes]] = {}
"""Digests of what does not change, by identity; the object is held so that its identity is not given away again."""


def fingerprint(function: Any) -> bytes:
    """Of a function or compiled function."""
    return _Walk().digest(function)


def defined(*modules: ModuleType) -> bytes:
    """Of all functions and classes that modules define; what they name elsewhere is left out."""
    walk = _Walk(follow=False)
    return _hashed(
        walk.digest(value)
        for module in modules
        for _, value in sorted(vars(module).items())
        if getattr(value, "__module__", None) == module.__name__ and isinstance(value, FunctionType | type)
    )


def described(kind: Any) -> str:
    """A type of Numba's with the names of its tuples' fields, which its own name leaves out."""
    if not isinstance(kind, types.BaseTuple):
        return str(kind)
    return f"{kind} {getattr(kind, 'fields', ())} {[*map(described, getattr(kind, 'types', ()))]}"


class _Walk:
    """The way through what an object is made of; `follow`: through the globals of functions, too."""

    def __init__(self, *, follow: bool = True) -> None:
        self._follow = follow
        self._open: dict[int, int] = {}  # objects on the way here, with their depth
        self._lowest = 0  # depth of the highest of them that was met again below the present one

    def digest(self, x: Any) -> bytes:
        if type(x) in _PLAIN:
            return f"{type(x).__name__} {x!r}".encode()
        if id(x) in _known and self._follow:
            return _known[id(x)][1]
        if id(x) in self._open:  # it contains itself: how far above is all that there is to say
            self._lowest = min(self._lowest, self._open[id(x)])
            return f"above {len(self._open) - self._open[id(x)]}".encode()
        depth = self._open[id(x)] = len(self._open)
        before, self._lowest = self._lowest, depth
        digest = _hashed(self._parts(x))
        del self._open[id(x)]
        if self._lowest == depth and self._follow and not isinstance(x, _CHANGING):
            _known[id(x)] = x, digest
        self._lowest = min(before, self._lowest)
        return digest

    def _parts(self, x: Any) -> Iterable[bytes]:
        for kind, parts in _KINDS:
            if isinstance(x, kind):
                return parts(self, x)
        return self._other(x)

    def _function(self, f: FunctionType) -> Iterable[bytes]:
        yield self._named(f)
        if _outside(f):
            return
        yield from (self.digest(f.__code__), self.digest(f.__defaults__), self.digest(f.__kwdefaults__))
        for cell in f.__closure__ or ():
            try:
                yield self.digest(cell.cell_contents)
            except ValueError:
                yield b"empty"
        if self._follow:
            yield from map(self.digest, _overloads(len(builtin_registry.globals)).get(f, ()))
            for name in _names(f.__code__):
                if name in f.__globals__:
                    yield name.encode()
                    yield self.digest(f.__globals__[name])

    def _code(self, code: CodeType) -> Iterable[bytes]:
        documented = code.co_flags & _DOCUMENTED and not code.co_name.startswith("<")
        first = code.co_consts[:1]
        yield from (self.digest(None if documented and isinstance(x, str) else x) for x in first)
        yield from map(self.digest, code.co_consts[1:])
        for names in (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars):
            yield " ".join(names).encode()
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        yield repr(counts).encode()
        yield from (code.co_code, code.co_exceptiontable)

    def _class(self, kind: type) -> Iterable[bytes]:
        yield self._named(kind)
        if _outside(kind):
            return
        yield from map(self._named, kind.__bases__)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            yield " ".join(kind._fields).encode()
        elif self._follow:
            yield self.digest(sys.modules.get(kind.__module__))
            return
        for name, value in vars(kind).items():
            function = getattr(value, "__func__", None) or getattr(value, "fget", None) or getattr(value, "func", value)
            if isinstance(function, FunctionType) and not _outside(function):
                yield name.encode()
                yield self.digest(function)

    def _module(self, module: ModuleType) -> Iterable[bytes]:
        yield module.__name__.encode()
        if not _outside(module):
            yield defined(module)

    def _dtype(self, dtype: np.dtype[Any]) -> Iterable[bytes]:
        yield f"{dtype.str} {dtype.itemsize} {dtype.alignment} {dtype.shape}".encode()
        yield self.digest(dtype.base if dtype.subdtype else None)
        for name, (kind, offset, *_) in (dtype.fields or {}).items():
            yield f"{name} {offset}".encode()
            yield self.digest(kind)

    def _array(self, array: np.ndarray | np.generic) -> Iterable[bytes]:
        flags = array.flags
        yield f"{array.shape} {flags.c_contiguous} {flags.f_contiguous} {flags.aligned} {flags.writeable}".encode()
        yield self.digest(array.dtype)
        yield array.tobytes()

    def _ordered(self, values: tuple[Any, ...] | list[Any]) -> Iterable[bytes]:
        yield self.digest(type(values))
        yield from map(self.digest, values)

    def _set(self, values: Collection[Any]) -> Iterable[bytes]:
        return sorted(map(self.digest, values))

    def _mapping(self, values: dict[Any, Any]) -> Iterable[bytes]:
        return sorted(_hashed((self.digest(name), self.digest(value))) for name, value in values.items())

    def _partial(self, x: partial[Any]) -> Iterable[bytes]:
        return map(self.digest, (x.func, x.args, x.keywords))

    def _other(self, x: Any) -> Iterable[bytes]:
        """What says itself what is compiled of it; else its class, and how it shows itself if that is lasting."""
        yield self.digest(type(x))
        if hasattr(x, "ingredients"):
            yield from map(self.digest, x.ingredients)
        elif hasattr(x, "py_func"):  # a dispatcher of Numba's own
            yield from map(self.digest, (x.py_func, x.targetoptions))
        elif hasattr(x, "_defn"):  # an intrinsic
            yield self.digest(x._defn)
        elif " at 0x" not in (shown := repr(x)):
            yield shown.encode()

    def _type(self, kind: types.Type) -> Iterable[bytes]:
        yield described(kind).encode()

    @staticmethod
    def _named(x: Any) -> bytes:
        return f"{x.__module__} {x.__qualname__}".encode()


_KINDS: tuple[tuple[Any, Callable[[_Walk, Any], Iterable[bytes]]], ...] = (
    (FunctionType, _Walk._function),
    (CodeType, _Walk._code),
    (type, _Walk._class),
    (ModuleType, _Walk._module),
    (np.dtype, _Walk._dtype),
    ((np.ndarray, np.generic), _Walk._array),
    ((tuple, list), _Walk._ordered),
    ((set, frozenset), _Walk._set),
    (dict, _Walk._mapping),
    (partial, _Walk._partial),
    (types.Type, _Walk._type),
)


def _outside(x: Any) -> bool:
    name: str = x.__name__ if isinstance(x, ModuleType) else x.__module__ or ""
    return name.partition(".")[0] in _OUTSIDE


@cache
def _names(code: CodeType) -> list[str]:
    """What code names, and the code within it: globals, and attributes, some of which may be called as a global is."""
    within = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return sorted({*code.co_names, *(name for inner in within for name in _names(inner))})


@cache
def _overloads(number: int) -> dict[Any, list[Any]]:
    """What `overload` put in place of a function, of that many registrations."""
    found: dict[Any, list[Any]] = {}
    for value, kind in builtin_registry.globals[:number]:
        if isinstance(value, FunctionType) and isinstance(kind, types.Function):
            mine = (getattr(template, "_overload_func", None) for template in kind.templates)
            found.setdefault(value, []).extend(function for function in mine if function)
    return found


def _hashed(parts: Iterable[bytes]) -> bytes:
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.digest()
