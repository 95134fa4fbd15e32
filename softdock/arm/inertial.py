"""What a link weighs: mass, centre of mass and inertia, and the ten numbers in which torques are linear."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from softdock.spatial import skew

PARAMETERS = ("m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
"""A link's ten parameters: mass (kg), mass times centre (kg m), inertia about the link frame's origin (kg m²)."""

_ROWS, _COLUMNS = np.array([0, 1, 2, 0, 0, 1]), np.array([0, 1, 2, 1, 2, 2])


@dataclass(frozen=True, eq=False)
class Inertial:
    """Mass properties in and along a frame.

    Numbers that no body can have are accepted (an estimate may be such); `SerialArm.world` refuses them.
    """

    mass: float
    """(kg)."""
    center: np.ndarray
    """(3): centre of mass (m)."""
    inertia: np.ndarray
    """(3, 3): about that centre (kg m²)."""

    def __post_init__(self) -> None:
        center, inertia = finite("centre of mass", self.center, (3,)), finite("inertia", self.inertia, (3, 3))
        put(self, mass=float(self.mass), center=center, inertia=inertia)
        if not np.isfinite(self.mass):
            raise ValueError(f"mass is {self.mass}, not a finite number")
        if np.max(np.abs(self.inertia - self.inertia.T)) > 1e-9 * max(np.max(np.abs(self.inertia)), 1e-300):
            raise ValueError("inertia is not symmetric")

    def moved(self, T_AB: np.ndarray) -> "Inertial":
        """The same in frame A, of this in frame B."""
        R, p = T_AB[:3, :3], T_AB[:3, 3]
        return Inertial(self.mass, p + R @ self.center, R @ self.inertia @ R.T)

    def __add__(self, other: "Inertial") -> "Inertial":
        """Two bodies in the same frame as one."""
        return Inertial.of_parameters(self.parameters() + other.parameters())

    @property
    def about_origin(self) -> np.ndarray:
        """Inertia about the frame's origin (3, 3)."""
        return self.inertia + self.mass * (self.center @ self.center * np.eye(3) - np.outer(self.center, self.center))

    def parameters(self) -> np.ndarray:
        """The ten numbers, in the order of `PARAMETERS`."""
        return np.concatenate([[self.mass], self.mass * self.center, self.about_origin[_ROWS, _COLUMNS]])

    @staticmethod
    def of_parameters(pi: ArrayLike) -> "Inertial":
        """The link with these ten numbers; a link without mass has its centre at the origin."""
        values = finite("parameters of a link", pi, (10,))
        I = np.empty((3, 3))
        I[_ROWS, _COLUMNS] = I[_COLUMNS, _ROWS] = values[4:]
        center = values[1:4] / values[0] if values[0] else np.zeros(3)
        return Inertial(values[0], center, I - values[0] * (center @ center * np.eye(3) - np.outer(center, center)))

    def spatial(self) -> np.ndarray:
        """The 6 x 6 inertia about the frame's origin, angular first: a block of J in Korczyk et al."""
        H = self.mass * skew(self.center)
        return np.block([[self.about_origin, H], [-H, self.mass * np.eye(3)]])


def put(record: object, **values: object) -> None:
    """Set fields of a frozen record while it is being made."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def finite(name: str, value: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    """A float64 array of that shape (-1 for any length) with finite entries; ValueError otherwise."""
    array = np.array(value, dtype=np.float64)
    if array.ndim != len(shape) or any(want not in (-1, have) for want, have in zip(shape, array.shape, strict=True)):
        wanted = " x ".join("n" if want < 0 else str(want) for want in shape)
        raise ValueError(f"{name} must be {wanted} numbers, not {' x '.join(map(str, array.shape)) or 'one'}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} has an entry that is not finite")
    return array


def transform(name: str, value: ArrayLike) -> np.ndarray:
    """A homogeneous 4 x 4 transform; ValueError if it is not one."""
    T = finite(name, value, (4, 4))
    R = T[:3, :3]
    if np.max(np.abs(R.T @ R - np.eye(3))) > 1e-9 or np.linalg.det(R) < 0 or np.any(T[3] != (0, 0, 0, 1)):
        raise ValueError(f"{name} is not a rigid transform")
    return T
