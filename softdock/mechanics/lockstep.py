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
    BEGUN,
    CHANGED,
    DEPTH,
    FAR_BACK,
    FORCES,
    GUARDED,
    JUDGED,
    KEPT,
    LEDGER,
    LOCKSTEP_INPUT,
    MOVING,
    MOVING_HELD,
    VALUES,
)
from softdock.mechanics.limits import AGING, CLOSED, FLOOR, GRAIN_OF_ROWS, RELAXED, SLOW, SLOW_HELD
from softdock.mechanics.tree import Tree

Expression = Callable[[Tree, Any, ca.SX, Any], ca.SX]
Weights = tuple[float, float, float, float, float]


def derived(tree: Tree, name: str, expression: Expression) -> ca.Function:
    """The function of an expression in `MOVING_HELD`, ξ and `LOCKSTEP_INPUT`."""
    with _as_written():
        q = ca.SX.sym("q", MOVING_HELD.size(tree.sizes))  # which is what begins with q
        xi, e = ca.SX.sym("v", tree.nv), ca.SX.sym("e", LOCKSTEP_INPUT.size(tree.sizes))
        out = expression(tree, MOVING_HELD.split(q, tree.sizes), xi, LOCKSTEP_INPUT.split(e, tree.sizes))
        return ca.Function(name, [q, xi, e], [ca.densify(out)])


@contextmanager
def _as_written() -> Iterator[None]:
    """CasADi takes (a + b) − a for b, otherwise."""
    ca.GlobalOptions.setSimplificationOnTheFly(False)
    try:
        yield
    finally:
        ca.GlobalOptions.setSimplificationOnTheFly(True)


def go_on(tree: Tree, was: Any, xi: ca.SX, e: Any) -> ca.SX:
    """Where to evaluate next: ξ + d, or ξ again where the iteration has ended, which gives the same again."""
    return _changed(e, xi, e.newton.step)


def _changed(e: Any, a: ca.SX, b: ca.SX) -> ca.SX:
    """a + b where the iteration goes on, a elsewhere."""
    return ca.vertcat(*(ca.if_else(e.goes_on, a[i] + b[i], a[i]) for i in range(a.numel())))


def commit(tree: Tree, was: Any, xi: ca.SX, e: Any) -> ca.SX:
    """`MOVING`: q and p moved on by what `advance` gave, with compensated sums; the differences of ξ, of which the
    depth that would have foreseen it best foresees the next; the contraction, as it was measured or (step.age) grown."""
    momentum, lost_gain = _added(was.momentum, e.moved.by.gain, was.kept.lost_gain)
    aging, worst = was.aging, e.judged.worst
    if tree.is_long:
        grown = ca.if_else(worst > 0, aging * ca.sqrt(ca.sqrt(worst / was.contraction)), RELAXED * aging)
        aging = ca.fmin(ca.fmax(grown, AGING), 2)
    contraction = ca.if_else(worst > 0, ca.fmin(worst, 1), ca.fmin(aging * was.contraction, 2 * SLOW))
    kept = _moved(tree, was, xi, e, lost_gain)
    return MOVING.stack(tree.sizes, momentum=momentum, contraction=contraction, aging=aging, **kept)


def _moved(tree: Tree, was: Any, xi: ca.SX, e: Any, lost_gain: ca.SX) -> dict[str, Any]:
    """Of `MOVING`, all but the momentum and the contraction."""
    q, lost_way = _added(was.q, e.moved.by.way, was.kept.lost_way)
    differences, missed = _remembered(xi, was.kept.differences)
    depth, least = _best(missed, was.history)
    foreseen = _foreseen(differences, depth, was.history)
    if tree.is_long:
        for which, weights in enumerate(FAR_BACK):
            deep, missed_by = _far_back(differences, was.kept.differences, weights)
            better = ca.logic_and(missed_by < least, was.history == VALUES)
            foreseen, least = ca.if_else(better, deep, foreseen), ca.if_else(better, missed_by, least)
            depth = ca.if_else(better, DEPTH + 1 + which, depth)
    kept = KEPT.stack(tree.sizes, lost_way=lost_way, lost_gain=lost_gain, differences=differences)
    history = ca.fmin(was.history + 1, VALUES)
    return {"q": q, "kept": kept, "foreseen": foreseen, "depth": depth, "history": history, **_told(tree, was, xi, e)}


