"""Free flight near a circular orbit: Hill's equations, transfers, and where a craft drifts if nothing pushes it.

Frame A: x outward, y along track, z along the orbit's angular momentum; n (rad/s) is the orbit's rate, and may be 0.
Clohessy & Wiltshire's solution of ẍ = 3n²x + 2nẏ, ÿ = −2nẋ, z̈ = −n²z.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

SAMPLES = 720
"""Looks at a drift of one orbit: every half degree of it."""


def transition(n: float, t: ArrayLike) -> np.ndarray:
    """(6, 6): (r, v) at time t (s) of (r, v) at 0; for several times (…, 6, 6)."""
    t_ = np.asarray(t, float)
    c, s = np.cos(n * t_), np.sin(n * t_)
    sn, cn = (s / n, (1 - c) / n) if n else (t_, 0.0 * t_)
    out = np.zeros((*t_.shape, 6, 6))
    for row, column, value in (
        (0, 0, 4 - 3 * c), (1, 0, 6 * (s - n * t_)), (1, 1, 1.0), (2, 2, c),
        (0, 3, sn), (0, 4, 2 * cn), (1, 3, -2 * cn), (1, 4, 4 * sn - 3 * t_), (2, 5, sn),
        (3, 0, 3 * n * s), (4, 0, -6 * n * (1 - c)), (5, 2, -n * s),
        (3, 3, c), (3, 4, 2 * s), (4, 3, -2 * s), (4, 4, 4 * c - 3), (5, 5, c),
    ):  # fmt: skip
        out[..., row, column] = value
    return out


def acceleration(n: float, r: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Of free flight, in A (m/s²)."""
    return np.array([3 * n * n * r[0] + 2 * n * v[1], -2 * n * v[0], -n * n * r[2]])


class Transfer(NamedTuple):
    """Two impulses from a place and velocity to a place, at rest there."""

    seconds: float
    """(s)."""
    first: np.ndarray
    """Change of velocity at the start (m/s)."""
    last: np.ndarray
    """At the end (m/s)."""

    @property
    def delta_v(self) -> float:
        """Of both (m/s)."""
        return float(np.linalg.norm(self.first) + np.linalg.norm(self.last))


def transfer(n: float, r: ArrayLike, v: ArrayLike, to: ArrayLike, seconds: float) -> Transfer:
    """From (r, v) to the place `to` (m), at rest there after so many seconds."""
    F = transition(n, seconds)
    r_, v_ = np.asarray(r, float), np.asarray(v, float)
    leaving = np.linalg.solve(F[:3, 3:], np.asarray(to, float) - F[:3, :3] @ r_)
    return Transfer(seconds, leaving - v_, -(F[3:, :3] @ r_ + F[3:, 3:] @ leaving))


def transfer_within(
    n: float,
    r: ArrayLike,
    v: ArrayLike,
    to: ArrayLike,
    *,
    acceleration: float,
    share: float = 0.25,
    most: float = 2000.0,
) -> Transfer:
    """The quickest transfer whose two burns, at `acceleration` (m/s²), each take at most that `share` of it; ValueError
    if none of up to `most` seconds has."""
    for seconds in np.geomspace(5.0, most, 200):
        found = transfer(n, r, v, to, float(seconds))
        longest = max(np.linalg.norm(found.first), np.linalg.norm(found.last)) / acceleration
        if longest <= share * seconds:
            return found
    raise ValueError(f"no transfer within {most:g} s at {acceleration:.3g} m/s²")


CanPush = Callable[[np.ndarray], bool]
"""Can a change of velocity (m/s, in A) be made?"""


class Drift(NamedTuple):
    """How near free flight comes to the origin."""

    nearest: float
    """(m)."""
    when: float
    """(s)."""


def drift(n: float, r: ArrayLike, v: ArrayLike, seconds: float | None = None) -> Drift:
    """Of free flight from (r, v) in so many seconds; one orbit if nothing is said (600 s without one)."""
    times, F = _looks(n, seconds or (2 * np.pi / n if n else 600.0))
    states = F @ np.concatenate([np.asarray(r, float), np.asarray(v, float)])
    place, speed = states[:, :3], states[:, 3:]
    towards = -np.einsum("ki,ki->k", place, speed) / np.maximum(np.einsum("ki,ki->k", speed, speed), 1e-30)
    passed = np.clip(towards, 0.0, np.diff(times, append=times[-1]))  # between two looks it flies nearly straight
    distances = np.linalg.norm(place + passed[:, None] * speed, axis=1)
    k = int(np.argmin(distances))
    return Drift(float(distances[k]), float(times[k] + passed[k]))


@lru_cache(maxsize=8)
def _looks(n: float, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Times, most of them at first, and the transition to each."""
    times = length * np.linspace(0.0, 1.0, SAMPLES + 1) ** 2
    return times, transition(n, times)


def is_passively_safe(n: float, r: ArrayLike, v: ArrayLike, radius: float) -> bool:
    """If all thrust failed now: would it stay out of the sphere of `radius` (m) for one orbit (or, within it, come no
    nearer and leave it)?"""
    here = float(np.linalg.norm(r))
    return drift(n, r, v).nearest >= min(radius, here) - 1e-9


def avoidance(
    n: float, r: ArrayLike, v: ArrayLike, radius: float, *, most: float = 0.5, can_push: CanPush | None = None
) -> np.ndarray | None:
    """The least change of velocity (m/s), of some hundred, after which free flight comes no nearer than now, or than
    `radius` (m), for one orbit; None if none that leads to a velocity of up to `most` (m/s) does. With `can_push`, only
    of changes that it says can be made; if none of them does that, it is the one after which free flight stays
    furthest away."""
    r_, v_ = np.asarray(r, float), np.asarray(v, float)
    if is_passively_safe(n, r_, v_, radius):
        return np.zeros(3)
    furthest, best = -np.inf, None
    for size in np.linspace(min(0.02, most), most, 25):
        for way in _directions(r_):
            # the velocity to have, not the change: what it has may be towards the target
            for wanted in (size * way,) if can_push is None else (size * way, v_ + size * way):
                if can_push is not None and not can_push(wanted - v_):
                    continue
                if is_passively_safe(n, r_, wanted, radius):
                    return np.asarray(wanted - v_)
                if can_push is not None and (nearest := drift(n, r_, wanted).nearest) > furthest:
                    furthest, best = nearest, np.asarray(wanted - v_)
    return best


def _directions(r: np.ndarray) -> Iterator[np.ndarray]:
    """First straight away from the origin, then along the axes, then between them; last across, past the origin."""
    out = r / max(float(np.linalg.norm(r)), 1e-9)
    yield out
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            for z in (-1, 0, 1):
                way = np.array([x, y, z], float)
                if way.any() and way @ out >= -1e-9:
                    yield way / np.linalg.norm(way)
    across = np.cross(out, np.eye(3)[int(np.argmin(np.abs(out)))])
    across /= max(float(np.linalg.norm(across)), 1e-9)
    for angle in np.arange(8) * np.pi / 4:
        yield np.cos(angle) * across + np.sin(angle) * np.cross(out, across)
