"""Grasping something that tumbles: where and when by its forecast, following it, stopping it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from softdock.estimation import RunAway
from softdock.mission.arm import Arm, From
from softdock.mission.craft import Crafts
from softdock.mission.gripper import Gripper
from softdock.mission.keeping_clear import KeepingClear, Room
from softdock.mission.part import Part, PartError
from softdock.mission.phase import Done, Phase, Unreachable, Unsure
from softdock.mission.tracker import TargetTracker
from softdock.planning import Infeasible, minimum_acceleration
from softdock.planning.braking import Stop, stopping
from softdock.planning.intercept import Intercept, Moving, Search, Timing, gripper_at
from softdock.planning.plan import Sample
from softdock.world import Pose

UNSURE = "the forecast does not meet the gripper's tolerance"
AGAIN = 4.0
"""Seconds after which a plan that is being followed is made anew by the newest forecast."""
ENOUGH = 10
"""Measurements before an intercept is looked for."""
STILL = (np.radians(0.02), 0.001)
"""Rates (rad/s) of what is held against the base, and of joints, below which it is at rest."""
ROOM = 0.003
"""What a gripper must leave between itself and the target (m)."""
SWIFTER = 1.2
"""The target's forecast speeds are bounded by so many times the largest at a few times."""
RETREATS = (1.0, 1.5, 2.0)
"""Durations of a retreat that are tried, in units of its own."""


@dataclass(frozen=True)
class Braking:
    """How what was grasped is stopped."""

    moment: float = 0.25
    """Largest moment on it (N m)."""
    force: float = 5.0
    """Largest force on it (N)."""


