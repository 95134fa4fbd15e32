"""An independent integrator over the same kernels: SciPy's adaptive DOP853, to check any result."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from softdock.dynamics.arrays import batched
from softdock.dynamics.model import Dynamics


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

    Engaged latches are not supported: closed chains are checked against analytic motions instead.
    """
    at = np.asarray(times, dtype=np.float64)
    q0, v0 = dynamics._q(q)[0], batched("v", v, dynamics.nv)[0]
    u = np.zeros(dynamics.nv) if command is None else np.asarray(command, dtype=np.float64)

    def rate(t: float, state: np.ndarray) -> np.ndarray:
        q, v = state[: dynamics.nq], state[dynamics.nq :]
        a = dynamics.forward_dynamics(q, v, u, t)
        return np.concatenate([dynamics.rates(q, v), a])

    found = solve_ivp(
        rate, (at[0], at[-1]), np.concatenate([q0, v0]), method="DOP853", t_eval=at, rtol=rtol, atol=atol
    )
    if not found.success:
        raise RuntimeError(f"the reference integrator stopped at t = {found.t[-1]:g} s: {found.message}")
    states = found.y.T
    return dynamics._q(states[:, : dynamics.nq]), states[:, dynamics.nq :]
