"""The cache of compiled loops: one file for each function, signature and processor, checked before it is unpickled.

Numba's own cache unpickles whatever it finds, and looks for changes only in the file of the function. Here the file's
name is a hash of all that the machine code depends on (fingerprint.py).
"""

from __future__ import annotations

import functools
import hashlib
import pickle
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import compiler, serialize
from numba.core.caching import _Cache
from numba.core.runtime.nrt import rtsys

from softdock.kernels import cache
from softdock.kernels.fingerprint import defined, described, fingerprint

FOLDER = "loops"
"""Of the cache: where they are."""
_WRITERS = ("call", "jit", "linking", "loop", "struct")
"""Modules of this package whose code writes loops' code."""
_dumps: Any = serialize.dumps
_rebuilt: Any = compiler.CompileResult._rebuild


class Outdated(Exception):
    """What a stored loop is linked to is no longer what it was compiled for."""


class LoopCache(_Cache):
    """What is stored of a function compiled with these options; `kind` tells apart what is compiled of it in several
    ways."""

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any], kind: str = "loop") -> None:
        self._function, self._options, self._kind = function, dict(options), kind

    @property
    def cache_path(self) -> str:
        return FOLDER

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, or None if it is not stored.

        Numba would load what it needs to compile (`target_context.refresh()`), a third of the time of a cached run's
        start; machine code needs only the runtime's symbols.
        """
        rtsys.initialize(target_context)
        content = cache.read(self._name(sig, target_context.codegen()))
        try:
            return None if content is None else _rebuilt(target_context, *pickle.loads(content))
        except Outdated:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store it, unless it has addresses of this process in it."""
        if not (data.lifted or data.library.has_dynamic_globals):
            cache.write(self._name(sig, data.codegen), _dumps(data._reduce()))

    def _name(self, sig: Any, codegen: Any) -> str:
        """It has all in it that the machine code depends on."""
        arguments = sig if isinstance(sig, tuple) else (*sig.args, sig.return_type)
        parts = (self._fingerprint, *map(described, arguments), codegen.magic_tuple(), _compiler())
        digest = hashlib.sha256(repr(parts).encode()).hexdigest()
        return f"{FOLDER}/{self._function.__name__}-{digest[:32]}.{self._kind}"

    @functools.cached_property
    def _fingerprint(self) -> tuple[bytes, bytes]:
        return fingerprint(self._function), fingerprint(self._options)

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It never is."""

    def flush(self) -> None:
        """What is stored stays right."""


@functools.cache
def _compiler() -> tuple[Any, ...]:
    """What compiles: versions, and softdock's own part in it."""
    own = defined(*(import_module(f"softdock.kernels.{name}") for name in _WRITERS))
    versions = (numba.__version__, llvmlite.__version__, np.__version__.rpartition(".")[0], sys.version_info[:2])
    return own, *versions
