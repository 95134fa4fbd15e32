"""How `capture` goes to the handle: smoothly, and by plans of least effort, of the same drawn tumbles.

    python studies/reaching.py --runs 8 --seed 7

Tumbles are those of `studies/capture.py`, case `facing`, with poses of 0.5 mm and 0.03 degrees.
"""

import argparse
import json

import numpy as np
from capture import DURATION, POSES, drawn

from softdock.scenarios import Runner, load

KEYS = ("outcome", "reason", "reach_effort", "reach_plan", "position_error", "clearance_min", "captured_at")


def flown(settings: list[str], motion: str) -> dict:
    """One mission."""
    found = Runner(load("capture", [*settings, f"plan.motion={motion}"])).run()
    tries = sum(phase["name"] == "align" for phase in found["phases"])
    return {key: found.get(key) for key in KEYS} | {"tries": tries}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--seed", type=int, required=True)
    given = parser.parse_args()
    pairs = []
    for k, seed in enumerate(np.random.SeedSequence(given.seed).spawn(given.runs)):
        settings, told = drawn(np.random.default_rng(seed), "facing", 8.0)
        settings += [f"run.duration={DURATION}", f"run.seed={k}", *POSES["fine"]]
        pairs.append({motion: flown(settings, motion) for motion in ("smooth", "optimal")})
        print(k, json.dumps(told | pairs[-1]), flush=True)
    for motion in ("smooth", "optimal"):
        outcomes = [pair[motion]["outcome"] for pair in pairs]
        print(f"{motion}: {outcomes.count('captured')} of {len(pairs)} captured")
    once = [pair for pair in pairs if all(one["tries"] == 1 for one in pair.values())]
    ratio = np.array([pair["optimal"]["reach_effort"] / pair["smooth"]["reach_effort"] for pair in once])
    print(f"effort, of the {len(once)} that went once: {ratio.min():.2f} to {ratio.max():.2f}, {np.median(ratio):.2f}")


if __name__ == "__main__":
    main()
