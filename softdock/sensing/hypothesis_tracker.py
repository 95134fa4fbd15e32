"""Which of several hypotheses is right: tracked from scan to scan until one explains them all better."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from softdock.sensing.acquisition import Hypothesis
from softdock.sensing.scan import difference
from softdock.world.pose import Pose

FEWEST = 4
"""Scans that must agree before a hypothesis is settled on."""
TWICE = 2
"""Scans of which one and the same pose must be the only one, and after which one that is not among them is dropped."""
SURE = 3.0
"""Standard deviations by which the others must, on average, explain less of each scan."""
NEAR = np.radians(40.0)
"""A hypothesis goes on in the one that is turned by less (rad); alternatives are about half a turn away."""


class _Chain(NamedTuple):
    """Poses that are one hypothesis, and what spoke against it by the number of the update."""

    poses: list[Pose]
    against: dict[int, int]

    def is_worse_than(self, other: "_Chain") -> bool:
        """By more than chance, in the scans that both explain."""
        both = sorted(self.against.keys() & other.against.keys())
        worse = np.array([self.against[k] - other.against[k] for k in both], dtype=float)
        return len(both) >= FEWEST and bool(worse.mean() > SURE * max(worse.std(), 0.5) / np.sqrt(len(both)))


class HypothesisTracker:
    """Chains of poses through scans, each with what spoke against it. What speaks against all alike (noise, motion)
    drops out of the differences, whose spread from scan to scan says how sure they are. A hypothesis that a scan does
    not show, which may be chance, is kept for the next."""

    def __init__(self) -> None:
        self._chains: list[_Chain] = []
        self._updates = 0
        self._shown: list[int] = []
        """Updates that had hypotheses."""
        self.trail: list[Pose] = []
        """Once one is settled on: its poses in the scans that led to it, the last being its own."""
        self.began = 0
        """The number of the update, from 0, that the trail begins with."""

    @property
    def count(self) -> int:
        """How many hypotheses are left."""
        return len(self._chains)

    def update(self, hypotheses: Sequence[Hypothesis]) -> Hypothesis | None:
        """Take the hypotheses of the next scan; the right one among them, as soon as it is known.

        The target may turn by less than `NEAR` between two updates.
        """
        now, self._updates = self._updates, self._updates + 1
        if not hypotheses:
            if self._shown[-1:] != [now - 1]:  # by now it may have turned so far that one would be taken for another
                self._chains = []
            return None
        self._shown.append(now)
        nexts = [self._next(chain.poses[-1], hypotheses) for chain in self._chains]
        places = [k for k in nexts if k is not None]
        if len(set(places)) < len(places):  # two go on in one: which is which is not known any more
            self._chains, nexts = [], []
        left = [c for c, k in zip(self._chains, nexts, strict=True) if k is None and self._missed(c) < TWICE]
        going = {k: c for k, c in zip(nexts, self._chains, strict=True) if k is not None}
        for k, hypothesis in enumerate(hypotheses):
            poses, against = going.get(k, _Chain([], {}))
            going[k] = _Chain([*poses, hypothesis.registration.pose], against | {now: hypothesis.unexplained})
        self._chains = [*going.values(), *left]
        for k, chain in going.items():
            others = [other for other in self._chains if other is not chain]
            if len(chain.poses) >= TWICE and all(other.is_worse_than(chain) for other in others):
                self.trail, self.began = chain.poses, min(chain.against)
                return hypotheses[k]
        return None

    def _missed(self, chain: _Chain) -> int:
        """Scans that showed others since it was shown."""
        return sum(k > max(chain.against) for k in self._shown)

    def _next(self, pose: Pose, hypotheses: Sequence[Hypothesis]) -> int | None:
        angles = [difference(pose, other.registration.pose)[0] for other in hypotheses]
        nearest = int(np.argmin(angles))
        return nearest if angles[nearest] < NEAR else None
