"""Motions whose clearances can be certified: of a world's joints along cubics, as recorded, or of single rigid bodies.

The points of a shape on a chain of joints move by its levers ρ, their largest distances from the joints' origins: with
rates ω and accelerations α of the joints, and W the sum of the rates of the turning joints before one,

    speed ≤ Σ ω_j ρ_j,     acceleration ≤ Σ (α_j + ω_j² + 2 W_j ω_j) ρ_j,                      (1)

where ρ_j is 1, and ω_j² does not count, for a joint that slides.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.mechanics.tree import WORLD_LINK
from softdock.planning.bounds import chain_bounds, sizes_of
from softdock.planning.clearance import Bounds, Course
from softdock.spatial import angle_between, quaternion_of_vector, quaternion_product, turn_between, vector_of_quaternion


class Cubics(Protocol):
    """Cubic pieces as SciPy's `CubicSpline` has them: piece i from x[i] on is Σ c[k, i] (t − x[i])^(3 − k)."""

    @property
    def x(self) -> np.ndarray:
        """(K + 1) (s)."""
        ...

    @property
    def c(self) -> np.ndarray:
        """(4, K, n) (m or rad, per power of s)."""
        ...


class Rates(NamedTuple):
    """Bounds on every link's joint during k stretches, (k, links) each."""

    rate: np.ndarray
    """(rad/s or m/s)."""
    acceleration: np.ndarray
    """(rad/s² or m/s²)."""
    slide: np.ndarray
    """How far a sliding joint's link is from where it is at zero (m)."""


