"""Gravity, and the frame in which a world is described.

With `Orbit`, all coordinates are relative to a reference point that follows a Kepler orbit; the
frame's axes do not turn (they are those of the Earth-centred inertial frame).
"""

from typing import Annotated, Literal

from pydantic import Field

from softdock.world.describe import Described, Number, Vec3

EARTH_MU = 3.986004418e14
"""Gravitational parameter of Earth (m³/s²), IERS Conventions 2010 (TCG-compatible value)."""


class NoGravity(Described):
    kind: Literal["none"] = "none"


class Uniform(Described):
    """The same acceleration everywhere."""

    kind: Literal["uniform"] = "uniform"
    acceleration: Vec3 = (0.0, 0.0, -9.80665)
    """In the world frame (m/s²)."""


class Orbit(Described):
    """Central gravity about Earth, in a frame that follows a reference Kepler orbit.

    All angles zero: a circular orbit in the x-y plane that starts on the x axis and moves along +y. Gravity acts on
    every body as on a point mass; with `gradient` also on its extent.
    """

    kind: Literal["orbit"] = "orbit"
    """Which gravity it is."""
    semi_major_axis: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """(m)."""
    eccentricity: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """(-)."""
    inclination: Number = 0.0
    """(rad)."""
    raan: Number = 0.0
    """Right ascension of the ascending node (rad)."""
    argument_of_periapsis: Number = 0.0
    """(rad)."""
    true_anomaly: Number = 0.0
    """At t = 0 (rad)."""
    mu: Annotated[float, Field(gt=0, allow_inf_nan=False)] = EARTH_MU
    """Gravitational parameter (m³/s²)."""
    gradient: bool = False
    """Gravity acts on the extent of bodies too, by their inertia: the gravity-gradient torque."""


Gravity = Annotated[NoGravity | Uniform | Orbit, Field(discriminator="kind")]
