"""A latch breaks at the instant at which its load, as `Motion.loads` tells it, passes its strength.

The compiled loop looks at loads where steps begin. Where one is too large, the step before and the one that began are
taken again, each to its end or to the instant within it at which a latch breaks, and from there on without that latch.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from softdock.dynamics.status import DONE, STOPPED
from softdock.dynamics.trajectory import Break, Trajectory

if TYPE_CHECKING:
    from softdock.dynamics.motion import Motion

MOST = 60
"""Tries to find an instant."""
AT = 1e-12
"""Relative excess of the load over the strength at which the instant counts as found."""
INSTANT = 1e-13
"""And the part of a step to which it is found."""


class Asked(NamedTuple):
    """What is asked of a run, as `Motion.run` has it."""

    every: int
    since: int
    ledger: bool
    stop_at: frozenset[str]
    loads: bool


def take_again(motion: "Motion", done: int, u: np.ndarray, steps: int, asked: Asked) -> tuple[int, int, Trajectory]:
    """From the start of a run of so many steps under commands u (one row, or one a step), of which `done` were taken
    when a load was too large: status, whole steps taken, and rows."""
    parts, last, status = list[Trajectory](), max(done - 1, 0), DONE
    motion._breaks = False
    try:
        if last:
            status, _, part = motion._steps(
                (last, asked.every, asked.since), u[: last if len(u) > 1 else 1], *asked[2:]
            )
            parts.append(part)
        taken = last
        for k in range(last, min(last + 2, steps)):
            if status == DONE:
                ask = asked._replace(since=(asked.since + k) % asked.every)
                status, part = _follow(motion, u[min(k, len(u) - 1)], ask)
                parts.append(part)
                taken += status == DONE
    finally:
        motion._breaks = True
    return status, taken, Trajectory.joined(parts)


def _follow(motion: "Motion", command: np.ndarray, asked: Asked) -> tuple[int, Trajectory]:
    """One step, with the latches that break in it: status and rows. If it fails, `_fail` undoes it."""
    before = motion._remembered()
    whole, counted, parts, breaks = motion.t + motion.h, motion.counts["steps"], list[Trajectory](), list[Break]()
    while True:
        while _break_overloaded(motion, command, breaks):
            pass
        start, began = motion._remembered(), motion.t
        status, part = _step(motion, whole, command, asked)
        over = _worst(motion, command)[0] if status == DONE else 0.0
        if over <= 1.0:
            break
        instant = _instant(motion, start, began, whole, command, over)
        motion._recall(start)
        if instant > began:
            status, part = _step(motion, instant, command, asked._replace(every=2, since=0))
            parts.append(part)
            if status != DONE:
                break
        _release_worst(motion, command, breaks)
    motion._state.counts["steps"] = counted + (status == DONE)
    if status not in (DONE, STOPPED):
        motion._undo = before
        return status, replace(part, impacts=())
    out = Trajectory.joined([*parts, part]) if parts else part
    return status, replace(out, breaks=(*out.breaks, *breaks))


def _step(motion: "Motion", to: float, command: np.ndarray, asked: Asked) -> tuple[int, Trajectory]:
    """One step to a time (s)."""
    h, motion.h = motion.h, to - motion.t
    try:
        status, _, part = motion._steps((1, asked.every, asked.since), command[None], *asked[2:])
    finally:
        motion.h = h
    if status == DONE:
        motion._restart()
    return status, part


def _instant(motion: "Motion", start: np.ndarray, a: float, b: float, command: np.ndarray, over: float) -> float:
    """The time (s) between a, where the memory `start` is, and b at which the first load passes its strength: at most
    1 at a, `over` at b (Illinois' method)."""
    began, motion_h = a, b - a
    motion._recall(start)
    f_a, f_b, side, x = _worst(motion, command)[0] - 1.0, over - 1.0, 0, b
    ask = Asked(2, 0, False, frozenset(), False)
    for _ in range(MOST):
        x = (a * f_b - b * f_a) / (f_b - f_a)
        if not began + INSTANT * motion_h < x < b:
            return max(x, began)
        motion._recall(start)
        _step(motion, x, command, ask)
        f = _worst(motion, command)[0] - 1.0
        if 0.0 < f <= AT or b - a <= INSTANT * motion_h:
            break
        if f > 0.0:
            b, f_b, f_a, side = x, f, f_a * (0.5 if side < 0 else 1.0), -1
        else:
            a, f_a, f_b, side = x, f, f_b * (0.5 if side > 0 else 1.0), 1
    return x


def _worst(motion: "Motion", command: np.ndarray) -> tuple[float, int, float, float]:
    """The largest load of an engaged latch relative to its strength, which latch, its force (N) and torque (N m)."""
    found = 0.0, -1, 0.0, 0.0
    if not motion.engaged:
        return found
    loads = motion.loads(command).latches
    for k, (latch, bears) in enumerate(zip(motion.dynamics.world.latches, motion._plant.strengths, strict=True)):
        force, torque = (float(np.linalg.norm(x)) for x in loads[latch.name])
        found = max(found, (max(force / bears["force"], torque / bears["torque"]), k, force, torque))
    return found


def _break_overloaded(motion: "Motion", command: np.ndarray, breaks: list[Break]) -> bool:
    """Release the latch with the largest load, if that is too large."""
    if _worst(motion, command)[0] <= 1.0:
        return False
    _release_worst(motion, command, breaks)
    return True


def _release_worst(motion: "Motion", command: np.ndarray, breaks: list[Break]) -> None:
    _, k, force, torque = _worst(motion, command)
    name = motion.dynamics.world.latches[k].name
    motion.release(name)
    breaks.append(Break(motion.t, name, force, torque))
