"""Runs as processes: Ctrl-C, kill, a disk that fills, a damaged kernel cache, start-up."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from softdock.kernels.cache import directory
from softdock.kernels.loop_cache import FOLDER
from softdock.runs.recording import read_run

FOREVER = ("--set", "run.duration=1e6", "--set", "run.record_every=20", "--no-figures")


def start(*words: object, **options: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "softdock", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload,no-any-return]


def wait_for_parts(out: Path, process: "subprocess.Popen[str]", parts: int = 1) -> None:
    deadline = time.monotonic() + 300
    while len(list(out.glob("parts/ledger-*.parquet"))) < parts:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("signals", [(signal.SIGINT,), (signal.SIGTERM,), (signal.SIGINT,) * 3])
def test_ctrl_c_closes_the_recording_and_says_where_it_is(
    tiny: Path, tmp_path: Path, signals: tuple[signal.Signals, ...]
) -> None:
    out = tmp_path / "out"
    process = start("run", tiny, *FOREVER, "--json", "--out", out)
    wait_for_parts(out, process)
    for number in signals:
        process.send_signal(number)
    printed, error = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "interrupted at t = " in error
    assert str(out) in error
    assert "Traceback" not in error
    assert json.loads(printed)["status"] == "interrupted"
    run = read_run(out)
    assert (out / "states.parquet").exists()
    assert not (out / "parts").exists()
    assert run.states["t"][-1] == pytest.approx(run.metrics["time"], abs=0.2)


def test_kill_leaves_readable_parts(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = start("run", tiny, *FOREVER, "--out", out)
    wait_for_parts(out, process, parts=2)
    process.kill()
    process.communicate(timeout=300)
    run = read_run(out)
    assert len(run.states["t"]) > 100
    assert run.scenario["world"]["name"] == "tiny"
    assert "status" not in run.metrics


def test_a_disk_that_fills_midway_ends_the_run_with_what_is_saved(tiny: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: writing fails at once, and again when merging."""
    out = tmp_path / "out"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    process = start("run", tiny, *FOREVER, "--set", "run.record_every=2", "--out", out, preexec_fn=limit)
    _, error = process.communicate(timeout=300)
    assert process.returncode == 1
    assert f"{out}: cannot be written any more" in error
    assert "Traceback" not in error
    assert read_run(out).scenario["scenario"] == "world"


def test_a_damaged_kernel_cache_costs_time_only(tiny: Path, tmp_path: Path) -> None:
    """Kernels only: the loops stay where they are, or this would take a compile of all."""
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    home = os.environ | {"SOFTDOCK_CACHE": str(cache)}
    (directory() / FOLDER).mkdir(exist_ok=True, mode=0o700, parents=True)
    (cache / FOLDER).symlink_to((directory() / FOLDER).resolve())
    first = start("run", tiny, "--json", "--no-figures", "--out", tmp_path / "a", env=home)
    first.communicate(timeout=300)
    damaged = sorted(cache.glob("*.o"))
    assert first.returncode == 0
    assert damaged
    for file in damaged:
        file.write_bytes(file.read_bytes()[:-100])
    second = start("run", tiny, "--json", "--no-figures", "--out", tmp_path / "b", env=home)
    printed, error = second.communicate(timeout=300)
    assert second.returncode == 0
    assert json.loads(printed)["status"] == "done"
    assert "is damaged: compiling anew" in error
    assert "Traceback" not in error
    assert (tmp_path / "a" / "states.parquet").read_bytes() == (tmp_path / "b" / "states.parquet").read_bytes()


def test_help_is_quick() -> None:
    """Under 1 s of the processor's time; what is heavy is not loaded."""
    heavy = ("numba", "casadi", "pyarrow", "matplotlib")
    script = f"import sys, softdock.cli.app; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "softdock", "--help"], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0
