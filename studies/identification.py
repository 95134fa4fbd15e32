"""Friction and parameters of Sawyer out of logs that MuJoCo made: errors over several motions and noises.

    python studies/identification.py [--logs 5] [--duration 20] [--tries 100]

A log's motion is designed for the URDF's figures, driven with the MJCF's, and identified from the URDF's.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from report import heading

from softdock.arm import compare, excite, identify, read_log, sawyer

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "testbed"))
from mujoco_log import COULOMB, VISCOUS, driven, write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=5)
    parser.add_argument("--duration", type=float, default=20.0)
    parser.add_argument("--tries", type=int, default=100)
    options = parser.parse_args()
    print(heading("identification", options))
    print("log  condition  viscous off  Coulomb off  by deviation  % of range: moving    all  before")
    arm, true = sawyer(), sawyer("mjcf")
    for seed in range(options.logs):
        motion = excite(arm, tries=options.tries, seed=seed)
        with tempfile.TemporaryDirectory() as folder:
            path = write(Path(folder) / "log.csv", driven(true, motion, options.duration, seed=seed))
            log = read_log(path, arm)
        found = identify(log, arm)
        off = np.concatenate([found.viscous - VISCOUS, found.coulomb - COULOMB])
        deviation = np.concatenate([found.viscous_deviation, found.coulomb_deviation])
        after, before = compare(log, found).table(), compare(log, arm).table()
        errors = [after, "moving_share"], [after, "share"], [before, "share"]
        moving, whole, at_first = (100 * max(row[key] or 0 for row in table) for table, key in errors)
        print(
            f"{seed:3d}  {motion.condition:9.1f}  {np.abs(off[:7] / VISCOUS).max():11.2%}  "
            f"{np.abs(off[7:] / COULOMB).max():11.2%}  {np.sqrt(np.mean((off / deviation) ** 2)):12.2f}  "
            f"{moving:18.2f}  {whole:5.2f}  {at_first:6.1f}"
        )


if __name__ == "__main__":
    main()
