"""What a loop does with a step's vectors before and after it is solved, as expressions: for worlds side by side.

The loop of one world (dynamics/step.py: `move_on`, `remember`, `predict`; dynamics/latch.py) does the same, operation
by operation: its numbers are these, to rounding. Sums are compensated, so nothing may be simplified or contracted here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import casadi as ca

from softdock.mechanics.latch_pattern import latch_pattern
from softdock.mechanics.layouts import (
    CHANGED,
    COMMITTED,
    COMMITTED_HELD,
    DEPTH,
    FAR_BACK,
    FORCES,
    KEPT,
    LOCKSTEP_INPUT,
    PUSHED,
    VALUES,
)
from softdock.mechanics.tree import Tree

Expression = Callable[[Tree, ca.SX, ca.SX, Any], ca.SX]
Weights = tuple[float, float, float, float, float]


def derived(tree: Tree, name: str, expression: Expression) -> ca.Function:
    """The function of an expression in q, ξ and `LOCKSTEP_INPUT`."""
    with _as_written():
        q, xi = ca.SX.sym("q", tree.nq), ca.SX.sym("v", tree.nv)
        e = ca.SX.sym("e", LOCKSTEP_INPUT.size(tree.sizes))
        out = expression(tree, q, xi, LOCKSTEP_INPUT.split(e, tree.sizes))
        return ca.Function(name, [q, xi, e], [ca.densify(out)])


@contextmanager
def _as_written() -> Iterator[None]:
    """CasADi takes (a + b) − a for b, otherwise."""
    ca.GlobalOptions.setSimplificationOnTheFly(False)
    try:
        yield
    finally:
        ca.GlobalOptions.setSimplificationOnTheFly(True)


def go_on(tree: Tree, q: ca.SX, xi: ca.SX, e: Any) -> ca.SX:
    """Where to evaluate next: ξ + d, or ξ again where the iteration has ended, which gives the same again."""
    return ca.vertcat(*(ca.if_else(e.goes_on, xi[i] + e.newton.step[i], xi[i]) for i in range(tree.nv)))


def commit(tree: Tree, q: ca.SX, xi: ca.SX, e: Any) -> ca.SX:
    """`COMMITTED`: q and p moved on by what `advance` gave, with compensated sums; the differences of ξ, of which the
    depth that would have foreseen it best foresees the next."""
    q, lost_way = _added(q, e.moved.by.way, e.kept.lost_way)
    momentum, lost_gain = _added(e.momentum, e.moved.by.gain, e.kept.lost_gain)
    return COMMITTED.stack(tree.sizes, q=q, momentum=momentum, **_kept(tree, xi, e, lost_way, lost_gain))


def _kept(tree: Tree, xi: ca.SX, e: Any, lost_way: ca.SX, lost_gain: ca.SX) -> dict[str, ca.SX]:
    """Of `COMMITTED`, what the next step needs of this one."""
    differences, missed = _remembered(xi, e.kept.differences)
    depth, least = _best(missed, e.history)
    foreseen = _foreseen(differences, depth, e.history)
    if tree.is_long:
        for which, weights in enumerate(FAR_BACK):
            deep, missed_by = _far_back(differences, e.kept.differences, weights)
            better = ca.logic_and(missed_by < least, e.history == VALUES)
            foreseen, least = ca.if_else(better, deep, foreseen), ca.if_else(better, missed_by, least)
            depth = ca.if_else(better, DEPTH + 1 + which, depth)
    kept = KEPT.stack(tree.sizes, lost_way=lost_way, lost_gain=lost_gain, differences=differences)
    return {"kept": kept, "foreseen": foreseen, "depth": depth}


def begin_held(tree: Tree, q: ca.SX, xi: ca.SX, e: Any) -> ca.SX:
    """`PUSHED` at the start of an iteration: by the forces that are foreseen."""
    h, on, A = e.h, e.latches.on, e.latches.start.A
    multipliers = [e.forces.foreseen[i] * (h * on[i]) for i in range(on.numel())]
    pushed = [ca.SX(0)] * tree.nv
    pattern, row = latch_pattern(tree), 0
    for latch, rows in enumerate(tree.latch_rows()):
        for i in range(row, row + len(rows)):
            for first, last in pattern.path[pattern.path_start[latch] : pattern.path_start[latch + 1]]:
                for k in range(first, last):
                    pushed[k] = pushed[k] + A[i, k] * multipliers[i]
        row += len(rows)
    return _pushed(tree, e, ca.vertcat(*multipliers), ca.vertcat(*pushed))


def _pushed(tree: Tree, e: Any, multipliers: ca.SX, pushed: ca.SX) -> ca.SX:
    return PUSHED.stack(tree.sizes, multipliers=multipliers, pushed=pushed, momentum=e.before + pushed)


def go_on_held(tree: Tree, q: ca.SX, xi: ca.SX, e: Any) -> ca.SX:
    """`CHANGED`: as `go_on`."""

    def added(a: ca.SX, b: ca.SX) -> ca.SX:
        return ca.vertcat(*(ca.if_else(e.goes_on, a[i] + b[i], a[i]) for i in range(a.numel())))

    newton, pushes = e.newton, e.pushes
    after = _pushed(tree, e, added(pushes.multipliers, newton.multipliers), added(pushes.pushed, newton.push))
    return CHANGED.stack(tree.sizes, velocity=added(xi, newton.step), pushes=after)


def commit_held(tree: Tree, q: ca.SX, xi: ca.SX, e: Any) -> ca.SX:
    """`COMMITTED_HELD`: as `commit`, with what latches pushed, and the forces of their rows."""
    q, lost_way = _added(q, e.moved.by.way, e.kept.lost_way)
    more = e.pushes.pushed + (e.moved.by.gain + e.kept.lost_gain)
    momentum = e.before + more
    kept = _kept(tree, xi, e, lost_way, more - (momentum - e.before))
    differences, missed = _remembered(e.pushes.multipliers * (1 / e.h), e.forces.differences)
    depth, _ = _best(missed, e.history)
    forces = FORCES.stack(
        tree.sizes, differences=differences[:DEPTH], foreseen=_foreseen(differences, depth, e.history)
    )
    return COMMITTED_HELD.stack(tree.sizes, q=q, momentum=momentum, **kept, forces=forces, force_depth=depth)


def _foreseen(differences: list[ca.SX], depth: ca.SX, history: ca.SX) -> ca.SX:
    """The next values, by so many differences of as many as are known."""
    total, used = differences[0], ca.fmin(depth, ca.fmin(history + 1, DEPTH))
    for k in range(1, DEPTH):
        total = total + (k < used) * differences[k]
    return total


def _added(a: ca.SX, b: ca.SX, lost: ca.SX) -> tuple[ca.SX, ca.SX]:
    """a + b with what rounding left out of the last sum, and what it leaves out of this one (Kahan)."""
    more = b + lost
    total = a + more
    return total, more - (total - a)


def _remembered(new: ca.SX, before: ca.SX) -> tuple[list[ca.SX], list[ca.SX]]:
    """Backward differences with the newest values, and the square of what each depth would have missed them by."""
    differences, missed = [], []
    for k in range(before.shape[0]):
        differences.append(new)
        new = new - before[k, :].T
        total = ca.SX(0)
        for i in range(new.numel()):
            total = total + new[i] * new[i]
        missed.append(total)
    return differences, missed


def _far_back(differences: list[ca.SX], before: ca.SX, weights: Weights) -> tuple[ca.SX, ca.SX]:
    """The next values by weights of differences of order 5 to 9 (layouts.FAR_BACK), and the square of what those would
    have missed the newest by."""
    total, missed = differences[0], ca.SX(0)
    for k in range(1, 5):
        total = total + differences[k]
    miss = differences[5] - _weighed(weights, [before[k, :].T for k in range(5, VALUES)])
    for i in range(miss.numel()):
        missed = missed + miss[i] * miss[i]
    return total + _weighed(weights, differences[5:]), missed


def _weighed(weights: Weights, orders: list[ca.SX]) -> ca.SX:
    """What differences of order 5 to 9 add."""
    total = weights[0] * orders[0]
    for weight, order in zip(weights[1:], orders[1:], strict=True):
        total = total + weight * order
    return total


def _best(missed: list[ca.SX], history: ca.SX) -> tuple[ca.SX, ca.SX]:
    """The depth that missed by least, of as many as are known; one more, if that is all of them; and what it missed by,
    squared."""
    least, depth = missed[0], ca.SX(1)
    for k in range(1, DEPTH):
        better = ca.logic_and(k < history, missed[k] < least)
        least, depth = ca.if_else(better, missed[k], least), ca.if_else(better, k + 1, depth)
    return ca.if_else(depth == history, ca.fmin(depth + 1, DEPTH), depth), least
