"""Where a spacecraft shall be: courses of its body in A, with their rates."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.planning.hill import acceleration, drift, transition
from softdock.spatial import least_turn, matrix_of_quaternion, matrix_of_vector, vector_of_matrix

STEP = 0.05
"""Of tables of speed, and of differences (s)."""
SIDES, LOOKS = 12, 20
"""Lines past a target that are compared, and places on each from which free flight is followed."""


class Flight(NamedTuple):
    """Pose, velocity and acceleration of a body S: the first three in A, the rates relative to A in S's axes."""

    p: np.ndarray
    """(m)."""
    v: np.ndarray
    """(m/s)."""
    a: np.ndarray
    """(m/s²)."""
    R: np.ndarray
    """R_AS (-)."""
    w: np.ndarray
    """(rad/s)."""
    alpha: np.ndarray
    """(rad/s²)."""

    def after(self, seconds: float) -> "Flight":
        """A short time later, if accelerations stay."""
        dt = seconds
        turn = matrix_of_vector(dt * self.w + dt * dt / 2 * self.alpha)
        p = self.p + dt * self.v + dt * dt / 2 * self.a
        return Flight(p, self.v + dt * self.a, self.a, self.R @ turn, self.w + dt * self.alpha, self.alpha)


class Course(Protocol):
    """A flight by time."""

    @property
    def end(self) -> float: ...

    def at(self, t: float) -> Flight: ...


def still(p: ArrayLike, R: ArrayLike) -> Flight:
    """At rest in A."""
    zero = np.zeros(3)
    return Flight(np.asarray(p, float), zero, zero, np.asarray(R, float), zero, zero)


class Station:
    """At rest in A at `p` (m), turned by `R` (-), from the time `end` (s) on."""

    def __init__(self, p: ArrayLike, R: ArrayLike, end: float = 0.0) -> None:
        self._flight, self.end = still(p, R), end

    def at(self, t: float) -> Flight:
        """Always the same."""
        return self._flight


class Glide:
    """Straight from a flight at rest, `start`, to the place `to` (m) and attitude `R` (-), from `begin` (s) on.

    A glide slope: the speed is at most `speed` (m/s) and v_T + `slope` (1/s) × the distance to go, so that it comes in
    slower the nearer it is; v_T is `last` (m/s), and it brakes to rest with `brake` (m/s²), which also bounds all other
    accelerations. It turns meanwhile by the shortest way.
    """

    def __init__(
        self,
        start: Flight,
        to: ArrayLike,
        R: ArrayLike,
        *,
        begin: float,
        speed: float,
        slope: float = 1 / 40,
        last: float = 0.03,
        brake: float = 0.02,
        least: float = 0.0,
    ) -> None:
        if not (speed > 0 and slope > 0 and last > 0 and brake > 0):
            raise ValueError("a glide's speed, slope, last speed and braking must be positive")
        self._from, self._to = start.p, np.asarray(to, float)
        self._length = float(np.linalg.norm(self._to - self._from))
        self._way = (self._to - self._from) / max(self._length, 1e-12)
        self._table = _glided(self._length, speed, slope, last, brake)
        self._R, self._turn, self._begin = start.R, vector_of_matrix(start.R.T @ np.asarray(R, float)), begin
        self._seconds = max(self._table.shape[1] * STEP, least, 2.0 * np.sqrt(6.0 * np.linalg.norm(self._turn) / 0.02))
        self.end = begin + self._seconds
        """(s)."""

    def at(self, t: float) -> Flight:
        """Before its begin at its start, after its end at rest."""
        into = max(t - self._begin, 0.0)
        gone, speed, push = self._along(into)
        s, rate, bend = quintic(into / self._seconds)
        rate, bend = rate / self._seconds, bend / self._seconds**2
        R = self._R @ matrix_of_vector(s * self._turn)
        p = self._from + gone * self._way
        return Flight(p, speed * self._way, push * self._way, R, rate * self._turn, bend * self._turn)

    def _along(self, into: float) -> tuple[float, float, float]:
        """Distance gone, speed and acceleration."""
        i = int(into / STEP)
        if i >= self._table.shape[1]:
            return self._length, 0.0, 0.0
        (gone, v, a), tau = self._table[:, i].tolist(), into - i * STEP
        return min(gone + tau * (v + tau * a / 2), self._length), v + tau * a, a


def quintic(s: float) -> tuple[float, float, float]:
    """10 s³ − 15 s⁴ + 6 s⁵ on [0, 1] with its derivatives: at rest at both ends."""
    s = min(max(s, 0.0), 1.0)
    return s**3 * (10 - 15 * s + 6 * s * s), 30 * s * s * (1 - s) ** 2, 60 * s * (1 - s) * (1 - 2 * s)


def _glided(length: float, speed: float, slope: float, last: float, brake: float) -> np.ndarray:
    """(3, k): distance gone and speed at the beginning of each step, and the acceleration in it."""
    gone = v = 0.0
    rows: list[tuple[float, float, float]] = []
    while length - gone > 1e-6 and len(rows) < 200_000:
        left = length - gone
        wanted = min(speed, last + slope * left, np.sqrt(2 * brake * left))
        a = float(np.clip((wanted - v) / STEP, -2 * brake, brake))
        rows.append((gone, v, a))
        gone, v = gone + STEP * (v + STEP * a / 2), max(v + STEP * a, 1e-4)
    return np.array(rows or [(0.0, 0.0, 0.0)]).T


