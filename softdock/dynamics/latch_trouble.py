"""Why a step with latches engaged found no solution: for messages, where a step has failed."""

from typing import TYPE_CHECKING

import numpy as np

from softdock.dynamics.latch_loads import constraints_at, displaced, multipliers_of

if TYPE_CHECKING:
    from softdock.dynamics.motion import Motion

NUDGE = 1e-6
"""Part of a step, or displacement (m or rad), over which rates are taken."""
AWAY = 0.05
"""Displacement (m or rad) that leaves a singular configuration."""
FAR, WOULD_DO = 0.5, 0.25
"""Turn (rad) of what a latch holds that a step may not follow, and one that it follows well."""
DEPENDENT = 1e-5
"""Eigenvalue of the latches' system, scaled to a diagonal of ones, of rows that depend on each other."""


def latch_trouble(motion: "Motion", h: float, command: np.ndarray) -> str | None:
    """What is the matter with the engaged latches at a motion's state for a step of h (s), or None."""
    rigid, q, v = motion._rigid(), motion.q[None], motion.v[None]
    if not len(rigid) or not (np.isfinite(q).all() and np.isfinite(v).all()):
        return None
    return _turning(motion, rigid, q, v, h) or _swinging(motion, rigid, q, v, h, command) or _singular(motion, rigid, q)


def _rows(motion: "Motion", latch: int) -> slice:
    return slice(*motion._plant.latch_rows[latch : latch + 2])


def _jacobian(motion: "Motion", q: np.ndarray) -> np.ndarray:
    return constraints_at(motion.dynamics, q, motion.hold)[1][0]


def _name(motion: "Motion", latch: int) -> str:
    described = motion.dynamics.world.latches[latch]
    length = float(motion._state.input.latches.held.length[latch])
    return f"latch {described.name!r}" + (f", {length:.3g} m long," if described.kind == "distance" else "")


def _turning(motion: "Motion", rigid: np.ndarray, q: np.ndarray, v: np.ndarray, h: float) -> str | None:
    """Does what a latch holds turn too far in a step? A turn of A is measured in the norm of M⁻¹."""
    here, there = _jacobian(motion, q), _jacobian(motion, displaced(motion.dynamics, q, NUDGE * h * v))
    to_mass = np.linalg.inv(np.linalg.cholesky(motion.dynamics.mass_matrix(q[0]))).T
    turns = {}
    for k in rigid:
        A, change = (x[_rows(motion, k)] @ to_mass for x in (here, there - here))
        size = np.linalg.norm(A)
        turns[k] = np.linalg.norm(change) / (NUDGE * size) if size > 0.0 else 0.0
    worst = max(turns, key=lambda k: turns[k])
    if not turns[worst] > FAR:
        return None
    return (
        f"what {_name(motion, worst)} holds turns by {turns[worst]:.3g} rad within the step of {h:g} s, more than it "
        f"follows; one of {WOULD_DO * h / turns[worst]:.2g} s would do"
    )


def _swinging(
    motion: "Motion", rigid: np.ndarray, q: np.ndarray, v: np.ndarray, h: float, command: np.ndarray
) -> str | None:
    """Does the load of a latch make it swing faster than a step follows? λ ∂²c/∂q² is a stiffness, as of a string."""
    dynamics, n = motion.dynamics, motion.dynamics.nv
    A, loads = multipliers_of(dynamics, q, v, command[None], np.array([motion.t]), motion.hold)
    M, swings = dynamics.mass_matrix(q[0]), {}
    for k in rigid:
        own = _rows(motion, k)
        K = np.empty((n, n))
        for j in range(n):
            there = _jacobian(motion, displaced(dynamics, q, NUDGE * np.eye(n)[j : j + 1]))
            K[:, j] = (there[own] - A[0, own]).T @ loads[0, own] / NUDGE
        swings[k] = float(np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(M, K))).max()))
    worst = max(swings, key=lambda k: swings[k])
    if not h * swings[worst] > 2 * FAR:
        return None
    load = float(np.linalg.norm(loads[0, _rows(motion, worst)]))
    return (
        f"{_name(motion, worst)} under a load of {load:.3g} N swings at {swings[worst]:.3g} rad/s, faster than a step "
        f"of {h:g} s follows; one of {FAR / swings[worst]:.2g} s would do"
    )


def _singular(motion: "Motion", rigid: np.ndarray, q: np.ndarray) -> str | None:
    """Do rows depend on each other here that do not nearby?"""
    away = displaced(motion.dynamics, q, np.random.default_rng(0).uniform(-AWAY, AWAY, (1, motion.dynamics.nv)))
    (values, vectors), (others, _) = (_spectrum(motion, rigid, x) for x in (q, away))
    if not np.sum(values < DEPENDENT) > np.sum(others < DEPENDENT):
        return None
    part, owner = np.abs(vectors[:, values < DEPENDENT]).max(axis=1), motion._plant.rows["latch"]
    rows = np.flatnonzero(np.isin(owner, rigid))
    names = sorted({motion.dynamics.world.latches[owner[row]].name for row in rows[part > 0.1]})
    return (
        f"latches {', '.join(names)} hold a singular configuration, as of a stretched arm: no force of theirs, however "
        "large, bears what pushes or moves across it"
    )


def _spectrum(motion: "Motion", rigid: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and vectors of A M⁻¹ Aᵀ of rigid latches, scaled to a diagonal of ones."""
    A = _jacobian(motion, q)[np.isin(motion._plant.rows["latch"], rigid)]
    S = A @ np.linalg.solve(motion.dynamics.mass_matrix(q[0]), A.T)
    scale = np.sqrt(np.maximum(np.diag(S), 1e-300))
    values, vectors = np.linalg.eigh(S / np.outer(scale, scale))
    return values, vectors
