"""The controller that runs a mission: sensors, parts and phases, at one period."""

import math
from collections.abc import Callable, Collection, Generator, Mapping
from functools import partial
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.craft import Craft, Crafts, OwnState, refuse_shared_actuators
from softdock.mission.part import Mechanism, Part, PartError, Sensor, Truth
from softdock.mission.phase import Aborted, Astray, Collided, Done, Ended, Failure, Instant, Phase, Success, TimedOut
from softdock.mission.pilot import Pilot
from softdock.mission.policy import Decide, Policy
from softdock.mission.tank import Tank
from softdock.runs.agenda import Touch
from softdock.runs.ledger import Columns
from softdock.runs.rows import whole_steps
from softdock.runs.simulation import Simulation
from softdock.world.describe import nearest

MOST_AT_ONCE = 1000
"""So many phases may end at one instant."""
NEVER = 10**9
"""Steps, more than a run has."""
SAME = 1e-6
"""A time less than this fraction of a step from a period is of that period."""
Phases = Generator[Phase, Any, Ended | None]


class PhaseRecord(NamedTuple):
    """A phase that was: its name, when it began and ended (s), and what came of it."""

    name: str
    start: float
    end: float
    result: str


class Observer:
    """Sees truth and belief at every period, after phases were asked: for records and metrics, which no part reads."""

    def observe(self, truth: Truth) -> None:
        raise NotImplementedError


