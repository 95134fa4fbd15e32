"""Figures drawn by a process of its own (figures/apart.py), started with the command: it is ready when the run is.

Nothing heavy is loaded here: the `softdock` command comes here first.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, Self

_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from softdock.figures.apart import main; main()"


def is_of_use() -> bool:
    """Not on one core, nor where Matplotlib is loaded already."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1 and "matplotlib.figure" not in sys.modules


def start(arguments: list[str]) -> None:
    """Begin before the command line is read, which takes a while, if it looks like a run with figures."""
    if arguments[:1] == ["run"] and not {"--no-figures", "--help"} & {*arguments} and is_of_use():
        _early.append(Artist())


def ready() -> "Artist":
    """The one that began early, or a new one."""
    return _early.pop() if _early else Artist()


class Artist:
    """Draws figures of softdock's own; those of others, and all that it could not draw, are left to who asked.

    It does not hear the terminal's Ctrl-C, and ends with whoever started it: then its input ends.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError, ValueError):
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def begin(self, path: str | Path, drawings: Mapping[str, Callable[..., Any]]) -> None:
        """Draw these of a recorded run."""
        figures = [
            (name, make.__module__, make.__name__)
            for name, make in drawings.items()
            if isinstance(make, FunctionType)
            and make.__module__.startswith("softdock.")
            and make.__name__ == make.__qualname__
        ]
        if self._process and self._process.stdin:
            with suppress(OSError):
                self._process.stdin.write(f"{json.dumps((str(path), figures))}\n".encode())
                self._process.stdin.close()

    def drawn(self) -> set[str]:
        """Names of those that it has drawn, once it has ended."""
        if not (self._process and self._process.stdout):
            return set()
        return {json.loads(line) for line in self._process.stdout if line.endswith(b"\n")}


_early: list[Artist] = []
