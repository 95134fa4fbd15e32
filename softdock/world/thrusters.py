"""Thrusters: where they sit, how they push, and how they may fail."""

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from softdock.world.describe import Described, Name, Vec3

G0 = 9.80665
"""Standard gravity, by which specific impulse is counted in seconds (m/s²)."""

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Plume(Described):
    """A cone opposite to the push, in which the exhaust's momentum is spread evenly (docs/thrusters.md)."""

    half_angle: Annotated[float, Field(gt=0, lt=math.pi / 2)] = math.radians(25.0)
    """(rad)."""
    reach: Positive = 10.0
    """Beyond it nothing is felt (m)."""


class Thruster(Described):
    """Pushes a free body while its valve is open."""

    name: Name
    body: Name
    """A body on a free joint on the world."""
    position: Vec3
    """Of the nozzle in the body's frame (m)."""
    direction: Vec3
    """Of the push on the body, in its frame; the length does not matter (-)."""
    thrust: Positive
    """(N)."""
    least_on_time: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """The valve opens for no shorter time (s)."""
    isp: Positive = 220.0
    """Specific impulse (s)."""
    plume: Plume | None = None
    """What it blows at; nothing if there is none."""
    stuck: Literal["", "on", "off"] = ""
    """How its valve fails: it stays open or shut."""
    stuck_at: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """When (s)."""

    def model_post_init(self, context: object, /) -> None:
        """Refuse a direction that is none."""
        if not any(self.direction):
            raise ValueError(f"thruster {self.name!r}: its direction must not be zero")

    @property
    def along(self) -> np.ndarray:
        """The direction, of length 1."""
        direction = np.array(self.direction)
        return direction / np.linalg.norm(direction)

    @property
    def wrench(self) -> np.ndarray:
        """Force (N) and moment about the body's origin (N m) in the body's frame, (6)."""
        force = self.thrust * self.along
        return np.concatenate([force, np.cross(self.position, force)])

    @property
    def flow(self) -> float:
        """Propellant used while it is open (kg/s)."""
        return self.thrust / (self.isp * G0)
