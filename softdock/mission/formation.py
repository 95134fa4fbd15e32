"""Synchronised flight: a station beside a tumbling target, by what the tracker believes of it.

The chaser's frame C follows a lead (`softdock.mission.ways`), such as the target's attitude R_AB R_BS, with bounded
angular acceleration, and the chaser is always `radius` behind the target's centre of mass along C's −x: so it faces the
target, and comes no nearer than the radius however far C lags.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from softdock.mission.tracker import TargetTracker
from softdock.planning.flight import Flight, quintic
from softdock.spatial import matrix_of_vector, vector_of_matrix

PART = 0.05
"""Of the frame's motion (s)."""
SETTLING = 1.0
"""Time constant of its rate (s)."""
CATCHING, LEAST = 0.04, 0.1
"""Most that it turns faster than the target to catch up (rad/s), and the share of it that it always has."""
DIFFERENCE = 0.5
"""Between two forecasts whose difference is a rate (s)."""
Lead = Callable[[float], np.ndarray]
"""The attitude in A that a frame is to follow, by time (s)."""


class Formation:
    """A course (`softdock.planning.flight.Course`) beside the target of `nav`, from the flight `start` at the time
    `begin` (s) on. The body S ends up turned as `lead` has it, at `radius` (m); `turning` (rad/s²) is the most that its
    frame's rate changes beyond the lead's, `fastest` (rad/s) the rate across its x axis to which catching up may
    lead."""

    end = np.inf

    def __init__(
        self,
        nav: TargetTracker,
        lead: Lead,
        start: Flight,
        *,
        begin: float,
        radius: float,
        turning: float = 0.005,
        fastest: float = np.inf,
    ) -> None:
        self.nav, self.lead, self.limits = nav, lead, Limits(turning, fastest)
        self._t, self._R, self._w, self._alpha = begin, start.R, start.w, np.zeros(3)
        self._radii = (begin, float(np.linalg.norm(start.p - self.center(begin)[0])), radius, 1.0)
        self._radii = (begin, self._radii[1], radius, self.seconds(self._radii[1] - radius))
        self.way = ""
        """What the lead is called."""
        self.lag = np.inf
        """Angle between the frame and what it follows (rad)."""

    @staticmethod
    def seconds(way: float) -> float:
        """How long a change of the radius takes (s): at most 0.01 m/s², 0.1 m/s."""
        return float(max(np.sqrt(5.8 * abs(way) / 0.01), 1.9 * abs(way) / 0.1, 1.0))

    def radius(self, t: float) -> float:
        """Of the station (m)."""
        begin, first, last, seconds = self._radii
        return first + quintic((t - begin) / seconds)[0] * (last - first)

    def close_in(self, t: float, radius: float) -> float:
        """Go to another radius (m) from now on; when it is reached (s)."""
        now = self.radius(t)
        self._radii = (t, now, radius, self.seconds(radius - now))
        return t + self._radii[3]

    def center(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """The target's centre of mass and its velocity in A (m, m/s)."""
        body = [np.asarray(self.nav.body_at(t + k * DIFFERENCE).position) for k in (0, 1)]
        return body[0], (body[1] - body[0]) / DIFFERENCE

    def followed(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The lead, its rate and the change of that, in its own axes."""
        D = [self.lead(t + k * DIFFERENCE) for k in (0, 1, 2)]
        first, second = (vector_of_matrix(D[k].T @ D[k + 1]) / DIFFERENCE for k in (0, 1))
        alpha = (second - first) / DIFFERENCE
        return D[0], first - DIFFERENCE / 2 * alpha, alpha

    def update(self, t: float) -> None:
        """Carry the frame on to time t."""
        D, w, alpha = self.followed(self._t)
        while self._t < t - 1e-9:
            dt = min(PART, t - self._t)
            self._R, self._w, self._alpha = caught_up(self._R, self._w, (D, w, alpha), self.limits, dt)
            D, w = D @ matrix_of_vector(dt * w + dt * dt / 2 * alpha), w + dt * alpha
            self._t += dt
            self.lag = float(np.linalg.norm(vector_of_matrix(self._R.T @ D)))

    def at(self, t: float) -> Flight:
        """The station at about the time of the last `update`."""
        begin, first, last, seconds = self._radii
        s, rate, bend = quintic((t - begin) / seconds)
        r, dr, ddr = first + s * (last - first), rate * (last - first) / seconds, bend * (last - first) / seconds**2
        dt = t - self._t
        R = self._R @ matrix_of_vector(dt * self._w + dt * dt / 2 * self._alpha)
        w, alpha = self._w + dt * self._alpha, self._alpha
        x, dx, ddx = (np.array([-k, 0.0, 0.0]) for k in (r, dr, ddr))
        c, drift = self.center(t)
        turned = np.cross(w, x)
        v = drift + R @ (turned + dx)
        a = R @ (np.cross(alpha, x) + np.cross(w, turned) + 2 * np.cross(w, dx) + ddx)
        return Flight(c + R @ x, v, a, R, w, alpha)


Turning = tuple[np.ndarray, np.ndarray, np.ndarray]
"""A frame's attitude, its rate and the change of that, in its own axes."""


class Limits(NamedTuple):
    """Of a frame that follows another."""

    turning: float
    """Change of its rate beyond the other's (rad/s²)."""
    fastest: float
    """Rate across its x axis to which catching up may lead (rad/s): the chaser must be held on its circle."""


def caught_up(R: np.ndarray, w: np.ndarray, followed: Turning, limits: Limits, dt: float) -> Turning:
    """A frame that follows another, a short time later: its rate is the other's and what catches up, as fast as it can
    stop again, within limits."""
    turning, fastest = limits
    D, rate, alpha = followed
    seen = R.T @ D  # from D's axes to its own
    e = vector_of_matrix(seen)
    size = float(np.linalg.norm(e))
    catching = min(size / (2 * SETTLING), np.sqrt(turning * size), CATCHING) / max(size, 1e-12) * e
    share = 1.0
    while share > LEAST and np.linalg.norm((seen @ rate + share * catching)[1:]) > fastest:
        share -= LEAST
    ideal = (seen @ rate + share * catching - w) / SETTLING + seen @ alpha
    room = turning + float(np.linalg.norm(alpha))
    change = ideal * min(1.0, room / max(float(np.linalg.norm(ideal)), 1e-12))
    return R @ matrix_of_vector(dt * w + dt * dt / 2 * change), w + dt * change, change
