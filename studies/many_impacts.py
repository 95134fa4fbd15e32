"""Energy over very many elastic impacts: whether the O(h²) that each may change adds up.

pendulum: swings between two stops under gravity.
forced: the same between stops at equal angles, under a periodic torque in step with its bounces that does no net work:
the way from stop to stop and the torque are odd about its middle, so what the first half gives the second takes. Energy
is compared with the work of the torque.

    python studies/many_impacts.py [--impacts 100000] [--case forced]
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "impacts"))
from many_bounces import H, drift


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--impacts", type=int, default=100_000)
    parser.add_argument("--case", choices=("pendulum", "forced"), default="pendulum")
    arguments = parser.parse_args()
    print(heading("many impacts", arguments))
    error, count, work = drift(arguments.case, arguments.impacts)
    tenth = len(error) // 10
    steps = 10 * np.arange(len(error))
    slope = np.polyfit(steps, error, 1)[0]
    print(f"{count} impacts in {10 * len(error)} steps of {H:g} s")
    print(f"largest relative energy error: first tenth {np.abs(error[:tenth]).max():.2e}, "
          f"last tenth {np.abs(error[-tenth:]).max():.2e}")  # fmt: skip
    print(f"mean: first tenth {error[:tenth].mean():.2e}, last tenth {error[-tenth:].mean():.2e}; "
          f"trend {slope * steps[-1]:.1e} over the run")  # fmt: skip
    print(f"work of the torque, relative: {work.min():.2e} to {work.max():.2e}, at the end {work[-1]:.2e}")


if __name__ == "__main__":
    main()
