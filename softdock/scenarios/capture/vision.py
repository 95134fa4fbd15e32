"""Keys of what the chaser of 'capture' sees: frames of the laser camera, or noisy poses."""

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from softdock.world.describe import Described
from softdock.world.joints import NonNegative
from softdock.world.shapes import Positive

Fraction = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=2)]


class Vision(Described):
    """`pose` "scan": scans of the target's mesh, registered. "ideal": the handle's true pose with noise of `position`
    (m) and `angle` (rad) along each axis, of which a fraction `outliers` is anywhere within 1 m and half a turn.
    `noise` (m), if given, stands for `position` and for the camera's `range`.

    Frames come every `period` seconds; a fraction `dropped` is lost; the rest arrives `latency` seconds late, with its
    stamp. `start` says what is known before the first scan: "guess", a pose within about 5° and 5 cm, or "unknown".
    """

    pose: Literal["scan", "ideal"] = "scan"
    period: Positive = 0.5
    """Between two frames (s)."""
    latency: NonNegative = 0.3
    """How late they arrive (s)."""
    dropped: Fraction = 0.0
    """Fraction of frames that are lost (-)."""
    outliers: Fraction = 0.0
    """Fraction of poses, or of points, that are anywhere (-)."""
    position: Positive = 0.005
    angle: Positive = 0.00873
    noise: Positive | None = None
    start: Literal["guess", "unknown"] = "guess"

    @property
    def scatter(self) -> float:
        """Of ideal positions along each axis (m)."""
        return self.noise or self.position


class Camera(Described):
    """A raster of `rows` by `columns` rays over `field` (rad) in `duration` seconds; `range` noise (m); `dropout` is
    the fraction of rays without return. `model_scale` is the registered model's size over the true target's."""

    rows: Count = 64
    columns: Count = 64
    field: tuple[Positive, Positive] = (1.1, 1.1)
    duration: NonNegative = 0.4
    """Of one frame (s)."""
    range: NonNegative = 0.002
    """Noise of ranges (m)."""
    dropout: Fraction = 0.0
    """Fraction of rays without return (-)."""
    model_scale: Annotated[float, Field(gt=0.5, lt=2.0)] = 1.0
    """Size of the registered model over the true target's (-)."""


class Occlusion(Described):
    """The camera sees nothing from `start` (s) on; the gripper closes `length` seconds later or after that. With
    `windows`, each from and to (s), it sees nothing in these instead, and the gripper closes when it is surest."""

    start: Positive = 96.0
    length: NonNegative = 20.0
    """How long it is blind before the gripper closes, at least (s)."""
    windows: tuple[tuple[NonNegative, Positive], ...] = ()

    @model_validator(mode="after")
    def _forwards(self) -> "Occlusion":
        for begin, end in self.windows:
            if not begin < end:
                raise ValueError(f"windows: [{begin:g}, {end:g}] does not end after it begins")
        return self

    @property
    def blocked(self) -> list[tuple[float, float]]:
        """When the camera sees nothing (s)."""
        return list(self.windows) or [(self.start, math.inf)]

    @property
    def earliest(self) -> float:
        """When the gripper may close (s)."""
        return 0.0 if self.windows else self.start + self.length
