"""Phases of a mission, how they fail, and how a mission ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from softdock.mission.arm import Arm, From
from softdock.mission.part import refuse_negative
from softdock.planning import Infeasible, minimum_acceleration
from softdock.runs import agenda
from softdock.world import Pose

LIMIT = 600.0
"""Seconds that a phase may take if nothing else is said."""


class Failure(Exception):
    """What a phase or a guard raises inside the coroutine; one that is not caught there ends the mission as aborted."""


class TimedOut(Failure):
    """A phase did not end within its limit."""


class Unsure(Failure):
    """What is believed is not sure enough to go on."""


class Unreachable(Failure):
    """The arm cannot do what is asked."""


class Astray(Failure):
    """A part does not follow what it was told, such as an arm whose base turns away."""


class Collided(Failure):
    """Bodies touched that were not meant to."""


class Missed(Failure):
    """The gripper closed, and holds nothing."""


@dataclass(frozen=True)
class Done:
    """A phase has ended; its `yield` returns the `result`."""

    result: Any = None
    """Of any kind (-)."""


@dataclass(frozen=True)
class Ended:
    """How a mission ended: what `phases` returns. Nothing returned is a `Success`."""

    outcome: str
    reason: str = ""


class Success(Ended):
    """It did what it was to do."""

    def __init__(self, outcome: str = "success") -> None:
        super().__init__(outcome)


class Aborted(Ended):
    """It gave up, and says why."""

    def __init__(self, why: object = "", outcome: str = "aborted") -> None:
        text = str(why) or (type(why).__name__ if isinstance(why, BaseException) else "")
        super().__init__(outcome, text)


Guard = Callable[[float], object]
"""Called with the time (s) at every period; raises a `Failure` if the phase must not go on."""


Condition = Callable[[float], object]
"""Called with the time (s) at every period; true when what is waited for is there."""


Instant = float | agenda.Touch
"""A time (s), or the next impact of a contact."""


class Phase:
    """What the loop does until it is `Done` or fails. Derive from it: `begin` is called once, `update` at every period
    after that and at once; either may raise a `Failure`.

    `limit` (s) is the longest that it may take; `guards` (-) are asked at every period; `name` is what is recorded.
    """

    kind: ClassVar[str] = "phase"
    waits_for = ""
    """What it says that it waits for; an event tells of every change."""

    def __init__(self, *, name: str = "", limit: float = LIMIT, guards: Sequence[Guard] = ()) -> None:
        if not (limit > 0):
            raise ValueError(f"phase {name or self.kind!r}: its limit must be a positive number of seconds")
        self.name, self.limit, self.guards = str(name or self.kind), limit, tuple(guards)

    def begin(self, t: float) -> None:
        """What it does first."""

    def update(self, t: float) -> Done | None:
        """Is it done?"""
        raise NotImplementedError(f"{type(self).__name__} must say when it is done: update(t)")

    def instants(self) -> Sequence[Instant]:
        """After `begin`: touches at which it is asked too, and in a mission without a period the times (s)."""
        return ()

    def woken(self, instant: Instant) -> None:
        """One of its instants has come; it is asked next."""


class Wait(Phase):
    """Until so many `seconds` (s) are over, or until `until(t)` is true. `other` (-) is what every `Phase` takes."""

    kind = "wait"

    def __init__(
        self, seconds: float = np.inf, *, until: Callable[[float], object] | None = None, **other: Any
    ) -> None:
        super().__init__(**other)
        if not seconds >= 0:
            raise ValueError(f"phase {self.name!r}: its seconds must be 0 or more, not {seconds}")
        if not (seconds < np.inf or until):
            raise ValueError(f"phase {self.name!r} waits for nothing: say seconds, or until")
        self._seconds, self._until, self._end = seconds, until, np.inf

    def begin(self, t: float) -> None:
        self._end = t + self._seconds

    def update(self, t: float) -> Done | None:
        return Done() if t >= self._end - 1e-9 or (self._until and self._until(t)) else None

    def instants(self) -> Sequence[Instant]:
        return (self._end,) if self._end < np.inf else ()


class Touch(Phase):
    """Until the located `contact` (or a joint's stop) closes with an impact: it ends at that instant, within the step.
    `other` (-) is what every `Phase` takes."""

    kind = "touch"

    def __init__(self, contact: str, **other: Any) -> None:
        super().__init__(**other)
        self.contact, self._touched = contact, False

    def begin(self, t: float) -> None:
        self._touched = False

    def instants(self) -> Sequence[Instant]:
        return (agenda.touch(self.contact),)

    def woken(self, instant: Instant) -> None:
        self._touched = True

    def update(self, t: float) -> Done | None:
        return Done() if self._touched else None


class Move(Phase):
    """An arm to joint values `to` (rad or m) in `seconds` (s), by the least accelerations within its limits; it leaves
    `after` (s) a while. `other` (-) is what every `Phase` takes."""

    kind = "move"

    def __init__(self, arm: Arm, to: Sequence[float], seconds: float, *, after: float = 0.0, **other: Any) -> None:
        super().__init__(**other)
        refuse_negative(after=after)
        self.arm, self.to, self.seconds, self.after = arm, np.asarray(to, float), seconds, after

    def begin(self, t: float) -> None:
        self.arm.motion = From(self.planned(t), t + self.after)

    def planned(self, t: float) -> Any:
        """The plan; `Unreachable` if there is none within limits and rates."""
        arm, here = self.arm, self.arm.wanted_at(t)
        if self.to.shape != arm.lower.shape:
            raise Unreachable(f"{arm.name} has {len(arm.joints)} joints; {self.name!r} gives {self.to.size} values")
        try:
            return minimum_acceleration(
                here.q, self.to, self.seconds, start_rate=here.qd, position=(arm.lower, arm.upper), rate=arm.rates,
                names=arm.joints,
            )  # fmt: skip
        except Infeasible as error:
            raise Unreachable(str(error)) from None

    def update(self, t: float) -> Done | None:
        assert isinstance(self.arm.motion, From)
        return Done() if t >= self.arm.motion.end - 1e-9 else None


class Reach(Move):
    """An arm's tip in `seconds` (s) to the pose in A that `goal` gives for the time when it arrives. `other` (-) is
    what every `Move` takes."""

    kind = "reach"

    def __init__(self, arm: Arm, goal: Callable[[float], Pose], seconds: float, **other: Any) -> None:
        super().__init__(arm, (), seconds, **other)
        self.goal = goal

    def begin(self, t: float) -> None:
        goal = self.goal(t + self.after + self.seconds)
        there = self.arm.reacher.at(goal.rotation, np.asarray(goal.position), self.arm.q, restarts=4)
        if there is None:
            place = ", ".join(f"{x:.3g}" for x in goal.position)
            raise Unreachable(f"{self.arm.name} cannot bring {self.arm.tip!r} to ({place}) m within its joints' limits")
        self.to = there
        super().begin(t)
