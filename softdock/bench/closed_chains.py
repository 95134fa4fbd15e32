"""Rings of free rods, each latched to the next by a point, beside MuJoCo (`connect` between sites)."""

import math

import numpy as np

from softdock.bench import mujoco_peer
from softdock.bench.rows import Limit, Result, Say, beside_mujoco, ratio
from softdock.bench.softdock_engine import flight
from softdock.bench.timing import Job, least
from softdock.bench.worlds import tensor
from softdock.dynamics import Dynamics, Motion
from softdock.world import Body, Frame, Latch, Pose, World

CASE = "closed-chains"
H, SPEED = 1e-3, 0.1
"""Step (s); size of all velocities (m/s, rad/s) before the ring is closed."""


def ring(count: int) -> tuple[World, np.ndarray, np.ndarray]:
    """A regular polygon of rods of 1 m and 10 kg, and a state in which they move at random."""
    bodies, frames, latches = [], list[Frame](), []
    q, radius = np.zeros((count, 7)), 0.5 / math.tan(math.pi / count)
    for k in range(count):
        bodies.append(Body(name=f"rod{k}", mass=10.0, inertia=tensor(0.05, 0.83, 0.83)))
        for name, x in (("end", 0.5), ("start", -0.5)):
            frames.append(Frame(name=f"{name}{k}", body=f"rod{k}", placement=Pose(position=(x, 0.0, 0.0))))
        ends = {"frame_a": f"end{k}", "frame_b": f"start{(k + 1) % count}"}
        latches.append(Latch(name=f"latch{k}", kind="point", engaged=True, **ends))  # type: ignore[arg-type]
        angle = 2 * math.pi * k / count
        half = (angle + math.pi / 2) / 2
        q[k] = [radius * math.cos(angle), radius * math.sin(angle), 0.0, math.cos(half), 0.0, 0.0, math.sin(half)]
    world = World(name=f"ring-{count}", bodies=tuple(bodies), frames=tuple(frames), latches=tuple(latches))
    return world, q.ravel(), SPEED * np.random.default_rng(3).standard_normal(6 * count)


def run(say: Say, steps: int = 500, rounds: int = 7, counts: tuple[int, ...] = (5, 10, 20)) -> Result:
    """At most MuJoCo's time for 20 latches."""
    result = Result()
    for count in counts:
        say(f"{CASE}: {count} latches")
        world, q, v = ring(count)
        dynamics = Dynamics(world, say)
        v = Motion(dynamics, q, v, h=H).v  # as the closed ring moves
        jobs: dict[str, Job] = {"softdock": flight(dynamics, q, v, H, steps)}
        if mujoco_peer.installed():
            jobs["mujoco"] = mujoco_peer.MujocoEngine(world).job(q, v, "Euler", H, steps)
        best = least(jobs, rounds=rounds, seconds=20.0)
        result.rows += beside_mujoco(f"{CASE}/{count}", best, H, steps)
        times = ratio(best["softdock"], best.get("mujoco"))
        most = 1.0 if count == max(counts) else None
        result.limits.append(Limit(f"{CASE}: {count} latches, of MuJoCo's time", times, most))
    return result
