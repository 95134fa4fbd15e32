"""Loads of latches at given states, for loads.py."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from softdock.mechanics.layouts import CONSTRAINTS, HELD, RELATIVE
from softdock.mechanics.tree import LATCH_ROWS
from softdock.spatial import quaternion_of_vector, quaternion_product, seen
from softdock.world import WORLD
from softdock.world.joints import FREEDOM

if TYPE_CHECKING:
    from softdock.dynamics.model import Dynamics

NUDGE = 1e-3
"""Way (m or rad) over which the rate of the latches' rows is taken, by differences of order 4."""
DEPENDENT = 1e-11
"""Of the largest eigenvalue of S, scaled to a diagonal of ones: what is smaller belongs to redundant rows."""
UNMOVED = 1e-26
"""Of the largest diagonal of S: a row with less moves nothing, but for the rounding of A, and bears nothing."""


class Wrench(NamedTuple):
    """Force (…, 3) and torque (…, 3)."""

    force: np.ndarray
    """(N)."""
    torque: np.ndarray
    """(N m)."""


class Hold(NamedTuple):
    """Which latches are engaged, and what they hold (layouts.HELD)."""

    engaged: np.ndarray
    held: np.ndarray


class Push(NamedTuple):
    """A force on a body at a point, and a torque, at some of the states; world axes."""

    body: str
    row: np.ndarray
    point: np.ndarray
    force: np.ndarray
    torque: np.ndarray


def multipliers_of(
    dynamics: "Dynamics", q: np.ndarray, v: np.ndarray, force: np.ndarray, t: np.ndarray, hold: Hold
) -> tuple[np.ndarray, np.ndarray]:
    """Jacobians A (n, rows, nv) of all latches and their forces λ (n, rows), zero of those that are not engaged.

    Of rigid ones A q̈ + Ȧ v = 0, and of all λ that do so the smallest; of compliant ones −(k c + d A v).
    """
    if not hold.engaged.any():
        return np.zeros((len(q), 0, dynamics.nv)), np.zeros((len(q), 0))
    table = dynamics.plant.rows
    stiffness, damping, on = table["stiffness"], table["damping"], hold.engaged[table["latch"]]
    c, A = constraints_at(dynamics, q, hold)
    yields = -(stiffness * c + damping * np.einsum("nij,nj->ni", A, v)) * (on & (stiffness > 0))
    rigid = np.flatnonzero(on & (stiffness == 0))
    if not len(rigid):
        return A, yields
    a = dynamics.forward_dynamics(q, v, force + np.einsum("nij,ni->nj", A, yields), t)
    held = A[:, rigid]
    need = np.einsum("nij,nj->ni", held, a) + _rates(dynamics, q, v, hold)[:, rigid]
    M = dynamics.mass_matrix(q)
    S = held @ np.linalg.solve(M, held.transpose(0, 2, 1))
    multipliers = yields
    multipliers[:, rigid] = [_smallest(one, -other) for one, other in zip(S, need, strict=True)]
    return A, multipliers


