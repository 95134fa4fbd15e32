"""Arms and targets from files, exactly as `softdock new capture --arm … --target …` writes them: scans, fingers.

python studies/capture_own.py [--arms panda ur10 nine] [--targets box prism] [--set KEY=VALUE …]
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from report import heading

from softdock.scenarios import load
from softdock.scenarios.runner import Runner

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "capture"))
from robots import ARMS, TARGETS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arms", nargs="+", choices=tuple(ARMS), default=list(ARMS))
    parser.add_argument("--targets", nargs="+", choices=tuple(TARGETS), default=list(TARGETS))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    print(heading("own arms and targets", options), flush=True)
    print("| arm | target | scale | tumble | outcome | captured at | error | clearance | peak force | cpu s | reason |")
    print("|" + "---|" * 11, flush=True)
    folder = Path(tempfile.mkdtemp())
    for arm in options.arms:
        for target in options.targets:
            print(row(arm, target, folder, options.set), flush=True)


def row(arm: str, target: str, folder: Path, changes: list[str]) -> str:
    file, files = folder / f"{arm}-{target}.toml", (str(ARMS[arm](folder)), str(TARGETS[target](folder)))
    command = [sys.executable, "-m", "softdock", "new", "capture", str(file), "--arm", files[0], "--target", files[1]]
    result = subprocess.run(command, check=False, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    if result.returncode:
        return f"| {arm} | {target} | | | refused | | | | | | {result.stderr.strip().splitlines()[-1]} |"
    scenario, began = load(file, changes), time.thread_time()
    found = Runner(scenario).run()
    off = "–"
    if found["position_error"] is not None:
        off = f"{1e3 * found['position_error']:.2f} mm, {np.degrees(found['angle_error']):.3f}°"
    when, force = found["captured_at"], found["grasp"]["peak_force"]
    scale, spin = scenario.arm.scale, np.degrees(np.linalg.norm(scenario.target.spin))  # type: ignore[attr-defined]
    return (
        f"| {arm} | {target} | {scale:g} | {spin:.1f}°/s | {found['outcome']} | "
        f"{f'{when:.1f} s' if when else '–'} | {off} | "
        f"{1e3 * found['clearance_min']:.0f} mm | {f'{force:.0f} N' if force else '–'} | "
        f"{time.thread_time() - began:.0f} | {found['reason'] or ''} |"
    )


if __name__ == "__main__":
    main()
