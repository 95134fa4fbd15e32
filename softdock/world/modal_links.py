"""An appendage by its modal data: a rigid body, and a coordinate for every vibration (docs/theory/flexible.md)."""

from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from softdock.world.appendage import Appendage, Made, attached
from softdock.world.describe import Described, Name, Number, _listed
from softdock.world.finite_elements import LOOSE, read_modal
from softdock.world.joints import Fixed, Limits, Mode, NonNegatives, _per_coordinate
from softdock.world.model import Body, Frame, World
from softdock.world.pose import Pose
from softdock.world.shapes import Positive, Shape

MOST_MODES = 200
SMALL = 0.1
"""Turn (rad), and displacement over the appendage's own size, at which a mode leaves its range by default."""
_Row = Annotated[tuple[Number, ...], BeforeValidator(_listed)]


class Piece(Described):
    """A piece of an appendage that the replay draws as the modes move it; to contacts it is where it is at rest."""

    name: Name
    placement: Pose = Pose()
    """In the appendage's frame."""
    shapes: tuple[Shape, ...]
    motion: Annotated[tuple[_Row, ...], BeforeValidator(_listed)]
    """Six rows, as of `participation`: displacement of its origin along the appendage's x, y, z at unit modal
    coordinates, and turn about them (1/√kg, rad/(√kg m))."""


class Modal(Appendage):
    """Vibrations of a part held at its interface, the frame of its root."""

    file: str | None = None
    """From which the data come (`read_modal`), in place of the next four keys."""
    modes: Annotated[int, Field(ge=1, le=MOST_MODES)] | None = None
    """How many of the file's are taken (-)."""
    frequencies: Annotated[tuple[Positive, ...], BeforeValidator(_per_coordinate), Field(max_length=MOST_MODES)] = ()
    """Ascending (Hz)."""
    participation: Annotated[tuple[_Row, ...], BeforeValidator(_listed)] = ()
    """Six rows: momentum along x, y, z and about them, of the interface at unit rate of each mass-normalised mode
    (√kg, √kg m)."""
    mass_matrix: Annotated[tuple[_Row, ...], BeforeValidator(_listed)] = ()
    """6 × 6, of the whole as a rigid body about the interface (kg, kg m, kg m²)."""
    damping_ratio: NonNegatives = (0.005,)
    """One number, or one of each mode (-)."""
    largest: Annotated[tuple[Positive, ...], BeforeValidator(_per_coordinate)] | None = None
    """Modal coordinates beyond which a run tells that the model leaves its range; by default where the mode's share of
    rigid motion is a turn of 0.1 rad, or a tenth of the appendage's radius of gyration (√kg m)."""
    shapes: tuple[Shape, ...] = ()
    """Of the rigid body; the replay moves them as the modes move it on average."""
    pieces: tuple[Piece, ...] = ()
    """Drawn bent, by mode shapes."""

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, data: Any, info: ValidationInfo) -> Any:
        if not (isinstance(data, dict) and isinstance(data.get("file"), str)):
            return data
        if given := {"frequencies", "participation", "mass_matrix"} & data.keys():
            raise ValueError(f"give either 'file' or '{min(given)}', not both")
        from pathlib import Path

        folder = (info.context or {}).get("folder", ".")
        found = read_modal(Path(folder) / data["file"], data.get("modes"))
        said: dict[str, Any] = {"frequencies": found.frequency, "participation": found.participation,
                                "mass_matrix": found.mass_matrix}  # fmt: skip
        if np.any(found.damping_ratio) and "damping_ratio" not in data:
            said["damping_ratio"] = found.damping_ratio
        rest = {key: value for key, value in data.items() if key not in ("file", "modes")}
        return rest | {key: np.asarray(value).tolist() for key, value in said.items()}

    @model_validator(mode="after")
    def _whole(self) -> "Modal":
        n = len(self.frequencies)
        if n == 0:
            raise ValueError(f"modal {self.name!r}: needs 'file', or 'frequencies', 'participation' and 'mass_matrix'")
        for k in range(1, n):
            if self.frequencies[k] < self.frequencies[k - 1]:
                raise ValueError(
                    f"modal {self.name!r}: frequencies are out of order: mode {k + 1} has {self.frequencies[k]:g} Hz "
                    f"after {self.frequencies[k - 1]:g} Hz"
                )
        for key, width in (("participation", n), ("mass_matrix", 6)):
            rows = getattr(self, key)
            if len(rows) != 6 or any(len(row) != width for row in rows):
                raise ValueError(f"modal {self.name!r}: {key} takes 6 rows of {width} numbers")
        for key in ("damping_ratio", "largest"):
            given = getattr(self, key)
            if given is not None and len(given) not in (1, n):
                raise ValueError(f"modal {self.name!r}: {key} takes 1 or {n} numbers, not {len(given)}")
        for piece in self.pieces:
            if len(piece.motion) != 6 or any(len(row) != n for row in piece.motion):
                raise ValueError(f"modal {self.name!r}: motion of piece {piece.name!r} takes 6 rows of {n} numbers")
        _rigid(self.name, np.array(self.mass_matrix))
        _refuse_too_much(self.name, np.array(self.participation), np.array(self.mass_matrix))
        return self

    def made(self, at: Frame) -> Made:
        mass, center, inertia = _rigid(self.name, np.array(self.mass_matrix))
        body = Body(
            name=self.name, parent=at.body, placement=at.placement, joint=Fixed(), mass=mass, center=center,
            inertia=inertia, shapes=self.shapes,
        )  # fmt: skip
        pieces = (
            Body(
                name=f"{self.name}.{piece.name}", parent=self.name, placement=piece.placement, joint=Fixed(), mass=0.0,
                shapes=piece.shapes,
            )
            for piece in self.pieces
        )  # fmt: skip
        return Made((body, *(self._mode(k) for k in range(len(self.frequencies))), *pieces))

    def _mode(self, k: int) -> Body:
        column: Any = [row[k] for row in self.participation]
        joint = Mode(
            frequency=self.frequencies[k], damping_ratio=self.damping_ratio[k % len(self.damping_ratio)],
            linear=column[:3], angular=column[3:],
            limits=Limits(lower=(-self.ranges()[k],), upper=(self.ranges()[k],)), moves=self._moves(k),
        )  # fmt: skip
        return Body(name=f"{self.name}.mode{k + 1}", parent=self.name, joint=joint, mass=0.0)

    def _moves(self, k: int) -> Any:
        return {f"{self.name}.{piece.name}": [row[k] for row in piece.motion] for piece in self.pieces}

    def ranges(self) -> list[float]:
        """Of each mode: the coordinate at which it leaves its range (√kg m)."""
        n = len(self.frequencies)
        if self.largest is not None:
            return [self.largest[k % len(self.largest)] for k in range(n)]
        M = np.array(self.mass_matrix)
        moved = np.linalg.solve(M, np.array(self.participation))
        size = np.sqrt(np.trace(M[3:, 3:]) / (2 * M[0, 0]))
        share = np.maximum(np.linalg.norm(moved[3:], axis=0), np.linalg.norm(moved[:3], axis=0) / size)
        return [SMALL / x if x > 0 else 1e300 for x in share.tolist()]


