"""How time grows with the number of joints on a free base: of a step, and of compiling."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from softdock.bench import mujoco_peer
from softdock.bench.free_arm import start
from softdock.bench.rows import Limit, Result, Row, Say, exponent
from softdock.bench.softdock_engine import flight
from softdock.bench.timing import Job, least
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics, Motion
from softdock.kernels.cache import folder
from softdock.kernels.loop_cache import FOLDER

H, RATE, ALIKE = 0.01, 0.02, 2
"""Step (s), joint rates (rad/s), and how many in a row have the same sign: with two, the joints of each axis
alternate, and a long chain ripples; if all of an axis turned one way, its end would lash at metres a second."""
COMPILED = (32, 64)


def run(
    say: Say, *, joints: Sequence[int] = (4, 8, 16, 32, 64, 128, 256), steps: int = 1000, rounds: int = 9,
    compiled: Sequence[int] = COMPILED,
) -> Result:  # fmt: skip
    """Time per step grows no faster than n^1.5 up to 32 joints, n^1.3 from 16 to 64; a cold compile of 32 takes under
    10 s. Over 10 s: chains of 64 and more whip at 12 to 16 s (docs/theory/step.md)."""
    jobs: dict[tuple[str, int], Job] = {}
    for n in joints:
        say(f"growth: preparing {n} joints")
        jobs["softdock", n] = softdock_job(n, steps, say)
        if mujoco_peer.installed():
            jobs["mujoco", n] = mujoco_job(n, steps)
    say("growth: engines in turn")
    best = least(jobs, rounds=rounds, seconds=40.0)
    kinds = {"softdock": ("variational", 2), "mujoco": ("Euler", 1)}
    rows = [
        Row(f"growth/{n}", engine, *kinds[engine], H, 1e6 * best[engine, n] / steps, 1e3 * best[engine, n])
        for engine, n in jobs
    ]
    limits = []
    for engine, first, last, limit in (("softdock", 1, 32, 1.5), ("softdock", 16, 64, 1.3), ("mujoco", 1, 32, None)):
        fitted = [n for n in joints if first <= n <= last]
        if len(fitted) > 1 and (engine, fitted[0]) in best:
            slope = exponent(fitted, [best[engine, n] for n in fitted])
            limits.append(Limit(f"growth: {engine}'s exponent, {fitted[0]} to {fitted[-1]} joints", slope, limit))
    compiles = compile_times(compiled, say)
    return Result(rows + compiles.rows, limits + compiles.limits)


def softdock_job(n: int, steps: int, say: Say) -> Job:
    world = free_arm(n)
    q, v = start(world, RATE, ALIKE)
    return flight(Dynamics(world, announce=say), q, v, H, steps)


def mujoco_job(n: int, steps: int) -> Job:
    world = free_arm(n)
    return mujoco_peer.MujocoEngine(world).job(*start(world, RATE, ALIKE), "Euler", H, steps)


# --- compiling -----------------------------------------------------------------------------------


def compile_times(joints: Sequence[int], say: Say) -> Result:
    """Processor seconds from the world's description to the first step in a fresh process with an empty cache."""
    result = Result()
    for n in joints:
        for loops in ("warm", "cold") if n == joints[0] else ("warm",):
            say(f"growth: compiling {n} joints with an empty cache, Numba loops {loops}")
            seconds = in_fresh_process(n, warm=loops == "warm")
            name = f"compile, Numba loops {loops}"
            result.rows.append(Row(f"growth/{n}", "softdock", name, 2, H, total_ms=1e3 * seconds))
            limit = 10.0 if n <= 32 else None
            result.limits.append(Limit(f"growth: seconds to {name}, {n} joints", seconds, limit))
    return result


def in_fresh_process(n: int, *, warm: bool) -> float:
    """What `compile_now` took. Numba's loops are the same for all worlds; warm ones are this process's."""
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "SOFTDOCK_CACHE": empty}
        if warm and (folder() / FOLDER).exists():
            (Path(empty) / FOLDER).symlink_to((folder() / FOLDER).resolve())
        code = f"from softdock.bench.growth import compile_now; print(compile_now({n}))"
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def compile_now(n: int) -> float:
    """Seconds to compile n joints and take one step; imports are not counted, nor what other processes take."""
    world = free_arm(n)
    q, v = start(world, RATE, ALIKE)
    begun = time.process_time()
    Motion(Dynamics(world), q, v, h=H).run(1)
    return time.process_time() - begun
