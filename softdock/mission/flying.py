"""Phases of a craft that flies by thrusters: along a course, beside a tumbling target, to rest, and away."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.mission.arm import Arm, HeldArm
from softdock.mission.formation import Formation, Limits
from softdock.mission.phase import Done, Failure, Phase, Unreachable
from softdock.mission.pilot import Pilot
from softdock.mission.tracker import TargetTracker
from softdock.mission.ways import Name, Sight, Task, best_way, turning_with
from softdock.planning.flight import Coast, Course, Stopping, quintic
from softdock.planning.hill import avoidance, drift
from softdock.planning.inverse_kinematics import Unreachable as OutOfReach
from softdock.planning.inverse_kinematics import solve_pose
from softdock.planning.plan import Sample
from softdock.spatial import matrix_of_vector
from softdock.world import Pose

LATE, SLACK = 2.0, 1.3
"""Seconds by which a station may be reached later than was foreseen, and how much further the target may be turned
aside than was planned for (-)."""


class OffCourse(Failure):
    """The craft is further from where it shall be than is allowed."""


class Fly(Phase):
    """A pilot along the course that `planned(t)` makes, until its end and until it is there to within `near` (m, rad).
    `other` (-) is what every `Phase` takes."""

    kind = "fly"

    def __init__(
        self,
        pilot: Pilot,
        planned: Callable[[float], Course],
        *,
        near: tuple[float, float] = (0.05, 0.03),
        **other: Any,
    ) -> None:
        super().__init__(**other)
        self.pilot, self.planned, self.near = pilot, planned, near

    def begin(self, t: float) -> None:
        self.pilot.course = self.planned(t)

    def update(self, t: float) -> Done | None:
        assert self.pilot.course
        if t < self.pilot.course.end - 1e-9:
            return None
        off = self.pilot.off(t)
        return Done() if off[0] <= self.near[0] and off[1] <= self.near[1] else None


class Synchronise(Phase):
    """A pilot to a station beside a tumbling target: first at the radius `outer` (m), then, when it turns along, at
    `inner` (m); done when it has been within `near` (m, rad) of it for `calm` (s). Its result is the `Formation`.

    `R_BS` (-) is its attitude there against the target's. It takes the first of the `ways` (`WAYS`) that lets the arm
    `work` (s) with the target turned `aside` (rad) at most; by default it turns with the target. `turning` (rad/s²)
    bounds the changes of its rate, and `push` (m/s²) is what its thrusters can hold it on a circle with. It waits up to
    `patience` (s) for a moment from which catching up takes little thrust. `other` (-) is what every `Phase` takes."""

    kind = "synchronise"

    def __init__(
        self, pilot: Pilot, nav: TargetTracker, R_BS: np.ndarray, *, outer: float, inner: float,
        ways: Sequence[Name] = ("body",), work: float = 30.0, aside: float = 0.35,
        near: tuple[float, float] = (0.03, 0.02), calm: float = 3.0, turning: float = 0.005, push: float = 0.08,
        patience: float = 90.0, **other: Any,
    ) -> None:  # fmt: skip
        super().__init__(**other)
        self.pilot, self.nav, self.radii, self.ways = pilot, nav, (outer, inner), tuple(ways)
        self.near, self.calm = near, calm
        settling = 2 * calm + Formation.seconds(outer - inner) + LATE
        self.task = Task(np.asarray(R_BS, float), settling, work, aside, patience)
        self.limits = Limits(turning, float(np.sqrt(push / outer)))

    def begin(self, t: float) -> None:
        self.formation: Formation | None = None
        here = self.pilot.believed()
        self.way = best_way(self.nav, self.task, here.R, t, self.limits, self.ways)
        self._at_inner, self._since = np.inf, np.inf

    def update(self, t: float) -> Done | None:
        if t < self.way.begins - 1e-9:
            return None
        if self.formation is None:
            start = self.pilot.course.at(t) if self.pilot.course else self.pilot.believed()
            self.formation = Formation(
                self.nav, self.way.lead, start, begin=t, radius=self.radii[0], **self.limits._asdict()
            )
            self.formation.way = self.way.name
            self.pilot.course = self.formation
        self.formation.update(t)
        off = self.pilot.off(t)
        is_near = off[0] <= self.near[0] and off[1] <= self.near[1]
        self._since = min(self._since, t) if is_near else np.inf
        calm = t - self._since >= self.calm
        if self._at_inner == np.inf:
            if calm and self.formation.lag <= self.near[1] and t >= self.way.opens - self.task.settling:
                self._at_inner, self._since = self.formation.close_in(t, self.radii[1]), np.inf
            return None
        if not (calm and t >= max(self._at_inner, self.way.opens)):
            return None
        if self.way.name != "body" and self._is_late(t):
            self._turn_with_it(t, self.formation)
            return None
        return Done(self.formation)

    def _is_late(self, t: float) -> bool:
        """Will the target be turned further aside than it was to be, while the arm works?"""
        return Sight(self.nav, self.task, t, ahead=self.task.work).turned(self.way.lead, t) > SLACK * self.task.aside

    def _turn_with_it(self, t: float, formation: Formation) -> None:
        """Give the way up: out again, and on with the target."""
        self.way = turning_with(self.nav, self.task, t)
        formation.lead, formation.way = self.way.lead, self.way.name
        formation.close_in(t, self.radii[0])
        self._at_inner, self._since = np.inf, np.inf


class BaseArm(HeldArm):
    """Kinematics of an arm in the frame of its craft's base."""

    def __init__(self, arm: Arm) -> None:
        super().__init__(arm.craft, arm.tip, arm._in_q, arm._in_v)
        layout = arm.craft.dynamics.layout
        root = layout.q[arm.craft.root]
        self._q[root] = layout.neutral()[root]
        self.arm = arm

    def solved(self, pose: Pose, near: np.ndarray, restarts: int = 0) -> np.ndarray:
        """Joint values that put the tip at a pose in the base's frame; `Unreachable` if there are none."""
        arm = self.arm
        try:
            return solve_pose(
                self.forward, near, pose.rotation, pose.position, lower=arm.lower, upper=arm.upper,
                position_tolerance=1e-6, angle_tolerance=1e-6, restarts=restarts,
            ).q  # fmt: skip
        except OutOfReach as error:
            place = ", ".join(f"{x:.3g}" for x in pose.position)
            raise Unreachable(f"{arm.name} cannot bring {arm.tip!r} to ({place}) m of its base: {error}") from None


