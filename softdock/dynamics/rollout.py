"""Many steps without Python in the loop."""

import numpy as np
from numba import njit

from softdock.dynamics.plant import DEPTH, FACTOR, FACTOR_H, LENGTH, SOLVE, STEPS, TIME
from softdock.dynamics.step import DONE, project_on, substep
from softdock.kernels import call

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
def velocity_of(kernels, theta, q, p, scratch, v):  # type: ignore[no-untyped-def]
    """v = M⁻¹ p at q; `scratch` takes the factor."""
    call(kernels[FACTOR], q, p, np.zeros(1), theta, scratch)
    call(kernels[SOLVE], q, p, scratch, theta, v)


@njit(cache=True, nogil=True)
def settle(plant, work):  # type: ignore[no-untyped-def]
    """The inelastic impulse that brings the motion in line with the engaged latches; the energy lost."""
    n = plant.nv
    work.clock[FACTOR_H] = 0.0
    return project_on(plant, work, work.e[4 + n : 4 + 2 * n])


@njit(inline="always")
def end_step(plant, work, now, due, row, scratch, t, q, v, account):  # type: ignore[no-untyped-def]
    """Count a step that ended at `now`, and if a row is due, write it."""
    work.clock[TIME] = now
    work.counts[STEPS] += 1
    work.counts[LENGTH] = min(work.counts[LENGTH] + 1, DEPTH)
    if due:
        t[row] = now
        for i in range(plant.nq):
            q[row, i] = work.q[i]
        velocity_of(plant.kernels, plant.theta, work.q, work.e[4 + plant.nv :], scratch, v[row])
        for i in range(work.account.size):
            account[row, i] = work.account[i]


def _runner(latched: bool):  # type: ignore[no-untyped-def]
    """The loop, for a world with or without engaged latches: each is compiled only if it is used."""

    @njit(cache=True, nogil=True)
    def run(plant, work, h, fractions, steps, every, commands, ledger, t, q, v, account):  # type: ignore[no-untyped-def]
        """`steps` steps of size h; every `every` steps a row of t, q, v and of the ledger's account.

        `commands` has one row (held) or one a step. Returns the status and how many steps were done.
        """
        n = plant.nv
        start = work.clock[TIME]
        scratch = np.empty(work.e.size - 4 - 3 * n)
        for k in range(steps):
            if k == 0 or commands.shape[0] > 1:
                for i in range(n):
                    work.e[4 + i] = commands[min(k, commands.shape[0] - 1), i]
            for stage in range(fractions.size):
                status = substep(plant, work, fractions[stage] * h, stage, ledger, latched)
                if status != DONE:
                    return status, k
            due = (k + 1) % every == 0
            end_step(plant, work, start + (k + 1) * h, due, (k + 1) // every - 1, scratch, t, q, v, account)
        return DONE, steps

    return run


run_free = _runner(latched=False)
run_latched = _runner(latched=True)
