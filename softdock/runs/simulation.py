"""The loop: controllers called at their own periods, actions at their times, compiled physics between two."""

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics, Motion, StepFailed, Trajectory
from softdock.dynamics.arrays import batched
from softdock.runs.rows import Book, LimitWatch, Recording, Rows, impact_events, whole_steps

CHUNK = 2000
"""Most steps of one compiled call: progress and Ctrl-C are heard between two."""


class Controller(Protocol):
    """Called every `period` (s, a whole number of steps); its command (nv) is held until the next call."""

    @property
    def period(self) -> float: ...

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> ArrayLike: ...


class Action(NamedTuple):
    """Something to do at a time (s); it happens at the first step boundary that is not earlier."""

    time: float
    act: Callable[["Simulation"], object]


at = Action


class Simulation:
    """A world on its way under controllers and scheduled actions.

    `events` tells what happened: latches engaged (with the energy lost) and released, impacts, a
    joint's limit crossed for the first time (seen at recorded rows; only limits with a restitution
    stop a joint), a step that failed.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        q: ArrayLike,
        v: ArrayLike,
        *,
        h: float,
        order: int = 2,
        controllers: Sequence[Controller] = (),
        actions: Iterable[Action] = (),
        tolerance: float = 1e-14,
    ) -> None:
        self.dynamics = dynamics
        self.motion = Motion(dynamics, q, v, h=h, order=order, tolerance=tolerance)
        self.h, self.steps = self.motion.h, 0
        self.events: list[dict[str, Any]] = []
        for latch in self.motion.engaged:
            self._note("engaged", latch=latch)
        self.controllers: tuple[Controller, ...] = ()
        self._held = np.zeros((0, dynamics.nv))
        self.control(*controllers)
        self._agenda: list[tuple[int, int, Action]] = []
        self._tickets = itertools.count()
        self._book: Book | None = None
        self.schedule(*actions)

    def __repr__(self) -> str:
        names = ", ".join(type(c).__name__ for c in self.controllers) or "none"
        engaged = ", ".join(self.motion.engaged) or "none"
        return (
            f"<Simulation of {self.dynamics.world.name!r} at t = {self.t:g} s: {self.steps} steps of {self.h:g} s;\n"
            f" controllers: {names}; engaged: {engaged}; events {len(self.events)}, actions ahead {len(self._agenda)}>"
        )

    @property
    def t(self) -> float:
        """Time (s): steps × h, so that it gathers no rounding."""
        return self.steps * self.h

    def control(self, *controllers: Controller) -> None:
        """Let these controllers command from now on, instead of those so far; new ones are called
        at once, and those that are kept hold what they commanded."""
        held = dict(zip(map(id, self.controllers), self._held, strict=True))
        self._periods = [whole_steps(c.period, self.h, f"the period of {_name(c)}", least=1) for c in controllers]
        self._held = np.array([held.get(id(c), np.zeros(self.dynamics.nv)) for c in controllers])
        self._held = self._held.reshape(len(controllers), self.dynamics.nv)
        self.controllers = tuple(controllers)
        self._fresh = {k for k, c in enumerate(controllers) if id(c) not in held}

    # --- what happens between steps ------------------------------------------------------------

    def schedule(self, *actions: Action) -> None:
        """Put actions on the agenda; those due already happen before the next step."""
        for action in actions:
            if not (math.isfinite(action.time) and action.time >= 0):
                raise ValueError(f"the time of an action must be a number of seconds, not {action.time}")
            due = math.ceil(action.time / self.h - 1e-6)
            heapq.heappush(self._agenda, (due, next(self._tickets), action))

    def engage(self, latch: str) -> float:
        """Engage a latch now; returns the energy lost (J)."""
        lost = self.motion.engage(latch)
        self._note("engaged", latch=latch, energy_lost=lost)
        return lost

    def release(self, latch: str) -> None:
        """Release a latch now."""
        self.motion.release(latch)
        self._note("released", latch=latch)

    def _note(self, kind: str, **what: Any) -> None:
        self.events.append({"time": self.t, "kind": kind, **what})

    def _act(self) -> None:
        while self._agenda and self._agenda[0][0] <= self.steps:
            heapq.heappop(self._agenda)[2].act(self)

    def _command(self) -> np.ndarray:
        """The sum of what the controllers command, after calling those that are due."""
        for k, (controller, period) in enumerate(zip(self.controllers, self._periods, strict=True)):
            if self.steps % period == 0 or k in self._fresh:
                command = controller(self.t, self.motion.q, self.motion.v)
                what = f"at t = {self.t:.6g} s the command of {_name(controller)}"
                self._held[k] = _rows(what, command, self.dynamics.nv, 1)
        self._fresh.clear()
        return np.asarray(self._held.sum(axis=0))

    # --- steps ---------------------------------------------------------------------------------

    def run(
        self,
        duration: float,
        *,
        commands: ArrayLike | None = None,
        record_every: int = 1,
        progress: Callable[[float], None] | None = None,
        recorder: Recording | None = None,
    ) -> Trajectory:
        """Go on for `duration` (s, a whole number of steps); returns the rows, the present state first.

        `commands` (nv, or one row a step) add to the controllers'; without controllers no Python runs
        between two rows. A row is kept each `record_every` steps, and holds the state before the
        actions of its time. `progress` is told the time now and then. StepFailed carries all rows.
        """
        total = whole_steps(duration, self.h, "the duration", least=0)
        if record_every < 1:
            raise ValueError(f"record_every must be at least 1 step, not {record_every}")
        table = None if commands is None else _rows("commands", commands, self.dynamics.nv, total)
        rows = Rows(self.motion, self.steps, record_every, self._opened(recorder))
        try:
            self._act()
            while rows.done < total:
                held = self._command()
                self._act()
                ahead = self._ahead(total - rows.done, rows)
                if table is not None:
                    held = held + (table if len(table) == 1 else table[rows.done : rows.done + ahead])
                self._advance(ahead, held, rows)
                self._act()
                if progress:
                    progress(self.t)
        except StepFailed as error:
            self._note("failed", reason=str(error), residual=error.residual)
            raise StepFailed(str(error), error.time, error.residual, rows.joined()) from None
        finally:
            if rows.book:
                rows.book.write(self.events, ended=True)
        return rows.joined()

    def _opened(self, recorder: Recording | None) -> Book | None:
        if recorder is None:
            return None
        if self._book is None or self._book.recorder is not recorder:
            self._book = Book(self.dynamics, recorder)
        return self._book

    def _ahead(self, left: int, rows: Rows) -> int:
        """Steps until something must be done in Python."""
        ahead = [left, CHUNK, *(period - self.steps % period for period in self._periods)]
        if self._agenda:
            ahead.append(self._agenda[0][0] - self.steps)
        return min(ahead)

    @cached_property
    def _limits(self) -> LimitWatch:
        return LimitWatch(self.dynamics)

    def _observe(self, kept: Trajectory) -> None:
        self.events += sorted(impact_events(kept) + self._limits.crossed(kept), key=itemgetter("time"))

    def _advance(self, steps: int, commands: np.ndarray, rows: Rows) -> None:
        try:
            part = self.motion.run(steps, commands, every=rows.every, since=rows.since, ledger=True)
        except StepFailed as error:
            taken = round((error.time - self.t) / self.h)
            self._observe(rows.add(error.trajectory, taken, commands))
            self.steps += taken
            raise
        self._observe(rows.add(part, steps, commands))
        self.steps += steps
        rows.done += steps
        if rows.book and rows.book.is_due:
            rows.book.write(self.events)


def _rows(what: str, value: ArrayLike, size: int, count: int) -> np.ndarray:
    """`value` as `count` rows, or a single one that stands for all."""
    array = batched(what, value, size)
    if len(array) not in (1, count):
        raise ValueError(f"{what} must have 1 or {count} rows, not {len(array)}")
    return array


def _name(controller: Controller) -> str:
    return f"controller {type(controller).__name__}"
