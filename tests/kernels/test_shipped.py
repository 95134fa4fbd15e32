"""Loops that come with the package are used where all that they depend on is the same, and nowhere else; several
processes that compile into one cache share the work."""

import logging
import os
import shutil
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from softdock.cli import terminal, warmup
from softdock.kernels import aside, cache, loop_cache, machine, shipped
from softdock.kernels.jit import njit

MODULE = """
from softdock.kernels.jit import njit

@njit(cache=True)
def tripled(x):
    return {factor} * x

@njit(cache=True, apart=True)
def far(x):
    return 4 * x

@njit(cache=True)
def through(x):
    return far(x)
"""


def made(folder: Path, factor: int = 3) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "shipped_small.py").write_text(MODULE.format(factor=factor))
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)  # Python tells its files apart by whole seconds only
    sys.modules.pop("shipped_small", None)


def forget() -> None:
    """As a new process begins."""
    for known in (shipped._archive, shipped.manifest, loop_cache.made_for):
        known.cache_clear()


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Of `shipped_small`; then there is an empty cache."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "first"))
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    made(tmp_path / "modules")
    forget()
    assert [*compiled()] == ["tripled", "through", "far"]
    from softdock.cli.warmup import _loops

    loops = list(_loops())
    assert sorted(loop.function for loop in loops) == ["far", "through", "tripled"]
    names = [loop.name for loop in loops]
    shipped.pack(shipped.path(), loop_cache.made_for(), loops, {"small": names}, [tmp_path])
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "second"))
    forget()
    yield shipped.path()
    forget()


def compiled(said: list[str] | None = None) -> list[str]:
    """What is compiled when the module's functions are called, as in a new process; what is said goes to `said`."""
    sys.modules.pop("shipped_small", None)
    names: list[str] = []
    loop_cache.on_compile.append(names.append)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            import shipped_small  # type: ignore[import-not-found]

            assert shipped_small.tripled(2) in (6, 10)
            assert shipped_small.through(2) == 8
        finally:
            loop_cache.on_compile.remove(names.append)
    if said is not None:
        said[:] = [str(warning.message) for warning in caught]
    return names


def test_loops_that_come_with_the_package_are_not_compiled(archive: Path) -> None:
    assert compiled() == []
    assert not list(cache.directory().rglob("*.loop"))
    assert not list(cache.directory().rglob("*.lock"))


