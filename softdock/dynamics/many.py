"""Rollouts: one motion, or many of the same world side by side."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import batched, rows_of, same_length
from softdock.dynamics.lanes import run_lanes
from softdock.dynamics.model import Dynamics
from softdock.dynamics.motion import ACCOUNT, Motion, Trajectory, refuse_count
from softdock.dynamics.rollout import run_free
from softdock.dynamics.status import DONE
from softdock.kernels.lanes import LANES

BLOCK = 64
"""So many motions a thread has at once."""


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
    pool: Executor | None = None,
    out: Trajectory | None = None,
) -> Trajectory:
    """The motion from a state (q, v), without Python in the loop.

    With a leading batch axis on q or v, or several `dynamics` (one world with other numbers, see
    `revised`), all motions run in threads, and every array of the result has that axis first.
    `commands` (nv, or steps × nv) is the same for all, unless it has that axis too (batch × 1 or steps × nv).

    Threads are those of a `pool` (a `ThreadPoolExecutor`) that the caller keeps, or `threads` new ones: as many as
    there are cores. Rows are written into the arrays of `out`, such as what an earlier call of the same size returned,
    instead of new ones. Motions of order 2 in which nothing touches or holds are stepped four at a time, in lanes of
    the processor's vectors: a motion of a batch is that of a `Motion` to rounding, and does not depend on the others.
    """
    worlds = [dynamics] if isinstance(dynamics, Dynamics) else list(dynamics)
    if not worlds:
        raise ValueError("rollout: there is no world")
    first = worlds[0]
    if any((world.nq, world.nv) != (first.nq, first.nv) for world in worlds):
        raise ValueError("rollout: the worlds differ in their coordinates")
    refuse_count(steps, every, 0)
    if threads is not None and not (isinstance(threads, Integral) and threads > 0):
        raise ValueError(f"rollout: threads must be a whole number from 1 on, not {threads!r:.40}")
    forces = np.zeros(first.nv) if commands is None else np.asarray(commands, dtype=np.float64)
    every_force = [rows_of("commands", force, first.nv, steps) for force in (forces if forces.ndim == 3 else [forces])]
    which = np.arange(len(worlds))[:, None]
    starts = same_length(which, first._q(q), batched("v", v, first.nv), np.arange(len(every_force))[:, None])
    count, rows = len(starts[0]), steps // every
    alone = isinstance(dynamics, Dynamics) and np.ndim(q) == np.ndim(v) == 1 and forces.ndim < 3
    shapes = [(count, rows, *more) for more in ((), (first.nq,), (first.nv,), (len(ACCOUNT),))]
    arrays = [np.empty(shape) for shape in shapes] if out is None else _given(out, shapes, alone)

    def motion_of(k: int) -> Motion:
        world, q_, v_, _ = (array[k] for array in starts)
        return Motion(worlds[int(world[0])], q_, v_, h=h, order=order, tolerance=tolerance)

    if alone:
        part = motion_of(0).run(steps, every_force[0], every=every, ledger=ledger)
        return part if out is None else _written(part, [array[0] for array in arrays])

    def block(numbers: Sequence[int]) -> list[Trajectory]:
        motions = [motion_of(k) for k in numbers]
        asked = [every_force[int(starts[3][k, 0])] for k in numbers]
        places = [[array[k] for array in arrays] for k in numbers]
        return _run(motions, asked, places, (int(steps), int(every), 0), ledger)

    for world in worlds:
        world.plant  # noqa: B018  # compile once, before the threads start
    threads = int(threads or os.cpu_count() or 1)
    size = min(BLOCK, LANES * -(-count // (LANES * threads)))
    blocks = [range(k, min(k + size, count)) for k in range(0, count, size)]
    with _mapping(pool, min(threads, len(blocks))) as each:
        parts = [part for one in each(block, blocks) for part in one]
    impacts, breaks = ([x for part in parts for x in getattr(part, kind)] for kind in ("impacts", "breaks"))
    return replace(_rows(arrays), impacts=impacts, breaks=breaks)


def _rows(arrays: Sequence[np.ndarray]) -> Trajectory:
    t, q, v, account = arrays
    return Trajectory(t, q, v, account)


def _given(out: Trajectory, shapes: Sequence[tuple[int, ...]], alone: bool) -> list[np.ndarray]:
    """The caller's arrays, if rows can be written into them."""
    arrays = []
    for name, shape in zip(("t", "q", "v", "account"), shapes, strict=True):
        array, wanted = getattr(out, name), shape[1:] if alone else shape
        sound = isinstance(array, np.ndarray) and array.dtype == np.float64 and array.flags.carray
        if not sound or array.shape != wanted:
            has = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(f"rollout: out.{name} must be a writable C-contiguous float64 array {wanted}, not {has}")
        arrays.append(array.reshape(shape))
    return arrays


