"""CasADi functions as machine code: translated, compiled once per machine, callable from Numba."""

import contextlib
import os
from pathlib import Path

from numba.core import config

from softdock.kernels.cache import drivers
from softdock.kernels.call import call
from softdock.kernels.direct import direct
from softdock.kernels.library import Library, load
from softdock.kernels.loop import CompiledLoop, enter, enter_request, loop
from softdock.kernels.struct import Struct, record

__all__ = [
    "CompiledLoop", "Library", "Struct", "call", "direct", "enter", "enter_request", "load", "loop", "record",
]  # fmt: skip

if "NUMBA_CACHE_DIR" not in os.environ:
    with contextlib.suppress(OSError):
        config.CACHE_DIR = str(drivers(Path(__file__).parents[1]))  # type: ignore[attr-defined,unused-ignore]
