"""A serial arm: joints in a row, each turning about or sliding along an axis through its link's origin."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm.inertial import Inertial, finite, put, transform
from softdock.spatial import inverse

if TYPE_CHECKING:
    from softdock.arm.denavit_hartenberg import Convention, DenavitHartenberg
    from softdock.arm.platform import Platform
    from softdock.arm.screws import Screws
    from softdock.arm.worlds import Mount
    from softdock.world import Elastic, World
    from softdock.world.shapes import Shape

EARTH = (0.0, 0.0, -9.80665)
"""Gravity's acceleration (m/s²), as `world.Uniform` has it."""


@dataclass(frozen=True, eq=False)
class SerialArm:
    """n joints. Link i's frame has its origin on joint i's axis; at q = 0 it is the joint frame in link i − 1.

    The first joint frame is given in the base frame, in which gravity is given as well. This is also how URDF and
    softdock's worlds describe a joint. Joints have no springs, dampers or friction here.
    """

    placements: np.ndarray
    """(n, 4, 4): link i in link i − 1 at q = 0; the first in the base (m)."""
    axes: np.ndarray
    """(n, 3): unit vectors along the joints, in the links' own frames (-)."""
    prismatic: np.ndarray
    """(n): whether a joint slides instead of turning (-)."""
    inertials: tuple[Inertial, ...]
    """In and along the links' frames."""
    tool: np.ndarray = field(default_factory=lambda: np.eye(4))
    """(4, 4): the tool's frame in the last link (m)."""
    gravity: np.ndarray = field(default_factory=lambda: np.array(EARTH))
    """(3): acceleration of free fall in the base frame (m/s²)."""
    lower: np.ndarray = None  # type: ignore[assignment]
    """(n): lowest joint values; −∞ where there is no limit (m or rad)."""
    upper: np.ndarray = None  # type: ignore[assignment]
    """(n): highest (m or rad)."""
    effort: np.ndarray = None  # type: ignore[assignment]
    """(n): largest force or torque of the motors; ∞ where there is no limit (N or N m)."""
    speed: np.ndarray = None  # type: ignore[assignment]
    """(n): largest speed of the joints; ∞ where there is no limit (m/s or rad/s)."""
    shapes: tuple[tuple[Shape, ...], ...] = ()
    """Of every link, in its frame; none if not given."""
    name: str = "arm"
    links: tuple[str, ...] = ()
    """Names of the links; link1, link2, … if not given."""

    def __post_init__(self) -> None:
        put(self, axes=finite("axes", self.axes, (-1, 3)))
        n = len(self.axes)
        if n == 0:
            raise ValueError("an arm needs at least one joint")
        for k, axis in enumerate(self.axes):
            if abs(np.linalg.norm(axis) - 1) > 1e-9:
                raise ValueError(
                    f"axis of joint {k + 1} has length {np.linalg.norm(axis):.6g}; it must be a unit vector"
                )
        placements = finite("placements", self.placements, (n, 4, 4))
        put(self, placements=np.array([transform(f"placement of link {k + 1}", T) for k, T in enumerate(placements)]))
        put(self, prismatic=np.array(self.prismatic, dtype=bool))
        if self.prismatic.shape != (n,):
            raise ValueError(f"'prismatic' says what {self.prismatic.size} joints do, but there are {n}")
        if len(self.inertials) != n:
            raise ValueError(f"{len(self.inertials)} inertials for {n} links")
        put(self, tool=transform("tool", self.tool))
        put(self, gravity=finite("gravity", self.gravity, (3,)))
        put(self, lower=np.full(n, -np.inf) if self.lower is None else np.array(self.lower, dtype=np.float64))
        put(self, upper=np.full(n, np.inf) if self.upper is None else np.array(self.upper, dtype=np.float64))
        if self.lower.shape != (n,) or self.upper.shape != (n,) or not np.all(self.lower < self.upper):
            raise ValueError(f"'lower' and 'upper' must be {n} numbers each, the lower one below the upper")
        for name in ("effort", "speed"):
            given = getattr(self, name)
            put(self, **{name: np.full(n, np.inf) if given is None else np.array(given, dtype=np.float64)})
            if getattr(self, name).shape != (n,) or not np.all(getattr(self, name) > 0):
                raise ValueError(f"{name!r} must be {n} positive numbers")
        put(self, shapes=tuple(self.shapes) or ((),) * n)
        if len(self.shapes) != n:
            raise ValueError(f"shapes of {len(self.shapes)} links, but there are {n}")
        put(self, links=tuple(self.links) or tuple(f"link{k + 1}" for k in range(n)))
        if len(set(self.links)) != n:
            raise ValueError(f"{n} different names of links are needed, not {self.links}")

    @property
    def n(self) -> int:
        """Number of joints."""
        return len(self.axes)

    @property
    def mass(self) -> float:
        return sum(inertial.mass for inertial in self.inertials)

    def altered(self, **changes: object) -> SerialArm:
        """A checked copy with some fields changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    # --- other descriptions of the same arm ----------------------------------------------------

    def home(self) -> np.ndarray:
        """(n, 4, 4): the links in the base frame at q = 0."""
        frames = [self.placements[0]]
        for T in self.placements[1:]:
            frames.append(frames[-1] @ T)
        return np.array(frames)

    def screws(self) -> Screws:
        """Screw axes in the base frame, home poses of the links and of the tool."""
        from softdock.arm.screws import Screws

        home = self.home()
        w = np.einsum("nij,nj->ni", home[:, :3, :3], self.axes)
        turning = np.hstack([w, np.cross(home[:, :3, 3], w)])
        sliding = np.hstack([np.zeros_like(w), w])
        return Screws(np.where(self.prismatic[:, None], sliding, turning), home[-1] @ self.tool, home)

    def denavit_hartenberg(self, convention: Convention = "standard") -> DenavitHartenberg:
        """A table of the same arm; its base and tool transforms take up what four columns cannot say."""
        from softdock.arm.denavit_hartenberg import table_of

        return table_of(self.screws(), convention)

    def world(self, mount: Mount = "fixed", platform: Platform | None = None, elastic: Elastic | None = None) -> World:
        """The arm as a world: "fixed" to it, or with a platform on a spherical "bearing", a "planar" one, or in
        "orbit"; stiff, or with `elastic` gears."""
        from softdock.arm.platform import CONTROL_BOX
        from softdock.arm.worlds import mounted

        return mounted(self, mount, platform or CONTROL_BOX, elastic)

    def in_frames(self, home: np.ndarray) -> tuple[Inertial, ...]:
        """The links' inertials in other frames fixed to them, given in the base at q = 0 (n, 4, 4)."""
        T = inverse(finite("frames", home, (self.n, 4, 4))) @ self.home()
        return tuple(inertial.moved(T_i) for inertial, T_i in zip(self.inertials, T, strict=True))

    # --- inertial parameters -------------------------------------------------------------------

    def parameters(self) -> np.ndarray:
        """(10 n): `Inertial.parameters` of all links; torques are `regressor(...) @ parameters()`."""
        return np.concatenate([inertial.parameters() for inertial in self.inertials])

    def with_parameters(self, pi: ArrayLike) -> SerialArm:
        """The same arm with other inertial parameters."""
        rows = finite("parameters", pi, (10 * self.n,)).reshape(self.n, 10)
        return self.altered(inertials=tuple(Inertial.of_parameters(row) for row in rows))


def states(arm: SerialArm, **arrays: ArrayLike) -> list[np.ndarray]:
    """Joint arrays brought to one shape (…, n); ValueError names the one that does not fit."""
    out = []
    for name, value in arrays.items():
        array = np.asarray(value, dtype=np.float64)
        if array.ndim == 0 or array.shape[-1] != arm.n:
            raise ValueError(f"{name} has shape {array.shape}; its last axis must have {arm.n} entries, one a joint")
        if not np.all(np.isfinite(array)):
            raise ValueError(f"{name} has an entry that is not finite")
        out.append(array)
    try:
        return list(np.broadcast_arrays(*out))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(arrays, out, strict=True))
        raise ValueError(f"leading axes do not match: {shapes}") from None
