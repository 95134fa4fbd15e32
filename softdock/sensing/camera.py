"""A laser camera: rays of a scan pattern, cast at a moving target, with noise."""

from typing import Any, NamedTuple

import numpy as np

from softdock.sensing.scan import Rates, Scan, ScanError, rays_in_target
from softdock.sensing.surface import Surface
from softdock.world.pose import Pose


class Pattern(NamedTuple):
    """Rays in the order in which they are sent."""

    directions: np.ndarray
    """(m, 3): unit vectors in C (-)."""
    times: np.ndarray
    """About the middle (s)."""


class Noise(NamedTuple):
    """What a laser camera's ranges are like."""

    range: float = 0.002
    """Standard deviation along the ray (m)."""
    outliers: float = 0.0
    """Fraction of rays that give a range anywhere between the camera's limits (-)."""
    dropout: float = 0.0
    """Fraction of rays without a return (-)."""
    bias: float = 0.0
    """Standard deviation of an error that all ranges of a camera share (m)."""
    lens: float = 0.0
    """Standard deviation of an error of a camera's angles off the boresight, relative to them (-)."""


def raster(rows: int, columns: int, field: tuple[float, float] = (0.8, 0.8), duration: float = 0.0) -> Pattern:
    """Row by row, each from left to right; `field` is the full angle (rad) across and down."""
    _check(rows * columns if rows > 0 and columns > 0 else 0, field, duration)
    across = np.tan(field[0] / 2) * (2 * (np.arange(columns) + 0.5) / columns - 1)
    down = np.tan(field[1] / 2) * (2 * (np.arange(rows) + 0.5) / rows - 1)
    x, y = np.meshgrid(across, down)
    return _pattern(x.ravel(), y.ravel(), duration)


def lissajous(
    count: int, field: tuple[float, float] = (0.8, 0.8), duration: float = 0.0, turns: tuple[int, int] = (81, 80)
) -> Pattern:
    """Two mirrors that swing `turns` times each: every part of the field is seen many times within a scan."""
    _check(count, field, duration)
    phase = 2 * np.pi * (np.arange(count) + 0.5) / count
    x, y = (np.tan(f / 2) * np.sin(k * phase) for f, k in zip(field, turns, strict=True))
    return _pattern(x, y, duration)


def _pattern(x: np.ndarray, y: np.ndarray, duration: float) -> Pattern:
    directions = np.stack([x, y, np.ones_like(x)], axis=1)
    times = duration * ((np.arange(len(x)) + 0.5) / len(x) - 0.5)
    return Pattern(directions / np.linalg.norm(directions, axis=1, keepdims=True), times)


def _check(count: int, field: tuple[float, float], duration: float) -> None:
    if count < 1:
        raise ScanError("a scan pattern needs at least one ray")
    if not all(0 < angle < np.pi for angle in field):
        raise ScanError(f"the field of view must be two angles between 0 and pi rad, not {field}")
    if not (0 <= duration < np.inf):
        raise ScanError(f"the duration of a scan must be 0 or more seconds, not {duration}")


class LaserCamera:
    """Scans a `surface` (or a mesh, as `Surface` takes it) with a `pattern`. Ranges outside of `limits` (m) give no
    return.

    The noise comes from `rng`; two cameras whose generators are alike give the same scans. Errors that all ranges or
    angles share are drawn once for each camera.
    """

    def __init__(
        self,
        surface: Surface | Any,
        pattern: Pattern,
        noise: Noise | None = None,
        *,
        rng: np.random.Generator | None = None,
        limits: tuple[float, float] = (0.1, 30.0),
    ) -> None:
        self.surface = surface if isinstance(surface, Surface) else Surface(surface)
        self.pattern, self.noise, self.limits = pattern, noise or Noise(), limits
        if not (self.noise.range >= 0 and 0 <= self.noise.outliers <= 1 and 0 <= self.noise.dropout <= 1):
            raise ScanError(f"noise takes a range of 0 or more, and fractions between 0 and 1, not {self.noise}")
        if not (0 <= self.noise.bias < np.inf and 0 <= self.noise.lens < 1):
            raise ScanError(f"bias (m) and lens (-) are 0 or more, not {self.noise.bias} and {self.noise.lens}")
        self.rng = np.random.default_rng(0) if rng is None else rng
        self._bias = self.noise.bias * self.rng.standard_normal() if self.noise.bias else 0.0
        self._lens = 1 + self.noise.lens * self.rng.standard_normal() if self.noise.lens else 1.0

    def ranges(self, pose: Pose, rates: Rates | None = None) -> np.ndarray:
        """Range of each ray of the pattern, without noise (m; inf where it meets nothing)."""
        R, p, directions = pose.rotation, np.asarray(pose.position), self.pattern.directions
        if self._lens != 1.0:
            directions = directions * [self._lens, self._lens, 1.0]
            directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        rays = rays_in_target(R, p, rates or Rates(), self.pattern.times, directions)
        return self.surface.cast(*rays)[0]

    def scan(
        self, pose: Pose, rates: Rates | None = None, time: float = 0.0, *, before: np.ndarray | None = None
    ) -> Scan:
        """Scan a target that is at `pose` (of B in C) at `time`, the middle of the scan, and moves by `rates`. What is
        in front of it returns the rays that meet that first: `before` are its ranges, one for each ray (m; inf where
        there is nothing)."""
        ranges, noise, count = self.ranges(pose, rates), self.noise, len(self.pattern.times)
        if before is not None:
            ranges = np.minimum(ranges, before)
        ranges += noise.range * self.rng.standard_normal(count) + self._bias
        if noise.outliers > 0:
            stray = self.rng.random(count) < noise.outliers
            ranges[stray] = self.rng.uniform(*self.limits, int(stray.sum()))
        returned = (ranges >= self.limits[0]) & (ranges <= self.limits[1])
        if noise.dropout > 0:
            returned &= self.rng.random(count) >= noise.dropout
        rays = np.flatnonzero(returned)
        return Scan(
            points=ranges[rays, None] * self.pattern.directions[rays],
            times=self.pattern.times[rays],
            time=time,
            sigma=max(noise.range, 1e-6),
            rays=rays,
            directions=self.pattern.directions,
            bias=noise.bias,
            lens=noise.lens,
        )
