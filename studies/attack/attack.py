"""The attack: mutated, damaged and hostile inputs of every kind. Prints attack / tried / clean / not clean.

    python studies/attack/attack.py --seed 1                     # all of it: about an hour on two cores
    python studies/attack/attack.py --seed 1 --share 0.1         # a tenth
    python studies/attack/attack.py --seed 1 --only mutations

Clean is: a result or a refusal of one line of at most 300 characters within 5 s of the processor's time; no traceback,
no name of an exception; after a run began, a closed directory whose rows are the first ones, each once; nothing written
elsewhere. What is not clean is listed below the table with an example of each kind.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import directories
import misuse
import models
import mutations
import pages
import processes
import raw
from verdict import Tally, left

ATTACKS: dict[str, tuple[int, Callable[[int, int, Path], Tally]]] = {
    "mutations": (20_000, mutations.attack),
    "text": (300, raw.attack),
    "models": (450, models.attack),
    "directories": (500, directories.attack),
    "run-kills": (50, processes.kill_runs),
    "campaign-kills": (50, processes.kill_campaigns),
    "cache": (200, processes.damage_cache),
    "disks": (20, processes.fill_disks),
    "api": (250, misuse.attack),
    "pages": (12, lambda count, seed, folder: pages.attack(count, folder)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--only", action="append", choices=list(ATTACKS))
    options = parser.parse_args()
    os.environ.setdefault("SOFTDOCK_CACHE", str(Path.home() / ".cache" / "softdock"))
    tallies = []
    for name, (count, attack) in ATTACKS.items():
        if options.only and name not in options.only:
            continue
        clock = left()
        with tempfile.TemporaryDirectory() as folder:
            here = os.getcwd()
            os.chdir(folder)
            try:
                tallies.append(attack(max(1, round(count * options.share)), options.seed, Path(folder)))
            finally:
                os.chdir(here)
        print(f"{tallies[-1].row}  {clock():.0f} s", file=sys.stderr, flush=True)
        for kind, example in tallies[-1].examples.items():
            print(f"    {tallies[-1].found[kind]} × {example}", file=sys.stderr, flush=True)
    print("| attack | tried | clean | not clean |\n|---|---|---|---|")
    print("\n".join(tally.row for tally in tallies))


if __name__ == "__main__":
    main()
