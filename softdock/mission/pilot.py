"""The part `Pilot`: flies a spacecraft's body along a course, by thrusters and wheels."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from softdock.control.reference import Wanted
from softdock.control.thrusters import AXES, Allocation
from softdock.estimation.own import tide
from softdock.mission.bus import Bus
from softdock.mission.craft import Crafts, store_of, turned_hill
from softdock.mission.part import PartError
from softdock.mission.thruster_watch import Failed, ThrusterWatch
from softdock.planning.flight import Course, Flight, Station, Steering, Watching
from softdock.spatial import matrix_of_quaternion, matrix_of_vector, quaternion_of_matrix, vector_of_matrix

UNLOADING = 0.02
"""Share of the wheels' momentum that thrusters take off in a second (1/s)."""
FULL, SHEDDING = 0.5, 0.5
"""Of what is beyond the share FULL of what a wheel can store, thrusters take off the share SHEDDING in a second (1/s):
a wheel that is full gives no more, and the base would turn with whatever the arm does."""

LEASH = (0.5, 0.15)
"""Errors of place (m) and velocity (m/s) beyond which it is not drawn harder: what thrusters cannot give, the arm's
control would take for given, and the arm would move."""
WEAK = 0.05
"""Of a thruster's force: what may be missing of what was asked for (-)."""


def leashed(x: np.ndarray, most: float) -> np.ndarray:
    """A vector, or its direction with that length if it is longer."""
    return x * min(1.0, most / max(float(np.linalg.norm(x)), 1e-12))


def in_hill(n: float, t: float, q: np.ndarray, v: np.ndarray) -> Flight:
    """A free body's state in W (place, quaternion; velocities) in A at time t (s), without accelerations."""
    R_WA, turning = turned_hill(n, t), np.array([0.0, 0.0, n])
    p, R = R_WA.T @ q[:3], R_WA.T @ matrix_of_quaternion(q[3:])
    return Flight(p, R_WA.T @ v[:3] - np.cross(turning, p), np.zeros(3), R, v[3:] - R.T @ turning, np.zeros(3))


