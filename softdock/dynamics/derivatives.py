"""Derivatives of a step by implicit differentiation (mechanics/derivatives.py, docs/theory/optimal.md)."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import batched, same_length
from softdock.dynamics.rollout import velocity_free
from softdock.dynamics.settling import RESOLVED
from softdock.dynamics.status import DONE
from softdock.dynamics.step import FLOOR, MAX_ITERATIONS, SLOW, STILL, before_step, solve_free
from softdock.kernels import Struct, call, loop
from softdock.kernels.jit import njit
from softdock.kernels.lanes import FOUR, LANES
from softdock.kernels.linear import copy, eliminate_columns, less_product
from softdock.mechanics.layouts import ADVANCE, DEPTH, FACTOR_INPUT, STEP_DERIVATIVES, STEP_INPUT

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


class Beside(NamedTuple):
    """Four steps side by side, one in each lane: (…, lanes)."""

    newton: int
    factor: int
    solve: int
    advance: int
    derive: int
    """Addresses of kernels of four."""
    q: np.ndarray
    xi: np.ndarray
    theta: np.ndarray
    input: Any
    """layouts.STEP_INPUT"""
    moved: Any
    """layouts.ADVANCE"""
    mass: np.ndarray
    no_step: np.ndarray
    before: np.ndarray
    """Change in the iteration before; 0 if there was none, −1 if there is no more to come."""
    damping: np.ndarray
    """As the clock of a step has it."""
    found: np.ndarray
    """layouts.STEP_DERIVATIVES"""


def steps_beside(dynamics: "Dynamics") -> Struct:
    """Room for four steps of a world."""
    sizes = dynamics.tree.sizes

    def room(length: int) -> np.ndarray:
        return np.zeros((length, LANES))

    kernels = {name: dynamics.kernel(name, FOUR) for name in ("factor", "solve", "advance")}
    given, moved = (fields.beside(room(fields.size(sizes)), sizes) for fields in (STEP_INPUT, ADVANCE))
    return Struct(
        Beside(
            newton=dynamics.newton_kernel("newton", False, FOUR), derive=dynamics.kernel("step_derivatives", FOUR),
            **kernels, q=room(dynamics.nq), xi=room(dynamics.nv),
            theta=np.repeat(dynamics.theta[:, None], LANES, axis=1), input=given, moved=moved,
            mass=room(dynamics.plant.factor_size), no_step=room(FACTOR_INPUT.size(sizes)),
            before=np.zeros(LANES), damping=np.zeros(LANES), found=room(STEP_DERIVATIVES.size(sizes)),
        )
    )  # fmt: skip


@njit(cache=True, nogil=True)
def set_out(plant, state, q, p, u, t):
    """From (q, p, t) under a command, with nothing known of the past."""
    copy(q, state.q)
    copy(p, state.input.momentum)
    copy(u, state.input.command)
    state.clock.time, state.clock.past_end = t, t
    state.clock.factor_h, state.clock.contraction = 0.0, 1.0
    state.counts.history = 1


@loop
def step_at(plant, state, q, p, u, h, t):
    """Take the step from (q, p, t) to its solution ξ; its status."""
    set_out(plant, state, q, p, u, t)
    velocities = state.step.velocities.differences
    velocity_free(plant, state, state.xi)
    for i in range(plant.nv):
        for k in range(DEPTH + 1):
            velocities[0, i, k] = state.xi[i] if k == 0 else 0.0
    before_step(plant, state, h, 0)
    return solve_free(plant, state, h, 0)


@njit(cache=True, nogil=True)
def put(plant, state, beside, k):
    """A step into lane k."""
    for i in range(plant.nq):
        beside.q[i, k] = state.q[i]
    for i in range(plant.nv):
        beside.xi[i, k] = state.xi[i]
    for i in range(beside.input.vector.shape[0]):
        beside.input.vector[i, k] = state.input.vector[i]


@njit(cache=True, nogil=True)
def solve_beside(plant, state, beside, count):
    """`step_at` in the first lanes, which hold what each sets out from; those in which `before` is not −1 then have no
    solution yet. No lane sees another."""
    q, xi, given, newton = beside.q, beside.xi, beside.input, beside.input.newton
    tolerance = state.clock.tolerance
    call(beside.factor, q, q, beside.no_step, beside.theta, beside.mass)
    call(beside.solve, q, given.momentum, beside.mass, beside.theta, xi)
    for k in range(LANES):
        beside.before[k] = 0.0 if k < count else -1.0
        given.h[k] *= 0.5
    call(beside.advance, q, xi, given.vector, beside.theta, beside.moved.vector)
    for k in range(LANES):
        given.h[k] *= 2.0
    call(beside.factor, beside.moved.vector, xi, given.vector, beside.theta, given.factor)
    going = count
    for _ in range(MAX_ITERATIONS):
        call(beside.newton, q, xi, given.vector, beside.theta, newton.vector)
        if going == 0:
            break
        for k in range(count):
            before, change, scale = beside.before[k], newton.change[k], newton.scale[k]
            if before >= 0.0:
                rate = np.sqrt(change / before) if before > 0.0 else 0.25 * SLOW
                left = max(rate, min(max(beside.damping[k], 0.5 * given.h[k] ** 2 * plant.sprung), 1.0))
                stuck = before > 0.0 and rate > 0.3 and change <= FLOOR * FLOOR * scale
                enough = stuck or change <= STILL or left * left * change <= tolerance * tolerance * scale
                going -= 1 if enough else 0
                beside.before[k] = -1.0 if enough else change
                for i in range(plant.nv):
                    xi[i, k] += newton.step[i, k]
    call(beside.advance, q, xi, given.vector, beside.theta, beside.moved.vector)


@njit(cache=True, nogil=True)
def derive_batch(plant, state, given, beside, parts, out, end):
    """Derivatives (2 nv, given) of many steps: given are q, p, u, h, t by rows; `parts` are STEP_DERIVATIVES' arrays of
    one step, `end` q and p after each. Returns how many were done. (Four steps at a time: a kernel of 20,000
    instructions does not stay in the processor's cache.)"""
    q, p, u, h, t = given
    vector, by_given, by_velocity, state_by_given, state_by_velocity = parts
    for first in range(0, len(q), LANES):
        count = min(LANES, len(q) - first)
        for k in range(count):
            b = first + k
            set_out(plant, state, q[b], p[b], u[b], t[b])
            before_step(plant, state, h[b], 0)
            beside.damping[k] = state.clock.damping
            put(plant, state, beside, k)
        solve_beside(plant, state, beside, count)
        for k in range(count):
            b = first + k
            if beside.before[k] != -1.0:
                if step_at(plant, state, q[b], p[b], u[b], h[b], t[b]) != DONE:
                    return b
                put(plant, state, beside, k)
                call(plant.kernels.advance, state.q, state.xi, state.input.vector, plant.theta, state.moved.vector)
                for i in range(state.moved.vector.size):
                    beside.moved.vector[i, k] = state.moved.vector[i]
            for i in range(plant.nq):
                end[0][b, i] = beside.moved.q[i, k]
            for i in range(plant.nv):
                end[1][b, i] = beside.moved.momentum[i, k]
        call(beside.derive, beside.q, beside.xi, beside.input.vector, beside.theta, beside.found)
        for k in range(count):
            for i in range(vector.size):
                vector[i] = beside.found[i, k]
            if not eliminate_columns(by_velocity, plant.nv, by_given):
                return first + k
            less_product(out[first + k], state_by_given, state_by_velocity, by_given)
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
    done = derive_batch(dynamics.struct, state, tuple(given), steps_beside(dynamics), tuple(parts), out, end)
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