def _told(tree: Tree, was: Any, xi: ca.SX, e: Any) -> dict[str, ca.SX]:
    """What the guard and the ledger keep of a step, its turn, and what its energy misses (guard.check_energy)."""
    newton, of, h, largest = e.newton, was.of, e.h, ca.SX(0)
    for link in tree.links:
        if link.kind == "S":
            x, y, z = (xi[link.v + i] for i in range(3))
            largest = ca.fmax(largest, x * x + y * y + z * z)
        elif link.kind == "R":
            largest = ca.fmax(largest, e.follows[link.v] * (xi[link.v] * xi[link.v]))
    made = newton.energy - of.energy - 0.5 * (h * newton.power + of.h * of.power) - ca.fmin(of.rested, 0)
    ledger = LEDGER.stack(
        tree.sizes, work=was.ledger.work + h * newton.powers, gravity=was.ledger.gravity + h * newton.weight
    )
    now = GUARDED.stack(tree.sizes, h=h, energy=newton.energy, power=newton.power, rested=ca.SX(0))
    return {"force": newton.force, "of": now, "ledger": ledger, "turned": h * h * largest, "missed": ca.fabs(made)}


def begin_held(tree: Tree, was: Any, xi: ca.SX, e: Any) -> ca.SX:
    """`BEGUN`: pushed by the forces that are foreseen, with nothing known of the iteration but the last contraction."""
    h, on, A = e.h, e.latches.on, e.latches.start.A
    multipliers = [was.forces.foreseen[i] * (h * on[i]) for i in range(on.numel())]
    pushed = [ca.SX(0)] * tree.nv
    pattern, row = latch_pattern(tree), 0
    for latch, rows in enumerate(tree.latch_rows()):
        for i in range(row, row + len(rows)):
            for first, last in pattern.path[pattern.path_start[latch] : pattern.path_start[latch + 1]]:
                for k in range(first, last):
                    pushed[k] = pushed[k] + A[i, k] * multipliers[i]
        row += len(rows)
    total, nothing, unknown = ca.vertcat(*pushed), ca.SX(0), ca.SX(-1)
    judged = JUDGED.stack(
        tree.sizes, rate=was.contraction, before=unknown, worst=nothing, load=unknown, used=nothing, since=nothing,
        open=e.active, solved=nothing,
    )  # fmt: skip
    return BEGUN.stack(
        tree.sizes, momentum=was.momentum + total, multipliers=ca.vertcat(*multipliers), pushed=total,
        velocity=was.foreseen, judged=judged,
    )  # fmt: skip


def judge_held(tree: Tree, was: Any, xi: ca.SX, e: Any) -> ca.SX:
    """`JUDGED`: has the iteration ended well, as `latch.solve_held` judges it? Where it had ended nothing changes."""
    newton, last, h, square = e.newton, e.judged, e.h, e.tolerance * e.tolerance
    change, violation, reach = newton.change, newton.violation, newton.reach
    known, finite = last.before > 0, change < ca.inf
    rounding = GRAIN_OF_ROWS / h * reach
    enough = square * newton.scale + rounding * rounding * e.stiffness
    rate = ca.if_else(known, ca.sqrt(change / last.before), last.rate)
    counts = ca.logic_and(known, change > enough)
    worst = ca.if_else(counts, ca.fmax(last.worst, rate), last.worst)
    left = ca.fmax(rate, e.slack)
    asks = left * left * change > enough
    load = ca.if_else(ca.logic_and(asks, last.load < 0), _load(tree, e), last.load)
    enough = ca.if_else(asks, enough + square * load, enough)
    stuck = ca.logic_and(ca.logic_and(known, rate > 0.3), change <= FLOOR * FLOOR * newton.scale)
    small = ca.logic_and(left * left * change <= enough, ca.fmax(rate, 0.25) * violation <= CLOSED * reach)
    ended = ca.logic_or(small, ca.logic_and(stuck, violation <= CLOSED * reach))
    tried = last.since == 3  # four times; then, if that contracts too slowly, the matrix is to be made anew
    stops = ca.logic_or(ended, ca.logic_and(tried, rate > SLOW_HELD))
    now = {
        "rate": rate, "before": change, "worst": worst, "load": load, "used": last.used + 1,
        "since": ca.if_else(tried, 0, last.since + 1), "open": ca.logic_and(finite, ca.logic_not(stops)),
        "solved": ca.logic_and(finite, ended),
    }  # fmt: skip
    then = {name: ca.if_else(last.open, value, getattr(last, name)) for name, value in now.items()}
    return JUDGED.stack(tree.sizes, **then)


