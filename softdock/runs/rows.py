"""The rows of a run: kept, handed to the recorder in lots, and watched for joint limits."""

import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import numpy as np

from softdock.dynamics import Dynamics, Motion, Trajectory
from softdock.dynamics.motion import MOST_STEPS
from softdock.kernels.signals import unbroken
from softdock.runs.forces import actuator_columns, contact_columns, load_columns
from softdock.runs.ledger import Columns, Ledger, state_columns
from softdock.runs.spill import KEPT, MOST_BYTES, MOST_TOGETHER, Spill, size

MOST_ROWS, MOST_SECONDS = 10_000, 1.0
"""The recorder gets its rows at the latest when there are so many, or after so long."""

Event = Mapping[str, Any]
"""`time` (s), `kind`, and what belongs to the kind."""


def whole_steps(duration: float, h: float, what: str, least: int = 0) -> int:
    """How many steps of h (s) `duration` takes; ValueError if that is not a whole number of at least `least`. (None are
    taken for what may be the rounding of a difference of two times, not for a short time.)"""
    steps = duration / h
    off = abs(steps - round(steps)) if math.isfinite(steps) else 0.0
    if not math.isfinite(steps) or round(steps) < least or off > (1e-9 if round(steps) == 0 else 1e-6):
        raise ValueError(f"{what} must be a whole number of steps of {h:g} s, at least {least}; it is {duration} s")
    if steps > MOST_STEPS:
        raise ValueError(f"{what} of {duration:g} s takes more than {MOST_STEPS} steps of {h:g} s")
    return round(steps)


class Recording(Protocol):
    """What a simulation writes to; `record.Recorder` is one."""

    def append(self, table: str, columns: Columns) -> None: ...

    def write_events(self, events: Sequence[Event]) -> None: ...


class Entry(NamedTuple):
    """Rows on their way to a recorder, and what must be known of each."""

    rows: Trajectory
    violation: np.ndarray
    evaluations: np.ndarray
    commands: np.ndarray
    """At each row: the mean of what was held in the steps before and after it, since a step takes its forces in its
    middle; at the first and the last row of a run, as the one or two steps next to it would have it go on."""
    locked: np.ndarray
    """Contacts that engaged welds keep from changing."""


class Book:
    """States, ledger and forces on their way to a recorder."""

    def __init__(self, dynamics: Dynamics, recorder: Recording) -> None:
        self.dynamics, self.recorder = dynamics, recorder
        self._ledger: Ledger | None = None
        self._waiting: list[Entry] = []
        self._ready: deque[tuple[str, Columns]] = deque()
        self.saved: float | None = None
        """Time (s) of the last row that is on record."""
        self._driven: list[Entry] = []
        self._open: tuple[np.ndarray, np.ndarray | None] | None = None
        self._held: np.ndarray | None = None
        self._until: float | None = None
        self._count = 0
        self._written, self._events = time.monotonic(), 0

    def lacks(self, t: float) -> bool:
        """Is a row of that time (s), the present one, still to be entered?"""
        return self._until != t

    def enter(self, entry: Entry) -> None:
        """Keep rows until it is time to write."""
        if self._ledger is None:
            self._ledger = Ledger(self.dynamics, entry.rows)
        self._count += len(entry.rows)
        self._until = entry.rows.t[-1]
        self._waiting.append(entry)
        self._driven.append(entry)

    def leave_open(self, row: np.ndarray) -> None:
        """The command at the present row, which ends its part, will be known with the next."""
        self._open = row, self._held

    def follow(self, held: np.ndarray) -> None:
        """Tell what is commanded in the next steps (1 or more, nv)."""
        self._held = held[-1].copy()
        if self._open:
            row, before = self._open
            row[:] = _onward(held[::-1]) if before is None else (before + held[0]) / 2
            self._open = None

    @property
    def is_due(self) -> bool:
        return self._count >= MOST_ROWS or time.monotonic() - self._written > MOST_SECONDS

    def write(self, events: Sequence[Event], ended: bool = False) -> None:
        """Hand everything to the recorder; forces of the last rows wait for the next command, unless the run ended."""
        self._written = time.monotonic()
        with unbroken():
            self._make_ready()
            self._make_forces_ready(None if ended else -1)
            while self._ready:
                table, columns = self._ready[0]
                self.recorder.append(table, columns)
                self._ready.popleft()  # not before they are on disk
                if table == "states":
                    self.saved = float(columns["t"][0][-1])
            if len(events) != self._events:
                self.recorder.write_events(events)
                self._events = len(events)

    def _make_ready(self) -> None:
        waiting, self._waiting, self._count = self._waiting, [], 0
        if waiting and self._ledger:
            rows = Trajectory.joined(entry.rows for entry in waiting)
            violation, evaluations, _, locked = map(np.concatenate, list(zip(*waiting, strict=True))[1:])
            self._ready.append(("states", state_columns(self.dynamics, rows)))
            self._ready.append(("ledger", self._ledger.columns(rows, violation, evaluations)))
            contacts = contact_columns(self.dynamics, rows, locked)
            if len(contacts["t"][0]):
                self._ready.append(("contacts", contacts))

    def _make_forces_ready(self, until: int | None) -> None:
        known, self._driven = self._driven[:until], [] if until is None else self._driven[until:]
        if known:
            rows = Trajectory.joined(entry.rows for entry in known)
            commands = np.concatenate([entry.commands for entry in known])
            self._ready.append(("forces", actuator_columns(self.dynamics, rows, commands)))
            for entry in known:
                self._write_loads(entry)

    def _write_loads(self, entry: Entry) -> None:
        """Of rows that were asked for them, by what latches held; not of a run's first, before which there was no step
        to tell them."""
        first = 0
        for _, same in groupby(entry.rows.holds, key=id):
            hold = list(same)
            of = slice(first, first := first + len(hold))
            rows = replace(
                entry.rows, t=entry.rows.t[of], q=entry.rows.q[of], v=entry.rows.v[of],
                eased=entry.rows.eased_in(of), pressed=entry.rows.pressed[of], rubbed=entry.rows.rubbed[of],
            )  # fmt: skip
            columns = load_columns(self.dynamics, rows, entry.commands[of], entry.locked[of], hold[0])
            self._ready.append(("loads", columns))


