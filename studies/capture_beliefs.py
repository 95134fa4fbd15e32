"""The default capture with beliefs that are wrong, one at a time, and all together: outcome and errors.

    python studies/capture_beliefs.py [--pose scan|ideal] [--seeds 1]

Scans and fingers, as `softdock run capture`. Errors are the true gripper's, off its grasp, before the fingers touch; 2σ
is what the forecast says of itself when they close. NEES is that of the handle's pose while it is seen.
"""

import argparse

import numpy as np
from report import heading

from softdock.scenarios import load
from softdock.scenarios.runner import Runner

WRONG = {
    "nothing": [],
    "mass of the target + 20 %": ["beliefs.mass=1.2"],
    "mass of the target - 20 %": ["beliefs.mass=0.8"],
    "inertia of the target + 30 %": ["beliefs.inertia=1.3"],
    "inertia of the target - 30 %": ["beliefs.inertia=0.7"],
    "camera tilted by 0.2° about x": ["beliefs.camera=[0.00349, 0.0, 0.0]"],
    "camera tilted by 0.2° about y": ["beliefs.camera=[0.0, 0.00349, 0.0]"],
    "encoder noise 0.1 mrad": ["beliefs.encoders=0.0001"],
    "attitude error 0.1°": ["beliefs.attitude=0.001745"],
    "model 0.5 % too large": ["camera.model_scale=1.005"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pose", choices=("scan", "ideal"), default="scan")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    print(heading("wrong beliefs", options), flush=True)
    print(
        "| wrong | seed | outcome | at closing | 2σ | at rest | peak force | clearance | NEES | tilt found | reason |"
    )
    print("|" + "---|" * 11, flush=True)
    together = [change for name in WRONG if "0.2° about x" in name or "+" in name for change in WRONG[name]]
    together += WRONG["encoder noise 0.1 mrad"] + WRONG["attitude error 0.1°"]
    for name, changes in {**WRONG, "all of these, but the model's size": together}.items():
        for seed in range(options.seeds):
            print(row(name, seed, [f'vision.pose="{options.pose}"', f"run.seed={seed}", *changes]), flush=True)


def row(name: str, seed: int, changes: list[str]) -> str:
    found = Runner(load("capture", changes)).run()
    off = "–"
    if found["position_error"] is not None:
        off = f"{1e3 * found['position_error']:.2f} mm, {np.degrees(found['angle_error']):.3f}°"
    sigma, tilt = found["forecast_sigma"], found["camera_turned"]
    told = f"{np.degrees(tilt['angle']):.3f}° at {tilt['since']:.0f} s" if tilt else "–"
    sure = f"{2e3 * sigma['position']:.2f} mm, {np.degrees(2 * sigma['angle']):.3f}°" if sigma else "–"
    rest, force = found["detumbled_at"], found["grasp"]["peak_force"]
    return (
        f"| {name} | {seed} | {found['outcome']} | {off} | {sure} | {f'{rest:.1f} s' if rest else '–'} | "
        f"{f'{force:.0f} N' if force else '–'} | {1e3 * found['clearance_min']:.0f} mm | {found['nees_mean']:.1f} | "
        f"{told} | {found['reason'] or ''} |"
    )


if __name__ == "__main__":
    main()
