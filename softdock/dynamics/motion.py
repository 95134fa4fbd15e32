"""A world in motion: the state between steps, latches engaged and released, steps taken."""

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import wraps
from numbers import Integral
from typing import Any, NoReturn, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import queries
from softdock.dynamics.abreast import WORTH, Going, fits
from softdock.dynamics.arrays import batched, is_number, rows_of, shaped
from softdock.dynamics.breaking import Asked, take_again
from softdock.dynamics.compliance import find_patch
from softdock.dynamics.contact_run import run_contacts
from softdock.dynamics.engaging import ROUNDING, misfit
from softdock.dynamics.gaps import evaluate
from softdock.dynamics.guard import GAIN, PULL, PUSH
from softdock.dynamics.impulse import strike
from softdock.dynamics.latch_loads import Hold
from softdock.dynamics.latch_trouble import latch_trouble
from softdock.dynamics.loads import Loads, all_contacts, loads_of
from softdock.dynamics.manifold import gather, measure, measure_single
from softdock.dynamics.model import NO_INPUT, Dynamics
from softdock.dynamics.near import look_near
from softdock.dynamics.restart import restart_free, restart_held
from softdock.dynamics.resting import complementarity, settle_points
from softdock.dynamics.rollout import (
    COMPOSITIONS,
    account_held,
    eased_now,
    press_now,
    run_free,
    run_held,
    run_touching,
    settle,
    velocity_free,
    velocity_held,
)
from softdock.dynamics.scratch import scratch_for
from softdock.dynamics.settling import refuse_unresolved
from softdock.dynamics.state import CLOCK, COUNTS, EASED, FOUND, ROOM, StepState
from softdock.dynamics.status import (
    BROKE,
    CONTACTS_FULL,
    DONE,
    ENERGY_MADE,
    EVENTS_FULL,
    NO_SOLUTION,
    NOT_CONVERGED,
    NOT_FINITE,
    OFF_BALANCE,
    STOPPED,
    STUCK,
    TOO_DEEP,
    TOO_STIFF,
    TUNNELLING,
    TURN_TOO_LARGE,
)
from softdock.dynamics.touching_step import RESOLVED
from softdock.dynamics.trajectory import ACCOUNT, NONE_EASED, NOTHING, Impact, Impacts, StepFailed, Trajectory
from softdock.kernels import CompiledLoop
from softdock.kernels.struct import Struct, address_of
from softdock.mechanics.layouts import CONSTRAINTS
from softdock.world.describe import nearest

_PARTS = {
    "look_near": look_near, "find_patch": find_patch, "gather": gather,
    "measure": measure, "measure_single": measure_single, "complementarity": complementarity,
    "settle_points": settle_points, "strike": strike,
}  # fmt: skip
"""Loops that those with contacts call."""

LOOSEST = 1e-6
"""The largest tolerance (-): beyond it a state is no solution of the step's equations."""
LEAST_ERROR, LARGEST_ERROR = 1e-8, 0.03
"""Of `contact_error`: from rounding to what a step barely resolves."""
MOST_STEPS = 10**9
"""Of one run."""
MOST_EASED = 2**23
"""Lines of `Trajectory.eased` of one run (200 MB, if they are all used)."""
Method = TypeVar("Method", bound=Callable[..., Any])


def _alone(method: Method) -> Method:
    """Refuse a second thread while one is in the motion: compiled loops run without the interpreter's lock."""

    @wraps(method)
    def guarded(self: "Motion", *arguments: Any, **options: Any) -> Any:
        if not self._in_use.acquire(False):
            raise ValueError("another thread is using this motion; give each thread a motion of its own")
        try:
            return method(self, *arguments, **options)
        finally:
            self._in_use.release()

    return cast(Method, guarded)