class Chase(Part):
    """What the phases of a grasp share: an `arm` that waits at `ready` (rad), a tracker `nav`, a gripper `hand`.

    An intercept is looked for every `every` (s) among the `grasps` (gripper in the handle's frame), to close from
    `earliest` (s) to `latest` (s). It is tried if `confidence` (-) times the forecast's root mean square errors are
    within the gripper's envelope. All bodies keep `margin` (m) apart, but for the tip's and the target's.
    """

    def __init__(
        self,
        arm: Arm,
        nav: TargetTracker,
        hand: Gripper,
        *,
        ready: Sequence[float],
        timing: Timing,
        grasps: Sequence[Pose],
        earliest: float,
        latest: float,
        every: float = 30.0,
        confidence: float = 2.0,
        margin: float = 0.04,
        braking: Braking | None = None,
    ) -> None:
        self.arm, self.nav, self.hand, self.timing = arm, nav, hand, timing
        self.ready, self.grasps = np.asarray(ready, float), list(grasps)
        self.earliest, self.latest, self.every = earliest, latest, every
        self.confidence, self.braking = confidence, braking or Braking()
        self.margin = margin
        self.intercept: Intercept | None = None
        self.obstacle = ""
        self.searched = self._improved = -np.inf
        self._newer = False
        self._stops: dict[float, Stop] = {}

    def fit(self, crafts: Crafts) -> None:
        for part in (self.arm, self.nav, self.hand):
            if not part.name:
                raise PartError(f"{self.name}: its arm, tracker and gripper must be parts too, named before it")
        if self.ready.shape != self.arm.lower.shape:
            raise PartError(f"{self.name}: ready has {self.ready.size} values for {len(self.arm.joints)} joints")
        if self.hand.craft is not self.arm.craft:
            raise PartError(f"{self.name}: {self.hand.name!r} is not on the craft of {self.arm.name!r}")

        self.room = Room(self.arm, self.hand.target_shapes, self.nav.handle)
        if self.hand.kind == "fingers":
            self._refuse_tight()

    def _refuse_tight(self) -> None:
        """Leave out grasps at which the gripper would touch the target; PartError if that is all of them."""
        kept, worst = [], ""
        for grasp in self.grasps:
            (own, other), gap = self.room.obstacle(grasp, self.timing.standoff)
            if gap > ROOM:
                kept.append(grasp)
            else:
                worst = f"{own!r} would be {1e3 * gap:.0f} mm from {other!r}"
        if not kept:
            raise PartError(f"{self.name}: no grasp of {self.hand.handle_name!r} leaves room for the gripper: {worst}")
        self.grasps = kept

    @cached_property
    def clear(self) -> KeepingClear:
        """By true shapes; the gripper comes as near to the target as its grasps need, by half of what they leave."""
        near = {pair: gap / 2 for pair, gap in self.room.least(self.grasps).items() if gap > 0}
        return KeepingClear(self.arm, self.hand.target_shapes, margin=self.margin, near=near)

    # --- where and when ----------------------------------------------------------------------------

    def is_blind(self, t: float) -> bool:
        """Is the camera blocked?"""
        return self.nav.camera.is_blocked(t)

    def is_last_look(self, t: float) -> bool:
        """Is the camera blocked for so long that nothing can be seen before the latest grasp?"""
        return self.nav.camera.sees_again(t) > self.latest - self.timing.align - self.timing.least

    def search(self, t: float) -> None:
        """The intercept that was found again by the newest forecast; if that cannot be, or there is none, the best."""
        self.searched = t
        planner = self._planner(t)
        if self.intercept and (again := planner.again(t, self.intercept)):
            self.intercept = again
            return
        soonest = np.ceil(t + self.timing.align + self.timing.least + 0.5)
        times = np.arange(max(self.earliest, soonest), self.latest + 1e-9, 2.0)
        try:
            self.intercept = planner.best(t, times, self.grasps)
        except (Infeasible, RunAway) as error:
            self.intercept, self.obstacle = None, str(error)

    def improve(self, t: float) -> None:
        """The same grasp by the newest forecast, now and then; the old plan may do until the last frame is here."""
        assert self.intercept
        self._newer |= self.nav.is_fresh
        last = self.is_blind(t) and not self.nav.camera.waiting
        if not (self._newer and (last or t - self._improved >= AGAIN)):
            return
        self._improved, self._newer = t, False
        better = self._planner(t).replanned(t, self.intercept)
        if better is None and last:
            raise Unreachable("the handle went out of reach")
        if better is not None:
            self.arm.motion = self.intercept = better

    def _planner(self, t: float) -> Search:
        self._stops.clear()
        held = self.nav.handle.inverse()
        return Search(
            self.arm.reacher, self.ready, self.nav.handle_at, ClearOfForecast(self.clear, self.nav, self.speeds(t)),
            timing=self.timing, brake=self._braked, eye=self._eye(),
            clear_held=lambda R, p, q: self.clear.at(q, Pose.of(R, p) @ held), doubt=self._unsure,
        )  # fmt: skip

    def _eye(self) -> np.ndarray:
        """Where the camera is, in A."""
        return self.nav.camera.craft.viewpoint(self.nav.camera.at).p_AK

    def speeds(self, t: float) -> tuple[float, float]:
        """Bounds of the target's speed and turn (m/s, rad/s) by its forecast."""
        motions = [self.nav.handle_at(t + ahead) for ahead in (0.0, 5.0, 10.0, 20.0, 40.0)]
        turn = SWIFTER * max(float(np.linalg.norm(motion.w)) for motion in motions)
        arm = float(np.linalg.norm(self.nav.handle.position))
        return SWIFTER * max(float(np.linalg.norm(motion.v)) for motion in motions) + turn * arm, turn

    # --- is it sure? -------------------------------------------------------------------------------

    def doubt(self) -> str:
        """Why the planned grasp is not to be tried; empty if the forecast at closing meets the gripper's envelope."""
        if self.intercept is None:
            return self.obstacle or "too few measurements"
        try:
            self.nav.refuse_contradicted(self.intercept.closed)
        except Unsure as why:
            return str(why)
        return "" if self._unsure(self.intercept.closed) <= 1.0 else UNSURE

    def _unsure(self, t: float) -> float:
        """`confidence` times the forecast's errors at time t over the gripper's envelope."""
        there, envelope = self.nav.forecast(t), self.hand.envelope
        off = max(there.position_sigma / envelope.distance, there.angle_sigma / envelope.angle)
        return float(self.confidence * off)

    def refuse_doubt(self) -> None:
        if why := self.doubt():
            raise Unsure(why)

    # --- stopping ----------------------------------------------------------------------------------

    def stop_of(self, handle: Moving) -> Stop:
        """The target's way to rest in least time. The estimate has its inertia's shape; the scale is as described."""
        now, target = self.nav.estimator.estimate(), self.hand.target
        scale = float(np.trace(target.inertia))
        braking = self.braking
        return stopping(
            handle, now.inertia * scale, now.offset, target.mass, moment=braking.moment, force=braking.force
        )

    def _braked(self, t: float) -> list[tuple[float, np.ndarray, np.ndarray]]:
        key = round(float(t), 6)
        if key not in self._stops:
            self._stops[key] = self.stop_of(self.nav.handle_at(t))
        stop = self._stops[key]
        rows = np.unique(np.append(np.arange(4, len(stop.t), 4), len(stop.t) - 1))
        return [(t + float(stop.t[k]), stop.R[k], stop.p[k]) for k in rows]


