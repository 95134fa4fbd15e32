"""Shapes that are not convex, made of convex parts; a body takes them among its shapes and holds the parts."""

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter, ValidationInfo

from softdock.world.describe import Vec3
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Capsule, ConvexMesh, Cylinder, Placed, Positive, Sphere

MOST_PARTS = 256
"""A shape of more parts is refused."""

_HEXAHEDRON = ((0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4), (1, 2, 6), (1, 6, 5),
               (2, 3, 7), (2, 7, 6), (3, 0, 4), (3, 4, 7))  # fmt: skip
"""Of corners 0 to 3 below and 4 to 7 above, both counter-clockwise."""


class Parts(NamedTuple):
    """Convex shapes that stand for one that is not convex."""

    shapes: tuple[Placed, ...]
    deviation: float
    """The largest distance between the surface meant and that of the parts' union (m)."""


class Annulus(Placed):
    """A ring about z: a cylinder with a round hole along its axis, of facets."""

    kind: Literal["annulus"] = "annulus"
    inner_radius: Positive
    """(m)."""
    outer_radius: Positive
    """(m)."""
    length: Positive
    """Along z, half of it to each side of the origin (m)."""
    deviation: Positive | None = None
    """Of the facets from the round surfaces, at most (m); without it 1 % of `outer_radius`."""

    def parts(self) -> Parts:
        """Wedges side by side; facets deviate as much to the inside as to the outside."""
        if self.inner_radius >= self.outer_radius:
            raise ValueError(f"an annulus has a hole: {self.inner_radius} is not below {self.outer_radius} m")
        ends = ((self.inner_radius, self.outer_radius, s * self.length / 2) for s in (-1.0, 1.0))
        return _ring(self, self.outer_radius, self.deviation, *ends)


class Drogue(Placed):
    """A funnel that opens along +z, the cone of a probe-and-drogue port, of facets; its throat, at z = 0, is open."""

    kind: Literal["drogue"] = "drogue"
    throat_radius: Positive
    """Of the inner surface at z = 0 (m)."""
    mouth_radius: Positive
    """Of the inner surface at z = `depth` (m)."""
    depth: Positive
    """(m)."""
    wall: Positive
    """Thickness, across the cone's surface (m)."""
    deviation: Positive | None = None
    """Of the facets from the cone, at most (m); without it 1 % of `mouth_radius`."""

    def parts(self) -> Parts:
        """Staves side by side; facets deviate as much to the inside as to the outside."""
        if self.throat_radius >= self.mouth_radius:
            raise ValueError(f"a drogue opens: throat {self.throat_radius} m is not below mouth {self.mouth_radius} m")
        thick = self.wall * math.hypot(1.0, (self.mouth_radius - self.throat_radius) / self.depth)
        ends = ((r, r + thick, z) for r, z in ((self.throat_radius, 0.0), (self.mouth_radius, self.depth)))
        return _ring(self, self.mouth_radius + thick, self.deviation or 0.01 * self.mouth_radius, *ends)


class Handle(Placed):
    """A round bar along x over two round posts that stand on z = 0: capsules, without deviation."""

    kind: Literal["handle"] = "handle"
    length: Positive
    """Between the axes of the posts (m)."""
    height: Positive
    """Of the bar's axis over z = 0 (m)."""
    radius: Positive
    """Of bar and posts (m)."""

    def parts(self) -> Parts:
        """Bar and posts; the posts' round ends stand on z = 0."""
        if self.height <= self.radius:
            raise ValueError(f"a handle's height {self.height} must exceed its radius {self.radius}")
        along_x = Pose(position=(0.0, 0.0, self.height), rpy=(0.0, math.pi / 2, 0.0))  # type: ignore[call-arg]
        bar = Capsule(radius=self.radius, length=self.length, placement=self.placement @ along_x)
        middle = (self.height + self.radius) / 2
        posts = (
            Capsule(
                radius=self.radius,
                length=self.height - self.radius,
                placement=self.placement @ Pose(position=(x, 0.0, middle)),
            )
            for x in (-self.length / 2, self.length / 2)
        )
        return Parts((bar, *posts), 0.0)


class MeshFile(Placed):
    """A mesh in a file (.stl, .obj, .dae, .ply): its convex hull, or with a `deviation` convex parts."""

    kind: Literal["mesh_file"] = "mesh_file"
    path: str
    """Relative to the file of the world; in Python, to the current folder."""
    scale: Vec3 = (1.0, 1.0, 1.0)
    """Along the mesh's own axes (-)."""
    deviation: Positive | None = None
    """Between the surfaces of the mesh and of its parts, at most (m)."""

    def parts(self, folder: str = ".") -> Parts:
        """See `softdock.world.convex_parts`; raises ValueError if the deviation cannot be met."""
        from softdock.world.meshes import MeshFinder

        return MeshFinder(folder).parts(self.path, self.scale, self.deviation, self.placement)


Composite = Annulus | Drogue | Handle | MeshFile
Convex = Box | Sphere | Capsule | Cylinder | ConvexMesh
_ANY: TypeAdapter[Any] = TypeAdapter(
    Annotated[Composite | Convex, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


def all_convex(shapes: Any, info: ValidationInfo) -> Any:
    """The shapes of a body with each composite replaced by its parts."""
    if not isinstance(shapes, Iterable) or isinstance(shapes, str | dict):
        return shapes
    found: list[Any] = []
    for shape in shapes:
        kind = shape.get("kind") if isinstance(shape, dict) else getattr(shape, "kind", None)
        if kind in _KINDS:
            whole = _ANY.validate_python(shape)
            folder = (info.context or {}).get("folder", ".")
            found += (whole.parts(folder) if isinstance(whole, MeshFile) else whole.parts()).shapes
        else:
            found.append(shape)
    return tuple(found)


_KINDS = ("annulus", "drogue", "handle", "mesh_file")


def _ring(whole: Placed, size: float, deviation: float | None, low: Any, high: Any) -> Parts:
    """Parts about z between two rings (inner radius, outer radius, z), as many as the deviation asks for.

    Corners at r/cos²(π/2N), for N parts: the facets' middles are then as far inside the circle of radius r as their
    corners are outside, r tan²(π/2N).
    """
    asked = deviation or 0.01 * size
    many = max(6, math.ceil(math.pi / (2 * math.atan(math.sqrt(asked / size)))))
    if many > MOST_PARTS:
        raise ValueError(f"a deviation of {asked:.3g} m takes {many} parts, more than {MOST_PARTS}")
    half = math.pi / many
    stated = size * math.tan(half / 2) ** 2
    outwards = 1 / math.cos(half / 2) ** 2

    def corner(r: float, z: float, turn: float) -> tuple[float, float, float]:
        return (outwards * r * math.cos(turn), outwards * r * math.sin(turn), z)

    def wedge(k: int) -> ConvexMesh:
        start, stop = (2 * k - 1) * half, (2 * k + 1) * half
        corners = [
            corner(r, ring[2], turn) for ring in (low, high) for r, turn in _around(ring[0], ring[1], start, stop)
        ]
        source = f"{whole.kind}: part {k + 1} of {many}, deviation {stated:.3g} m"  # type: ignore[attr-defined]
        return ConvexMesh(vertices=tuple(corners), triangles=_HEXAHEDRON, source=source, placement=whole.placement)

    return Parts(tuple(wedge(k) for k in range(many)), stated)


def _around(inner: float, outer: float, start: float, stop: float) -> Iterable[tuple[float, float]]:
    """Radius and angle of a wedge's four corners, in turn."""
    return ((inner, start), (outer, start), (outer, stop), (inner, stop))
