"""Compiled code on disk: the user's own, written whole or not at all, and never used unchecked.

A file is a line with the format's name and the SHA-256 of its own name and of what follows, then its content. Nothing
is unpickled or linked before that sum was found right, in a file that belongs to the user alone. Nothing here stops a
run: a cache that cannot be used costs compile time, and says so once.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import stat
import sys
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path

logger = logging.getLogger("softdock")
_FORMAT = b"softdock-cache-2 "
_OPEN = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""No link is followed, and no pipe waited for."""
_unwritable: set[str] = set()
_stand_ins: dict[Path, Path] = {}


class CacheWarning(UserWarning):
    """The cache is damaged, or cannot be used or written; results are not affected."""


def directory() -> Path:
    """`SOFTDOCK_CACHE`, or the platform's place for caches; `OSError` if the user has no home."""
    chosen = os.environ.get("SOFTDOCK_CACHE")
    if chosen:
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OSError(f"{error}; set SOFTDOCK_CACHE") from error
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "softdock"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "softdock" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "softdock"


def folder() -> Path:
    """The cache of this run: `directory()`, made for the user alone whatever the umask is; if it is another's, or
    others may write to it, a private one that goes with this process. OSError if there can be none."""
    place = directory()
    if place not in _stand_ins:
        _make(place)
        reason = _not_ours(place.stat())
        if not reason:
            return place
        _stand_ins[place] = Path(tempfile.mkdtemp(prefix="softdock-cache-"))
        atexit.register(shutil.rmtree, _stand_ins[place], ignore_errors=True)
        mend = f"chmod 700 {place}, or set SOFTDOCK_CACHE"
        warnings.warn(
            f"cache folder {place} {reason}: not used; this run compiles anew ({mend})", CacheWarning, stacklevel=2
        )
    return _stand_ins[place]


def _make(place: Path) -> None:
    for path in reversed([path for path in (place, *place.parents) if not path.exists()]):
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
            path.chmod(0o700)  # a umask may have taken more


def _not_ours(status: os.stat_result) -> str:
    """Why what is there cannot be trusted; empty if it can. Windows keeps a user's folders from others itself."""
    if os.name != "posix":
        return ""
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    return "may be written by others" if status.st_mode & 0o022 else ""


def read(name: str) -> bytes | None:
    """What is stored under `name`, or comes with softdock under it; None if nothing intact is. What is stored and not
    intact is removed."""
    try:
        path = folder() / name
        content, reason = _checked(path, name)
    except OSError:
        return _from_package(name)
    if reason:
        with suppress(OSError):
            path.unlink()
        warnings.warn(f"cache file {path} {reason}: compiling anew", CacheWarning, stacklevel=2)
        return _from_package(name)
    return content


def _from_package(name: str) -> bytes | None:
    from softdock.kernels import shipped  # which reads files of this format

    return shipped.read(name)


def _checked(path: Path, name: str) -> tuple[bytes, str]:
    """Content of a file, and what is wrong with it."""
    if path.is_symlink():
        return b"", "is a link"
    with open(os.open(path, _OPEN), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return b"", "is no file"
        if reason := _not_ours(status):
            return b"", reason
        content = intact(name, file.read())
    return content or b"", "is damaged" if content is None else ""


def intact(name: str, whole: bytes) -> bytes | None:
    """The content of a file with that name in the cache; None if it is not as it was written."""
    header, _, content = whole.partition(b"\n")
    return content if header == _header(name, content) else None


def write(name: str, content: bytes) -> None:
    """Store under `name`. The file appears under its name only when complete, so readers and rivals are safe."""
    try:
        path = folder() / name
        _make(path.parent)
        _replace(path, sealed(name, content))
    except OSError as error:
        reason = f"cache cannot be written ({error.strerror or error}): everything will be compiled in every run"
        if reason not in _unwritable:
            _unwritable.add(reason)
            warnings.warn(reason, CacheWarning, stacklevel=2)


def sealed(name: str, content: bytes) -> bytes:
    """A file of the cache."""
    return _header(name, content) + b"\n" + content


def _header(name: str, content: bytes) -> bytes:
    return _FORMAT + hashlib.sha256(name.encode() + b"\n" + content).hexdigest().encode("ascii")


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f"{path.stem[:16]}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), 0o600)
            file.write(content)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class Claim:
    """The right to compile what is to be stored under a name: one process at a time has it, others `wait`.

    It goes with the process. Where there are no locks, or the folder cannot be written, all compile.
    """

    def __init__(self, name: str, *, wait: bool = True) -> None:
        self._file, self.waited, self.is_mine = -1, False, True
        try:
            import fcntl

            self._path = folder() / f"{name}.lock"
            _make(self._path.parent)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.waited, self.is_mine = True, wait
                if wait:
                    logger.info("waiting for another process, which compiles %s", name, extra={"passing": True})
                    fcntl.flock(self._file, fcntl.LOCK_EX)
        except (ImportError, OSError):
            self.release()

    def release(self) -> None:
        """Let others have it."""
        if self._file >= 0:
            if self.is_mine:
                with suppress(OSError):
                    self._path.unlink()
            os.close(self._file)
            self._file = -1
