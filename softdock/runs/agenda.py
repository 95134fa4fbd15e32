"""What is to be done in a run: at times, at touches, and when a condition is seen."""

import heapq
import itertools
import math
from collections.abc import Callable, Iterable
from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple

from softdock.world import World
from softdock.world.describe import nearest

if TYPE_CHECKING:
    from softdock.runs.simulation import Simulation

Act = Callable[["Simulation"], object]
Condition = Callable[["Simulation"], bool]


class Touch(NamedTuple):
    """The instant at which a contact closes with an impact."""

    contact: str


def touch(contact: str) -> Touch:
    """The condition, for `Simulation.when`, that a contact closes with an impact: at that instant, within its step."""
    return Touch(contact)


def engage(latch: str) -> Act:
    """The action that engages a latch; it fails, and with it the run, if that is out of reach."""
    return methodcaller("engage", latch)


def release(latch: str) -> Act:
    """The action that releases a latch."""
    return methodcaller("release", latch)


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
        if not (math.isfinite(time) and time >= 0):
            raise ValueError(f"the time of an action must be a number of seconds, not {time}")
        heapq.heappush(self._timed, (time, next(self._tickets), act))

    def at_touch(self, contact: str, act: Act, world: World, contacts: Iterable[str]) -> None:
        """Add an action at the next impact of a contact, or of a joint's stop."""
        if contact not in contacts:
            raise ValueError(f"touch: no contact {contact!r}{nearest(contact, contacts)}")
        if any(one.name == contact and one.compliance for one in world.contacts):
            raise ValueError(f"touch: contact {contact!r} is compliant, and closes without an impact")
        self._touches.append((contact, act))

    def at_sight(self, condition: Condition, period: int, act: Act) -> None:
        """Add an action for when a condition, looked at every `period` steps, holds."""
        self._watches.append(_Watch(condition, period, act))

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
        while self._timed and self._timed[0][0] <= simulation.t + self.tolerance:
            heapq.heappop(self._timed)[2](simulation)

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
