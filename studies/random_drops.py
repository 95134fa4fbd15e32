"""Whole runs of located contact: bodies thrown on a floor and on each other at random, for 1.5 s, with steps of 1, 5
and 20 ms and five laws. How many runs end, why others are refused, by how much the energy of a step ever rises, and how
deep anything goes into the floor (from its pose alone).

python studies/random_drops.py [--throws 24] [--seed 1]
"""

import argparse
from collections import Counter
from typing import NamedTuple

import numpy as np
from report import heading, kind_of

import softdock as sd
from softdock.dynamics.trajectory import StepFailed

ROUND = {"mass": 1, "inertia": [0.02, 0.02, 0.005]}
BOX = sd.Body(name="box", mass=2, inertia=[0.0217, 0.0333, 0.0417], shapes=[sd.Box(size=(0.4, 0.3, 0.2))])
BRICK = sd.Body(name="brick", mass=2, inertia=[0.0217, 0.0333, 0.0417], shapes=[sd.Box(size=(0.4, 0.3, 0.2))])
CYLINDER = sd.Body(name="cylinder", shapes=[sd.Cylinder(radius=0.1, length=0.4)], **ROUND)
CAPSULE = sd.Body(name="capsule", shapes=[sd.Capsule(radius=0.1, length=0.4)], **ROUND)
BALL = sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
SLAB = sd.Box(size=(20, 20, 1), placement=sd.Pose(position=(0, 0, -0.5)))
FLOOR = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[SLAB])

SCENES = [(BOX,), (CAPSULE,), (CYLINDER,), (BOX, BALL), (BOX, BRICK), (BALL, CYLINDER), (CAPSULE, BOX)]
LAWS = [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 0.0), (1.0, 0.5)]
"""Restitution, friction."""
STEPS = (0.001, 0.005, 0.02)
SECONDS = 1.5


class Found(NamedTuple):
    rise: float
    """Largest of a step's energy, relative to the energy at the start."""
    depth: float
    """(m)"""


def dropping(bodies: tuple[sd.Body, ...], restitution: float, friction: float) -> sd.Dynamics:
    """Bodies over a floor whose top is z = 0; all may touch all."""
    every = (FLOOR, *bodies)
    contacts = [
        sd.Contact(name=f"{a.name}-{b.name}", body_a=a.name, body_b=b.name, restitution=restitution, friction=friction)
        for i, a in enumerate(every)
        for b in every[i + 1 :]
    ]
    return sd.Dynamics(sd.World(gravity=sd.Uniform(acceleration=(0, 0, -9.81)), bodies=every, contacts=contacts))


def thrown(dynamics: sd.Dynamics, bodies: tuple[sd.Body, ...], rng: np.random.Generator, h: float) -> sd.Motion:
    """One above the other, turned, moving and spinning at random."""
    state = {}
    for i, body in enumerate(bodies):
        turn = rng.normal(size=4)
        state[body.name] = {
            "position": (0.05 * i, 0.03 * i, 0.5 + 0.6 * i), "velocity": 0.5 * rng.normal(size=3),
            "quaternion": turn / np.linalg.norm(turn), "angular_velocity": 2 * rng.normal(size=3),
        }  # fmt: skip
    return sd.Motion(dynamics, *dynamics.state(state), h=h)


def energy(dynamics: sd.Dynamics, q: np.ndarray, v: np.ndarray) -> float:
    balance = dynamics.balance(q, v)
    return float(balance.kinetic + balance.gravity)


def lowest(dynamics: sd.Dynamics, body: sd.Body, q: np.ndarray) -> float:
    """Height of a body's surface over the floor (m), from its pose alone."""
    R, p = dynamics.pose(body.name, q)
    (shape,) = body.shapes
    if isinstance(shape, sd.Box):
        return float(p[2] - np.abs(R[2]) @ shape.size / 2)
    if isinstance(shape, sd.Sphere):
        return float(p[2] - shape.radius)
    across = shape.radius * (1 if isinstance(shape, sd.Capsule) else np.sqrt(max(0, 1 - R[2, 2] ** 2)))
    return float(p[2] - abs(R[2, 2]) * shape.length / 2 - across)


def measured(dynamics: sd.Dynamics, bodies: tuple[sd.Body, ...], motion: sd.Motion) -> Found:
    """Of a run; raises `StepFailed`."""
    start = energy(dynamics, motion.q, motion.v)
    run = motion.run(round(SECONDS / motion.h))
    energies = [start, *(energy(dynamics, q, v) for q, v in zip(run.q, run.v, strict=True))]
    depth = -min(lowest(dynamics, body, q) for body in bodies for q in run.q)
    return Found(float(np.diff(energies).max() / start), depth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=24, help="of each scene and law")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(heading("random_drops", options))
    print("\n| scene | runs | ended | energy of a step rises above 1e-3, 1e-2 | most | deepest (m) |")
    print("|---|---|---|---|---|---|")
    refused: Counter[str] = Counter()
    for bodies in SCENES:
        found, tried = [], 0
        for law in LAWS:
            dynamics = dropping(bodies, *law)
            for k in range(options.throws):
                tried += 1
                motion = thrown(dynamics, bodies, np.random.default_rng([options.seed, k]), STEPS[k % len(STEPS)])
                try:
                    found.append(measured(dynamics, bodies, motion))
                except StepFailed as why:
                    refused[kind_of(why)] += 1
        rise, depth = np.array(found).T
        names = " and ".join(body.name for body in bodies)
        above = f"{(rise > 1e-3).sum()}, {(rise > 1e-2).sum()}"
        print(f"| {names} | {tried} | {len(found)} | {above} | {rise.max():.1e} | {depth.max():.1e} |", flush=True)
    for why, count in refused.most_common():
        print(f"\nrefused {count}: {why}")


if __name__ == "__main__":
    main()
