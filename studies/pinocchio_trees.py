"""Mass matrix, inverse and forward dynamics beside Pinocchio's, on random trees of every joint type.

python studies/pinocchio_trees.py [--trees 200] [--bodies 10] [--seed 0] [--states 3]
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "dynamics"))
from beside_pinocchio import Beside, worst_disagreement
from worlds import forest, random_state, random_structure

from softdock.dynamics import Dynamics
from softdock.world import NoGravity, Uniform

LIMIT = 1e-9


def compare(seed: list[int], bodies: int, states: int) -> tuple[str, int, dict[str, float]]:
    """The worst disagreement on one random tree: its structure, its degrees of freedom, and by function."""
    rng = np.random.default_rng(seed)
    structure = random_structure(rng, int(rng.integers(1, bodies + 1)))
    gravity = Uniform(acceleration=tuple(5 * rng.normal(size=3))) if rng.random() < 0.5 else NoGravity()
    dynamics = Dynamics(forest(structure, rng, gravity))
    theirs = Beside.of(dynamics)
    worst: dict[str, float] = {}
    for _ in range(states):
        q, v = random_state(dynamics, rng)
        for name, value in worst_disagreement(dynamics, theirs, q, v, rng.normal(size=dynamics.nv)).items():
            worst[name] = max(worst.get(name, 0.0), value)
    return structure, dynamics.nv, worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--bodies", type=int, default=10, help="at most, a tree")
    parser.add_argument("--states", type=int, default=3, help="random states a tree")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(heading("random trees beside Pinocchio", options))
    began, rows = time.perf_counter(), []
    for index in range(options.trees):
        structure, nv, worst = compare([options.seed, index], options.bodies, options.states)
        rows.append([nv, *worst.values()])
        if max(worst.values()) > LIMIT:
            print(f"tree {index} disagrees: {structure}: {worst}")
        if sys.stderr.isatty():
            print(f"\r{index + 1}/{options.trees}", end="", file=sys.stderr)
    table = np.array(rows)
    print(
        f"{options.trees} trees, 1 to {table[:, 0].max():.0f} degrees of freedom, {time.perf_counter() - began:.0f} s"
    )
    print("| relative disagreement | median | worst |\n|---|---|---|")
    for name, column in zip(worst, table[:, 1:].T, strict=True):
        print(f"| {name} | {np.median(column):.1e} | {column.max():.1e} |")
    return int(table[:, 1:].max() > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
