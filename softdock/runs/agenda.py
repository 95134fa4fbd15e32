"""What is to be done in a run: at times, at touches, and when a condition is seen."""

import heapq
import itertools
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from softdock.dynamics.arrays import is_number
from softdock.world import World
from softdock.world.describe import nearest

if TYPE_CHECKING:
    from softdock.runs.simulation import Simulation

Act = Callable[["Simulation"], object]
Condition = Callable[["Simulation"], bool]
Function = TypeVar("Function")
MOST_AT_ONCE = 1000
"""So many actions may schedule others for the instant that they happen at."""


class Touch(NamedTuple):
    """The instant at which a contact closes with an impact."""

    contact: str


def touch(contact: str) -> Touch:
    """The condition, for `Simulation.when`, that a contact closes with an impact: at that instant, within its step."""
    return Touch(contact)


class LatchAction(NamedTuple):
    """Engages or releases a latch."""

    method: Literal["engage", "release"]
    latch: str

    def __call__(self, simulation: "Simulation") -> None:
        getattr(simulation, self.method)(self.latch)

    def __repr__(self) -> str:
        return f"{self.method}({self.latch!r})"


def engage(latch: str) -> LatchAction:
    """The action that engages a latch; it fails, and with it the run, outside the latch's capture envelope."""
    return LatchAction("engage", latch)


def release(latch: str) -> LatchAction:
    """The action that releases a latch."""
    return LatchAction("release", latch)


class _Watch(NamedTuple):
    condition: Condition
    period: int
    act: Act


class Agenda:
    """Actions that wait; each happens once."""

    def __init__(self, tolerance: float) -> None:
        """Two times (s) no further apart than `tolerance` are one."""
        self.tolerance = tolerance
        self._timed: list[tuple[float, int, Act]] = []
        self._tickets = itertools.count()
        self._touches: list[tuple[str, Act]] = []
        self._watches: list[_Watch] = []

    def __len__(self) -> int:
        """Actions that are still to be done."""
        return len(self._timed) + len(self._touches) + len(self._watches)

    def at(self, time: float, act: Act) -> None:
        """Add an action at a time (s)."""
        if not (is_number(time) and time >= 0):
            raise ValueError(f"the time of an action must be a number of seconds, not {time}")
        heapq.heappush(self._timed, (float(time), next(self._tickets), _checked("an action", act)))

    def at_touch(self, contact: str, act: Act, world: World, contacts: Iterable[str]) -> None:
        """Add an action at the next impact of a contact, or of a joint's stop."""
        if contact not in contacts:
            raise ValueError(f"touch: no contact {contact!r}{nearest(contact, contacts)}")
        if any(one.name == contact and one.law.compliance for one in world.touching.pairs):
            raise ValueError(f"touch: contact {contact!r} is compliant, and closes without an impact")
        self._touches.append((contact, _checked("an action", act)))

    def at_sight(self, condition: Condition, period: int, act: Act) -> None:
        """Add an action for when a condition, looked at every `period` steps, holds."""
        self._watches.append(_Watch(_checked("a condition", condition), period, _checked("an action", act)))

    @property
    def next_time(self) -> float:
        """Of the next action at a time; infinite if there is none."""
        return self._timed[0][0] if self._timed else math.inf

    @property
    def contacts(self) -> set[str]:
        """Those whose touch is awaited."""
        return {contact for contact, _ in self._touches}

    @property
    def periods(self) -> list[int]:
        """At which conditions are looked at, in steps."""
        return [watch.period for watch in self._watches]

    def do_due(self, simulation: "Simulation") -> None:
        """Do what is due by now, in order of time."""
        before, since = next(self._tickets), 0
        while self._timed and self._timed[0][0] <= simulation.t + self.tolerance:
            _, ticket, act = heapq.heappop(self._timed)
            since += ticket > before
            if since > MOST_AT_ONCE:
                raise ValueError(
                    f"at t = {simulation.t:.6g} s actions schedule others for the same instant without end"
                )
            act(simulation)

    def do_touched(self, contacts: set[str], simulation: "Simulation") -> None:
        """Do what waited for the touch of contacts."""
        due = [act for contact, act in self._touches if contact in contacts]
        self._touches = [(contact, act) for contact, act in self._touches if contact not in contacts]
        for act in due:
            act(simulation)

    def do_seen(self, simulation: "Simulation") -> None:
        """Look at the conditions whose period is due, and do what waited for those that hold."""
        for watch in [watch for watch in self._watches if simulation.steps % watch.period == 0]:
            if watch.condition(simulation):
                self._watches.remove(watch)
                watch.act(simulation)


def _checked(what: str, function: Function) -> Function:
    if not callable(function):
        raise ValueError(f"{what} must be a function of the simulation, not {function!r:.80}")
    return function
