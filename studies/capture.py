"""Capture of random tumbles, end to end: poses, estimation, blindness, closing by fingers, contact of all bodies.

    python studies/capture.py [--runs 100] [--first 0] [--seed 0] [--case facing|other|any] [--fastest 8.0]
        [--pose scan|fine|coarse] [--set KEY=VALUE …] [--rows FILE]

Spin: direction uniform, size uniform up to `--fastest` (deg/s). Case `facing`: the chaser has come to where the handle
looks towards it within 45 degrees at 117 s, turned at random about that line; the camera is blocked from 96 s on.
`other`: the same, of a target whose inertia is one of (3, 9, 7), (10, 10, 2), (5, 5.2, 5.1) kg m², whose handle is on
one of four faces, and the camera is blocked in windows of 10 to 40 s, with 15 to 40 s between them, from a time within
60 to 75 s on; the arm is where it waits at 60 s, so that no grasp closes before the windows. `any`: attitudes uniform,
so that the handle may never be on the chaser's side. Poses: `scan`, or the true ones with noise, `fine` 0.5 mm and 0.03
degrees, `coarse` 5 mm and 0.5 degrees.

Clearances are found anew by coal from the recorded rows (10 a second): `coal mm` is the least of all pairs that the
mission's own metric counts. NEES and NIS (of 6 each) are means over a run, of the handle's pose and of poses seen.
`bound` is the least, over all times at which the gripper might have begun to close, of twice the forecast's errors over
what the gripper allows: above 1, nobody could have dared to close, wherever the arm was. Rows are appended to `--rows`
as JSON; runs that the file has are not flown again. `--summary` makes the tables of several files.
"""

import argparse
import json
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from report import heading
from scipy.spatial.transform import Rotation

from softdock.estimation import Estimate, RunAway
from softdock.estimation.model import Model
from softdock.estimation.target import target_state
from softdock.runs.clearance import stages_of
from softdock.scenarios import load
from softdock.scenarios.capture.craft import orbit_rate
from softdock.scenarios.capture.scenario import Capture
from softdock.scenarios.runner import Runner

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from by_coal import Recorded

FACING, AT = np.radians(45.0), 117.0
DURATION = 180.0
WINDOWS, REACHING = 60.0, 12.0
"""When windows of occlusion begin at the earliest, and how long the arm takes to where it waits (s)."""
POSES = {
    "scan": [],
    "fine": ["vision.pose=ideal", "vision.position=0.0005", "vision.angle=0.000524"],
    "coarse": ["vision.pose=ideal", "vision.position=0.005", "vision.angle=0.00873"],
}
INERTIAS = ((3.0, 9.0, 7.0), (10.0, 10.0, 2.0), (5.0, 5.2, 5.1))
FACES = {
    "-x": ((-0.15, 0.0, 0.0), (0.0, 0.0, 0.0)),
    "+x": ((0.47, 0.05, -0.08), (0.0, 0.0, np.pi)),
    "-y": ((0.16, -0.27, -0.08), (0.0, 0.0, np.pi / 2)),
    "+y": ((0.16, 0.37, -0.08), (0.0, 0.0, -np.pi / 2)),
}
"""Handles on four faces of the satellite: position, and roll, pitch, yaw."""


def drawn(rng: np.random.Generator, case: str, fastest: float) -> tuple[list[str], dict[str, Any]]:
    """Settings of one tumble, and what is told of it."""
    axis = rng.standard_normal(3)
    spin = axis / np.linalg.norm(axis) * rng.uniform(0, np.radians(fastest))
    turn = Rotation.random(rng=rng)
    tilt, about, roll = np.arccos(rng.uniform(np.cos(FACING), 1.0)), *rng.uniform(0, 2 * np.pi, 2)
    settings, told = other(rng) if case == "other" else ([], {})
    if case != "any":  # the handle's −x towards the chaser, which is at −y of the Hill frame
        base = load("capture", settings)
        assert isinstance(base, Capture)
        towards = Rotation.from_euler("z", np.pi / 2)
        aside = Rotation.from_rotvec(tilt * np.array([0.0, np.cos(about), np.sin(about)]))
        handle = Rotation.from_matrix(base.target.frame.rotation)
        at_closing = towards * aside * Rotation.from_euler("x", roll) * handle.inv()
        turn, spin = before(base, at_closing, spin)
    rpy = turn.as_euler("xyz")
    told |= {"rate": float(np.degrees(np.linalg.norm(spin)))}
    return [*settings, f"target.rpy={rpy.tolist()}", f"target.spin={spin.tolist()}"], told


