"""Compiled code that comes with the package, for those to whom it applies; all others compile.

One archive for each version of Python, `shipped/cpython-311.zip`: loops of the cache under their names there, which say
all that the code depends on (loop_cache.py), and `manifest.json`, which says for whom they are, and which loops each
scenario takes. What is not in it, or was compiled from other sources, by another compiler or for another processor, has
another name, and is not found. `softdock warmup --ship` makes it.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from softdock.kernels import cache as stored

FOLDER = Path(__file__).with_name("shipped")
_MANIFEST = "manifest.json"
_TIME = (2020, 1, 1, 0, 0, 0)
"""Of every file: the same code is the same archive."""


class Loop(NamedTuple):
    """A compiled loop: of what, and for which arguments."""

    name: str
    """In the cache."""
    module: str
    function: str
    source: str
    """Hash of what it is compiled from."""
    signature: str
    """Pickled, in base64."""


class Manifest(NamedTuple):
    """For whom the archive is, its loops, and which of them (by name) scenarios take, in that order."""

    made_for: str
    loops: dict[str, Loop]
    taken: dict[str, list[str]]


def path() -> Path:
    """Where the archive for this Python is, if there is one."""
    return FOLDER / f"{sys.implementation.cache_tag}.zip"


def read(name: str) -> bytes | None:
    """What is in the archive under a name of the cache, or None."""
    archive = _archive(path(), os.getpid())
    if archive is None or name not in archive.NameToInfo:
        return None
    try:
        content = stored.intact(name, archive.read(name))
    except Exception as error:  # zlib, zipfile and the system each have their own for a damaged file
        content, reason = None, f"is damaged ({error})"
    else:
        reason = "is not what was packed"
    if content is None:
        warnings.warn(f"{name} of {path()} {reason}: compiling anew", stored.CacheWarning, stacklevel=2)
    return content


@cache
def _archive(file: Path, process: int = 0) -> zipfile.ZipFile | None:
    """Opened by each process itself: those that are forks of one would read from each other's places in the file."""
    try:
        return zipfile.ZipFile(file)
    except FileNotFoundError:
        return None
    except Exception as error:
        warnings.warn(f"{file} cannot be used ({error}): compiling anew", stored.CacheWarning, stacklevel=2)
        return None


@cache
def manifest() -> Manifest | None:
    """That of the archive for this Python, or None."""
    archive = _archive(path(), os.getpid())
    if archive is None:
        return None
    try:
        made_for, loops, taken = json.loads(archive.read(_MANIFEST))
        return Manifest(str(made_for), {loop[0]: Loop(*loop) for loop in loops}, taken)
    except Exception:
        return None  # said when its code is asked for


def pack(
    file: Path, made_for: str, loops: Iterable[Loop], taken: Mapping[str, Sequence[str]], roots: list[Path]
) -> None:
    """Write an archive of loops in the cache. Where sources are on this machine (`roots`), which exceptions raised in
    loops would tell, becomes slashes: of the same length, since it is part of machine code."""
    loops = sorted(loops)
    told = json.dumps([made_for, loops, dict(sorted(taken.items()))])
    file.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo(_MANIFEST, _TIME), told, zipfile.ZIP_DEFLATED, 9)
        for loop in loops:
            content = stored.read(loop.name) or b""
            for root in sorted({str(root).encode() for root in roots}, key=len, reverse=True):
                content = content.replace(root, b"/" * len(root))
            archive.writestr(
                zipfile.ZipInfo(loop.name, _TIME), stored.sealed(loop.name, content), zipfile.ZIP_DEFLATED, 9
            )


def signature(loop: Loop) -> Any:
    """Numba's, of a loop."""
    return pickle.loads(base64.b64decode(loop.signature))


def encoded(signature: Any) -> str:
    """A signature, as it is in `Loop`."""
    return base64.b64encode(pickle.dumps(signature)).decode("ascii")
