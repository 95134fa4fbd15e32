"""Rollouts: one motion, or many of the same world side by side."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import batched, same_length
from softdock.dynamics.model import Dynamics
from softdock.dynamics.motion import Motion, Trajectory


def rollout(
    dynamics: Dynamics | Sequence[Dynamics],
    q: ArrayLike,
    v: ArrayLike,
    *,
    h: float,
    steps: int,
    order: int = 2,
    commands: ArrayLike | None = None,
    every: int = 1,
    tolerance: float = 1e-14,
    ledger: bool = False,
    threads: int | None = None,
) -> Trajectory:
    """The motion from a state (q, v), without Python in the loop.

    With a leading batch axis on q or v, or several `dynamics` (one world with other numbers, see
    `revised`), all motions run in threads, and every array of the result has that axis first.
    `commands` (nv, or steps × nv) is the same for all, unless it has that axis too (batch × 1 or steps × nv).
    """
    worlds = [dynamics] if isinstance(dynamics, Dynamics) else list(dynamics)
    if not worlds:
        raise ValueError("rollout: there is no world")
    first = worlds[0]
    if any((world.nq, world.nv) != (first.nq, first.nv) for world in worlds):
        raise ValueError("rollout: the worlds differ in their coordinates")
    forces = np.zeros(first.nv) if commands is None else np.asarray(commands, dtype=np.float64)
    every_force = forces if forces.ndim == 3 else forces[None]
    which = np.arange(len(worlds))[:, None]
    starts = same_length(which, first._q(q), batched("v", v, first.nv), np.arange(len(every_force))[:, None])

    def one(start: tuple[np.ndarray, ...]) -> Trajectory:
        world, q_, v_, force = start
        motion = Motion(worlds[int(world[0])], q_, v_, h=h, order=order, tolerance=tolerance)
        return motion.run(steps, every_force[int(force[0])], every=every, ledger=ledger)

    if isinstance(dynamics, Dynamics) and np.ndim(q) == np.ndim(v) == 1 and forces.ndim < 3:
        return one(tuple(array[0] for array in starts))
    for world in worlds:
        world.plant  # noqa: B018  # compile once, before the threads start
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        return Trajectory.joined(pool.map(one, zip(*starts, strict=True)), np.stack)
