"""Acquisition with no guess: random views of the target satellite from 2.5 to 4 m.

    python studies/acquisition.py [--views 100] [--points 2000] [--strays 0.0] [--seed 0]

Right: within 1 degree and 20 mm. The handle is in view if at least five points are on it.
"""

import argparse
import time

import numpy as np
from report import heading

from softdock.bench.sensing import views
from softdock.sensing import HANDLE, Noise, Scan, acquire, satellite
from softdock.sensing.scan import difference
from softdock.world import Pose


def on_handle(scan: Scan, truth: Pose) -> int:
    """How many points are on the handle, which stands off the body's face at x = −0.10 m."""
    body = (scan.points - truth.position) @ truth.rotation
    return int(((body[:, 0] < -0.11) & (np.abs(body - HANDLE.position) < [0.03, 0.03, 0.14]).all(axis=1)).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=100)
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--strays", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    surface = satellite()
    rows = []
    for truth, scan, _ in views(surface, options.points, options.views, options.seed, Noise(0.002, options.strays)):
        start = time.thread_time()
        found = acquire(scan, surface)
        took = time.thread_time() - start
        errors = [difference(h.registration.pose, truth) for h in found]
        right = [angle < np.radians(1) and distance < 0.02 for angle, distance in errors]
        rows.append((on_handle(scan, truth) >= 5, bool(right[:1] == [True]), any(right), len(found), 1e3 * took))
    table = np.array(rows, dtype=float)
    print(heading("acquisition", options))
    print(
        "| handle | views | best is right | right one in the list | one hypothesis | hypotheses (mean) | ms (median) |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, which in (("in view", table[:, 0] == 1), ("not in view", table[:, 0] == 0)):
        part = table[which]
        best, among = int(part[:, 1].sum()), int(part[:, 2].sum())
        single, mean, ms = int((part[:, 3] == 1).sum()), part[:, 3].mean(), np.median(part[:, 4])
        print(f"| {name} | {len(part)} | {best} | {among} | {single} | {mean:.2f} | {ms:.0f} |")


if __name__ == "__main__":
    main()
