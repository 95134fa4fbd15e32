"""Rollouts: one motion, or many of the same world side by side."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import batched, same_length
from softdock.dynamics.model import Dynamics
from softdock.dynamics.motion import Motion, Trajectory


def rollout(
    dynamics: Dynamics,
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

    With a leading batch axis on q or v, all motions run in threads, and every array of the result
    has that axis first. `commands` (nv, or steps × nv) is the same for all.
    """
    if np.ndim(q) == 1 and np.ndim(v) == 1:
        motion = Motion(dynamics, q, v, h=h, order=order, tolerance=tolerance)
        return motion.run(steps, commands, every=every, ledger=ledger)
    starts = same_length(dynamics._q(q), batched("v", v, dynamics.nv))

    def one(start: tuple[np.ndarray, np.ndarray]) -> Trajectory:
        motion = Motion(dynamics, *start, h=h, order=order, tolerance=tolerance)
        return motion.run(steps, commands, every=every, ledger=ledger)

    dynamics.plant  # noqa: B018  # compile once, before the threads start
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        return Trajectory.joined(pool.map(one, zip(*starts, strict=True)), np.stack)
