"""The rows of a run: kept, handed to the recorder in lots, and watched for joint limits."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from softdock.dynamics import Dynamics, Motion, Trajectory
from softdock.ledger import Columns, Ledger, state_columns

MOST_ROWS, MOST_SECONDS = 10_000, 1.0
"""The recorder gets its rows at the latest when there are so many, or after so long."""

Event = Mapping[str, Any]
"""`time` (s), `kind`, and what belongs to the kind."""


def whole_steps(duration: float, h: float, what: str, least: int = 0) -> int:
    """How many steps of h (s) `duration` takes; ValueError if that is not a whole number of at least `least`."""
    steps = duration / h
    if not math.isfinite(steps) or round(steps) < least or abs(steps - round(steps)) > 1e-6:
        raise ValueError(f"{what} must be a whole number of steps of {h:g} s, at least {least}; it is {duration} s")
    return round(steps)


class Recording(Protocol):
    """What a simulation writes to; `record.Recorder` is one."""

    def append(self, table: str, columns: Columns) -> None: ...

    def write_events(self, events: Sequence[Event]) -> None: ...


class Book:
    """States and ledger on their way to a recorder."""

    def __init__(self, dynamics: Dynamics, recorder: Recording) -> None:
        self.dynamics, self.recorder = dynamics, recorder
        self._ledger: Ledger | None = None
        self._waiting: list[tuple[Trajectory, np.ndarray, np.ndarray]] = []
        self._count = 0
        self._written, self._events = time.monotonic(), 0

    @property
    def is_new(self) -> bool:
        """Has nothing been entered yet?"""
        return self._ledger is None

    def enter(self, rows: Trajectory, violation: np.ndarray, evaluations: int) -> None:
        """Keep rows until it is time to write; `violation` of each, `evaluations` as they are at the last."""
        if self._ledger is None:
            self._ledger = Ledger(self.dynamics, rows)
        self._count += len(rows)
        self._waiting.append((rows, violation, np.full(len(rows), evaluations, dtype=np.int64)))

    @property
    def is_due(self) -> bool:
        return self._count >= MOST_ROWS or time.monotonic() - self._written > MOST_SECONDS

    def write(self, events: Sequence[Event]) -> None:
        """Hand everything to the recorder."""
        waiting, self._waiting, self._count = self._waiting, [], 0
        self._written = time.monotonic()
        if waiting and self._ledger:
            rows = Trajectory.joined(rows for rows, _, _ in waiting)
            violation, evaluations = (np.concatenate([entry[k] for entry in waiting]) for k in (1, 2))
            self.recorder.append("states", state_columns(self.dynamics, rows))
            self.recorder.append("ledger", self._ledger.columns(rows, violation, evaluations))
        if len(events) != self._events:
            self._events = len(events)
            self.recorder.write_events(events)


class Rows:
    """Rows of one `Simulation.run`: the start, then one each `every` steps."""

    def __init__(self, motion: Motion, start: int, every: int, book: Book | None) -> None:
        self.motion, self.every, self.book = motion, every, book
        self.done = 0
        self._start = start
        first = Trajectory(
            np.array([start * motion.h]), motion.q[None], motion.v[None], np.array([[*motion.account.values()]])
        )
        self._parts = [first]
        if book and book.is_new:
            self._enter(first)

    def add(self, part: Trajectory, spacing: int) -> Trajectory:
        """Keep those rows of a part that are due; `spacing` is the part's, in steps, and divides `every` and `done`."""
        first = self.every - self.done % self.every
        steps = np.arange(self.done + first, self.done + spacing * len(part) + 1, self.every)
        due = slice(first // spacing - 1, None, self.every // spacing)
        t = (self._start + steps) * self.motion.h
        kept = replace(part, t=t, q=part.q[due], v=part.v[due], account=part.account[due])
        self._parts.append(kept)
        if self.book and len(kept):
            self._enter(kept)
        return kept

    def _enter(self, rows: Trajectory) -> None:
        assert self.book
        self.book.enter(rows, self.motion.violations(rows.q), self.motion.counts["evaluations"])

    def joined(self) -> Trajectory:
        """All rows so far."""
        self._parts = [Trajectory.joined(self._parts)]
        return self._parts[0]


def impact_events(rows: Trajectory) -> list[dict[str, Any]]:
    """Events of kind "impact": what `Impact` holds."""
    return [
        {"kind": "impact"} | {k: x.tolist() if isinstance(x, np.ndarray) else x for k, x in impact._asdict().items()}
        for impact in rows.impacts
    ]


class LimitWatch:
    """Tells when a joint's declared limit is crossed for the first time; a limit that is a stop is not watched."""

    def __init__(self, dynamics: Dynamics) -> None:
        self._names = dynamics.layout.names()[0]
        self._lower, self._upper = np.full(dynamics.nq, -np.inf), np.full(dynamics.nq, np.inf)
        for body in dynamics.world.bodies:
            limits = getattr(body.joint, "limits", None)
            if limits and limits.restitution is None:
                start = dynamics.layout.q[body.name].start
                size = {"planar": 3, "free": 3}.get(body.joint.kind, 1)
                self._lower[start : start + size] = limits.lower
                self._upper[start : start + size] = limits.upper

    def crossed(self, rows: Trajectory) -> list[dict[str, Any]]:
        """Events of kind "limit", in order of time; each limit is reported once."""
        found = []
        for limit, never, beyond in (
            (self._lower, -np.inf, rows.q < self._lower),
            (self._upper, np.inf, rows.q > self._upper),
        ):
            for k in np.flatnonzero(beyond.any(axis=0)):
                row = int(np.argmax(beyond[:, k]))
                found.append(
                    {"time": float(rows.t[row]), "kind": "limit", "joint": self._names[k], "limit": float(limit[k]),
                     "value": float(rows.q[row, k])}
                )  # fmt: skip
                limit[k] = never
        return sorted(found, key=lambda event: event["time"])
