"""Contacts of a world, and their gaps: between shapes of two bodies, and between joints and their stops."""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from softdock.contact.hit import NORMAL, ON_A, ON_B
from softdock.contact.proximity import gap
from softdock.contact.shapes import BALL, LINK, POINT, Shapes, encode
from softdock.dynamics.plant import CHAIN, LAW, STOP, ContactTable
from softdock.kernels import CompiledLoop, call, enter, loop
from softdock.kernels.jit import njit
from softdock.mechanics.tree import WORLD_LINK, Tree
from softdock.world.shapes import Placed

KIND = {"R": 0, "P": 1, "S": 2, "T": 3, "M": -1}
"""(Nothing that touches is on a mode.)"""

_HARD = (0.0, 1.0, 0.0, 0.0)
"""Stiffness, exponent, damping and viscosity of what is not compliant."""
MOST_PAIRS = 1_000_000
"""Pairs of shapes that may touch; each takes about 500 bytes of a motion."""


def contacts_of(tree: Tree, encoded: Shapes | None = None) -> tuple[ContactTable, list[str]]:
    """The contacts of a world and a name for each; `encoded` are its shapes, if they are known already."""
    shapes: list[tuple[int, np.ndarray, np.ndarray, Placed]] = []
    own: dict[str, range] = {}
    touching = tree.world.touching.pairs
    for body in dict.fromkeys(name for pair in touching for name in (pair.body_a, pair.body_b)):
        place, many = tree.places[body], tree.world.body(body).shapes
        own[body] = range(len(shapes), len(shapes) + len(many))
        shapes += [(place.link, place.R_LB, place.p_LB, shape) for shape in many]
    if (count := sum(len(own[g.body_a]) * len(own[g.body_b]) for g in touching)) > MOST_PAIRS:
        raise ValueError(f"{count} pairs of shapes may touch, more than {MOST_PAIRS}; exclude bodies that never meet")
    pairs, stops, laws, names = [], [], [], []
    for g in touching:
        if tree.places[g.body_a].link == tree.places[g.body_b].link:
            raise ValueError(f"contact {g.name!r}: bodies {g.body_a!r} and {g.body_b!r} are fixed to each other")
        c = g.law.compliance
        law = (c.stiffness, c.exponent, c.damping, c.viscosity) if c else _HARD
        rub = (c.friction, c.slip) if c else (g.law.friction, 1.0)
        for ends in product(own[g.body_a], own[g.body_b]):
            pairs.append(ends)
            laws.append((g.law.restitution, 0.0, 0.0, *law, *rub))
            names.append(g.name)
    for name, q, v, sign, bound, e in _stops(tree):
        stops.append((q, v))
        laws.append((e, sign, bound, *_HARD, 0.0, 1.0))
        names.append(name)
    encoded = encoded or encode(shapes)
    table = np.array(laws, dtype=LAW)
    return ContactTable(
        shapes=encoded,
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        stops=np.array(stops, dtype=STOP),
        laws=table,
        soft=table["stiffness"] > 0.0,
        chain=chain_of(tree),
        all_soft=bool(np.all(table["stiffness"] > 0.0)),
        typical=float(np.median(encoded.sizes[:, BALL])) if len(encoded.sizes) else 0.0,
    ), names


def chain_of(tree: Tree) -> np.ndarray:
    """`plant.CHAIN` of every link."""
    return np.array([(link.parent, KIND[link.kind], link.v) for link in tree.links], dtype=CHAIN)


def _stops(tree: Tree) -> Iterator[tuple[str, int, int, float, float, float]]:
    for body in tree.world.bodies:
        limits = getattr(body.joint, "limits", None)
        if limits is None or limits.restitution is None:
            continue
        q, v = tree.layout.q[body.name].start, tree.layout.v[body.name].start
        for k, label in enumerate(body.joint.freedom.flat):
            low, high = limits.lower[k % len(limits.lower)], limits.upper[k % len(limits.upper)]
            yield f"{body.name}{label} lower stop", q + k, v + k, 1.0, low, limits.restitution
            yield f"{body.name}{label} upper stop", q + k, v + k, -1.0, high, limits.restitution


