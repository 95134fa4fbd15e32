"""Derivatives of a step by implicit differentiation (mechanics/derivatives.py, docs/theory/optimal.md)."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import batched, same_length
from softdock.dynamics.rollout import velocity_free
from softdock.dynamics.settling import RESOLVED
from softdock.dynamics.status import DONE
from softdock.dynamics.step import before_step, solve_free
from softdock.kernels import call, loop
from softdock.kernels.jit import njit
from softdock.kernels.linear import eliminate_columns, less_product
from softdock.mechanics.layouts import DEPTH, STEP_DERIVATIVES

if TYPE_CHECKING:
    from softdock.dynamics.model import Dynamics


class StepDerivatives(NamedTuple):
    """A step and how its end depends on what it is given, with a leading batch axis if q has one.

    The end is (δ', p'): its displacement in the coordinates of v (rotations in the child's frame), and the momenta.
    """

    q: np.ndarray
    """Coordinates after the step (m or rad)."""
    p: np.ndarray
    """Momenta after the step (kg m/s or kg m²/s)."""
    by_state: np.ndarray
    """(…, 2 nv, 2 nv): by the start's displacement and momenta (-, s/kg, kg/s)."""
    by_command: np.ndarray
    """(…, 2 nv, nv): by the command."""
    by_h: np.ndarray
    """(…, 2 nv): by the step's size."""


@loop
def step_at(plant, state, q, p, u, h, t):
    """Take the step from (q, p, t) to its solution ξ, with nothing known of the past; its status."""
    for i in range(plant.nq):
        state.q[i] = q[i]
    for i in range(plant.nv):
        state.input.momentum[i] = p[i]
        state.input.command[i] = u[i]
    state.clock.time, state.clock.past_end = t, t
    state.clock.factor_h, state.clock.contraction = 0.0, 1.0
    velocities = state.step.velocities.differences
    velocity_free(plant, state, state.xi)
    for i in range(plant.nv):
        for k in range(DEPTH + 1):
            velocities[0, i, k] = state.xi[i] if k == 0 else 0.0
    state.counts.history = 1
    before_step(plant, state, h, 0)
    return solve_free(plant, state, h, 0)


@njit(cache=True, nogil=True)
def derive_batch(plant, state, kernel, given, parts, out, end):
    """Derivatives (2 nv, given) of many steps: given are q, p, u, h, t by rows; `parts` are STEP_DERIVATIVES' arrays,
    `end` q and p after each. Returns how many were done."""
    q, p, u, h, t = given
    vector, by_given, by_velocity, state_by_given, state_by_velocity = parts
    for b in range(len(q)):
        if step_at(plant, state, q[b], p[b], u[b], h[b], t[b]) != DONE:
            return b
        call(plant.kernels.advance, state.q, state.xi, state.input.vector, plant.theta, state.moved.vector)
        for i in range(plant.nq):
            end[0][b, i] = state.moved.q[i]
        for i in range(plant.nv):
            end[1][b, i] = state.moved.momentum[i]
        call(kernel, state.q, state.xi, state.input.vector, plant.theta, vector)
        if not eliminate_columns(by_velocity, plant.nv, by_given):
            return b
        less_product(out[b], state_by_given, state_by_velocity, by_given)
    return len(q)


def step_derivatives(
    dynamics: "Dynamics", q: ArrayLike, p: ArrayLike, u: ArrayLike, h: ArrayLike, t: ArrayLike
) -> StepDerivatives:
    """See `Dynamics.step_derivatives`."""
    n = dynamics.nv
    rows = (np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in (h, t))
    given = same_length(dynamics._q(q), batched("p", p, n), batched("u", u, n), *rows)
    refuse(dynamics, given[3])
    state, sizes = dynamics.new_state(1, 1e-14), dynamics.tree.sizes
    state.record.loops["newton"] = dynamics.newton_kernel("newton", ledger=False)
    parts = STEP_DERIVATIVES.view(np.zeros(STEP_DERIVATIVES.size(sizes)), sizes)
    out, end = np.empty((len(given[0]), 2 * n, 3 * n + 1)), (np.empty_like(given[0]), np.empty_like(given[1]))
    done = derive_batch(
        dynamics.struct, state, dynamics.kernel("step_derivatives"), tuple(given), tuple(parts), out, end
    )
    if done < len(out):
        raise ValueError(f"the step of {given[3][done]:g} s from row {done} did not converge; try a smaller one")
    found = StepDerivatives(*end, out[..., : 2 * n], out[..., 2 * n : -1], out[..., -1])
    single = all(np.ndim(x) == 1 for x in (q, p, u)) and np.ndim(h) == np.ndim(t) == 0
    return StepDerivatives(*(part[0] for part in found)) if single else found


def refuse(dynamics: "Dynamics", h: np.ndarray) -> None:
    """Steps that have no derivative of this kind."""
    if not (np.all(np.isfinite(h)) and np.all(h > 0)):
        raise ValueError("the step h must be a positive number of seconds")
    if dynamics.plant.dry.size:
        joint = dynamics.layout.names()[1][int(dynamics.plant.dry["v"][0])]
        raise ValueError(f"the joint {joint!r} sticks and slides: its step has no derivative")
    for row in dynamics.plant.settling:
        if h.max() * row["fast"] > RESOLVED:
            raise ValueError(
                f"the damper or servo of {dynamics.layout.names()[1][row['v']]!r} settles faster than the step, "
                f"which then depends on those before it: take a step of at most {RESOLVED / row['fast']:.2g} s"
            )
