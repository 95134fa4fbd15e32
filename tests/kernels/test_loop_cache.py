"""Compiled loops are never older than what they are compiled from."""

import os
import pickle
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import softdock
from softdock.kernels import cache, loop_cache
from softdock.kernels.jit import njit

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

    def answer() -> float:
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return float(run.stdout)

    assert answer() == 3.0
    tree = copy / "mechanics" / "tree.py"
    tree.write_text(tree.read_text().replace("WORLD_LINK = -1", "WORLD_LINK = 0"))
    assert answer() == 0.0


def test_every_compiled_function_is_kept_in_softdocks_own_folder() -> None:
    """Numba's own cache unpickles what it finds: decorators come from kernels/jit.py, whose cache looks first."""
    for path in PACKAGE.rglob("*.py"):
        if path.name != "jit.py":
            taken = re.findall(r"from numba import ([^\n#]*)", path.read_text(encoding="utf-8"))
            assert not {"njit", "jit", "cfunc"} & set(re.findall(r"\w+", " ".join(taken))), path


def test_what_extends_the_compiler_is_part_of_every_key() -> None:
    """fingerprint.py sees what `overload` and `intrinsic` put in; all else must be in a module of `_WRITERS`."""
    for path in PACKAGE.rglob("*.py"):
        (taken,) = re.findall(r"from numba.extending import (\w+|\([^)]*\))", path.read_text()) or [""]
        if not (path.parent.name == "kernels" and path.stem in loop_cache._WRITERS):
            assert set(re.findall(r"\w+", taken)) <= {"intrinsic", "overload"}, path


def test_nothing_is_cached_beside_the_sources(tmp_path: Path) -> None:
    copied(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "SOFTDOCK_CACHE": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", SCRIPT], env=environment, cwd=tmp_path, check=True, capture_output=True)
    assert not list((tmp_path / "softdock").rglob("*.nbi"))
    assert list((tmp_path / "cache").rglob("*.loop"))


class Planted:
    """What a pickle may do: anything."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.mark}",)


def double(x: int) -> int:
    return 2 * x


def hits(capture: list[str]) -> int:
    """How often `double` comes from the cache of what is as a new process; what is said goes to `capture`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled = njit(cache=True)(double)
        assert compiled(3) == 6
    capture[:] = [str(warning.message) for warning in caught]
    return sum(compiled.stats.cache_hits.values())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_stand_ins", {})
    return tmp_path / "cache"


def only_loop(place: Path) -> Path:
    (path,) = place.glob("loops/*.loop")
    return path


def test_no_loop_is_unpickled_that_was_not_written_by_softdock(place: Path) -> None:
    said: list[str] = []
    assert [hits(said), hits(said)] == [0, 1]
    path, mark = only_loop(place), place.parent / "mark"
    planted, intact = pickle.dumps(Planted(mark)), path.read_bytes()
    flipped = [intact[:k] + bytes([intact[k] ^ 16]) + intact[k + 1 :] for k in (0, 5, 60, 90, len(intact) // 2)]
    head, _, _ = intact.partition(b"\n")
    for damaged in (*flipped, intact[:-1], intact[:50], b"", planted, head + b"\n" + planted):
        path.write_bytes(damaged)
        assert hits(said) == 0
        assert said == [f"cache file {path} is damaged: compiling anew"]
        assert hits(said) == 1
        assert not mark.exists()


def test_an_intact_file_under_another_name_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "cache"))
    cache.write("a.loop", b"content")
    (tmp_path / "cache" / "a.loop").rename(tmp_path / "cache" / "b.loop")
    with pytest.warns(cache.CacheWarning, match="is damaged"):
        assert cache.read("b.loop") is None
    assert not (tmp_path / "cache" / "b.loop").exists()


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o777])
def test_the_cache_is_made_for_its_user_alone_whatever_the_umask(place: Path, umask: int) -> None:
    said: list[str] = []
    before = os.umask(umask)
    try:
        assert [hits(said), hits(said)] == [0, 1]
    finally:
        os.umask(before)
    made = [place, *place.rglob("*")]
    assert [oct(path.stat().st_mode & 0o777) for path in made] == ["0o700", "0o700", "0o600"]
    assert said == []


def test_a_folder_that_others_may_write_is_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    hits(said)
    for mode in (0o770, 0o707, 0o777):
        monkeypatch.setattr(cache, "_stand_ins", {})
        place.chmod(mode)
        assert hits(said) == 0
        (told,) = said
        assert told.startswith(f"cache folder {place} may be written by others: not used;")
        assert hits(said) == 1  # from the private folder of this run
        assert said == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give a folder to another user")
def test_what_belongs_to_another_user_is_not_used(place: Path) -> None:
    said: list[str] = []
    hits(said)
    path = only_loop(place)
    os.chown(path, 12345, -1)
    assert hits(said) == 0
    assert said == [f"cache file {path} belongs to another user: compiling anew"]
    os.chown(place, 12345, -1)
    assert hits(said) == 0
    (told,) = said
    assert told.startswith(f"cache folder {place} belongs to another user: not used;")


def test_links_pipes_folders_and_files_that_others_may_write_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "cache"))
    path, elsewhere = tmp_path / "cache" / "a.loop", tmp_path / "elsewhere"
    cache.write("a.loop", b"content")
    path.rename(elsewhere)

    def put_open() -> None:
        path.write_bytes(elsewhere.read_bytes())
        path.chmod(0o666)

    ways = [(lambda: path.symlink_to(elsewhere), "is a link"), (lambda: os.mkfifo(path), "is no file"),
            (put_open, "may be written by others")]  # fmt: skip
    for plant, reason in ways:
        plant()
        with pytest.warns(cache.CacheWarning, match=reason):
            assert cache.read("a.loop") is None
        assert not path.exists()
        assert elsewhere.exists()
    path.mkdir()
    assert cache.read("a.loop") is None
    with pytest.warns(cache.CacheWarning, match="cannot be written"):
        cache.write("a.loop", b"content")
