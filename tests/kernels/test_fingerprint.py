"""A stored loop is used if and only if nothing that was compiled into it has changed.

A small package is changed in one place after another; each time a new process computes with it, and says which
functions it had to compile. The answers to be expected are those of Python.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from softdock.kernels.fingerprint import fingerprint

PARTS = {
    "numbers.py": "FACTOR = 2.0\n",
    "middle.py": """
from small.numbers import FACTOR
from softdock.kernels.jit import njit

@njit
def scaled(x):
    return FACTOR * x

@njit(fastmath=False)
def cancelled(x, y):
    return (x + y) - x

@njit(cache=True, apart=True)
def far(x):
    return 2.0 * x
""",
    "layout.py": """
from typing import NamedTuple
import numpy as np

class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray

RECORD = np.dtype([("low", "f8"), ("high", "f8")])
TABLE = np.array([1.0, 10.0])
""",
    "three.py": """
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

def _value():
    return 3.0

def _three(typing):
    def generate(context, builder, signature, values):
        return ir.Constant(ir.DoubleType(), _value())
    return types.float64(), generate

three = intrinsic(_three)

def doubled(x):
    return 2.0 * x

@overload(doubled)
def _doubled(x):
    return lambda x: 2.0 * x
""",
    "entries.py": """
from small.layout import TABLE
from small.middle import cancelled, far, scaled
from small.three import doubled, three
from softdock.kernels.jit import njit

@njit(cache=True)
def constant(x):
    return scaled(x)

@njit(cache=True)
def option(x, y):
    return cancelled(x, y)

@njit(cache=True)
def apart(x):
    return far(x) + 1

@njit(cache=True)
def of_struct(pair):
    return 10.0 * pair.second[0] + pair.first[0]

@njit(cache=True)
def of_tuple(pair):
    return 10.0 * pair.second[0] + pair.first[0]

@njit(cache=True)
def of_record(rows):
    return 10.0 * rows[0].high + rows[0].low

@njit(cache=True)
def of_table(i):
    return TABLE[i]

@njit(cache=True)
def inside(x):
    return three() * x

@njit(cache=True)
def overloaded(x):
    return doubled(x)
""",
}
PROGRAM = """
import numpy as np
from softdock.kernels import Struct
from small import entries
from small.layout import Pair, RECORD
pair = Pair(first=np.ones(1), second=np.full(1, 2.0))
rows = np.zeros(1, RECORD)
rows["low"], rows["high"] = 1.0, 2.0
given = {"constant": (1.0,), "option": (1e16, 1.0), "apart": (1.5,), "of_struct": (Struct(pair),), "of_tuple": (pair,),
         "of_record": (rows,), "of_table": (1,), "inside": (1.0,), "overloaded": (1.0,)}
for name, arguments in given.items():
    function = getattr(entries, name)
    print(name, float(function(*arguments)), sum(function.stats.cache_misses.values()))
"""
ANSWERS = {
    "constant": 2.0, "option": 0.0, "apart": 4.0, "of_struct": 21.0, "of_tuple": 21.0, "of_record": 21.0,
    "of_table": 10.0, "inside": 3.0, "overloaded": 2.0,
}  # fmt: skip
CHANGES: list[list[tuple[str, str, str, dict[str, float]]]] = [
    [
        ("numbers.py", "FACTOR = 2.0", "# more\nFACTOR = 3.0", {"constant": 3.0}),
        ("layout.py", "    first: np.ndarray\n    second: np.ndarray", "    second: np.ndarray\n    first: np.ndarray",
         {"of_struct": 21.0, "of_tuple": 21.0}),
        ("three.py", "return 3.0", "return 4.0", {"inside": 4.0}),
    ],
    [
        ("middle.py", "fastmath=False", "fastmath=True", {"option": 1.0}),
        ("layout.py", '("low", "f8"), ("high", "f8")', '("high", "f8"), ("low", "f8")', {"of_record": 21.0}),
        ("three.py", "lambda x: 2.0 * x", "lambda x: 2.5 * x", {"overloaded": 2.5}),
    ],
    [
        ("layout.py", "[1.0, 10.0]", "[1.0, 20.0]", {"of_table": 20.0}),
        ("middle.py", "return 2.0 * x\n", "return int(2.0 * x)\n", {"apart": 4.0}),
        ("entries.py", "\n@njit(cache=True)\ndef constant(x):\n    ",
         '\n# a comment\n\n\n@njit(cache=True)\ndef constant(x):\n    """A docstring."""\n    ', {}),
    ],
]  # fmt: skip


def computed(folder: Path) -> tuple[dict[str, float], set[str]]:
    """The answers, and what was compiled for them."""
    paths = {"SOFTDOCK_CACHE": folder / "cache", "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"}
    environment = {**os.environ, **{name: str(path) for name, path in paths.items()}, "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    lines = [line.split() for line in run.stdout.splitlines()]
    return {name: float(x) for name, x, _ in lines}, {name for name, _, missed in lines if int(missed)}


def test_what_changes_is_compiled_anew_and_nothing_else(tmp_path: Path) -> None:
    package = tmp_path / "small"
    package.mkdir()
    for name, text in {"__init__.py": "", **PARTS}.items():
        (package / name).write_text(text)
    assert computed(tmp_path) == (ANSWERS, set(ANSWERS))
    for changes in CHANGES:
        expected: dict[str, float] = {}
        for name, old, new, changed in changes:
            assert PARTS[name].count(old) == 1
            (package / name).write_text(PARTS[name].replace(old, new))
            expected |= changed
        assert computed(tmp_path) == (ANSWERS | expected, set(expected))
        for name, *_ in changes:
            (package / name).write_text(PARTS[name])
    assert computed(tmp_path) == (ANSWERS, {"apart"})  # whose stored loop was replaced


def made(text: str, **known: object) -> object:
    exec(text, known)
    return known["f"]


@pytest.mark.parametrize(
    "text", ["def f(x): return x + a", "def f(x): return (lambda: a)()", "def f(x, y=1): return a"]
)
@pytest.mark.parametrize("value", [1, 1.0, True, (1,), (1.0,), "1", b"1", None, -0.0, 0.0, frozenset({1}), [1], {1: 2}])
def test_values_of_globals_count(text: str, value: object) -> None:
    others = [x for x in (1, 1.0, True, (1,), (1.0,), "1", b"1", None, -0.0, 0.0) if repr(x) != repr(value)]
    mine = fingerprint(made(text, a=value))
    assert mine == fingerprint(made(f"# comment\n\n{text}", a=value))
    assert all(mine != fingerprint(made(text, a=other)) for other in others)


def test_functions_that_call_each_other_have_one_print_wherever_it_begins() -> None:
    def pair(number: int) -> tuple[object, object]:
        known: dict[str, object] = {"n": number}
        exec("def f(x): return g(x) + n\ndef g(x): return f(x) - n if x else 0\ndef h(x): return f(x) + g(x)", known)
        return known["f"], known["h"]

    first, again, other = pair(1), pair(1), pair(2)
    assert [*map(fingerprint, first)] == [*map(fingerprint, reversed(again))][::-1]
    assert fingerprint(first[0]) != fingerprint(other[0])
    assert fingerprint(first[1]) != fingerprint(other[1])
