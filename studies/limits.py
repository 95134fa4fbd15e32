"""Memory of long runs, large campaigns, many bodies and long pages, and what flushing to disk costs.

    python studies/limits.py [rows] [campaign] [bodies] [page] [flush] [cache]

Prints a table. Each row is a command in a process of its own; its memory is read every 20 ms: "own" is what only the
process has, without the files that it has mapped, which the system may take back.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import tomli_w

PROBE = """scenario = "world"
[run]
h = 0.01
duration = {duration}
record_every = 1
[initial.a]
angular_velocity = [0.1, 0.2, 0.3]
[[world.bodies]]
name = "a"
mass = 1.0
inertia = [1.0, 2.0, 2.5]
shapes = [{{kind = "box", size = [1.0, 1.0, 1.0]}}]
[[world.bodies]]
name = "b"
parent = "a"
mass = 1.0
inertia = [1.0, 1.0, 1.0]
joint = {{kind = "revolute", axis = [0.0, 0.0, 1.0]}}
"""


class Spent(NamedTuple):
    seconds: float
    """Of the processor, its children's included (s)."""
    wall: float
    own: float
    """Greatest of the process itself (MB)."""


def spent(*words: object, code: str = "", **environment: str) -> Spent:
    """What a softdock command takes, or a Python program."""
    command = [sys.executable, *(["-c", code] if code else ["-m", "softdock"]), *map(str, words)]
    before, began = os.times(), time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | environment)
    most = 0
    while process.poll() is None:
        most = max(most, _own(process.pid))
        time.sleep(0.02)
    assert process.returncode == 0, command
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(used, time.monotonic() - began, most / 1024)


def _own(pid: int) -> int:
    """Anonymous memory of a process (kB)."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")), 0)


def _probe(folder: Path, rows: int) -> Path:
    file = folder / f"probe-{rows}.toml"
    file.write_text(PROBE.format(duration=rows * 0.01), encoding="utf-8")
    return file


def rows(folder: Path) -> None:
    """A million recorded rows beside a thousand: rows that memory holds are the difference, at most."""
    few, many = (
        spent("run", _probe(folder, count), "--no-figures", "--out", folder / f"rows-{count}")
        for count in (1_000, 1_000_000)
    )
    size = sum(path.stat().st_size for path in (folder / "rows-1000000").iterdir()) / 1e6
    print(f"| a run of 10⁶ recorded rows | {many.own:.0f} MB, {many.own - few.own:.0f} MB above one of 10³ rows; "
          f"{many.seconds:.0f} s; {size:.0f} MB on disk |", flush=True)  # fmt: skip


def campaign(folder: Path) -> None:
    """20,000 runs, with report."""
    words = ("campaign", _probe(folder, 100), "--vary", "world.bodies[0].mass=uniform(1, 2)", "--workers", 2)
    few, many = (spent(*words, "--runs", count, "--out", folder / f"campaign-{count}") for count in (100, 20_000))
    page = (folder / "campaign-20000" / "report.html").stat().st_size / 1e6
    print(f"| a campaign of 20,000 runs | {many.own:.0f} MB, {many.own - few.own:.0f} MB above one of 100; "
          f"{many.seconds:.0f} s; report {page:.1f} MB |", flush=True)  # fmt: skip


def bodies(folder: Path) -> None:
    """A bus with ten arms of twenty joints each, 201 bodies, for 100 steps: compiled first, then from the cache."""
    link = {"mass": 1.0, "center": [0.0, 0.0, 0.2], "inertia": [0.1, 0.1, 0.02]}
    content = [{"name": "bus", "mass": 500.0, "inertia": [200.0, 200.0, 200.0]}]
    for arm in range(10):
        for k in range(20):
            axis = [0.0, 1.0, 0.0] if k % 2 else [1.0, 0.0, 0.0]
            at = [0.0, 0.0, 0.4] if k else [0.3 * arm, 0.0, 1.0]
            parent = f"arm{arm}-{k - 1}" if k else "bus"
            joint = {"kind": "revolute", "axis": axis}
            place = {"name": f"arm{arm}-{k}", "parent": parent, "joint": joint, "placement": {"position": at}}
            content.append(link | place)
    start = {"arm0-0": {"velocity": 0.3}, "arm5-10": {"velocity": -0.2}}
    file = folder / "many.toml"
    table = {"scenario": "world", "run": {"h": 0.01, "duration": 1.0, "record_every": 1}, "initial": start}
    file.write_text(tomli_w.dumps(table | {"world": {"bodies": content}}), encoding="utf-8")
    first, cached = (
        spent("run", file, "--no-figures", "--out", folder / f"bodies-{k}", SOFTDOCK_CACHE=str(folder / "cache"))
        for k in range(2)
    )
    print(f"| a world of 201 bodies (206 velocities), 100 steps | {first.own:.0f} MB and {first.seconds:.0f} s with an "
          f"empty cache; then {cached.own:.0f} MB, {cached.seconds:.1f} s |", flush=True)  # fmt: skip


PAGE = """
import sys
import numpy as np
from softdock import Body, Box, Dynamics, World, replay
from softdock.runs.recorder import Recorder
from softdock.runs.recording import read_run
from softdock.runs.simulation import Simulation
box = (Box(size=(0.3, 0.3, 0.3)),)
world = World(bodies=tuple(Body(name=f"b{k}", mass=1.0, inertia=(1.0, 2.0, 2.5), shapes=box) for k in range(100)))
rng, dynamics = np.random.default_rng(0), Dynamics(world)
def start():
    return {"position": tuple(rng.uniform(-5, 5, 3)), "angular_velocity": tuple(rng.normal(size=3))}
