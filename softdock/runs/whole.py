"""Files that are written whole or not at all, never through a link."""

import errno
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def write_whole(path: Path, write: Callable[[Path], Any], *, flush: bool = False) -> None:
    """Let `write` fill a new file of another name, then rename it: readers see the old file or the new one, and a link
    at `path` is replaced, not followed. OSError if the disk fails; nothing is left then."""
    temporary = path.with_name(f".{path.name[:40]}-{secrets.token_hex(8)}.tmp")
    os.close(os.open(temporary, _NEW, 0o666))
    try:
        write(temporary)
        if flush:
            flush_to_disk(temporary)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def inner_folder(folder: Path, *names: str) -> Path:
    """A folder within `folder`, made if it is missing; OSError if there is a link on the way, which would lead out."""
    for name in names:
        folder = folder / name
        if folder.is_symlink():
            raise OSError(errno.ELOOP, f"{name} is a link, and nothing is written through links")
        folder.mkdir(exist_ok=True)
    return folder


def flush_to_disk(path: Path) -> None:
    """Return when a file's content, or a folder's list of files, would survive a loss of power."""
    if path.is_dir() and os.name == "nt":
        return  # Windows has no such call for folders
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
