"""What a laser camera delivers, and the motion of its target during a scan.

Camera frame C: z along the boresight, x to the right, y down; the target's frame is B. A scan's points are measured
one after the other. Its time stamp is the middle; `times` are offsets from it.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from softdock.sensing import loops
from softdock.spatial import angle_between
from softdock.world.pose import Pose

Vector = tuple[float, float, float]


class ScanError(ValueError):
    """A scan that makes no sense."""


class Rates(NamedTuple):
    """How B moves in C.

    As in the velocity of a free joint. Both are taken as constant during a scan.
    """

    angular: Vector = (0.0, 0.0, 0.0)
    """w_CB_B, in B (rad/s)."""
    linear: Vector = (0.0, 0.0, 0.0)
    """Velocity of B's origin in C (m/s)."""

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Both, as compiled loops take them; ScanError if they are no numbers."""
        both = np.array((self.angular, self.linear), dtype=np.float64)
        if both.shape != (2, 3) or not np.isfinite(both).all():
            raise ScanError(f"rates are three finite numbers each, not {self.angular} and {self.linear}")
        return both[0], both[1]


@dataclass(frozen=True, eq=False)
class Scan:
    """Points measured by a laser camera."""

    points: np.ndarray
    """(n, 3) in the camera's frame (m)."""
    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Of the points, after `time` (s)."""
    time: float = 0.0
    """(s)."""
    sigma: float = 0.002
    """Standard deviation of range noise (m)."""
    rays: np.ndarray | None = None
    """Index of the ray of the pattern that each point came from (-)."""
    directions: np.ndarray | None = None
    """(m, 3): all rays of the pattern, if they are known, so that those without a return are known too (-)."""
    lost: int = 0
    """Returns that a file could not give."""
    bias: float = 0.0
    """Standard deviation of an error that all ranges share (m)."""
    lens: float = 0.0
    """Standard deviation of an error of all angles off the boresight, relative to them (-)."""

    def __post_init__(self) -> None:
        points = np.asarray(self.points, dtype=float)
        times = np.asarray(self.times, dtype=float)
        times = np.zeros(len(points)) if times.size == 0 else times
        if points.ndim != 2 or points.shape[1] != 3:
            raise ScanError(f"points must be an array of n rows of 3, not of shape {points.shape}")
        if times.shape != (len(points),) or not np.isfinite(times).all():
            raise ScanError(f"times must be {len(points)} finite numbers, one for each point")
        if not (np.isfinite(self.time) and np.isfinite(self.sigma) and self.sigma > 0):
            raise ScanError(f"time must be finite and sigma positive, not {self.time} and {self.sigma}")
        if not (0 <= self.bias < np.inf and 0 <= self.lens < 1):
            raise ScanError(f"bias (m) and lens (-) are 0 or more, not {self.bias} and {self.lens}")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "times", times)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def hit(self) -> np.ndarray:
        """For each ray of the pattern, whether it returned."""
        if self.directions is None or self.rays is None:
            return np.ones(len(self), dtype=bool)
        mask = np.zeros(len(self.directions), dtype=bool)
        mask[self.rays] = True
        return mask

    def part(self, chosen: np.ndarray) -> "Scan":
        """Some of the points (a mask, or indices); the pattern's other rays are then no longer known."""
        return replace(self, points=self.points[chosen], times=self.times[chosen], rays=None, directions=None)

    def thinned(self, count: int, rng: np.random.Generator | None = None) -> "Scan":
        """At most `count` points: evenly along the scan, or drawn if a generator is given."""
        if len(self) <= count:
            return self
        if rng is not None:
            return self.part(np.sort(rng.choice(len(self), count, replace=False)))
        return self.part(np.linspace(0, len(self) - 1, count).astype(int))


def difference(a: Pose, b: Pose) -> tuple[float, float]:
    """Angle (rad) and distance (m) between two poses."""
    angle = angle_between(a.quaternion, b.quaternion)
    return float(angle), float(np.linalg.norm(np.subtract(a.position, b.position)))


def rays_in_target(
    R: np.ndarray, p: np.ndarray, rates: Rates, times: np.ndarray, directions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions in B of rays that leave the camera at `times`, when B moves by `rates` from (R, p)."""
    every, nowhere = np.arange(len(times)), np.zeros(len(times))
    origins, turned, _ = loops.rays(loops.beams(directions, nowhere, times, *rates.arrays()), R, p, every)
    return origins, turned


def deskew(scan: Scan, pose: Pose, rates: Rates) -> Scan:
    """The scan as if all points had been measured at its time stamp, given pose and rates there.

    A point of the target at x at time t is at p + R exp(w t)⁻¹ Rᵀ (x − p − v t) at the stamp. An error e of the
    position p leaves an error of |w t| e.
    """
    R, p = pose.rotation, np.asarray(pose.position)
    still = (scan.points - p - np.outer(scan.times, rates.linear)) @ R
    body = loops.turned(still, rates.arrays()[0], -scan.times)
    return replace(scan, points=body @ R.T + p, times=np.zeros(len(scan)))
