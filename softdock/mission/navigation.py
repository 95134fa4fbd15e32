"""The part `Navigation`: where the craft is, by inertial unit, star tracker, Doppler, encoders and tachometers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.estimation.own import Increments, InertialUnit, OwnFilter, tide
from softdock.mission.craft import Craft, Crafts
from softdock.mission.part import Part, PartError, Sensor, Truth
from softdock.runs.ledger import Columns
from softdock.spatial import matrix_of_quaternion, matrix_of_vector, quaternion_of_matrix, vector_of_matrix

STARTED = (1e-4, 2e-4)
"""Standard deviations of attitude (rad) and velocity (m/s) at first: the filter has been at work for long."""


class Reading(NamedTuple):
    """What the sensors of one period say; None is what did not measure."""

    increments: Increments | None
    rate: np.ndarray
    """Of the gyros, now (rad/s)."""
    attitude: np.ndarray | None
    """R_WS of the star tracker."""
    velocity: np.ndarray | None
    """In W (m/s)."""
    joints: np.ndarray
    """Noise of encoders and tachometers on the rates of joints and wheels (rad/s)."""
    start: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
    """At first: about where it is."""


class Navigation(Part):
    """Tells the craft of `body` its own place, attitude and rates, instead of what is true. At every `period` (s) of
    the mission its inertial unit gives increments with the noise of `unit`; every `star_period` (s) a star tracker the
    attitude, to `star` (rad) about each axis; with `doppler` (m/s), every `doppler_period` (s) a receiver the velocity,
    to so much along each. Tachometers have noise of `tachometers` (rad/s).

    The place is in a frame that starts at the true one and is carried on by the filter, which has been at work for
    long; what is seen of a target is in the same frame. Doppler makes the place sure, but the frame less smooth.
    """

    comes_first = True

    def __init__(
        self,
        body: str,
        *,
        period: float = 0.25,
        unit: InertialUnit | None = None,
        star: float = 5e-5,
        star_period: float = 0.5,
        doppler: float | None = None,
        doppler_period: float = 1.0,
        tachometers: float = 1e-4,
    ) -> None:
        self.body, self.unit, self.star, self.doppler = body, unit or InertialUnit(), star, doppler
        self.period, self.star_period, self.doppler_period, self.tachometers = (
            period, star_period, doppler_period, tachometers,
        )  # fmt: skip
        self.filter: OwnFilter | None = None
        self._reading: Reading | None = None

    def fit(self, crafts: Crafts) -> None:
        self.craft: Craft = crafts.join(self.body, self)
        if self.craft.root != self.body or not self.craft.is_free:
            raise PartError(f"{self.name}: {self.body!r} is not a craft that is free to move")
        self.craft.navigation = self
        layout = self.craft.dynamics.layout
        self._q, self._v = layout.q[self.body], layout.v[self.body]

    def sensors(self, dynamics: Dynamics, seed: np.random.SeedSequence) -> Sequence[Sensor]:
        self._suite = OwnSensors(self, dynamics, np.random.default_rng(seed))
        return [self._suite]

    def take(self, t: float, reading: Reading) -> None:
        self._reading = reading
        if reading.start is not None:
            self.filter = OwnFilter(self.unit, self.craft.n, t, *reading.start, STARTED)
        assert self.filter
        if reading.increments:
            self.filter.predict(reading.increments)
        if reading.attitude is not None:
            self.filter.see_attitude(reading.attitude, self.star)
        if reading.velocity is not None and self.doppler:
            self.filter.see_velocity(reading.velocity, self.doppler)

    def believed(self, t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The craft's state: joints as their encoders say, the body by the filter."""
        if self.filter is None or self._reading is None:
            return q, v
        q, v, f = q.copy(), v + self._reading.joints, self.filter
        q[self._q] = np.concatenate([f.p, quaternion_of_matrix(f.R)])
        v[self._v] = np.concatenate([f.v, self._reading.rate - f.gyro_bias])
        return q, v

    def nees(self) -> list[float]:
        """Of every period, for records and metrics (the sensors note it, which know the truth)."""
        return [row[1] for row in self._suite.nees]

    def tables(self) -> dict[str, Columns]:
        """How far it was off, and what it thought of that."""
        if not self._suite.nees:
            return {}
        columns = np.array(self._suite.nees).T
        names = (("t", "s"), ("nees", "-"), ("attitude_error", "rad"), ("velocity_error", "m/s"), ("place_error", "m"))
        return {"navigation": {name: (columns[k], unit) for k, (name, unit) in enumerate(names)}}


