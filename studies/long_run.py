"""Long runs: momentum and energy of a free flyer with seven joints, and latches that must not drift.

python studies/long_run.py [--steps 1000000] [--latched-steps 100000] [--h 0.02]
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "dynamics"))
from test_conservation import trend
from worlds import flying, free_flyer, mated, pair

from softdock.dynamics import Dynamics, Motion


def drift(rows: np.ndarray) -> float:
    return float(np.abs(rows - rows[0]).max() / np.linalg.norm(rows[0]))


def free_flight(steps: int, h: float) -> list[str]:
    dynamics = Dynamics(free_flyer(7))
    began = time.perf_counter()
    run = Motion(dynamics, *flying(dynamics), h=h).run(steps, every=100)
    balance = dynamics.balance(run.q, run.v)
    energy = balance.total / balance.total[0] - 1
    tenth = len(energy) // 10
    slope, deviation = trend(np.arange(len(energy)) * 100.0, energy)
    return [
        f"| free flyer, {steps} steps of {h} s | {time.perf_counter() - began:.1f} s |",
        f"| linear momentum, relative drift | {drift(balance.momentum):.1e} |",
        f"| spatial angular momentum, relative drift | {drift(balance.angular_momentum):.1e} |",
        f"| energy, largest relative error in the first tenth | {np.abs(energy[:tenth]).max():.1e} |",
        f"| energy, largest relative error in the last tenth | {np.abs(energy[-tenth:]).max():.1e} |",
        f"| energy, trend per step (standard error) | {slope:.1e} ({deviation:.1e}) |",
    ]


def latched(kind: str, steps: int, h: float) -> str:
    dynamics = Dynamics(pair(kind))
    motion = Motion(dynamics, *mated(dynamics, np.random.default_rng(1)), h=h)
    motion.engage("latch")
    start, worst = dynamics.balance(motion.q, motion.v), 0.0
    for _ in range(steps // 100):
        motion.run(100, every=100)
        worst = max(worst, motion.violation())
    end = dynamics.balance(motion.q, motion.v)
    linear = np.abs(end.momentum - start.momentum).max() / np.linalg.norm(start.momentum)
    angular = np.abs(end.angular_momentum - start.angular_momentum).max() / np.linalg.norm(start.angular_momentum)
    change = float(end.kinetic / start.kinetic - 1)
    return f"| {kind} | {worst:.1e} | {linear:.1e} | {angular:.1e} | {change:.1e} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--latched-steps", type=int, default=100_000)
    parser.add_argument("--h", type=float, default=0.02)
    options = parser.parse_args()
    print(heading("long runs", options))
    print("\n".join(["| | |", "|---|---|", *free_flight(options.steps, options.h)]))
    print(f"\nTwo free bodies held by a latch, {options.latched_steps} steps of {options.h / 2} s\n")
    print("| latch | violation (m, rad) | linear momentum | angular momentum | energy |\n|---|---|---|---|---|")
    for kind in ("point", "hinge", "weld", "distance"):
        print(latched(kind, options.latched_steps, options.h / 2), flush=True)


if __name__ == "__main__":
    main()
