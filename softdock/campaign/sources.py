"""What a campaign's rows depend on besides its numbers: the softdock that made them, and every file that was read.

Files are seen by Python's audit of `open`, so that those which a scenario's own code reads are among them. Not seen are
files that only a compiled library opens, and libraries other than softdock.
"""

import hashlib
import os
import site
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from softdock.kernels.cache import directory
from softdock.scenarios import SCENARIOS, builder

SOFTDOCK = Path(__file__).parents[1]
_WRITING = os.O_WRONLY | os.O_RDWR

_noting: dict[int, set[str]] = {}
"""Files opened for reading so far, by the thread that wants to know."""


@cache
def softdock_of_now() -> str:
    """Version of this softdock, and a digest of its files: between releases the version alone says little."""
    digest = hashlib.sha256()
    for path in sorted(SOFTDOCK.rglob("*")):
        if path.suffix in (".py", ".toml", ".json") and path.is_file():
            digest.update(path.relative_to(SOFTDOCK).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{version('softdock')} {digest.hexdigest()[:16]}"


@contextmanager
def noted() -> Iterator[set[str]]:
    """The files that this thread opens for reading meanwhile."""
    _audit()
    files = _noting[threading.get_ident()] = set()
    try:
        yield files
    finally:
        del _noting[threading.get_ident()]


@cache
def _audit() -> None:
    """Hooks stay for good; this one costs a look into an empty table where nothing is noted."""

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        if _noting and event == "open" and (files := _noting.get(threading.get_ident())) is not None:
            path, _, flags = arguments
            if isinstance(path, str | bytes) and not (isinstance(flags, int) and flags & _WRITING):
                files.add(os.path.abspath(os.fsdecode(path)))

    sys.addaudithook(heard)


def digests(files: Iterable[str], folder: Path) -> dict[str, str]:
    """SHA-256 of those of the files that are someone's own, by their place in `folder` or in full."""
    own = sorted({path for path in files if _is_own(Path(path))})
    return {_within(Path(path), folder): digest for path in own if (digest := digest_of(Path(path)))}


def digest_of(path: Path) -> str | None:
    """SHA-256 of a file; None if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def code_of(scenario: str, folder: Path) -> list[str]:
    """Files of a scenario's own code: its module, and what of the same folder has been imported."""
    if scenario in SCENARIOS:
        return []
    module = sys.modules[builder(scenario, folder).__module__]
    place = Path(str(module.__file__)).resolve()
    loaded = [getattr(one, "__file__", None) for one in [*sys.modules.values()]]
    beside = [file for file in loaded if file and place.parent in Path(file).resolve().parents]
    return [str(place), *(str(Path(file).resolve()) for file in beside if _is_own(Path(file)))]


def changed(files: dict[str, str], folder: Path) -> str | None:
    """The first of these files that is no longer what it was."""
    return next((name for name, digest in files.items() if digest_of(folder / name) != digest), None)


def named(function: Callable[..., Any] | None) -> str:
    """A function by its name and a digest of its source (of its code, if it has none)."""
    if function is None:
        return ""
    import inspect

    name = getattr(function, "__qualname__", type(function).__qualname__)
    try:
        text = inspect.getsource(function if hasattr(function, "__code__") else type(function)).encode()
    except (OSError, TypeError):
        text = getattr(getattr(function, "__code__", None), "co_code", b"")
    return f"{name} {hashlib.sha256(text).hexdigest()[:16]}"


def _within(path: Path, folder: Path) -> str:
    folder = folder.resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


def _is_own(path: Path) -> bool:
    """Is it a file of the user, not one of Python's, of a library's, of softdock's or of its caches?"""
    if path.suffix == ".pyc" or not path.is_file():
        return False
    return not any(path.is_relative_to(place) for place in _others())


def _others() -> list[str]:
    caches = [str(directory().absolute()), *filter(None, [os.environ.get("NUMBA_CACHE_DIR")])]
    libraries = [sys.prefix, sys.base_prefix, site.getusersitepackages(), *site.getsitepackages()]
    libraries += [place for place in sys.path if Path(place).name in ("site-packages", "dist-packages")]
    return [str(SOFTDOCK), *caches, *libraries, "/proc", "/sys", "/dev", "/etc"]
