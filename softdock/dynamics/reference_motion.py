"""A motion by the reference integrator: the same commands, latches and impacts, none of the steps' mathematics."""

from time import process_time
from typing import Any

import numpy as np

from softdock.dynamics.gap_schedule import nearest_gap
from softdock.dynamics.impulse import TOUCH, resolve
from softdock.dynamics.motion import Impacts, Motion, StepFailed, Trajectory
from softdock.dynamics.near import UNLISTED
from softdock.dynamics.reference import ATOL, RTOL, Holding, Integrator, refuse_stiction
from softdock.dynamics.state import ACCOUNT_NAMES
from softdock.dynamics.status import DONE, STOPPED
from softdock.kernels.loop import loop

MOST = 60
"""Tries to find the instant of an impact."""
RESTS = 1e-9
"""Impacts that follow each other within this part of a step: a contact comes to rest."""


@loop
def strike_now(plant, state, struck, events, count, v):
    """The impacts at the present instant, events from `count` on, and the velocity after them; how many events there
    are then, negative if there is no answer."""
    seen = state.proximity.seen
    seen.margin, seen.used, seen.kept = UNLISTED, 0.0, 0.0
    nearest_gap(plant, state, 0)
    status, count = resolve(plant, state, struck, events, count, v, False)
    return count if status == DONE else -status


