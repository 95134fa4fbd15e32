"""Compiled functions are optimised once, as they say and whoever calls them first; those apart are found by name."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from softdock.kernels import linking
from softdock.kernels.jit import njit


@njit
def rounded(x, y):
    return (x + y) - x


@njit(fastmath=True)
def in_fast_arithmetic(x, y):
    return rounded(x, y)


@njit(forceinline=True)
def within(x, y):
    return rounded(x, y)


@njit
def twice(x, y):
    return within(x, y) + in_fast_arithmetic(x, y)


def test_options_do_not_pass_to_what_is_called():
    """Numba's own would take x + y − x for y in `rounded`, if `in_fast_arithmetic` is compiled first."""
    assert in_fast_arithmetic(1e16, 1.0) == 0.0
    assert rounded.callee._known[True][(numba.float64, numba.float64)].fndesc.inline is False


def test_all_that_a_function_calls_is_optimised_once(monkeypatch: pytest.MonkeyPatch):
    made = []
    finalize = linking.Whole.finalize
    monkeypatch.setattr(linking.Whole, "finalize", lambda self: (made.append(self.name), finalize(self)))
    assert twice(1e16, 1.0) == 0.0
    assert made == ["twice"]
    (whole,) = (result.library for result in twice.overloads.values())
    names = [function.name for function in whole.get_defined_functions() if "rounded" in function.name]
    assert all(whole._final_module.get_function(name).linkage.name == "internal" for name in names)


def test_division_by_zero_is_no_exception():
    @njit
    def ratio(x, y):
        return x / y

    assert ratio(1.0, 0.0) == np.inf


def test_numbas_own_functions_may_call_them():
    @numba.njit
    def outside(x):
        return twice(x, 1.0)

    assert outside(1e16) == 0.0


MODULE = """
import numpy as np
from softdock.kernels.jit import njit

@njit(cache=True, apart=True)
def ramp(x, n):
    if n < 0:
        raise ValueError("negative")
    out = np.empty(n)
    for i in range(n):
        out[i] = i * x
    return out

@njit(cache=True)
def between(x, n):
    return ramp(x, n)

@njit(cache=True)
def total(x, n):
    return between(x, n).sum() + ramp(x, 2)[1]

@njit(cache=True)
def last(x, n):
    return ramp(x, n)[n - 1]
"""
PROGRAM = """
import sys
from numba.core import event
from ramps import last, ramp, total
with event.install_recorder("numba:compile") as recorder:
    print(total(2.0, 4), ramp(3.0, 2).tolist() if sys.argv[1:] else last(2.0, 4))
    try:
        total(1.0, -1)
    except ValueError as error:
        print(error)
print(sum(e.is_start for _, e in recorder.buffer))
"""


def run(folder: Path, *arguments: str) -> list[str]:
    paths = {"SOFTDOCK_CACHE": folder / "cache", "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"}
    environment = {**os.environ, **{name: str(path) for name, path in paths.items()}}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-W", "error", "-c", PROGRAM, *arguments]
    made = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stderr
    return made.stdout.splitlines()


def test_code_apart_is_found_by_name_in_every_process(tmp_path: Path):
    (tmp_path / "ramps.py").write_text(MODULE)
    first = run(tmp_path)
    assert first[:2] == ["14.0 6.0", "negative"] and int(first[2]) > 0
    assert run(tmp_path) == ["14.0 6.0", "negative", "0"]
    for path in tmp_path.rglob("*apart.*"):
        path.unlink()
    assert run(tmp_path)[:2] == ["14.0 6.0", "negative"]  # compiled again, under the same name
    for path in tmp_path.rglob("*total*"):
        path.unlink()
    assert run(tmp_path, "from Python too")[:2] == ["14.0 [0.0, 3.0]", "negative"]


def test_numbas_own_functions_do_not_know_code_apart():
    @njit(apart=True)
    def far(x):
        return 2.0 * x

    @njit
    def near(x):
        return far(x)

    @numba.njit
    def outside(x):
        return near(x)

    assert near(2.0) == 4.0
    with pytest.raises(RuntimeError, match=r"near calls .*far: decorate its caller with softdock's own njit"):
        outside(2.0)


INTERRUPTED = """
import gc, os, signal, sys
import llvmlite.binding as llvm
from softdock.kernels.jit import njit

@njit
def half(x):
    return x / 2

@njit
def answer(x):
    return half(x) + 1.0

left, taken, detach = [{which}], [], llvm.ModuleRef.detach

def interrupted(module):
    if sys._getframe(1).f_code.co_name == "link_modules":
        left[0] -= 1
        if left[0] == 0:
            taken.append(module)
            os.kill(os.getpid(), signal.SIGINT)
    detach(module)

llvm.ModuleRef.detach = interrupted
try:
    answer(4.0)
    print("not interrupted")
except KeyboardInterrupt:
    assert taken[0].closed
    gc.collect()
    print(answer(4.0))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot wait on this platform")
@pytest.mark.parametrize("which", [2, 3, 4])  # the first is of Numba's own
def test_after_ctrl_c_while_compiling_the_same_process_goes_on(which: int):
    """One module takes another's content, and is to free it: Ctrl-C in between let both free it, which ended Python."""
    program = [sys.executable, "-c", INTERRUPTED.format(which=which)]
    done = subprocess.run(program, check=False, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "3.0", done.stderr


@pytest.mark.parametrize("stage", ["finalize", "_optimize_final_module", "_finalize_final_module"])
def test_what_was_interrupted_is_compiled_anew(monkeypatch: pytest.MonkeyPatch, stage: str):
    @njit
    def answer(x):
        return x + 1.0

    def interrupted(self):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(linking.Whole, stage, interrupted)
        answer(1.0)
    assert answer(1.0) == 2.0
