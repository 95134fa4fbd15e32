"""The laws of impact and rest at several points, on random scenes: 1 to 8 free bodies with masses from 1 to 10,000,
1 to 30 points between them and the ground, restitution and friction mixed.

Impacts: energy, momentum, cones, speeds after. Rest (a plastic problem of Signorini and Coulomb from the same scenes):
the three laws on which Le Lidec, Jallet, Montaut, Laptev, Schmid & Carpentier build the criteria of their benchmark
(Contact Models in Robotics: a Comparative Analysis, arXiv 2304.06372), each with a residual of its own, relative to the
impulses and speeds of the scene: Signorini's condition (complementarity of normal impulse and speed), Coulomb's law
(the cone), and the maximum dissipation principle. And all three in one, the natural map of Acary, Brémond & Huber (On
Solving Contact Problems with Coulomb Friction, 2018; the merit function of their collection FCLIB): with û = u +
(μ|u_T|, 0, 0), r − P(r − û), P the projection on the cone; û over G's diagonal, so that both are impulses.

Then whole motions with analytic answers: a block on a slope and a tall box under a push, a millionth below and above
what friction and weight bear, and Painlevé's rod, which slides where Coulomb's law has no finite force.

python studies/contact_truth.py [--scenes 10000] [--seed 1] [--motions-only]
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np
from report import heading

import softdock as sd
from softdock.contact.coulomb import signorini_coulomb
from softdock.contact.impact_law import CAPPED, FRICTION_ERROR, PASSES, PLASTIC, impact
from softdock.kernels.jit import njit


@dataclass
class Scene:
    B: np.ndarray
    """M^(−½) Jᵀ, columns by point: normal and two tangents."""
    w: np.ndarray
    """M^½ × velocity."""
    restitution: np.ndarray
    friction: np.ndarray


def scene(rng: np.random.Generator, rough: bool) -> Scene:
    """Random bodies, of which points of some touch others or the ground (body −1)."""
    bodies, points = int(rng.integers(1, 9)), int(rng.integers(1, 31))
    mass = 10 ** rng.uniform(0, 4, bodies)
    size = rng.uniform(0.1, 1.0, bodies)
    B = np.zeros((6 * bodies, 3 * points))
    for k in range(points):
        a = int(rng.integers(bodies))
        b = int(rng.integers(-1, bodies))
        normal = rng.normal(size=3)
        axes = np.linalg.qr(np.column_stack([normal, rng.normal(size=(3, 2))]))[0].T
        for body, sign in ((a, 1.0), (b, -1.0)):
            if body < 0 or (body == b and a == b):
                continue
            arm, at = rng.uniform(-size[body], size[body], 3), slice(6 * body, 6 * body + 6)
            rows = np.column_stack([axes, np.cross(arm, axes)]) * sign
            weight = np.repeat([1.0, 0.4 * size[body] ** 2], 3) * mass[body]
            B[at, 3 * k : 3 * k + 3] += (rows / np.sqrt(weight)).T
    w = rng.normal(size=6 * bodies) * np.sqrt(np.repeat(mass, 6))
    friction = rng.uniform(0, 1.5, points) if rough else np.zeros(points)
    return Scene(B, w, rng.choice([0.0, 1.0, rng.uniform()], points), friction)


def struck(case: Scene) -> dict[str, float]:
    """What an impact does: growth of energy, error of momentum, distance from the cones, speed of closing after, each
    relative to the scene; and what the solver says of itself."""
    w, r, stats = case.w.copy(), np.zeros(case.B.shape[1]), np.zeros(5)
    began = time.perf_counter()
    impact(case.B, w, case.restitution, case.friction, r, stats)
    seconds = time.perf_counter() - began
    normal, tangent, size = r[::3], np.hypot(r[1::3], r[2::3]), max(float(np.abs(r).max()), 1e-300)
    lengths = np.linalg.norm(case.B[:, ::3], axis=0)
    after = (case.B.T @ w)[::3] / np.maximum(lengths, 1e-300)
    energy = case.w @ case.w
    return {
        "energy": (w @ w - energy) / energy,
        "momentum": float(np.abs(case.w + case.B @ r - w).max() / np.sqrt(energy)),
        "cone": float(max((tangent - case.friction * normal).max(), -normal.min()) / size),
        "closing": float(-after.min() / np.sqrt(energy)),
        "friction law": stats[FRICTION_ERROR], "passes": stats[PASSES], "shortened": stats[CAPPED],
        "plastic end": stats[PLASTIC], "seconds": seconds,
    }  # fmt: skip


def on_cone(x: np.ndarray, friction: np.ndarray) -> np.ndarray:
    """Points (n, 3) projected on the cones |x_T| ≤ μ x_N."""
    normal, tangent = x[:, 0], np.hypot(x[:, 1], x[:, 2])
    along = np.maximum(0.0, (normal + friction * tangent) / (1 + friction**2))  # on the cone's surface
    inside = tangent <= friction * normal
    size = np.where(inside, tangent, friction * along) / np.maximum(tangent, 1e-300)
    return np.column_stack([np.where(inside, normal, along), size * x[:, 1], size * x[:, 2]])


@njit(cache=True)
def at_rest(G, b, friction, base, r, tolerance, floor, proximal, info):  # type: ignore[no-untyped-def]
    """`signorini_coulomb` as loops call it, compiled apart: to be called from Python it would be compiled once more."""
    return signorini_coulomb(G, b, friction, base, r, tolerance, floor, proximal, info)


def rested(case: Scene) -> dict[str, float]:
    """Residuals of a plastic problem."""
    G, b, r = case.B.T @ case.B, case.B.T @ case.w, np.zeros(case.B.shape[1])
    began = time.perf_counter()
    at_rest(G, b, case.friction, np.zeros(case.friction.size), r, 1e-13, 0.0, 1e-6, np.zeros(4, np.int64))
    seconds = time.perf_counter() - began
    u, load, speed = G @ r + b, max(float(np.abs(r).max()), 1e-300), max(float(np.abs(b).max()), 1e-300)
    normal, tangent, slip = r[::3], np.hypot(r[1::3], r[2::3]), np.hypot(u[1::3], u[2::3])
    stiff = np.maximum(G.diagonal().reshape(-1, 3).sum(1) / 3, 1e-300)
    shifted = (u.reshape(-1, 3) + np.column_stack([case.friction * slip, 0 * slip, 0 * slip])) / stiff[:, None]
    natural = np.abs(r.reshape(-1, 3) - on_cone(r.reshape(-1, 3) - shifted, case.friction)).max(1)
    dissipation = case.friction * normal * slip + r[1::3] * u[1::3] + r[2::3] * u[2::3]
    return {
        "complementarity": float(np.minimum(np.maximum(normal, 0) / load, np.abs(u[::3]) / speed).max()),
        "closing": float(-u[::3].min() / speed),
        "cone": float(max((tangent - case.friction * normal).max(), -normal.min()) / load),
        "dissipation": float(np.abs(dissipation).max() / max(load * speed, 1e-300)),
        "natural map": float((natural * stiff).max() / speed),
        "seconds": seconds,
    }


def table(title: str, found: list[dict[str, float]], bounds: dict[str, float]) -> None:
    """The largest of each, and how many scenes are above its bound."""
    print(f"\n{title}: {len(found)} scenes, median {1e6 * np.median([f['seconds'] for f in found]):.0f} µs\n")
    print("| | largest | 99.9 % | bound | scenes above |\n|---|---|---|---|---|")
    for name in found[0]:
        values = np.array([f[name] for f in found])
        if name in bounds:
            above = int((values > bounds[name]).sum())
            print(f"| {name} | {values.max():.1e} | {np.quantile(values, 0.999):.1e} | {bounds[name]:.0e} | {above} |")
        elif name != "seconds":
            above = int((values > 0).sum())
            print(f"| {name} | {values.max():.3g} | {np.quantile(values, 0.999):.3g} | – | {above} above 0 |")


G = 9.81


def on_a_floor(body: sd.Body, gravity: tuple[float, float, float], friction: float) -> sd.Dynamics:
    """A body over the plane z = 0."""
    slab = sd.Box(size=(40, 40, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[slab])
    touch = sd.Contact(name="touch", body_a=body.name, body_b="floor", restitution=0.0, friction=friction)
    return sd.Dynamics(sd.World(gravity=sd.Uniform(acceleration=gravity), bodies=[floor, body], contacts=[touch]))


def box(size: tuple[float, float, float]) -> sd.Body:
    x, y, z = size
    inertia = [2.0 * (y * y + z * z) / 12, 2.0 * (x * x + z * z) / 12, 2.0 * (x * x + y * y) / 12]
    return sd.Body(name="box", mass=2.0, inertia=inertia, shapes=[sd.Box(size=size)])


def on_a_slope(share: float) -> tuple[float, float]:
    """Way (m) in 10 s of a block on a slope of tan = μ × share, and what it should be."""
    slope = np.arctan(0.5 * share)
    dynamics = on_a_floor(box((0.4, 0.4, 0.2)), (G * np.sin(slope), 0, -G * np.cos(slope)), 0.5)
    motion = sd.Motion(dynamics, *dynamics.state({"box": {"position": (0, 0, 0.1)}}), h=0.01)
    motion.run(1000, every=1000)
    fall = G * (np.sin(slope) - 0.5 * np.cos(slope))
    return float(motion.q[0]), 0.5 * max(fall, 0.0) * 100.0


def pushed(share: float) -> float:
    """Turn (rad) after 2 s of a box 0.2 m wide and 0.6 m high, pushed at its middle with that share of what tips it."""
    dynamics = on_a_floor(box((0.2, 0.2, 0.6)), (0, 0, -G), 0.9)
    motion = sd.Motion(dynamics, *dynamics.state({"box": {"position": (0, 0, 0.3)}}), h=0.005)
    motion.run(400, [share * 2.0 * G * 0.1 / 0.3, 0, 0, 0, 0, 0], every=400)
    return float(2 * np.arcsin(np.linalg.norm(motion.q[4:7])))


def painleve(friction: float, angle: float, speed: float) -> tuple[float, int, str]:
    """A uniform rod of 1 m that slides on its lower end, leaning against its motion: largest growth of its energy,
    relative, impacts, and how the run ended."""
    tip = sd.Sphere(radius=1e-3, placement=sd.Pose(position=(-0.5, 0, 0)))
    rod = sd.Body(name="rod", mass=1.0, inertia=[1e-3, 1 / 12, 1 / 12], shapes=[tip])
    dynamics = on_a_floor(rod, (0, 0, -G), friction)
    height = 0.5 * np.sin(angle) + 1e-3
    turn = [np.cos(angle / 2), 0, -np.sin(angle / 2), 0]
    start = {"rod": {"position": (0, 0, height), "quaternion": turn, "velocity": (speed, 0, 0)}}
    motion, ended = sd.Motion(dynamics, *dynamics.state(start), h=1e-3), "ran on"
    try:
        run = motion.run(150)
    except sd.StepFailed as error:
        run, ended = error.trajectory, str(error)
    if not len(run):
        return 0.0, 0, ended
    energy = dynamics.balance(run.q, run.v).total
    first = dynamics.balance(*dynamics.state(start)).total
    return float((energy.max() - first) / first), len(run.impacts), ended


def motions() -> None:
    """The table of whole motions."""
    print("\nMotions\n\n| | measured | analytic |\n|---|---|---|")
    for share in (1 - 1e-6, 1 + 1e-6):
        way, right = on_a_slope(share)
        print(f"| block on a slope of tan = μ (1 {share - 1:+.0e}), way in 10 s | {way:.6e} m | {right:.6e} m |")
    for share in (1 - 1e-6, 1 + 1e-6):
        right = "0" if share < 1 else "above 0"
        print(f"| tall box, push of (1 {share - 1:+.0e}) × critical, turn in 2 s | {pushed(share):.3e} rad | {right} |")
    print("\n| Painlevé's rod: μ, angle, direction | energy grows by | impacts | end |\n|---|---|---|---|")
    for friction in (0.5, 1.4, 2.0):
        for angle in (0.6, 1.0, 1.2):
            for speed in (-3.0, 3.0):
                grown, impacts, ended = painleve(friction, angle, speed)
                way = "against its lean" if speed < 0 else "along it"
                print(f"| {friction}, {angle} rad, {way} | {max(grown, 0.0):.1e} | {impacts} | {ended} |")


IMPACT = {"energy": 1e-12, "momentum": 1e-12, "cone": 1e-12, "closing": 1e-10}
REST = {"complementarity": 1e-10, "closing": 1e-10, "cone": 1e-10, "dissipation": 1e-10, "natural map": 1e-10}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--motions-only", action="store_true", help="no random scenes")
    options = parser.parse_args()
    print(heading("contact_truth", options))
    motions()
    if options.motions_only:
        return
    rng = np.random.default_rng(options.seed)
    scenes = [scene(rng, rough=k % 2 == 1) for k in range(options.scenes)]
    table("Impacts without friction", [struck(case) for case in scenes[::2]], IMPACT)
    table("Impacts with friction", [struck(case) for case in scenes[1::2]], IMPACT)
    table("Rest", [rested(case) for case in scenes], REST)


if __name__ == "__main__":
    main()