def _smallest(S: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of all x with S x = b the smallest. Rows are dependent by the angle between them, whatever mass they move."""
    moves = np.diag(S) > UNMOVED * np.diag(S).max()
    if not moves.all():
        some = np.zeros(len(b))
        some[moves] = _smallest(S[np.ix_(moves, moves)], b[moves]) if moves.any() else 0.0
        return some
    scale = np.sqrt(np.diag(S))
    values, vectors = np.linalg.eigh(S / np.outer(scale, scale))
    free = values <= DEPENDENT * values[-1]
    x = vectors[:, ~free] @ (vectors[:, ~free].T @ (b / scale) / values[~free]) / scale
    if not free.any():
        return x
    null, _ = np.linalg.qr(vectors[:, free] / scale[:, None])
    return x - null @ (null.T @ x)


def constraints_at(dynamics: "Dynamics", q: np.ndarray, hold: Hold) -> tuple[np.ndarray, np.ndarray]:
    """c (n, rows) and A (n, rows, nv) of all latches."""
    sizes = dynamics.tree.sizes
    out = dynamics._apply("latches", CONSTRAINTS.size(sizes), q, np.zeros((1, dynamics.nv)), hold.held[None])
    view = CONSTRAINTS.view(out, sizes)
    return view.c, view.A


def _rates(dynamics: "Dynamics", q: np.ndarray, v: np.ndarray, hold: Hold) -> np.ndarray:
    """Ȧ v (n, rows): how A v changes where v goes on as it is."""
    size = NUDGE / np.maximum(1.0, np.abs(v).max(axis=1, keepdims=True))
    total = 0.0
    for step, weight in ((-2, 1), (-1, -8), (1, 8), (2, -1)):
        _, A = constraints_at(dynamics, displaced(dynamics, q, step * size * v), hold)
        total = total + weight * np.einsum("nij,nj->ni", A, v)
    return np.asarray(total / (12 * size))


def displaced(dynamics: "Dynamics", q: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """q ⊕ δ."""
    out, layout = q.copy(), dynamics.layout
    for name, kind in layout.kind.items():
        flat, own_q, own_v = len(FREEDOM[kind].flat), layout.q[name], layout.v[name]
        out[:, own_q.start : own_q.start + flat] += delta[:, own_v.start : own_v.start + flat]
        if FREEDOM[kind].rotates:
            turn = quaternion_of_vector(delta[:, own_v.start + flat : own_v.stop])
            out[:, own_q.start + flat : own_q.stop] = quaternion_product(q[:, own_q.start + flat : own_q.stop], turn)
    return out


def latch_wrenches(
    dynamics: "Dynamics", q: np.ndarray, multipliers: np.ndarray, hold: Hold
) -> tuple[dict[str, Wrench], list[Push]]:
    """Their wrenches, and what they do to the bodies of their frames."""
    world, sizes = dynamics.world, dynamics.tree.sizes
    found, pulls = {}, list[Push]()
    if not hold.engaged.any():
        return {latch.name: Wrench(np.zeros((len(q), 3)), np.zeros((len(q), 3))) for latch in world.latches}, pulls
    relative = RELATIVE.view(
        dynamics._apply("relative", RELATIVE.size(sizes), q, np.zeros((1, dynamics.nv)), np.zeros((1, 1))), sizes
    )
    held, first = HELD.view(hold.held, sizes), 0
    for k, (latch, rows) in enumerate(zip(world.latches, dynamics.tree.latch_rows(), strict=True)):
        x = np.zeros((len(q), len(LATCH_ROWS[latch.kind])))
        x[:, list(rows)] = multipliers[:, first : first + len(rows)] if hold.engaged[k] else 0.0
        first += len(rows)
        R_AB, p_AB = relative.R[:, k], relative.p[:, k]
        force, torque = _in_a(latch.kind, x, R_AB, p_AB, held.R[k], float(held.length[k]))
        found[latch.name] = Wrench(seen(R_AB, force), seen(R_AB, torque))
        if hold.engaged[k]:
            a, b = world.body_of(latch.frame_a), world.body_of(latch.frame_b)
            R_WA = dynamics.pose(latch.frame_a, q)[0] if a != WORLD else np.broadcast_to(np.eye(3), R_AB.shape)
            point = dynamics.pose(latch.frame_b, q)[1]
            force, torque = (np.einsum("nij,nj->ni", R_WA, y) for y in (force, torque))
            every = np.arange(len(q))
            pulls += [Push(b, every, point, force, torque), Push(a, every, point, -force, -torque)]
    return found, pulls


def _in_a(
    kind: str, x: np.ndarray, R: np.ndarray, p: np.ndarray, R0: np.ndarray, length: float
) -> tuple[np.ndarray, np.ndarray]:
    """Force and torque on frame B at its origin, in A's axes, of multipliers x (mechanics/latch.py has the rows)."""
    if kind == "distance":
        return x * p / length, np.zeros_like(p)
    torque = np.zeros_like(p)
    if kind == "hinge":
        z = R[:, :, 2]
        torque = x[:, 3:4] * np.cross(z, R0[:, 0]) + x[:, 4:5] * np.cross(z, R0[:, 1])
    elif kind == "weld":
        E = R @ R0.T
        torque = (np.trace(E, axis1=1, axis2=2)[:, None] * x[:, 3:] - np.einsum("nij,nj->ni", E, x[:, 3:])) / 2
    return x[:, :3], torque
