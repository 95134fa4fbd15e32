"""CasADi functions as machine code: translated, compiled once per machine, callable from Numba."""

import contextlib
import os
from pathlib import Path

from numba.core import config

from softdock.kernels.cache import drivers
from softdock.kernels.call import call
from softdock.kernels.direct import direct
from softdock.kernels.library import Library, load
from softdock.kernels.loop import Entry, enter, enter_task, loop
from softdock.kernels.room import Room

__all__ = ["Entry", "Library", "Room", "call", "direct", "enter", "enter_task", "load", "loop"]

if "NUMBA_CACHE_DIR" not in os.environ:
    with contextlib.suppress(OSError):
        config.CACHE_DIR = str(drivers(Path(__file__).parents[1]))  # type: ignore[attr-defined,unused-ignore]
