"""Large cases: a run of a million rows, a campaign of 20,000 runs, a world of 200 bodies, a page of 100 bodies and
10,000 frames. Prints seconds of the processor's time, and the most memory that was taken beyond what softdock takes to
start.

    python studies/sizes.py [rows|campaign|bodies|page …]
"""

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from softdock import Body, Dynamics, Revolute, World
from softdock.runs.recorder import Recorder
from softdock.runs.simulation import Simulation


def anonymous() -> float:
    """Memory (MB) of this process that is no file's."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(float(line.split()[1]) / 1024 for line in file if line.startswith("RssAnon"))


def chain(count: int, arms: int = 1) -> World:
    """A free body with chains of revolute joints."""
    bodies = [Body(name="bus", mass=100.0, inertia=(50.0, 50.0, 50.0))]
    for k in range(1, count):
        parent = "bus" if k <= arms else f"b{k - arms}"
        joint = Revolute(axis=((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))[k % 3])
        bodies.append(
            Body(name=f"b{k}", parent=parent, joint=joint, mass=1.0, center=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
        )
    return World(bodies=tuple(bodies))


def started(count: int, arms: int = 1) -> Simulation:
    dynamics = Dynamics(chain(count, arms))
    v = 0.01 * np.random.default_rng(0).normal(size=dynamics.nv)
    return Simulation(dynamics, dynamics.layout.neutral(), v, h=0.01)


def rows(folder: Path) -> str:
    simulation = started(3)
    simulation.run(0.1)
    with Recorder(folder / "run", simulation.dynamics.world) as recorder:
        found = simulation.run(10_000.0, recorder=recorder)
    return f"{len(found)} recorded rows"


def bodies(folder: Path) -> str:
    began = time.process_time()
    simulation = started(200, arms=10)
    simulation.run(0.01)
    compiled, began = time.process_time() - began, time.process_time()
    simulation.run(1.0)
    return f"200 bodies: compiled in {compiled:.0f} s, {1e4 * (time.process_time() - began):.0f} µs a step"


def page(folder: Path) -> str:
    from softdock import replay
    from softdock.runs.recording import read_run

    simulation = started(100, arms=10)
    with Recorder(folder / "run", simulation.dynamics.world) as recorder:
        simulation.run(100.0, recorder=recorder)
    made = replay.make(read_run(folder / "run"), simulation.dynamics)
    return f"page of 100 bodies and 10,001 frames, {made.stat().st_size / 1e6:.1f} MB"


def campaign(folder: Path) -> str:
    from softdock.campaign import campaign_of, run_campaign
    from softdock.campaign.report import write_report

    wanted = campaign_of(
        "free-flyer", vary={"run.seed": "steps(0, 99999, 100000)"}, changes=["run.duration=0.02"], runs=20_000
    )
    tally = run_campaign(wanted, folder / "campaign")
    made = write_report(folder / "campaign")
    return f"campaign of {tally.done} runs, report of {made.stat().st_size / 1e6:.1f} MB"


CASES = {"rows": rows, "campaign": campaign, "bodies": bodies, "page": page}


def one(name: str) -> None:
    before, most, done = anonymous(), [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            most[0] = max(most[0], anonymous())

    threading.Thread(target=watch, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        words = CASES[name](Path(folder))
        print(f"{words}: {time.process_time() - began:.0f} s, {most[0] - before:.0f} MB", flush=True)
    done.set()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2])
    else:
        for name in sys.argv[1:] or CASES:
            subprocess.run([sys.executable, __file__, "--one", name], check=True)
