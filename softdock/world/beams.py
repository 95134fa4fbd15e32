"""Booms: rods on springs, with hinges where they bend as the beam does (docs/theory/flexible.md).

A cantilever's hinges are at the points x_i of Gauss's rule with weights w_i, of stiffness EI(x_i)/(w_i L): its
compliance is then that rule's value of an integral, exact for forces and moments at the tip of a uniform beam of two
hinges or more. A beam with both ends free has them in the middle of n equal pieces.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from softdock.spatial import quaternion_of_rpy
from softdock.world.appendage import Appendage, Made, Profile, Ratio, attached
from softdock.world.describe import Name
from softdock.world.joints import Fixed, Free, Revolute, Spring
from softdock.world.model import WORLD, Body, Frame, World
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Cylinder, Positive, Shape

MOST_RODS = 100
AXES: dict[str, tuple[float, float, float]] = {"y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0), "x": (1.0, 0.0, 0.0)}
"""About which a hinge turns, one after the other."""
_ALONG_X = quaternion_of_rpy(0.0, np.pi / 2, 0.0)


class Beam(Appendage):
    """A boom along x of its root, bending about y and z and twisting about x; what is not given is rigid."""

    length: Positive
    """(m)."""
    rods: Annotated[int, Field(ge=1, le=MOST_RODS)] = 8
    """Number of hinges; without a free end, of moving rods (-)."""
    line_mass: Profile
    """Mass per length, one number or values from root to tip (kg/m)."""
    bending_y: Profile | None = None
    """EI of bending about y, as `line_mass` (N m²)."""
    bending_z: Profile | None = None
    """EI of bending about z, as `line_mass` (N m²)."""
    torsion: Profile | None = None
    """GJ, as `line_mass` (N m²)."""
    damping_ratio: Ratio = 0.0
    """Of the first mode of each kind of bending, and of torsion, with the root held; of others in proportion to their
    frequency (-)."""
    radius: Positive | None = None
    """Of a round section: shapes, and inertia about the section's own axes (m)."""
    section: tuple[Positive, Positive] | None = None
    """The same of a rectangular one: along y and z (m)."""
    gyration: (
        tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]] | None
    ) = None
    """Radii of gyration of the section about x, y and z; by default those of a solid one, or 0 (m)."""
    stations: Mapping[Name, Annotated[float, Field(ge=0, le=1)]] = {}
    """Frames "<name>.<station>" to be made, by their share of the length (-)."""
    free: bool = False
    """Are both ends free? The root is then a body on a free joint."""

    @model_validator(mode="after")
    def _bends(self) -> "Beam":
        if not any(self.stiffnesses().values()):
            raise ValueError(f"beam {self.name!r} is rigid: give 'bending_y', 'bending_z' or 'torsion' (N m²)")
        if self.radius and self.section:
            raise ValueError(f"beam {self.name!r}: give either 'radius' or 'section', not both")
        if self.torsion and not self.radii()[0] > 0:
            raise ValueError(f"beam {self.name!r}: torsion needs inertia: 'radius', 'section' or 'gyration' (m)")
        x, y, z = self.radii() ** 2
        if x > (y + z) * (1 + 1e-9):
            raise ValueError(
                f"beam {self.name!r}: no section has these radii of gyration: that about x is at most √(y² + z²)"
            )
        if self.free and self.on != WORLD:
            raise ValueError(f"beam {self.name!r}: a free beam is on no body, not on {self.on!r}")
        return self

    def stiffnesses(self) -> dict[str, tuple[float, ...] | None]:
        """EI and GJ by axis, in the order of the hinges' turns."""
        return {"y": self.bending_y, "z": self.bending_z, "x": self.torsion}

    def radii(self) -> np.ndarray:
        """Radii of gyration of the section about x, y, z (m)."""
        if self.gyration is not None:
            return np.array(self.gyration)
        if self.section:
            width, thickness = self.section
            return np.array([np.hypot(width, thickness), thickness, width]) / np.sqrt(12)
        return np.array([np.sqrt(2), 1, 1]) * (self.radius or 0.0) / 2

    def hinges(self) -> tuple[np.ndarray, np.ndarray]:
        """Their places (m from the root) and the lengths (m) that bend in them."""
        if self.free:
            return (np.arange(self.rods) + 0.5) * self.length / self.rods, np.full(self.rods, self.length / self.rods)
        x, w = np.polynomial.legendre.leggauss(self.rods)
        return (x + 1) / 2 * self.length, w / 2 * self.length

    def springs(self) -> dict[str, np.ndarray]:
        """Stiffness (N m/rad) of every hinge about each axis that gives way."""
        x, bends = self.hinges()
        return {axis: _at(EI, x / self.length) / bends for axis, EI in self.stiffnesses().items() if EI}

    def pieces(self) -> list["Piece"]:
        """What the hinges divide the beam into."""
        ends = np.concatenate([[0.0], self.hinges()[0], [self.length]])
        return [Piece.of(self.line_mass, self.length, a, b) for a, b in pairwise(ends.tolist())]

    def made(self, at: Frame) -> Made:
        springs, pieces = self.springs(), self.pieces()
        dampers = {axis: 2 * self.damping_ratio / self._first(axis, k) * k for axis, k in springs.items()}
        root = f"{self.name}.root"
        joint = Free() if self.free else Fixed()
        bodies = [self._body(root, at.body, at.placement, joint, pieces[0])]
        for i, piece in enumerate(pieces[1:]):
            placement = Pose(position=(pieces[i].stop - pieces[i].start, 0.0, 0.0))
            for axis, k in springs.items():
                last = axis == list(springs)[-1]
                name = f"{self.name}.{i + 1}" + ("" if last else axis)
                hinge = Revolute(axis=AXES[axis], spring=Spring(stiffness=k[i]), damping=dampers[axis][i])
                bodies.append(self._body(name, bodies[-1].name, placement, hinge, piece if last else None))
                placement = Pose()
        rods = [body.name for body in bodies if body.mass > 0]
        marks = {"tip": 1.0, **self.stations}
        return Made(tuple(bodies), tuple(self._frame(name, share, pieces, rods) for name, share in marks.items()))

    def _body(self, name: str, parent: str, placement: Pose, joint: Any, piece: "Piece | None") -> Body:
        if piece is None:
            return Body(name=name, parent=parent, placement=placement, joint=joint, mass=0.0)
        own: Any = piece.own + piece.mass * self.radii() ** 2
        return Body(
            name=name, parent=parent, placement=placement, joint=joint, mass=piece.mass, center=(piece.center, 0, 0),
            inertia=own, shapes=self._shapes(piece.stop - piece.start),
        )  # fmt: skip

    def _shapes(self, length: float) -> tuple[Shape, ...]:
        if self.section:
            return (Box(size=(length, *self.section), placement=Pose(position=(length / 2, 0.0, 0.0))),)
        if self.radius:
            along = Pose(position=(length / 2, 0.0, 0.0), quaternion=_ALONG_X)
            return (Cylinder(radius=self.radius, length=length, placement=along),)
        return ()

    def _frame(self, name: str, share: float, pieces: list["Piece"], rods: list[str]) -> Frame:
        x = share * self.length
        k = next((k for k, piece in enumerate(pieces) if x <= piece.stop), len(pieces) - 1)
        place = Pose(position=(x - pieces[k].start, 0.0, 0.0))
        return Frame(name=f"{self.name}.{name}", body=rods[k], placement=place)

    def _first(self, axis: str, stiffness: np.ndarray) -> float:
        """Lowest frequency (rad/s) of the rods with springs of that axis alone, with the root held, or free."""
        x, pieces = self.hinges()[0], self.pieces()
        start = np.array([piece.start for piece in pieces])
        beyond = start[:, None] >= x  # which hinge moves which piece
        k2 = self.radii()["xyz".index(axis)] ** 2
        if axis == "x":
            rows = np.column_stack([np.ones(len(pieces)), beyond])
            M = sum(piece.mass * k2 * np.outer(row, row) for piece, row in zip(pieces, rows, strict=True))
        else:
            M = np.zeros((len(x) + 2, len(x) + 2))
            for piece, moves in zip(pieces, beyond, strict=True):
                shape = np.array([[1.0, 0.0, *(-x * moves)], [0.0, 1.0, *moves]])  # deflection a + b x, by columns
                M += shape.T @ piece.moments(k2) @ shape
        rigid = len(M) - len(x)
        felt = M[rigid:, rigid:]
        if self.free:
            felt = felt - M[rigid:, :rigid] @ np.linalg.solve(M[:rigid, :rigid], M[:rigid, rigid:])
        scale = 1 / np.sqrt(stiffness)
        return float(1 / np.sqrt(np.linalg.eigvalsh(scale[:, None] * felt * scale)[-1]))