class ClearOfForecast:
    """Is the arm clear of the target as forecast: at an instant, or along a motion of its joints? As `Search` asks."""

    def __init__(self, clear: KeepingClear, nav: TargetTracker, speeds: tuple[float, float]) -> None:
        self._clear, self._nav, self._speeds = clear, nav, speeds

    def __call__(self, t: float, q: np.ndarray) -> bool:
        return self._clear.at(q, self._nav.body_at(t))

    def along(self, cubics: Any) -> bool:
        return self._clear.along(cubics, self._nav.body_at, self._speeds)


class Spline:
    """Joint values through knots, with given rates at both ends."""

    def __init__(self, t: np.ndarray, q: np.ndarray, rates: tuple[np.ndarray, np.ndarray]) -> None:
        from scipy.interpolate import CubicSpline

        self._curve = CubicSpline(t, q, bc_type=((1, rates[0]), (1, rates[1])))
        self.duration = float(t[-1])

    def at(self, t: float) -> Sample:
        return Sample(self._curve(t), self._curve(t, 1), self._curve(t, 2))


# --- the phases ------------------------------------------------------------------------------------


class Grasping(Phase):
    """A phase of a `chase`; `other` (-) is what every `Phase` takes."""

    def __init__(self, chase: Chase, **other: Any) -> None:
        super().__init__(**other)
        self.chase = chase


class Seek(Grasping):
    """Until an intercept is found, its time has come, and the forecast is good enough; the arm follows it from then on.
    With the camera blocked until it is too late for another, and no such intercept: `Unsure`. Its result is the
    intercept."""

    kind = "seek"

    def update(self, t: float) -> Done | None:
        chase, blind = self.chase, self.chase.is_last_look(t)
        due = t - chase.searched >= chase.every or (blind and chase.intercept is None)
        if chase.nav.accepted >= ENOUGH and due and (chase.nav.is_fresh or blind):
            chase.search(t)
        if blind:
            chase.refuse_doubt()
        if not chase.intercept or t < chase.intercept.begins - 1e-9:
            return None
        if chase.doubt():
            chase.intercept, chase.searched = None, t - chase.every + AGAIN
            return None
        chase.arm.motion = chase.intercept
        return Done(chase.intercept)


class Align(Grasping):
    """Until the gripper is behind the handle, and moves with it."""

    kind = "align"

    def update(self, t: float) -> Done | None:
        self.chase.improve(t)
        assert self.chase.intercept
        if self.chase.is_blind(t):
            self.chase.refuse_doubt()
        return Done() if t >= self.chase.intercept.tracks - 1e-9 else None


