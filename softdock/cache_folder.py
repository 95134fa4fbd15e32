"""Where softdock keeps what it can make again: one folder, files that are written whole or not at all."""

import os
import sys
import tempfile
from pathlib import Path


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


def keep(name: str, content: bytes) -> None:
    """Write a file of the folder. It appears under its name only when complete, so readers and rivals are safe."""
    place = directory()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = place / name
    handle, passing = tempfile.mkstemp(prefix=f"{path.stem[:16]}-", suffix=".tmp", dir=place)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(passing, path)
    except BaseException:
        Path(passing).unlink(missing_ok=True)
        raise
