"""Numba's decorators. Compiled functions take them from here: Numba chooses the folder of its cache when a function is
decorated, and by then it must be softdock's, whose name has a hash of the sources (`cache.drivers`)."""

import contextlib
import os
from pathlib import Path

from numba import cfunc, njit
from numba.core import config

from softdock.kernels.cache import drivers

__all__ = ["cfunc", "njit"]

if "NUMBA_CACHE_DIR" not in os.environ:
    with contextlib.suppress(OSError):
        config.CACHE_DIR = str(drivers(Path(__file__).parents[1]))  # type: ignore[attr-defined,unused-ignore]
