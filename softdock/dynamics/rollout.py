"""Many steps without Python in the loop."""

from numba import njit

from softdock.dynamics.latch import align, factor_mass, prepare, solve_held
from softdock.dynamics.linear import some
from softdock.dynamics.plant import (
    BEGAN,
    DEPTH,
    EVERY,
    FIRST,
    LAST,
    LEDGER,
    LENGTH,
    SINCE,
    SOLVE,
    STEPS,
    STEPS_DONE,
    TIME,
    H,
)
from softdock.dynamics.step import DONE, after_step, before_step, solve_free
from softdock.dynamics.touching import solve_touching
from softdock.kernels import Entry, call, loop

# Symmetric compositions of the midpoint step (fractions of h). Order 4: Suzuki, Phys. Lett. A 146
# (1990) 319. Order 6: Kahan & Li, Math. Comp. 66 (1997) 1089, nine stages.
_S = 1 / (4 - 4 ** (1 / 3))
_K = (0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.082213596293550800230)
COMPOSITIONS: dict[int, tuple[float, ...]] = {
    2: (1.0,),
    4: (_S, _S, 1 - 4 * _S, _S, _S),
    6: (*_K, 1 - 2 * sum(_K), *reversed(_K)),
}


@loop
def settle(plant, work):  # type: ignore[no-untyped-def]
    """The inelastic impulse that brings the motion in line with what holds; the energy lost."""
    n = plant.nv
    return align(plant, work, prepare(plant, work), work.e[4 + n : 4 + 2 * n], work.newton[1])


@loop
def velocity_free(plant, work, v):  # type: ignore[no-untyped-def]
    """The present velocity, if nothing holds."""
    velocity(plant, work, None, v)


@loop
def velocity_held(plant, work, v):  # type: ignore[no-untyped-def]
    """The present velocity, in line with what holds."""
    velocity(plant, work, work.holds, v)


@njit(forceinline=True)
def velocity(plant, work, holds, v):  # type: ignore[no-untyped-def]
    """The present velocity; returns how many rows of what holds are known thereby, in `holds.A`. (`holds` as for
    `run`: what free worlds do not need takes long to compile.)"""
    n = plant.nv
    if holds is None:
        factor_mass(plant, work)
        call(plant.kernels[SOLVE], work.q, work.e[4 + n : 4 + 2 * n], work.scratch, plant.theta, v)
        return 0
    for i in range(n):
        work.moved[i] = work.e[4 + n + i]
    m = prepare(plant, work)
    align(plant, work, m, work.moved, v)
    return m


@njit(forceinline=True)
def write_row(plant, work, task, row, holds):  # type: ignore[no-untyped-def]
    """The present state as a row. Returns how many rows of what holds are known thereby."""
    task.t[row] = work.clock[TIME]
    for i in range(plant.nq):
        task.q[row, i] = work.q[i]
    known = velocity(plant, work, holds, task.v[row])
    for i in range(task.account.shape[1]):
        task.account[row, i] = work.account[i]
    return known


@njit(forceinline=True)
def run(plant, work, task, holds, touch):  # type: ignore[no-untyped-def]
    """The steps of a task, and its rows; returns the status.

    `holds` is `work.holds`, or None if nothing holds, `touch` is `work.touch`, or None if no compliant gap
    is closed: Numba then leaves that out. The momentum is not in line with what holds: the multipliers of
    the next step take up what is missing (docs/theory/latches.md).
    """
    n, h, fractions, commands = plant.nv, task.times[H], task.fractions, task.commands
    first, last, ledger = task.span[FIRST], task.span[LAST], task.span[LEDGER] != 0
    every, since = task.span[EVERY], task.span[SINCE]
    done, status, known = first, DONE, 0
    while done < last:
        if done == first or commands.shape[0] > 1:
            for i in range(n):
                work.e[4 + i] = commands[min(done, commands.shape[0] - 1), i]
        for stage in range(fractions.size):
            if status == DONE:
                part = fractions[stage] * h
                before_step(plant, work, part, stage)
                weigh = True
                if touch is not None:
                    status = solve_touching(plant, work, part, stage)
                elif holds is not None:
                    status = solve_held(plant, work, part, stage, known)
                    weigh = some(work.resting)
                else:
                    status = solve_free(plant, work, part, stage)
                known = 0
                if status == DONE:
                    status = after_step(plant, work, part, stage, ledger, weigh)
        if status != DONE:
            break
        done += 1
        work.clock[TIME] = task.times[BEGAN] + done * h
        work.counts[STEPS] += 1
        work.counts[LENGTH] = min(work.counts[LENGTH] + 1, DEPTH)
        if (done + since) % every == 0:
            known = write_row(plant, work, task, (done + since) // every - 1, holds)
    task.span[STEPS_DONE] = done
    return status


@Entry
def run_free(plant, work, task):  # type: ignore[no-untyped-def]
    """Steps in which nothing holds."""
    return run(plant, work, task, None, None)


@Entry
def run_held(plant, work, task):  # type: ignore[no-untyped-def]
    """Steps with engaged latches or resting gaps."""
    return run(plant, work, task, work.holds, None)


@Entry
def run_touching(plant, work, task):  # type: ignore[no-untyped-def]
    """Steps with closed compliant gaps, and with what holds."""
    return run(plant, work, task, work.holds, work.touch)
