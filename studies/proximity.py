"""Proximity of every shape pair beside coal: placements at random, touching, and overlapping by 1e-9 to 1e-2 m.

python studies/proximity.py [--pairs 10000] [--seed 0]

Every answer of softdock's is also checked by itself: the normal separates the shapes by the distance, and both points
are in the shapes, that far apart (the shapes' definitions are used, not softdock's arrays). Apart, that proves the
distance. Overlapping, the separation along any unit vector bounds the depth from above: the last two columns count
where coal's normal gives a smaller depth than softdock's answer, and softdock's normal a smaller one than coal's
answer, by more than 1e-9 m. (coal's own figure may be smaller still: its search ends with a polytope inside the true
shape.)
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "contact"))
from pairs import PAIRS, certificate, coals, samples, separation

PLACEMENTS = 100


def compare(a: str, b: str, count: int, seed: int) -> tuple[str, bool]:
    """A row of the table, and whether all is well."""
    differences, normals, proofs, ours_worse, coal_worse = [], [], [], 0, 0
    for A, B, T_A, T_B, rows in samples(a, b, count // PLACEMENTS, PLACEMENTS, seed):
        theirs = coals(A, B, T_A, T_B)
        proofs += [certificate(A, B, T_A[k], T_B[k], rows[k]) for k in range(len(rows))]
        difference = theirs[:, 0] - rows[:, 0]
        differences += np.abs(difference).tolist()
        apart = rows[:, 0] > 1e-3  # the normal is unique, and well-conditioned
        normals += np.abs(theirs[apart, 1:] - rows[apart, 1:4]).max(axis=1).tolist()
        ours_worse += sum(separation(A, B, T_A[k], T_B[k], theirs[k, 1:]) > rows[k, 0] + 1e-9 for k in range(len(rows)))
        coal_worse += int(np.sum(difference[rows[:, 0] < 0] < -1e-9))
    within = float(np.mean(np.array(differences) < 1e-9))
    alike = float(np.mean(np.array(normals) < 1e-6))
    good = max(proofs) < 1e-9 and ours_worse == 0
    return (
        f"| {a}, {b} | {max(proofs):.1e} | {np.median(differences):.1e} | {100 * within:.1f} % | {100 * alike:.1f} % "
        f"| {ours_worse} | {coal_worse} |"
    ), good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000, help="placements of each shape pair")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(heading("proximity beside coal", options))
    print(
        "| pair | own check, worst (m) | difference, median (m) | below 1e-9 m | normals below 1e-6 | coal's normal "
        "better | softdock's better |\n|---|---|---|---|---|---|---|"
    )
    well = True
    for a, b in PAIRS:
        row, good = compare(a, b, options.pairs, options.seed)
        well &= good
        print(row, flush=True)
    return int(not well)


if __name__ == "__main__":
    sys.exit(main())