def _onward(held: np.ndarray) -> np.ndarray:
    """Half a step after the last of commands (1 or more, nv): straight on."""
    return np.asarray(held[-1] + (held[-1] - held[-2]) / 2 if len(held) > 1 else held[-1])


def _block(first: Trajectory, rows: int, most: int) -> Trajectory | None:
    """Room for so many rows like a first one, unless that takes more than `most` bytes."""
    if rows * size(first) > most:
        return None
    widths = first.q.shape[1], first.v.shape[1], first.account.shape[1]
    q, v, account = (np.empty((rows, width)) for width in widths)
    return Trajectory.plain(np.empty(rows), q, v, account)


_NONE = np.empty(0, dtype=np.int64)


class Rows:
    """Rows of one `Simulation.run`: the start, then one each `every` steps."""

    def __init__(self, motion: Motion, start: int, every: int, book: Book | None, total: int) -> None:
        """Of `total` steps, after `start`."""
        self.motion, self.every, self.book = motion, every, book
        self.done = 0
        self._start = start
        t = np.array([start * motion.h])
        account = motion.account_now[None]
        first = Trajectory.plain(t, motion.q[None], motion.v[None], account, eased=motion.eased)
        self._parts = list[Trajectory]()
        self._bytes, self.count = 0, 0  # rows so far
        self.block = _block(first, 1 + total // every, MOST_BYTES if book else MOST_TOGETHER)
        self._take(first, t)
        self._spill: Spill | None = None
        if book and book.lacks(first.t[0]):
            command = np.zeros((1, motion.dynamics.nv))
            self._enter(first, command)
            book.leave_open(command[0])

    @property
    def since(self) -> int:
        """Steps since the last row."""
        return self.done % self.every

    def add(self, part: Trajectory, taken: int, commands: np.ndarray) -> Trajectory:
        """Keep the rows of a part of so many steps; `commands` were held in it (nv, or one row), or are one a step.
        A part of a step has no rows, only impacts."""
        count = len(part.t)
        if not (count or self.book):
            if part.impacts or part.breaks:
                self._parts.append(part)
            return part
        first = self.done - self.since + self.every
        steps = np.arange(first, first + count * self.every, self.every) if count else _NONE
        kept = self._take(part, (self._start + steps) * self.motion.h if count else part.t)
        if self.book:
            self._tell(self.book, kept, taken, steps - self.done, commands)
        return kept

    def _tell(self, book: Book, kept: Trajectory, taken: int, into: np.ndarray, commands: np.ndarray) -> None:
        """Enter rows, `into` a part of so many steps, and what was commanded."""
        if self._bytes > MOST_BYTES:
            self._spill_over(book)
        if taken:
            held = np.atleast_2d(commands)
            book.follow(held)
            if len(kept):
                last = len(held) - 1
                means = (held[np.minimum(into - 1, last)] + held[np.minimum(into, last)]) / 2
                self._enter(kept, means)
                if into[-1] == taken:
                    means[-1] = _onward(held)
                    book.leave_open(means[-1])

    def _take(self, part: Trajectory, t: np.ndarray) -> Trajectory:
        """Keep rows of these times (s), in their place if there is one for all."""
        block, at, end = self.block, self.count, self.count + len(part)
        if block is None:
            part = replace(part, t=t)
        elif len(part):
            if part.q.base is not block.q:  # the loop wrote them elsewhere
                there = [getattr(block, name)[at:end] for name in KEPT]
                for name, rows in zip(KEPT, there, strict=True):
                    rows[:] = getattr(part, name)
                part = part.in_place_of(*there)
            part.t[:] = t
        self._parts.append(part)
        self.count = end
        if self.book:
            self._bytes += size(part)
        return part

    def _enter(self, rows: Trajectory, commands: np.ndarray) -> None:
        assert self.book
        evaluations = np.full(len(rows), self.motion.counts["evaluations"], dtype=np.int64)
        locked = np.broadcast_to(self.motion.locked, (len(rows), len(self.motion.locked)))
        self.book.enter(Entry(rows, self.motion.violations(rows.q), evaluations, commands, locked))

    def joined(self) -> Trajectory:
        """All rows so far."""
        if self._spill and self.book:
            self._spill_over(self.book)
            return self._spill.joined()
        if self.block:
            states = (getattr(self.block, name)[: self.count] for name in KEPT)
            self._parts = [Trajectory.gathered(self._parts, states)]
        else:
            self._parts = [Trajectory.joined(self._parts)]
        return self._parts[0]

    def _spill_over(self, book: Book) -> None:
        if self._spill is None:
            self._spill = Spill(getattr(book.recorder, "path", None))
        if self._parts:
            self._spill.add(self._parts)
        self._parts, self._bytes = [], 0


def impact_events(rows: Trajectory) -> list[dict[str, Any]]:
    """Events of kind "impact": what `Impact` holds."""
    return [
        {"kind": "impact"} | {k: x.tolist() if isinstance(x, np.ndarray) else x for k, x in impact._asdict().items()}
        for impact in rows.impacts
    ]


class LimitWatch:
    """Tells when a joint's declared limit is crossed for the first time; a limit that is a stop is not watched."""

    def __init__(self, dynamics: Dynamics) -> None:
        limited = [(body, limits) for body in dynamics.world.bodies if (limits := vars(body.joint).get("limits"))]
        watched = [(body, limits) for body, limits in limited if limits.restitution is None]
        self._any = bool(watched)
        if not watched:
            return
        self._names = dynamics.layout.names()[0]
        self._lower, self._upper = np.full(dynamics.nq, -np.inf), np.full(dynamics.nq, np.inf)
        for body, limits in watched:
            start = dynamics.layout.q[body.name].start
            size = len(body.joint.freedom.flat)
            self._lower[start : start + size] = limits.lower
            self._upper[start : start + size] = limits.upper

    def crossed(self, rows: Trajectory) -> list[dict[str, Any]]:
        """Events of kind "limit", in order of time; each limit is reported once."""
        found: list[dict[str, Any]] = []
        if not self._any:
            return found
        below, above = rows.q < self._lower, rows.q > self._upper
        if not (below.any() or above.any()):
            return found
        for limit, never, beyond in ((self._lower, -np.inf, below), (self._upper, np.inf, above)):
            for k in np.flatnonzero(beyond.any(axis=0)):
                row = int(np.argmax(beyond[:, k]))
                found.append(
                    {"time": float(rows.t[row]), "kind": "limit", "joint": self._names[k], "limit": float(limit[k]),
                     "value": float(rows.q[row, k])}
                )  # fmt: skip
                limit[k] = never
        return sorted(found, key=lambda event: event["time"])
