"""What a docking is judged by, of its recorded rows: how it touched, how well latches held, what does not balance."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from softdock.dynamics import ACCOUNT, Balance, Dynamics, Trajectory
from softdock.dynamics.accounts import furthest, largest
from softdock.kernels.jit import njit
from softdock.runs.ledger import Ledger, earth_angular_momentum
from softdock.spatial import seen

Wall = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Centre and size (m)."""
Poses = tuple[np.ndarray, np.ndarray]
"""R (n, 3, 3) and p (n, 3) of a frame in the world."""


def spells(t: np.ndarray, depth: np.ndarray) -> list[dict[str, float]]:
    """The stretches of rows with a positive depth: when they began, how long they took (s), the most (m)."""
    edges = np.flatnonzero(np.diff(depth > 0.0))
    turns = t[edges] - depth[edges] * (t[edges + 1] - t[edges]) / (depth[edges + 1] - depth[edges])
    # a run may begin or end in touch
    began = [*([t[0]] if depth[0] > 0.0 else []), *turns[depth[edges] <= 0.0]]
    ended = [*turns[depth[edges] > 0.0], *([t[-1]] if depth[-1] > 0.0 else [])]
    return [
        {
            "time": float(a),
            "duration": float(b - a),
            "depth": float(depth[(t >= a) & (t <= b)].max(initial=0.0)),
        }
        for a, b in zip(began, ended, strict=True)
    ]


def clearance(bay: Poses, payload: Poses, walls: Sequence[Wall], radius: float) -> np.ndarray:
    """Distance of the payload from each wall (n, walls) (m), by plain geometry rather than the gaps' own code."""
    centers, halves = _centers(tuple(walls))
    away = np.empty((len(payload[1]), len(centers)))
    _away(seen(bay[0], payload[1] - bay[1]), centers, halves, radius, away)
    return away


@njit(cache=True, nogil=True)
def _away(at, centers, halves, radius, away):  # type: ignore[no-untyped-def]
    """Distance of balls at places (n, 3) from boxes."""
    for k in range(away.shape[0]):
        for wall in range(away.shape[1]):
            square, deepest = 0.0, -np.inf
            for i in range(3):
                d = abs(at[k, i] - centers[wall, i]) - halves[wall, i]
                beside = 0.0 if d <= 0.0 else d  # what is not a number stays so
                square += beside * beside
                deepest = max(deepest, d)
            away[k, wall] = np.sqrt(square) + min(deepest, 0.0) - radius


@lru_cache(64)
def _centers(walls: tuple[Wall, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Centres and half sizes (m)."""
    centers, sizes = np.array(walls).transpose(1, 0, 2)
    return centers, sizes / 2


def wandering(a: Poses, b: Poses, rows: slice) -> float:
    """Largest change of frame b's pose in frame a (m or rad) since the first of some rows; 0 if they are fewer than
    two."""
    (R_a, p_a), (R_b, p_b) = ((R[rows], p[rows]) for R, p in (a, b))
    if len(p_a) < 2:
        return 0.0
    p, first = seen(R_a, p_b - p_a), R_a[0].T @ R_b[0]
    turned = seen(R_a, R_b[:, :, 0]) @ first  # where frame b's x axis is in what it was
    return max(furthest(p), largest(np.arctan2(turned[:, 1], turned[:, 0]), 0.0))


def conservation(dynamics: Dynamics, rows: Trajectory) -> dict[str, float]:
    """What does not balance: of angular momentum about Earth, relative to the orbit's; of energy, relative to the most
    that actuators gave or took; of angular momentum, relative to the most that the station and the rest exchanged."""
    ledger = Ledger(dynamics, rows)
    errors, station = ledger.errors(rows), _station_spin(dynamics, rows, ledger.balance)
    momentum, size = earth_angular_momentum(dynamics, rows, ledger.balance)
    work = rows.account[:, ACCOUNT.index("work_actuators")]
    return {
        "angular_momentum_drift": furthest(momentum) / size,
        "energy_balance_error": largest(errors["energy_error"], 0.0) / (largest(work, work[0]) or 1.0),
        "angular_momentum_balance_error": largest(errors["angular_momentum_error"], 0.0)
        / (largest(station, station[0]) or 1.0),
    }


def _station_spin(dynamics: Dynamics, rows: Trajectory, balance: Balance) -> np.ndarray:
    """The station's angular momentum (kg m²/s) about the system's centre of mass."""
    iss, layout = dynamics.world.body("iss"), dynamics.layout
    spin = np.empty(len(rows))
    _spin(
        rows.q, rows.v, layout.q["iss"].start, layout.v["iss"].start, balance.center, balance.momentum, balance.mass,
        iss.mass, iss.inertia[2][2], spin,
    )  # fmt: skip
    return spin


@njit(cache=True, nogil=True)
def _spin(  # type: ignore[no-untyped-def]
    q, v, at, moving, center, momentum, total, mass, inertia, spin
):  # fmt: skip
    """Of a planar joint's body, from its first coordinate and velocity on."""
    for k in range(spin.size):
        x, y = q[k, at] - center[k, 0], q[k, at + 1] - center[k, 1]
        vx, vy = v[k, moving] - momentum[k, 0] / total, v[k, moving + 1] - momentum[k, 1] / total
        spin[k] = inertia * v[k, moving + 2] + mass * (x * vy - y * vx)
