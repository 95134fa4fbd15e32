"""An arm by its Denavit-Hartenberg table, in either convention."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm.inertial import Inertial, finite, put, transform
from softdock.arm.screws import Screws
from softdock.arm.serial import EARTH, SerialArm
from softdock.spatial import inverse

Convention = Literal["standard", "modified"]
COLUMNS = ("a", "alpha", "d", "theta")


@dataclass(frozen=True, eq=False)
class DenavitHartenberg:
    """Rows a (m), alpha (rad), d (m), theta (rad); the joint's value adds to theta, or to d where it slides.

    standard: T_{i−1,i} = Rz(theta) Tz(d) Tx(a) Rx(alpha), joint i about z of frame i − 1;
    modified: T_{i−1,i} = Rx(alpha) Tx(a) Rz(theta) Tz(d), joint i about z of frame i, so that a and alpha of row i are
    those between axes i − 1 and i.
    """

    table: np.ndarray
    """(n, 4): rows a (m), alpha (rad), d (m), theta (rad)."""
    convention: Convention = "standard"
    prismatic: np.ndarray = None  # type: ignore[assignment]
    """(n): whether a joint slides; none does if not given (-)."""
    base: np.ndarray = field(default_factory=lambda: np.eye(4))
    """(4, 4): frame 0 in the base (m)."""
    tool: np.ndarray = field(default_factory=lambda: np.eye(4))
    """(4, 4): the tool in frame n (m)."""

    def __post_init__(self) -> None:
        table = np.asarray(self.table, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != 4 or len(table) == 0:
            shape = " x ".join(map(str, table.shape)) or "one number"
            raise ValueError(
                f"a D-H table has a row a joint with 4 columns ({', '.join(COLUMNS)}), this one is {shape}"
            )
        put(self, table=finite("D-H table", table, (-1, 4)))
        put(self, prismatic=np.array(np.zeros(len(table)) if self.prismatic is None else self.prismatic, dtype=bool))
        if self.prismatic.shape != (len(table),):
            raise ValueError(f"'prismatic' says what {self.prismatic.size} joints do, but the table has {len(table)}")
        if self.convention not in get_args(Convention):
            raise ValueError(f"convention must be 'standard' or 'modified', not {self.convention!r}")
        put(self, base=transform("base", self.base))
        put(self, tool=transform("tool", self.tool))

    def frames(self, q: ArrayLike) -> np.ndarray:
        """(n, 4, 4): frames 1 … n in the base."""
        T, out = self.base, []
        for row, slides, x in zip(self.table, self.prismatic, finite("q", q, (len(self.table),)), strict=True):
            a, alpha, d, theta = row
            along_z, along_x = _screw_z(theta + x * (not slides), d + x * slides), _screw_x(alpha, a)
            T = T @ along_z @ along_x if self.convention == "standard" else T @ along_x @ along_z
            out.append(T)
        return np.array(out)

    def pose(self, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """R (3, 3) and p (3) of the tool in the base frame."""
        T = self.frames(q)[-1] @ self.tool
        return T[:3, :3], T[:3, 3]

    def in_convention(self, convention: Convention) -> "DenavitHartenberg":
        """The same frames' axes in the other convention: a and alpha move by one row."""
        if convention == self.convention:
            return self
        table, first, last = self.table.copy(), np.eye(4), np.eye(4)
        if convention == "standard":
            first = _screw_x(self.table[0, 1], self.table[0, 0])
            table[:-1, :2], table[-1, :2] = self.table[1:, :2], 0.0
        else:
            last = _screw_x(self.table[-1, 1], self.table[-1, 0])
            table[1:, :2], table[0, :2] = self.table[:-1, :2], 0.0
        return DenavitHartenberg(table, convention, self.prismatic, self.base @ first, last @ self.tool)

    def screws(self) -> Screws:
        """The same arm by screw axes; link frames are the table's."""
        frames = self.frames(np.zeros(len(self.table)))
        carriers = frames if self.convention == "modified" else np.concatenate([self.base[None], frames[:-1]])
        z, p = carriers[:, :3, 2], carriers[:, :3, 3]
        turning, sliding = np.hstack([z, np.cross(p, z)]), np.hstack([np.zeros_like(z), z])
        return Screws(np.where(self.prismatic[:, None], sliding, turning), frames[-1] @ self.tool, frames)

    def arm(
        self, inertials: Sequence[Inertial], gravity: ArrayLike = EARTH, name: str = "arm", links: Sequence[str] = ()
    ) -> SerialArm:
        """The arm of this table with inertials in and along its frames 1 … n."""
        return self.screws().arm(inertials, gravity, name, links)


