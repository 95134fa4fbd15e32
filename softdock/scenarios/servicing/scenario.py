"""Scenario 'servicing': a whole mission in one run, from 40 m to a berthed satellite (docs/scenarios/servicing.md)."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from softdock import mission as ms
from softdock.mission.arm import Still
from softdock.mission.conductor import Phases
from softdock.mission.flying import Avoid, BaseArm, Fly, Line, ReachBeside, Stop, Synchronise
from softdock.mission.lock import Latch, Lock, Release
from softdock.mission.part import Part
from softdock.mission.pilot import Pilot
from softdock.planning.flight import Glide
from softdock.scenarios.capture.craft import Arm, Chaser
from softdock.scenarios.capture.vision import Vision
from softdock.scenarios.derived import DerivedScenario
from softdock.scenarios.mission import Mission
from softdock.scenarios.servicing.craft import (
    BASE,
    BERTH,
    CAMERA,
    GRASP,
    GRIPPER,
    HANDLE_FRAME,
    R_BQ,
    R_BS,
    TARGET,
    Client,
    Jets,
    Port,
    Start,
    beside,
    facing,
    initial_state,
    whole_world,
)
from softdock.world import Fixed, Orbit, Pose, World
from softdock.world.describe import Described
from softdock.world.shapes import Positive


class Plan(Described):
    """Distances (m), speeds (m/s), times (s)."""

    hold: Positive = 10.0
    near: Positive = 5.0
    speed: Positive = 0.35
    keep_out: Positive = 4.0
    outer: Positive = 3.6
    station: Positive = 2.85
    reach: Positive = 15.0
    last: Positive = 8.0
    stop: Positive = 40.0
    carry: Positive = 50.0
    above: Positive = 0.30
    insert: Positive = 15.0
    mouth: Positive = 0.04
    seat: Positive = 8.0
    press: Positive = 0.06


class Parts(Described):
    """What the world is made from."""

    orbit: Orbit
    chaser: Chaser = Chaser()
    jets: Jets = Jets()
    arm: Arm = Arm()
    target: Client = Client()
    port: Port = Port()
    start: Start = Start()
    plan: Plan = Plan()

    def make_world(self) -> World:
        """Chaser and target."""
        return whole_world(self.chaser, self.jets, self.arm, self.target, self.port, self.start, self.orbit)

    def make_initial(self) -> dict[str, Any]:
        """The arm stowed, the target tumbling."""
        arm, target, orbit = self.arm, self.target, self.orbit
        return initial_state(
            arm, target, self.start, orbit, self.plan.near,
            lambda: beside(self.chaser, arm, target, orbit, self.plan.station),
        )  # fmt: skip


class Servicing(Parts, DerivedScenario, Mission):
    """The mission."""

    made_from: ClassVar[type[Described]] = Parts
    goal = "berthed"
    outcomes = ("berthed", "aborted", "missed", "collided")

    vision: Vision = Vision()

    def period(self) -> float:
        """Of the control (s)."""
        return 0.25

    def parts(self) -> Mapping[str, Part]:
        """Arm, pilot, camera, tracker, gripper, locks."""
        eye = ms.PoseCamera(CAMERA, TARGET, of=HANDLE_FRAME, position=self.vision.scatter, angle=self.vision.angle)
        return {
            "arm": ms.Arm(GRIPPER),
            "pilot": Pilot(BASE),
            "eye": eye,
            "nav": ms.TargetTracker(eye, HANDLE_FRAME),
            "hand": ms.Gripper(GRASP),
            "soft": Lock(f"{BERTH}.soft"),
            "berth": Lock(BERTH),
            "grasp": Lock(GRASP),
        }

    def phases(self, **parts: Any) -> Phases:
        """From where it starts to berthed; if something fails before it holds the target, away from it."""
        pilot, nav = parts["pilot"], parts["nav"]
        if not self.start.is_held:
            try:
                yield from self._capture(**parts)
            except ms.Failure as why:
                yield Avoid(pilot, self._center(nav), self.plan.keep_out)
                return ms.Aborted(why)
        try:
            yield from self._berth(**parts)
        except ms.Failure as why:
            return ms.Aborted(why)
        return ms.Success("berthed")

    def _center(self, nav: ms.TargetTracker) -> Any:
        return lambda t: np.asarray(nav.body_at(t).position)

    def _capture(self, *, arm: ms.Arm, pilot: Pilot, nav: ms.TargetTracker, hand: ms.Gripper, **others: Part) -> Phases:
        """Approach, inspect, synchronise, reach, close, stop the tumble."""
        plan, center = self.plan, self._center(nav)
        yield ms.Wait(until=lambda t: nav.accepted >= 10, limit=60.0, name="acquire")
        if self.start.phase == "approach":
            yield Fly(pilot, lambda t: self._towards(pilot, center(t), plan.hold, t), name="approach")
        yield ms.Wait(until=nav.surer_than(0.02, 0.035, ahead=20.0), limit=300.0, name="inspect")
        if self.start.phase == "approach":
            yield Fly(pilot, lambda t: self._towards(pilot, center(t), plan.near, t), name="close in")
        formation = yield Synchronise(pilot, nav, R_BS, outer=plan.outer, inner=plan.station, name="synchronise")
        reach = yield ReachBeside(arm, pilot, nav, Pose(), seconds=plan.reach, last=plan.last, formation=formation)
        yield ms.Close(hand, Pose(), guards=[reach.follow])
        arm.motion = Still(arm.q.copy())
        arm.craft.carry(hand.payload(Pose()), self.period())
        yield Stop(pilot, center, plan.stop)
        return None

    def _berth(
        self, *, arm: ms.Arm, pilot: Pilot, hand: ms.Gripper, soft: Lock, berth: Lock, grasp: Lock, **others: Part
    ) -> Phases:
        """Carry to the port, insert, latch, let go, draw back."""
        plan, port = self.plan, self.gripper_at_port()
        if self.start.is_held:
            arm.craft.carry(hand.payload(Pose()), self.period())
        above = Pose(position=(0.0, 0.0, plan.above)) @ port
        pressed = Pose(position=(0.0, 0.0, -plan.press)) @ port
        there = BaseArm(arm).solved(above, self.guess(arm), restarts=40)
        yield ms.Move(arm, there.tolist(), plan.carry, name="carry")
        yield Line(arm, Pose(position=(0.0, 0.0, plan.mouth)) @ port, plan.insert, name="insert")
        pilot.is_idle = True  # what presses is within the craft; the pilot's model would push against it
        yield Line(arm, pressed, plan.seat, name="seat")
        yield Latch(soft, name="soft latch")
        yield Latch(berth, name="hard latch")
        yield Release(grasp)
        pilot.is_idle = False
        arm.craft.carry(self._berthed(hand), self.period())
        yield Line(arm, above, plan.insert, name="let go")
        yield ms.Move(arm, self.arm.stowed, plan.carry, name="retreat")
        return None

    def guess(self, arm: ms.Arm) -> np.ndarray:
        """Joint values near those of the berth: elbow forward."""
        return np.array([0.0, -1.2, 0.0, -1.8, 0.0, -1.7, arm.q[6]])

    def gripper_at_port(self) -> Pose:
        """G in S, when the ring is on the port."""
        ring = Pose.of(R_BQ, np.array(self.target.ring))
        return Pose(position=self.port.position) @ ring.inverse() @ self.target.frame

    def _berthed(self, hand: ms.Gripper) -> Any:
        ring = Pose.of(R_BQ, np.array(self.target.ring))
        placement = Pose(position=self.port.position) @ ring.inverse()
        return hand.target.altered(parent=BASE, joint=Fixed(), placement=placement)

    def _towards(self, pilot: Pilot, center: np.ndarray, distance: float, t: float) -> Glide:
        """Straight towards the target, to a hold point."""
        assert pilot.course
        start = pilot.course.at(t)
        way = start.p - center
        to = center + distance * way / np.linalg.norm(way)
        return Glide(start, to, facing(to - center), begin=t, speed=self.plan.speed)


SCENARIO = Servicing
