"""The part `Agent` and the phase `Decide`: a policy acts, or a learner who steps the mission as an environment."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.mission.part import Part, PartError
from softdock.mission.phase import Done, Phase

Policy = Callable[[np.ndarray], ArrayLike]
"""From an observation to an action."""


class Agent(Part):
    """Whoever decides in a `Decide`: a `policy` (-), a function from an observation of so many `observed` (-) numbers
    to an action between `low` (-) and `high` (-); in a Gymnasium environment, who steps it."""

    def __init__(self, low: ArrayLike, high: ArrayLike, observed: int, *, policy: Policy | None = None) -> None:
        self.low, self.high = (np.atleast_1d(np.asarray(side, float)) for side in (low, high))
        if self.low.ndim != 1 or self.low.shape != self.high.shape or not np.all(self.low < self.high):
            raise ValueError("an agent's actions are numbers, each between its low and its high")
        if not (np.isfinite(self.low).all() and np.isfinite(self.high).all()):
            raise ValueError("the bounds of an agent's actions must be finite")
        if observed < 1:
            raise ValueError(f"an agent observes at least one number, not {observed}")
        self.observed, self.policy = observed, policy
        self.is_stepped = False
        """By an environment, which gives actions?"""
        self.is_asked = False
        """Is an action waited for?"""
        self.given: np.ndarray | None = None
        self.observation: np.ndarray = np.zeros(observed)
        """When it was asked last."""
        self.reward = 0.0
        """In all."""

    def saw(self, observation: ArrayLike) -> np.ndarray:
        """Take an observation, if it is one."""
        seen = np.asarray(observation, float)
        if seen.shape != (self.observed,) or not np.isfinite(seen).all():
            raise PartError(f"{self.name}: an observation must be {self.observed} finite numbers, not {seen!r:.60}")
        self.observation = seen.copy()
        return self.observation

    def decided(self) -> np.ndarray | None:
        """What is to be done, within the bounds; None while that is waited for."""
        if self.is_stepped:
            action, self.given, self.is_asked = self.given, None, self.given is None
        elif self.policy:
            action = np.asarray(self.policy(self.observation.copy()), float)
        else:
            raise PartError(f"{self.name}: there is no policy; give it one, or step the mission as an environment")
        if action is not None and (action.shape != self.low.shape or not np.isfinite(action).all()):
            raise PartError(f"{self.name}: an action must be {self.low.size} finite numbers, not {action!r:.60}")
        return None if action is None else np.clip(action, self.low, self.high)


class Decide(Phase):
    """Every `every` (s) the `agent` is shown what `observe(t)` returns, and `act(t, action)` does what it decides,
    until `until(t)` is true. `reward(t)` is added up when it is asked and at the end, for learning; the sum is the
    phase's result. `other` (-) is what every `Phase` takes."""

    kind = "decide"

    def __init__(
        self,
        agent: Agent,
        *,
        observe: Callable[[float], ArrayLike],
        act: Callable[[float, np.ndarray], object],
        every: float,
        until: Callable[[float], object] = lambda t: False,
        reward: Callable[[float], float] = lambda t: 0.0,
        **other: Any,
    ) -> None:
        super().__init__(**other)
        if not 0 < every < np.inf:
            raise ValueError(f"phase {self.name!r}: an agent is asked every so many seconds, not {every}")
        self.agent, self.every = agent, every
        self._observe, self._act, self._until, self._reward = observe, act, until, reward

    def begin(self, t: float) -> None:
        self._next, self._sum, self.agent.is_asked = t, 0.0, False

    def update(self, t: float) -> Done | None:
        agent = self.agent
        if self._until(t):
            self._gain(t)
            agent.is_asked = False
            return Done(self._sum)
        if t < self._next - 1e-9:
            return None
        waited = agent.is_asked
        agent.saw(self._observe(t))
        if not waited:
            self._gain(t)
        action = agent.decided()
        if action is not None:
            self._act(t, action)
            self._next = t + self.every
        return None

    def _gain(self, t: float) -> None:
        gained = float(self._reward(t))
        self._sum += gained
        self.agent.reward += gained
