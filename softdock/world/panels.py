"""Solar panels: a hinge, a yoke, and a plate that bends and twists as a boom does."""

from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from softdock.world.appendage import Appendage, Made, Ratio, attached
from softdock.world.beams import MOST_RODS, Beam
from softdock.world.joints import Fixed, Revolute, Spring
from softdock.world.model import Body, Frame, World
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Positive

FIRST_ROOT = 1.8751040687119611
"""β L of a cantilever's first mode: cos βL cosh βL = −1."""


class Panel(Appendage):
    """A rectangular panel along x of its root: its hinge turns about y, z is its normal."""

    length: Positive
    """Of the plate (m)."""
    width: Positive
    """Along y (m)."""
    thickness: Positive = 0.02
    """Along z (m)."""
    mass: Positive
    """Of the plate (kg)."""
    rods: Annotated[int, Field(ge=1, le=MOST_RODS)] = 4
    """Number of hinges into which its bending is divided (-)."""
    frequency: Positive | None = None
    """Of the plate's first bending mode, held at the yoke; or give `bending` (Hz)."""
    bending: Positive | None = None
    """EI of bending out of its plane (N m²)."""
    in_plane: Positive | None = None
    """EI of bending in its plane; without it, rigid (N m²)."""
    torsion: Positive | None = None
    """GJ; without it, rigid (N m²)."""
    damping_ratio: Ratio = 0.005
    """Of each first mode of the plate, held at the yoke (-)."""
    yoke_length: Annotated[float, Field(ge=0)] = 0.0
    """Between hinge and plate (m)."""
    yoke_mass: Annotated[float, Field(ge=0)] = 0.0
    """(kg)."""
    hinge_stiffness: Positive | None = None
    """Of the hinge at the root, about y; without it, locked (N m/rad)."""
    hinge_damping: Annotated[float, Field(ge=0)] = 0.0
    """(N m s/rad)."""

    @model_validator(mode="after")
    def _whole(self) -> "Panel":
        if (self.frequency is None) == (self.bending is None):
            raise ValueError(f"panel {self.name!r}: give either 'frequency' (Hz) or 'bending' (N m²)")
        if self.yoke_mass > 0 and not self.yoke_length > 0:
            raise ValueError(f"panel {self.name!r}: a yoke with mass needs 'yoke_length' (m)")
        if self.hinge_damping > 0 and self.hinge_stiffness is None:
            raise ValueError(f"panel {self.name!r}: a locked hinge takes no 'hinge_damping'")
        return self

    def plate(self) -> Beam:
        """The plate as a boom on the yoke."""
        line_mass = self.mass / self.length
        first = 2 * np.pi * (self.frequency or 0.0)
        bending: Any = self.bending or first**2 * line_mass * (self.length / FIRST_ROOT) ** 4
        in_plane: Any = self.in_plane
        shared: Any = {key: getattr(self, key) for key in ("name", "length", "rods", "torsion", "damping_ratio")}
        return Beam(
            on=f"{self.name}.yoke", placement=Pose(position=(self.yoke_length, 0.0, 0.0)), line_mass=(line_mass,),
            section=(self.width, self.thickness), bending_y=bending, bending_z=in_plane, **shared,
        )  # fmt: skip

    def made(self, at: Frame) -> Made:
        plate = self.plate()
        bodies, frames = plate.carried(Frame(name=plate.on, body=plate.on))
        return Made((self._yoke(plate.on, at), *bodies), frames)

    def _yoke(self, name: str, at: Frame) -> Body:
        joint: Any = Fixed()
        if self.hinge_stiffness:
            spring = Spring(stiffness=(self.hinge_stiffness,))
            joint = Revolute(axis=(0, 1, 0), spring=spring, damping=(self.hinge_damping,))
        if not self.yoke_length:
            return Body(name=name, parent=at.body, placement=at.placement, joint=joint, mass=0.0)
        size, middle = (self.yoke_length, self.width / 4, self.thickness), (self.yoke_length / 2, 0.0, 0.0)
        squares = np.square(size)
        own: Any = self.yoke_mass / 12 * (squares.sum() - squares)
        return Body(
            name=name, parent=at.body, placement=at.placement, joint=joint, mass=self.yoke_mass, center=middle,
            inertia=own, shapes=(Box(size=size, placement=Pose(position=middle)),),
        )  # fmt: skip


def panel(world: World | None = None, /, **keys: Any) -> World:
    """The world with a solar panel (the keys are `Panel`'s); without a world, one of the panel alone.

    "<name>.yoke" is on the hinge, and carries the plate's rods, "<name>.root", "<name>.1" and on; the frame
    "<name>.tip" is at the middle of its far edge.
    """
    return attached(world, Panel(**keys))
