"""Gaps of a world: between shapes of two bodies, and between joints and their stops."""

from functools import partial

import numpy as np
from numba import njit

from softdock.contact.proximity import gap
from softdock.contact.shapes import LINK, POINT, WIDTH, Shapes, encode
from softdock.dynamics.plant import EVALUATE, POSES, Gaps
from softdock.kernels import Entry, call, enter, loop
from softdock.mechanics.tree import WORLD_LINK, Tree
from softdock.world.shapes import Placed

KIND = {"R": 0, "P": 1, "S": 2, "T": 3}


RESTITUTION, SIDE, STOP, STIFFNESS, EXPONENT, DAMPING, FRICTION, SLIP = range(8)
"""Columns of `Gaps.numbers`; the gap of a stop is SIDE × (q − STOP)."""
_HARD = (0.0, 1.0, 0.0, 0.0, 1.0)
PARENT, KIND_OF, FIRST_V = range(3)
"""Columns of `Gaps.chain`."""


def gaps_of(tree: Tree, encoded: Shapes | None = None) -> tuple[Gaps, list[str]]:
    """The gaps of a world and a name for each; `encoded` are its shapes, if they are known already."""
    shapes: list[tuple[int, np.ndarray, np.ndarray, Placed]] = []
    first: dict[str, int] = {}
    for body in dict.fromkeys(name for g in tree.world.gaps for name in (g.body_a, g.body_b)):
        place = tree.places[body]
        first[body] = len(shapes)
        shapes += [(place.link, place.R_LB, place.p_LB, shape) for shape in tree.world.body(body).shapes]
    pairs, stops, numbers, names = [], [], [], []
    for g in tree.world.gaps:
        if tree.places[g.body_a].link == tree.places[g.body_b].link:
            raise ValueError(f"gap {g.name!r}: bodies {g.body_a!r} and {g.body_b!r} are fixed to each other")
        for i in range(len(tree.world.body(g.body_a).shapes)):
            for j in range(len(tree.world.body(g.body_b).shapes)):
                pairs.append((first[g.body_a] + i, first[g.body_b] + j))
                c = g.compliance
                law = (c.stiffness, c.exponent, c.damping, c.friction, c.slip) if c else _HARD
                numbers.append((g.restitution, 0.0, 0.0, *law))
                names.append(g.name)
    for name, q, v, sign, bound, e in _stops(tree):
        stops.append((q, v))
        numbers.append((e, sign, bound, *_HARD))
        names.append(name)
    encoded = encoded or encode(shapes)
    widths = encoded.sizes[:, WIDTH]
    table = np.array(numbers, dtype=np.float64).reshape(-1, 8)
    return Gaps(
        shapes=encoded,
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        stops=np.array(stops, dtype=np.int64).reshape(-1, 2),
        numbers=table,
        soft=table[:, STIFFNESS] > 0.0,
        chain=np.array([(link.parent, KIND[link.kind], link.v) for link in tree.links], dtype=np.int64),
        thinnest=float(min((widths[a] + widths[b] for a, b in pairs), default=np.inf)),
    ), names


def _stops(tree: Tree):  # type: ignore[no-untyped-def]
    for body in tree.world.bodies:
        limits = getattr(body.joint, "limits", None)
        if limits is None or limits.restitution is None:
            continue
        q, v = tree.layout.q[body.name].start, tree.layout.v[body.name].start
        for k in range(len(body.joint.freedom.flat)):
            low, high = limits.lower[k % len(limits.lower)], limits.upper[k % len(limits.upper)]
            yield f"{body.name} lower stop", q + k, v + k, 1.0, low, limits.restitution
            yield f"{body.name} upper stop", q + k, v + k, -1.0, high, limits.restitution


