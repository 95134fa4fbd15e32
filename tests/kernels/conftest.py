"""Kernels compiled for one test, called through ctypes; and a cache of the test's own."""

import ctypes
from collections.abc import Callable
from pathlib import Path

import casadi
import numpy as np
import pytest

from softdock.kernels import library
from softdock.kernels.lanes import ONE, Kind
from softdock.kernels.machine import object_code
from softdock.kernels.translate import ARGUMENTS, module_of

Kernel = Callable[..., np.ndarray]


def _compiled(function: casadi.Function, kind: Kind = ONE) -> Kernel:
    """`function` as machine code: takes its inputs as arrays, in (q, v, e, theta) order, and returns its output."""
    kernels = library.Library(library.Compiled(("f",), object_code(module_of({"f": function}, kind))))
    symbol = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(kernels.address("f"))
    size = kind.lanes * function.numel_out(0)

    def run(*inputs: np.ndarray) -> np.ndarray:
        assert kernels.names == ("f",)  # and keeps the machine code alive
        arrays = [np.array(x, dtype=float) for x in inputs]
        arrays += [np.zeros(1)] * (len(ARGUMENTS) - len(arrays))
        out = np.full(size, np.nan)
        symbol(*(array.ctypes.data for array in (*arrays, out)))
        return out

    return run


@pytest.fixture(scope="session")
def compiled() -> Callable[[casadi.Function], Kernel]:
    return _compiled


@pytest.fixture
def cache_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory, and a process that has loaded nothing yet."""
    place = tmp_path / "cache"
    monkeypatch.setenv("SOFTDOCK_CACHE", str(place))
    monkeypatch.setattr(library, "_loaded", {})
    return place
