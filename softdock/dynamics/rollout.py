"""Many steps without Python in the loop."""

import numpy as np
from numba import njit

from softdock.dynamics.linear import cholesky, cholesky_solve
from softdock.dynamics.mass import mass_matrix
from softdock.dynamics.plant import DEPTH
from softdock.dynamics.step import DONE, substep

# Symmetric compositions of the midpoint step (fractions of h). Order 4: Suzuki, Phys. Lett. A 146
# (1990) 319. Order 6: Kahan & Li, Math. Comp. 66 (1997) 1089, nine stages.
_S = 1 / (4 - 4 ** (1 / 3))
_K = (0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.082213596293550800230)
COMPOSITIONS: dict[int, tuple[float, ...]] = {
    2: (1.0,),
    4: (_S, _S, 1 - 4 * _S, _S, _S),
    6: (*_K, 1 - 2 * sum(_K), *reversed(_K)),
}


@njit(cache=True, nogil=True)
def velocity_of(plant, work, v):  # type: ignore[no-untyped-def]
    """v = M⁻¹ p at the present state."""
    n = plant.nv
    M = np.empty((n, n))
    mass_matrix(plant.kernels[2], plant.theta, plant.ancestors, work.q, work.inertia, M)
    cholesky(M, n)
    for i in range(n):
        v[i] = work.e[4 + n + i]
    cholesky_solve(M, n, v)


@njit(cache=True, nogil=True)
def run(plant, work, h, fractions, steps, every, commands, ledger, t, q, v, account):  # type: ignore[no-untyped-def]
    """`steps` steps of size h; every `every` steps a row of t, q, v and of the ledger's account.

    `commands` has one row (held) or one a step. Returns the status and how many steps were done.
    """
    n = plant.nv
    start = work.clock[0]
    row = 0
    for k in range(steps):
        if k == 0 or commands.shape[0] > 1:
            for i in range(n):
                work.e[4 + i] = commands[min(k, commands.shape[0] - 1), i]
        for stage in range(fractions.size):
            status = substep(plant, work, fractions[stage] * h, stage, ledger)
            if status != DONE:
                return status, k
        work.clock[0] = start + (k + 1) * h
        work.counts[0] += 1
        work.counts[4] = min(work.counts[4] + 1, DEPTH)
        if (k + 1) % every == 0:
            t[row] = work.clock[0]
            for i in range(plant.nq):
                q[row, i] = work.q[i]
            velocity_of(plant, work, v[row])
            for i in range(work.work.size):
                account[row, i] = work.work[i]
            row += 1
    return DONE, steps
