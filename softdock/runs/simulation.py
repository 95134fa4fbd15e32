"""The loop: controllers called at their own periods, actions at their instants, compiled physics between two."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics, Motion, StepFailed, Trajectory
from softdock.dynamics.abreast import WORTH, Going, alone, make_ready
from softdock.dynamics.arrays import batched, rows_of
from softdock.dynamics.motion import is_whole
from softdock.runs.agenda import Act, Agenda, Condition, Touch, engage, release, touch
from softdock.runs.controllers import Controller, Controllers
from softdock.runs.rows import Book, LimitWatch, Recording, Rows, impact_events, whole_steps
from softdock.runs.thrusters import REFRESH, Thrusters

SAME = 1e-6
"""Instants that are less than this fraction of a step apart are one."""
MOST_TOUCHES = 100
"""So often one step stops at a touch; the rest of it is then taken without: impacts may come without end."""


class Simulation:
    """A world in motion under a command, controllers, and actions at instants.

    It starts from `q` (m or rad) and `v` (m/s or rad/s), with steps of `h` (s) and a `command` (N or N m) that is held
    beside what controllers command. `tolerance` (-) is the relative size of the last Newton change at which a step
    counts as solved. With a `contact_error` (-), `h` is the longest step: those with compliant contacts are divided.

    `events` tells what happened: latches engaged (with the energy lost), released and broken, impacts, a
    joint's limit crossed for the first time (seen at recorded rows; only limits with a restitution
    stop a joint), a step that failed, and what actions and controllers `note`.
    """

    chunk = 2000
    """Most steps of one compiled call: progress and Ctrl-C are heard between two."""

    def __init__(
        self,
        dynamics: Dynamics,
        q: ArrayLike,
        v: ArrayLike,
        *,
        h: float,
        order: int = 2,
        command: ArrayLike | None = None,
        controllers: Sequence[Controller] = (),
        tolerance: float = 1e-14,
        contact_error: float | None = None,
    ) -> None:
        self.dynamics = dynamics
        self.motion = Motion(dynamics, q, v, h=h, order=order, tolerance=tolerance, contact_error=contact_error)
        self.h, self.steps = self.motion.h, 0
        self.events: list[dict[str, Any]] = []
        self._within = False
        self._agenda = Agenda(SAME * self.h)
        self._controllers = Controllers(self)
        self._book: Book | None = None
        self._is_running = self._loads = False
        self.outside: np.ndarray | None = None
        """Forces (nv) beside all that is commanded: what another simulator pushes with."""
        self._rows: Rows | None = None
        self.thrusters = Thrusters(dynamics) if dynamics.world.thrusters else None
        """Those of the world, if it has any: `fire` opens them."""
        self._plumes: set[tuple[str, str]] = set()
        self.command = np.zeros(dynamics.nv) if command is None else command
        for latch in self.motion.engaged:
            self.note("engaged", latch=latch)
        self.control(*controllers)

    def __repr__(self) -> str:
        names = ", ".join(type(c).__name__ for c in self.controllers) or "none"
        engaged = ", ".join(self.motion.engaged) or "none"
        return (
            f"<Simulation of {self.dynamics.world.name!r} at t = {self.t:g} s: {self.steps} steps of {self.h:g} s;\n"
            f" controllers: {names}; engaged: {engaged}; events {len(self.events)}, actions ahead {len(self._agenda)}>"
        )

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a simulation cannot be copied or pickled; make another from its q and v")

    @property
    def t(self) -> float:
        """Time (s): steps × h, so that it gathers no rounding; within a step, the instant."""
        return self.motion.t if self._within else self.steps * self.h

    @property
    def q(self) -> np.ndarray:
        """Coordinates now (m or rad)."""
        return self.motion.q

    @property
    def v(self) -> np.ndarray:
        """Velocities now (m/s or rad/s)."""
        return self.motion.v

    @property
    def recorded_until(self) -> float | None:
        """Time (s) of the last row that a recorder has on disk; None if there is none."""
        return self._book.saved if self._book else None

    @property
    def rows(self) -> Trajectory:
        """Those of the last `run`, or of the present one so far."""
        if self._rows is None:
            raise ValueError("there are no rows before the first run")
        return self._rows.joined()

    # --- what is commanded ---------------------------------------------------------------------

    @property
    def command(self) -> np.ndarray:
        """Held beside what controllers command: one row (nv), or one for each step from the present one on, of which
        the last is held."""
        return self._command if len(self._command) > 1 else self._command[0]

    @command.setter
    def command(self, command: ArrayLike) -> None:
        self._command, self._since = batched("command", command, self.dynamics.nv) + 0.0, self.steps

    @property
    def controllers(self) -> tuple[Controller, ...]:
        """Those at work."""
        return self._controllers.all

    @property
    def all_controllers(self) -> tuple[Controller, ...]:
        """Those at work now or before, in the order in which they were taken."""
        return tuple(self._controllers.ever)

    @property
    def is_open_loop(self) -> bool:
        """Is there nothing but a constant command: no controller, no action that waits, no engaged latch?"""
        waits = self._agenda.next_time < math.inf or self._agenda.contacts or self._agenda.periods
        return not (self.controllers or waits or len(self._command) > 1 or self.motion.engaged)

    @property
    def goes_abreast(self) -> bool:
        """Are its next steps worth to be taken beside those of other runs? Then what takes them is made ready."""
        return self._ahead(WORTH) >= WORTH and make_ready(self.motion)

    def control(self, *controllers: Controller) -> None:
        """Let these controllers command from now on, instead of those so far; new ones are called
        at once, and those that are kept hold what they commanded."""
        self._controllers.take(controllers)

    def ask(self, controller: Controller) -> None:
        """Call a controller that is at work also at this instant, beside its periods; for actions."""
        self._controllers.renew(controller)

    def _commands(self, steps: int, h: float | None = None) -> np.ndarray:
        """Of the coming steps: one row for all, or one for each."""
        row = self.steps - self._since
        last = len(self._command) - 1
        held = self._controllers.added_to(self._command[row : row + steps] if row < last else self._command[last:])
        if self.outside is not None:
            held = held + self.outside
        if self.thrusters and (pushes := self._thrust(steps, h or self.h)) is not None:
            return np.asarray(held + pushes)
        return held

    def fire(self, seconds: Mapping[str, float], period: float) -> None:
        """Open thrusters by name, each for so long (s), in the middle of the `period` (s) that begins now."""
        if self.thrusters is None:
            raise ValueError("the world has no thrusters to fire")
        self.thrusters.fire(self.t, seconds, period)

    def _thrust(self, steps: int, h: float) -> np.ndarray | None:
        """What open thrusters push in the coming steps; an event when a plume begins to hit a body."""
        assert self.thrusters
        known = len(self.thrusters.blown)
        pushes = self.thrusters.rows(self.motion.t, h, steps, self.motion.q, self.motion.v)
        hit = set()
        for one in self.thrusters.blown[known:]:
            hit.add(key := (one.thruster, one.body))
            if key not in self._plumes:
                self.note("plume", thruster=one.thruster, body=one.body, force=float(np.linalg.norm(one.force)))
        self._plumes = hit
        return pushes

    # --- what is done when ---------------------------------------------------------------------

    def at(self, time: float, act: Act) -> None:
        """Do `act(simulation)` at a time (s), also within a step; at once if that is past."""
        self._agenda.at(time, act)

    def when(self, condition: Touch | Condition, act: Act, *, period: float | None = None) -> None:
        """Do `act(simulation)` the next time that something happens, once.

        `touch(contact)`: at the instant of its next impact, within the step. A function of the simulation: when it
        is true, looked at each `period` (s, whole steps), before the controllers are called.
        """
        if isinstance(condition, Touch):
            self._agenda.at_touch(condition.contact, act, self.dynamics.world, self.dynamics.contact_names)
        elif callable(condition) and period is None:
            raise ValueError("when: a condition of your own needs the period (s) at which it is looked at")
        else:
            every = whole_steps(self.h if period is None else period, self.h, "when: the period", least=1)
            self._agenda.at_sight(condition, every, act)

    def engage(self, latch: str) -> float:
        """Engage a latch now; returns the energy lost (J)."""
        lost = self.motion.engage(latch)
        self.note("engaged", latch=latch, energy_lost=lost)
        return lost

    def release(self, latch: str) -> None:
        """Release a latch now."""
        self.motion.release(latch)
        self.note("released", latch=latch)

    def note(self, kind: str, **what: Any) -> None:
        """Add an event of the present time."""
        self.events.append({"time": self.t, "kind": kind, **what})

    # --- steps ---------------------------------------------------------------------------------

    def run(
        self,
        duration: float,
        *,
        commands: ArrayLike | None = None,
        record_every: int = 1,
        progress: Callable[[float], None] | None = None,
        recorder: Recording | None = None,
        loads: bool = False,
    ) -> Trajectory:
        """Go on for `duration` (s, a whole number of steps); returns the rows, the present state first.

        `commands` (nv, or one row a step) become the `command`; without controllers no Python runs between two rows. A
        row is kept each `record_every` steps, and holds the state before the actions of its time. `progress` is told
        the time now and then. With `loads`, what joints, latches and contacts carry is recorded too, from the second
        row on. StepFailed carries all rows.
        """
        return alone(self.going(duration, commands, record_every, progress, recorder, loads, beside=False))

    def going(
        self,
        duration: float,
        commands: ArrayLike | None = None,
        record_every: int = 1,
        progress: Callable[[float], None] | None = None,
        recorder: Recording | None = None,
        loads: bool = False,
        *,
        beside: bool = True,
    ) -> Going[Trajectory]:
        """`run`, on its way: with `beside`, it leaves long stretches of steps to whoever takes those of several runs
        together (`side_by_side`)."""
        if self._is_running:
            raise ValueError("a run cannot be started within a run; an action may schedule what is to come")
        if abs(self.motion.t - self.t) > SAME * self.h:
            raise ValueError(f"the last run ended within a step, at t = {self.motion.t:.6g} s, and cannot go on")
        total = whole_steps(duration, self.h, "the duration", least=0)
        if not is_whole(record_every, 1):
            raise ValueError(f"record_every must be a whole number of steps, at least 1, not {record_every}")
        if commands is not None:
            self.command = rows_of("commands", commands, self.dynamics.nv, total)
        rows = self._rows = Rows(self.motion, self.steps, record_every, self._opened(recorder), total)
        self._loads = loads
        self._is_running = True
        try:
            self._agenda.do_due(self)
            while rows.done < total:
                self._agenda.do_seen(self)
                self._controllers.call(lambda period: self.steps % period == 0)
                self._agenda.do_due(self)
                if beside:
                    yield None
                yield from self._advance(total - rows.done, rows, beside and not loads)
                self._agenda.do_due(self)
                if progress:
                    progress(self.t)
        except StepFailed as error:
            self.note("failed", reason=str(error), residual=error.residual)
            raise StepFailed(str(error), error.time, error.residual, rows.joined()) from None
        finally:
            self._within = self._is_running = False
            if rows.book:
                rows.book.write(self.events, ended=True)
        return rows.joined()

    def _opened(self, recorder: Recording | None) -> Book | None:
        if recorder is None:
            return None
        if self._book is None or self._book.recorder is not recorder:
            self._book = Book(self.dynamics, recorder)
        return self._book

    def _advance(self, left: int, rows: Rows, beside: bool) -> Going[None]:
        """Whole steps until something must be done in Python; or the coming one in parts, if that is within it."""
        steps, struck = self._ahead(left), set[str]()
        if steps > 0:
            struck = yield from self._take_steps(steps, rows, beside)
            if beside:
                yield None
        if steps == 0 or struck:
            yield from self._split_step(struck, rows, beside)

    def _ahead(self, left: int) -> int:
        """Whole steps until something must be done."""
        ahead = [left, self.chunk]
        ahead += [period - self.steps % period for period in (*self._controllers.periods, *self._agenda.periods)]
        if self._agenda.next_time < math.inf:
            ahead.append(math.floor(self._agenda.next_time / self.h + SAME) - self.steps)
        if (given := len(self._command) - (self.steps - self._since)) > 1:
            ahead.append(given)
        if self.thrusters:
            idle = (self.thrusters.next_change(self.t) - self.t) / self.h
            ahead.append(math.floor(min(idle, self.chunk) + SAME) or max(1, round(REFRESH / self.h)))
        return min(ahead)

    def _take_steps(self, steps: int, rows: Rows, beside: bool) -> Going[set[str]]:
        """So many steps, or up to the instant of a touch that is awaited: the contacts that are touched there."""
        commands, taken, awaited = self._commands(steps), self.motion.steps, self._agenda.contacts
        try:
            if beside:
                span = steps, rows.every, rows.since
                part = yield from self.motion.going(span, commands, awaited, rows.block, rows.count)
            else:
                part = self.motion.run(
                    steps, commands, every=rows.every, since=rows.since, ledger=True, stop_at=awaited,
                    loads=self._loads, out=rows.block, at=rows.count,
                )  # fmt: skip
        except StepFailed as error:
            self._keep(error.trajectory, self.motion.steps - taken, commands, rows)
            if rows.book:
                rows.book.follow(np.atleast_2d(commands))  # also if not one step was finished
            raise
        taken = self.motion.steps - taken
        self._keep(part, taken, commands, rows)
        return self._struck(part, awaited) if taken < steps else set()

    def _split_step(self, struck: set[str], rows: Rows, beside: bool) -> Going[None]:
        """The coming step, or what is left of it, in parts: to each instant at which something is done, and to its end.
        `struck` are the contacts that are touched where it goes on."""
        end, self._within = (self.steps + 1) * self.h, True
        touches = 0
        while True:
            self._agenda.do_touched(struck, self)
            self._agenda.do_due(self)
            self._controllers.call(lambda period: False)
            if beside:
                yield None
            is_last = self._agenda.next_time > end - self._agenda.tolerance
            awaited = self._agenda.contacts if (touches := touches + bool(struck)) < MOST_TOUCHES else set()
            struck = self._take_part(end if is_last else self._agenda.next_time, is_last, awaited, rows)
            if beside:
                yield None
            if is_last and not struck:
                break
        self._within = False

    def _take_part(self, to: float, is_last: bool, awaited: set[str], rows: Rows) -> set[str]:
        """To an instant (s) within the step, or to a touch before it: the contacts that are touched. Only the last part
        leaves a row."""
        to = max(to, self.motion.t + 1e-9 * self.h)
        commands = self._commands(1, to - self.motion.t)
        every, since = (rows.every, rows.since) if is_last else (2, 0)
        part = self.motion.step_to(
            to, commands, every=every, since=since, ledger=True, stop_at=awaited, loads=self._loads, out=rows.block,
            at=rows.count,
        )  # fmt: skip
        struck = self._struck(part, awaited)
        self._keep(part, int(is_last and not struck), commands, rows)
        return struck

    def _struck(self, part: Trajectory, awaited: set[str]) -> set[str]:
        now = self.motion.t
        hits = part.impacts if awaited else ()
        return {impact.contact for impact in hits if impact.time == now and impact.contact in awaited}

    @cached_property
    def _limits(self) -> LimitWatch:
        return LimitWatch(self.dynamics)

    def _keep(self, part: Trajectory, taken: int, commands: np.ndarray, rows: Rows) -> None:
        """Enter the rows and events of a part in which so many steps were finished."""
        kept = rows.add(part, taken, commands)
        happened = self._limits.crossed(kept)
        if kept.impacts or kept.breaks:
            broken = [{"kind": "broke", **event._asdict()} for event in kept.breaks]
            happened = sorted(impact_events(kept) + broken + happened, key=itemgetter("time"))
        self.events += happened
        self.steps += taken
        rows.done += taken
        if rows.book and rows.book.is_due:
            rows.book.write(self.events)


__all__ = ["Controller", "Simulation", "Touch", "engage", "release", "touch"]
