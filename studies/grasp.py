"""Grasps by two fingers, closed by contact and friction (`with_fingers`), of a handle that is off in random directions:
by 10 mm, 2 degrees, 10 mm/s and 0.5 degrees/s, or by more millimetres.

    python studies/grasp.py [--grasps 30] [--seed 0] [--off 0.010]
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "mission"))
from gripping import H, grasp, gripping

from softdock.dynamics import Dynamics
from softdock.world import Fingers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grasps", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--off", type=float, default=0.010)
    options = parser.parse_args()
    print(heading("grasp", options), flush=True)
    fingers, rng = Fingers(), np.random.default_rng(options.seed)
    dynamics = Dynamics(gripping(fingers))
    began = time.process_time()
    rows = [grasp(dynamics, rng, fingers, options.off) for _ in range(options.grasps)]
    held, stopped, peak, lost = (np.array(column) for column in zip(*rows, strict=True))
    each = (time.process_time() - began) / len(rows) / (2.5 / H) * 1e6
    print("\n| held | fingers stopped s | peak force of a rod N | latch takes J | processor time of a step µs |")
    print("|---|---|---|---|---|")
    print(
        f"| {held.sum()} of {len(rows)} | {np.nanmin(stopped):.2f} to {np.nanmax(stopped):.2f} "
        f"| {peak.min():.0f} to {peak.max():.0f} | at most {np.nanmax(lost):.1e} | {each:.0f} |"
    )


if __name__ == "__main__":
    main()