def _rigid(name: str, M: np.ndarray) -> tuple[float, Any, Any]:
    """Mass, centre and inertia about it; ValueError if it is no rigid body's matrix."""
    mass = float(np.trace(M[:3, :3]) / 3)
    if not mass > 0:
        raise ValueError(f"modal {name!r}: mass_matrix has no mass")
    first = (M[3:, :3] - M[3:, :3].T) / 2  # skew of the first moment
    center = np.array([first[2, 1], first[0, 2], first[1, 0]]) / mass
    C = np.array([[0, -center[2], center[1]], [center[2], 0, -center[0]], [-center[1], center[0], 0]])
    inertia = (M[3:, 3:] + M[3:, 3:].T) / 2 + mass * C @ C
    again = np.block([[mass * np.eye(3), -mass * C], [mass * C, inertia - mass * C @ C]])
    size = np.sqrt(np.outer(again.diagonal(), again.diagonal()))
    missed = np.abs(M - again).max(initial=0.0, where=size > 0)
    if missed > 1e3 * LOOSE * size.max():
        raise ValueError(f"modal {name!r}: mass_matrix is no rigid body's: it misses that by {missed:.3g}")
    return mass, tuple(center.tolist()), inertia.tolist()


def _refuse_too_much(name: str, L: np.ndarray, M: np.ndarray) -> None:
    """Modes cannot move more mass than there is: M − L Lᵀ is what is left with all of them."""
    try:
        back = np.linalg.inv(np.linalg.cholesky(M + 1e-12 * np.diag(M.diagonal())))
    except np.linalg.LinAlgError:
        raise ValueError(f"modal {name!r}: mass_matrix is not positive") from None
    left = np.eye(6)
    for k, column in enumerate((back @ L).T):
        left = left - np.outer(column, column)
        lowest = float(np.linalg.eigvalsh(left)[0])
        if lowest < -LOOSE:
            raise ValueError(
                f"modal {name!r}: with mode {k + 1} the participation exceeds the rigid mass: by {-100 * lowest:.3g} % "
                "in some direction"
            )


def modal(world: World | None = None, /, **keys: Any) -> World:
    """The world with an appendage by its modal data (the keys are `Modal`'s).

    "<name>" is it as a rigid body, fixed on its carrier; "<name>.mode1" and on are its modal coordinates. Small
    vibrations: centre of mass and momentum follow to first order, but fast spin does not stiffen it.
    """
    return attached(world, Modal(**keys))
