"""Many steps without Python in the loop."""

from numba import njit

from softdock.dynamics.latch import project, solve_held
from softdock.dynamics.plant import DEPTH, FACTOR, LENGTH, SOLVE, STEPS, TIME
from softdock.dynamics.step import DONE, after_step, before_step, solve_free
from softdock.kernels import call, loop

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
    v[0] = 0.0  # the step of the factor: M alone, without what springs and dampers would add
    call(kernels[FACTOR], q, p, v, theta, scratch)
    call(kernels[SOLVE], q, p, scratch, theta, v)


@loop
def settle(plant, work):  # type: ignore[no-untyped-def]
    """The inelastic impulse that brings the motion in line with what holds; the energy lost."""
    n = plant.nv
    return project(plant, work, work.e[4 + n : 4 + 2 * n])


@njit(forceinline=True)
def write_row(plant, work, p, row, t, q, v, account):  # type: ignore[no-untyped-def]
    """The present state as a row, with the momentum p."""
    t[row] = work.clock[TIME]
    for i in range(plant.nq):
        q[row, i] = work.q[i]
    velocity_of(plant.kernels, plant.theta, work.q, p, work.scratch, v[row])
    for i in range(work.account.size):
        account[row, i] = work.account[i]


@loop
def run(plant, work, holds, h, fractions, start, first, last, every, commands, ledger, t, q, v, account):  # type: ignore[no-untyped-def]
    """Steps `first` to `last` of size h, of a run that began at `start`; after each `every` of them a row of
    t, q, v and of the ledger's account.

    `holds` is `work.holds`, or None if nothing holds: Numba then leaves that out. `commands` has one row
    (held) or one a step. Returns the status and how many steps of the run were done. The momentum is in
    line with what holds only in rows and at the end: between two steps the multipliers of the next take
    up what is missing (docs/theory/latches.md).
    """
    n = plant.nv
    done, status = first, DONE
    while done < last:
        if done == first or commands.shape[0] > 1:
            for i in range(n):
                work.e[4 + i] = commands[min(done, commands.shape[0] - 1), i]
        for stage in range(fractions.size):
            if status == DONE:
                part = fractions[stage] * h
                before_step(plant, work, part, stage)
                if holds is None:  # noqa: SIM108  # a branch that Numba leaves out
                    status = solve_free(plant, work, part, stage)
                else:
                    status = solve_held(plant, work, part, stage)
                if status == DONE:
                    status = after_step(plant, work, part, stage, ledger)
        if status != DONE:
            break
        done += 1
        work.clock[TIME] = start + done * h
        work.counts[STEPS] += 1
        work.counts[LENGTH] = min(work.counts[LENGTH] + 1, DEPTH)
        if done % every == 0:
            for i in range(n):
                work.moved[i] = work.e[4 + n + i]
            if holds is not None:
                project(plant, work, work.moved)
            write_row(plant, work, work.moved, done // every - 1, t, q, v, account)
    if holds is not None:
        project(plant, work, work.e[4 + n : 4 + 2 * n])
    return status, done