class Motion:
    """A stateful stepper: `run` takes steps of size `h` (s), of order 2, 4 or 6, from `q` (m or rad), `v` (m/s or
    rad/s) and time `t` (s).

    `tolerance` (-) is the relative size of the last Newton change at which a step counts as solved, at most 1e-6. With
    `contact_error` (-), steps in which compliant contacts touch are divided into as many parts as keep their error to
    that, relative to what a contact does; h is then the longest step. One thread at a time may use a motion, and it
    cannot be copied.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        q: ArrayLike,
        v: ArrayLike,
        *,
        h: float,
        order: int = 2,
        t: float = 0.0,
        tolerance: float = 1e-14,
        contact_error: float | None = None,
    ) -> None:
        if contact_error is not None and not (
            is_number(contact_error) and LEAST_ERROR <= contact_error <= LARGEST_ERROR
        ):
            raise ValueError(
                f"contact_error must be from {LEAST_ERROR:g} to {LARGEST_ERROR:g}, not {contact_error!r:.40}"
            )
        if not (is_number(tolerance) and 0 < tolerance <= LOOSEST):
            raise ValueError(f"the tolerance must be above 0 and at most {LOOSEST:g}, not {tolerance!r:.40}")
        if not is_number(t):
            raise ValueError(f"the time t must be a number of seconds, not {t!r:.40}")
        if order not in COMPOSITIONS:
            raise ValueError(f"order must be one of {sorted(COMPOSITIONS)}, not {order}")
        if not (is_number(h) and h > 0):
            raise ValueError(f"the step h must be a positive number of seconds, not {h!r:.40}")
        if order != 2 and dynamics.contact_names:
            raise ValueError("impacts are located in steps of order 2: a world with contacts or stops takes order=2")
        if order != 2 and dynamics.touches:
            raise ValueError("joints stick and slide in steps of order 2: a world with static friction takes order=2")
        if order != 2:
            refuse_unresolved(dynamics.plant.settling, h, COMPOSITIONS[order], dynamics.layout.names()[1])
        self._in_use = threading.RLock()
        self.dynamics, self.h, self.order = dynamics, float(h), order
        self._fractions = _FRACTIONS[order]
        self._plant = dynamics.plant
        self._scratch = scratch_for(dynamics, self._fractions)
        self._structs, self._request = (dynamics.struct, self._scratch.state), self._scratch.request
        self._at = tuple(struct.address for struct in self._structs)
        self._state: StepState = self._scratch.state.record
        self._most = 0  # impacts that there is room for
        self._eased, self._soft = NONE_EASED, dynamics._soft
        self._no_command = np.zeros((1, dynamics.nv))
        self._commands = self._scratch.command  # those that the request points to
        self._watches, self._latched = dynamics.touches, bool(dynamics.world.latches)
        self._bears = self._plant.strengths.size > 0
        if self._watches and not self._state.loops["evaluate"]:
            self._state.loops["evaluate"] = evaluate.address(*self._structs)
        clock = self._state.clock
        clock["tolerance"], clock["time"], clock["error"] = tolerance, t, contact_error or 0.0
        self._stops: frozenset[str] = frozenset()
        self._breaks = True
        self._undo: np.ndarray | None = None  # what to recall if a step failed after a latch broke in it
        self._told = 0  # rows of loads that the request has room for
        self._widths = self._plant.nq, self._plant.nv, len(ACCOUNT)
        self._out: tuple[Trajectory | None, tuple[int, ...]] = None, ()  # rows of the caller, and where they are
        self._newtons: dict[bool, tuple[int, ...]] = {}  # kernels, without a ledger and with one
        closed, engaged = dynamics._closed
        self._be_at(*self._checked(q, v, engaged))
        if not closed:
            self._restart()
        for latch in closed:
            self.engage(latch)

    def __repr__(self) -> str:
        engaged = f"; engaged: {', '.join(self.engaged)}" if self.engaged else ""
        steps = f"{self.counts['steps']} steps of {self.h:g} s, order {self.order}"
        return f"<Motion of {self.dynamics.world.name!r} at t = {self.t:g} s: {steps}{engaged}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a motion cannot be copied or pickled; make another: Motion(dynamics, motion.q, motion.v, h=…)")

    # --- state ---------------------------------------------------------------------------------

    @_alone
    def place(self, q: ArrayLike, v: ArrayLike) -> None:
        """Put the world at a state; one that violates an engaged latch is refused. Velocities are brought in line
        with engaged latches."""
        q_, v_ = self._checked(q, v, self._state.held.engaged)
        self._refuse_violation(q_)
        self._state.held.resting[:] = False
        self._state.points.of_step[()], self._state.points.share[()] = False, 0.5
        self._state.points.pressed[:] = 0.0
        self._state.points.owed[()] = 0.0
        self._be_at(q_, v_)
        self._restart()

    def _checked(self, q: ArrayLike, v: ArrayLike, engaged: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One state, in which nothing penetrates that may not with those latches engaged."""
        q_, v_ = self.dynamics._q(q), batched("v", v, self.dynamics.nv)
        if len(q_) != 1 or len(v_) != 1:
            raise ValueError("a motion starts at one state; use rollout for a batch")
        if self._plant.contacts.soft.size:
            self._refuse_penetration(q_[0], engaged)
        return q_[0], v_[0]

    def _be_at(self, q: np.ndarray, v: np.ndarray) -> None:
        """Be at a state."""
        state = self._state
        state.q[:] = q
        queries.apply_batch(
            self.dynamics.kernel("momenta"), self.dynamics.theta, q[None], v[None], NO_INPUT, state.input.momentum[None]
        )
        if len(self._plant.dry):
            state.points.sliding[:] = v[self._plant.dry["v"]] != 0.0
        if self._plant.contacts.soft.size:
            state.compliance.stored[:] = -1.0  # not known yet; the law's, if a step begins in touch

    def _refuse_violation(self, q: np.ndarray) -> None:
        """An engaged latch holds its frames: nobody may be placed elsewhere."""
        held = self._state.input.latches.held
        for k in self._rigid():
            latch, relative = self.dynamics.world.latches[k], self._relative(q)
            apart, angle = misfit(latch.kind, relative.p[0, k], relative.R[0, k], held.p[k], held.R[k])
            if apart > ROUNDING or angle > ROUNDING:
                raise ValueError(
                    f"latch {latch.name!r} is engaged and would be violated by {apart:.3g} m and {angle:.3g} rad; "
                    "release it first"
                )

    def _refuse_penetration(self, q: np.ndarray, engaged: np.ndarray, among: np.ndarray | None = None) -> None:
        """A world may start with contacts closed, but not penetrating, unless they are compliant, or between bodies
        that engaged welds make one. (`among` some contacts, or all.)"""
        self._look_at(q)
        values = self._state.proximity.phi
        if not _any(deep := values < -ROUNDING):
            return
        may = self._plant.contacts.soft.copy()
        may |= False if among is None else ~among
        locked = self.dynamics.held_by(engaged)[2]
        may[: len(locked)] |= locked
        for k in np.flatnonzero(deep & ~may)[:1]:
            name, world = self.dynamics.contact_names[k], self.dynamics.world
            many = " & " in name and name not in {contact.name for contact in world.contacts}
            advice = "; 'exclude' the pair if its shapes are to overlap" if many else ""
            raise ValueError(
                f"contact {name!r} is penetrated by {-values[k]:.3g} (m or rad) at t = {self.t:.6g} s{advice}"
            )

    @_alone
    def gaps(self) -> np.ndarray:
        """Every gap (m) and joint stop (m or rad) at the present state, in the order of `Dynamics.contact_names`."""
        return self._gaps_at(self._state.q)

    def _gaps_at(self, q: np.ndarray) -> np.ndarray:
        self._look_at(q)
        return self._state.proximity.phi.copy()

    def _look_at(self, q: np.ndarray) -> None:
        """Find the gaps at q."""
        proximity = self._state.proximity
        if proximity.phi.size:
            proximity.where[:] = q
            self._call(evaluate)
            proximity.seen["fresh"] = False

    @property
    def _events(self) -> np.ndarray:
        return self._scratch.events

    @property
    def _momentum(self) -> np.ndarray:
        momentum: np.ndarray = self._state.input.momentum
        return momentum

    def _restart(self) -> None:
        """Forget the past velocities that the predictor uses, and what else a new state has not: they jumped."""
        self._call(restart_held if self._is_held else restart_free)

    def _call(self, loop: CompiledLoop, *request: Struct) -> int:
        """Enter a loop with the motion's structs; how to is found once."""
        entry = self._scratch.entries.get(loop)
        if entry is None:
            entry = self._scratch.entries[loop] = loop.entry(*self._structs, *request)
        return entry(*self._at, *[struct.address for struct in request])

    def give_back(self) -> None:
        """Leave its memory to the next motion of its kind; nothing can be asked of this one any more."""
        self._scratch.leave(self.dynamics)
        del self._scratch, self._state, self._structs, self._request

    @property
    def t(self) -> float:
        return self._scratch.clock.item(_TIME)

    @property
    def q(self) -> np.ndarray:
        return self._state.q.copy()

    @property
    @_alone
    def v(self) -> np.ndarray:
        v = np.empty(self._plant.nv)
        (velocity_held if self._is_held else velocity_free)(*self._structs, v)
        return v

    @property
    def _is_held(self) -> bool:
        """Does anything hold or press, with which velocities must be brought in line?"""
        if not (self._latched or self._watches):
            return False
        held = self._state.held
        return _any(held.engaged) or _any(held.resting) or bool(self._state.points.owed > 0.0)

    @property
    def account(self) -> dict[str, float]:
        """The ledger's account so far (`ACCOUNT`)."""
        return dict(zip(ACCOUNT, self.account_now.tolist(), strict=True))

    @property
    def account_now(self) -> np.ndarray:
        """The same as an array."""
        account: np.ndarray = self._state.account.vector.copy()
        if _any(self._state.held.resting) or self._state.points.owed > 0.0:
            account_held(*self._structs, np.empty(self.dynamics.nv), account)
        return account

    @property
    def stored(self) -> float:
        """Energy (J) that closed compliant contacts hold and may give back; known after a first step."""
        return float(np.maximum(self._state.compliance.stored, 0.0)[self.gaps() < 0.0].sum())

    @property
    def contact_impulses(self) -> np.ndarray:
        """Of each of `Dynamics.contact_names`, if it is compliant: what it did to its body a since the motion began,
        impulse (N s) and angular impulse about the world's origin (N m s), in world axes (contacts, 6)."""
        return self._state.compliance.impulse.reshape(-1, 6).copy()

    @property
    def contact_peaks(self) -> np.ndarray:
        """Of each of `Dynamics.contact_names`, if it is compliant: the largest force (N), friction included, in the
        middle of any step, divided ones too, since the motion began (contacts)."""
        return self._state.compliance.traded[:, 2].copy()

    @property
    def counts(self) -> dict[str, int]:
        """Steps, residual evaluations, factorisations and exact Newton solves so far, and how many steps more the
        division of steps with contacts made."""
        names = ("steps", "evaluations", "factorisations", "exact_newton", "divided")
        return {name: int(self._state.counts[name]) for name in names}

    @property
    def steps(self) -> int:
        """Taken so far: one of the `counts`."""
        return self._scratch.counts.item(_STEPS)

    # --- latches -------------------------------------------------------------------------------

    @_alone
    def engage(self, latch: str) -> float:
        """Hold a latch's frames as they are; returns the energy lost to the inelastic impulse (J).

        ValueError if they are outside the latch's capture envelope, or if it is engaged already.
        """
        k = self._latch(latch)
        if self._state.held.engaged[k]:
            raise ValueError(f"latch {latch!r} is engaged already")
        held, relative = self._state.input.latches.held, self._relative(self._state.q)
        p, R = relative.p[0, k], relative.R[0, k]
        self._refuse_out_of_reach(k, p, R)
        held.p[k], held.R[k], held.length[k] = p, R, math.sqrt(p.dot(p))
        self._settle()
        self._state.held.engaged[k] = True
        self._lock()
        self._state.held.resting[self._state.proximity.locked] = False
        lost = float(settle(*self._structs))
        self._state.account.lost_engaging[()] += lost
        self._restart()
        return lost

    def _relative(self, q: np.ndarray) -> Any:
        """`RELATIVE` of all latches at q, until that is asked again."""
        kernel, theta, found = self.dynamics.kernel("relative"), self.dynamics.theta, self._scratch.relative
        queries.apply_batch(kernel, theta, q[None], NO_INPUT, NO_INPUT, found.vector)
        return found

    @_alone
    def release(self, latch: str) -> None:
        """Let a latch go: nothing jumps. ValueError if it holds bodies in each other that would touch then."""
        k = self._latch(latch)
        if not self._state.held.engaged[k]:
            raise ValueError(f"latch {latch!r} is not engaged")
        if _any(self._state.proximity.locked):
            left = self._state.held.engaged.copy()
            left[k] = False
            self._refuse_penetration(self._state.q, left, self._state.proximity.locked)
        self._settle()
        self._state.held.engaged[k] = False
        self._lock()
        self._restart()

    def _settle(self) -> None:
        """Bring the momentum in line with what holds already. That loses nothing, but what stiction takes of it."""
        if self._is_held:
            self._state.account.work[2] -= float(settle(*self._structs)) * bool(self._plant.dry.size)

    def _lock(self) -> None:
        """Mark the rows of engaged latches; find the contacts between bodies that engaged welds make one."""
        state, held = self._state, self._state.held
        state.input.latches.on[:], springs, locked = self.dynamics.held_by(held.engaged)
        held.springs[:], held.sprung[()] = springs, _any(springs)
        state.proximity.locked[: len(locked)] = locked
        caught = state.points.caught[:-1]
        caught[:] = 0.0
        if _any(held.resting) and _any(held.engaged):
            caught[:] = np.minimum(0.0, self.dynamics.gap_values(state.q)[0]) * held.resting

    @property
    def locked(self) -> np.ndarray:
        """Of every contact: is it between bodies that engaged welds make one? Then it does not change."""
        return self._state.proximity.locked.copy()

    @property
    def engaged(self) -> list[str]:
        """Names of the engaged latches."""
        latches = self.dynamics.world.latches
        return [latch.name for latch, on in zip(latches, self._state.held.engaged.tolist(), strict=True) if on]

    @property
    def hold(self) -> Hold:
        """What latches hold now."""
        return Hold(self._state.held.engaged.copy(), self._state.input.latches.held.vector.copy())

    def loads(self, command: ArrayLike | None = None) -> Loads:
        """What joints, latches and contacts carry now under a command (nv). Of contacts at rest and of static friction
        it is what the last step tells: there must have been one."""
        q, v, names = self.q[None], self.v[None], self.dynamics.contact_names
        pressed, rubbed = np.zeros((1, len(names)), FOUND), np.zeros((1, len(self._plant.dry)))
        if self.dynamics.touches:
            press_now(*self._structs, pressed[0], rubbed[0])
        u, t, locked = batched("command", np.zeros(v.size) if command is None else command, v.size), self.t, self.locked
        found = all_contacts(self.dynamics, q, v, self.eased, pressed, locked[None])
        loads = loads_of(self.dynamics, q, v, u, np.array([t]), found, pressed, rubbed, self.hold)
        return loads.at(0)

    @property
    def eased(self) -> np.ndarray:
        """What part of their law's force compliant contacts have now where that is not all, `state.EASED` (-)."""
        if not (self._soft and self._state.compliance.touching):
            return NONE_EASED
        self._make_room(1)
        self._request.record.done["eased"] = 0
        eased_now(*self._structs, self._request, self.v)
        return self._told_eased(1)

    def _lines(self, rows: int) -> int:
        """Of what so many rows may tell of compliant contacts: no more push at once than there are rows of forces."""
        return rows * min(self._soft, 3 * ROOM)

    def _make_room(self, rows: int) -> None:
        if len(self._eased) < (most := min(self._lines(rows), MOST_EASED)):
            self._eased = np.empty(most, EASED)
            self._request.point("eased", self._eased)

    def _told_eased(self, rows: int) -> np.ndarray:
        """What was told of the first rows."""
        told = self._eased[: self._request.record.done["eased"]]
        if len(told) == len(self._eased) < self._lines(rows):
            raise RuntimeError(f"contacts that open tell more than {len(told)} lines; take fewer rows at a time")
        return told[told["row"] < rows]

    def violation(self) -> float:
        """Largest violation of the engaged latches' constraints (m or rad)."""
        return float(self.violations(self._state.q[None])[0])

    def violations(self, q: np.ndarray) -> np.ndarray:
        """The same at each row of q (n, nq), with the latches that are engaged now."""
        q, engaged = shaped("q", q, self._plant.nq), self._rigid()
        if not len(engaged) or not len(q):
            return np.zeros(len(q))
        rows, sizes = self._plant.latch_rows, self.dynamics.tree.sizes
        out = np.empty((len(q), CONSTRAINTS.size(sizes)))
        queries.apply_batch(
            int(self._plant.kernels["latches"]), self.dynamics.theta,
            q, NO_INPUT, self._state.input.latches.held.vector[None], out,
        )  # fmt: skip
        c = CONSTRAINTS.view(out, sizes).c
        held = [np.abs(c[:, rows[k] : rows[k + 1]]).max(axis=1) for k in engaged]
        return np.asarray(np.max(held, axis=0))

    def _rigid(self) -> np.ndarray:
        """Engaged latches that do not give way."""
        yields = [latch.compliance is not None for latch in self.dynamics.world.latches]
        return np.flatnonzero(self._state.held.engaged & ~np.array(yields, dtype=np.bool_))

    def _latch(self, name: str) -> int:
        for k, latch in enumerate(self.dynamics.world.latches):
            if latch.name == name:
                return k
        raise ValueError(f"no latch {name!r}{nearest(name, [latch.name for latch in self.dynamics.world.latches])}")

    def _refuse_out_of_reach(self, k: int, p: np.ndarray, R: np.ndarray) -> None:
        latch = self.dynamics.world.latches[k]
        apart, angle = misfit(
            latch.kind, p, R, _AHEAD if latch.length is None else np.array([latch.length, 0.0, 0.0]), None
        )
        if apart > latch.capture_distance or angle > latch.capture_angle:
            raise ValueError(
                f"latch {latch.name!r} cannot engage at t = {self.t:.6g} s: its frames are {apart:.3g} m and "
                f"{angle:.3g} rad off (capture envelope {latch.capture_distance:.3g} m, {latch.capture_angle:.3g} rad)"
            )
        if latch.kind == "distance" and math.hypot(*p) <= ROUNDING:
            raise ValueError(
                f"latch {latch.name!r} cannot engage at t = {self.t:.6g} s: its frames coincide, and a distance of "
                "zero has no direction to hold"
            )

    # --- steps ---------------------------------------------------------------------------------

    @_alone
    def run(
        self,
        steps: int,
        commands: ArrayLike | None = None,
        *,
        every: int = 1,
        since: int = 0,
        ledger: bool = False,
        stop_at: Iterable[str] = (),
        loads: bool = False,
        out: Trajectory | None = None,
        at: int = 0,
    ) -> Trajectory:
        """Take steps under `commands`: none, one row (nv) held throughout, or one row a step.

        A row is recorded after each `every` steps, of which `since` were taken before. `ledger` adds up
        gravity's impulses too. An impact of a contact named in `stop_at` ends the run at the impact, within its
        step: `t` is then the time of the impact, and `step_to` leads back to a full step. With `loads`, rows tell what
        contacts at rest and stiction do. A latch that breaks is released, and the run goes on. States are written into
        the rows of `out` from row `at` on, where it is given and no latch can break.
        """
        refuse_count(steps, every, since)
        u = self._no_command if commands is None else rows_of("commands", commands, self.dynamics.nv, steps)
        stops = frozenset(stop_at)
        if self._bears:
            status, rows = self._run_breaking(steps, u, Asked(every, since, ledger, stops, loads))
        else:
            status, _, rows = self._steps((steps, every, since), u, ledger, stops, loads, out, at)
        if status != DONE and status != STOPPED:  # noqa: PLR1714  # quicker
            self._fail(status, rows)
        return rows

    def _run_breaking(self, steps: int, u: np.ndarray, asked: Asked) -> tuple[int, Trajectory]:
        """Steps in which latches may break: each time, those since then are taken again."""
        parts: list[Trajectory] = []
        while True:
            before = self._remembered()
            status, done, part = self._steps((steps, asked.every, asked.since), u, *asked[2:])
            if status != BROKE:
                break
            self._recall(before)
            status, done, part = take_again(self, done, u, steps, asked)
            if status != DONE or done == steps:
                break
            parts.append(part)
            asked = asked._replace(since=(asked.since + done) % asked.every)
            steps, u = steps - done, u if len(u) == 1 else u[done:]
        return status, Trajectory.joined([*parts, part]) if parts else part

    def _remembered(self) -> np.ndarray:
        """All that changes in steps."""
        memory: np.ndarray = self._state._memory  # type: ignore[attr-defined]
        return memory.copy()

    def _recall(self, memory: np.ndarray) -> None:
        """Go back to what `_remembered` gave."""
        self._state._memory[:] = memory  # type: ignore[attr-defined]

    def warm(self) -> None:
        """Compile or load what takes the steps, and engages latches, before the first is taken."""
        self.run(0, ledger=True)
        if self.dynamics.world.latches or self.dynamics.touches:
            velocity_held(*self._structs, np.empty(self.dynamics.nv))
            restart_held.address(*self._structs)
        if self.dynamics.world.latches:
            momentum = self._momentum.copy()
            settle(*self._structs)
            self._momentum[:] = momentum  # to the last bit
            self.dynamics.kernel("relative")
            run_held.address(*self._structs, self._request)

    @_alone
    def step_to(
        self,
        t: float,
        command: ArrayLike | None = None,
        *,
        every: int = 1,
        since: int = 0,
        ledger: bool = False,
        stop_at: Iterable[str] = (),
        loads: bool = False,
        out: Trajectory | None = None,
        at: int = 0,
    ) -> Trajectory:
        """One step of the length that ends at time t (no longer than h), or before it as `run` does."""
        h = self.h
        if not 0 < t - self.t <= h * (1 + 1e-9):
            raise ValueError(f"t = {t:g} s is not within a step of {h:g} s after t = {self.t:g} s")
        self.h = t - self.t
        try:
            return self.run(
                1, command, every=every, since=since, ledger=ledger, stop_at=stop_at, loads=loads, out=out, at=at
            )
        finally:
            self.h = h
            self._restart()

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
        rows = (steps + since) // every
        states = self._new_rows(rows) if into is None else self._rows_of(into, at, rows)
        pressed, rubbed = self._ask(span, u, ledger, stop_at, loads)
        status = self._call(self._loop, self._request)
        out = self._left(span, states)
        if loads:
            rows, held = len(out.t), [self.hold] if len(out.t) else []
            out = replace(out, pressed=pressed[:rows], rubbed=rubbed[:rows], holds=held * rows)
        return status, int(self._request.record.done["steps"]), out

    def _left(self, span: tuple[int, int, int], states: Iterable[np.ndarray]) -> Trajectory:
        """What the steps of a request left, whose rows were to be in arrays t, q, v, account."""
        steps, every, since = span
        done, struck, eased = self._scratch.done()
        t, q, v, account = states
        if done < steps:
            rows = (done + since) // every
            t, q, v, account = t[:rows], q[:rows], v[:rows], account[:rows]
        impacts: Sequence[Impact] = ()
        if struck:
            impacts = Impacts(self._events[:struck].copy(), self.dynamics.contact_names)
            impacts = [*impacts] if struck < _FEW else impacts
        told = self._told_eased(len(t)) if eased else NONE_EASED
        return Trajectory.plain(t, q, v, account, impacts, told)

    def going(
        self,
        span: tuple[int, int, int],
        commands: np.ndarray,
        stop_at: Iterable[str],
        out: Trajectory | None,
        at: int,
    ) -> Going[Trajectory]:
        """As `run` of `span` (steps, every, since) with a ledger, but steps that are worth it are left to whoever takes
        those of several runs together (abreast.py)."""
        steps, every, since = span
        if steps < WORTH or type(self) is not Motion or not fits(self):
            return self.run(steps, commands, every=every, since=since, ledger=True, stop_at=stop_at, out=out, at=at)
        u, count = rows_of("commands", commands, self.dynamics.nv, steps), (steps + since) // every
        states = self._new_rows(count) if out is None else self._rows_of(out, at, count)
        self._ask(span, u, True, frozenset(stop_at), False)
        _ = self._loop  # compiles what it calls
        status = yield self
        rows = self._left(span, states)
        if status not in (DONE, STOPPED):
            self._fail(status, rows)
        return rows

    def _new_rows(self, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Room for so many rows, to which the request is pointed: t, q, v, account, in one piece of memory, which is
        quicker than four."""
        nq, nv, accounts = self._widths
        to_q, to_v = rows, rows * (1 + nq)
        to_account = to_v + rows * nv
        memory = np.empty(to_account + rows * accounts)
        begin = address_of(memory)
        self._request.write(
            "t", begin, rows, begin + 8 * to_q, rows, nq, begin + 8 * to_v, rows, nv,
            begin + 8 * to_account, rows, accounts,
        )  # fmt: skip
        return (
            memory[:to_q],
            memory[to_q:to_v].reshape(rows, nq),
            memory[to_v:to_account].reshape(rows, nv),
            memory[to_account:].reshape(rows, accounts),
        )

    def _rows_of(self, out: Trajectory, at: int, rows: int) -> Iterable[np.ndarray]:
        """The same within rows that there are already, from row `at` on."""
        if self._out[0] is not out:
            self._out = out, self._places_of(out)
        if not (self._out[1] and is_whole(at, 0, len(out.t) - rows)):
            raise ValueError(
                f"out: {rows} rows of float64 are needed from row {at!r:.40} on, C-contiguous, of widths {self._widths}"
            )
        if not rows:
            return self._scratch.no_rows
        end = at + rows
        (t, q, v, account), (nq, nv, accounts) = self._out[1], self._widths
        self._request.write(
            "t", t + 8 * at, rows, q + 8 * at * nq, rows, nq, v + 8 * at * nv, rows, nv,
            account + 8 * at * accounts, rows, accounts,
        )  # fmt: skip
        return out.t[at:end], out.q[at:end], out.v[at:end], out.account[at:end]

    def _places_of(self, out: Trajectory) -> tuple[int, ...]:
        """Addresses of the arrays of rows; none if rows cannot be written into them."""
        parts, rows = (out.t, out.q, out.v, out.account), len(out.t)
        fit = [part.shape for part in parts] == [(rows,), *((rows, width) for width in self._widths)]
        for part in parts:
            fit = fit and part.dtype == _FLOAT and part.flags.c_contiguous and part.flags.writeable
        return tuple(map(address_of, parts)) if fit else ()

    def _ask(
        self, span: tuple[int, int, int], u: np.ndarray, ledger: bool, stop_at: frozenset[str], loads: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Make the request for steps, but for where its rows go; returns what is told of loads."""
        plant, (steps, every, since) = self._plant, span
        rows = (steps + since) // every
        if ledger not in self._newtons:
            names = "newton", "newton_held"
            self._newtons[ledger] = tuple(self.dynamics.newton_kernel(name, ledger) for name in names)
        self._scratch.ask(self.h, self.t, 0, steps, every, since, ledger, self._breaks, *self._newtons[ledger])
        if stop_at or self._watches:
            self._watch(stop_at, steps)
        if self._soft:
            self._make_room(rows)
        told = rows if loads and self._watches else 0
        pressed = rubbed = NOTHING
        if told or self._told:
            pressed, rubbed = np.zeros((told, len(plant.contacts.laws)), FOUND), np.zeros((told, len(plant.dry)))
            self._request.point("pressed", pressed, rubbed)
        self._told = told
        if len(u) == 1:
            own = self._scratch.command
            own[:] = u
            u = own
        if u is not self._commands:
            self._request.point("commands", u)
            self._commands = u
        return pressed, rubbed

    def _watch(self, stop_at: frozenset[str], steps: int) -> None:
        """Give the loop the contacts that end a run, and room for impacts."""
        names = self.dynamics.contact_names
        if stop_at != self._stops:
            for name in stop_at - set(names):
                raise ValueError(f"stop_at: no contact {name!r}{nearest(name, names)}")
            self._request.record.stops[:] = [name in stop_at for name in names]
            self._stops = stop_at
        most = max(1000, 20 * steps) + 20 * min(len(names), ROOM)  # all gaps may meet at one instant
        if most != self._most:
            if len(self._events) < most:
                self._scratch.make_room(most)
            self._request.write("events", self._scratch.events_at, most)
            self._most = most

    @property
    def _loop(self) -> CompiledLoop:
        """What takes the steps; the loops that it calls are compiled before the first."""
        if not self._watches:
            return run_held if self._latched and _any(self._state.held.engaged) else run_free
        loops = self._state.loops
        if loops["run_free"] == 0:
            known = self.dynamics._loops  # those of worlds of one kind are the same
            if not known:
                structs = (*self._structs, self._request)
                known |= {"run_free": run_free.address(*structs), "run_touching": run_touching.address(*structs)}
                if self.dynamics.world.latches:
                    known["run_held"] = run_held.address(*structs)
                known |= {name: part.address(*self._structs) for name, part in _PARTS.items()}
            for name, address in known.items():
                loops[name] = address
        return run_contacts

    @property
    def goes_abreast(self) -> bool:
        """May its steps be taken beside those of other motions (lanes.py)?"""
        return self.order == 2 and self._loop is run_free

    def _pressing(self) -> str:
        """Names of the contacts that push, or would."""
        points, names = self._state.points, [*self.dynamics.contact_names, "friction of joints"]
        return ", ".join(sorted({names[k] for k in points.contact[: int(points.number)]}))

    def _which(self) -> str:
        """The contact that was looked at last."""
        names, which = self.dynamics.contact_names, int(self._state.compliance.which)
        return repr(names[which]) if which < len(names) else "contacts"

    def _off_balance(self) -> str:
        """What the guard found."""
        of, names = self._state.guard.of, ", ".join(self.engaged) or "none"
        missed, allowed = float(of["missed"]), float(of["allowed"])
        if of["what"] == PULL:
            return f"contacts {self._pressing()} would pull or rub by {missed:.3g} N s (at most {allowed:.3g})"
        if of["what"] == PUSH:
            return (
                f"what latches and contacts push makes momentum of {missed:.3g} N s (at most {allowed:.3g}); "
                f"engaged: {names}"
            )
        if of["what"] == GAIN:
            return (
                f"contact {self.dynamics.contact_names[of['which']]!r} gives back {missed:.3g} J more than it took "
                f"since it closed (at most {allowed:.3g} J)"
            )
        return (
            f"the energy of a step of {self.h:g} s does not add up: {missed:.3g} J are made or lost, and at most "
            f"{allowed:.3g} J can be its own error (engaged: {names})"
        )

    def _fastest(self) -> str:
        """The body of the joint that turns fastest, of those that steps must follow."""
        speeds = {int(v): abs(self._state.xi[v]) for v in self._plant.turning}
        speeds |= {int(v): float(np.linalg.norm(self._state.xi[v : v + 3])) for v in self._plant.spherical}
        fastest = max(speeds, key=lambda v: speeds[v], default=0)
        return next(body for body, own in self.dynamics.layout.v.items() if own.start <= fastest < own.stop)

    def _fail(self, status: int, kept: Trajectory) -> None:
        residual = float(np.abs(self._state.input.newton.residual).max())
        stiffness, held = float(self._state.clock["stiffness"]), ", ".join(self.engaged) or "none"
        reason = {
            NOT_CONVERGED: f"the step of {self.h:g} s did not converge (residual {residual:.3g} in momentum; "
            f"engaged: {held})",
            CONTACTS_FULL: f"contacts touch at more than {ROOM} points at once, which is the most: no room for "
            f"{self._which()}",
            NO_SOLUTION: f"contacts {self._pressing()} have no solution together under Coulomb's law",
            ENERGY_MADE: f"contacts {self._pressing()} would make energy",
            OFF_BALANCE: self._off_balance(),
            STUCK: f"contacts {self._pressing()} cannot all be satisfied at once (engaged: {held})",
            TUNNELLING: f"shapes of {self._which()} move so far in a step of {self.h:g} s that they could overlap "
            "unseen by more than a hundredth of the thinner one, or pass a compliant contact",
            TOO_DEEP: f"compliant contact {self._which()} goes so deep for its shapes that it would soon push them "
            "out on the other side; a stiffer law, thicker shapes or a smaller step would do",
            EVENTS_FULL: "there are more impacts than can be resolved",
            TOO_STIFF: "a compliant contact or latch is stiffer than the step resolves; a step of "
            f"{0.9 * self.h * RESOLVED / max(stiffness, RESOLVED):.2g} s would do",
            TURN_TOO_LARGE: f"{self._fastest()!r} turns more than 2 rad within the step of {self.h:g} s",
        }.get(status, "the motion became infinite or not a number")
        advice = "" if status in (TOO_STIFF, TOO_DEEP, CONTACTS_FULL) else "; try a smaller step"
        if status in (NOT_CONVERGED, NOT_FINITE, OFF_BALANCE):
            trouble = latch_trouble(self, self.h, self._state.input.command)
            reason, advice = (trouble, "") if trouble else (reason, advice)
        if self._undo is not None:
            self._recall(self._undo)
            self._undo = None
        self._restart()  # of the step that failed nothing is kept
        raise StepFailed(f"at t = {self.t:.6g} s {reason}{advice}", self.t, residual, kept)


def refuse_count(steps: Any, every: Any, since: Any) -> None:
    """ValueError if so many steps cannot be taken, or rows not be recorded so often."""
    plain = type(steps) is type(every) is type(since) is int
    if plain and 0 <= steps <= MOST_STEPS and 0 <= since < every <= MOST_STEPS:
        return
    if not (is_whole(steps, 0, MOST_STEPS) and is_whole(every, 1) and is_whole(since, 0, every - 1)):
        raise ValueError(
            f"steps must be a whole number from 0 to {MOST_STEPS}, every a positive one, and since one from 0 to "
            f"less than every; they are {steps!r:.40}, {every!r:.40}, {since!r:.40}"
        )


def is_whole(value: Any, least: int, most: int = 2**62) -> bool:
    """Is it a whole number in that range?"""
    return (type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))) and (
        least <= int(value) <= most
    )


def _any(truths: np.ndarray) -> bool:
    """As `truths.any()`, in a tenth of the time."""
    return b"\1" in truths.tobytes()


_FRACTIONS = {order: np.array(parts) for order, parts in COMPOSITIONS.items()}
_AHEAD = np.zeros(3)
_TIME, _STEPS = list(CLOCK.names or ()).index("time"), list(COUNTS.names or ()).index("steps")
_FEW = 10
"""Impacts that are made at once: somebody will ask for them."""
_FLOAT = np.dtype(np.float64)
