"""Gaps of a world: between shapes of two bodies, and between joints and their stops."""

from typing import NamedTuple

import numpy as np
from numba import njit

from softdock.contact.proximity import gap
from softdock.contact.shapes import Shapes, encode
from softdock.kernels import call
from softdock.mechanics.tree import WORLD_LINK, Tree

KIND = {"R": 0, "P": 1, "S": 2, "T": 3}


class Gaps(NamedTuple):
    """What may touch: first the pairs of shapes, then the stops of joints."""

    shapes: Shapes
    pairs: np.ndarray
    stops: np.ndarray
    """(q index, v index) of every stop."""
    stop_side: np.ndarray
    """(sign, bound): the gap is sign (q − bound)."""
    restitution: np.ndarray
    parents: np.ndarray
    kinds: np.ndarray
    first_v: np.ndarray


def gaps_of(tree: Tree) -> tuple[Gaps, list[str]]:
    """The gaps of a world and a name for each."""
    shapes, first = [], {}
    for body in {name for g in tree.world.gaps for name in (g.body_a, g.body_b)}:
        place = tree.places[body]
        first[body] = len(shapes)
        shapes += [(place.link, place.R_LB, place.p_LB, shape) for shape in tree.world.body(body).shapes]
    pairs, restitution, names = [], [], []
    for g in tree.world.gaps:
        if tree.places[g.body_a].link == tree.places[g.body_b].link:
            raise ValueError(f"gap {g.name!r}: bodies {g.body_a!r} and {g.body_b!r} are fixed to each other")
        for i in range(len(tree.world.body(g.body_a).shapes)):
            for j in range(len(tree.world.body(g.body_b).shapes)):
                pairs.append((first[g.body_a] + i, first[g.body_b] + j))
                restitution.append(g.restitution)
                names.append(g.name)
    stops, sides = [], []
    for name, q, v, sign, bound, e in _stops(tree):
        stops.append((q, v))
        sides.append((sign, bound))
        restitution.append(e)
        names.append(name)
    links = tree.links
    return Gaps(
        shapes=encode(shapes),
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        stops=np.array(stops, dtype=np.int64).reshape(-1, 2),
        stop_side=np.array(sides, dtype=np.float64).reshape(-1, 2),
        restitution=np.array(restitution, dtype=np.float64),
        parents=np.array([link.parent for link in links], dtype=np.int64),
        kinds=np.array([KIND[link.kind] for link in links], dtype=np.int64),
        first_v=np.array([link.v for link in links], dtype=np.int64),
    ), names


def _stops(tree: Tree):  # type: ignore[no-untyped-def]
    for body in tree.world.bodies:
        limits = getattr(body.joint, "limits", None)
        if limits is None or limits.restitution is None:
            continue
        flat = {"planar": 3, "free": 3}.get(body.joint.kind, 1)
        q, v = tree.layout.q[body.name].start, tree.layout.v[body.name].start
        for k in range(flat):
            low, high = limits.lower[k % len(limits.lower)], limits.upper[k % len(limits.upper)]
            yield f"{body.name} lower stop", q + k, v + k, 1.0, low, limits.restitution
            yield f"{body.name} upper stop", q + k, v + k, -1.0, high, limits.restitution


@njit(cache=True, nogil=True)
def place_points(link, ranges, local, poses, turns, points):  # type: ignore[no-untyped-def]
    """World points of all shapes, and the rotations of their links."""
    for s in range(link.size):
        at = link[s]
        for i in range(3):
            for j in range(3):
                turns[s, i, j] = poses[at, 3 * i + j] if at != WORLD_LINK else (1.0 if i == j else 0.0)
            p = poses[at, 9 + i] if at != WORLD_LINK else 0.0
            r0, r1, r2 = turns[s, i, 0], turns[s, i, 1], turns[s, i, 2]
            for row in range(ranges[s], ranges[s + 1]):
                points[row, i] = p + r0 * local[row, 0] + r1 * local[row, 1] + r2 * local[row, 2]


@njit(cache=True, nogil=True)
def evaluate(gaps, kernel, theta, q, poses, phi, hits):  # type: ignore[no-untyped-def]
    """All gaps at q into phi, and where they are closest into hits."""
    call(kernel, q, q, q, theta, poses)
    shapes = gaps.shapes
    turns, points = np.empty((shapes.link.size, 3, 3)), np.empty(shapes.points.shape)
    place_points(shapes.link, shapes.point_range, shapes.points, poses, turns, points)
    first = shapes.point_range
    count = gaps.pairs.shape[0]
    for k in range(count):
        a, b = gaps.pairs[k, 0], gaps.pairs[k, 1]
        A, B = points[first[a] : first[a + 1]], points[first[b] : first[b + 1]]
        phi[k] = gap(shapes, a, b, A, B, turns[a], turns[b], hits[k])
    for k in range(gaps.stops.shape[0]):
        phi[count + k] = gaps.stop_side[k, 0] * (q[gaps.stops[k, 0]] - gaps.stop_side[k, 1])


@njit(cache=True, nogil=True)
def add_motion(gaps, poses, link, x, n, sign, row):  # type: ignore[no-untyped-def]
    """row += sign × n · (velocity of the point x of a link, per unit velocity)."""
    while link != WORLD_LINK:
        kind, v = gaps.kinds[link], gaps.first_v[link]
        for k in range(1 if kind <= 1 else 3):
            column = 2 if kind <= 1 else k
            a0, a1, a2 = poses[link, column], poses[link, 3 + column], poses[link, 6 + column]
            if kind in (0, 2):
                r0, r1, r2 = x[0] - poses[link, 9], x[1] - poses[link, 10], x[2] - poses[link, 11]
                a0, a1, a2 = a1 * r2 - a2 * r1, a2 * r0 - a0 * r2, a0 * r1 - a1 * r0
            row[v + k] += sign * (n[0] * a0 + n[1] * a1 + n[2] * a2)
        link = gaps.parents[link]


@njit(cache=True, nogil=True)
def gradient(gaps, poses, k, hit, row):  # type: ignore[no-untyped-def]
    """∇φ of gap k by velocities, from the poses and hit of `evaluate`."""
    for i in range(row.size):
        row[i] = 0.0
    count = gaps.pairs.shape[0]
    if k >= count:
        row[gaps.stops[k - count, 1]] = gaps.stop_side[k - count, 0]
        return
    a, b = gaps.pairs[k, 0], gaps.pairs[k, 1]
    add_motion(gaps, poses, gaps.shapes.link[a], hit[3:6], hit[:3], 1.0, row)
    add_motion(gaps, poses, gaps.shapes.link[b], hit[6:9], hit[:3], -1.0, row)
