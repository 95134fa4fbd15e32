"""The part `Chase`: where and when to grasp something that tumbles, by its forecast, and whether that is sure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from softdock.estimation import RunAway
from softdock.mission.arm import Arm
from softdock.mission.craft import Crafts
from softdock.mission.gripper import Gripper
from softdock.mission.keeping_clear import KeepingClear, Room
from softdock.mission.part import Part, PartError
from softdock.mission.phase import Unreachable, Unsure
from softdock.mission.tracker import TargetTracker
from softdock.planning import Infeasible
from softdock.planning.braking import Stop, stopping
from softdock.planning.intercept import Intercept, Moving, Search, Timing, gripper_at
from softdock.spatial import vector_of_matrix
from softdock.world import Pose

UNSURE = "the forecast does not meet the gripper's tolerance"
AGAIN = 4.0
"""Seconds after which a plan that is being followed is made anew by the newest forecast."""
ENOUGH = 10
"""Measurements before an intercept is looked for."""
ROOM = 0.003
"""What a gripper must leave between itself and the target (m)."""
SWIFTER = 1.2
"""The target's forecast speeds are bounded by so many times the largest at a few times."""
COARSE, FINE = 2.0, 0.5
"""Seconds between two closing times that are looked at; the second where nothing was found."""
LAST_CHANCE = 10.0
"""Seconds before the latest start from which a grasp may ask more of motors than they give."""
LAST_LOOK = 2.0
"""Seconds before closing from which a camera that sees again is no help."""


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
    `earliest` (s) to `latest` (s); where none is found, among `finer` ones too, and at more times. It is tried if
    `confidence` (-) times the forecast's root mean square errors are within the gripper's envelope. All bodies keep
    `margin` (m) apart, but for the tip's and the target's.
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
        finer: Sequence[Pose] = (),
        every: float = 30.0,
        confidence: float = 2.0,
        margin: float = 0.04,
        braking: Braking | None = None,
    ) -> None:
        self.arm, self.nav, self.hand, self.timing = arm, nav, hand, timing
        self.ready, self.grasps, self.finer = np.asarray(ready, float), list(grasps), list(finer)
        self.earliest, self.latest, self.every = earliest, latest, every
        self.confidence, self.braking = confidence, braking or Braking()
        self.margin = margin
        self.intercept: Intercept | None = None
        self.obstacle, self.passivation = "", ""
        self.searched = self._improved = -np.inf
        self._newer = self._is_forced = False
        self._stops: dict[float, Stop] = {}

    def fit(self, crafts: Crafts) -> None:
        for part in (self.arm, self.nav, self.hand):
            if not part.name:
                raise PartError(f"{self.name}: its arm, tracker and gripper must be parts too, named before it")
        if self.ready.shape != self.arm.lower.shape:
            raise PartError(f"{self.name}: ready has {self.ready.size} values for {len(self.arm.joints)} joints")
        if self.hand.craft is not self.arm.craft:
            raise PartError(f"{self.name}: {self.hand.name!r} is not on the craft of {self.arm.name!r}")
        if self.hand.handle_name != self.nav.handle_name:
            raise PartError(
                f"{self.name}: {self.nav.name!r} follows {self.nav.handle_name!r}, but the first handle of "
                f"{self.hand.name!r} is {self.hand.handle_name!r}"
            )
        self.room = Room(self.arm, self.hand.target_shapes, self.nav.handle)
        if self.hand.kind == "fingers":
            self._refuse_tight()

    def update(self, t: float) -> None:
        self.nav.is_held = bool(self.hand.holds)

    def _refuse_tight(self) -> None:
        """Leave out grasps at which the gripper would touch the target; PartError if that is all of them."""
        kept, worst = self._with_room(self.grasps)
        self.finer, _ = self._with_room(self.finer)
        if not kept + self.finer:
            raise PartError(f"{self.name}: no grasp of {self.hand.handle_name!r} leaves room for the gripper: {worst}")
        self.grasps = kept or self.finer

    def _with_room(self, grasps: Sequence[Pose]) -> tuple[list[Pose], str]:
        """Those at which the gripper touches nothing; and what is in the way of the last that does."""
        kept, worst = [], ""
        for grasp in grasps:
            (own, other), gap = self.room.obstacle(grasp, self.timing.standoff)
            if gap > ROOM:
                kept.append(grasp)
            else:
                worst = f"{own!r} would be {1e3 * gap:.0f} mm from {other!r}"
        return kept, worst

    @cached_property
    def clear(self) -> KeepingClear:
        """By true shapes; the gripper comes as near to the target as its grasps need, by half of what they leave."""
        near = {pair: gap / 2 for pair, gap in self.room.least(self.grasps + self.finer).items() if gap > 0}
        return KeepingClear(self.arm, self.hand.target_shapes, margin=self.margin, near=near)

    # --- where and when ----------------------------------------------------------------------------

    def is_blind(self, t: float) -> bool:
        """Is the camera blocked?"""
        return self.nav.camera.is_blocked(t)

    def is_last_look(self, t: float) -> bool:
        """Is the camera blocked for so long that nothing can be seen before the latest grasp?"""
        return self.is_blind(t) and self.nav.camera.sees_again(t) > self.last_start

    @property
    def last_start(self) -> float:
        """When aligning must begin at the latest (s)."""
        return self.latest - self.timing.align - self.timing.least

    def sees_no_more(self, t: float) -> bool:
        """Is the camera blocked until it is time to close?"""
        assert self.intercept
        return self.is_blind(t) and self.nav.camera.sees_again(t) > self.intercept.closes - LAST_LOOK

    def knows_all(self, t: float) -> bool:
        """Has everything arrived that will be seen before it is time to close?"""
        return self.sees_no_more(t) and not self.nav.camera.waiting

    def follow(self, t: float) -> None:
        """The arm goes for the intercept that was found; by the newest forecast, from the next period on."""
        self.arm.motion, self._newer, self._improved = self.intercept, True, -np.inf

    def search(self, t: float) -> None:
        """The intercept that was found again by the newest forecast; if that cannot be, or there is none, the best.
        At the last chance, where none is within what motors give, one that asks more for a while may do: an arm or a
        base that does not follow ends the attempt."""
        self.searched = t
        if self.intercept and (again := self.planner(t).again(t, self.intercept)):
            self.intercept = again
            return
        self.intercept = None
        begin = max(self.earliest, float(np.ceil(t + self.timing.align + self.timing.least + 0.5)))
        if begin > self.latest:
            self.obstacle = self.obstacle or "no time is left"
            return
        for self._is_forced in (False, True):
            planner = self.planner(t)
            for step, grasps in ((COARSE, self.grasps), (FINE, self.grasps + self.finer)):
                try:
                    self.intercept = planner.best(t, np.arange(begin, self.latest + 1e-9, step), grasps)
                    return
                except (Infeasible, RunAway) as error:
                    self.obstacle = str(error)
            if not (planner.is_held_back and self._is_last_chance(t)):
                return

    def _is_last_chance(self, t: float) -> bool:
        return self.is_last_look(t) or t > self.last_start - LAST_CHANCE

    def improve(self, t: float) -> None:
        """The same grasp by the newest forecast, now and then; the old plan may do until the last frame is here."""
        assert self.intercept
        self._newer |= self.nav.is_fresh
        last, soon = self.knows_all(t), self.intercept.closes - LAST_LOOK
        due = last or t - self._improved >= AGAIN or self._improved < soon <= t
        if not (self._newer and due):
            return
        self._improved, self._newer = t, False
        better = self.replanned(t, self.planner(t), self.intercept)
        if better is None and last:
            raise Unreachable("the handle went out of reach")
        if better is not None:
            self.arm.motion = self.intercept = better

    def replanned(self, t: float, planner: Search, old: Intercept) -> Intercept | None:
        """The same grasp at the same time by the newest forecast, going on from where the arm is."""
        return planner.replanned(t, old)

    def planner(self, t: float) -> Search:
        """Of intercepts, by the forecast at time t (s)."""
        self._stops.clear()
        held = self.nav.handle.inverse().matrix()
        return Search(
            self.arm.reacher, self.ready, self.nav.handle_at, ClearOfForecast(self.clear, self.nav, self.speeds(t)),
            timing=self.timing, brake=self._braked, eye=self._eye(),
            clear_held=lambda R, p, q: self.clear.at(q, _matrix(R, p) @ held), doubt=self.unsure,
            strong=None if self._is_forced else self.arm.strength.suffices,
            facing=lambda grasp: self.hand.handle_of(grasp).placement.rotation @ [-1.0, 0.0, 0.0],
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
            return self.obstacle or self.nav.resized or "too few measurements"
        try:
            self.nav.refuse_contradicted(self.intercept.closed)
        except Unsure as why:
            return str(why)
        return "" if self.unsure(self.intercept.closed, self.intercept.grasp) <= 1.0 else UNSURE

    def doubt_to_begin(self, t: float) -> str:
        """Why the arm is not to leave for the planned grasp. While the camera sees, the forecast will be surer when it
        is time to close: it need be sure only of where aligning ends."""
        why = self.doubt()
        if why == UNSURE and self.intercept and not self.is_blind(t + AGAIN):
            return "" if self.unsure(self.intercept.tracks, self.intercept.grasp) <= 1.0 else UNSURE
        return why

    def unsure(self, t: float, grasp: Pose) -> float:
        """`confidence` times the errors at time t of the forecast handle that is grasped, over the gripper's
        envelope."""
        handle, envelope = self.hand.handle_of(grasp), self.hand.envelope
        there = self.nav.forecast(t, None if handle is self.hand.handles[0] else handle.placement)
        off = max(there.position_sigma / envelope.distance, there.angle_sigma / envelope.angle)
        return float(self.confidence * off)

    def refuse_doubt(self) -> None:
        """A guard, when nothing more will be seen: `Unsure` if the forecast does not meet the gripper's envelope,
        `Unreachable` if the arm does not go where the handle will be."""
        if why := self.doubt():
            raise Unsure(why)
        plan, envelope = self.intercept, self.hand.envelope
        assert plan
        R, p = gripper_at(self.nav.handle_at(plan.closed), plan.grasp, 0.0)
        R_G, p_G, _ = self.arm.reacher.forward(plan.at(plan.closed).q)
        turned = float(np.linalg.norm(vector_of_matrix(R_G.T @ R)))
        if np.linalg.norm(p - p_G) > envelope.distance / 2 or turned > envelope.angle / 2:
            raise Unreachable("the handle will not be where the arm can follow it to")

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
        return self._clear.at(q, self._nav.placed_at(t))

    def along(self, cubics: Any) -> bool:
        return self._clear.along(cubics, self._nav.placed_at, self._speeds)


def _matrix(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    return X