class Servo:
    """A motion of an arm whose tip goes, `gap(t)` (m) before it, to a handle that the base flies beside: the handle is
    where the tracker and the craft's own navigation put it now."""

    def __init__(self, arm: Arm, pilot: Pilot, nav: TargetTracker, grasp: Pose, gap: Callable[[float], float]) -> None:
        self.arm, self.pilot, self.nav, self.grasp, self.gap = arm, pilot, nav, grasp, gap
        self.kinematics = BaseArm(arm)
        self._t, self._q, self._rate = 0.0, arm.q.copy(), np.zeros(len(arm.joints))

    def goal(self, t: float, ahead: float = 0.0) -> Pose:
        """Of the tip in the base's frame, so many seconds after the last measurement."""
        here = self.pilot.believed().after(ahead)
        handle = self.nav.forecast(t + ahead).pose @ self.grasp
        back = np.array([-self.gap(t + ahead), 0.0, 0.0])
        p = here.R.T @ (np.asarray(handle.position) + handle.rotation @ back - here.p)
        return Pose.of(here.R.T @ handle.rotation, p)

    def update(self, t: float, period: float) -> None:
        """Look where the handle is."""
        now = self.kinematics.solved(self.goal(t), self._q)
        then = self.kinematics.solved(self.goal(t, period), now)
        self._t, self._q, self._rate = t, now, (then - now) / period

    def at(self, t: float) -> Sample:
        return Sample(self._q + (t - self._t) * self._rate, self._rate, np.zeros(len(self._q)))