@pytest.mark.parametrize("change", ["Numba", "processor", "source"])
def test_those_for_other_versions_processors_and_sources_are_not_used(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if change == "Numba":
        monkeypatch.setattr(loop_cache.numba, "__version__", "0.0.1")
    if change == "processor":
        other = ("x86_64-unknown-linux-gnu", "another", "")
        monkeypatch.setattr(machine, "common", lambda: other)
    if change == "source":
        made(tmp_path / "modules", factor=5)
    loop_cache.made_for.cache_clear()
    said = ["something"]
    assert compiled(said) == (["tripled"] if change == "source" else ["tripled", "through", "far"])
    assert said == []


def test_that_those_of_other_sources_are_not_used_is_said_once(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(aside, "start_when_needed", lambda scenario: None)
    monkeypatch.setattr(loop_cache, "on_compile", [])
    heard, logger = list[str](), logging.getLogger("softdock")
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", lambda record: heard.append(record.getMessage()))
    monkeypatch.setattr(logger, "handlers", [handler])  # others' may be there twice
    made(tmp_path / "modules", factor=5)
    with caplog.at_level(logging.INFO, "softdock"), terminal.compiling("small"):
        assert compiled() == ["tripled"]
    assert heard == [
        "compiling loops (once; kept for later runs)",
        "those that come with softdock are of other sources",
    ]


def test_loops_are_made_for_a_level_that_this_processor_has() -> None:
    _, processor, features = machine.common()
    assert (processor == machine.LEVEL) == (features == "")


def test_an_archive_that_is_cut_off_or_changed_is_not_used(archive: Path) -> None:
    whole = archive.read_bytes()
    loop = shipped.manifest().loops  # type: ignore[union-attr]
    entry = next(name for name in loop if "tripled" in name)
    info = shipped._archive(archive).getinfo(entry)  # type: ignore[union-attr]
    middle = info.header_offset + 30 + len(entry) + info.compress_size // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 16]) + whole[middle + 1 :]
    # an error of zlib's own, when it is read
    begin = middle - info.compress_size // 2
    undone = whole[:begin] + bytes([0xFF] * info.compress_size) + whole[begin + info.compress_size :]
    for damaged, expected in ((whole[: len(whole) // 2], 3), (b"", 3), (flipped, 1), (undone, 1)):
        archive.write_bytes(damaged)
        for file in cache.directory().rglob("*.*"):
            file.unlink()
        forget()
        said: list[str] = []
        assert len(compiled(said)) == expected
        (told,) = said
        assert told.endswith("compiling anew")


def test_what_was_packed_differently_is_not_used(archive: Path) -> None:
    """An entry under another's name, intact for the archive's own checksum."""
    manifest = shipped.manifest()
    assert manifest
    one, other = sorted(name for name in manifest.loops if name.endswith(".loop"))
    with zipfile.ZipFile(archive) as whole:
        content = {name: whole.read(name) for name in whole.namelist()}
    with zipfile.ZipFile(archive, "w") as changed:
        for name, data in (content | {one: content[other]}).items():
            changed.writestr(name, data)
    forget()
    said: list[str] = []
    assert len(compiled(said)) == 1
    assert said == [f"{one} of {archive} is not what was packed: compiling anew"]


def test_where_sources_were_is_not_packed(archive: Path) -> None:
    manifest = shipped.manifest()
    assert manifest
    (name, loop), *_ = manifest.loops.items()
    cache.write(name, b"raised in /some/place/numba.py, /some/place/in/it.py")
    shipped.pack(archive, "", [loop], {}, [Path("/some/place"), Path("/some/place/in")])
    (cache.folder() / name).unlink()
    forget()
    assert cache.read(name) == b"raised in ////////////numba.py, ///////////////it.py"


def test_a_second_process_compiles_what_the_list_names_and_nothing_of_other_sources(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_cache.numba, "__version__", "0.0.1")  # the code is not for this one, the list is
    loop_cache.made_for.cache_clear()
    made(tmp_path / "modules", factor=5)
    aside.main("small", os.getppid() + 1)  # whose parent is gone
    assert not list(cache.directory().rglob("*.*"))
    aside.main("small", os.getppid())
    stored = sorted(file.name.partition("-")[0] for file in cache.directory().rglob("*.*"))
    assert stored == ["far", "through"]  # "tripled" has changed
    assert compiled() == ["tripled"]


PROGRAM = """
from shipped_small import through, tripled
through(2), tripled(2)
print(sum(f.stats.cache_misses.total() for f in (through, tripled)))
"""


def test_processes_that_compile_into_one_cache_share_the_work(tmp_path: Path) -> None:
    made(tmp_path)
    paths = {"SOFTDOCK_CACHE": tmp_path / "cache", "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    environment = {**os.environ, **{name: str(path) for name, path in paths.items()}}
    command = [sys.executable, "-c", PROGRAM]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sum(int(process.communicate(timeout=300)[0]) for process in both) == 2
    assert {file.suffix for file in (tmp_path / "cache" / "loops").iterdir()} == {".loop", ".apart"}


def test_what_cannot_be_compiled_keeps_no_one_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "cache"))

    @njit(cache=True)
    def wrong(x):
        return x.no_such_thing

    for _ in range(2):
        with pytest.raises(Exception, match="no_such_thing"):
            wrong(1.0)
    assert loop_cache.under_way == []
    assert not list((tmp_path / "cache").rglob("*.*"))


def test_two_warmups_of_one_cache_work_side_by_side_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(warmup, "taken_by", lambda command: ["a loop"])
    other = cache.Claim("warmup")
    assert warmup.warm(["free-flyer"]) == {"free-flyer": ["a loop"]}
    told = capsys.readouterr().err
    assert told.count("side by side") == 1
    other.release()
    warmup.warm(["free-flyer"])
    assert "side by side" not in capsys.readouterr().err
    assert not list((tmp_path / "cache").glob("*.lock"))


def test_an_interrupted_warmup_leaves_a_usable_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored before is taken, of what was under way no lock and no part stays in the way."""
    made(tmp_path)
    paths = {"SOFTDOCK_CACHE": tmp_path / "cache", "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    for name, path in paths.items():
        monkeypatch.setenv(name, str(path))
    child = "from shipped_small import through, tripled; tripled(2); print('stored', flush=True); "
    child += "from softdock.kernels import cache; kept = cache.Claim('loops/other'); import time; time.sleep(60)"
    monkeypatch.setattr(warmup, "_CHILD", child)

    def interrupt(*_: object) -> None:
        files = tmp_path / "cache" / "loops"
        while not (files / "other.lock").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(warmup, "ThreadPoolExecutor", lambda count: _Interrupted(count, interrupt))
    with pytest.raises(KeyboardInterrupt):
        warmup.warm(["free-flyer"])
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=60, check=True)
    assert (int(done.stdout), done.stderr) == (1, "")  # `tripled` was stored
    waited = cache.Claim("loops/other", wait=False)
    assert waited.is_mine
    waited.release()


class _Interrupted(ThreadPoolExecutor):
    """A pool for whose results Ctrl-C does not let one wait."""

    def __init__(self, count: int, interrupt: Callable[[], None]) -> None:
        super().__init__(count)
        self._interrupt = interrupt

    def map(self, *arguments: Any, **named: Any) -> Any:
        super().map(*arguments, **named)
        self._interrupt()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are no forks here")
def test_a_fork_reads_the_archive_through_a_file_of_its_own(archive: Path) -> None:
    """Forks share the place in an open file: one would read where the other is."""
    mine = shipped._archive(archive, os.getpid())
    child = os.fork()
    if child == 0:
        os._exit(shipped._archive(archive, os.getpid()) is mine)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and mine is not None