class Track(Grasping):
    """Along with the handle while it is seen, or until the gripper is to close."""

    kind = "track"

    def update(self, t: float) -> Done | None:
        chase, blind = self.chase, self.chase.is_blind(t)
        chase.improve(t)
        assert chase.intercept
        if blind or t >= chase.intercept.closes - 1e-9:
            chase.refuse_doubt()
        return Done() if t >= chase.intercept.closes - 1e-9 or (blind and not chase.nav.camera.waiting) else None


class Blind(Grasping):
    """Along with the handle by its forecast, until the gripper is to close."""

    kind = "blind"

    def update(self, t: float) -> Done | None:
        assert self.chase.intercept
        if t < self.chase.intercept.closes - 1e-9:
            return None
        self.chase.refuse_doubt()
        return Done()


class Retreat(Grasping):
    """Back to where the arm waited, in about `seconds` (s), by the first way that keeps clear of the target's forecast;
    if none does, by the longest. `other` (-) is what every `Phase` takes."""

    kind = "retreat"

    def __init__(self, chase: Chase, seconds: float, **other: Any) -> None:
        super().__init__(chase, **other)
        self.seconds = seconds

    def begin(self, t: float) -> None:
        chase, here = self.chase, self.chase.arm.wanted_at(t)
        arm = chase.arm
        for times in RETREATS:
            plan = minimum_acceleration(here.q, chase.ready, times * self.seconds, start_rate=here.qd)
            arm.motion = From(plan, t)
            if chase.nav.accepted and self._is_clear(plan.cubics(t), t):
                return

    def _is_clear(self, cubics: Any, t: float) -> bool:
        try:
            return self.chase.clear.along(cubics, self.chase.nav.body_at, self.chase.speeds(t))
        except RunAway:
            return False

    def update(self, t: float) -> Done | None:
        assert isinstance(self.chase.arm.motion, From)
        return Done() if t >= self.chase.arm.motion.end - 1e-9 else None


class Brake(Grasping):
    """Bring what is held to rest against the base, by arm and wheels; its model, held at `grasp`, is the craft's from
    now on. `period` (s) is the mission's; `other` (-) is what every `Phase` takes."""

    kind = "detumble"

    def __init__(self, chase: Chase, grasp: Pose, period: float, **other: Any) -> None:
        super().__init__(chase, **other)
        self.grasp, self.period, self._end = grasp, period, np.inf

    def begin(self, t: float) -> None:
        chase, arm = self.chase, self.chase.arm
        stop = chase.stop_of(chase.nav.handle_at(t))
        arm.craft.carry(chase.hand.payload(self.grasp), self.period)
        plan = self._plan(stop)
        arm.motion = From(plan, t)
        self._end = t + float(plan.duration)

    def _plan(self, stop: Stop) -> Any:
        arm = self.chase.arm
        joints, rate = [arm.q], arm.qd
        for R, p in zip(stop.R[1:], stop.p[1:], strict=True):
            still = Moving(R, p, np.zeros(3), np.zeros(3))
            there = arm.reacher.at(*gripper_at(still, self.grasp, 0.0), joints[-1])
            if there is None:  # a limit is in the way: every joint stops by itself
                most = 2 * stop.t[-1]
                return minimum_acceleration(arm.q, arm.q + rate * most / 2, most, start_rate=rate)
            joints.append(there)
        return Spline(stop.t, np.array(joints), (rate, np.zeros(len(rate))))

    def update(self, t: float) -> Done | None:
        arm = self.chase.arm
        turn = arm.kinematics.forward(arm.q)[2][:3] @ arm.qd
        still = np.linalg.norm(turn) < STILL[0] and np.abs(arm.qd).max() < STILL[1]
        return Done() if t >= self._end and still else None