q, v = dynamics.state({f"b{k}": start() for k in range(100)})
with Recorder(sys.argv[1], world) as recorder:
    Simulation(dynamics, q, v, h=0.01).run(100.0, recorder=recorder)
print(replay.make(read_run(sys.argv[1]), dynamics))
"""


def page(folder: Path) -> None:
    """A page of 100 bodies and 10,000 frames: its size, and Chromium's time from address to first picture."""
    took = spent(folder / "page", code=PAGE)
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "replay"))
    from browser import browser

    size, opened = (folder / "page" / "replay.html").stat().st_size / 1e6, []
    for _ in range(3):
        with browser() as driver:
            began = time.monotonic()
            driver.get((folder / "page" / "replay.html").resolve().as_uri())
            driver.execute_async_script("window.replay.ready.then(() => requestAnimationFrame(() => arguments[0](0)))")
            opened.append(time.monotonic() - began)
    print(f"| a page of 100 bodies and 10,000 frames | {size:.2f} MB, opened in {sorted(opened)[1]:.1f} s; made with "
          f"{took.own:.0f} MB |", flush=True)  # fmt: skip


UNFLUSHED = """
import sys
import softdock.runs.recorder, softdock.runs.whole
nothing = lambda path: None
softdock.runs.recorder.flush_to_disk = softdock.runs.whole.flush_to_disk = nothing
from softdock.cli.app import main
main()
"""


def flush(folder: Path) -> None:
    """A recorded run with and without fsync, in turn: processor's time, and the time that it waits for the disk."""
    found: dict[str, list[Spent]] = {"": [], UNFLUSHED: []}
    for k in range(10):
        for code, times in found.items():
            words = ("run", "iss-docking", "--no-figures", "--out", folder / f"flush-{k}-{len(times)}-{bool(code)}")
            times.append(spent(*words, code=code or "from softdock.cli.app import main; main()"))
    with_, without = (sorted(s.seconds for s in times)[len(times) // 2] for times in found.values())
    print(
        f"| flushing a recorded run of iss-docking | {100 * (with_ / without - 1):+.1f} % of {without:.2f} s |",
        flush=True,
    )


CACHE = """
import sys, time
from pathlib import Path
import softdock.kernels.cache as cache, softdock.kernels.loop_cache as loops
spent = 0.0
def timed(function):
    def call(*a, **k):
        global spent
        began = time.process_time()
        try:
            return function(*a, **k)
        finally:
            spent += time.process_time() - began
    return call
cache.read = timed(cache.read)
if hasattr(loops, "read"):
    loops.read = cache.read
from softdock.cli.app import main
try:
    main()
except SystemExit:
    pass
Path(sys.argv[-1], "spent").write_text(str(spent))
"""


def cache(folder: Path) -> None:
    """Reading and checking the cache's files in a cached run."""
    for name in ("free-flyer", "capture"):
        times = []
        for k in range(5):
            out = folder / f"cache-{name}-{k}"
            spent("run", name, "--set", "run.duration=1", "--no-figures", "--out", out, code=CACHE)
            times.append(1e3 * float((out / "spent").read_text()))
        print(f"| reading and checking the cache, {name} | {sorted(times)[2]:.0f} ms |", flush=True)


MEASURES: dict[str, Callable[[Path], None]] = {
    "rows": rows, "campaign": campaign, "bodies": bodies, "page": page, "flush": flush, "cache": cache,
}  # fmt: skip


def main() -> None:
    print("| what | measured |\n|---|---|", flush=True)
    for name in sys.argv[1:] or MEASURES:
        folder = Path(tempfile.mkdtemp(prefix="softdock-limits-"))
        try:
            MEASURES[name](folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