@njit(cache=True, nogil=True)
def place(plant, state, q):
    """Poses of links at q, rotations and world points of all shapes; of those that stand still only once."""
    table, local, poses = plant.contacts.shapes.table, plant.contacts.shapes.points, state.proximity.poses
    turns, points = state.proximity.turns, state.proximity.corners
    if turns.shape[0] == 0:
        return
    call(plant.kernels.poses, q, q, q, plant.theta, poses.vector)
    for s in range(turns.shape[0]):
        at = table[s, LINK]
        if at == WORLD_LINK and state.proximity.seen.placed:
            continue
        for i in range(3):
            for j in range(3):
                turns[s, i, j] = poses.R[at, i, j] if at != WORLD_LINK else (1.0 if i == j else 0.0)
            p = poses.p[at, i] if at != WORLD_LINK else 0.0
            r0, r1, r2 = turns[s, i, 0], turns[s, i, 1], turns[s, i, 2]
            for row in range(table[s, POINT], table[s + 1, POINT]):
                points[row, i] = p + r0 * local[row, 0] + r1 * local[row, 1] + r2 * local[row, 2]
    state.proximity.seen.placed = True


@njit(forceinline=True)
def evaluate_at(plant, state, q):
    """`evaluate` at q."""
    for i in range(plant.nq):
        state.proximity.where[i] = q[i]
    return enter(state.loops.evaluate, plant, state)


@njit(cache=True, nogil=True)
def placed_pair(plant, state, k):
    """Shapes of contact k, and the first arguments of `gap` and `patch`."""
    shapes, corners, turns = plant.contacts.shapes, state.proximity.corners, state.proximity.turns
    a, b = plant.contacts.pairs[k, 0], plant.contacts.pairs[k, 1]
    A = corners[shapes.table[a, POINT] : shapes.table[a + 1, POINT]]
    B = corners[shapes.table[b, POINT] : shapes.table[b + 1, POINT]]
    return shapes, a, b, A, B, turns[a], turns[b]


@njit(cache=True, nogil=True)
def stop_gap(plant, state, k):
    """Of a joint's stop, at `proximity.where`."""
    contacts = plant.contacts
    stop = contacts.stops[k - contacts.pairs.shape[0]]
    return contacts.laws[k].side * (state.proximity.where[stop.q] - contacts.laws[k].stop)


@partial(CompiledLoop, makes_arrays=True)
def evaluate(plant, state):
    """All gaps at `where` into phi, and where they are closest into hits; also the poses of links, and
    the rotations and world points of shapes."""
    phi, hits, pairs = state.proximity.phi, state.proximity.hits, plant.contacts.pairs.shape[0]
    place(plant, state, state.proximity.where)
    for k in range(phi.size):
        if k < pairs:
            shapes, a, b, A, B, R_A, R_B = placed_pair(plant, state, k)
            phi[k] = gap(shapes, a, b, A, B, R_A, R_B, hits[k])
        else:
            phi[k] = stop_gap(plant, state, k)
    return 1


@loop
def evaluate_batch(plant, state, q, values, slopes):
    """All gaps at each row of q, and their gradients by velocities."""
    proximity = state.proximity
    for k in range(q.shape[0]):
        evaluate_at(plant, state, q[k])
        for i in range(proximity.phi.size):
            values[k, i] = proximity.phi[i]
            gradient(plant.contacts, proximity.poses, i, proximity.hits[i], slopes[k, i])


@njit(cache=True, nogil=True)
def add_motion(chain, poses, link, x, n, sign, row):
    """row += sign × n · (velocity of the point x of a link, per unit velocity)."""
    while link != WORLD_LINK:
        kind, v = chain[link].kind, chain[link].v
        for k in range(1 if kind <= 1 else 3):
            column = 2 if kind <= 1 else k
            a0, a1, a2 = poses.R[link, 0, column], poses.R[link, 1, column], poses.R[link, 2, column]
            if kind in (0, 2):
                r0, r1, r2 = x[0] - poses.p[link, 0], x[1] - poses.p[link, 1], x[2] - poses.p[link, 2]
                a0, a1, a2 = a1 * r2 - a2 * r1, a2 * r0 - a0 * r2, a0 * r1 - a1 * r0
            row[v + k] += sign * (n[0] * a0 + n[1] * a1 + n[2] * a2)
        link = chain[link].parent


@njit(cache=True, nogil=True)
def gradient(contacts, poses, k, hit, row):
    """∇φ of contact k by velocities, from the poses and hit of `evaluate`."""
    for i in range(row.size):
        row[i] = 0.0
    count = contacts.pairs.shape[0]
    if k >= count:
        row[contacts.stops[k - count].v] = contacts.laws[k].side
        return
    table = contacts.shapes.table
    add_motion(contacts.chain, poses, table[contacts.pairs[k, 0], LINK], hit[ON_A:], hit[NORMAL:], 1.0, row)
    add_motion(contacts.chain, poses, table[contacts.pairs[k, 1], LINK], hit[ON_B:], hit[NORMAL:], -1.0, row)
