"""Acquisition with no guess: random views of the target satellite from 2.5 to 4 m.

    python studies/acquisition.py [--views 100] [--points 2000] [--strays 0.0] [--seed 0]
    python studies/acquisition.py --tumbles 60 --seed 1

Right: within 1 degree and 20 mm (2 degrees and 40 mm of a tumble, whose rates are not known). The handle is in view if
at least five points are on it. With `--tumbles`, scans like those of 'servicing' of targets that turn at up to 8°/s
about any axis, one a second, are tracked until one pose is settled on, or for 100 s.
"""

import argparse
import time

import numpy as np
from report import heading

from softdock.bench.sensing import views
from softdock.sensing import (
    HANDLE,
    UNKNOWN,
    HypothesisTracker,
    LaserCamera,
    Noise,
    Rates,
    Scan,
    acquire,
    raster,
    satellite,
)
from softdock.sensing.scan import difference
from softdock.spatial import matrix_of_quaternion, matrix_of_vector
from softdock.world import Pose

WIDE, FASTEST, LONGEST = 3.4, np.radians(8.0), 100
"""What the mirrors sweep at the target (m), its fastest turn (rad/s), and scans at most."""


def on_handle(scan: Scan, truth: Pose) -> int:
    """How many points are on the handle, which stands off the body's face at x = −0.10 m."""
    body = (scan.points - truth.position) @ truth.rotation
    return int(((body[:, 0] < -0.11) & (np.abs(body - HANDLE.position) < [0.03, 0.03, 0.14]).all(axis=1)).sum())


def settled(rng: np.random.Generator, far: float) -> tuple[str, int]:
    """What becomes of a tumble: right, wrong or open; and after how many scans."""
    surface, tracker = satellite(), HypothesisTracker()
    field = 2 * np.arctan(WIDE / 2 / far)
    camera = LaserCamera(surface, raster(64, 64, (field, field), 0.4), Noise(0.002), rng=rng, limits=(0.1, 100.0))
    axis, q = rng.standard_normal(3), rng.standard_normal(4)
    spin = axis / np.linalg.norm(axis) * rng.uniform(0, FASTEST)
    R = matrix_of_quaternion(q / np.linalg.norm(q))
    for k in range(LONGEST):
        truth = Pose.of(R @ matrix_of_vector(k * spin), np.array([0.0, 0.0, far]))
        scan = camera.scan(truth, Rates(spin, np.zeros(3)), float(k))
        found = tracker.update(acquire(scan, surface, spread=UNKNOWN))
        if found:
            angle, distance = difference(found.registration.pose, truth)
            return "right" if angle < np.radians(2) and distance < 0.04 else "wrong", k + 1
    return "open", LONGEST


def tumbles(options: argparse.Namespace) -> None:
    print(heading("acquisition", options))
    print("| distance (m) | tumbles | right | wrong | open after 100 s | seconds (median, most) |")
    print("|---|---|---|---|---|---|")
    for far, seed in zip((40.0, 10.0), np.random.SeedSequence(options.seed).spawn(2), strict=True):
        found = [settled(np.random.default_rng(child), far) for child in seed.spawn(options.tumbles)]
        right, wrong, is_open = (sum(name == outcome for name, _ in found) for outcome in ("right", "wrong", "open"))
        took = [scans for name, scans in found if name == "right"]
        times = f"{np.median(took):.0f}, {max(took)}" if took else "–"
        print(f"| {far:g} | {len(found)} | {right} | {wrong} | {is_open} | {times} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=100)
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--strays", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tumbles", type=int, default=0)
    options = parser.parse_args()
    if options.tumbles:
        return tumbles(options)
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