def other(rng: np.random.Generator) -> tuple[list[str], dict[str, Any]]:
    """Another inertia, face and occlusion."""
    inertia, face = INERTIAS[rng.integers(3)], list(FACES)[rng.integers(4)]
    windows, t = [], rng.uniform(60.0, 75.0)
    while t < DURATION:
        windows.append([round(t, 2), round(t + rng.uniform(10.0, 40.0), 2)])
        t = windows[-1][1] + rng.uniform(15.0, 40.0)
    place, rpy = (list(map(float, one)) for one in FACES[face])
    settings = [f"target.inertia={list(inertia)}", f"target.handle={place}", f"target.handle_rpy={rpy}"]
    told = {"inertia": inertia, "face": face, "windows": windows}
    return [*settings, f"occlusion.windows={windows}", f"plan.approach={WINDOWS - REACHING}"], told


def before(base: Capture, turn: Rotation, spin: np.ndarray) -> tuple[Rotation, np.ndarray]:
    """Attitude and spin at t = 0 of a target that has the given ones at closing."""
    n, rho = orbit_rate(base.orbit), np.array(base.target.frame.position)
    center = np.array(base.target.position)
    q = turn.as_quat(scalar_first=True)  # of the body: only its tumble is asked for
    there = Estimate(AT, center + turn.apply(rho), q, spin, center, np.zeros(3), rho, base.target.shape)
    model = Model("target", n, 0.0, 0.0)
    x, _ = model.propagated(target_state(there), model.certain(), -AT)
    return Rotation.from_quat(x[:4], scalar_first=True), x[4:7]


def one(k: int, settings: list[str]) -> dict[str, Any]:
    """A run; its clearances by coal too."""
    scenario = load("capture", settings)
    assert isinstance(scenario, Capture)
    began = time.thread_time()
    runner = Runner(scenario)
    bound = Bound(scenario, runner)
    rows = runner.simulation.run(scenario.run.duration, record_every=4)
    found = scenario.metrics(runner.simulation, rows)
    seconds = time.thread_time() - began
    closed = next((event for event in runner.simulation.events if event["kind"] == "closed"), {})
    keys = (
        "outcome", "reason", "blind_seconds", "position_error", "angle_error", "relative_speed", "detumbled_at",
        "nees_mean", "nis_mean", "clearance_min", "collisions", "forecast_error", "forecast_sigma",
    )  # fmt: skip
    return {
        "run": k,
        **{key: found[key] for key in keys},
        "closed": closed.get("time"),
        "forecast_nees": bound.forecast_nees(),
        "coal": by_coal(runner, rows, found),
        "tries": sum(phase["name"] == "align" for phase in found["phases"]),
        "bound": bound.least,
        "seconds": seconds,
    }


class Bound:
    """What a gripper that were on the handle all the time could have closed by at best: the least of the forecast's
    errors when it has closed, over what it allows, by what was seen when it began; and the forecast's error at closing,
    by the covariance of the last pose (NEES of 6)."""

    def __init__(self, scenario: Capture, runner: Runner) -> None:
        self._conductor = scenario.conductor(runner.simulation)
        self._chase: Any = self._conductor.parts["chase"]
        self._notes = scenario.notes(runner.simulation)
        self.least = np.inf
        self._conductor.observers.append(self)  # type: ignore[arg-type]
        self._next = 0.0

    def observe(self, truth: Any) -> None:
        chase = self._chase
        if truth.t < max(self._next, chase.earliest) or not chase.nav.accepted or chase.hand.holds:
            return
        self._next = truth.t + 1.0
        with suppress(RunAway):
            now = truth.t + chase.timing.closing
            self.least = min([self.least, *(chase.unsure(now, grasp) for grasp in chase.grasps[2::5])])

    def forecast_nees(self) -> float | None:
        """Of the forecast that was closed by."""
        return self._notes.forecast_nees


def by_coal(runner: Runner, rows: Any, found: dict[str, Any]) -> dict[str, float]:
    """Least gaps by coal (m): of the pairs and times that `clearance_min` counts; of gripper and target after that."""
    recorded = Recorded.of(runner.simulation.dynamics, rows)
    stages = stages_of(runner.simulation.events, float(rows.t[-1]))
    align = next((stage.start for stage in stages if stage.name == "align"), np.inf)
    every = np.arange(len(rows.t))
    counted, left_out = np.inf, np.inf
    for name in found["clearances"]:
        a, b = name.split(" to ")
        meant = {a, b} & {"gripper.palm", "gripper.left", "gripper.right"} and any(x.startswith("bar") for x in (a, b))
        out = name in found["clearances_left_out"]
        counted = min(counted, recorded.least(a, b, every[rows.t <= align] if out or meant else every))
        if out:
            left_out = min(left_out, recorded.least(a, b, every[rows.t > align]) if align < np.inf else np.inf)
    return {"least": counted, "gripper": left_out}


HEAD = "| run | °/s | outcome | tries | closed s | blind s | mm | ° | NEES | NIS | own mm | coal mm | bound | cpu s |"