class Chains:
    """What bounds the points of a world's bodies, by what bounds its joints."""

    def __init__(self, dynamics: Dynamics) -> None:
        self._dynamics, self._links = dynamics, dynamics.tree.links
        self._turns = np.array([link.kind in "RS" for link in self._links])
        self._lengths = np.array([np.linalg.norm(link.p_PL) for link in self._links])
        self._rates = np.array([(link.v, link.v + link.dof) for link in self._links])
        """Where the rates of each link's joint are in v."""
        self._slides = np.array(
            [(link.q, link.q + link.dof * (not turns)) for link, turns in zip(self._links, self._turns, strict=True)]
        )

    def poses(self, body: str, q: np.ndarray) -> np.ndarray:
        """(k, 4, 4) at configurations q (k, nq)."""
        X = np.zeros((len(q), 4, 4))
        X[:, :3, :3], X[:, :3, 3] = self._dynamics.pose(body, q)
        X[:, 3, 3] = 1.0
        return X

    def bounds(self, body: str, radius: float, rates: Rates) -> Bounds:
        """Eq. (1)."""
        place = self._dynamics.tree.places[body]
        lever, chain = radius + float(np.linalg.norm(place.p_LB)), np.array(self._to_root(place.link), dtype=np.int64)
        speed, acceleration = chain_bounds(chain, self._turns, self._lengths, lever, *rates)
        return Bounds(speed, acceleration)

    def _to_root(self, link: int) -> list[int]:
        return [] if link == WORLD_LINK else [link, *self._to_root(self._links[link].parent)]

    def sizes(self, of_v: np.ndarray) -> np.ndarray:
        """(k, links) of rates or accelerations (k, nv)."""
        return np.asarray(sizes_of(of_v, self._rates))

    def slides(self, q: np.ndarray) -> np.ndarray:
        """(k, links) at configurations (k, nq)."""
        return np.asarray(sizes_of(q, self._slides))

    def moved(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """(k, links): how far, by the shortest way, joints go between configurations (k, nq)."""
        far = []
        for link in self._links:
            at = slice(link.q, link.q + (4 if link.kind == "S" else link.dof))
            a, b = before[:, at], after[:, at]
            far.append(angle_between(a, b) if link.kind == "S" else np.linalg.norm(b - a, axis=1))
        return np.stack([*far, np.zeros(len(before))], axis=1)[:, :-1]


class Last:
    """What was made of arrays when it was last asked for: clearances ask the same of one body after the other."""

    def __init__(self) -> None:
        self._last: tuple[tuple[np.ndarray, ...], Any] = ((), None)

    def of(self, make: Callable[[], Any], *arrays: np.ndarray) -> Any:
        """Made anew if their numbers are others than the last."""
        asked, made = self._last
        if len(asked) != len(arrays) or not all(map(np.array_equal, asked, arrays)):
            made = make()
            self._last = tuple(one.copy() for one in arrays), made
        return made


class JointMotion:
    """A world whose `joints` go along cubics, with all else at rest at `q` (m or rad)."""

    def __init__(self, dynamics: Dynamics, joints: Sequence[str], q: ArrayLike, cubics: Cubics) -> None:
        self._chains, self._nv, self._cubics = Chains(dynamics), dynamics.nv, cubics
        self._q, self._at, self._bounded = np.array(q, dtype=np.float64), Last(), Last()
        self._in_q, self._in_v = dynamics.layout.flat(joints)
        self.times = np.array(cubics.x, dtype=np.float64)
        """Where pieces begin, and the last one ends (s): accelerations may jump there."""
        if cubics.c.shape != (4, len(self.times) - 1, len(self._in_q)):
            raise ValueError(f"cubics of {len(self._in_q)} joints have c of shape (4, K, n), not {cubics.c.shape}")

    def poses(self, body: str, t: np.ndarray) -> np.ndarray:
        return self._chains.poses(body, self._configured(t))

    def _configured(self, t: np.ndarray) -> np.ndarray:
        """Configurations (k, nq) at times t (k)."""
        return np.asarray(self._at.of(lambda: self._whole(self._states(t, t)[0]), t))

    def bounds(self, body: str, radius: float, begin: np.ndarray, end: np.ndarray) -> Bounds:
        return self._chains.bounds(body, radius, self._bounded.of(lambda: self._rates(begin, end), begin, end))

    def _rates(self, begin: np.ndarray, end: np.ndarray) -> Rates:
        middle, wide = (begin + end) / 2, (end - begin)[:, None]
        (q0, v0, a0), (q1, v1, a1) = self._states(begin, middle), self._states(end, middle)
        rate = np.maximum(np.abs(v0), np.abs(v1)) + wide / 8 * np.abs(a1 - a0)  # a parabola is so far off its chord
        farthest = self._whole(np.maximum(np.abs(q0), np.abs(q1)) + wide / 2 * rate)
        sizes = []
        for part in (rate, np.maximum(np.abs(a0), np.abs(a1))):
            v = np.zeros((len(begin), self._nv))
            v[:, self._in_v] = part
            sizes.append(self._chains.sizes(v))
        return Rates(sizes[0], sizes[1], self._chains.slides(farthest))

    def _whole(self, planned: np.ndarray) -> np.ndarray:
        whole = np.repeat(self._q[None], len(planned), axis=0)
        whole[:, self._in_q] = planned
        return whole

    def _states(self, t: np.ndarray, within: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions, rates, accelerations (k, n) at t by the pieces that hold the times `within`."""
        k = self.times[1:-1].searchsorted(within, side="right")
        s, (c3, c2, c1, c0) = (t - self.times[k])[:, None], self._cubics.c[:, k]
        return c0 + s * (c1 + s * (c2 + s * c3)), c1 + s * (2 * c2 + 3 * s * c3), 2 * c2 + 6 * s * c3


class RecordedMotion:
    """A world as recorded: configurations `q` (m or rad), K × nq, at K times `t` (s), and between two of them steady
    rates of all joints, as softdock's step has them. Where rows are further apart than steps, what is certified is this
    interpolation."""

    def __init__(self, dynamics: Dynamics, t: ArrayLike, q: ArrayLike) -> None:
        self._chains, self._quaternions = Chains(dynamics), dynamics.layout.quaternions()
        self.times, self._q = np.array(t, dtype=np.float64), np.array(q, dtype=np.float64)
        if self._q.shape != (len(self.times), dynamics.nq):
            raise ValueError(f"{len(self.times)} rows of q must have shape ({len(self.times)}, {dynamics.nq})")
        self._turns = [
            vector_of_quaternion(turn_between(self._q[:-1, at : at + 4], self._q[1:, at : at + 4]))
            for at in self._quaternions
        ]
        self._at, self._bounds = Last(), dict[tuple[str, float], Bounds]()
        wide = np.diff(self.times)[:, None]
        slides = self._chains.slides(self._q)
        self._rates = Rates(
            self._chains.moved(self._q[:-1], self._q[1:]) / wide,
            np.zeros((len(wide), slides.shape[1])),
            np.maximum(slides[:-1], slides[1:]),
        )

    def poses(self, body: str, t: np.ndarray) -> np.ndarray:
        return self._chains.poses(body, self._at.of(lambda: self._between(t), t))

    def _between(self, t: np.ndarray) -> np.ndarray:
        """Configurations (k, nq) at times t (k)."""
        k = self._row(t)
        s = ((t - self.times[k]) / (self.times[k + 1] - self.times[k]))[:, None]
        q = (1 - s) * self._q[k] + s * self._q[k + 1]
        for at, turn in zip(self._quaternions, self._turns, strict=True):
            part = slice(at, at + 4)
            q[:, part] = quaternion_product(self._q[k, part], quaternion_of_vector(s * turn[k]))
        return np.asarray(q)

    def bounds(self, body: str, radius: float, begin: np.ndarray, end: np.ndarray) -> Bounds:
        if (body, radius) not in self._bounds:
            self._bounds[body, radius] = self._chains.bounds(body, radius, self._rates)
        speed, acceleration = self._bounds[body, radius]
        k = self._row((begin + end) / 2)
        return Bounds(speed[k], acceleration[k])

    def _row(self, t: np.ndarray) -> np.ndarray:
        return self.times[1:-1].searchsorted(t, side="right")


class RigidMotion:
    """A single body: `pose(t)` is its 4 × 4 matrix; its origin moves at most at `speed` (m/s), it turns at most at
    `turn` (rad/s); their derivatives `acceleration` (m/s²) and `angular_acceleration` (rad/s²), if they are known, make
    the certificate cheaper."""

    def __init__(
        self,
        pose: Callable[[float], np.ndarray],
        *,
        speed: float = 0.0,
        turn: float = 0.0,
        acceleration: float = np.inf,
        angular_acceleration: float = np.inf,
    ) -> None:
        self._pose, self._speed, self._turn = pose, speed, turn
        self._acceleration, self._angular = acceleration, angular_acceleration

    def poses(self, body: str, t: np.ndarray) -> np.ndarray:
        return np.array([self._pose(float(time)) for time in t])

    def bounds(self, body: str, radius: float, begin: np.ndarray, end: np.ndarray) -> Bounds:
        one = np.ones(len(begin))
        bend = self._acceleration + (self._angular + self._turn**2) * radius
        return Bounds((self._speed + self._turn * radius) * one, bend * one)


class Together:
    """Several motions in one frame: that of each body by name, any other body by `rest`."""

    def __init__(self, rest: Course, bodies: Mapping[str, Course]) -> None:
        self._rest, self._bodies = rest, bodies

    def poses(self, body: str, t: np.ndarray) -> np.ndarray:
        return self._bodies.get(body, self._rest).poses(body, t)

    def bounds(self, body: str, radius: float, begin: np.ndarray, end: np.ndarray) -> Bounds:
        return self._bodies.get(body, self._rest).bounds(body, radius, begin, end)
