"""How long the command line takes to answer: its help, first runs ever, and a run whose kernels are cached."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import all_cores

ENTRY = (sys.executable, "-m", "softdock")
LIMITS = {
    "--help": 0.3, "first run": 20.0, "cached run": 1.2, "first run of iss-docking": 20.0, "first run of capture": 30.0,
}  # fmt: skip


class Seconds(NamedTuple):
    """Wall time, and the processor time in it: the same on an idle machine, more than it on a busy one."""

    wall: float
    processor: float


def run(
    say: Say,
    *,
    repeats: int = 5,
    scenario: str = "free-flyer",
    others: tuple[str, ...] = ("iss-docking", "capture"),
) -> Result:
    """`--help` in 0.3 s; a cached run in 1.2 s; first runs ever in 20 s, of capture in 30 s."""
    if importlib.util.find_spec("softdock.cli.app") is None:
        say("start-up: there is no command line; left out")
        return Result()
    found: dict[str, Seconds] = {}
    with tempfile.TemporaryDirectory() as place, all_cores():
        environment = {**os.environ, "SOFTDOCK_CACHE": str(Path(place) / "cache")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
        say(f"start-up: softdock --help, then softdock run {scenario}, first ever and cached")
        try:
            found["--help"] = min(_seconds(["--help"], environment) for _ in range(repeats))
            found["first run"] = _run(scenario, place, 0, environment)
            found["cached run"] = min(_run(scenario, place, 1 + k, environment) for k in range(repeats))
            for name in others:
                say(f"start-up: softdock run {name}, first ever")
                empty = {**environment, "SOFTDOCK_CACHE": str(Path(place) / f"cache of {name}")}
                found[f"first run of {name}"] = _run(name, place, 100 + len(found), empty)
        except subprocess.CalledProcessError as error:
            asked, said = " ".join(error.cmd[len(ENTRY) :]), error.stderr.strip()[-300:]
            say(f"start-up: softdock {asked} failed ({said}); left out")
    result = Result()
    for what, seconds in found.items():
        for kind, value in seconds._asdict().items():
            result.rows.append(Row("start-up", "softdock", f"{what}, {kind} time", total_ms=1e3 * value))
        processor = f"{seconds.processor:.3g} s of processor time"
        result.limits.append(Limit(f"start-up: seconds of {what} ({processor})", seconds.wall, LIMITS[what]))
    return result


def _run(scenario: str, place: str, number: int, environment: dict[str, str]) -> Seconds:
    return _seconds(["run", scenario, "--out", str(Path(place) / f"run-{number}")], environment)


def _seconds(arguments: list[str], environment: dict[str, str]) -> Seconds:
    start, before = time.perf_counter(), os.times()
    subprocess.run([*ENTRY, *arguments], env=environment, capture_output=True, text=True, check=True)
    after = os.times()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return Seconds(time.perf_counter() - start, used)
