"""Box against box: in a compiled loop, in a batch, and called from Python beside coal."""

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say, ratio
from softdock.bench.timing import Job, least, repeated
from softdock.contact import Pair, overlapping_pairs
from softdock.contact.proximity import gap
from softdock.contact.query import DISTANCE, PLACES, ROW
from softdock.kernels.jit import njit
from softdock.spatial import matrix_of_quaternion
from softdock.world import Box, Cylinder

SINGLE, LOOP, MANY = "proximity/single", "proximity/loop", "proximity/batch"
SIZES = (0.5, 0.6, 0.9), (0.4, 0.8, 0.7)


def run(say: Say, *, batch: int = 10_000, calls: int = 500, rounds: int = 15) -> Result:
    """In the loop at most 0.5 µs, in a batch 0.3 µs each (one thread), from Python no more than coal's call."""
    rng = np.random.default_rng(7)
    T_A, T_B = _poses(rng, batch)
    pair = Pair(*(Box(size=size) for size in SIZES))
    X = [[np.concatenate([t[:3, :3].ravel(), t[:3, 3]]) for t in T[:calls]] for T in (T_A, T_B)]
    can = Cylinder(radius=0.3, length=0.8)
    cans, mixed = Pair(can, can), Pair(can, Box(size=SIZES[0]))
    corners = pair._shapes.points.reshape(2, 8, 3)
    placed = [
        np.einsum("nij,kj->nki", T[:, :3, :3], corner) + T[:, None, :3, 3]
        for T, corner in zip((T_A, T_B), corners, strict=True)
    ]
    out, low = np.empty((batch, ROW)), rng.uniform(0, 10, (2000, 3))
    high = low + rng.uniform(0, 1, (2000, 3))
    jobs = {
        "loop": repeated(lambda: _loop(pair._shapes, placed[0], placed[1], out), 1),
        "batch": repeated(lambda: pair.many(T_A, T_B), 1),
        "single": repeated(lambda: [pair(x, y) for x, y in zip(*X, strict=True)], 1),
        "cylinders": repeated(lambda: cans.many(T_A[:calls], T_B[:calls]), 1),
        "cylinder, box": repeated(lambda: mixed.many(T_A[:calls], T_B[:calls]), 1),
        "broad": repeated(lambda: overlapping_pairs(low, high), 1),
    }
    error = None
    if _installed():
        jobs["coal"], theirs = _coal(T_A[:calls], T_B[:calls])
        error = float(np.abs(theirs - pair.many(T_A[:calls], T_B[:calls])[:, DISTANCE]).max())
    else:
        say(f"{SINGLE}: coal is not installed (pip install 'softdock[bench]'); its row is left out")
    say(f"{SINGLE}: {', '.join(jobs)} in turn")
    best = least(jobs, rounds=rounds, seconds=20.0)
    us = {key: 1e6 * seconds / (batch if key in ("loop", "batch") else calls) for key, seconds in best.items()}
    rows = [
        Row(LOOP, "softdock", "gap()", us_per_step=us["loop"], total_ms=1e3 * best["loop"]),
        Row(MANY, "softdock", "Pair.many", us_per_step=us["batch"], total_ms=1e3 * best["batch"]),
        Row(SINGLE, "softdock", "Pair()", us_per_step=us["single"], error=error),
        Row("proximity/cylinders", "softdock", "Pair.many", us_per_step=us["cylinders"]),
        Row("proximity/cylinder-box", "softdock", "Pair.many", us_per_step=us["cylinder, box"]),
        Row("proximity/broad-2000", "softdock", "overlapping_pairs", total_ms=1e3 * best["broad"]),
    ]
    if "coal" in us:
        rows.append(Row(SINGLE, "coal", "ComputeDistance", us_per_step=us["coal"]))
    limits = [
        Limit(f"{LOOP}: µs each", us["loop"], 0.5),
        Limit(f"{MANY}: µs each", us["batch"], 0.3),
        Limit(f"{SINGLE}: softdock / coal, a call from Python", ratio(us["single"], us.get("coal")), 1.0),
    ]
    return Result(rows, limits)


@njit(cache=True, nogil=True)
def _loop(shapes, A, B, out):
    """`gap` of boxes whose corners are placed, as the loops of `dynamics` call it (a box needs no rotation)."""
    still = np.eye(3)
    for k in range(out.shape[0]):
        out[k, DISTANCE] = gap(shapes, 0, 1, A[k], B[k], still, still, out[k, PLACES:])


def _poses(rng: np.random.Generator, count: int) -> np.ndarray:
    """Poses of A and B: any attitude, from deep inside to well apart (about half of these boxes overlap)."""
    T = np.tile(np.eye(4), (2, count, 1, 1))
    q = rng.normal(size=(2, count, 4))
    T[:, :, :3, :3] = matrix_of_quaternion(q / np.linalg.norm(q, axis=-1, keepdims=True))
    away = rng.normal(size=(count, 3))
    T[1, :, :3, 3] = away / np.linalg.norm(away, axis=1)[:, None] * rng.uniform(0.2, 1.6, (count, 1))
    return T


def _installed() -> bool:
    try:
        import coal  # noqa: F401
    except ImportError:
        return False
    return True


def _coal(T_A: np.ndarray, T_B: np.ndarray) -> tuple[Job, np.ndarray]:
    """coal's job by its prepared functor, at its default tolerances, and its distances.

    A result that is not cleared answers with the last penetration found, whatever is asked next.
    """
    import coal

    shapes = tuple(coal.Box(*size) for size in SIZES)  # the functor does not keep them alive
    measure = coal.ComputeDistance(*shapes)
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    places = [tuple(coal.Transform3s(t[:3, :3], t[:3, 3]) for t in pair) for pair in zip(T_A, T_B, strict=True)]

    def work(_alive: object = shapes) -> list[float]:
        distances = []
        for one, other in places:
            result.clear()
            distances.append(measure(one, other, request, result))
        return distances

    return repeated(work, 1), np.array(work())
