"""Object code on disk: one file per key, written whole or not at all, and never trusted unchecked.

A file is a line with the format's name and the SHA-256 of what follows, a line with the kernels' names, and the object
code. Nothing here stops a run: a cache that cannot be used costs compile time, and says so once.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from softdock.cache_folder import directory, keep

_FORMAT = b"softdock-kernels-1 "
_unwritable: set[str] = set()


class CacheWarning(UserWarning):
    """The kernel cache is damaged or cannot be written; results are not affected."""


class Compiled(NamedTuple):
    names: tuple[str, ...]
    code: bytes


def read(key: str) -> Compiled | None:
    """What is stored under `key`, or None if nothing intact is."""
    try:
        path = directory() / f"{key}.o"
        content = path.read_bytes()
    except OSError:
        return None
    header, _, payload = content.partition(b"\n")
    if header != _header(payload):
        warnings.warn(f"kernel cache file {path} is damaged: compiling anew", CacheWarning, stacklevel=2)
        return None
    names, _, code = payload.partition(b"\n")
    return Compiled(tuple(names.decode("ascii").split()), code)


def write(key: str, compiled: Compiled) -> None:
    """Store under `key`. The file appears under its name only when complete, so readers and rivals are safe."""
    payload = " ".join(compiled.names).encode("ascii") + b"\n" + compiled.code
    try:
        keep(f"{key}.o", _header(payload) + b"\n" + payload)
    except OSError as error:
        reason = f"kernel cache cannot be written ({error}): kernels will be compiled in every run"
        if reason not in _unwritable:
            _unwritable.add(reason)
            warnings.warn(reason, CacheWarning, stacklevel=2)


def _header(payload: bytes) -> bytes:
    return _FORMAT + hashlib.sha256(payload).hexdigest().encode("ascii")


def drivers(root: Path) -> Path:
    """Where Numba keeps its compiled loops over the kernels: a folder for each state of the sources.

    Numba looks only at the file of the function it compiles; a change in what that function takes from another file
    would go unseen. So the key covers every file with a compiled function, and all that those import, and so on.
    """
    sources = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.py")}
    waiting = [name for name, text in sources.items() if _COMPILES.search(text)]
    digest, seen = hashlib.sha256(), set(waiting)
    while waiting:
        for imported in _imports(sources[waiting.pop()]):
            if imported in sources and imported not in seen:
                seen.add(imported)
                waiting.append(imported)
    for name in sorted(seen):
        digest.update(name.encode() + sources[name])
    return directory() / f"loops-{digest.hexdigest()[:16]}"


_COMPILES = re.compile(
    rb"^@(njit|loop|cfunc|partial\(CompiledLoop|CompiledLoop|intrinsic)\b|\b(cfunc|intrinsic)\(", re.M
)
_FROM = re.compile(rb"^from softdock([\w.]*) import (\([^)]*\)|.*)", re.M)
_IMPORT = re.compile(rb"^import softdock([\w.]*)", re.M)


def _imports(text: bytes) -> Iterator[str]:
    """Files of softdock that a file may import at its head."""
    for module, names in [*_FROM.findall(text), *((module, b"") for module in _IMPORT.findall(text))]:
        path = module.decode().replace(".", "/").strip("/")
        yield f"{path}.py"
        yield f"{path}/__init__.py".lstrip("/")
        yield from (f"{path}/{name}.py".lstrip("/") for name in re.findall(r"\w+", names.decode()))
