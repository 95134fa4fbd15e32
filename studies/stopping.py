"""How `servicing` reaches, and stops what it has grasped: as always, and by optimal plans, of the same drawn missions.

    python studies/stopping.py --runs 8 --seed 7

Missions are those of `studies/servicing.py`, from the last hold point on, with noisy poses.
"""

import argparse
import json
import time

import numpy as np
from servicing import drawn

from softdock.scenarios import Runner, load

KEYS = ("reach_effort", "detumble_effort", "detumble_impulse", "wheel_momentum_max", "delta_v")


WAYS = {"course": [], "optimal": ["plan.detumble=optimal", "plan.reaching=optimal"]}


def flown(changes: list[str], way: str) -> dict:
    """One mission."""
    began = time.process_time()
    scenario = load("servicing", [*changes, *WAYS[way]])
    runner = Runner(scenario)
    found = runner.run()
    layout, rows = runner.simulation.dynamics.layout, runner.simulation.rows
    stage = next((one for one in found["phases"] if one["name"] == "detumble"), None)
    out = {
        key: found[key]
        for key in ("outcome", "reason", "saturated", "reach_plan", "detumble_plan", "clearance_min", *KEYS)
    }
    out |= {"rate": float(np.degrees(np.linalg.norm(scenario.target.turning))), "way": found["way"]}
    if stage:
        during = (rows.t >= stage["start"]) & (rows.t <= stage["end"])
        v = rows.v[during][:, layout.velocities([f"arm{k}" for k in range(1, 8)])]
        out |= {"seconds": stage["end"] - stage["start"], "joint_rate": float(np.abs(v).max())}
    return out | {"cpu": time.process_time() - began}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--seed", type=int, required=True)
    given = parser.parse_args()
    rng, pairs = np.random.default_rng(given.seed), []
    for k in range(given.runs):
        changes = [one for one in drawn(rng, "ideal") if not one.startswith(("start.position", "run.duration"))]
        changes += ["start.phase=synchronise", "run.duration=420.0"]
        pair = {name: flown(changes, name) for name in WAYS}
        pairs.append(pair)
        print(k, json.dumps(pair, default=float), flush=True)
    berthed = [p for p in pairs if all(one["outcome"] == "berthed" for one in p.values())]
    for name in ("course", "optimal"):
        outcomes = [pair[name]["outcome"] for pair in pairs]
        print(f"{name}: {outcomes.count('berthed')} of {len(pairs)} berthed")
    for key in KEYS:
        values = np.array([[pair[name][key] for name in ("course", "optimal")] for pair in berthed])
        ratio = values[:, 1] / values[:, 0]
        print(
            f"{key}: course {values[:, 0].min():.3g} to {values[:, 0].max():.3g}, optimal {values[:, 1].min():.3g} to "
            f"{values[:, 1].max():.3g}; ratio {ratio.min():.2f} to {ratio.max():.2f}, median {np.median(ratio):.2f}"
        )


if __name__ == "__main__":
    main()