def table_of(screws: Screws, convention: Convention) -> DenavitHartenberg:
    """The table of an arm given by screw axes; frame 0 is frame 1's joint axis at q = 0.

    x of each frame lies along the common normal to the next axis. Axes that are parallel, or nearly so, have no
    normal that is well defined: parallel to 1e-12 counts as parallel, and a table that does not reproduce the arm to
    1e-9 because they are only nearly so is refused.
    """
    along = np.where(screws.prismatic[:, None], screws.axes[:, 3:], screws.axes[:, :3])
    points = np.where(
        screws.prismatic[:, None], screws.links[:, :3, 3], np.cross(screws.axes[:, :3], screws.axes[:, 3:])
    )
    origin, x = points[0], _across(along[0])
    base, rows, theta, d = None, [], 0.0, 0.0
    previous = (0.0, 0.0)
    for k in range(len(along)):
        z = along[k]
        foot, x_next = origin, x
        if k + 1 < len(along):
            foot, x_next, gap = _common_normal(origin, x, z, points[k + 1], along[k + 1])
        if base is None:
            origin, x = foot, x_next
            base = _frame(origin, x, z)
        theta, d = _angle(x, x_next, z), float((foot - origin) @ z)
        rows.append([*previous, d, theta])
        if k + 1 < len(along):
            previous = (gap, _angle(z, along[k + 1], x_next))
            origin, x = foot + gap * x_next, x_next
    assert base is not None
    made = DenavitHartenberg(np.array(rows), "modified", screws.prismatic, base)
    end = made.frames(np.zeros(len(along)))[-1]
    made = DenavitHartenberg(made.table, "modified", screws.prismatic, base, _rigid(inverse(end) @ screws.home))
    _refuse_inexact(made, screws)
    return made.in_convention(convention)


def _common_normal(
    origin: np.ndarray, x: np.ndarray, z: np.ndarray, point: np.ndarray, z_next: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Foot of the common normal on the line (origin, z), its direction, and its signed length to the next line."""
    normal, between = np.cross(z, z_next), point - origin
    sine = float(np.linalg.norm(normal))
    if sine > 1e-12:
        normal /= sine
        foot = origin + z * float(np.cross(between, z_next) @ normal / sine)
        return foot, normal, float(between @ normal)
    across = between - z * float(between @ z)
    length = float(np.linalg.norm(across))
    return (origin, across / length, length) if length > 1e-12 else (origin, x, 0.0)


def _refuse_inexact(made: DenavitHartenberg, screws: Screws) -> None:
    q = np.linspace(-1.0, 1.3, len(screws.axes))
    error = max(float(np.max(np.abs(a - b))) for a, b in zip(made.pose(q), screws.pose(q), strict=True))
    if error > 1e-9:
        raise ValueError(
            f"no D-H table reproduces this arm well (error {error:.1g}): neighbours are parallel but for rounding"
        )


def _across(z: np.ndarray) -> np.ndarray:
    """Some unit vector across z."""
    other = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    return other / np.linalg.norm(other)


def _angle(u: np.ndarray, w: np.ndarray, about: np.ndarray) -> float:
    return float(np.arctan2(np.cross(u, w) @ about, u @ w))


def _frame(origin: np.ndarray, x: np.ndarray, z: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.column_stack([x, np.cross(z, x), z]), origin
    return _rigid(T)


def _rigid(T: np.ndarray) -> np.ndarray:
    """Rounding taken out of a rotation, by its nearest orthogonal matrix."""
    U, _, V = np.linalg.svd(T[:3, :3])
    out = T.copy()
    out[:3, :3] = U @ V
    return out


def _screw_z(theta: float, d: float) -> np.ndarray:
    c, s = np.cos(theta), np.sin(theta)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, d], [0, 0, 0, 1]])


def _screw_x(alpha: float, a: float) -> np.ndarray:
    c, s = np.cos(alpha), np.sin(alpha)
    return np.array([[1, 0, 0, a], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])