class OwnSensors:
    """The world's side: biases that walk, and noise."""

    def __init__(self, part: Navigation, dynamics: Dynamics, rng: np.random.Generator) -> None:
        self.period, self._part, self._rng = part.period, part, rng
        layout = dynamics.layout
        self._q, self._v = layout.q[part.body], layout.v[part.body]
        self._gyro = part.unit.gyro_bias * rng.standard_normal(3)
        self._accelerometer = part.unit.accelerometer_bias * rng.standard_normal(3)
        self._last: tuple[float, np.ndarray, np.ndarray, np.ndarray] | None = None
        own = part.craft.dynamics.layout
        self._free = np.ones(own.nv)
        self._free[own.v[part.body]] = 0.0
        self.nees: list[tuple[float, float, float, float, float]] = []

    def measure(self, truth: Truth) -> Reading:
        part, rng, unit = self._part, self._rng, self._part.unit
        p, R = truth.q[self._q][:3], matrix_of_quaternion(truth.q[self._q][3:])
        v, w = truth.v[self._v][:3], truth.v[self._v][3:]
        start, increments = None, None
        self._note(truth.t, R, p, v)
        if self._last is None:
            turned, moving = (rng.normal(0, sigma, 3) for sigma in STARTED)
            start = (R @ matrix_of_vector(turned), p.copy(), v + moving)
        else:
            increments = self._increments(truth.t, R, p, v)
        self._last = (truth.t, R, p, v)
        rate = w + self._gyro + unit.gyro / np.sqrt(part.period) * rng.standard_normal(3)
        stars = self._due(truth.t, part.star_period)
        doppler = part.doppler if part.doppler and self._due(truth.t, part.doppler_period) else None
        noise = part.tachometers * rng.standard_normal(len(self._free)) * self._free
        return Reading(
            increments, rate,
            R @ matrix_of_vector(rng.normal(0, part.star, 3)) if stars else None,
            v + rng.normal(0, doppler, 3) if doppler else None, noise, start,
        )  # fmt: skip

    def _increments(self, t: float, R: np.ndarray, p: np.ndarray, v: np.ndarray) -> Increments:
        assert self._last
        before, R0, p0, v0 = self._last
        T, unit, rng = t - before, self._part.unit, self._rng
        g = tide(self._part.craft.n, before + T / 2, (p0 + p) / 2)
        turn = vector_of_matrix(R0.T @ R) + T * self._gyro + unit.gyro * np.sqrt(T) * rng.standard_normal(3)
        gained = R0.T @ (v - v0 - T * g) + T * self._accelerometer
        gained = gained + unit.accelerometer * np.sqrt(T) * rng.standard_normal(3)
        self._gyro = self._gyro + unit.gyro_walk * np.sqrt(T) * rng.standard_normal(3)
        self._accelerometer = self._accelerometer + unit.accelerometer_walk * np.sqrt(T) * rng.standard_normal(3)
        return Increments(T, turn, gained)

    def _due(self, t: float, period: float) -> bool:
        return round(t / self.period) % max(1, round(period / self.period)) == 0

    def _note(self, t: float, R: np.ndarray, p: np.ndarray, v: np.ndarray) -> None:
        """Of what the filter said of the last period: it is asked before the next reading."""
        f = self._part.filter
        if f is None or self._last is None:
            return
        before, R0, p0, v0 = self._last
        e = f.errors(R0, p0, v0, self._gyro, self._accelerometer)
        attitude, velocity, place = (float(np.linalg.norm(e[k : k + 3])) for k in (0, 9, 6))
        self.nees.append((before, f.nees(e), attitude, velocity, place))
