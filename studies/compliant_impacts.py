"""Restitution of two cubes that meet head-on through a compliant contact, against the law's, as h is halved. Then what
hits without damping lose, of every pair of kinds of shape, askew, spinning, at random: with a potential, nothing. And
how well steps that change on the way (`contact_error`) keep to what was asked for.

python studies/compliant_impacts.py [--damping 0.5] [--hits 8] [--seed 1]
"""

import argparse
import sys
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
from random_contacts import SHAPES, shape, turned
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


def meeting(
    kinds: tuple[str, str], rng: np.random.Generator, **law: float
) -> tuple[sd.Dynamics, tuple[np.ndarray, ...]]:
    """Two bodies that hit each other askew, spinning, with a compliant contact; and their start."""
    bodies = [
        sd.Body(name=name, mass=mass, inertia=[0.05, 0.06, 0.07], shapes=[shape(kind, rng)])
        for name, mass, kind in zip("ab", (1, 2), kinds, strict=True)
    ]
    touch = sd.Contact(name="touch", body_a="a", body_b="b", compliance=sd.Compliance(**law))
    dynamics, u = sd.Dynamics(sd.World(bodies=bodies, contacts=[touch])), rng.normal(size=3)
    u /= np.linalg.norm(u)
    start = {"a": {"position": 2.5 * u, "velocity": -1.5 * u}, "b": {"position": 0.1 * rng.normal(size=3)}}
    for body in start.values():
        body |= {"quaternion": turned(rng), "angular_velocity": 0.5 * rng.normal(size=3)}
    return dynamics, dynamics.state(start)


def elastic(kinds: tuple[str, str], rng: np.random.Generator) -> tuple[float, float]:
    """Largest growth of mechanical energy in a hit without damping, and what is lost at its end, relative."""
    dynamics, start = meeting(kinds, rng, stiffness=1e6, exponent=1.5)
    began = dynamics.balance(*start).total
    run = sd.Motion(dynamics, *start, h=1e-4).run(30_000, every=10)
    energy = dynamics.balance(run.q, run.v).total
    return float(energy.max() / began - 1), float(1 - energy[-1] / began)


LAWS = [
    {"stiffness": 1e6, "exponent": 1.5, "damping": 0.3}, {"stiffness": 1e5, "exponent": 1.0, "viscosity": 100.0},
    {"stiffness": 1e6, "exponent": 1.5, "friction": 0.3},
]  # fmt: skip


def changing(count: int, seed: int) -> None:
    """The table of steps that change on the way: velocities after hits, against steps of 20 µs."""
    print("\n| contact_error | h (s) | hits | ended | off by, median | worst |\n|---|---|---|---|---|---|")
    found: dict[tuple[float, float], list[float]] = {(error, h): [] for error in (1e-2, 1e-4) for h in (0.01, 0.002)}
    for k in range(count):
        for kinds in (("sphere", "box"), ("capsule", "cylinder"), ("box", "mesh"), ("sphere", "sphere")):
            dynamics, start = meeting(kinds, np.random.default_rng([seed, k, len(kinds[0])]), **LAWS[k % 3])
            fine = sd.Motion(dynamics, *start, h=2e-5)
            fine.run(100_000, every=100_000)
            change = max(float(np.abs(fine.v - start[1]).max()), 1e-6)
            for (error, h), off in found.items():
                motion = sd.Motion(dynamics, *start, h=h, contact_error=error)
                try:
                    motion.run(round(2 / h), every=round(2 / h))
                    off.append(float(np.abs(motion.v - fine.v).max()) / change)
                except sd.StepFailed as why:
                    print(f"{kinds[0]} and {kinds[1]}, {k}: {why}")
    for (error, h), off in found.items():
        print(f"| {error:g} | {h:g} | {4 * count} | {len(off)} | {np.median(off):.0e} | {max(off):.0e} |", flush=True)


def hits(count: int, seed: int) -> None:
    """The table of hits without damping."""
    print("\n| shapes | hits | ended | energy grows by | loss, median | worst |\n|---|---|---|---|---|---|")
    for kinds in combinations_with_replacement(SHAPES, 2):
        found = []
        for k in range(count):
            try:
                found.append(elastic(kinds, np.random.default_rng([seed, k, *map(SHAPES.index, kinds)])))
            except sd.StepFailed as why:
                print(f"{kinds[0]} and {kinds[1]}, {k}: {why}")
        grown, lost = np.array(found).T
        figures = f"{max(grown.max(), 0.0):.0e} | {np.median(lost):.0e} | {lost.max():.1%}"
        print(f"| {kinds[0]} and {kinds[1]} | {count} | {len(found)} | {figures} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damping", type=float, default=0.5)
    parser.add_argument("--hits", type=int, default=8, help="without damping, of each pair of kinds of shape")
    parser.add_argument("--seed", type=int, default=1)
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
    if arguments.hits:
        changing((arguments.hits + 1) // 2, arguments.seed)
        hits(arguments.hits, arguments.seed)


if __name__ == "__main__":
    main()
