"""A motion by the reference integrator: the same commands, latches and impacts, none of the steps' mathematics."""

from time import process_time
from typing import Any, NoReturn

import numpy as np

from softdock.dynamics.gap_schedule import nearest_gap
from softdock.dynamics.impulse import TOUCH, resolve
from softdock.dynamics.motion import Motion
from softdock.dynamics.near import UNLISTED
from softdock.dynamics.reference import ATOL, RTOL, Holding, Integrator, refuse_stiction
from softdock.dynamics.reference_rest import APART, SLIDES, STICKS, lay, rows_moved, speeds_at
from softdock.dynamics.reference_soft import OPENED
from softdock.dynamics.state import ACCOUNT_NAMES, NEAR
from softdock.dynamics.status import DONE, STOPPED
from softdock.dynamics.trajectory import Impacts, StepFailed, Trajectory
from softdock.kernels.loop import loop

MOST = 60
"""Tries to find the instant of an impact."""
RESTS = 1e-9
"""Impacts that follow each other within this part of a step: a contact comes to rest."""
STILL = 1e-9
"""Speed (m/s or rad/s) up to which a point that touches neither leaves nor slides."""
FASTEST = 1e-2
"""Speed (m/s or rad/s) up to which points that leave and come back within rounding are taken to stay."""
SLOW = 1e-7
"""Slip (m/s) at which what slides has come to rest. (As it does, its direction turns ever faster.)"""


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
    same law; contacts rest, stick and slide by forces at an instant (reference_rest.py). What it does not follow is
    refused: static friction, latches that break. There is no ledger.
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
        self._state.compliance.stored[:] = motion._state.compliance.stored
        self._state.compliance.traded[:] = motion._state.compliance.traded
        self._integrator = Integrator(self.dynamics, rtol, atol, self._structs[1])
        self._hard, self._seconds, self._until = ~self._plant.contacts.soft, seconds, process_time() + seconds
        contacts = len(self.dynamics.contact_names)
        self._next, self._struck, self._leaving = 0.0, np.zeros(contacts, dtype=np.int64), 0.1 * STILL
        self._resting, self._points = np.zeros(contacts, dtype=np.bool_), Holding()

    def _steps(
        self,
        span: tuple[int, int, int],
        u: np.ndarray,
        ledger: bool,
        stop_at: frozenset[str],
        loads: bool,
        into: Trajectory | None = None,
        at: int = 0,
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
            self._give_up(reason)

    def _step(self, end: float, command: np.ndarray, count: int) -> tuple[int, int]:
        """To a time (s), with the impacts before it; events so far, and DONE or STOPPED."""
        self._struck[:] = 0
        self._leaving, last, slowed = 0.1 * STILL, -np.inf, False
        while self.t < end:
            self._refuse_too_long()
            self._lay(slowed)
            start, began = self._now(self.v), self.t
            reached, closed = self._until_closed(start, end, command)
            slowed = self._has_slowed(reached)
            self._put(reached, self._instant)
            if not closed:  # at the end, or where points at rest do something else from now on
                continue
            v, before = np.empty(self.dynamics.nv), count
            count = strike_now(*self._structs, self._struck, self._events, count, v)
            if count < 0:
                self._give_up(f"at t = {self.t:.6g} s the reference integrator found no impulses of contacts")
            self._resting |= self._state.held.resting  # what was struck often enough
            self._state.held.resting[:] = False
            if count == before or max(self._instant - last, self._instant - began) <= RESTS * self.h:
                self._come_to_rest()
            last = self._instant
            self._put(self._now(v), self._instant)
            if self._request.record.stops[self._events["contact"][before:count]].any():
                return count, STOPPED
        return count, DONE

    def _come_to_rest(self) -> None:
        """What is closed rests from now on, with points that leave it so slowly that they would not be seen to open: at
        ever higher speeds, the more often that happens in a step."""
        self._resting |= self._hard & ~self._state.proximity.locked & (self._gaps_at(self._state.q) <= 10 * TOUCH)
        self._leaving *= 10.0
        if self._leaving > FASTEST:
            self._give_up(f"at t = {self.t:.6g} s contact {self._pressing()} rattles without end")

    def _lay(self, slowed: bool) -> None:
        """Where contacts at rest touch, and what each point does from now on. Has one `slowed` down until now?"""
        self._points = Holding()
        if not self._resting.any():
            return
        if not lay(*self._structs, self._resting, self._state.q):
            self._give_up(f"at t = {self.t:.6g} s contacts touch at too many points")
        points, number = self._state.points, int(self._state.points.number)
        u = (points.J[: 3 * number] @ self.v).reshape(-1, 3)
        slip = np.hypot(u[:, 1], u[:, 2])
        touches = (points.gap[:number] <= NEAR) & (u[:, 0] <= max(STILL, self._leaving))
        slides = slip > (2.0 * SLOW if slowed else 0.5 * STILL)
        does = np.where(touches, np.where(slides, SLIDES, STICKS), APART)
        slow = np.where(slides, np.minimum(SLOW, 0.5 * slip), STILL)
        self._resting[:] = False
        self._resting[points.contact[:number][touches]] = True
        if touches.any():
            last = u[:, 1:] / np.maximum(slip, 1e-300)[:, None]
            self._points = Holding(does=does, slow=slow, last=last, force=np.zeros(3 * number))

    def _has_slowed(self, y: np.ndarray) -> bool:
        """Has a point that slid come to rest?"""
        slides = self._points.does == SLIDES
        if not slides.any():
            return False
        nq = self.dynamics.nq
        slip = speeds_at(*self._structs, y[:nq], y[nq : nq + self.dynamics.nv]).reshape(-1, 3)[slides, 1:]
        back = (slip * self._points.last[slides]).sum(axis=1) < 0.0
        return bool((back | (np.hypot(*slip.T) <= 2.0 * SLOW)).any())

    def _until_other(self, start: np.ndarray, state: np.ndarray, command: np.ndarray) -> tuple[np.ndarray, float]:
        """The state, and its time (s), at which the first point has begun to slide, or has come to rest; in `state`,
        the last that was reached, it has."""
        low, high = self.t, self._reached
        while high - low > 1e-12 * self.h + 4e-16 * abs(high):
            reached = self._go(start, 0.5 * (low + high), command)
            if self._changed:
                state, high = reached, self._reached
            else:
                low = self._reached
        return state, high

    def _until_closed(self, start: np.ndarray, end: float, command: np.ndarray) -> tuple[np.ndarray, bool]:
        """The state at `end`, or at the `_instant` before it at which the first gap closes (Illinois' method), or what
        points at rest do changes."""
        began, state = self.t, self._go(start, end, command)
        if self._changed:
            state, end = self._until_other(start, state, command)
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
        self._reached, self._changed = to, False
        if to <= self.t:
            return start
        times, holding = np.array([self.t, to]), self._holding()
        holding = holding._replace(last=holding.last.copy(), force=holding.force.copy())
        states, reached, self._next, self._reached = self._integrator.go(start, times, command, holding, self._next)
        self._changed = reached < 2
        if np.isnan(self._reached) or not np.isfinite(states[-1]).all():
            self._give_up(f"at t = {self.t:.6g} s the reference integrator found no step small enough")
        return states[-1]

    def _holding(self) -> Holding:
        latches, held, rows = self._state.input.latches, self._state.held, self._plant.rows
        if not held.engaged.any():
            return self._points
        gives = held.springs.astype(float)
        return self._points._replace(
            held=latches.held.vector.copy(),
            on=latches.on.copy(),
            stiffness=gives * rows["stiffness"],
            damping=gives * rows["damping"],
        )

    def _least(self, q: np.ndarray) -> float:
        """The smallest located gap that is not locked; of contacts that rest, of the points that do not touch."""
        if not self._hard.any():
            return np.inf
        gaps = self._gaps_at(q)[self._hard & ~self._state.proximity.locked & ~self._resting]
        least, apart = float(gaps.min(initial=np.inf)), self._points.does == APART
        if apart.any():
            rows_moved(*self._structs, q)
            least = min(least, float(self._state.points.gap[: apart.size][apart].min()))
        return least

    def _now(self, v: np.ndarray) -> np.ndarray:
        """The integrator's state, with the velocity v."""
        touch = self._state.compliance
        remembered = (touch.stored, touch.traded[:, OPENED]) if self._integrator.remembers else ()
        return np.concatenate([self._state.q, v, *remembered])

    def _put(self, y: np.ndarray, t: float) -> None:
        nq, n = self.dynamics.nq, self.dynamics.nq + self.dynamics.nv
        self._state.q[:], self._state.clock["time"] = y[:nq], t
        self._momentum[:] = self.dynamics.momenta(y[:nq], y[nq:n])
        if self._integrator.remembers:
            touch = self._state.compliance
            touch.stored[:], touch.traded[:, OPENED] = y[n:].reshape(2, -1)

    def _give_up(self, reason: str) -> NoReturn:
        raise StepFailed(reason, self.t, 0.0, _nothing(self))


def _nothing(motion: Motion) -> Trajectory:
    """No rows."""
    d: Any = motion.dynamics
    return Trajectory(np.empty(0), np.empty((0, d.nq)), np.empty((0, d.nv)), np.empty((0, len(ACCOUNT_NAMES))))
