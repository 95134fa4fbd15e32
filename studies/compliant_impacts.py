"""Restitution of two cubes that meet head-on through a compliant contact, against the law's, as h is halved.

python studies/compliant_impacts.py [--damping 0.5]
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from report import heading

import softdock as sd
from softdock.contact.laws import restitution

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "contact_runs"))
from soft_worlds import pair


def parting(stiffness: float, exponent: float, damping: float, h: float) -> float:
    """Relative speed (m/s) after meeting at 1 m/s."""
    dynamics = pair(stiffness=stiffness, exponent=exponent, damping=damping)
    start = dynamics.state({"a": {"velocity": (1, 0, 0)}, "b": {"position": (0.5, 0, 0)}})
    run = sd.rollout(dynamics, *start, h=h, steps=round(0.5 / h))
    return float(run.v[-1, 6] - run.v[-1, 0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damping", type=float, default=0.5)
    arguments = parser.parse_args()
    print(heading("compliant impacts", arguments))
    exact = restitution(arguments.damping, 1.0)
    print(f"the law's restitution: {exact:.6f}\n")
    print("| h (s) | n = 3, k = 1e7: error | order | n = 3/2, k = 1e5: error | order |\n|---|---|---|---|---|")
    before = None
    for h in (1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5):
        errors = np.array([parting(k, n, arguments.damping, h) - exact for k, n in ((1e7, 3.0), (1e5, 1.5))])
        orders = ["–", "–"] if before is None else [f"{order:.2f}" for order in np.log2(np.abs(before / errors))]
        print(f"| {h:g} | " + " | ".join(f"{e:.2e} | {o}" for e, o in zip(errors, orders, strict=True)) + " |")
        before = errors


if __name__ == "__main__":
    main()
