"""An arm on a platform that floats on a spherical bearing: torque about the bearing, and what balances it."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm.inertial import Inertial, put, transform
from softdock.arm.kinematics import Motions, link_frames, motions
from softdock.arm.serial import SerialArm


@dataclass(frozen=True, eq=False)
class Platform:
    """What carries the arm. Its frame has its origin at the bearing's centre."""

    inertial: Inertial
    mount: np.ndarray = field(default_factory=lambda: np.eye(4))
    """(4, 4): the arm's base in the platform's frame (m)."""

    def __post_init__(self) -> None:
        put(self, mount=transform("mount", self.mount))

    def with_mass(self, mass: float, position: ArrayLike) -> "Platform":
        """The platform with a point mass (kg) fixed at a position (m) in its frame."""
        point = Inertial(mass, np.asarray(position, dtype=np.float64), np.zeros((3, 3)))
        return Platform(self.inertial + point, self.mount)


def _box(mass: float, size: tuple[float, float, float], center: tuple[float, float, float]) -> Inertial:
    x, y, z = np.square(size)
    return Inertial(mass, np.array(center), mass / 12 * np.diag([y + z, x + z, x + y]))


def _at(x: float, y: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


CONTROL_BOX = Platform(_box(40.0, (0.5, 0.4, 0.25), (-0.25, 0.0, -0.05)), _at(0.15, 0.0, 0.1))
"""Control box and table as one box: 40 kg, 0.5 x 0.4 x 0.25 m, across the bearing from the arm. Korczyk et al. give no
figures of its platform; these are chosen."""


def bearing_torque(arm: SerialArm, platform: Platform, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> np.ndarray:
    """Torque (…, 3) by which the bearing, locked, holds the platform while the arm moves; platform's axes (N m).

    The momentum method of Korczyk et al. (eqs. 14-21) with each link's angular momentum about the bearing o as it is,
    H = I ω + m r × ṙ: torque = Σ (Ḣ − r × m g) over the links and the platform, whose own Ḣ is zero.
    """
    m, r, moving = _about_bearing(arm, platform, q, v, a)
    turn = _turning(arm, moving)
    rate = turn + np.cross(r, m[:, None] * moving.acceleration)
    return _summed(arm, platform, m, r, rate)


def bearing_torque_as_printed(
    arm: SerialArm, platform: Platform, q: ArrayLike, v: ArrayLike, a: ArrayLike
) -> np.ndarray:
    """`bearing_torque` with eq. 14's H = I ω + m r × (ω × r), to show what it leaves out.

    That is a link's angular momentum if it turns about the bearing itself; a link of an arm turns about its joint, and
    that joint is elsewhere and moves.
    """
    m, r, moving = _about_bearing(arm, platform, q, v, a)
    w, dw, dr = moving.angular_velocity, moving.angular_acceleration, moving.velocity
    speed = np.cross(w, r)
    rate = _turning(arm, moving) + m[:, None] * (np.cross(dr, speed) + np.cross(r, np.cross(dw, r) + np.cross(w, dr)))
    return _summed(arm, platform, m, r, rate)


class Balance(NamedTuple):
    """A mass on the platform."""

    mass: float
    """(kg)."""
    position: np.ndarray
    """(3): where it goes (m)."""


def first_moment(arm: SerialArm, platform: Platform, q: ArrayLike) -> np.ndarray:
    """Σ m r of platform and arm about the bearing (…, 3), kg m, in the platform's axes."""
    T = platform.mount @ link_frames(arm, q)
    m = np.array([link.mass for link in arm.inertials])
    c = np.array([link.center for link in arm.inertials])
    r = np.einsum("...nij,nj->...ni", T[..., :3, :3], c) + T[..., :3, 3]
    return np.sum(m[:, None] * r, axis=-2) + platform.inertial.mass * platform.inertial.center


def balance(arm: SerialArm, platform: Platform, q: ArrayLike, distance: float) -> Balance:
    """The mass at a distance (m) from the bearing that puts the centre of mass on it, with the arm held at q (n).

    Along a motion, q (…, n), it puts it there on average: the mean square of gravity's torque is then least.
    """
    if not distance > 0:
        raise ValueError(f"distance of the balance mass is {distance}; it must be positive")
    moment = first_moment(arm, platform, q).reshape(-1, 3).mean(axis=0)
    size = float(np.linalg.norm(moment))
    return Balance(size / distance, -moment * (distance / size) if size else np.zeros(3))


def _about_bearing(
    arm: SerialArm, platform: Platform, q: ArrayLike, v: ArrayLike, a: ArrayLike
) -> tuple[np.ndarray, np.ndarray, Motions]:
    """Masses (n), centres from the bearing (…, n, 3) and motions of the links, along the arm base's axes."""
    moving = motions(arm, q, v, a)
    bearing = -platform.mount[:3, :3].T @ platform.mount[:3, 3]
    return np.array([link.mass for link in arm.inertials]), moving.center - bearing, moving


def _turning(arm: SerialArm, moving: Motions) -> np.ndarray:
    """d/dt (I ω) = I ω̇ + ω × I ω (…, n, 3) of each link about its centre of mass."""
    I = moving.R @ np.array([link.inertia for link in arm.inertials]) @ np.swapaxes(moving.R, -1, -2)
    spin, change = ((I @ x[..., None])[..., 0] for x in (moving.angular_velocity, moving.angular_acceleration))
    return change + np.cross(moving.angular_velocity, spin)


def _summed(arm: SerialArm, platform: Platform, m: np.ndarray, r: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Eq. 21 over the links, and eq. 20 for the platform itself, along the platform's axes."""
    R, own = platform.mount[:3, :3], platform.inertial
    links = np.sum(rate - np.cross(r, m[:, None] * arm.gravity), axis=-2)
    return links @ R.T - np.cross(own.center, own.mass * (R @ arm.gravity))
