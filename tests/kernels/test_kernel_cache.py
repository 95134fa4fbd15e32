"""What is kept on disk: loaded without CasADi, never trusted unchecked, never in the way."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import casadi
import pytest

from softdock.kernels import cache, library, load
from softdock.kernels.cache import CacheWarning

PROGRAM = """
import ctypes, sys
from softdock.kernels import load

def derive():
    import casadi
    q = casadi.SX.sym("q", 1)
    return {"half": casadi.Function("half", [q], [q / 2]), "sine": casadi.Function("sine", [q], [casadi.sin(q)])}

kernels = load("halves", derive, announce=print)
q, out = (ctypes.c_double * 1)(3.0), (ctypes.c_double * 1)()
ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(kernels.address("half"))(q, q, q, q, out)
print(kernels.names, out[0], "casadi" in sys.modules)
"""


def half() -> Mapping[str, casadi.Function]:
    q = casadi.SX.sym("q", 1)
    return {"half": casadi.Function("half", [q], [q / 2])}


def never() -> Mapping[str, casadi.Function]:
    raise AssertionError("derived although stored")


def start(place: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "SOFTDOCK_CACHE": str(place)}
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> list[str]:
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    return out.splitlines()


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be as a new process is."""
    monkeypatch.setattr(library, "_loaded", {})


def stored(place: Path) -> Path:
    (path,) = place.glob("*.o")  # beside the folder of compiled loops
    return path


def test_second_process_neither_derives_nor_imports_casadi(cache_place: Path) -> None:
    first, second = finish(start(cache_place)), finish(start(cache_place))
    assert first[0].startswith("compiling")
    assert first[1] == "('half', 'sine') 1.5 True"
    assert second == ["('half', 'sine') 1.5 False"]


def test_processes_that_race_both_succeed(cache_place: Path) -> None:
    rivals = [start(cache_place) for _ in range(2)]
    assert [finish(rival)[-1].split()[2] for rival in rivals] == ["1.5", "1.5"]
    assert stored(cache_place).suffix == ".o"


def test_same_structure_is_loaded_once_per_process(cache_place: Path) -> None:
    assert load("s", half) is load("s", never)


def test_unknown_kernel_is_an_error_that_lists_the_known(cache_place: Path) -> None:
    with pytest.raises(KeyError, match="no kernel 'third'; there are half"):
        load("s", half).address("third")


def truncate(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip(content: bytes) -> bytes:
    return content[:-100] + bytes([content[-100] ^ 1]) + content[-99:]


def empty(content: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [truncate, flip, empty])
def test_damaged_file_is_replaced_with_a_warning(
    cache_place: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytes], bytes]
) -> None:
    load("s", half)
    path = stored(cache_place)
    intact = path.read_bytes()
    path.write_bytes(damage(intact))
    forget(monkeypatch)
    with pytest.warns(CacheWarning, match="damaged") as caught:
        assert load("s", half).address("half")
    assert len(caught) == 1
    assert stored(cache_place).read_bytes() == intact
    forget(monkeypatch)
    assert load("s", never).address("half")


def test_unwritable_place_costs_one_warning(cache_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_place.write_text("a file where the directory should be")
    monkeypatch.setattr(cache, "_unwritable", set())
    with pytest.warns(CacheWarning, match="cannot be written") as caught:
        assert load("s", half).address("half")
        forget(monkeypatch)
        assert load("s", half).address("half")
    assert len(caught) == 1


def test_full_disk_leaves_nothing_behind(cache_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(cache, "_unwritable", set())
    with pytest.warns(CacheWarning, match="No space left"):
        assert load("s", half).address("half")
    assert list(cache_place.iterdir()) == []


def test_what_the_kernels_depend_on_is_in_the_key(
    cache_place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source.py"
    source.write_text("x = 1")
    other = tmp_path / "other" / "source.py"
    other.parent.mkdir()
    other.write_text("x = 1")
    load("s", half, sources=[source])
    assert load("s", never, sources=[other]).names == ("half",)  # the content counts, not where it is installed
    load("t", half, sources=[source])
    source.write_text("x = 2")
    library._code.cache_clear()  # a process reads its sources once; this is the next
    load("s", half, sources=[source])
    load("s", half)
    monkeypatch.setattr("softdock.kernels.machine.host", lambda: "another processor")
    load("s", half)
    assert len(list(cache_place.iterdir())) == 5


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "there/softdock"),
        ("linux", None, "home/.cache/softdock"),
        ("darwin", None, "home/Library/Caches/softdock"),
        ("win32", "LOCALAPPDATA", "there/softdock/cache"),
    ],
)
def test_directory_is_the_platforms(
    monkeypatch: pytest.MonkeyPatch, platform: str, variable: str | None, expected: str
) -> None:
    for name in ("SOFTDOCK_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "there")
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache.directory() == Path(expected)


def test_no_home_is_no_error(cache_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("SOFTDOCK_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setattr(cache, "_unwritable", set())
    with pytest.warns(CacheWarning, match="set SOFTDOCK_CACHE"):
        assert load("s", half).address("half")
