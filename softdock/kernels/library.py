"""Compiled kernels in this process: from memory, else from disk, else derived and compiled."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from softdock.kernels import cache, machine
from softdock.kernels.lanes import ONE, Kind

if TYPE_CHECKING:
    import casadi

_WRITERS = ("lanes", "library", "machine", "operations", "sincos", "split", "translate")
"""Modules of this package whose code writes kernels' code."""
_loaded: dict[str, Library] = {}
_lock = threading.RLock()


class Compiled(NamedTuple):
    """Object code of kernels of these names."""

    names: tuple[str, ...]
    code: bytes


class Library:
    """Machine code of some kernels. An address is valid as long as the library that gave it."""

    def __init__(self, compiled: Compiled) -> None:
        self.names = compiled.names
        self._engine = machine.linked(compiled.code)
        # Asked for all at once because LLVM ends the process when asked for a name that it does not have.
        self._addresses = {name: int(self._engine.get_function_address(name)) for name in self.names}

    def address(self, name: str) -> int:
        """Where `void name(double* q, double* v, double* e, double* theta, double* out)` is."""
        try:
            return self._addresses[name]
        except KeyError:
            raise KeyError(f"no kernel {name!r}; there are {', '.join(self.names)}") from None


def load(
    structure: str,
    derive: Callable[[], Mapping[str, casadi.Function]],
    *,
    sources: Iterable[Path] = (),
    announce: Callable[[str], None] | None = None,
    kind: Kind = ONE,
) -> Library:
    """The kernels of `structure`, which `derive` makes symbolically if they are neither loaded nor stored.

    `structure` must say all that the kernels depend on besides code; `sources` are the files of code that `derive`
    runs, so that kernels derived by an older version are not used. `announce` is told before a compilation. The same
    structure is loaded once per process and stays, so that addresses held by drivers remain valid. `kind`
    as for `translate.module_of`.
    """
    key = _key(f"{structure} {kind}" if kind != ONE else structure, sources)
    with _lock:
        if key not in _loaded:
            _loaded[key] = Library(_stored(key) or _compile(key, derive, announce, kind))
        return _loaded[key]


def _compile(
    key: str,
    derive: Callable[[], Mapping[str, casadi.Function]],
    announce: Callable[[str], None] | None,
    kind: Kind,
) -> Compiled:
    from softdock.kernels.translate import module_of  # only when there is something to translate

    if announce is not None:
        announce("compiling equations of motion for this processor (once; kept for later runs)")
    functions = derive()
    compiled = Compiled(tuple(functions), machine.object_code(module_of(functions, kind)))
    cache.write(f"{key}.o", " ".join(compiled.names).encode("ascii") + b"\n" + compiled.code)
    return compiled


def _stored(key: str) -> Compiled | None:
    content = cache.read(f"{key}.o")
    if content is None:
        return None
    names, _, code = content.partition(b"\n")
    return Compiled(tuple(names.decode("ascii").split()), code)


def _key(structure: str, sources: Iterable[Path]) -> str:
    return _digest([structure.encode(), machine.host().encode(), _code(tuple(sorted(sources)))])


@functools.cache
def _code(sources: tuple[Path, ...]) -> bytes:
    """What the code is, as it was when it was first asked for: what a process runs does not change with its files."""
    own = [Path(__file__).with_name(f"{name}.py") for name in _WRITERS]
    parts = [part for path in (*own, *sources) for part in (path.name.encode(), path.read_bytes())]
    return _digest(parts).encode()


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()
