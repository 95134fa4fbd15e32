"""Located contact where it is hardest, at random. How many runs end, why others are refused, by how much the energy of
a step ever rises, how deep anything goes into anything, and what happens to momentum where nothing is outside.

hits      two bodies of every pair of kinds of shape meet in empty space, spinning, without restitution and friction
          (what touches then slides and rolls on), and with some of both; steps of 5 ms
crowds    two to five bodies of any kind fly together, with any law and steps of 0.1 to 50 ms, half over a floor
stacks    two or three boxes dropped on a floor and each other, askew, with steps of 5 and 10 ms
ratios    the same with masses of 1 and 10,000
far       the same as stacks, 10 km from the origin
latched   stacks of three of which two are welded together as they fall, rock or rest, and let go later
hollow    a free ring, drogue, handle or bracket (of boxes) and a ball, capsule or box thrown at it

python studies/random_contacts.py [--kinds hits crowds …] [--runs 60] [--seed 1] [--finer 2]
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from report import heading, kind_of
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import softdock as sd
from softdock.dynamics.trajectory import StepFailed
from softdock.world.shapes import Placed

SHAPES = ("sphere", "capsule", "box", "mesh", "cylinder")
FLOOR = sd.Body(
    name="floor", mass=0, joint=sd.Fixed(),
    shapes=[sd.Box(size=(40, 40, 1), placement=sd.Pose(position=(0, 0, -0.5)))],
)  # fmt: skip
DOWN = sd.Uniform(acceleration=(0, 0, -9.81))


class Case(NamedTuple):
    name: str
    motion: sd.Motion
    seconds: float
    welds: tuple[float, float] | None = None
    """When the latch "weld" engages and lets go (s)."""


class Found(NamedTuple):
    rise: float
    """Largest of a step's energy, relative to what moves or can fall at the start."""
    depth: float
    """(m)"""
    drift: float
    """Of momentum, relative; 0 where something is outside."""


def shape(kind: str, rng: np.random.Generator) -> Placed:
    if kind == "sphere":
        return sd.Sphere(radius=rng.uniform(0.2, 0.6))
    if kind == "capsule":
        return sd.Capsule(radius=rng.uniform(0.1, 0.4), length=rng.uniform(0.3, 1.0))
    if kind == "cylinder":
        return sd.Cylinder(radius=rng.uniform(0.1, 0.6), length=rng.uniform(0.2, 1.2))
    if kind == "box":
        return sd.Box(size=rng.uniform(0.3, 1.0, 3))
    hull = ConvexHull(rng.normal(size=(12, 3)) * 0.5)
    where = {v: i for i, v in enumerate(hull.vertices)}
    triangles = [[where[v] for v in simplex] for simplex in hull.simplices]
    return sd.ConvexMesh(vertices=hull.points[hull.vertices].tolist(), triangles=triangles)


def turned(rng: np.random.Generator) -> np.ndarray:
    return Rotation.random(rng=rng).as_quat(scalar_first=True)


def hits(rng: np.random.Generator, k: int) -> Iterator[Case]:
    for a, b in combinations_with_replacement(SHAPES, 2):
        law = {"restitution": 0.0} if k % 2 == 0 else {"restitution": 0.3, "friction": 0.2}
        bodies = [
            sd.Body(name=name, mass=mass, inertia=[0.05, 0.06, 0.07], shapes=[shape(kind, rng)])
            for name, mass, kind in (("a", 1, a), ("b", 2, b))
        ]
        contact = sd.Contact(name="touch", body_a="a", body_b="b", **law)
        dynamics, u = sd.Dynamics(sd.World(bodies=bodies, contacts=[contact])), rng.normal(size=3)
        u /= np.linalg.norm(u)
        start = {"a": {"position": 2.5 * u, "velocity": -2 * u}, "b": {"position": 0.1 * rng.normal(size=3)}}
        for body in start.values():
            body |= {"quaternion": turned(rng), "angular_velocity": rng.normal(size=3)}
        while dynamics.gap_values(dynamics.state(start)[0])[0].min() <= 0.0:  # meshes may be that large
            start["a"]["position"] = start["a"]["position"] + 0.5 * u
        yield Case(f"{a} and {b}", sd.Motion(dynamics, *dynamics.state(start), h=0.005), 3.0)


