"""Convex shapes that bodies carry: what is seen, touched and drawn."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from softdock.world.describe import Described, Number, Vec3
from softdock.world.pose import Pose

MOST_VERTICES = 10_000
"""Of a convex shape."""
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Placed(Described):
    """A shape of a body."""

    placement: Pose = Pose()
    """In the body's frame."""


class Box(Placed):
    """A box."""

    kind: Literal["box"] = "box"
    size: Vec3
    """Full edge lengths (m)."""

    @field_validator("size")
    @classmethod
    def _positive(cls, size: tuple[float, float, float]) -> tuple[float, float, float]:
        if min(size) <= 0:
            raise ValueError(f"every edge of a box must be positive, not {size}")
        return size


class Sphere(Placed):
    """A ball."""

    kind: Literal["sphere"] = "sphere"
    radius: Positive
    """(m)."""


class Capsule(Placed):
    """A segment along z, swept by a ball."""

    kind: Literal["capsule"] = "capsule"
    radius: Positive
    """(m)."""
    length: Positive
    """Between the cap centres (m)."""


class Cylinder(Placed):
    """A cylinder along z."""

    kind: Literal["cylinder"] = "cylinder"
    radius: Positive
    """(m)."""
    length: Positive
    """Full height (m)."""


class ConvexMesh(Placed):
    """The convex hull of `vertices`."""

    kind: Literal["mesh"] = "mesh"
    vertices: tuple[tuple[Number, Number, Number], ...] = Field(min_length=4, max_length=MOST_VERTICES)
    """In the body's frame before `placement` (m)."""
    triangles: tuple[tuple[int, int, int], ...] = Field(min_length=4, max_length=2 * MOST_VERTICES)
    """Indices of vertices."""
    source: str = ""

    def model_post_init(self, context: object, /) -> None:
        """Refuse triangles of vertices that there are not."""
        if not all(0 <= k < len(self.vertices) for triangle in self.triangles for k in triangle):
            raise ValueError(f"a triangle names a vertex that is not among the {len(self.vertices)}")


Shape = Annotated[Box | Sphere | Capsule | Cylinder | ConvexMesh, Field(discriminator="kind")]