class ReachBeside(Phase):
    """An arm's tip to a handle beside which the craft flies: to `standoff` (m) before it in `seconds` (s), then on to
    it in `last` (s), following what is believed of it every `period` (s), as its `follow` goes on to do afterwards.
    `grasp` is where the tip shall be in the handle's frame; `other` (-) is what every `Phase` takes."""

    kind = "reach"

    def __init__(
        self, arm: Arm, pilot: Pilot, nav: TargetTracker, grasp: Pose, *, seconds: float = 15.0, last: float = 8.0,
        standoff: float = 0.30, period: float = 0.25, formation: Formation | None = None, **other: Any,
    ) -> None:  # fmt: skip
        super().__init__(**other)
        self.arm, self.pilot, self.nav, self.grasp = arm, pilot, nav, grasp
        self.seconds, self.last, self.standoff, self.period, self.formation = seconds, last, standoff, period, formation

    def begin(self, t: float) -> None:
        self._begin, self._from = t, self.arm.wanted_at(t).q.copy()
        self.servo = Servo(self.arm, self.pilot, self.nav, self.grasp, self._gap)
        first = self.servo.kinematics.solved(self.servo.goal(t), self._from, restarts=20)
        self.servo._q = first
        self.arm.motion = self

    def _gap(self, t: float) -> float:
        return self.standoff * (1 - quintic((t - self._begin - self.seconds) / self.last)[0])

    def at(self, t: float) -> Sample:
        """Blended from where the arm was to where the handle has it."""
        s, rate, bend = quintic((t - self._begin) / self.seconds)
        rate, bend = rate / self.seconds, bend / self.seconds**2
        there = self.servo.at(t)
        way = there.q - self._from
        return Sample(self._from + s * way, rate * way + s * there.qd, bend * way + 2 * rate * there.qd)

    def follow(self, t: float) -> None:
        """To be called at every period, also after the phase."""
        if self.formation:
            self.formation.update(t)
        self.servo.update(t, self.period)

    def update(self, t: float) -> Done | None:
        self.follow(t)
        return Done(self) if t >= self._begin + self.seconds + self.last - 1e-9 else None


class Stop(Phase):
    """What the craft has become one with, brought to rest in A in `seconds` (s): it turns on about the point
    `pivot(t)` (m, in A), ever slower. `other` (-) is what every `Phase` takes."""

    kind = "detumble"

    def __init__(self, pilot: Pilot, pivot: Callable[[float], np.ndarray], seconds: float, **other: Any) -> None:
        super().__init__(**other)
        self.pilot, self.pivot, self.seconds = pilot, pivot, seconds

    def begin(self, t: float) -> None:
        self.pilot.course = Stopping(self.pilot.believed(), self.pivot(t), begin=t, seconds=self.seconds)

    def update(self, t: float) -> Done | None:
        assert self.pilot.course
        rate = float(np.linalg.norm(self.pilot.believed().w))
        return Done(rate) if t >= self.pilot.course.end and rate < 2e-3 else None


class BackOut(Phase):
    """A pilot that stands beside a target, out to the `radius` (m) of its formation again, turning on as it did: so an
    arm leaves what it reached into the way it came. `other` (-) is what every `Phase` takes."""

    kind = "back out"

    def __init__(self, pilot: Pilot, formation: Formation, radius: float, **other: Any) -> None:
        super().__init__(**other)
        self.pilot, self.formation, self.radius = pilot, formation, radius

    def begin(self, t: float) -> None:
        self._out = self.formation.close_in(t, self.radius)

    def update(self, t: float) -> Done | None:
        self.formation.update(t)
        return Done() if t >= self._out else None