def _written(part: Trajectory, arrays: Sequence[np.ndarray]) -> Trajectory:
    """Its rows in these arrays."""
    for mine, theirs in zip(arrays, (part.t, part.q, part.v, part.account), strict=True):
        mine[:] = theirs
    return replace(_rows(arrays), impacts=part.impacts, breaks=part.breaks)


@contextmanager
def _mapping(pool: Executor | None, threads: int | None) -> Iterator[Callable[..., Iterable[Any]]]:
    """What calls a function of each of some things: in the caller's threads, in new ones, or here."""
    if isinstance(pool, ProcessPoolExecutor):
        raise ValueError("rollout: the pool must be of threads (compiled loops run side by side in them)")
    if pool is not None:
        yield partial(_in_pool, pool)
    elif threads == 1:
        yield map
    else:
        with ThreadPoolExecutor(threads) as own:
            yield own.map


def _in_pool(pool: Executor, function: Callable[..., Any], things: Iterable[Any]) -> list[Any]:
    """As its `map`, but it ends when all calls have: if one fails, none writes on."""
    futures = [pool.submit(function, thing) for thing in things]
    wait(futures)
    return [future.result() for future in futures]


def _run(
    motions: list[Motion],
    commands: list[np.ndarray],
    places: list[list[np.ndarray]],
    span: tuple[int, int, int],
    ledger: bool,
) -> list[Trajectory]:
    """Run all, with rows in arrays (t, q, v, account) of their own; what they tell besides."""
    told = [_rows(place) for place in places]
    abreast: dict[str, list[int]] = {}
    for k, motion in enumerate(motions):
        if motion.goes_abreast:
            abreast.setdefault(motion.dynamics._structure, []).append(k)
            motion._ask(span, commands[k], ledger, frozenset(), False)
            motion._request.point("t", *places[k])
            continue
        told[k] = _written(motion.run(span[0], commands[k], every=span[1], ledger=ledger), places[k])
    for group in abreast.values():
        for k, status in zip(group, _run_abreast([motions[k] for k in group], ledger), strict=True):
            if status != DONE:
                rows = motions[k]._request.record.done["steps"] // span[1]
                motions[k]._fail(status, _rows([place[:rows] for place in places[k]]))
    return told


def _run_abreast(motions: list[Motion], ledger: bool) -> list[int]:
    """Take the steps that motions of one structure were asked for; returns how each ended."""
    first, orbits = motions[0], dict[bytes, int]()
    lanes = first.dynamics.new_lanes(len(motions), ledger)
    record = lanes.record
    record.kernels["run_free"] = run_free.address(*first._structs, first._request)
    for k, motion in enumerate(motions):
        record.plants[k], record.states[k] = (struct.address for struct in motion._structs)
        record.requests[k] = motion._request.address
        record.orbits[k] = orbits.setdefault(motion._plant.orbit.tobytes(), len(orbits))
    run_lanes(*first._structs, first._request, lanes)
    return [int(status) for status in record.statuses]