def _load(tree: Tree, e: Any) -> ca.SX:
    """What the latches' impulses could do after the change that an iteration found (latch_system.energy_by_bodies)."""
    pattern, pushed, energy, row = latch_pattern(tree), e.pushed + e.newton.push, ca.SX(0), 0
    for latch, rows in enumerate(tree.latch_rows()):
        for i in range(row, row + len(rows)):
            rate = ca.SX(0)
            for first, last in pattern.reach[pattern.reach_start[latch] : pattern.reach_start[latch + 1]]:
                for k in range(first, last):
                    rate = rate + e.latches.Y[i, k] * pushed[k]
            energy = energy + (e.multipliers[i] + e.newton.multipliers[i]) * rate
        row += len(rows)
    return energy


def go_on_held(tree: Tree, was: Any, xi: ca.SX, e: Any) -> ca.SX:
    """`CHANGED`: as `go_on`."""
    multipliers, pushed = _changed(e, e.multipliers, e.newton.multipliers), _changed(e, e.pushed, e.newton.push)
    return CHANGED.stack(
        tree.sizes, momentum=was.momentum + pushed, multipliers=multipliers, pushed=pushed,
        velocity=_changed(e, xi, e.newton.step),
    )  # fmt: skip


def commit_held(tree: Tree, was: Any, xi: ca.SX, e: Any) -> ca.SX:
    """`MOVING_HELD`: as `commit`, with what latches pushed, and the forces of their rows."""
    more = e.pushed + (e.moved.by.gain + was.kept.lost_gain)
    momentum, worst = was.momentum + more, e.judged.worst
    contraction = ca.if_else(worst > 0, ca.fmin(worst, 1), ca.fmin(AGING * was.contraction, 2 * SLOW_HELD))
    differences, missed = _remembered(e.multipliers * (1 / e.h), was.forces.differences)
    depth, _ = _best(missed, was.history)
    forces = FORCES.stack(
        tree.sizes, differences=differences[:DEPTH], foreseen=_foreseen(differences, depth, was.history)
    )
    kept = _moved(tree, was, xi, e, more - (momentum - was.momentum))
    return MOVING_HELD.stack(
        tree.sizes,
        momentum=momentum,
        contraction=contraction,
        aging=was.aging,
        **kept,
        forces=forces,
        force_depth=depth,
    )


def _foreseen(differences: list[ca.SX], depth: ca.SX, history: ca.SX) -> ca.SX:
    """The next values, by so many differences of as many as are known."""
    total, used = differences[0], ca.fmin(depth, ca.fmin(history + 1, DEPTH))
    for k in range(1, DEPTH):
        total = total + _where(k < used, differences[k])
    return total


def _where(flag: ca.SX, x: ca.SX) -> ca.SX:
    """x, or 0."""
    return ca.vertcat(*(ca.SX.binary(ca.OP_IF_ELSE_ZERO, flag, x[i]) for i in range(x.numel())))


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
    squared. (Two by two: one after the other, each comparison would wait for the one before.)"""
    found = [(missed[0], ca.SX(1))]
    found += [(ca.if_else(k < history, missed[k], ca.inf), ca.SX(k + 1)) for k in range(1, DEPTH)]
    while len(found) > 1:
        pairs = [_less(*found[k : k + 2]) for k in range(0, len(found) - 1, 2)]
        found = pairs + found[2 * len(pairs) :]
    least, depth = found[0]
    return ca.if_else(depth == history, ca.fmin(depth + 1, DEPTH), depth), least


def _less(one: tuple[ca.SX, ca.SX], other: tuple[ca.SX, ca.SX]) -> tuple[ca.SX, ca.SX]:
    """That with the smaller first number."""
    better = other[0] < one[0]
    return ca.if_else(better, other[0], one[0]), ca.if_else(better, other[1], one[1])