def crowds(rng: np.random.Generator, k: int) -> Iterator[Case]:
    count, over, h = int(rng.integers(2, 6)), k % 2 == 0, float(rng.choice([1e-4, 1e-3, 5e-3, 1e-2, 0.05]))
    bodies, start, middle = [FLOOR] if over else [], {}, np.array([1.1, 1.1, 1.5])
    for i in range(count):
        mass = float(10 ** rng.uniform(-1, 1.5))
        inertia = (0.09 * mass * rng.uniform(0.3, 0.5, 3)).tolist()
        bodies.append(sd.Body(name=f"b{i}", mass=mass, inertia=inertia, shapes=[shape(rng.choice(SHAPES), rng)]))
        at = np.array([2.4 * (i % 2), 2.4 * (i // 2 % 2), 1.8 + 2.4 * (i // 4)])
        start[f"b{i}"] = {
            "position": at, "velocity": rng.choice([0.1, 1.0]) * rng.normal(size=3) - 1.5 * (at - middle),
            "quaternion": turned(rng), "angular_velocity": rng.choice([0.1, 2.0]) * rng.normal(size=3),
        }  # fmt: skip
    law = {"restitution": float(rng.choice([0, 0.3, 0.5, 0.9, 1])), "friction": float(rng.choice([0, 0.3, 0.8]))}
    world = sd.World(gravity=DOWN if over else sd.NoGravity(), bodies=bodies).with_contacts("all", **law)
    dynamics = sd.Dynamics(world)
    yield Case(f"{count} bodies", sd.Motion(dynamics, *dynamics.state(start), h=h), min(1.0, 400 * h))


def stack(rng: np.random.Generator, k: int, name: str, ratio: float = 1.0, far: float = 0.0, count: int = 0) -> Case:
    """Boxes over each other, each shifted and turned a little against the one below."""
    count, e, h = count or int(rng.integers(2, 4)), (0.0, 0.5, 0.8)[k % 3], (0.005, 0.01)[k // 3 % 2]
    bodies, start, z, weld = [], {}, 0.0, {}
    for i in range(count):
        size = rng.uniform(0.2, 0.5, 3)
        mass = 2.0 * (ratio if rng.random() < 0.5 else 1.0)
        inertia = mass * (size @ size - size**2) / 12
        bodies.append(sd.Body(name=f"b{i}", mass=mass, inertia=inertia.tolist(), shapes=[sd.Box(size=size)]))
        z += size[2] / 2 + 0.12
        tilt = Rotation.from_rotvec([*(0.15 * rng.uniform(-1, 1, 2)), rng.uniform(-0.5, 0.5)])
        start[f"b{i}"] = {
            "position": (far + rng.uniform(-0.05, 0.05), far + rng.uniform(-0.05, 0.05), z),
            "quaternion": tilt.as_quat(scalar_first=True),
        }  # fmt: skip
        z += size[2] / 2
    slab = sd.Box(size=(40, 40, 1), placement=sd.Pose(position=(far, far, -0.5)))
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[slab])
    if name == "latched":
        ends = rng.choice(["floor", *(body.name for body in bodies)], 2, replace=False)
        weld = {"latches": [sd.Latch(name="weld", kind="weld", frame_a=ends[0], frame_b=ends[1], capture_distance=5.0,
                                     capture_angle=1.0)]}  # fmt: skip
    world = sd.World(gravity=DOWN, bodies=[floor, *bodies], **weld).with_contacts("all", restitution=e, friction=0.5)
    dynamics = sd.Dynamics(world)
    motion = sd.Motion(dynamics, *dynamics.state(start), h=h)
    welds = (rng.uniform(0.05, 0.8), rng.uniform(0.9, 1.2)) if weld else None
    return Case(f"{name}, e = {e}", motion, 1.3, welds)


def hollow(rng: np.random.Generator, k: int) -> Iterator[Case]:
    bars = [
        sd.Box(size=(0.8, 0.1, 0.3)), sd.Box(size=(0.1, 0.5, 0.3), placement=sd.Pose(position=(-0.35, 0.25, 0))),
        sd.Box(size=(0.1, 0.5, 0.3), placement=sd.Pose(position=(0.35, 0.25, 0))),
    ]  # fmt: skip
    bodies = {
        "ring": [sd.Annulus(inner_radius=0.4, outer_radius=0.5, length=0.3, deviation=0.02)],
        "drogue": [sd.Drogue(throat_radius=0.1, mouth_radius=0.5, depth=0.4, wall=0.03, deviation=0.03)],
        "handle": [sd.Handle(length=0.6, height=0.3, radius=0.03)],
        "bracket": bars,
    }
    small = {"sphere": sd.Sphere(radius=0.15), "capsule": sd.Capsule(radius=0.06, length=0.5),
             "box": sd.Box(size=(0.25, 0.2, 0.3))}  # fmt: skip
    for i, (port, shapes) in enumerate(bodies.items()):
        kind, mover = list(small.items())[(k + i) % 3]
        pair = [
            sd.Body(name="port", mass=5, inertia=[0.5, 0.6, 0.7], shapes=shapes),
            sd.Body(name="mover", mass=1, inertia=[0.01, 0.012, 0.015], shapes=[mover]),
        ]
        law = ({"restitution": 1.0}, {"restitution": 0.0}, {"restitution": 0.4, "friction": 0.3})[k // 3 % 3]
        contact = sd.Contact(name="touch", body_a="mover", body_b="port", **law)
        dynamics = sd.Dynamics(sd.World(bodies=pair, contacts=[contact]))
        u = rng.normal(size=3) + np.array([0.0, 0.0, 2.0])
        u *= 1.3 / np.linalg.norm(u)
        start = {
            "port": {"angular_velocity": 0.5 * rng.normal(size=3)},
            "mover": {"position": u, "velocity": -1.5 * u + 0.2 * rng.normal(size=3), "quaternion": turned(rng),
                      "angular_velocity": rng.normal(size=3)},
        }  # fmt: skip
        yield Case(f"{port} and {kind}", sd.Motion(dynamics, *dynamics.state(start), h=0.005), 3.0)


def cases(kind: str, rng: np.random.Generator, k: int) -> Iterator[Case]:
    if kind in ("hits", "crowds", "hollow"):
        yield from {"hits": hits, "crowds": crowds, "hollow": hollow}[kind](rng, k)
    else:
        most = {"ratios": {"ratio": 1e4}, "far": {"far": 1e4}, "latched": {"count": 3}}.get(kind, {})
        yield stack(rng, k, kind, **most)


def measured(case: Case) -> Found:
    """Of a run; raises `StepFailed`."""
    motion, dynamics = case.motion, case.motion.dynamics
    began = dynamics.balance(motion.q, motion.v)
    rows, at = [], 0
    for until, act in zip((*(case.welds or ()), case.seconds), ("engage", "release", ""), strict=False):
        steps = round(until / motion.h) - at
        rows.append(motion.run(steps))
        at += steps
        if case.welds and act == "engage":
            with suppress(ValueError):  # turned by more than a latch can take up
                motion.engage("weld")
        elif motion.engaged:
            motion.release("weld")
    q, v = np.concatenate([run.q for run in rows]), np.concatenate([run.v for run in rows])
    balance = dynamics.balance(q, v)
    outside = "floor" in [body.name for body in dynamics.world.bodies]
    heights = began.gravity - balance.gravity.min() if outside else 0.0
    scale = began.kinetic + heights
    weights = np.sqrt(2 * scale * sum(body.mass for body in dynamics.world.bodies))
    drift = 0.0 if outside else float(np.abs(balance.momentum - began.momentum).max() / weights)
    deepest = max(0.0, -min(float(np.min(dynamics.gap_values(row)[0])) for row in q[:: max(1, len(q) // 200)]))
    return Found(float(np.diff([began.total, *balance.total]).max() / scale), deepest, drift)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = ("hits", "crowds", "stacks", "ratios", "far", "latched", "hollow")
    parser.add_argument("--kinds", nargs="+", default=kinds, choices=kinds)
    parser.add_argument("--runs", type=int, default=60, help="of each kind (hits: of each pair; hollow: of each body)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--finer", type=int, default=1, help="steps so many times as short")
    parser.add_argument("--each", action="store_true", help="a line for every run that is refused, rises or goes deep")
    options = parser.parse_args()
    print(heading("random_contacts", options))
    print("\n| kind | runs | ended | energy of a step rises above 1e-3, 1e-2 | most | deepest (m) | momentum |")
    print("|---|---|---|---|---|---|---|")
    refused: Counter[str] = Counter()
    for kind in options.kinds:
        found, tried = [Found(0.0, 0.0, 0.0)], 0
        for k in range(options.runs):
            for i, drawn in enumerate(cases(kind, np.random.default_rng([options.seed, k, len(kind)]), k)):
                tried, what, m = tried + 1, "", drawn.motion
                case = drawn._replace(motion=sd.Motion(m.dynamics, m.q, m.v, h=m.h / options.finer))
                try:
                    found.append(measured(case))
                    if found[-1].rise > 1e-3 or found[-1].depth > 2e-7 or found[-1].drift > 1e-11:
                        what = str(found[-1])
                except StepFailed as why:
                    what = str(why)
                    refused[f"{kind}: {kind_of(why)}"] += 1
                if options.each and what:
                    print(f"{kind} {k} {i}, {case.name}, h = {case.motion.h}: {what}", flush=True)
        rise, depth, drift = np.array(found).T
        above = f"{(rise > 1e-3).sum()}, {(rise > 1e-2).sum()}"
        most = f"{rise.max():.1e} | {depth.max():.1e} | {drift.max():.1e}"
        print(f"| {kind} | {tried} | {len(found) - 1} | {above} | {most} |", flush=True)
    for why, count in refused.most_common():
        print(f"\nrefused {count}: {why}")


if __name__ == "__main__":
    main()