class Avoid(Phase):
    """Away from the target at `center(t)` (m, in A), by the least change of velocity after which free flight stays out
    of the sphere of `radius` (m) for one orbit; then drifting for `seconds` (s). Its result tells how near it would
    come. If thrusters are isolated, only changes that the others can make count. `other` (-) is what every `Phase`
    takes."""

    kind = "avoid"

    def __init__(
        self, pilot: Pilot, center: Callable[[float], np.ndarray], radius: float, seconds: float = 30.0, **other: Any
    ) -> None:
        super().__init__(**other)
        self.pilot, self.center, self.radius, self.seconds = pilot, center, radius, seconds

    def begin(self, t: float) -> None:
        self._lost = len(self.pilot.isolated)
        here, n, center = self.pilot.believed(), self.pilot.craft.n, self.center(t)
        r, moving = here.p - center, here.v - (self.center(t + 1.0) - center)  # the target may drift, too
        can_push = (lambda change: self.pilot.can_push(here.R.T @ change)) if self.pilot.isolated else None
        change = avoidance(n, r, moving, self.radius, can_push=can_push)
        if change is None:
            change = 0.3 * r / np.linalg.norm(r) - moving
        leaving = here.v + change
        self.delta_v = float(np.linalg.norm(change))
        self.foreseen = drift(n, r, moving + change)
        self.pilot.course = Coast(here, leaving, n, begin=t, seconds=self.seconds)

    def update(self, t: float) -> Done | None:
        assert self.pilot.course
        if len(self.pilot.isolated) > self._lost:  # what it was to be done with has failed, too
            self.begin(t)
        return Done(self.foreseen) if t >= self.pilot.course.end else None


class Line(Phase):
    """An arm's tip along a straight line in its base's frame, from where it is to the pose `to`, in `seconds` (s).
    `other` (-) is what every `Phase` takes."""

    kind = "line"

    def __init__(self, arm: Arm, to: Pose, seconds: float, **other: Any) -> None:
        super().__init__(**other)
        self.arm, self.to, self.seconds = arm, to, seconds

    def begin(self, t: float) -> None:
        from scipy.interpolate import CubicSpline

        from softdock.spatial import vector_of_matrix

        kinematics, self._begin, x = BaseArm(self.arm), t, self.arm.wanted_at(t).q.copy()
        R0, p0, _ = kinematics.forward(x)
        turn, way, knots = vector_of_matrix(R0.T @ self.to.rotation), np.asarray(self.to.position) - p0, [x]
        parts = np.linspace(0.0, 1.0, 17)
        for s in parts[1:]:
            knots.append(kinematics.solved(Pose.of(R0 @ matrix_of_vector(s * turn), p0 + s * way), knots[-1]))
        self._line = CubicSpline(parts, np.array(knots))
        self.arm.motion = self

    def at(self, t: float) -> Sample:
        s, rate, bend = quintic((t - self._begin) / self.seconds)
        rate, bend = rate / self.seconds, bend / self.seconds**2
        first, second = self._line(s, 1), self._line(s, 2)
        return Sample(self._line(s), rate * first, rate * rate * second + bend * first)

    def update(self, t: float) -> Done | None:
        return Done() if t >= self._begin + self.seconds - 1e-9 else None


class Press(Phase):
    """An arm whose joints have servos presses what it holds, with a `force` (N) that grows for `seconds` (s), at the
    point `at` (m), both in its base's frame: its servos are told to go beyond where it is. Motors give no more than
    half of what they can. `other` (-) is what every `Phase` takes."""

    kind = "press"

    def __init__(self, arm: Arm, force: ArrayLike, at: ArrayLike, seconds: float, **other: Any) -> None:
        super().__init__(**other)
        self.arm, self.force, self.point, self.seconds = arm, np.asarray(force, float), np.asarray(at, float), seconds

    def begin(self, t: float) -> None:
        arm, self._begin = self.arm, t
        stiffness = arm.servos[:, 0]
        if not stiffness.all():
            raise Unreachable(
                f"{arm.name} cannot press by servos: joint {arm.joints[int(np.argmin(stiffness))]!r} has none"
            )
        self._from = arm.wanted_at(t).q.copy()
        _, p, J = BaseArm(arm).forward(self._from)
        torques = J[3:].T @ self.force + J[:3].T @ np.cross(self.point - p, self.force)
        most = float(np.min(arm.efforts / 2 / np.maximum(np.abs(torques), 1e-9)))
        self._beyond = min(1.0, most) * torques / stiffness
        arm.motion = self

    def at(self, t: float) -> Sample:
        still = np.zeros(len(self._from))
        return Sample(self._from + quintic((t - self._begin) / self.seconds)[0] * self._beyond, still, still)

    def update(self, t: float) -> Done | None:
        return Done() if t >= self._begin + self.seconds - 1e-9 else None
