"""Derivatives of a whole motion: of its end by its start and by every command, also across located impacts.

Between impacts they are products of the steps' own (docs/theory/optimal.md, eq. 3). A step with an impact is three: a
part of size τ at whose end the gap φ closes, so that dτ = −(n·δ)/(n·∂δ/∂h) with n = ∂φ/∂q; the impulse, a map of the
momenta at q₁; and the rest, of size h − τ.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics, Motion
from softdock.dynamics.arrays import rows_of
from softdock.spatial import quaternion_of_vector, quaternion_product

NUDGE = 1e-3
"""Of differences of order 6 of the impulse's map (m or rad)."""
MOST = 20
"""Impacts in one step."""


class Sensitivity(NamedTuple):
    """The end of a motion, and how it depends on what it was given. Ends are (δ, p): displacements in the coordinates
    of v (rotations in the child's frame), and momenta."""

    q: np.ndarray
    """Coordinates at the end (m or rad)."""
    v: np.ndarray
    """Velocities at the end (m/s or rad/s)."""
    by_start: np.ndarray
    """(2 nv, 2 nv): by the start's displacement (m or rad) and momenta (kg m/s or kg m²/s)."""
    by_commands: np.ndarray
    """(steps, 2 nv, nv): by the command of each step (N or N m)."""
    impacts: int
    """How many were crossed."""


def sensitivity(dynamics: Dynamics, q: ArrayLike, v: ArrayLike, *, h: float, commands: ArrayLike) -> Sensitivity:
    """Of a motion under `commands` (steps, nv), in steps of size h (s). Impacts are crossed if they are of one contact
    at a time without friction; engaged latches and compliant contacts are refused."""
    if any(latch.engaged for latch in dynamics.world.latches):
        raise ValueError(
            "sensitivity: engaged latches are not differentiated (those of a plan are: optimal.linearised)"
        )
    if any(contact.compliance is not None for contact in dynamics.world.contacts):
        raise ValueError("sensitivity: compliant contacts are not differentiated")
    u = rows_of("commands", commands, dynamics.nv, len(np.atleast_2d(np.asarray(commands, dtype=np.float64))))
    motion, n = Motion(dynamics, q, v, h=h), dynamics.nv
    A, B = np.empty((len(u), 2 * n, 2 * n)), np.empty((len(u), 2 * n, n))
    struck = 0
    for k, row in enumerate(u):
        A[k], B[k], hits = _step(motion, row, h)
        struck += hits
    by_commands, onward = np.empty_like(B), np.eye(2 * n)
    for k in range(len(u) - 1, -1, -1):
        by_commands[k] = onward @ B[k]
        onward = onward @ A[k]
    return Sensitivity(motion.q, motion.v, onward, by_commands, struck)


def _step(motion: Motion, u: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray, int]:
    """One step of a motion, with its impacts: derivatives by the state and the command before it, and how many."""
    dynamics, n, end, watched = motion.dynamics, motion.dynamics.nv, motion.t + h, motion.dynamics.contact_names
    given = np.hstack([np.eye(2 * n), np.zeros((2 * n, n))])  # (δ, p) so far by (δ, p, u) at the step's start
    late, by_u = np.zeros(3 * n), np.hstack([np.zeros((n, 2 * n)), np.eye(n)])  # when this part begins, by the same
    for hits in range(MOST):
        q, p, began = motion.q, dynamics.momenta(motion.q, motion.v), motion.t
        rows = motion.step_to(end, u, stop_at=watched) if watched else motion.run(1, u)
        part = dynamics.step_derivatives(q, p, u, motion.t - began, began)
        moved = part.by_state @ given + part.by_command @ by_u
        if not rows.impacts:
            moved -= np.outer(part.by_h, late)
            return moved[:, : 2 * n], moved[:, 2 * n :], hits
        slope, jump = _impulse(motion, rows.impacts, part.q, part.p)
        longer = -(slope @ moved[:n]) / (slope @ part.by_h[:n])
        moved += np.outer(part.by_h, longer)
        late = late + longer
        given = np.vstack([moved[:n], jump @ moved])
    raise ValueError(f"sensitivity: more than {MOST} impacts in the step that ends at t = {end:.6g} s")


def _impulse(motion: Motion, impacts: object, q: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slope n of the gap that is struck, and ∂p⁺/∂(δ, p) (nv, 2 nv) of p⁺ = p − (1 + e) n (n·v)/(n·M⁻¹n)."""
    dynamics = motion.dynamics
    names = {hit.contact for hit in impacts}  # type: ignore[attr-defined]
    if len(names) != 1:
        raise ValueError(f"sensitivity: {len(names)} contacts are struck at once at t = {motion.t:.6g} s")
    k = dynamics.contact_names.index(names.pop())
    law = dynamics.plant.contacts.laws[k]
    if law["friction"] > 0.0:
        raise ValueError(f"sensitivity: contact {dynamics.contact_names[k]!r} has friction")

    def after(delta: np.ndarray) -> np.ndarray:
        there = displaced(dynamics, q, delta)
        slope = dynamics.gap_values(there)[1][k]
        x = np.linalg.solve(dynamics.mass_matrix(there), np.column_stack([slope, np.eye(len(slope))]))
        return np.eye(len(slope)) - (1.0 + law["restitution"]) * np.outer(slope, slope @ x[:, 1:]) / (slope @ x[:, 0])

    n = dynamics.nv
    by_delta = np.empty((n, n))
    for j, e in enumerate(NUDGE * np.eye(n)):
        one, two, three = ((after(s * e) - after(-s * e)) @ p for s in (1, 2, 3))
        by_delta[:, j] = (45 * one - 9 * two + three) / (60 * NUDGE)
    return dynamics.gap_values(q)[1][k], np.hstack([by_delta, after(np.zeros(n))])


def displaced(dynamics: Dynamics, q: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """q ⊕ δ."""
    out = q.copy()
    for link in dynamics.tree.links:
        own = delta[link.v : link.v + link.dof]
        if link.kind == "S":
            turn = quaternion_of_vector(own)
            out[link.q : link.q + 4] = quaternion_product(q[link.q : link.q + 4], turn)
        else:
            out[link.q : link.q + link.dof] += own
    return out