class Steering:
    """From a flight on with another velocity `v` (m/s) in A, to which it changes with `push` (m/s²); its attitude is
    held."""

    end = np.inf

    def __init__(self, start: Flight, v: ArrayLike, *, begin: float, push: float = 0.02) -> None:
        self._from, self._begin = start, begin
        self._change = np.asarray(v, float) - start.v
        self._seconds = max(float(np.linalg.norm(self._change)) / push, 1e-9)

    def at(self, t: float) -> Flight:
        """Before its begin as at it."""
        into = max(t - self._begin, 0.0)
        s, a = min(into, self._seconds), self._change / self._seconds
        p = self._from.p + into * self._from.v + s * (into - s / 2) * a
        return still(p, self._from.R)._replace(v=self._from.v + s * a, a=a if into < self._seconds else np.zeros(3))


class Watching:
    """The places of a `course`, turned so that the body's x axis points at the place `center` (m) all the way: from the
    attitude `R` (-) by the least turn."""

    def __init__(self, course: Course, center: ArrayLike, R: np.ndarray) -> None:
        self._course, self._center, self._R, self.end = course, np.asarray(center, float), R, course.end

    def _attitude(self, t: float) -> np.ndarray:
        turn = least_turn(self._R[:, 0], self._center - self._course.at(t).p)
        return np.asarray(matrix_of_quaternion(turn) @ self._R)

    def at(self, t: float) -> Flight:
        """Its rates are differences of attitudes."""
        before, now, after = (self._attitude(t + k * STEP) for k in (-1, 0, 1))
        first, second = vector_of_matrix(before.T @ now) / STEP, vector_of_matrix(now.T @ after) / STEP
        return self._course.at(t)._replace(R=now, w=(first + second) / 2, alpha=(second - first) / STEP)


def safe_glide(
    n: float, start: Flight, center: ArrayLike, distance: float, miss: float, *, begin: float, speed: float
) -> tuple[Watching, float]:
    """A glide to a place at a `distance` (m) from `center` (m), watching that, along a line that passes it by `miss`
    (m): if all thrust fails, it flies past. Of such lines the one from which free flight keeps furthest away for one
    orbit of rate n (rad/s), also from rest at its end; and how near that comes (m)."""
    middle = np.asarray(center, float)
    r = start.p - middle
    far = float(np.linalg.norm(r))
    across = np.linalg.svd(r[None])[2][1:]
    miss = min(miss, distance, far)
    turn = max(np.arcsin(miss / distance) - np.arcsin(miss / far), 0.0)
    best: tuple[Watching, float] | None = None
    for angle in np.linspace(0.0, 2 * np.pi, SIDES, endpoint=False):
        aside = np.array([np.cos(angle), np.sin(angle)]) @ across
        to = middle + distance * (np.cos(turn) * r / far + np.sin(turn) * aside)
        glide = Glide(start, to, start.R, begin=begin, speed=speed)
        flights = [glide.at(t) for t in np.linspace(begin, glide.end, LOOKS)]
        nearest = min(drift(n, one.p - middle, one.v).nearest for one in flights)
        if best is None or nearest > best[1]:
            best = Watching(glide, middle, start.R), nearest
    assert best
    return best


class Coast:
    """Free flight in A from a flight's place and a velocity `v` (m/s), its attitude held; `n` (rad/s) is the orbit's
    rate. It is over after `seconds` (s)."""

    def __init__(self, start: Flight, v: ArrayLike, n: float, *, begin: float, seconds: float) -> None:
        self._state, self._R = np.concatenate([start.p, np.asarray(v, float)]), start.R
        self._n, self._begin, self.end = n, begin, begin + seconds

    def at(self, t: float) -> Flight:
        """By Hill's equations."""
        state = transition(self._n, max(t - self._begin, 0.0)) @ self._state
        p, v = state[:3], state[3:]
        return still(p, self._R)._replace(v=v, a=acceleration(self._n, p, v))


class Stopping:
    """A craft that turns with `start.w` about the point `pivot` (m, in A), brought to rest in `seconds` (s): its rate
    falls as 1 − 3s² + 2s³ about a fixed axis, so it and its derivative end at zero."""

    def __init__(self, start: Flight, pivot: ArrayLike, *, begin: float, seconds: float) -> None:
        self._from, self._pivot, self._begin, self._seconds = start, np.asarray(pivot, float), begin, seconds
        self._w = start.R @ start.w
        self.end = begin + seconds

    def at(self, t: float) -> Flight:
        """After its end at rest."""
        T = self._seconds
        s = min(max((t - self._begin) / T, 0.0), 1.0)
        angle, rate, slowing = T * (s - s**3 + s**4 / 2), 1 - 3 * s * s + 2 * s**3, (-6 * s + 6 * s * s) / T
        turn, w, alpha = matrix_of_vector(angle * self._w), rate * self._w, slowing * self._w
        x = turn @ (self._from.p - self._pivot)
        v = np.cross(w, x)
        R = turn @ self._from.R
        return Flight(self._pivot + x, v, np.cross(alpha, x) + np.cross(w, v), R, R.T @ w, R.T @ alpha)
