"""Scan after scan of one target: each registered from where an estimator expects it."""

from collections import Counter

import numpy as np

from softdock.estimation import Filter, PoseMeasurement, RunAway
from softdock.sensing import UNKNOWN, HypothesisTracker, Larger, Registration, Scan, Surface, acquire, register
from softdock.tracking.viewpoint import Viewpoint
from softdock.world import Pose

FEWEST = 3
"""Poses that the estimator has accepted before its rates predict the next."""
LOST = 6
"""Scans in a row without a pose after which the target is looked for anew."""
PATIENCE = 1.0
"""Seconds between two searches for a target whose pose is not known: each takes about one, and the view must change."""
AMBIGUOUS = "not known which pose it is"
RESIZED = "the target is not of its model's size"
SURE, NOTABLE = 6.0, 0.002
"""Standard deviations, and part of its size beyond what its model is said to be off, from which a target is not of its
model's size: three faces of a box do not tell, so a scan that does is remembered."""


class Follower:
    """Measures the pose of a frame {C} of a target with the model's frame B, in the estimator's frame {A}.

    A scan is registered from the estimator's forecast; near the `last` pose while the estimator has no rates; and with
    no guess while no pose is known. What is measured is the caller's to give to the estimator.
    """

    def __init__(self, estimator: Filter, model: Surface, frame: Pose | None = None, last: Pose | None = None) -> None:
        """`frame` is C in B (B itself if not given)."""
        self.estimator, self.model, self.frame = estimator, model, frame or Pose()
        self._back = self.frame.inverse()
        self.last = last
        """B in A by the last scan that was registered; None while it is not known."""
        self.accepted = 0
        self.refused: Counter[str] = Counter()
        """How many scans gave no pose, by reason."""
        self._missed, self._tried, self._hypotheses = 0, -np.inf, HypothesisTracker()
        self.larger = Larger()
        """Than its model: the target, by all scans at known rates."""

    @property
    def is_resized(self) -> bool:
        """Whether scans say that the target is larger or smaller than its model, by more than chance and by more than
        the model is said to be off: poses are off by about as much, and their covariances do not know."""
        part, sigma, shared = self.larger
        return abs(part) > max(SURE * sigma, NOTABLE + 3 * shared)

    def measure(self, scan: Scan, camera: Viewpoint | None = None) -> tuple[PoseMeasurement, Registration] | None:
        """The pose of {C} in {A}, and the registration of B in the camera's frame that it comes from."""
        camera = camera or Viewpoint()
        if self.is_resized:
            self.refused[RESIZED] += 1
            return None
        found = self._registered(scan, camera)
        if found is None or not found.quality.accepted:
            self.refused[found.quality.reason if found else AMBIGUOUS] += 1
            self._missed += 1
            if self.last and self._missed >= LOST:
                self.last, self._hypotheses = None, HypothesisTracker()
            return None
        self.accepted += 1
        self._missed, self.last = 0, camera.from_camera(found.pose)
        return camera.measurement(found.of(self.frame)), found

    def _registered(self, scan: Scan, camera: Viewpoint) -> Registration | None:
        if self.last is None:
            return self._acquired(scan)
        if self.estimator.accepted < FEWEST:
            return register(scan, self.model, camera.in_camera(self.last), spread=UNKNOWN)
        try:
            there = self.estimator.forecast(scan.time, self._back)
        except RunAway:
            return register(scan, self.model, camera.in_camera(self.last), spread=UNKNOWN)
        rates = camera.rates(there.pose, there.velocity, there.angular_velocity)
        spread = camera.rates_covariance(there.motion_covariance)
        found = register(scan, self.model, camera.in_camera(there.pose), rates, spread)
        if found.quality.accepted:
            self.larger = _together(self.larger, found.quality.larger)
        return found

    def _acquired(self, scan: Scan) -> Registration | None:
        """Found with no guess, as soon as only one pose explains the scans."""
        if scan.time - self._tried < PATIENCE:
            return None
        self._tried = scan.time
        settled = self._hypotheses.update(acquire(scan, self.model, spread=UNKNOWN))
        return settled.registration if settled else None


def _together(a: Larger, b: Larger) -> Larger:
    """Two answers, each by its noise; what both share is a mean, and does not become less."""
    weights = np.array([a.sigma, b.sigma]) ** -2.0
    if not weights.any():
        return a
    part, shared = weights @ [[a.part, a.shared], [b.part, b.shared]] / weights.sum()
    return Larger(float(part), float(weights.sum() ** -0.5), float(shared))
