"""Capture of random tumbles, end to end: scans, registration, estimation, 20 s blind, closing.

    python studies/capture.py [--runs 100] [--seed 0] [--fastest 8.0] [--pose scan|ideal] [--attitude facing|any]

Spin: direction uniform, size uniform up to `--fastest` (deg/s). Attitude `facing`: the chaser has come to where the
handle looks towards it within 45 degrees at 117 s, turned at random about that line; `any`: uniform, so that the handle
may never be on the chaser's side. Captured: within 10 mm, 2 degrees and 10 mm/s when the gripper has closed. NEES and
NIS (of 6 each) are means over the run, of the handle's pose and of the poses seen.
"""

import argparse
import time

import numpy as np
from report import heading
from scipy.spatial.transform import Rotation

from softdock.estimation import Estimate
from softdock.estimation.model import Model
from softdock.estimation.target import target_state
from softdock.scenarios import load
from softdock.scenarios.capture.craft import orbit_rate
from softdock.scenarios.capture.scenario import Capture
from softdock.scenarios.runner import Runner

FACING, AT = np.radians(45.0), 117.0
DURATION = 180.0


def drawn(rng: np.random.Generator, base: Capture, fastest: float, facing: bool) -> list[str]:
    """Settings of one tumble."""
    axis = rng.standard_normal(3)
    spin = axis / np.linalg.norm(axis) * rng.uniform(0, np.radians(fastest))
    turn = Rotation.random(rng=rng)
    tilt, about, roll = np.arccos(rng.uniform(np.cos(FACING), 1.0)), *rng.uniform(0, 2 * np.pi, 2)
    if facing:  # −x of the target towards the chaser, which is at −y of the Hill frame
        towards = Rotation.from_euler("z", np.pi / 2)
        aside = Rotation.from_rotvec(tilt * np.array([0.0, np.cos(about), np.sin(about)]))
        at_closing = towards * aside * Rotation.from_euler("x", roll)
        turn, spin = before(base, at_closing, spin)
    rpy = turn.as_euler("xyz")
    return [f"target.rpy={rpy.tolist()}", f"target.spin={spin.tolist()}"]


def before(base: Capture, turn: Rotation, spin: np.ndarray) -> tuple[Rotation, np.ndarray]:
    """Attitude and spin at t = 0 of a target that has the given ones at closing."""
    n, rho = orbit_rate(base.orbit), np.array(base.target.frame.position)
    center = np.array(base.target.position)
    inertia = base.target.shape
    q = turn.as_quat(scalar_first=True)
    there = Estimate(AT, center + turn.apply(rho), q, spin, center, np.zeros(3), rho, inertia)
    model = Model("target", n, 0.0, 0.0)
    x, _ = model.propagated(target_state(there), model.certain(), -AT)
    return Rotation.from_quat(x[:4], scalar_first=True), x[4:7]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fastest", type=float, default=8.0)
    parser.add_argument("--pose", choices=("scan", "ideal"), default="scan")
    parser.add_argument("--attitude", choices=("facing", "any"), default="facing")
    options = parser.parse_args()
    base = load("capture")
    assert isinstance(base, Capture)
    print(heading("capture", options), flush=True)
    print(
        "| run | deg/s | outcome | closed s | blind s | mm | deg | mm/s | detumbled s | NEES | NIS | clear mm | cpu s "
        "| reason |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    rows = []
    for k, seed in enumerate(np.random.SeedSequence(options.seed).spawn(options.runs)):
        settings = drawn(np.random.default_rng(seed), base, options.fastest, options.attitude == "facing")
        general = [f"run.duration={DURATION}", f"run.seed={k}", f'vision.pose="{options.pose}"']
        rows.append(one(k, settings + general))
    outcomes = [row["outcome"] for row in rows]
    counts = {name: outcomes.count(name) for name in ("captured", "aborted", "missed", "collided")}
    print(f"\n{counts}; seconds (median): {np.median([row['seconds'] for row in rows]):.1f}")
    for key in ("nees_mean", "nis_mean"):
        values = [row[key] for row in rows if row[key] is not None]
        error = np.std(values) / np.sqrt(len(values))
        print(f"{key}: {np.mean(values):.2f} ± {error:.2f} (of 6), median of runs {np.median(values):.2f}")
    for key, scale, unit in (("position_error", 1e3, "mm"), ("angle_error", 180 / np.pi, "deg")):
        values = [scale * row[key] for row in rows if row["captured"]]
        if values:
            print(f"{key}: median {np.median(values):.3g} {unit}, worst {np.max(values):.3g} {unit}")


def one(k: int, settings: list[str]) -> dict[str, object]:
    scenario = load("capture", settings)
    runner, began = Runner(scenario), time.thread_time()
    rows = runner.simulation.run(scenario.run.duration, record_every=4)
    found = scenario.metrics(runner.simulation, rows)
    found["seconds"] = time.thread_time() - began
    rate = np.degrees(np.linalg.norm(scenario.target.turning))  # type: ignore[attr-defined]
    closed = next((event for event in runner.simulation.events if event["kind"] == "closed"), {})

    def shown(value: float | None, scale: float, form: str) -> str:
        return "" if value is None else format(scale * value, form)

    print(
        f"| {k} | {rate:.1f} | {found['outcome']} | {shown(closed.get('time'), 1, '.0f')} | "
        f"{shown(found['blind_seconds'], 1, '.1f')} | {shown(found['position_error'], 1e3, '.2f')} | "
        f"{shown(found['angle_error'], 180 / np.pi, '.3f')} | {shown(found['relative_speed'], 1e3, '.2f')} | "
        f"{shown(found['detumbled_at'], 1, '.1f')} | {shown(found['nees_mean'], 1, '.1f')} | "
        f"{shown(found['nis_mean'], 1, '.1f')} | {1e3 * found['clearance_min']:.0f} | {found['seconds']:.1f} | "  # type: ignore[operator]
        f"{found['reason'] or ''} |",
        flush=True,
    )
    return found


if __name__ == "__main__":
    main()
