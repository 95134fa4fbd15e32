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

import numba
import numpy as np
from numba.core import compiler, serialize
from numba.core.caching import _Cache
from numba.core.runtime.nrt import rtsys

from softdock.kernels import cache, machine
from softdock.kernels.fingerprint import defined, described, fingerprint

FOLDER = "loops"
"""Of the cache: where they are."""
_WRITERS = ("call", "four", "jit", "linking", "loop", "struct")
"""Modules of this package whose code writes loops' code."""
_ANNOTATION = 6
"""Place of the types of all variables, line by line, in what Numba stores."""
_dumps: Any = serialize.dumps
_rebuilt: Any = compiler.CompileResult._rebuild


class Outdated(Exception):
    """What a stored loop is linked to is no longer what it was compiled for."""


class LoopCache(_Cache):
    """What is stored of a function compiled with these options; `kind` tells apart what is compiled of it in several
    ways."""

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any], kind: str = "loop") -> None:
        self._function, self._options, self._kind = function, dict(options), kind
        self._claims: dict[str, cache.Claim] = {}

    @property
    def cache_path(self) -> str:
        return FOLDER

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, or None if it is not stored, and is to be compiled by this process.

        Numba would load what it needs to compile (`target_context.refresh()`), a third of the time of a cached run's
        start; machine code needs only the runtime's symbols.
        """
        rtsys.initialize(target_context)
        name = self.name(sig)
        used[name] = None
        found = _stored(name, target_context)
        if found is None:
            for told in tuple(on_compile):
                told(self._function.__name__)
            under_way.append(self._function.__name__)
            claim = self._claims[name] = cache.Claim(name)
            if claim.waited:
                found = _stored(name, target_context)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store it, unless it has addresses of this process in it."""
        if not (data.lifted or data.library.has_dynamic_globals):
            reduced = list(data._reduce())
            reduced[_ANNOTATION] = ""  # as long as the rest, for a reader that there is not
            cache.write(self.name(sig), _dumps(tuple(reduced)))

    def release(self) -> None:
        """Let other processes compile what this one has not."""
        while self._claims:
            self._claims.popitem()[1].release()
            under_way.remove(self._function.__name__)

    def name(self, sig: Any) -> str:
        """It has all in it that the machine code depends on."""
        digest = hashlib.sha256(f"{self.source(sig)} {made_for()}".encode()).hexdigest()
        return f"{FOLDER}/{self._function.__name__}-{digest[:32]}.{self._kind}"

    def source(self, sig: Any) -> str:
        """Hash of all that it depends on, but for the compiler and the processor."""
        arguments = sig if isinstance(sig, tuple) else (*sig.args, sig.return_type)
        parts = (self._fingerprint, *map(described, arguments), _writers())
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @functools.cached_property
    def _fingerprint(self) -> tuple[bytes, bytes]:
        return fingerprint(self._function), fingerprint(self._options)

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It never is."""

    def flush(self) -> None:
        """What is stored stays right."""


used: dict[str, None] = {}
"""Names of the loops that this process has asked for, in that order."""
on_compile: list[Callable[[str], object]] = []
"""Called with the name of each function that is to be compiled."""
under_way: list[str] = []
"""Functions that are being compiled, or waited for; the last is within those before it."""


def _stored(name: str, target_context: Any) -> Any:
    content = cache.read(name)
    try:
        return None if content is None else _rebuilt(target_context, *pickle.loads(content))
    except Outdated:
        return None


@functools.cache
def _writers() -> bytes:
    """softdock's own part in compiling."""
    return defined(*(import_module(f"softdock.kernels.{name}") for name in _WRITERS))


@functools.cache
def made_for() -> str:
    """Who compiles loops, and for what: versions and processor."""
    python, numpy = ".".join(map(str, sys.version_info[:2])), np.__version__.partition(".")[0]
    versions = f"Python {python}, Numba {numba.__version__}, NumPy {numpy}, {machine.compiler()}"
    return f"{versions}, {' '.join(machine.common())}".strip()