@njit(cache=True, nogil=True)
def place_points(table, local, poses, turns, points):  # type: ignore[no-untyped-def]
    """World points of all shapes, and the rotations of their links."""
    for s in range(turns.shape[0]):
        at = table[s, LINK]
        for i in range(3):
            for j in range(3):
                turns[s, i, j] = poses[at, 3 * i + j] if at != WORLD_LINK else (1.0 if i == j else 0.0)
            p = poses[at, 9 + i] if at != WORLD_LINK else 0.0
            r0, r1, r2 = turns[s, i, 0], turns[s, i, 1], turns[s, i, 2]
            for row in range(table[s, POINT], table[s + 1, POINT]):
                points[row, i] = p + r0 * local[row, 0] + r1 * local[row, 1] + r2 * local[row, 2]


@njit(forceinline=True)
def evaluate_at(plant, work, q):  # type: ignore[no-untyped-def]
    """`evaluate` at q."""
    for i in range(plant.nq):
        work.where[i] = q[i]
    return enter(work.loops[EVALUATE], plant, work)


@partial(Entry, makes_arrays=True)
def evaluate(plant, work):  # type: ignore[no-untyped-def]
    """All gaps at `work.where` into phi, and where they are closest into hits; also the poses of links, and
    the rotations and world points of shapes."""
    gaps, q, phi, hits, turns, points = plant.gaps, work.where, work.phi, work.hits, work.turns, work.corners
    shapes, pairs = gaps.shapes, gaps.pairs
    call(plant.kernels[POSES], q, q, q, plant.theta, work.poses)
    place_points(shapes.table, shapes.points, work.poses, turns, points)
    count = pairs.shape[0]
    for k in range(count):
        a, b = pairs[k, 0], pairs[k, 1]
        A = points[shapes.table[a, POINT] : shapes.table[a + 1, POINT]]
        B = points[shapes.table[b, POINT] : shapes.table[b + 1, POINT]]
        phi[k] = gap(shapes, a, b, A, B, turns[a], turns[b], hits[k])
    for k in range(count, phi.size):
        phi[k] = gaps.numbers[k, SIDE] * (q[gaps.stops[k - count, 0]] - gaps.numbers[k, STOP])
    return 1


@loop
def evaluate_batch(plant, work, q, values, slopes):  # type: ignore[no-untyped-def]
    """All gaps at each row of q, and their gradients by velocities."""
    for k in range(q.shape[0]):
        evaluate_at(plant, work, q[k])
        for i in range(work.phi.size):
            values[k, i] = work.phi[i]
            gradient(plant.gaps, work.poses, i, work.hits[i], slopes[k, i])


@njit(cache=True, nogil=True)
def add_motion(chain, poses, link, x, n, sign, row):  # type: ignore[no-untyped-def]
    """row += sign × n · (velocity of the point x of a link, per unit velocity)."""
    while link != WORLD_LINK:
        kind, v = chain[link, KIND_OF], chain[link, FIRST_V]
        for k in range(1 if kind <= 1 else 3):
            column = 2 if kind <= 1 else k
            a0, a1, a2 = poses[link, column], poses[link, 3 + column], poses[link, 6 + column]
            if kind in (0, 2):
                r0, r1, r2 = x[0] - poses[link, 9], x[1] - poses[link, 10], x[2] - poses[link, 11]
                a0, a1, a2 = a1 * r2 - a2 * r1, a2 * r0 - a0 * r2, a0 * r1 - a1 * r0
            row[v + k] += sign * (n[0] * a0 + n[1] * a1 + n[2] * a2)
        link = chain[link, PARENT]


@njit(cache=True, nogil=True)
def gradient(gaps, poses, k, hit, row):  # type: ignore[no-untyped-def]
    """∇φ of gap k by velocities, from the poses and hit of `evaluate`."""
    for i in range(row.size):
        row[i] = 0.0
    count = gaps.pairs.shape[0]
    if k >= count:
        row[gaps.stops[k - count, 1]] = gaps.numbers[k, SIDE]
        return
    table = gaps.shapes.table
    add_motion(gaps.chain, poses, table[gaps.pairs[k, 0], LINK], hit[3:6], hit[:3], 1.0, row)
    add_motion(gaps.chain, poses, table[gaps.pairs[k, 1], LINK], hit[6:9], hit[:3], -1.0, row)
