"""Whole servicing missions with drawn tumbles, start positions, noise and mass errors: how they end, and why.

    python studies/servicing.py --runs 200 --seed 7 --out servicing.json

Tumbles have any axis and any attitude, rates are uniform to 8°/s; the chaser starts 40 m away, along track or up to
15° off it; the target's mass and inertia are believed up to 10 % wrong. `--pose scan` flies with scans, `ideal` with
noisy poses. Runs are shared out among `--processes`; what `--out` has already is not flown again. Every run that did
not berth is told with its reason.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from softdock.scenarios import Runner, load
from softdock.spatial import matrix_of_quaternion, rpy_of_matrix

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from by_coal import Recorded

HAND, HELD = {"arm7", "gripper.palm", "gripper.left", "gripper.right"}, {"target", "bar"}
KEYS = {
    "captured_at": "s", "berthed_at": "s", "ended": "s", "delta_v": "m/s", "propellant": "kg",
    "peak_contact_force": "N", "wheel_momentum_max": "N m s", "nees_mean": "of 6", "navigation_nees_mean": "of 15",
    "momentum_balance_error": "kg m/s",
}  # fmt: skip
LONGEST = 960.0
"""Of a run (s): it may take 300 s until the target is recognised, and 200 s until its motion is known."""
FASTEST, FAR, ASIDE, WRONG = np.radians(8.0), 40.0, np.radians(15.0), 0.10


def drawn(rng: np.random.Generator, pose: str) -> list[str]:
    """Changes of one mission."""
    axis, q = rng.standard_normal(3), rng.standard_normal(4)
    spin = axis / np.linalg.norm(axis) * rng.uniform(0, FASTEST)
    rpy = rpy_of_matrix(matrix_of_quaternion(q / np.linalg.norm(q)))
    off, about = rng.uniform(0, ASIDE), rng.uniform(0, 2 * np.pi)
    start = FAR * np.array([np.sin(off) * np.cos(about), -np.cos(off), np.sin(off) * np.sin(about)])
    mass, inertia = rng.uniform(1 - WRONG, 1 + WRONG, 2)
    values: dict[str, Any] = {
        "target.rpy": list(rpy), "target.spin": spin.tolist(), "start.position": start.tolist(),
        "beliefs.mass": float(mass), "beliefs.inertia": float(inertia), "run.seed": int(rng.integers(1_000_000)),
    }  # fmt: skip
    changes = [f"{key}={json.dumps(value)}" for key, value in values.items()]
    return [*changes, f"vision.pose={pose}", f"run.duration={LONGEST}"]


def flown(changes: list[str]) -> dict[str, Any]:
    """One mission: what came of it."""
    began = time.process_time()
    try:
        scenario = load("servicing", changes)
        runner = Runner(scenario)
        found = runner.run()
    except Exception as error:  # told as what it is: a run that failed
        return {"changes": changes, "outcome": "failed", "reason": str(error)[:300], "cpu": time.process_time() - began}
    keys = (
        "outcome", "reason", "captured_at", "berthed_at", "delta_v", "propellant", "peak_contact_force",
        "clearance_min", "estimate_error_at_grasp", "nees_mean", "navigation_nees_mean", "least_drift", "drift_at_end",
        "way", "released_at", "wheel_momentum_max", "momentum_balance_error", "energy_balance_error",
    )  # fmt: skip
    ended = found["phases"][-1]
    rate = float(np.degrees(np.linalg.norm(scenario.target.turning)))
    own = {
        "rate": rate, "ended": ended["end"], "last_phase": ended["name"], "collisions": len(found["collisions"]),
        "is_safe": is_safe(found, scenario.plan.keep_out), "coal": by_coal(runner, found["clearances"]),
    }  # fmt: skip
    return {"changes": changes, "cpu": time.process_time() - began, **own} | {key: found[key] for key in keys}


def is_safe(found: dict[str, Any], keep_out: float) -> bool:
    """Nothing collided, and the target is berthed, or held, or free flight keeps out of the sphere for one orbit."""
    drifts = found["drift_at_end"]
    return not found["collisions"] and (drifts is None or drifts >= keep_out)


def by_coal(runner: Runner, told: dict[str, float]) -> float | None:
    """The least gap (m) of all pairs that came near, by coal at every recorded row; without those that are to meet."""
    recorded = Recorded.of(runner.simulation.dynamics, runner.simulation.rows)
    every = np.arange(len(recorded.t))
    pairs = (name.split(" to ") for name in told)
    return min((recorded.least(a, b, every) for a, b in pairs if not are_to_meet(a, b)), default=None)


def are_to_meet(a: str, b: str) -> bool:
    """The hand's own parts, the hand and what it holds, balls and grooves."""
    if {a, b} & HAND:
        return {a, b} <= HAND | HELD
    return {"groove", "ball"} == {body.rpartition(".")[2].rstrip("123") for body in (a, b)}


def table(rows: list[dict[str, Any]]) -> str:
    """What a review would ask."""
    outcomes, lines = Counter(row["outcome"] for row in rows), []
    lines.append(f"{len(rows)} missions: " + ", ".join(f"{name} {count}" for name, count in outcomes.most_common()))
    berthed = [row for row in rows if row["outcome"] == "berthed"]
    safe = sum(bool(row.get("is_safe")) for row in rows if row["outcome"] != "berthed")
    lines.append(f"  not berthed: {len(rows) - len(berthed)}, of which left in a safe state: {safe}")
    lines.append("  ways: " + ", ".join(f"{way} {count}" for way, count in Counter(r.get("way") for r in rows).items()))
    lines.append("  of those berthed: least, 5, 25, 50, 75, 95 %, most")
    for key, unit in KEYS.items():
        if values := [row[key] for row in berthed if row.get(key) is not None]:
            parts = np.percentile(values, [0, 5, 25, 50, 75, 95, 100])
            lines.append(f"  {key} ({unit}): " + ", ".join(f"{x:.3g}" for x in parts))
    if errors := [row["estimate_error_at_grasp"]["position"] for row in berthed if row["estimate_error_at_grasp"]]:
        lines.append(f"  estimate at grasp: median {1e3 * np.median(errors):.2g} mm, worst {1e3 * max(errors):.2g} mm")
    if gaps := [row["coal"] for row in rows if row.get("coal") is not None]:
        lines.append(f"  least gap by coal of what is not to meet: {1e3 * min(gaps):.0f} mm")
    for row in rows:
        if row["outcome"] != "berthed":
            at = f"{row.get('rate', np.nan):.1f} deg/s, last phase {row.get('last_phase', '-')}"
            lines.append(f"  {row['outcome']}: {row['reason']} ({at})")
    lines.append(f"  processor time: {np.mean([row['cpu'] for row in rows]):.1f} s a mission")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pose", choices=("ideal", "scan"), default="scan")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    seeds = np.random.SeedSequence(given.seed).spawn(given.runs)
    missions = [drawn(np.random.default_rng(seed), given.pose) for seed in seeds]
    rows: list[dict[str, Any]] = json.loads(given.out.read_text()) if given.out and given.out.exists() else []
    missions = missions[len(rows) :]
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        for row in pool.imap(flown, missions):
            rows.append(row)
            print(f"{len(rows)}/{given.runs} {row['outcome']} {row['reason'] or ''}"[:160], flush=True)
            if given.out:
                given.out.write_text(json.dumps(rows, indent=1))
    print(table(rows))


if __name__ == "__main__":
    main()