class Piece(NamedTuple):
    """A part of a beam between two places (m from the root)."""

    start: float
    stop: float
    mass: float
    center: float
    """From its start (m)."""
    own: np.ndarray
    """Moments of inertia of the line about its centre (kg m²)."""

    @staticmethod
    def of(line_mass: tuple[float, ...], length: float, start: float, stop: float) -> "Piece":
        """With the mass of a line whose density is linear between stations."""
        stations = np.linspace(0.0, length, max(len(line_mass), 2))
        knots = np.array([start, *(x for x in stations if start < x < stop), stop])
        half, middle = np.diff(knots) / 2, (knots[1:] + knots[:-1]) / 2
        x = np.concatenate([middle - half / np.sqrt(3), middle + half / np.sqrt(3)]) - start
        m = np.concatenate([half, half]) * _at(line_mass, (x + start) / length)  # Gauss: exact for cubics
        mass, center = float(m.sum()), float(m @ x / m.sum())
        spread = float(m @ (x - center) ** 2)
        return Piece(start, stop, mass, center, np.array([0.0, spread, spread]))

    def moments(self, k2: float) -> np.ndarray:
        """Kinetic energy's matrix of a deflection a + b x (x from the beam's root)."""
        at = self.start + self.center
        return np.array([[self.mass, self.mass * at], [self.mass * at, self.mass * (at * at + k2) + self.own[1]]])


def _at(profile: tuple[float, ...], share: np.ndarray) -> np.ndarray:
    """Values of a profile at shares of the length."""
    if len(profile) == 1:
        return np.full(np.shape(share), profile[0])
    return np.interp(share, np.linspace(0.0, 1.0, len(profile)), profile)


def beam(world: World | None = None, /, **keys: Any) -> World:
    """The world with a boom (the keys are `Beam`'s); without a world, one of the boom alone.

    Its rods are "<name>.root", fixed on its carrier, "<name>.1" and on, whose joints are its hinges (a hinge of several
    axes has bodies without mass before it: "<name>.1y"). The frame "<name>.tip" is at its end. They come last in the
    world's order.
    """
    return attached(world, Beam(**keys))
