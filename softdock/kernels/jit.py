"""The decorator of compiled functions. They take it from here: Numba chooses the folder of its cache when a function is
decorated, and by then it must be softdock's, whose name has a hash of the sources (`cache.drivers`)."""

import contextlib
import os
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba.core import config

from softdock.kernels.cache import drivers
from softdock.kernels.linking import Compiled, WholeCompiler

if "NUMBA_CACHE_DIR" not in os.environ:
    with contextlib.suppress(OSError):
        config.CACHE_DIR = str(drivers(Path(__file__).parents[1]))  # type: ignore[attr-defined,unused-ignore]


def njit(function: Any = None, *, cache: bool = False, **options: Any) -> Any:
    """As Numba's, but optimised once (linking.py), and division by zero is no exception."""
    if function is None:
        return partial(njit, cache=cache, **options)
    compiled = Compiled(function, targetoptions=options)
    if cache:
        compiled.enable_caching()
    return compiled


cfunc = partial(numba.cfunc, pipeline_class=WholeCompiler)