class Pilot(Bus):
    """Holds place and attitude of `body`, or follows its `course`, in A: thrusters push, and wheels turn it; thrusters
    also take off what wheels store. A's origin is then the world's, since the craft's own centre of mass is pushed.

    `gains` (1/s², 1/s) are those of the attitude, `place_gains` (1/s², 1/s) of the place. The attitude
    that it measures is turned by `attitude_error` (rad), as a `Bus` has it. Its `tank` (kg) of propellant is all that
    thrusters can use, those that are stuck too; then they push no more.

    As long as `watches` is true, it compares what its sensors say of the craft's momentum with the impulses that it
    asked for (`ThrusterWatch`). A thruster that fails is `isolated`: the valve before it is closed, and the others do
    its work.
    """

    def __init__(
        self,
        body: str,
        *,
        wheels: Sequence[str] | None = None,
        gains: tuple[float, float] = (0.25, 1.0),
        place_gains: tuple[float, float] = (0.04, 0.4),
        attitude_error: float = 0.0,
        tank: float = np.inf,
    ) -> None:
        super().__init__(body, wheels=wheels, gains=gains, attitude_error=attitude_error)
        if not tank > 0:
            raise ValueError(f"tank must be positive, not {tank!r:.40}")
        self._place_gains, self.tank = place_gains, tank
        self.course: Course | None = None
        self.used = 0.0
        """Of its propellant, as the gauge says (kg)."""
        self.is_shut = False
        """Set it, and the main valve is closed for good: thrusters that are stuck open push no more either."""
        self.watches = True
        """Only its thrusters push it, and its model has all that moves: nothing is held or touched, nothing bends."""
        self.passivation, self.reached = "", ""
        """What came of a plan to stop what it holds."""
        self.isolated: dict[str, Failed] = {}
        """Thrusters that were found to fail, and how."""
        self.missing = np.zeros(6)
        """What its thrusters give less than was asked for in this period: force and moment in the body (N, N m)."""
        self._before: tuple[float, np.ndarray, np.ndarray] | None = None

    def fit(self, crafts: Crafts) -> None:
        super().fit(crafts)
        own = [one for one in crafts.world.thrusters if one.body == self.body]
        if not own:
            raise PartError(f"{self.name}: {self.body!r} has no thrusters to fly with")
        self.thrusters = tuple(own)
        if missing := self.lacking():
            raise PartError(f"{self.name}: the thrusters of {self.body!r} give no {', no '.join(missing)}")
        places = tuple(f"{self.body}.{axis}" for axis in "xyz")
        self.actuators, self.tracked = (*places, *self.wheels), (*places, *self.tracked)
        self.gains = np.array([self._place_gains] * 3 + [self.gains] * 3)
        layout = self.craft.dynamics.layout
        self._place_q, self._place_v = layout.q[self.body].start, layout.v[self.body].start
        self._wheel_v = np.array([layout.v[wheel].start for wheel in self.wheels])
        self.craft.pilot = self

    def lacking(self) -> list[str]:
        """Directions in which thrusters that are not isolated cannot push or turn it."""
        return Allocation([one for one in self.thrusters if one.name not in self.isolated], period=1.0).lacking()

    def can_push(self, direction: np.ndarray) -> bool:
        """Can thrusters that are not isolated push it along a direction in its body, or nearly so (0.1 rad), without
        turning it?"""
        from scipy.optimize import nnls

        left = [one for one in self.thrusters if one.name not in self.isolated]
        size = float(np.linalg.norm(direction))
        if not left or not size:
            return not size
        wrenches = np.array([one.wrench / one.thrust for one in left]).T
        return float(nnls(wrenches, np.concatenate([direction / size, np.zeros(3)]))[1]) < 0.1

    def told_missing(self) -> str:
        """In which direction its thrusters give the least of what they are asked for; empty if they give it all."""
        force = self.missing[:3]
        k = int(np.argmax(np.abs(force)))
        if abs(force[k]) < WEAK * max(one.thrust for one in self.thrusters):
            return ""
        return f"its thrusters give {abs(force[k]):.1f} N less force {AXES[k if force[k] > 0 else k + 3]} than it needs"

    def let_float(self, is_idle: bool, period: float) -> None:
        """Leave thrusters and wheels alone from now on, or no longer: other parts then move on a base that floats.
        (What presses within the craft, its model would push against.)"""
        own = (*(f"{self.body}.{axis}" for axis in "xyz"), *self.wheels)
        turns = tuple(f"{self.body}.{axis}" for axis in ("x", "y", "z", "wx", "wy", "wz"))
        self.actuators, self.tracked = ((), ()) if is_idle else (own, turns)
        self.craft.drive(period, self.craft.model)

    def believed(self) -> Flight:
        """Where the body is by the last measurement, without accelerations."""
        craft, layout = self.craft, self.craft.dynamics.layout
        return in_hill(craft.n, craft.t, craft.q[layout.q[self.body]], craft.v[layout.v[self.body]])

    def update(self, t: float) -> None:
        super().update(t)
        if self.course is None:
            here = self.believed()
            self.course = Station(here.p, here.R)
        self._watch(t)

    def _noise(self, period: float) -> tuple[float, float]:
        """Of the change of momentum in a period, by what its own sensors are said to have (N s, N m s)."""
        craft, own = self.craft, self.craft.navigation
        if own is None:
            return 0.0, 0.0
        count = craft.dynamics.nv
        sigma = np.full(count, own.tachometers)
        sigma[self._place_v : self._place_v + 3] = own.unit.accelerometer * np.sqrt(period / 2)
        sigma[self._turn_v] = own.unit.gyro / np.sqrt(period)
        q = craft.q.copy()
        q[self._place_q : self._place_q + 3] = 0.0  # moments are about the body
        each = craft.dynamics.balance(np.tile(q, (count, 1)), np.diag(sigma), np.zeros(count))
        spread = (np.linalg.norm(part, axis=0).max() for part in (each.momentum, each.angular_momentum))
        force, moment = (float(np.sqrt(2) * x) for x in spread)  # of two measurements
        return force, moment

    def _watch(self, t: float) -> None:
        """Compare the change of the craft's momentum with what was asked for. Motors within it change none of it."""
        craft = self.craft
        if not (self.watches and hasattr(self, "_allocation")):
            self._before = None
            return
        balance, R = craft.dynamics.balance(craft.q, craft.v, t), matrix_of_quaternion(craft.q[self._turn_q])
        about = craft.q[self._place_q : self._place_q + 3]
        period, times = self._allocation.period, self._times
        if self._before and abs(t - self._before[0] - period) < 1e-6 * period:
            pull = (
                period
                * balance.mass
                * tide(craft.n, t - period / 2, balance.center - period / 2 * balance.momentum / balance.mass)
            )
            gained = balance.momentum - self._before[1] - pull
            turned = balance.angular_momentum - self._before[2] - np.cross(balance.center, pull)
            middle = R @ matrix_of_vector(-period / 2 * craft.v[self._turn_v])
            at = about - period / 2 * craft.v[self._place_v : self._place_v + 3]
            felt = np.concatenate([middle.T @ gained, middle.T @ (turned - np.cross(at, gained))])
            if found := self._watching.see(felt - self._allocation.W @ times, times):
                self.isolated[found.thruster] = found.how
                self._allocation.shut(found.thruster)
        self._before = (t, balance.momentum, balance.angular_momentum)

    def go(self, v: ArrayLike, watching: ArrayLike | None = None) -> None:
        """From now on with the velocity v (m/s, in A), at its attitude, or turned so that its x axis points at the
        place that it is `watching` (m, in A)."""
        assert self.course
        now = self.course.at(self.craft.t)
        steering = Steering(now, v, begin=self.craft.t)
        self.course = steering if watching is None else Watching(steering, watching, now.R)

    def off(self, t: float) -> tuple[float, float]:
        """How far it believes to be from its course: m, rad."""
        assert self.course
        here, there = self.believed(), self.course.at(t)
        return float(np.linalg.norm(here.p - there.p)), float(np.linalg.norm(vector_of_matrix(here.R.T @ there.R)))

    def want(self, t: float, wanted: Wanted) -> None:
        assert self.course
        there, R_WA, n = self.course.at(t), turned_hill(self.craft.n, t), np.array([0.0, 0.0, self.craft.n])
        place_q, place_v = slice(self._place_q, self._place_q + 3), slice(self._place_v, self._place_v + 3)
        here, carried = self.believed(), np.cross(n, there.p)
        p = here.p + leashed(there.p - here.p, LEASH[0])
        v = here.v + leashed(there.v - here.v, LEASH[1])
        wanted.q[place_q] = R_WA @ p
        wanted.v[place_v] = R_WA @ (v + np.cross(n, p))
        wanted.a[place_v] = R_WA @ (there.a + 2 * np.cross(n, there.v) + np.cross(n, carried))
        n_S = there.R.T @ n
        wanted.q[self._turn_q] = quaternion_of_matrix(R_WA @ there.R)
        wanted.v[self._turn_v] = there.w + n_S
        wanted.a[self._turn_v] = there.alpha - np.cross(there.w, n_S)

    def fired(self, command: np.ndarray, period: float) -> dict[str, float]:
        """On-times (s) that give the force of a command (nv of the craft) and unload the wheels; the command is left
        with what the other actuators do, the wheels taking up the moment of the pulses."""
        if not hasattr(self, "_allocation"):
            self._allocation = Allocation(self.thrusters, period=period)
            self._watching = ThrusterWatch(self.thrusters, period, self._noise(period))
        self._times = np.zeros(len(self.thrusters))
        place = slice(self._place_v, self._place_v + 3)
        if not self.actuators:
            return {}
        R = matrix_of_quaternion(self.craft.q[self._turn_q])
        axes = self._wheel_axes()
        stored = self.wheel_momentum(self.craft.v)
        beyond = stored - np.clip(stored, -FULL * self._store, FULL * self._store)
        shed = (UNLOADING * stored + SHEDDING * beyond) @ axes
        times = self._allocation.on_times(np.concatenate([R.T @ command[place], -shed]))
        self._times, self.missing = times, self._allocation.missing
        command[place] = 0.0
        moment = self._allocation.W[3:] @ times / period
        command[self._wheel_v] += np.linalg.pinv(axes.T) @ moment
        return {one.name: float(x) for one, x in zip(self.thrusters, times, strict=True) if x > 0}

    def wheel_momentum(self, v: np.ndarray) -> np.ndarray:
        """Stored by each wheel at velocities v (nv of the craft), N m s."""
        self._wheel_axes()
        return np.asarray(v[self._wheel_v] * self._inertias)

    def _wheel_axes(self) -> np.ndarray:
        """(wheels, 3), in the body's frame."""
        if not hasattr(self, "_axes"):
            store = store_of(self.craft.dynamics, self)
            assert store
            self._axes, self._inertias, self._store = store.axes, store.inertia, store.momentum_limit
        return self._axes
