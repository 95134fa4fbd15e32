"""Every row of the table of docs/scenarios/facility.md, measured: laws of delay, perfect and well-run emulations over
fresh noise seeds, mounts, grasps; with --track the whole experiment of Aghili, which takes minutes.

    python studies/facility.py [--seeds 10] [--first 9100] [--track]
"""

import argparse
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "facility"))
from test_facility import PERFECT

from softdock.facility import one_axis
from softdock.facility.theory import apparent_restitution, approximate_critical_delay, critical_delay
from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner

LOOP = {"mass": 60.0, "stiffness": 1e3, "viscosity": 20.0}
TOUCH = {"mass": 60.0, "servicer": 60.0, "stiffness": 1e3, "damping": 3.0}


def row(what: str, bound: str, measured: str) -> None:
    print(f"| {what} | {bound} | {measured} |", flush=True)


def run(*changes: str) -> dict[str, Any]:
    return Runner(load("facility", list(changes))).run()


def shown(errors: dict[str, float], digits: int = 3) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {100 * x:.{digits}g} %" for key, x in errors.items())


def worst(rows: list[dict[str, float]]) -> dict[str, float]:
    return {key: max(abs(one[key]) for one in rows) for key in rows[0]}


def laws() -> None:
    """Of delay, along one axis."""
    for name, servicer in (("a wall", math.inf), ("60 kg", 60.0), ("200 kg", 200.0)):
        h = critical_delay(60.0, 1e3, 20.0, servicer).delay
        found = one_axis.crossing(**LOOP, servicer=servicer, near=h - 0.5e-3)
        off = 1e3 * abs(found - (h - 0.5e-3))
        row(f"critical delay against {name}, {1e3 * h:.3f} ms: the sampled loop, less half a period", "0.05 ms",
            f"{off:.4f} ms")  # fmt: skip
    worst_law = max(
        abs(approximate_critical_delay(60.0, 1e3, 20.0, m) / critical_delay(60.0, 1e3, 20.0, m).delay - 1)
        for m in (30.0, 60.0, 200.0)
    )
    row("(b/k)(1 + m_t/m_s), servicers of 30 to 200 kg", "2 %", f"{100 * worst_law:.2g} %")
    orbit, off = one_axis.impact(None, **TOUCH), 0.0
    for delay in (0.01, 0.02, 0.03, 0.04):
        late = one_axis.impact(delay, **TOUCH).restitution / orbit.restitution
        off = max(off, abs(late - apparent_restitution(delay, 1e3, 60.0, 60.0)))
    row("apparent restitution up to 40 ms", "1 percentage point", f"{100 * off:.2f}")
    led = one_axis.impact(0.04, **TOUCH, lead=0.04).restitution / orbit.restitution - 1
    row("restitution with lead at 40 ms", "0.3 %", f"{100 * abs(led):.2f} %")


def touches(seeds: range) -> None:
    row("perfect sensors", "impulse 0.3 %, rates 0.5 %", shown(run(*PERFECT)["emulation_error"], 2))
    found = [run(f"run.seed={seed}") for seed in seeds]
    errors = [one["emulation_error"] for one in found]
    row(f"well run (the file), largest of seeds {seeds[0]} to {seeds[-1]}", "impulse, peak force 1 %; rates 4 %",
        shown(worst(errors), 2))  # fmt: skip
    off = worst([one["tracking_error"] for one in found])
    row("the arm's tracking with a wrong model, the same runs", "0.5 mm, 0.2°",
        f"{1e3 * off['position']:.3f} mm, {np.degrees(off['angle']):.3f}°")  # fmt: skip
    for mount in ("planar", "spherical", "fixed"):
        row(f"touch, mount {mount} against orbit", "", shown(run(f"mount={mount}")["mount_error"]))
    for changes in ([], ["base.delay=0.01"]):
        metrics = run("mount=emulated", *changes)
        row(" ".join(["touch, mount emulated", *changes]), "", shown(metrics["emulation_error"], 2))


def grasps(seeds: range) -> None:
    row("grasp, perfect sensors", "", shown(run("experiment=grasp", *PERFECT)["emulation_error"], 2))
    found = [run("experiment=grasp", f"run.seed={seed}") for seed in seeds[:3]]
    held = sum(one["outcome"] == "grasped" for one in found)
    row(f"grasp, the file, largest of seeds {seeds[0]} to {seeds[2]} ({held} of 3 held)", "",
        shown(worst([one["emulation_error"] for one in found]), 2))  # fmt: skip
    for mount in ("planar", "spherical", "fixed", "emulated"):
        metrics = run("experiment=grasp", f"mount={mount}")
        row(f"grasp, mount {mount} ({metrics['outcome']}): the mount; the emulation", "",
            f"{shown(metrics['mount_error'])}; {shown(metrics['emulation_error'], 2)}")  # fmt: skip


def captures() -> None:
    for mount in ("fixed", "planar"):
        metrics = run("experiment=track-and-capture", f"mount={mount}")
        row(f"track-and-capture, mount {mount}", "captured, blind for 20 s",
            f"{metrics['outcome']}, closes at {metrics['closes']} s, blind for {metrics['blind_for']} s")  # fmt: skip
        if fit := metrics["fit"]:
            said = f"{1e3 * fit['distance']:.2f} mm, {np.degrees(fit['angle']):.2f}°, {1e3 * fit['speed']:.2f} mm/s"
            row("the hand off its grasp as the fingers begin to close", "10 mm, 2°, 10 mm/s", said)
        for name in ("mount_error", "emulation_error"):
            if metrics[name]:
                row(f"track-and-capture, mount {mount}: {name.replace('_', ' ')}", "", shown(metrics[name]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=9100)
    parser.add_argument("--track", action="store_true")
    options = parser.parse_args()
    print(heading("facility", options), flush=True)
    print("\n| | bound | measured |\n|---|---|---|")
    seeds = range(options.first, options.first + options.seeds)
    laws()
    touches(seeds)
    grasps(seeds)
    if options.track:
        captures()


if __name__ == "__main__":
    main()
