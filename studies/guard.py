"""How near the guard (docs/theory/guard.md) comes to speaking: every built-in scenario whole, every page of the docs
that is a program, samples of the studies, a million steps. It should speak in none.

    python studies/guard.py [--only capture long_run …] [--steps 1000000] [--seed 1]

Each runs in a process of its own. Prints a table: steps; the energy that was missing in a step, the momentum that
pushes made, and the energy that a compliant contact gave beyond what it took, the largest of each relative to what is
allowed (steps that a small part of the bound explains are not counted one by one); how often the guard spoke.
"""

import argparse
import contextlib
import io
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "docs"))
from pages import ROOT, blocks, performed

from softdock.dynamics import Motion
from softdock.dynamics.status import ENERGY_MADE, OFF_BALANCE
from softdock.scenarios import SCENARIOS, Runner, load

NEAREST = ("worst", "worst_push", "worst_gain")
PAGES = {
    page.relative_to(ROOT).as_posix(): page
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    if any(language == "python" for language, _, _ in blocks(page))
}


def studies(steps: int, seed: int) -> dict[str, list[str]]:
    """Those that let worlds move, and their options."""
    return {
        "long_run": [f"--steps={steps}", f"--latched-steps={steps // 10}"],
        "redundant_latches": [f"--steps={steps // 10}", f"--seed={seed}"],
        "contact_truth": ["--scenes=100", f"--seed={seed}"],
        "random_drops": ["--throws=3", f"--seed={seed}"],
        "many_impacts": [f"--impacts={steps // 10}"],
        "compliant_impacts": [],
        "compliant_docking": [],
        "grasp": ["--grasps=10", f"--seed={seed}"],
        "control_periods": [],
        "detumbling": [],
        "flexible": [f"--steps={steps // 50}"],
    }


class Watch:
    """What all motions of this process came to."""

    def __init__(self) -> None:
        self.steps = self.spoke = 0
        self.nearest = dict.fromkeys(NEAREST, 0.0)

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """While it watches."""
        take = Motion._steps

        def watched(motion: Motion, *asked: Any) -> Any:
            status, done, rows = take(motion, *asked)
            self.steps += done
            self.spoke += status in (OFF_BALANCE, ENERGY_MADE)
            of = motion._state.guard.of
            self.nearest = {name: max(value, float(of[name])) for name, value in self.nearest.items()}
            return status, done, rows

        with patch.object(Motion, "_steps", watched):
            yield


def perform(name: str, steps: int, seed: int) -> str:
    """Run one; what happened to it."""
    if name in SCENARIOS:
        outcome = Runner(load(name)).record("run")
        return f"{outcome.status} {outcome.reason}".strip()
    if name in PAGES:
        count = sum(1 for _ in performed(PAGES[name]))
        return f"done, {count} answers"
    with contextlib.redirect_stdout(io.StringIO()), patch.object(sys, "argv", [name, *studies(steps, seed)[name]]):
        runpy.run_path(str(ROOT / "studies" / f"{name}.py"), run_name="__main__")
    return "done"


def watched(name: str, steps: int, seed: int) -> dict[str, Any]:
    """Of one, in this process and a folder of its own."""
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), watch.kept():
        try:
            said = perform(name, steps, seed)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
    return {"steps": watch.steps, **watch.nearest, "spoke": watch.spoke, "said": said.splitlines()[0][:200]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="names of scenarios, pages and studies, or how they start")
    parser.add_argument("--steps", type=int, default=1_000_000, help="of the long run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--here", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(watched(options.here, options.steps, options.seed)))
        return
    names = [*SCENARIOS, *PAGES, *studies(options.steps, options.seed)]
    chosen = dict.fromkeys(name for start in options.only or [""] for name in names if name.startswith(start))
    print(heading("guard", options))
    print("\n| | steps | energy | momentum | given back | spoke | |\n|---|---:|---:|---:|---:|---:|---|")
    for name in chosen:
        command = [sys.executable, __file__, "--here", name, f"--steps={options.steps}", f"--seed={options.seed}"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"| {name} | | | | | | {done.stderr.strip().splitlines()[-1]} |", flush=True)
            continue
        of = json.loads(done.stdout.splitlines()[-1])
        nearest = " | ".join(f"{of[key]:.1g}" if of[key] else "" for key in NEAREST)
        print(f"| {name} | {of['steps']} | {nearest} | {of['spoke']} | {of['said']} |", flush=True)


if __name__ == "__main__":
    main()
