"""Compiled loops are never older than what they are compiled from."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import softdock
from softdock.kernels.cache import drivers

PACKAGE = Path(softdock.__file__).parent
SCRIPT = """
import numpy as np
from softdock.dynamics.gaps import add_motion
from softdock.dynamics.plant import CHAIN
from softdock.kernels import Struct
from softdock.mechanics.layouts import POSES
poses = POSES.view(np.ones(12), {"links": 1})
row = np.zeros(1)
add_motion(np.array([(-1, 1, 0)], dtype=CHAIN), Struct(poses), 0, np.ones(3), np.ones(3), 1.0, row)
print(row[0])
"""
"""The motion of a slide, which is not zero unless link 0 is taken for the world."""


def copied(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "softdock", ignore=shutil.ignore_patterns("__pycache__", "bundle"))
    return tmp_path / "softdock"


def test_a_constant_of_another_package_is_compiled_anew(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "SOFTDOCK_CACHE": str(tmp_path / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)

    def answer() -> float:
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return float(run.stdout)

    assert answer() == 3.0
    tree = copy / "mechanics" / "tree.py"
    tree.write_text(tree.read_text().replace("WORLD_LINK = -1", "WORLD_LINK = 0"))
    assert answer() == 0.0


def test_what_no_loop_takes_anything_from_leaves_them_as_they_are(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    before = drivers(copy)
    for package in ("figures", "replay", "cli", "campaign"):
        for path in (copy / package).glob("*.py"):
            path.write_text(path.read_text() + "\n# changed\n")
    assert drivers(copy) == before
    for path in ("mechanics/tree.py", "planning/free_floating.py", "estimation/loops.py", "world/pose.py"):
        then = drivers(copy)
        (copy / path).write_text((copy / path).read_text() + "\n# changed\n")
        assert drivers(copy) != then, path


def test_every_compiled_function_is_kept_in_softdocks_own_folder() -> None:
    """Numba chooses a function's folder when it is decorated: decorators come from kernels/jit.py, which sets it."""
    for path in PACKAGE.rglob("*.py"):
        if path.name != "jit.py":
            taken = re.findall(r"from numba import ([^\n#]*)", path.read_text(encoding="utf-8"))
            assert not {"njit", "jit", "cfunc"} & set(re.findall(r"\w+", " ".join(taken))), path


def test_nothing_is_cached_beside_the_sources(tmp_path: Path) -> None:
    copied(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "SOFTDOCK_CACHE": str(tmp_path / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)
    subprocess.run([sys.executable, "-c", SCRIPT], env=environment, cwd=tmp_path, check=True, capture_output=True)
    assert not list((tmp_path / "softdock").rglob("*.nbi"))
    assert list((tmp_path / "cache").rglob("*.nbi"))
