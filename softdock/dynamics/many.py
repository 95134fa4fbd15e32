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

from softdock.dynamics.arrays import batched, refuse_lossy, rows_of, same_length
from softdock.dynamics.contact_run import run_contacts
from softdock.dynamics.lanes import run_lanes
from softdock.dynamics.model import Dynamics
from softdock.dynamics.motion import Motion, refuse_count
from softdock.dynamics.rollout import run_free, run_held
from softdock.dynamics.status import DONE
from softdock.dynamics.trajectory import ACCOUNT, Impact, Impacts, StepFailed, Trajectory
from softdock.kernels import Struct
from softdock.kernels.lanes import LANES

BLOCK = 64
"""So many motions a thread has at once."""
ROOM_FOR_IMPACTS = 10**6
"""Of worlds with contacts: steps of all of them, at most, if they are more than four."""


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
    instead of new ones. Motions of order 2 are stepped four at a time, in lanes of the processor's vectors, while
    nothing touches in them: one of a batch is that of a `Motion` to rounding, and does not depend on others.
    Impacts are in the order of the motions. If motions fail, the others are run all the same, and StepFailed has all
    that failed (`failed`); in `out` their rows are NaN.
    """
    worlds = [dynamics] if isinstance(dynamics, Dynamics) else list(dynamics)
    if not worlds:
        raise ValueError("rollout: there is no world")
    for world in worlds:
        if not isinstance(world, Dynamics):
            raise ValueError(f"rollout: each world must be a Dynamics, not {world!r:.40}")
    first = worlds[0]
    if any((world.nq, world.nv) != (first.nq, first.nv) for world in worlds):
        raise ValueError("rollout: the worlds differ in their coordinates")
    refuse_count(steps, every, 0)
    for name, value, kind in (("pool", pool, Executor), ("out", out, Trajectory)):
        if not isinstance(value, kind | None):
            raise ValueError(f"rollout: {name} must be of {kind.__name__}, not {value!r:.40}")
    if threads is not None and not (isinstance(threads, Integral) and threads > 0):
        raise ValueError(f"rollout: threads must be a whole number from 1 on, not {threads!r:.40}")
    if commands is not None:
        refuse_lossy("commands", commands)
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

    done = np.zeros(count, dtype=np.bool_)

    def only() -> Trajectory:
        part = motion_of(0).run(steps, every_force[0], every=every, ledger=ledger)
        done[0] = True
        return part if out is None else _written(part, [array[0] for array in arrays])

    def block(numbers: Sequence[int]) -> tuple[list[Trajectory], dict[int, StepFailed]]:
        motions = [motion_of(k) for k in numbers]
        asked = [every_force[int(starts[3][k, 0])] for k in numbers]
        places = [[array[k] for array in arrays] for k in numbers]
        told, failed = _run(motions, asked, places, (int(steps), int(every), 0), ledger)
        done[numbers] = [k not in failed for k in range(len(numbers))]
        return told, {numbers[k]: error for k, error in failed.items()}

    try:
        if alone:
            return only()
        return _all_blocks(worlds, block, arrays, int(steps), threads, pool)
    except BaseException:
        for array in arrays:  # what is not a result must not look like one, nor like that of an earlier call
            array[~done] = np.nan
        raise


def _all_blocks(
    worlds: Sequence[Dynamics],
    block: Callable[[Sequence[int]], tuple[list[Trajectory], dict[int, StepFailed]]],
    arrays: list[np.ndarray],
    steps: int,
    threads: int | None,
    pool: Executor | None,
) -> Trajectory:
    """Run blocks of motions, whose rows are in `arrays`; StepFailed if some fail."""
    count = len(arrays[0])
    for world in worlds:
        world.plant  # noqa: B018  # compile once, before the threads start
    threads = int(threads or os.cpu_count() or 1)
    size = min(BLOCK, LANES * -(-count // (LANES * threads)))
    if worlds[0].touches:  # each has room for its impacts
        size = min(size, max(LANES, ROOM_FOR_IMPACTS // max(1, steps)))
    blocks = [range(k, min(k + size, count)) for k in range(0, count, size)]
    with _mapping(pool, min(threads, len(blocks))) as each:
        found = list(each(block, blocks))
    failed = {k: error for _, errors in found for k, error in errors.items()}
    if failed:
        k = min(failed)
        others = f" ({len(failed)} motions failed: {_listed(sorted(failed))})" if len(failed) > 1 else ""
        error = failed[k]
        raise StepFailed(
            f"motion {k} of the batch: {error}{others}", error.time, error.residual, error.trajectory, failed
        )
    parts = [part for one, _ in found for part in one]
    breaks = [broken for part in parts for broken in part.breaks]
    return replace(_rows(arrays), impacts=_all_impacts(parts), breaks=breaks)


def _listed(numbers: Sequence[int], most: int = 20) -> str:
    return ", ".join(map(str, numbers[:most])) + (", …" if len(numbers) > most else "")


def _all_impacts(parts: Sequence[Trajectory]) -> Sequence[Impact]:
    """One after the other: there may be very many, so they are made when asked for, unless contacts differ."""
    struck = [part.impacts for part in parts if part.impacts]
    known = [impacts for impacts in struck if isinstance(impacts, Impacts)]
    if not struck or len(known) < len(struck) or any(impacts._names != known[0]._names for impacts in known):
        return [impact for impacts in struck for impact in impacts]
    return Impacts(np.concatenate([impacts._rows for impacts in known]), known[0]._names)


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
) -> tuple[list[Trajectory], dict[int, StepFailed]]:
    """Run all, with rows in arrays (t, q, v, account) of their own; what they tell besides, and those that failed."""
    told = [_rows(place) for place in places]
    failed: dict[int, StepFailed] = {}
    abreast: dict[tuple[str, bool], list[int]] = {}
    for k, motion in enumerate(motions):
        contacts = _watches(motion)
        if contacts or motion.goes_abreast:
            abreast.setdefault((motion.dynamics._structure, contacts), []).append(k)
            motion._ask(span, commands[k], ledger, frozenset(), False)
            motion._request.point("t", *places[k])
            continue
        try:
            told[k] = _written(motion.run(span[0], commands[k], every=span[1], ledger=ledger), places[k])
        except StepFailed as error:
            failed[k] = error
    for (_, contacts), group in abreast.items():
        lanes = motions[group[0]].dynamics.new_lanes(len(group), ledger)
        for k, status in zip(group, run_abreast([motions[k] for k in group], contacts, lanes), strict=True):
            done, struck, _ = motions[k]._request.record.done.item()
            impacts = Impacts(motions[k]._events[:struck].copy(), motions[k].dynamics.contact_names) if struck else ()
            told[k] = replace(told[k], impacts=impacts)
            if status != DONE:
                rows = [place[: done // span[1]].copy() for place in places[k]]
                try:
                    motions[k]._fail(status, replace(_rows(rows), impacts=impacts))
                except StepFailed as error:
                    failed[k] = error
    return told, failed


def _watches(motion: Motion) -> bool:
    """Has it contacts, with which it may leave a lane and join again?"""
    return motion.order == 2 and not motion._bears and motion._loop is run_contacts


def run_abreast(motions: list[Motion], contacts: bool, lanes: Struct) -> list[int]:
    """Take the steps that motions of one structure were asked for, in the lanes that one of them has made for so many;
    returns how each ended."""
    first, orbits = motions[0], dict[bytes, int]()
    record = lanes.record
    record.kernels["run_free"] = run_free.address(*first._structs, first._request)
    if first.dynamics.world.latches:
        record.kernels["run_held"] = run_held.address(*first._structs, first._request)
    if contacts:
        record.kernels["run_contacts"] = run_contacts.address(*first._structs, first._request)
    for k, motion in enumerate(motions):
        record.plants[k], record.states[k] = (struct.address for struct in motion._structs)
        record.requests[k] = motion._request.address
        record.orbits[k] = orbits.setdefault(motion._plant.orbit.tobytes(), len(orbits))
    run_lanes(*first._structs, first._request, lanes)
    for motion in motions:
        motion._state.turn["abreast"] = False
    return record.statuses.tolist()
