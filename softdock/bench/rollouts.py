"""Many worlds in one call, and one step a call: what loops and calls take, beside MuJoCo's own."""

from collections.abc import Callable
from typing import Any

import numpy as np

from softdock.bench import mujoco_peer
from softdock.bench.free_arm import start
from softdock.bench.impacts import between_walls, with_a_far_contact
from softdock.bench.planar_iss import problem
from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import Job, least, repeated, timed
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics, Motion, rollout
from softdock.scenarios import load

CASE, H, WORLDS, SPEED = "rollouts", 0.01, 16, 0.2
"""Step (s), worlds, and the speed (m/s) of a ball, which meets a wall every 50 steps."""
STEPS = {"planar station": 4000, "free base with 7 joints": 2000, "planar station, a contact": 4000,
         "ball between walls": 4000, "docking, held by a latch": 2600}  # fmt: skip
MOST = {"planar station": 0.13, "free base with 7 joints": 0.45}
"""µs a step and world, in one thread; none is asked for of those with contacts."""
LEDGER, CALL, NEW = 0.10, 10.0, 60.0
"""Of a step, the ledger's part; µs of `Motion.run(1)` and of `Motion(...)`."""


def run(say: Say, *, rounds: int = 7) -> Result:
    """Rollouts without what sets them up; the ledger's part of a step; calls of single steps."""
    result = Result()
    case, arm = problem("pd40"), free_arm(7)
    station, flyer = Dynamics(case.world), Dynamics(arm)
    _rollouts(result, "planar station", station, case.q, case.v, station.command(position=case.targets), rounds, say)
    _rollouts(result, "free base with 7 joints", flyer, *start(arm, 0.1), np.zeros(flyer.nv), rounds, say)
    docking, walls = Dynamics(with_a_far_contact(case.world)), Dynamics(between_walls())
    q, v = walls.state({"ball": {"velocity": (SPEED, 0.0, 0.0)}})
    u = docking.command(position=case.targets)
    _rollouts(result, "planar station, a contact", docking, case.q, case.v, u, rounds, say)
    _rollouts(result, "ball between walls", walls, q, v, np.zeros(walls.nv), rounds, say)
    held = [load("iss-docking", [f"arm.start=[{3.37 + 0.002 * k}, 0.97, 1.23]"]) for k in range(WORLDS)]
    q, v = (np.array(part) for part in zip(*(one.state() for one in held), strict=True))
    grasped, docked = Dynamics(held[0].world), load("iss-docking").model_dump()["arm"]["docked"]
    u = grasped.command(position=dict(zip(("arm1", "arm2", "arm3"), docked, strict=True)))
    _rollouts(result, "docking, held by a latch", grasped, q, v, u, rounds, say)
    _ledger(result, station, case.q, case.v, rounds)
    _single(result, flyer, *start(arm, 0.1), rounds)
    return result


def _rollouts(
    result: Result, name: str, dynamics: Dynamics, q: np.ndarray, v: np.ndarray, u: np.ndarray, rounds: int, say: Say
) -> None:
    """By the difference of long and short rollouts, in which what sets them up is the same; of one state and those
    near it, or of as many as are given."""
    say(f"{CASE}: {name}")
    steps = STEPS[name]
    starts, rates = (np.tile(x, (WORLDS, 1)) if x.ndim == 1 else x for x in (q, v))
    if q.ndim == 1:
        turned = slice(-3, None) if "ball" not in name else slice(0, 3)
        starts[:, turned] += 0.01 * np.random.default_rng(1).normal(size=(WORLDS, 3))

    def ours(steps: int) -> Callable[[], Any]:
        return lambda: rollout(dynamics, starts, rates, h=H, steps=steps, commands=u, every=steps, threads=1)

    def one(steps: int) -> float:
        motion = Motion(dynamics, np.atleast_2d(q)[0], np.atleast_2d(v)[0], h=H)
        return timed(lambda: motion.run(steps, u, every=steps))

    jobs: dict[tuple[str, int], Job] = {}
    for count in (steps // 10, steps):
        jobs["lanes", count] = lambda count=count: timed(ours(count)) / WORLDS  # type: ignore[misc]
        jobs["alone", count] = lambda count=count: one(count)  # type: ignore[misc]
        if mujoco_peer.installed() and name in MOST:
            targets = {"upper": 2.932, "fore": 0.741, "hand": 0.776} if "planar" in name else {}
            engine = mujoco_peer.MujocoEngine(dynamics.world, targets)
            jobs["mujoco", count] = lambda count=count, e=engine: (  # type: ignore[misc]
                e.rollout(q, v, "Euler", H, count, WORLDS) / WORLDS
            )
    best = least(jobs, rounds=rounds, seconds=60.0)
    ways = {"lanes": ("softdock", "variational, rollout", 2), "alone": ("softdock", "variational, Motion.run", 2),
            "mujoco": ("mujoco", "Euler, rollout", 1)}  # fmt: skip
    for kind, way in ways.items():
        if (kind, steps) in best:
            took = (best[kind, steps] - best[kind, steps // 10]) / (steps - steps // 10)
            result.rows.append(Row(f"{CASE}/{name}", *way, H, 1e6 * took, 1e3 * best[kind, steps]))
            if kind == "lanes" and name in MOST:
                result.limits.append(Limit(f"{CASE}: µs a step, {name}, one thread", 1e6 * took, MOST[name]))


def _ledger(result: Result, dynamics: Dynamics, q: np.ndarray, v: np.ndarray, rounds: int) -> None:
    def job(ledger: bool) -> Job:
        def run_() -> float:
            motion = Motion(dynamics, q, v, h=H)
            return timed(lambda: motion.run(4000, every=4000, ledger=ledger))

        return run_

    best = least({ledger: job(ledger) for ledger in (False, True)}, rounds=2 * rounds, seconds=20.0)
    for ledger, took in best.items():
        way = "variational, with the ledger" if ledger else "variational"
        result.rows.append(Row(f"{CASE}/ledger", "softdock", way, 2, H, 1e6 * took / 4000, 1e3 * took))
    result.limits.append(Limit(f"{CASE}: the ledger's part of a free step", 1 - best[False] / best[True], LEDGER))


def _single(result: Result, dynamics: Dynamics, q: np.ndarray, v: np.ndarray, rounds: int) -> None:
    motion = Motion(dynamics, q, v, h=H)
    jobs = {
        "Motion.run(1)": repeated(lambda: motion.run(1), 500),
        "Motion(...)": repeated(lambda: Motion(dynamics, q, v, h=H), 100),
    }
    for (name, took), most in zip(least(jobs, rounds=rounds, seconds=20.0).items(), (CALL, NEW), strict=True):
        result.rows.append(Row(f"{CASE}/single calls", "softdock", name, 2, H, 1e6 * took))
        result.limits.append(Limit(f"{CASE}: µs of {name}, free base with 7 joints", 1e6 * took, most))
