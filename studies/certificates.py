"""What certificates cost: plans with and without certified clearance, registrations with and without probes, in turn.

    python studies/certificates.py [--rounds 5] [--seed 0]

Least processor time of some rounds. A plan without its certificate is checked at ten times in every interval of its
knots; a registration without probes believes its normal equations, and does not look for other poses or sizes.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import trimesh
from report import heading

from softdock import Body, Capsule, Dynamics, Fixed, Pose, Revolute, Sphere, World
from softdock.bench.sensing import views
from softdock.bench.timing import least, timed
from softdock.planning import plan_motion
from softdock.planning.constraints import Clearances
from softdock.sensing import Noise, Surface, register, satellite
from softdock.sensing import registration as registering
from softdock.sensing.alignment import Alignment, Larger

ARM, PLANE = ["upper", "fore"], [f"joint{k}" for k in range(6)]


@contextmanager
def without(*parts: tuple[Any, str, Callable[..., Any]]) -> Iterator[None]:
    """With other methods in place of some."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in parts]
    for owner, name, other in parts:
        setattr(owner, name, other)
    try:
        yield
    finally:
        for owner, name, method in before:
            setattr(owner, name, method)


def planar(radius: float, at: tuple[float, float]) -> Dynamics:
    """Two tubes of 1 m, and a ball."""
    tube = Capsule(radius=0.05, length=0.9, placement=Pose(position=(0.5, 0, 0), rpy=(0, np.pi / 2, 0)))
    link = {"mass": 4.0, "center": (0.5, 0, 0), "inertia": (0.01, 0.34, 0.34), "shapes": (tube,)}
    ball = {"mass": 1.0, "shapes": (Sphere(radius=radius),)}
    return Dynamics(
        World(
            bodies=(
                Body(name="upper", joint=Revolute(), **link),
                Body(name="fore", parent="upper", joint=Revolute(), placement=Pose(position=(1.0, 0, 0)), **link),
                Body(name="rock", joint=Fixed(), placement=Pose(position=(*at, 0)), **ball),
            )
        )
    )


def spatial() -> Dynamics:
    """Six tubes of 0.4 m about axes in turn, and three balls around them."""
    tube = Capsule(radius=0.04, length=0.3, placement=Pose(position=(0.2, 0, 0), rpy=(0, np.pi / 2, 0)))
    link = {"mass": 2.0, "center": (0.2, 0, 0), "inertia": (0.01, 0.05, 0.05), "shapes": (tube,)}
    bodies = [
        Body(
            name=name,
            parent=PLANE[k - 1] if k else "world",
            joint=Revolute(axis=(0, 0, 1) if k % 2 == 0 else (0, 1, 0)),
            placement=Pose(position=(0.4, 0, 0) if k else (0, 0, 0)),
            **link,
        )
        for k, name in enumerate(PLANE)
    ]
    for k, at in enumerate(((1.6, 1.0, 0.15), (0.9, 1.2, -0.5), (1.9, 0.2, 0.7))):
        ball = {"mass": 1.0, "shapes": (Sphere(radius=0.1),)}
        bodies.append(Body(name=f"ball{k}", joint=Fixed(), placement=Pose(position=at), **ball))
    return Dynamics(World(bodies=tuple(bodies)))


def plans() -> dict[str, Callable[[], object]]:
    """Motions round obstacles."""
    found: dict[str, Callable[[], object]] = {}
    start, goal = np.array([-0.6, 0.3]), np.array([0.8, 1.0])
    for label, radius, at in (("a ball of 15 cm", 0.15, (1.75, 0.75)), ("a ball of 1 cm", 0.01, (1.7, 0.55))):
        d = planar(radius, at)
        q, _ = d.state({name: {"position": x} for name, x in zip(ARM, start, strict=True)})
        margin = {(name, "rock"): 0.05 for name in ARM}
        found[f"two joints, {label}"] = lambda d=d, q=q, margin=margin: plan_motion(
            d, ARM, q, goal, 3.0, clearance=margin
        )
    d = spatial()
    q, _ = d.state()
    margin = {(name, f"ball{k}"): 0.03 for name in PLANE for k in range(3)}
    far = np.array([0.9, 0.3, 0.4, -0.4, 0.3, 0.2])
    found["six joints, three balls"] = lambda: plan_motion(d, PLANE, q, far, 4.0, clearance=margin)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(heading("certificates", options))
    print("\n| | with (ms) | without (ms) | ratio |\n|---|---:|---:|---:|")
    blind = (Clearances, "missed", lambda self, plan: [])
    for label, plan in plans().items():
        row(f"plan, {label}", plan, options.rounds, blind)
    probes = (
        (Alignment, "_unseen", lambda *_: 0.0),
        (Alignment, "_as_good", lambda *_: 0.0),
        (Alignment, "larger", lambda *_: Larger()),
        (registering, "other_turns", lambda *_: np.zeros((6, 6))),
        (registering, "_better", lambda alignment, fit, some: fit),
    )
    prism = Surface(trimesh.creation.cylinder(radius=0.4, height=0.8, sections=8))
    for label, surface in (("", satellite()), (" of a bare prism of 8 sides", prism)):
        cases = list(views(surface, 2000, 12, options.seed, Noise(0.002)))
        every = lambda surface=surface, cases=cases: [register(scan, surface, guess) for _, scan, guess in cases]  # noqa: E731
        row(f"registration of 2,000 points{label}, mean of 12 views", every, options.rounds, *probes, share=len(cases))


def row(label: str, job: Callable[[], object], rounds: int, *parts: tuple[Any, str, Any], share: int = 1) -> None:
    def plain() -> float:
        with without(*parts):
            return timed(job)

    best = least({"with": lambda: timed(job), "without": plain}, rounds=rounds)
    one, other = (1e3 * best[name] / share for name in ("with", "without"))
    print(f"| {label} | {one:.2f} | {other:.2f} | {one / other:.2f} |", flush=True)


if __name__ == "__main__":
    main()