def shown(row: dict[str, Any]) -> str:
    """A line of the table."""

    def number(key: str, scale: float, form: str) -> str:
        return "" if row.get(key) is None else format(scale * row[key], form)

    kind = " ".join(str(row[key]) for key in ("inertia", "face") if key in row)
    return (
        f"| {row['run']} {kind} | {row['rate']:.1f} | {row['outcome']} | {row['tries']} | "
        f"{number('closed', 1, '.0f')} | {number('blind_seconds', 1, '.1f')} | "
        f"{number('position_error', 1e3, '.2f')} | "
        f"{number('angle_error', 180 / np.pi, '.3f')} | {number('nees_mean', 1, '.1f')} | "
        f"{number('nis_mean', 1, '.1f')} | {1e3 * row['clearance_min']:.0f} | {1e3 * row['coal']['least']:.0f} | "
        f"{row['bound']:.2f} | {row['seconds']:.1f} | {row['reason'] or ''} |"
    )


def summary(rows: list[dict[str, Any]]) -> None:
    """Outcomes with their reasons, and what else the docs tell."""
    outcomes = Counter(row["outcome"] for row in rows)
    print(f"\n{len(rows)} runs: {dict(outcomes.most_common())}; processor time of a run (median): "
          f"{np.median([row['seconds'] for row in rows]):.1f} s")  # fmt: skip
    reasons = Counter((row["reason"] or "").split(": ")[0] for row in rows if row["outcome"] != "captured")
    for reason, count in reasons.most_common():
        least = min(row["bound"] for row in rows if (row["reason"] or "").startswith(reason))
        print(f"  {count} × {reason} (bound: at least {least:.2f})")
    print(
        f"least clearance: by the mission's metric {1e3 * min(row['clearance_min'] for row in rows):.1f} mm, by coal "
        f"{1e3 * min(row['coal']['least'] for row in rows):.1f} mm; of gripper and target from aligning on, by coal, "
        f"{1e3 * min(row['coal']['gripper'] for row in rows):.1f} mm"
    )
    blind = [row["blind_seconds"] or 0.0 for row in rows]
    print(
        f"grasps that were tried again: {sum(row['tries'] > 1 for row in rows)}; closed blind (nothing seen for 2 s "
        f"and more): {sum(seconds >= 2.0 for seconds in blind)}, for at most {max(blind):.1f} s"
    )
    for key in ("nees_mean", "nis_mean", "forecast_nees"):
        values = [row[key] for row in rows if row.get(key) is not None]
        if len(values) > 1:
            error = np.std(values) / np.sqrt(len(values))
            print(f"{key}: {np.mean(values):.2f} ± {error:.2f} (of 6), median of runs {np.median(values):.2f}")
    for key, scale, unit in (("position_error", 1e3, "mm"), ("angle_error", 180 / np.pi, "deg")):
        values = [scale * row[key] for row in rows if row["outcome"] == "captured"]
        if values:
            print(f"{key}: median {np.median(values):.3g} {unit}, worst {np.max(values):.3g} {unit}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first run: for a study in pieces")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fastest", type=float, default=8.0)
    parser.add_argument("--pose", choices=tuple(POSES), default="scan")
    parser.add_argument("--case", choices=("facing", "other", "any"), default="facing")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a change of every run")
    parser.add_argument("--rows", type=Path, help="append rows to this file, as JSON")
    parser.add_argument("--summary", type=Path, nargs="+", help="only sum up rows of these files")
    options = parser.parse_args()
    print(heading("capture", options), flush=True)
    if options.summary:
        return summary([json.loads(line) for file in options.summary for line in file.read_text().splitlines()])
    print(HEAD + " reason |")
    print("|" + "---|" * HEAD.count("|"), flush=True)
    rows, flown = [], known(options.rows)
    seeds = np.random.SeedSequence(options.seed).spawn(options.first + options.runs)
    for k, seed in list(enumerate(seeds))[options.first :]:
        settings, told = drawn(np.random.default_rng(seed), options.case, options.fastest)
        settings += [f"run.duration={DURATION}", f"run.seed={k}", *POSES[options.pose], *options.set]
        if (before := flown.get(k)) and before["settings"] != settings:
            sys.exit(f"{options.rows}: run {k} is of other settings; name another file")
        rows.append(before or told | one(k, settings) | {"settings": settings})
        print(shown(rows[-1]), flush=True)
        if options.rows and not before:
            with options.rows.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
    return summary(rows)


def known(file: Path | None) -> dict[int, dict[str, Any]]:
    """Rows of runs that were flown before, by number."""
    lines = file.read_text().splitlines() if file and file.exists() else []
    return {row["run"]: row for row in map(json.loads, lines)}


if __name__ == "__main__":
    main()
