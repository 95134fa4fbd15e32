"""Speed of this checkout beside another one: loops, steps, small calls, start-up, first runs, a campaign.

    python studies/speed_beside.py OTHER_CHECKOUT [--rounds 3] [--cold] [--loops] [--only NAME] [--repeats 60]

`git worktree add ../before COMMIT` makes the other one (f457fda or later). Both take turns; the least processor time of
each counts. Loops (`loop_jobs.py`) are timed in two processes, one a checkout, which take turns at each of `--repeats`;
all else in processes of their own. `--loops` measures loops alone; `--cold` adds first runs ever, with empty caches,
which take minutes.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from report import heading

HERE = Path(__file__).resolve().parents[1]
CALLS = """
import json, time
import softdock as sd

def best(work, number, rounds=15):
    least = float("inf")
    for _ in range(rounds):
        began = time.thread_time()
        for _ in range(number):
            work()
        least = min(least, (time.thread_time() - began) / number)
    return 1e6 * least

bodies = [sd.Body(name="bus", mass=100.0, inertia=(40.0, 50.0, 45.0))]
for k in range(7):
    axis = ((0, 0, 1), (0, 1, 0), (1, 0, 0))[k % 3]
    bodies.append(sd.Body(name=f"link{k}", parent=bodies[-1].name, joint=sd.Revolute(axis=axis), mass=5.0,
                          placement=sd.Pose(position=(0.4, 0, 0)), center=(0.2, 0, 0), inertia=(0.01, 0.1, 0.1)))
dynamics = sd.Dynamics(sd.World(bodies=tuple(bodies)))
q, v = dynamics.state({f"link{k}": {"velocity": 0.1} for k in range(7)})
motion = sd.Motion(dynamics, q, v, h=0.01)
motion.run(10)
print(json.dumps({
    "a step of a free arm of 7 joints (µs)": best(lambda: motion.run(1000, every=1000), 1) / 1000,
    "Motion.run(1) (µs)": best(lambda: motion.run(1), 100),
    "Motion(...) (µs)": best(lambda: sd.Motion(dynamics, q, v, h=0.01), 100),
}))
"""


def child(checkout: Path, arguments: list[str], cache: str | None = None) -> tuple[float, str]:
    """Processor time (s) of a Python process that sees a checkout, and what it printed."""
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    if cache is not None:
        environment |= {"SOFTDOCK_CACHE": cache, "NUMBA_CACHE_DIR": cache}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *arguments], cwd=checkout, env=environment, check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def measured(checkout: Path, cold: bool, place: Path) -> dict[str, float]:
    """Every figure of one checkout, once."""
    found: dict[str, float] = json.loads(child(checkout, ["-c", CALLS])[1])
    found["import softdock; softdock.Dynamics (s)"] = child(checkout, ["-c", "import softdock; softdock.Dynamics"])[0]
    command = ["-m", "softdock"]
    found["softdock --help (s)"] = child(checkout, [*command, "--help"])[0]
    for name in ("free-flyer", "iss-docking"):
        with tempfile.TemporaryDirectory(dir=place) as folder:
            run = [*command, "run", name, "--no-figures", "--out", f"{folder}/run"]
            found[f"softdock run {name}, cached (s)"] = child(checkout, run)[0]
        if cold:
            with tempfile.TemporaryDirectory(dir=place) as folder:
                run = [*command, "run", name, "--no-figures", "--out", f"{folder}/run"]
                found[f"softdock run {name}, first ever (s)"] = child(checkout, run, cache=f"{folder}/cache")[0]
    with tempfile.TemporaryDirectory(dir=place) as folder:
        campaign = [
            "campaign",
            "iss-docking",
            "--vary",
            "payload.mass=uniform(90, 110)",
            "--runs",
            "200",
            "--workers",
            "1",
        ]
        found["200 runs of iss-docking in a campaign (s)"] = child(
            checkout, [*command, *campaign, "--out", f"{folder}/campaign"]
        )[0]
    return found


class Loops:
    """The loops of a checkout, in a process that times one of them when asked to."""

    def __init__(self, checkout: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        command = [sys.executable, str(Path(__file__).with_name("loop_jobs.py"))]
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.names: list[str] = json.loads(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout
        if not (line := self._process.stdout.readline()):
            raise SystemExit("a checkout's loops could not be timed (see above)")
        return line

    def microseconds(self, name: str) -> float:
        assert self._process.stdin
        self._process.stdin.write(name + "\n")
        self._process.stdin.flush()
        return float(self._answer())

    def end(self) -> None:
        self._process.communicate()


def loops(sides: dict[str, Path], rounds: int, repeats: int, only: str) -> dict[str, dict[str, float]]:
    """The least time (µs) of every loop whose name begins with `only`, by side. New processes each round: where their
    memory is plays a part."""
    least: dict[str, dict[str, float]] = {side: {} for side in sides}
    for round_ in range(rounds):
        running = {side: Loops(checkout) for side, checkout in sides.items()}
        for name in [name for name in next(iter(running.values())).names if name.startswith(only)]:
            print(f"round {round_ + 1} of {rounds}: {name}", file=sys.stderr)
            for _ in range(repeats):
                for side, job in running.items():
                    what = f"{name} (µs)"
                    least[side][what] = min(job.microseconds(name), least[side].get(what, float("inf")))
        for job in running.values():
            job.end()
    return least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cold", action="store_true", help="first runs ever, too")
    parser.add_argument("--loops", action="store_true", help="the compiled loops alone")
    parser.add_argument("--only", default="", help="loops whose names begin so")
    parser.add_argument("--repeats", type=int, default=60, help="of each loop, in a round")
    arguments = parser.parse_args()
    sides = {"before": arguments.other.resolve(), "now": HERE}
    least = loops(sides, arguments.rounds, arguments.repeats, arguments.only)
    with tempfile.TemporaryDirectory() as place:
        for checkout in sides.values() if not arguments.loops else ():
            measured(checkout, False, Path(place))  # so that bytecode and caches are there
        for _ in range(0 if arguments.loops else arguments.rounds):
            for side, checkout in sides.items():
                for what, value in measured(checkout, arguments.cold, Path(place)).items():
                    least[side][what] = min(value, least[side].get(what, float("inf")))
    print(heading("Speed beside another checkout (processor time, least of rounds in turn)", arguments))
    print("\n| | before | now | ratio |\n|---|---:|---:|---:|")
    for what, before in least["before"].items():
        now = least["now"][what]
        print(f"| {what} | {before:.3g} | {now:.3g} | {now / before:.2f} |")


if __name__ == "__main__":
    main()
