"""The part `Lock`: a latch that the mission engages and releases."""

from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.craft import Crafts
from softdock.mission.part import Mechanism, Part, PartError, Truth
from softdock.mission.phase import Done, Failure, Phase
from softdock.runs.simulation import Simulation
from softdock.world.describe import nearest


class NotLatched(Failure):
    """A latch could not be engaged: what it is to hold is not in its place."""


class Lock(Part):
    """The `latch` of a world, by name. It senses whether its capture envelope holds both frames."""

    def __init__(self, latch: str) -> None:
        self.latch = latch
        self.engaged: bool | None = None
        self.answer = ""

    def fit(self, crafts: Crafts) -> None:
        latches = {latch.name: latch for latch in crafts.world.latches}
        if self.latch not in latches:
            raise PartError(f"{self.name}: no latch {self.latch!r}{nearest(self.latch, latches)}")
        self.engaged = latches[self.latch].engaged or None

    def mechanism(self, dynamics: Dynamics) -> Mechanism:
        return Bolt(self.latch)

    def take(self, t: float, reading: Any) -> None:
        self.engaged, self.answer = reading


class Bolt:
    """The world's side of a lock."""

    def __init__(self, latch: str) -> None:
        self._latch = latch

    def act(self, simulation: Simulation, truth: Truth, request: str) -> tuple[bool, str]:
        """Engage or release; is it engaged, and if not, why?"""
        if request == "release":
            simulation.release(self._latch)
            return False, ""
        try:
            simulation.engage(self._latch)
        except ValueError as error:
            return False, str(error)
        return True, ""


class Latch(Phase):
    """A lock engaged, tried at every period for the `patience` (s), or once; `NotLatched` if it does not engage.
    `other` (-) is what every `Phase` takes."""

    kind = "latch"

    def __init__(self, lock: Lock, *, patience: float = 10.0, **other: Any) -> None:
        super().__init__(**other)
        self.lock, self._patience, self._end = lock, patience, np.inf

    def begin(self, t: float) -> None:
        self._end, self._asked = t + self._patience, t
        self.lock.engaged, self.lock.request = None, "engage"

    def update(self, t: float) -> Done | None:
        if self.lock.engaged:
            return Done()
        if self.lock.engaged is None:
            return None
        if t >= self._end:
            raise NotLatched(f"latch {self.lock.latch!r} does not engage: {self.lock.answer}")
        if t == self._asked:  # once at an instant
            return None
        self._asked, self.lock.engaged, self.lock.request = t, None, "engage"
        return None


class Release(Phase):
    """A lock released. `other` (-) is what every `Phase` takes."""

    kind = "release"

    def __init__(self, lock: Lock, **other: Any) -> None:
        super().__init__(**other)
        self.lock = lock

    def begin(self, t: float) -> None:
        self.lock.engaged, self.lock.request = None, "release"

    def update(self, t: float) -> Done | None:
        return Done() if self.lock.engaged is False else None
