"""Convex shapes that bodies carry: what is seen, touched and drawn."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from softdock.world.describe import Described, Number, Vec3
from softdock.world.pose import Pose

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Placed(Described):
    """A shape has a pose in its body's frame."""

    placement: Pose = Pose()


class Box(Placed):
    """A box, `size` its full edge lengths (m)."""

    kind: Literal["box"] = "box"
    size: Vec3

    @field_validator("size")
    @classmethod
    def _positive(cls, size: tuple[float, float, float]) -> tuple[float, float, float]:
        if min(size) <= 0:
            raise ValueError(f"every edge of a box must be positive, not {size}")
        return size


class Sphere(Placed):
    kind: Literal["sphere"] = "sphere"
    radius: Positive


class Capsule(Placed):
    """A segment of `length` along z (between the cap centres), swept by a ball of `radius` (m)."""

    kind: Literal["capsule"] = "capsule"
    radius: Positive
    length: Positive


class Cylinder(Placed):
    """A cylinder of full height `length` along z (m)."""

    kind: Literal["cylinder"] = "cylinder"
    radius: Positive
    length: Positive


class ConvexMesh(Placed):
    """The convex hull of `vertices` (m, body-fixed before `placement`); `triangles` index them."""

    kind: Literal["mesh"] = "mesh"
    vertices: tuple[tuple[Number, Number, Number], ...] = Field(min_length=4)
    triangles: tuple[tuple[int, int, int], ...] = Field(min_length=4)
    source: str = ""


Shape = Annotated[Box | Sphere | Capsule | Cylinder | ConvexMesh, Field(discriminator="kind")]
