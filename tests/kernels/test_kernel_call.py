"""A Numba driver over kernels: compiled once, cached by Numba, used with any kernel in any process."""

import os
import subprocess
import sys
from pathlib import Path

import casadi
import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from softdock.kernels import call, load

DRIVER = """
import numpy as np
from numba import njit
from softdock.kernels import call

@njit(cache=True, nogil=True)
def repeat(kernel, x, times):
    out = np.empty_like(x)
    for _ in range(times):
        call(kernel, x, x, x, x, out)
        x = out.copy()
    return x
"""
PROGRAM = """
import sys
import numpy as np
from driver import repeat
from softdock.kernels import load

factor = float(sys.argv[1])

def derive():
    import casadi
    q = casadi.SX.sym("q", 2)
    return {"scale": casadi.Function("scale", [q], [factor * q])}

kernel = load(f"scale by {factor}", derive).address("scale")
print(repeat(kernel, np.array([1.0, 2.0]), 3), sum(repeat.stats.cache_hits.values()))
"""


def run(folder: Path, factor: float) -> str:
    paths = {"SOFTDOCK_CACHE": folder / "cache", "PYTHONPATH": folder}
    environment = {**os.environ, **{name: str(path) for name, path in paths.items()}}
    command = [sys.executable, "-W", "error", "-c", PROGRAM, str(factor)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=300).stdout


def test_one_cached_driver_serves_other_kernels_in_other_processes(tmp_path: Path) -> None:
    (tmp_path / "driver.py").write_text(DRIVER)
    assert run(tmp_path, 2.0) == "[ 8. 16.] 0\n"
    assert run(tmp_path, 10.0) == "[1000. 2000.] 1\n"


def address(cache_place: Path) -> int:
    names = ("q", "v", "e", "theta")
    q, v, _, theta = inputs = [casadi.SX.sym(name, size) for name, size in zip(names, (4, 2, 0, 1), strict=True)]
    product = theta * casadi.mtimes(casadi.reshape(q, 2, 2), v)
    kernels = {"f": casadi.Function("f", inputs, [product], names, ["out"])}
    return load("product", lambda: kernels).address("f")


@njit
def driver(kernel, q, v, e, theta, out):
    call(kernel, q, v, e, theta, out)


def test_arrays_of_any_dimension_empty_and_read_only(cache_place: Path) -> None:
    q, v, out = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0]), np.zeros(2)
    v.flags.writeable = False
    driver(address(cache_place), q, v, np.zeros(0), np.array([2.0]), out)
    np.testing.assert_array_equal(out, 2 * q.T @ v)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"q": np.zeros((4, 2))[:, 0]}, "q must be a C-contiguous array of float64"),
        ({"v": np.zeros(2, dtype=np.float32)}, "v must be a C-contiguous array of float64"),
        ({"e": 1.0}, "e must be a C-contiguous array of float64"),
        ({"kernel": 0.5}, "a kernel's address is an integer"),
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, object], message: str) -> None:
    right = {"kernel": 0, "q": np.zeros(4), "v": np.zeros(2), "e": np.zeros(0), "theta": np.zeros(1)}
    with pytest.raises(TypingError, match=message):
        driver(*{**right, **wrong}.values(), np.zeros(2))


def test_output_must_be_writable() -> None:
    x, out = np.zeros(1), np.zeros(1)
    out.flags.writeable = False
    with pytest.raises(TypingError, match="out must be writable"):
        driver(0, x, x, x, x, out)
