"""Messages that are under way: what sensors measure and controllers command arrives later than it was sent."""

import math
from collections import deque
from typing import Any, NamedTuple

import numpy as np


class Message(NamedTuple):
    """Something with a stamp."""

    sent: float
    """When (s)."""
    arrives: float
    """When (s)."""
    value: Any
    """What it says (-)."""


class DelayLine:
    """A channel that hands every message over `delay` (s) after it was sent, or later by a time that is exponentially
    distributed with mean `jitter` (s). Messages do not overtake each other."""

    def __init__(self, delay: float = 0.0, jitter: float = 0.0, seed: int | np.random.SeedSequence = 0) -> None:
        if not (math.isfinite(delay) and delay >= 0 and math.isfinite(jitter) and jitter >= 0):
            raise ValueError(f"a delay and its jitter are times (s) of at least 0, not {delay} and {jitter}")
        self.delay, self.jitter = delay, jitter
        self._rng = np.random.default_rng(seed)
        self._under_way: deque[Message] = deque()
        self._last = -math.inf

    def send(self, t: float, value: Any) -> None:
        """At time t (s)."""
        late = self._rng.exponential(self.jitter) if self.jitter else 0.0
        self._last = max(self._last, t + self.delay + late)
        self._under_way.append(Message(t, self._last, value))

    def arrived(self, t: float) -> list[Message]:
        """Those that have arrived by time t (s) since it was last asked, in the order in which they were sent."""
        found = []
        while self._under_way and self._under_way[0].arrives <= t + 1e-9:
            found.append(self._under_way.popleft())
        return found

    def newest(self, t: float) -> Message | None:
        """The last of `arrived`, or None if there is none."""
        found = self.arrived(t)
        return found[-1] if found else None
