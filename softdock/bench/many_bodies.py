"""Free boxes of which any two may touch, few near each other, beside MuJoCo; and steps that change on the way."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from softdock.bench import mujoco_peer
from softdock.bench.rows import Limit, Result, Row, Say, beside_mujoco, ratio
from softdock.bench.softdock_engine import flight
from softdock.bench.timing import Job, least, timed
from softdock.bench.worlds import tensor
from softdock.dynamics import Dynamics, Motion
from softdock.world import Body, Box, Compliance, Fixed, Pose, Sphere, World

CASE = "many-bodies"
H, TOGETHER, APART = 0.01, 1.0, 0.01
"""Step (s); speed (m/s) of all boxes along x; how much of it each has of its own."""


def boxes(count: int, pitch: float) -> tuple[World, np.ndarray, np.ndarray]:
    """Cubes of 0.2 m in a cubic grid that fly together, and where they begin."""
    rng, side = np.random.default_rng(3), round(count ** (1 / 3))
    inertia = tensor(*[0.2**2 / 6] * 3)
    bodies = [
        Body(name=f"box{k}", mass=1.0, inertia=inertia, shapes=(Box(size=(0.2, 0.2, 0.2)),)) for k in range(count)
    ]
    q, v = np.zeros((count, 7)), np.zeros((count, 6))
    q[:, :3] = pitch * np.array([(k % side, k // side % side, k // side**2) for k in range(count)])
    q[:, 3] = 1.0
    v[:, :3] = (TOGETHER, 0.0, 0.0) + APART * rng.standard_normal((count, 3))
    v[:, 3:] = 2 * APART * rng.standard_normal((count, 3))
    return World(name=f"boxes-{count}", bodies=tuple(bodies), contacts="all"), q.ravel(), v.ravel()  # type: ignore[arg-type]


def run(say: Say, steps: int = 500, rounds: int = 5, hundred: int = 100, five_hundred: int = 500) -> Result:
    """Rows and limits of 27, 100 and 500 boxes, and of a ball that bounces."""
    result = Result()
    for name, count, pitch, most in (("27", 27, 0.3, 3.0), ("100", hundred, 1.0, 2.0), ("500", five_hundred, 1.0, 2.0)):
        say(f"{CASE}: {count} boxes")
        world, q, v = boxes(count, pitch)
        before = resident()
        dynamics = Dynamics(world, say)
        jobs: dict[str, Job] = {"softdock": flight(dynamics, q, v, H, steps)}
        jobs["softdock"]()
        held = (resident() - before) / 1e6 if before else None
        if mujoco_peer.installed():
            jobs["mujoco"] = mujoco_peer.MujocoEngine(world).job(q, v, "Euler", H, steps)
        best = least(jobs, rounds=rounds, seconds=20.0)
        result.rows += beside_mujoco(f"{CASE}/{name}", best, H, steps)
        times = ratio(best["softdock"], best.get("mujoco"))
        result.limits.append(Limit(f"{CASE}: {name} boxes, of MuJoCo's time", times, most))
        if name != "27":
            limit = 200.0 if name == "100" else 1000.0
            result.limits.append(Limit(f"{CASE}: {name} boxes, MB with their compiled world", held, limit))
    _changing(result, say, rounds)
    return result


def resident() -> float:
    """Memory (bytes) that this process has; 0 where the platform does not tell."""
    try:
        return float(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0.0


def bouncing() -> tuple[World, dict[str, object]]:
    """A ball between two compliant walls 2 m apart, at 0.5 m/s."""
    ball = Body(name="ball", mass=1.0, inertia=tensor(*[0.004] * 3), shapes=(Sphere(radius=0.1),))
    cubes = [Box(size=(1, 1, 1), placement=Pose(position=(x, 0, 0))) for x in (-1.5, 1.5)]
    walls = [Body(name=f"wall{k}", mass=0.0, joint=Fixed(), shapes=(cube,)) for k, cube in enumerate(cubes)]
    world = World(name="bouncing", bodies=(ball, *walls))
    world = world.with_contacts("all", compliance=Compliance(stiffness=1e6, exponent=1.5), exclude=[("wall0", "wall1")])
    return world, {"ball": {"velocity": (0.5, 0.0, 0.0)}}


def _changing(result: Result, say: Say, rounds: int, seconds: float = 20.0) -> None:
    """A ball with steps that change on the way, and with one step, of the same error."""
    world, start = bouncing()
    dynamics = Dynamics(world, say)
    q, v = dynamics.state(start)
    exact = _bounced(dynamics, q, v, 1e-4, None, seconds)[1]
    cases: dict[str, Callable[[], tuple[float, float]]] = {
        "steps that change": lambda: _bounced(dynamics, q, v, 0.1, 1e-3, seconds),
        "one step": lambda: _bounced(dynamics, q, v, 1e-3, None, seconds),
    }
    errors = {name: abs(case()[1] - exact) for name, case in cases.items()}
    best = least({name: _seconds(case) for name, case in cases.items()}, rounds=rounds)
    result.rows += [
        Row(f"{CASE}/ball", "softdock", name, 2, h, None, 1e3 * best[name], errors[name])
        for name, h in (("steps that change", 0.1), ("one step", 1e-3))
    ]


def _seconds(case: Callable[[], tuple[float, float]]) -> Job:
    return lambda: case()[0]


def _bounced(
    dynamics: Dynamics, q: np.ndarray, v: np.ndarray, h: float, error: float | None, seconds: float
) -> tuple[float, float]:
    motion, steps = Motion(dynamics, q, v, h=h, contact_error=error), round(seconds / h)
    return timed(lambda: motion.run(steps, every=steps)), float(motion.q[0])
