"""An independent way to integrate the same kernels: DOP853, explicit, adaptive, of order 8.

No invariant is kept by construction, so it checks the variational steps; on smooth motions it is
also the quickest way to a given accuracy. Method and error estimate: Hairer, Nørsett & Wanner,
Solving Ordinary Differential Equations I (1993), sec. II.5; the coefficients are SciPy's.
"""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import batched
from softdock.dynamics.model import Dynamics
from softdock.dynamics.orbit import position
from softdock.dynamics.queries import acceleration, inverse_input
from softdock.kernels import call
from softdock.kernels.jit import njit

STAGES = 12


@cache
def _table() -> tuple[np.ndarray, ...]:
    from scipy.integrate import DOP853  # 0.4 s to import, and needed only here

    tables = (DOP853.A, DOP853.B, DOP853.C, DOP853.E3, DOP853.E5)
    return tuple(np.ascontiguousarray(table, dtype=np.float64) for table in tables)


def reference(
    dynamics: Dynamics,
    q: ArrayLike,
    v: ArrayLike,
    times: ArrayLike,
    command: ArrayLike | None = None,
    *,
    rtol: float = 1e-13,
    atol: float = 1e-14,
) -> tuple[np.ndarray, np.ndarray]:
    """States (q, v) at `times`, from a state at times[0], under a constant command.

    Latches are not held: closed chains are checked against analytic motions instead.
    """
    if dynamics.plant.dry.size:
        raise ValueError("a joint that may stick has no rate to integrate: leave 'static' of its friction out")
    at = np.ascontiguousarray(times, dtype=np.float64)
    if at.ndim != 1 or len(at) < 2 or not np.all(np.diff(at) > 0):
        raise ValueError("times must be two or more increasing numbers")
    u = batched("command", np.zeros(dynamics.nv) if command is None else command, dynamics.nv)[0]
    start = np.concatenate([dynamics._q(q)[0], batched("v", v, dynamics.nv)[0]])
    kernels = tuple(dynamics.kernel(name) for name in ("inverse", "actuators", "rates"))
    quaternions = np.array(dynamics.layout.quaternions(), dtype=np.int64)
    states, reached = integrate(dynamics.struct, kernels, quaternions, _table(), u, start, at, rtol, atol)
    if reached < len(at):
        raise RuntimeError(f"the reference integrator found no step small enough after t = {at[reached - 1]:g} s")
    return states[:, : dynamics.nq], states[:, dynamics.nq :]


@njit(cache=True, nogil=True)
def rate(plant, kernels, command, t, y, given, dy):
    """dy/dt of the state y = (q, v)."""
    nq, (inverse, actuators, rates), (e, radius, zero) = plant.nq, kernels, given
    if plant.orbit.size > 0:
        position(plant.orbit, t, radius)
    call(rates, y, y[nq:], e, plant.theta, dy)
    acceleration(plant, inverse, actuators, y, y[nq:], command, e, zero, dy[nq:])


@njit(cache=True, nogil=True)
def stages(plant, kernels, table, command, t, h, y, K, trial, given):
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
        rate(plant, kernels, command, t + (C[s] if s < STAGES else 1.0) * h, trial, given, K[s])


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
def integrate(plant, kernels, quaternions, table, command, start, times, rtol, atol):
    """States at `times`; returns them and how many were reached."""
    n = start.size
    y, trial, e = start.copy(), np.empty(n), inverse_input(plant.nv)
    given = e.vector, e.radius, e.acceleration  # Numba's cache of `rate` and `stages` knows no named tuples
    K = np.empty((STAGES + 1, n))
    out = np.empty((times.size, n))
    out[0] = y
    t, h = times[0], 0.01 * (times[1] - times[0])
    rate(plant, kernels, command, t, y, given, K[0])
    for row in range(1, times.size):
        while t < times[row]:
            last = t + h * (1 + 1e-9) >= times[row]
            step = times[row] - t if last else h
            stages(plant, kernels, table, command, t, step, y, K, trial, given)
            error = error_of(table, step, y, trial, K, rtol, atol)
            if error <= 1.0:
                t = times[row] if last else t + step
                for k in quaternions:
                    norm = np.sqrt(trial[k] ** 2 + trial[k + 1] ** 2 + trial[k + 2] ** 2 + trial[k + 3] ** 2)
                    for i in range(k, k + 4):
                        trial[i] /= norm
                y[:] = trial
                K[0] = K[STAGES]
                grown = 10.0 if error == 0.0 else min(10.0, 0.9 * error ** (-1 / 8))
                h = max(h, step * grown) if last else step * grown
            else:
                h = step * (max(0.2, 0.9 * error ** (-1 / 8)) if np.isfinite(error) else 0.2)
            if abs(h) < 1e-14 * max(1.0, abs(t)):
                return out, row
        out[row] = y
    return out, times.size
