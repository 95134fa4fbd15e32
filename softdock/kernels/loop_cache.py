"""The cache of compiled loops: one file for each function, signature and processor, checked before it is unpickled.

Numba's own cache unpickles whatever it finds, and looks for changes only in the file of the function.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import compiler, serialize
from numba.core.caching import _Cache
from numba.core.runtime.nrt import rtsys

from softdock.kernels import cache

_dumps: Any = serialize.dumps
_rebuilt: Any = compiler.CompileResult._rebuild


@functools.cache
def _folder() -> str:
    return cache.drivers(Path(__file__).parents[1])


class LoopCache(_Cache):
    """What is stored of one function; `kind` tells apart what is compiled of it in several ways."""

    def __init__(self, function: Callable[..., Any], kind: str = "loop") -> None:
        self._function, self._kind = function, kind

    @property
    def cache_path(self) -> str:
        return _folder()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, or None if it is not stored.

        Numba would load what it needs to compile (`target_context.refresh()`), a third of the time of a cached run's
        start; machine code needs only the runtime's symbols.
        """
        rtsys.initialize(target_context)
        content = cache.read(self._name(sig, target_context.codegen()))
        return None if content is None else _rebuilt(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store it, unless it has addresses of this process in it."""
        if not (data.lifted or data.library.has_dynamic_globals):
            cache.write(self._name(sig, data.codegen), _dumps(data._reduce()))

    def _name(self, sig: Any, codegen: Any) -> str:
        """It has all in it that the machine code depends on; the sources of softdock are in the folder's name."""
        function, code = self._function, self._function.__code__
        closed = _dumps(tuple(cell.cell_contents for cell in function.__closure__ or ()))
        parts = (
            function.__module__, function.__qualname__, code.co_firstlineno, code.co_code, closed,
            _source(code.co_filename), str(sig), codegen.magic_tuple(), numba.__version__, sys.version_info[:2],
        )  # fmt: skip
        return f"{_folder()}/{function.__name__}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}.{self._kind}"

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It never is."""

    def flush(self) -> None:
        """What is stored stays right."""


@functools.cache
def _source(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if Path(file).is_file() else ""
