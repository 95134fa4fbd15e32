"""An independent way to integrate the same kernels: DOP853, explicit, adaptive, of order 8.

No invariant is kept by construction, so it checks the variational steps; on smooth motions it is
also the quickest way to a given accuracy. Method and error estimate: Hairer, Nørsett & Wanner,
Solving Ordinary Differential Equations I (1993), sec. II.5; the coefficients are SciPy's. Engaged latches are held by
accelerations, c̈ = A a + γ = 0; positions and velocities are brought back to c = 0, A v = 0 after every step; so are
contacts that rest (reference_rest.py).
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import batched
from softdock.dynamics.latch import compliance, keep_diagonal
from softdock.dynamics.latch_system import DEPENDENT, felt
from softdock.dynamics.model import Dynamics
from softdock.dynamics.orbit import position
from softdock.dynamics.queries import acceleration, inverse_input, mass_factor
from softdock.dynamics.reference_rest import do_as_before, keep_rest, press
from softdock.dynamics.reference_soft import before_opening, contact_force, push_soft, recall, remember
from softdock.dynamics.resting import UNSOLVED
from softdock.kernels import Struct, call
from softdock.kernels.jit import njit
from softdock.kernels.linear import dot, semidefinite_factor, semidefinite_solve
from softdock.mechanics.tree import NOISE

STAGES = 12
RTOL, ATOL = 1e-13, 1e-14
AT_REST = 1e-10
"""The least tolerance, relative and of 0.1 absolute, with contacts at rest, whose J̇ v is by differences."""


@cache
def _table() -> tuple[np.ndarray, ...]:
    from scipy.integrate import DOP853  # 0.4 s to import, and needed only here

    tables = (DOP853.A, DOP853.B, DOP853.C, DOP853.E3, DOP853.E5)
    return tuple(np.ascontiguousarray(table, dtype=np.float64) for table in tables)


class Holding(NamedTuple):
    """What latches do: numbers of c (layouts.HELD), 1 for every row that is held, and spring and damper of every row
    that gives way. What points at rest do (reference_rest.py), between which speeds, which way, and their forces."""

    held: np.ndarray = np.zeros(0)
    on: np.ndarray = np.zeros(0)
    stiffness: np.ndarray = np.zeros(0)
    damping: np.ndarray = np.zeros(0)
    does: np.ndarray = np.zeros(0, np.int64)
    slow: np.ndarray = np.zeros(0)
    last: np.ndarray = np.zeros((0, 2))
    force: np.ndarray = np.zeros(0)


def reference(
    dynamics: Dynamics,
    q: ArrayLike,
    v: ArrayLike,
    times: ArrayLike,
    command: ArrayLike | None = None,
    *,
    rtol: float = RTOL,
    atol: float = ATOL,
) -> tuple[np.ndarray, np.ndarray]:
    """States (q, v) at `times`, from a state at times[0], under a constant command; no latch holds, nothing touches.

    `ReferenceMotion` follows whole runs, with controllers, latches and impacts.
    """
    refuse_stiction(dynamics)
    at = np.ascontiguousarray(times, dtype=np.float64)
    if at.ndim != 1 or len(at) < 2 or not np.all(np.diff(at) > 0):
        raise ValueError("times must be two or more increasing numbers")
    u = batched("command", np.zeros(dynamics.nv) if command is None else command, dynamics.nv)[0]
    start = np.concatenate([dynamics._q(q)[0], batched("v", v, dynamics.nv)[0]])
    states, reached, _, _ = Integrator(dynamics, rtol, atol).go(start, at, u, Holding())
    if reached < len(at):
        raise RuntimeError(f"the reference integrator found no step small enough after t = {at[reached - 1]:g} s")
    return states[:, : dynamics.nq], states[:, dynamics.nq :]


def refuse_stiction(dynamics: Dynamics) -> None:
    """Static friction has no rate."""
    if dynamics.plant.dry.size:
        raise ValueError("a joint that may stick has no rate to integrate: leave 'static' of its friction out")


class Integrator:
    """DOP853 of a world; `state`, if given, has contacts whose compliant forces act. What they `remember` is then
    the end of every y."""

    def __init__(self, dynamics: Dynamics, rtol: float, atol: float, state: Struct | None = None) -> None:
        self._dynamics, self._rtol, self._atol = dynamics, rtol, atol
        self._state = dynamics.new_state(1, 0.0) if state is None else state
        self.remembers = state is not None and bool(dynamics.plant.contacts.soft.any())
        latches = [dynamics.kernel(name) if dynamics.world.latches else 0 for name in ("latches", "latch_bias")]
        soft = contact_force.address(dynamics.struct, self._state) if self.remembers else 0
        self._kernels = (*(dynamics.kernel(name) for name in ("inverse", "actuators", "rates")), *latches, soft)
        self._quaternions = np.array(dynamics.layout.quaternions(), dtype=np.int64)

    def go(
        self, start: np.ndarray, times: np.ndarray, command: np.ndarray, holding: Holding, h: float = 0.0
    ) -> tuple[np.ndarray, int, float, float]:
        """As `integrate`, with `h` the length of the first step."""
        first = h if h > 0.0 else 0.01 * (times[1] - times[0])
        least = AT_REST if holding.does.size else 0.0
        tolerances = np.array([max(self._rtol, least), max(self._atol, 0.1 * least), first])
        return integrate(
            self._dynamics.struct, self._state, self._kernels, self._quaternions, _table(), command, tuple(holding),
            start, times, tolerances,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def hold(plant, kernels, holding, y, a):
    """Change accelerations a so that what latches hold stays held, and springs of those that give way act."""
    held, on, stiffness, damping = holding[:4]
    nq, n, rows = plant.nq, plant.nv, on.size
    made, bias = np.empty(rows * (1 + n)), np.empty(rows)
    call(kernels[3], y, y, held, plant.theta, made)
    call(kernels[4], y, y[nq:], held, plant.theta, bias)
    A, Y, S, c = np.empty((rows, n)), np.empty((rows, n)), np.empty((rows, rows)), np.empty(rows)
    factor, push, m = mass_factor(plant, y), np.zeros(n), 0
    for row in range(rows):
        own = made[rows + row * n : rows + (row + 1) * n]
        if stiffness[row] != 0.0 or damping[row] != 0.0:
            f = stiffness[row] * made[row] + damping[row] * dot(own, y[nq:])
            for k in range(n):
                push[k] -= f * own[k]
        elif on[row] != 0.0:
            A[m], c[m] = own, bias[row]
            m += 1
    answer = np.empty(n)
    call(plant.kernels.solve, push, push, factor, plant.theta, answer)
    for k in range(n):
        a[k] += answer[k]
    if m > 0:
        pull(plant, factor, A, Y, S, m, c, a)


@njit(cache=True, nogil=True)
def pull(plant, factor, A, Y, S, m, c, x):
    """Change x by the least, in the norm of M, so that A x + c = 0."""
    kept, order, own, largest = np.empty(m, np.bool_), np.empty(m, np.int64), np.empty(m), 1.0
    for i in range(m):
        for k in range(x.size):
            largest = max(largest, abs(A[i, k]))
    for i in range(m):
        for k in range(x.size):
            A[i, k] = felt(A[i, k], NOISE * largest)
    compliance(plant.kernels.solve, plant.theta, factor, A, m, Y, S)
    keep_diagonal(S, m, own)
    semidefinite_factor(S, m, kept, order, own, DEPENDENT)
    for i in range(m):
        c[i] = -c[i] - dot(A[i], x)
    semidefinite_solve(S, m, kept, order, c)
    for i in range(m):
        for k in range(x.size):
            x[k] += c[i] * Y[i, k]


@njit(cache=True, nogil=True)
def bring_back(plant, kernels, holding, y):
    """Positions to c = 0 and velocities to A v = 0."""
    held, on, stiffness, damping = holding[:4]
    nq, n, rows = plant.nq, plant.nv, on.size
    made, dq = np.empty(rows * (1 + n)), np.empty(nq)
    A, Y, S, c = np.empty((rows, n)), np.empty((rows, n)), np.empty((rows, rows)), np.empty(rows)
    for turn in range(2):
        call(kernels[3], y, y, held, plant.theta, made)
        m, x, factor = 0, np.zeros(n), mass_factor(plant, y)
        for row in range(rows):
            if on[row] != 0.0 and stiffness[row] == 0.0 and damping[row] == 0.0:
                A[m], c[m] = made[rows + row * n : rows + (row + 1) * n], made[row] if turn == 0 else 0.0
                m += 1
        if m == 0:
            return
        if turn == 1:
            x[:] = y[nq:]
        pull(plant, factor, A, Y, S, m, c, x)
        if turn == 1:
            y[nq:] = x
        else:
            call(kernels[2], y, x, x, plant.theta, dq)
            y[:nq] += dq


@njit(cache=True, nogil=True)
def rate(plant, state, kernels, command, holding, t, y, given, dy):
    """dy/dt of the state y = (q, v), and of what contacts remember behind it."""
    nq, n, (e, radius, acting) = plant.nq, plant.nq + plant.nv, given
    if plant.orbit.size > 0:
        position(plant.orbit, t, radius)
    for i in range(plant.nv):
        acting[i] = command[i]
    if kernels[5] != 0:
        push_soft(plant, state, kernels[5], y, acting, dy)
    v, a = y[nq:n], dy[nq:n]
    call(kernels[2], y, v, e, plant.theta, dy)
    acceleration(plant, kernels[0], kernels[1], y, v, acting, e, a)
    if holding[1].size > 0:
        hold(plant, kernels, holding, y[:n], a)
    if holding[4].size > 0 and press(plant, state, kernels[2], holding[4], *holding[6:], y[:n], a) > UNSOLVED:
        dy[nq:] = np.nan


@njit(cache=True, nogil=True)
def stages(plant, state, kernels, table, command, holding, t, h, y, K, trial, given):
    """All stages of one step (K[0] is given), the new state in `trial`, and its rate in K[12]."""
    A, B, C = table[0], table[1], table[2]
    n = y.size
    for s in range(1, STAGES + 1):
        weights = A[s] if s < STAGES else B
        for i in range(n):
            trial[i] = 0.0
        for j in range(s):
            if weights[j] != 0.0:
                for i in range(n):
                    trial[i] += weights[j] * K[j, i]
        for i in range(n):
            trial[i] = y[i] + h * trial[i]
        rate(plant, state, kernels, command, holding, t + (C[s] if s < STAGES else 1.0) * h, trial, given, K[s])


@njit(cache=True, nogil=True)
def error_of(table, h, y, trial, K, rtol, atol):
    """The combined estimate of orders 5 and 3, relative to the tolerance."""
    E3, E5 = table[3], table[4]
    five, three = 0.0, 0.0
    for i in range(y.size):
        scale = atol + rtol * max(abs(y[i]), abs(trial[i]))
        a, b = 0.0, 0.0
        for s in range(STAGES + 1):
            a += E5[s] * K[s, i]
            b += E3[s] * K[s, i]
        five += (a / scale) ** 2
        three += (b / scale) ** 2
    if five == 0.0:
        return 0.0
    return abs(h) * five / np.sqrt((five + 0.01 * three) * y.size)


@njit(cache=True, nogil=True)
def integrate(plant, state, kernels, quaternions, table, command, holding, start, times, tolerances):
    """States at `times`; returns them, how many were reached, the length of the next step, and the time of the last
    state: not a number if no step was small enough, else before its own where points at rest changed. `tolerances`
    are relative, absolute, and the length of the first step."""
    n, body = start.size, plant.nq + plant.nv
    y, trial, e = start.copy(), np.empty(n), inverse_input(plant.nv)
    if kernels[5] != 0:
        recall(plant, state, kernels[5], y)
    given = e.vector, e.radius, np.empty(plant.nv)  # Numba's cache of `rate` knows no named tuples
    K = np.empty((STAGES + 1, n))
    out = np.empty((times.size, n))
    out[0] = y
    t, h, most = times[0], tolerances[2], np.inf
    rate(plant, state, kernels, command, holding, t, y, given, K[0])
    for row in range(1, times.size):
        while t < times[row]:
            step = min(h, most)
            last = t + step * (1 + 1e-9) >= times[row]
            step = times[row] - t if last else step
            stages(plant, state, kernels, table, command, holding, t, step, y, K, trial, given)
            error = error_of(table, step, y, trial, K, tolerances[0], tolerances[1])
            part = before_opening(plant, K, step) if kernels[5] != 0 and error <= 1.0 else 1.0
            if part < 1.0:  # again, to there
                h, most = max(h, step), part * step
            elif error <= 1.0:
                if kernels[5] != 0:
                    remember(plant, state, trial)
                t = times[row] if last else t + step
                if holding[1].size > 0:
                    bring_back(plant, kernels, holding, trial[:body])
                if holding[4].size > 0:
                    keep_rest(plant, state, kernels[2], holding[4], holding[7], trial[:body])
                for k in quaternions:
                    norm = np.sqrt(trial[k] ** 2 + trial[k + 1] ** 2 + trial[k + 2] ** 2 + trial[k + 3] ** 2)
                    for i in range(k, k + 4):
                        trial[i] /= norm
                y[:] = trial
                K[0] = K[STAGES]
                grown = 10.0 if error == 0.0 else min(10.0, 0.9 * error ** (-1 / 8))
                h, most = max(h, step * grown) if last or most < h else step * grown, np.inf
                if holding[4].size > 0 and not do_as_before(plant, state, *holding[4:7], y[:body]):
                    out[row] = y
                    return out, row, h, t
            else:
                h = step * (max(0.2, 0.9 * error ** (-1 / 8)) if np.isfinite(error) else 0.2)
            if abs(h) < 1e-14 * max(1.0, abs(t)):
                return out, row, h, np.nan
        out[row] = y
    return out, times.size, h, t
