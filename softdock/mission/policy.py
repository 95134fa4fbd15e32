"""The phase `Policy`: something decides again and again what is to be done, such as what is to be learnt."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.mission.phase import Condition, Done, Phase

Decide = Callable[[np.ndarray], ArrayLike | None]
"""From what is observed to an action; None: nothing yet."""


class Policy(Phase):
    """Every `every` (s) the `policy` is told what `observe()` returns (n numbers), and the action that it decides on is
    handed to `act`; it ends when `until(t)` is true. Actions are from `low` (-) to `high` (-), and are cut to that.

    A Gymnasium environment decides in the policy's place, and gets the `reward()` (-) after each action. `other` (-) is
    what every `Phase` takes.
    """

    kind = "policy"

    def __init__(
        self,
        policy: Decide,
        *,
        observe: Callable[[], ArrayLike],
        act: Callable[[np.ndarray], object],
        low: ArrayLike,
        high: ArrayLike,
        until: Condition,
        every: float = 0.5,
        reward: Callable[[], float] | None = None,
        **other: Any,
    ) -> None:
        super().__init__(**other)
        self.own = policy
        """The mission's, whoever decides."""
        self.policy, self._observe, self._act, self._until, self.every = policy, observe, act, until, every
        self.low, self.high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
        if not (self.low.ndim == 1 and np.all(self.low < self.high)):
            raise ValueError(f"phase {self.name!r}: low and high must be lists of numbers, each low below its high")
        self.reward = reward or (lambda: 0.0)
        self._next = 0.0

    def observed(self) -> np.ndarray:
        """What there is to be seen now."""
        seen = np.asarray(self._observe(), float)
        if seen.ndim != 1:
            raise ValueError(f"phase {self.name!r}: observe must return a list of numbers, not {seen!r:.60}")
        return seen

    def begin(self, t: float) -> None:
        self._next = t

    def update(self, t: float) -> Done | None:
        if self._until(t):
            return Done()
        if t >= self._next - 1e-9 and (action := self.policy(self.observed())) is not None:
            wanted = np.asarray(action, float)
            if wanted.shape != self.low.shape or not np.isfinite(wanted).all():
                raise ValueError(
                    f"phase {self.name!r}: an action must be {self.low.size} finite numbers, not {action!r:.60}"
                )
            self._act(np.clip(wanted, self.low, self.high))
            self._next = t + self.every
        return None
