"""The laboratory over noise seeds: errors of a well-run emulation, and what each of its causes does alone.

python studies/facility.py [seeds]
"""

import sys

import numpy as np

from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner

CLEAN = {
    "noise": "sensor.noise=[0.0, 0.0]",
    "bias": "sensor.bias=[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]",
    "mass error": "sensor.mass_error=0.0",
    "friction": "client.friction=0.0",
    "wrong arm model": "client.model=sawyer",
}


def errors(*changes: str) -> dict[str, float]:
    metrics = Runner(load("facility", list(changes))).run()
    return {**metrics["emulation_error"], **{f"off {k}": x for k, x in metrics["tracking_error"].items()}}


def main(seeds: int) -> None:
    rows = [errors(f"run.seed={seed}") for seed in range(seeds)]
    print(f"well run, seeds 0 to {seeds - 1}: largest")
    for key in rows[0]:
        print(f"  {key:14} {max(abs(row[key]) for row in rows):.5f}")
    for name, change in CLEAN.items():
        found = errors(change)
        print(f"without {name:16}", {key: round(x, 5) for key, x in found.items()})
    for mount in ("planar", "spherical", "fixed"):
        metrics = Runner(load("facility", [f"mount={mount}"])).run()
        print(mount, "against orbit:", {key: round(x, 3) for key, x in metrics["mount_error"].items()})
    speeds = [Runner(load("facility", [])).run()["realtime_factor"] for _ in range(3)]
    print(f"real-time factor of the three worlds: {np.median(speeds):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
