"""An arm by its screw axes: product of exponentials (Korczyk et al., eqs. 8-12)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm.inertial import Inertial, finite, put, transform
from softdock.arm.serial import EARTH, SerialArm
from softdock.spatial import inverse, screw_motion


@dataclass(frozen=True, eq=False)
class Screws:
    """Screw axes S_i = (ω, v) in the base frame at q = 0: T(q) = exp([S_1] q_1) … exp([S_n] q_n) M.

    A turning joint has |ω| = 1 and v = −ω × r for a point r on its axis; a sliding one ω = 0 and |v| = 1.
    """

    axes: np.ndarray
    """(n, 6): angular part (-) first, then linear (m)."""
    home: np.ndarray
    """(4, 4): M, the tool at q = 0 (m)."""
    links: np.ndarray = None  # type: ignore[assignment]
    """(n, 4, 4): frames fixed to the links, in the base at q = 0 (m). If not given: along the base's axes, origins on
    the joints' axes as near the base's origin as they come."""

    def __post_init__(self) -> None:
        put(self, axes=finite("screw axes", self.axes, (-1, 6)), home=transform("home pose", self.home))
        for k, (w, v) in enumerate(zip(self.axes[:, :3], self.axes[:, 3:], strict=True)):
            _check(k + 1, w, v)
        links = (
            np.array([_translation(np.cross(S[:3], S[3:])) for S in self.axes]) if self.links is None else self.links
        )
        links = finite("link frames", links, (len(self.axes), 4, 4))
        put(self, links=np.array([transform(f"frame of link {k + 1}", T) for k, T in enumerate(links)]))

    @property
    def prismatic(self) -> np.ndarray:
        """(n): whether a joint slides."""
        return np.all(self.axes[:, :3] == 0, axis=1)

    def pose(self, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """R (3, 3) and p (3) of the tool in the base frame, eq. 8."""
        T = self.home
        for S, angle in zip(self.axes[::-1], finite("q", q, (len(self.axes),))[::-1], strict=True):
            T = screw_motion(S, angle) @ T
        return T[:3, :3], T[:3, 3]

    def arm(
        self, inertials: Sequence[Inertial], gravity: ArrayLike = EARTH, name: str = "arm", links: Sequence[str] = ()
    ) -> SerialArm:
        """The arm with these axes and these inertials, which are in and along `self.links`.

        Its link frames are `self.links`, shifted to the nearest point of their joints' axes.
        """
        n = len(self.axes)
        if len(inertials) != n:
            raise ValueError(f"{len(inertials)} inertials for {n} links")
        w, v = self.axes[:, :3], self.axes[:, 3:]
        home = self.links.copy()
        off = v - np.cross(home[:, :3, 3], w)  # −ω × (r − p): what v lacks of an axis through the frame's origin
        home[:, :3, 3] += np.where(self.prismatic[:, None], 0.0, np.cross(w, off))
        placements = np.concatenate([home[:1], inverse(home[:-1]) @ home[1:]])
        along = np.where(self.prismatic[:, None], v, w)
        own = inverse(home) @ self.links
        return SerialArm(
            placements=placements,
            axes=np.einsum("nji,nj->ni", home[:, :3, :3], along),
            prismatic=self.prismatic,
            inertials=tuple(inertial.moved(T) for inertial, T in zip(inertials, own, strict=True)),
            tool=inverse(home[-1]) @ self.home,
            gravity=np.array(gravity, dtype=np.float64),
            name=name,
            links=tuple(links),
        )


def _check(joint: int, w: np.ndarray, v: np.ndarray) -> None:
    turning = bool(np.any(w))
    length = float(np.linalg.norm(w if turning else v))
    if abs(length - 1) > 1e-9:
        part = "angular part" if turning else "linear part (its angular part is zero)"
        raise ValueError(f"screw axis {joint}: {part} has length {length:.6g}; it must be a unit vector")
    if turning and abs(w @ v) > 1e-9:
        raise ValueError(f"screw axis {joint}: pitch is {w @ v:.6g} m/rad; only joints without pitch are known")


def _translation(p: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = p
    return T
