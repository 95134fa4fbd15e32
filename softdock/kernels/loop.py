"""Compiled loops over kernels and rooms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def loop(function: Callable[..., Any]) -> Any:
    """`njit` without reference counts: a loop's arrays outlive it. It may not make any, nor may what it calls, except
    through a function marked `makes_arrays`."""
    return njit(cache=True, nogil=True, _nrt=False)(function)  # type: ignore[call-overload]


def makes_arrays(function: Callable[..., Any]) -> Any:
    """`njit` with reference counts, also when it is called from a loop."""
    return njit(cache=True, nogil=True, _nrt=True)(function)  # type: ignore[call-overload]
