"""Multipliers of a plan on another grid of steps, from which a solver goes on.

Those of q' and p' are what the rest of the motion costs by its state, whatever the grid. Those of equations within a
step, of paths and of bounds are as large as the step is long (docs/theory/optimal.md).
"""

import numpy as np

from softdock.optimal import stage
from softdock.optimal.plans import Plan
from softdock.optimal.program import Program, Solved
from softdock.optimal.transcription import Transcription


def carried(plan: Plan, made: Transcription, h: np.ndarray, past: float = 0.0) -> Solved | None:
    """A plan's multipliers for a program in steps of sizes h, over the plan's duration or what is left of it when a
    share is past; None if the program is of another form. Of the record nothing else is filled in."""
    old, program, was, now = plan.made, made.program, plan.made.units, made.units
    known = _by_name(old.program, plan.solved.multipliers)
    alike = {part.name: part.block.m for part in program.parts} == {name: x.shape[1] for name, x in known.items()}
    if not alike or old.sizes != made.sizes or old.task.free != made.task.free or was is None or now is None:
        return None
    grid = _Grid(plan.motion.h, h, past)
    nq, nx, nv = made.tree.nq, made.nx, made.tree.nv
    momentum = now.momentum / was.momentum
    found = {}
    for name, x in known.items():
        if name == "the step's equations":
            found[name] = np.hstack([grid.over(x[:, :nx]), grid.over(x[:, nx:], share=True)])
            found[name][:, nq:nx] *= momentum
            found[name][:, nx : nx + nv] *= momentum
        elif name == "the velocity at the end":
            found[name] = np.hstack([x[:, :nv] * momentum, x[:, nv:]])
        else:
            found[name] = grid.over(x, share=True, at_end=True) if len(x) > 1 else x
    rows, used = [], dict.fromkeys(found, 0)
    for part in program.parts:
        first = used[part.name]
        used[part.name] = first + len(part.at)
        rows.append(found[part.name][first : used[part.name]].ravel())
    bounds = plan.solved.bound_multipliers
    stages = grid.over(bounds[: old.ends].reshape(old.N, old.stride), share=True)
    stages[:, stage.STAGE.places(made.sizes).u] *= now.torque / was.torque
    rest = np.zeros(made.size - made.ends)
    end = bounds[old.ends : old.scalars]
    rest[: len(end)] = end
    return Solved(plan.solved.x, 0.0, np.concatenate(rows), np.concatenate([stages.ravel(), rest]), "", 0, 0.0, 0.0)


def _by_name(program: Program, multipliers: np.ndarray) -> dict[str, np.ndarray]:
    """(places, rows) of the parts of each name."""
    found: dict[str, np.ndarray] = {}
    for k, part in enumerate(program.parts):
        x = multipliers[program.starts[k] : program.starts[k + 1]].reshape(len(part.at), part.block.m)
        found[part.name] = np.vstack([found[part.name], x]) if part.name in found else x
    return found


class _Grid:
    """From steps of some sizes to steps of others."""

    def __init__(self, old: np.ndarray, new: np.ndarray, past: float) -> None:
        self._old, self._new, self._past = old, new, past

    def over(self, values: np.ndarray, *, share: bool = False, at_end: bool = False) -> np.ndarray:
        """Values of each of the first steps, for all of the others: in proportion to their size, if each has its
        `share`; in their middles, or `at_end`."""
        old, new = self._old[: len(values)], self._new
        before, after = (np.cumsum(h) - (0.0 if at_end else 0.5) * h for h in (old, new))
        at = self._past + (1.0 - self._past) * after / new.sum()
        values = values / old[:, None] if share else values
        columns = [np.interp(at, before / self._old.sum(), values[:, k]) for k in range(values.shape[1])]
        out = np.column_stack(columns) if columns else np.zeros((len(new), 0))
        return out * new[:, None] if share else out
