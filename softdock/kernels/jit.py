"""Numba's decorators, with softdock's cache in place of Numba's. Compiled functions take them from here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import ccallback, sigutils

from softdock.kernels.loop_cache import LoopCache

__all__ = ["cfunc", "njit"]

Function = Callable[..., Any]
_normalized: Any = sigutils.normalize_signature


def njit(function: Function | None = None, *, cache: bool = False, **options: Any) -> Any:
    """Numba's, with softdock's cache."""

    def decorated(function: Function) -> Any:
        compiled: Any = numba.njit(**options)(function)
        if cache:
            compiled._cache = LoopCache(function)
        return compiled

    return decorated if function is None else decorated(function)


def cfunc(signature: Any, *, cache: bool = False, **options: Any) -> Callable[[Function], Any]:
    """Numba's, with softdock's cache."""

    def decorated(function: Function) -> Any:
        compiled: Any = ccallback.CFunc(function, _normalized(signature), locals={}, options=options)
        if cache:
            compiled._cache = LoopCache(function)
        compiled.compile()
        return compiled

    return decorated