class ReferenceMotion(Motion):
    """A motion, made from another one where that is now, whose steps are DOP853's; `rtol` (-) and `atol` (-) are
    its tolerances, near rounding. StepFailed after `seconds` (s) of processor time: what is stiff takes it very long.

    Commands are held over steps of h as in a motion. Latches are held, or give way; impacts are located and follow the
    same law. What it does not follow is refused: contacts at rest, static friction, latches that break. There is no
    ledger.
    """

    def __init__(
        self, motion: Motion, *, rtol: float = RTOL, atol: float = ATOL, seconds: float = float("inf")
    ) -> None:
        refuse_stiction(motion.dynamics)
        if motion._plant.strengths.size:
            raise ValueError("the reference integrator follows no latches that break: leave 'strength' out")
        super().__init__(motion.dynamics, motion.q, motion.v, h=motion.h, t=motion.t)
        for latch in self.engaged:
            if latch not in motion.engaged:
                self.release(latch)
        for latch in motion.engaged:
            if latch not in self.engaged:
                self.engage(latch)
        self._state.input.latches.held.vector[:] = motion._state.input.latches.held.vector
        self._integrator = Integrator(self.dynamics, rtol, atol, self._structs[1])
        self._hard, self._seconds, self._until = ~self._plant.contacts.soft, seconds, process_time() + seconds
        self._next, self._struck = 0.0, np.zeros(len(self.dynamics.contact_names), dtype=np.int64)

    def _steps(
        self,
        span: tuple[int, int, int],
        u: np.ndarray,
        ledger: bool,
        stop_at: frozenset[str],
        loads: bool,
        into: Trajectory | None = None,
    ) -> tuple[int, int, Trajectory]:
        steps, every, since = span
        if loads:
            raise ValueError("the reference integrator tells no loads")
        if self._watches:
            _ = self._loop  # compiles what contacts need
            self._watch(stop_at, steps)
        began, count, rows = self.t, 0, list[tuple[float, np.ndarray, np.ndarray]]()
        done, status = 0, DONE
        while done < steps and status == DONE:
            self._refuse_too_long()
            count, status = self._step(began + (done + 1) * self.h, u[min(done, len(u) - 1)], count)
            if status == DONE:
                done += 1
                self._state.counts["steps"] += 1
                if (done + since) % every == 0:
                    rows.append((self.t, self.q, self.v))
        t, q, v = (np.array([row[k] for row in rows]) for k in range(3))
        nothing = np.zeros((len(rows), len(ACCOUNT_NAMES)))
        impacts = Impacts(self._events[:count].copy(), self.dynamics.contact_names) if count else ()
        return (
            status,
            done,
            Trajectory(t, q.reshape(-1, self.dynamics.nq), v.reshape(-1, self.dynamics.nv), nothing, impacts),
        )

    def _refuse_too_long(self) -> None:
        if process_time() > self._until:
            reason = (
                f"at t = {self.t:.6g} s the reference integrator has taken more than {self._seconds:g} s: it is "
                "explicit, and follows stiff contacts and servos in tiny steps"
            )
            raise StepFailed(reason, self.t, 0.0, _nothing(self))

    def _step(self, end: float, command: np.ndarray, count: int) -> tuple[int, int]:
        """To a time (s), with the impacts before it; events so far, and DONE or STOPPED."""
        self._struck[:] = 0
        last = -np.inf
        while self.t < end:
            start, began = np.concatenate([self._state.q, self.v]), self.t
            reached, closed = self._until_closed(start, end, command)
            self._put(reached, end if not closed else self._instant)
            if not closed:
                break
            if self._instant - last <= RESTS * self.h and self._instant - began <= RESTS * self.h:
                self._fail_at_rest()
            last = self._instant
            v, before = np.empty(self.dynamics.nv), count
            count = strike_now(*self._structs, self._struck, self._events, count, v)
            if count <= before:
                self._fail_at_rest()
            self._put(np.concatenate([self._state.q, v]), self._instant)
            if self._request.record.stops[self._events["contact"][before:count]].any():
                return count, STOPPED
        return count, DONE

    def _until_closed(self, start: np.ndarray, end: float, command: np.ndarray) -> tuple[np.ndarray, bool]:
        """The state at `end`, or at the `_instant` before it at which the first gap closes (Illinois' method)."""
        began, state = self.t, self._go(start, end, command)
        at = lambda y: self._least(y[: self.dynamics.nq])  # noqa: E731
        low, high, gap, before = began, end, at(state), at(start)
        self._instant = end
        if gap >= -TOUCH:
            return state, False
        if before <= TOUCH:  # closed at the start: open a little later, or struck at once
            probe = 0.5 * (began + end)
            while (before := at(self._go(start, probe, command))) <= TOUCH:
                high, gap, probe = (
                    (probe, before, 0.5 * (began + probe)) if before < -TOUCH else (high, gap, 0.5 * (began + probe))
                )
                if probe - began <= 1e-13 * self.h:
                    self._instant = began
                    return start, True
            low = probe
        side = 0
        for _ in range(MOST):
            middle = (low * gap - high * before) / (gap - before)
            state = self._go(start, middle, command)
            value = at(state)
            self._instant = middle
            if abs(value) <= 0.5 * TOUCH or high - low <= 4e-16 * max(1.0, abs(high)):
                break
            if value > 0.0:
                low, before, gap, side = middle, value, gap * (0.5 if side > 0 else 1.0), 1
            else:
                high, gap, before, side = middle, value, before * (0.5 if side < 0 else 1.0), -1
        return state, True

    def _go(self, start: np.ndarray, to: float, command: np.ndarray) -> np.ndarray:
        if to <= self.t:
            return start
        times = np.array([self.t, to])
        states, reached, self._next = self._integrator.go(start, times, command, self._holding(), self._next)
        if reached < 2 or not np.isfinite(states[-1]).all():
            t = self.t
            raise StepFailed(
                f"at t = {t:.6g} s the reference integrator found no step small enough", t, 0.0, _nothing(self)
            )
        return states[-1]

    def _holding(self) -> Holding:
        latches, held, rows = self._state.input.latches, self._state.held, self._plant.rows
        if not held.engaged.any():
            return Holding(*(np.zeros(0) for _ in Holding._fields))
        gives = held.springs.astype(float)
        return Holding(
            latches.held.vector.copy(), latches.on.copy(), gives * rows["stiffness"], gives * rows["damping"]
        )

    def _least(self, q: np.ndarray) -> float:
        """The smallest located gap that is not locked."""
        if not self._hard.any():
            return np.inf
        gaps = self._gaps_at(q)[self._hard & ~self._state.proximity.locked]
        return float(gaps.min(initial=np.inf))

    def _put(self, y: np.ndarray, t: float) -> None:
        nq = self.dynamics.nq
        self._state.q[:], self._state.clock["time"] = y[:nq], t
        self._momentum[:] = self.dynamics.momenta(y[:nq], y[nq:])

    def _fail_at_rest(self) -> None:
        names, gaps = self.dynamics.contact_names, self._gaps_at(self._state.q)
        closed = ", ".join(names[k] for k in np.flatnonzero(gaps <= 10 * TOUCH))
        reason = f"at t = {self.t:.6g} s contact {closed} comes to rest, which the reference integrator does not follow"
        raise StepFailed(reason, self.t, 0.0, _nothing(self))


def _nothing(motion: Motion) -> Trajectory:
    """No rows."""
    d: Any = motion.dynamics
    return Trajectory(np.empty(0), np.empty((0, d.nq)), np.empty((0, d.nv)), np.empty((0, len(ACCOUNT_NAMES))))