class Conductor:
    """A controller of the simulation: hands readings to parts, asks the phase, and gives the crafts' commands.

    `period` (s) is the mission's; `begin` makes the coroutine, with the parts by name. If it is said which contacts are
    `meant`, the first impact of any other raises `Collided` in the phase. Phases may also wait for instants between two
    periods; with a period of infinity they are asked at nothing else.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        parts: Mapping[str, Part],
        begin: Callable[..., Phases],
        *,
        period: float,
        h: float,
        seed: int = 0,
        meant: Collection[str] | None = None,
    ) -> None:
        self.dynamics, self.parts, self.h = dynamics, dict(parts), h
        self._only_instants = math.isinf(period)
        self.period = period = NEVER * h if self._only_instants else period
        for name, part in self.parts.items():
            if not isinstance(part, Part):
                raise PartError(f"parts: {name!r} is {part!r:.60}, which is no Part")
            if not isinstance(name, str):
                raise PartError(f"parts: a part's name must be text, not {name!r:.40}")
            if part.name:
                raise PartError(f"parts: {name!r} was {part.name!r} before: make parts anew for each run, each once")
            part.name = name
        self._straying = [part for part in self.parts.values() if type(part).astray is not Part.astray]
        refuse_unknown_contacts(meant, dynamics)
        still = {joint: at for part in self.parts.values() for joint, at in part.still(dynamics.world).items()}
        crafts = Crafts(dynamics.world, still)
        for part in self.parts.values():
            part.fit(crafts)
        refuse_shared_actuators(self.parts)
        self.crafts: list[Craft] = list(crafts)
        measures = [part for part in self.parts.values() if type(part).sensors is not Part.sensors]
        if self._only_instants and (self.crafts or measures):
            raise PartError("the mission's period: parts that measure need one that is finite")
        self._own = {
            craft.root: OwnState(craft, dynamics, period, np.random.SeedSequence(seed, spawn_key=(len(self.parts), k)))
            for k, craft in enumerate(self.crafts)
        }
        self._tanks = {craft.root: Tank(craft.root, craft.pilot.tank) for craft in self.crafts if craft.pilot}
        for craft in self.crafts:
            craft.drive(period)
        self._sensors: list[tuple[Part, Sensor, int]] = [
            (part, sensor, whole_steps(_every(sensor, period), period, f"{name}: the period of its sensor", least=1))
            for k, (name, part) in enumerate(self.parts.items())
            if part in measures
            for sensor in part.sensors(dynamics, np.random.SeedSequence(seed, spawn_key=(k,)))
        ]
        whole_steps(period, h, "the mission's period", least=1)
        self._mechanisms: dict[str, Mechanism] = {
            name: mechanism for name, part in self.parts.items() if (mechanism := part.mechanism(dynamics))
        }
        self.pupil: Decide | None = None
        """Who decides in the place of every policy: an environment."""
        self.observers: list[Observer] = []
        self.phases: list[PhaseRecord] = []
        self.ended: Ended | None = None
        self._begin = begin
        self._coroutine: Phases | None = None
        self._phase: Phase | None = None
        self._since, self._is_awaited = 0.0, False
        self._of: Callable[[], Simulation | None] = lambda: None
        self._held: dict[str, np.ndarray] = {}
        self._waits_for = ""
        self._meant, self._heard, self._touched = meant, 0, set[str]()
        self._isolated = set[str]()

    def bind(self, simulation: Simulation) -> None:
        """The simulation in which mechanisms act and events are noted. Parts never get it."""
        self._of = ref(simulation)  # which has this one among its controllers

    @property
    def _simulation(self) -> Simulation:
        simulation = self._of()
        assert simulation is not None
        return simulation

    @property
    def phase(self) -> str:
        """The name of the present one; empty before the first and after the last."""
        return self._phase.name if self._phase else ""

    @property
    def deciding(self) -> Policy | None:
        """The present phase, if a policy decides in it."""
        return self._phase if isinstance(self._phase, Policy) else None

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        truth = Truth(t, q, v, self.dynamics, self._simulation.motion.contact_impulses)
        tick = round(t / self.period)
        if not self._is_period(t):
            return self._between(truth)
        self._sense(truth, tick)
        for part in self.parts.values():
            part.update(t)
        if self._coroutine is None and self.ended is None:
            self._start(t)
        self._advance(t)
        truth = self._act(truth)
        for observer in self.observers:
            observer.observe(truth)
        return self._command(t)

    def _is_period(self, t: float) -> bool:
        off = abs(t - round(t / self.period) * self.period)
        return off <= SAME * self.h or self._coroutine is None

    def _between(self, truth: Truth) -> np.ndarray:
        """At an instant between two periods: nothing is measured but the crafts' own state; phases are asked."""
        self._measure(truth)
        self._advance(truth.t)
        self._act(truth)
        return self._command(truth.t)

    def _command(self, t: float) -> np.ndarray:
        command = np.zeros(self.dynamics.nv)
        for craft in self.crafts:
            if not craft.pilot or self._is_period(t):  # thrusters are fired once a period
                own = self._held[craft.root] = craft.command(t)
                if times := craft.fired(own, self.period):
                    self._simulation.fire(times, self.period)
                if craft.pilot:
                    self._isolate(craft.pilot)
                    tank = self._tanks[craft.root]
                    craft.pilot.used = tank.drawn(self._simulation)
                    if craft.pilot.is_shut:
                        tank.shut(self._simulation, "valve shut")
            self._own[craft.root].spread(self._held[craft.root], command)
        return command

    def _isolate(self, pilot: Pilot) -> None:
        """Close valves before thrusters that were found to fail since the last period."""
        simulation = self._simulation
        assert simulation.thrusters
        for name in pilot.isolated.keys() - self._isolated:
            self._isolated.add(name)
            simulation.thrusters.isolate(simulation.t, name)
            simulation.note("thruster isolated", thruster=name, how=pilot.isolated[name])

    def _sense(self, truth: Truth, tick: int) -> None:
        self._read(truth, tick, first=True)
        self._measure(truth)
        if self.ended is None:  # nobody looks any more, and a target that is lost takes long to look for
            self._read(truth, tick, first=False)

    def _measure(self, truth: Truth) -> None:
        for craft in self.crafts:
            craft.measured(truth.t, *self._own[craft.root].measure(truth))

    def _read(self, truth: Truth, tick: int, first: bool) -> None:
        for part, sensor, every in self._sensors:
            if part.comes_first == first and tick % every == 0 and (reading := sensor.measure(truth)) is not None:
                part.take(truth.t, reading)

    def _act(self, truth: Truth) -> Truth:
        """Let mechanisms do what was asked for; the phase hears of it at once."""
        simulation, acted = self._simulation, False
        while asked := next((name for name in self._mechanisms if self.parts[name].request is not None), None):
            part = self.parts[asked]
            request, part.request = part.request, None
            truth = truth._replace(q=simulation.q, v=simulation.v) if acted else truth
            answer, acted = self._mechanisms[asked].act(simulation, truth, request), True
            if self.crafts:
                truth, acted = truth._replace(q=simulation.q, v=simulation.v), False
                self._measure(truth)
            part.take(truth.t, answer)
            self._advance(truth.t)
        return truth._replace(q=simulation.q, v=simulation.v) if acted and self.observers else truth

    # --- the coroutine -----------------------------------------------------------------------------

    def _start(self, t: float) -> None:
        self._coroutine = self._begin(**self.parts)
        if not isinstance(self._coroutine, Generator):
            raise PartError("phases() must yield phases: it has no yield in it")
        self._go_on(t, self._coroutine.__next__)

    def _advance(self, t: float) -> None:
        """Ask the phase; as long as phases end, go on to the next."""
        for _ in range(MOST_AT_ONCE):
            if self._phase is None:
                return
            step = self._asked(self._phase, t)
            if step is None:
                self._await(self._phase)
                return
            self._go_on(t, step)
        raise PartError(f"at t = {t:.6g} s phases follow each other without end (the last: {self.phase!r})")

    def _asked(self, phase: Phase, t: float) -> Callable[[], Any] | None:
        """How to go on, if the phase has ended or failed."""
        assert self._coroutine
        coroutine = self._coroutine
        try:
            self._refuse_collision()
            for part in self._straying:
                if reason := part.astray(t):
                    raise Astray(f"{part.name}: {reason}")
            for guard in phase.guards:
                guard(t)
            done = phase.update(t)
            self._tell_waiting(phase)
            if done is None and t - self._since >= phase.limit - 1e-9:
                raise TimedOut(f"phase {phase.name!r} did not end within {phase.limit:g} s")
        except Failure as failure:
            self._close(t, _told(failure))
            return partial(coroutine.throw, failure)
        if done is None:
            return None
        if not isinstance(done, Done):
            raise PartError(f"phase {phase.name!r}: update must return Done(result) or None, not {done!r:.60}")
        self._close(t, "done")
        return partial(coroutine.send, done.result)

    def _tell_waiting(self, phase: Phase) -> None:
        if phase.waits_for != self._waits_for:
            self._waits_for = phase.waits_for
            self._note("waits", name=phase.name, what=phase.waits_for)

    def _refuse_collision(self) -> None:
        """`Collided` if bodies have touched, since the last call, that were not meant to and had not touched before."""
        if self._meant is None:
            return
        events, self._heard = self._simulation.events[self._heard :], len(self._simulation.events)
        hits = [event for event in events if event["kind"] == "impact"]
        new = [hit for hit in hits if hit["contact"] not in self._touched and hit["contact"] not in self._meant]
        self._touched.update(hit["contact"] for hit in new)
        if new:
            first = new[0]
            raise Collided(f"{first['contact']} touched at {first['time']:.2f} s with {first['impulse']:.2g} N s")

    def _go_on(self, t: float, step: Callable[[], Any]) -> None:
        """The coroutine's next phase, begun; or how it ended."""
        assert self._coroutine
        for _ in range(MOST_AT_ONCE):
            try:
                phase = step()
            except StopIteration as stop:
                self._end(t, stop.value)
                return
            except Failure as failure:
                self._end(t, Aborted(failure))
                return
            if not isinstance(phase, Phase):
                raise PartError(f"phases() yielded {phase!r:.60}, which is no phase")
            if not hasattr(phase, "guards"):
                raise PartError(f"phase {type(phase).__name__}: its __init__ must call super().__init__()")
            if self.pupil and isinstance(phase, Policy):
                phase.policy = self.pupil
            self._phase, self._since, self._waits_for, self._is_awaited = phase, t, phase.waits_for, False
            self._note("phase", name=phase.name)
            try:
                phase.begin(t)
                return
            except Failure as failure:
                self._close(t, _told(failure))
                step = partial(self._coroutine.throw, failure)
        raise PartError(f"{MOST_AT_ONCE} phases in a row failed as they began, at t = {t:g} s")

    def _await(self, phase: Phase) -> None:
        """Be called too at the instants that a phase waits for."""
        if self._is_awaited:
            return
        self._is_awaited = True
        limit = [self._since + phase.limit] if math.isfinite(phase.limit) else []
        for instant in (*phase.instants(), *limit):
            if isinstance(instant, Touch):
                self._simulation.when(instant, partial(self._wake, phase, instant))
            elif self._only_instants:
                self._simulation.at(instant, partial(self._wake, phase, instant))

    def _wake(self, phase: Phase, instant: Instant, simulation: Simulation) -> None:
        if self._phase is phase:
            phase.woken(instant)
            simulation.ask(self)

    def _close(self, t: float, result: str) -> None:
        assert self._phase
        self.phases.append(PhaseRecord(self._phase.name, self._since, t, result))
        if result != "done":
            self._note("phase failed", name=self._phase.name, reason=result)
        self._phase = None

    def _end(self, t: float, value: Any) -> None:
        if value is not None and not isinstance(value, Ended):
            raise PartError(f"phases() must return Success(), Aborted(why) or nothing, not {value!r:.60}")
        if value is not None and not (isinstance(value.outcome, str) and value.outcome):
            raise PartError(f"phases() returned an end whose outcome is {value.outcome!r:.40}: it must be a word")
        self.ended = value or Success()
        self._note("mission ended", outcome=self.ended.outcome, reason=self.ended.reason)

    def _note(self, kind: str, **what: Any) -> None:
        self._simulation.note(kind, **what)

    # --- what is left of it ------------------------------------------------------------------------

    def outcome(self) -> Ended:
        """How it ended; "unfinished" if it had not."""
        if self.ended:
            return self.ended
        if not self._phase:
            return Ended("unfinished")
        waits = f": it waited for {self._waits_for}" if self._waits_for else ""
        return Ended("unfinished", f"phase {self.phase!r} had not ended{waits}")

    def records(self, now: float) -> list[PhaseRecord]:
        """All phases, with the present one."""
        present = [PhaseRecord(self._phase.name, self._since, now, "going on")] if self._phase else []
        return self.phases + present

    def tables(self, now: float) -> dict[str, Columns]:
        """Of the phases and of the parts."""
        found: dict[str, Columns] = {}
        if records := self.records(now):
            names, starts, ends, results = zip(*records, strict=True)
            found["phases"] = {
                "t": (np.array(starts), "s"), "end": (np.array(ends), "s"), "name": (np.array(names), "-"),
                "result": (np.array(results), "-"),
            }  # fmt: skip
        for part in self.parts.values():
            found |= part.tables()
        return found


def refuse_unknown_contacts(meant: Collection[str] | None, dynamics: Dynamics) -> None:
    """PartError if a contact that is meant is none of the world."""
    if isinstance(meant, str):
        raise PartError(f"meant() must return names of contacts, not the text {meant!r:.40}")
    known = {*dynamics.contact_names, *(contact.name for contact in dynamics.world.contacts)} if meant else set()
    for name in meant or ():
        if name not in known:
            raise PartError(f"meant(): the world has no contact {name!r}{nearest(name, known)}")


def _told(failure: Failure) -> str:
    return f"{type(failure).__name__}: {failure}" if str(failure) else type(failure).__name__


def _every(sensor: Sensor, period: float) -> float:
    return period if sensor.period is None else sensor.period
