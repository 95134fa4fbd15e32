"""What engaged latches do to momenta: the rows of their constraints that matter, and velocities in line with them."""

import numpy as np

from softdock.dynamics import Dynamics
from softdock.dynamics.latch_loads import Hold
from softdock.dynamics.queries import apply_batch
from softdock.mechanics.layouts import CONSTRAINTS

DEPENDENT = 1e-9
"""Rows of latches' constraints that depend on others to this much are left out: they make a program singular."""


def latch_rows(dynamics: Dynamics, held: np.ndarray, q: np.ndarray) -> np.ndarray:
    """A of all latches at q (…, nq), of what they hold."""
    sizes = dynamics.tree.sizes
    out = np.empty((*q.shape[:-1], CONSTRAINTS.size(sizes)))
    rows = out.reshape(-1, out.shape[-1])
    q = np.ascontiguousarray(q.reshape(len(rows), -1))
    apply_batch(dynamics.kernel("latches"), dynamics.theta, q, np.zeros((1, 1)), held[None], rows)
    return np.asarray(CONSTRAINTS.view(out, sizes).A)


def independent_rows(dynamics: Dynamics, hold: Hold, q: np.ndarray) -> tuple[int, ...]:
    """Of the latches that hold: rows of c that matter at q."""
    from scipy.linalg import qr

    latches, at = dynamics.world.latches, dynamics.plant.latch_rows
    on = [k for k in range(len(latches)) if hold.engaged[k]]
    for k in on:
        if latches[k].compliance is not None:
            raise ValueError(f"latch {latches[k].name!r} gives way; rigid latches only")
    rows = np.concatenate([np.arange(at[k], at[k + 1]) for k in on]) if on else np.zeros(0, int)
    if not len(rows):
        return ()
    A = latch_rows(dynamics, hold.held, q)[rows] / np.sqrt(np.diag(dynamics.mass_matrix(q)))
    R, order = qr(A.T, mode="r", pivoting=True)
    size = np.abs(np.diag(R))
    return tuple(sorted(int(rows[k]) for k in order[: int((size > DEPENDENT * size[0]).sum())]))


def admittance(dynamics: Dynamics, rows: tuple[int, ...], held: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(…, nv, nv) at q (…, nq): velocities of momenta that need not be in line with what latches hold, M v = p + Aᵀμ,
    A v = 0."""
    W = np.linalg.inv(dynamics.mass_matrix(q))
    if not rows:
        return np.asarray(W)
    A = latch_rows(dynamics, held, q)[..., list(rows), :]
    AW = A @ W
    return np.asarray(W - AW.swapaxes(-1, -2) @ np.linalg.solve(AW @ A.swapaxes(-1, -2), AW))
