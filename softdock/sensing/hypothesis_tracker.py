"""Which of several hypotheses is right: tracked from scan to scan until one explains them all better."""

from collections.abc import Sequence

import numpy as np

from softdock.sensing.acquisition import Hypothesis
from softdock.sensing.scan import difference
from softdock.world.pose import Pose

FEWEST = 4
"""Scans that must agree before a hypothesis is settled on."""
TWICE = 2
"""Scans of which one and the same pose must be the only one."""
SURE = 3.0
"""Standard deviations by which the others must, on average, explain less of each scan."""
NEAR = np.radians(40.0)
"""A hypothesis goes on in the one that is turned by less (rad); alternatives are about half a turn away."""


class HypothesisTracker:
    """Chains of poses through scans, each with what spoke against it. What speaks against all alike (noise, motion)
    drops out of the differences, whose spread from scan to scan says how sure they are."""

    def __init__(self) -> None:
        self._chains: list[tuple[list[Pose], list[int]]] = []
        self.trail: list[Pose] = []
        """Once one is settled on: its poses in the scans that led to it, the last being its own."""

    @property
    def count(self) -> int:
        """How many hypotheses are left."""
        return len(self._chains)

    def update(self, hypotheses: Sequence[Hypothesis]) -> Hypothesis | None:
        """Take the hypotheses of the next scan; the right one among them, as soon as it is known.

        The target may turn by less than `NEAR` between two updates.
        """
        if not hypotheses:
            return None
        chosen = [self._next(poses[-1], hypotheses) for poses, _ in self._chains]
        kept = [(k, *chain) for k, chain in zip(chosen, self._chains, strict=True) if k is not None]
        if len({k for k, _, _ in kept}) < len(kept) or len(kept) < min(2, len(hypotheses)):
            kept = [(k, [], []) for k in range(len(hypotheses))]
        self._chains = [
            ([*poses, hypotheses[k].registration.pose], [*counts, hypotheses[k].unexplained])
            for k, poses, counts in kept
        ]
        against = np.array([counts for _, counts in self._chains], dtype=float)
        best = int(np.argmin(against.sum(axis=1)))
        worse = np.delete(against, best, axis=0) - against[best]
        scans = against.shape[1]
        if len(self._chains) == 1:
            self.trail = self._chains[0][0]
            return hypotheses[kept[0][0]] if scans >= TWICE else None
        spread = np.maximum(worse.std(axis=1), 0.5) / np.sqrt(scans)
        if scans >= FEWEST and np.all(worse.mean(axis=1) > SURE * spread):
            self.trail = self._chains[best][0]
            return hypotheses[kept[best][0]]
        return None

    def _next(self, pose: Pose, hypotheses: Sequence[Hypothesis]) -> int | None:
        angles = [difference(pose, other.registration.pose)[0] for other in hypotheses]
        nearest = int(np.argmin(angles))
        return nearest if angles[nearest] < NEAR else None
