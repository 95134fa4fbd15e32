"""Track and capture on the ground (Aghili): a hand is led to a tumbling target's handle by camera and filter, goes on
blind, and closes. The mission's parts are those of `softdock.mission`; here is what the laboratory needs for them.

Orbit and ideal ground go on from the instant at which the fingers begin to close, with the servicer and the simulated
target as they are then, and with the joint motion that the servicer has on the ground: before, nothing touches.
"""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np

from softdock.arm import reach
from softdock.arm.worlds import PLATFORM
from softdock.dynamics import Dynamics
from softdock.facility.emulation import Emulation
from softdock.facility.grasp import GRIP, GraspLaboratory
from softdock.facility.laboratory import MOCKUP, R_FT, R_SERVICER, SERVICER
from softdock.mission.arm import Arm
from softdock.mission.chase import Chase
from softdock.mission.keeping_clear import DRIFT, KeepingClear
from softdock.mission.servos import JointServos
from softdock.planning.clearance import are_clear
from softdock.planning.courses import JointMotion, RigidMotion, Together
from softdock.planning.inverse_kinematics import Unreachable
from softdock.spatial import transform
from softdock.world import Body, Fixed, Frame, Latch, Pose, World
from softdock.world.fingers import fingers_of, locks_of

HANDLE, CAMERA, GRASP, STAND = "handle", SERVICER + "camera", "grasp", SERVICER + "stand"
CAMERA_AT = np.array([1.0, -0.45, 0.55])
"""Where the camera is, from the target's centre, in the laboratory (m)."""
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class TrackLaboratory(GraspLaboratory):
    """The fingers have closed at about `closes` (s). The servicer waits `ready` (m) behind where it meets the handle,
    and starts `stowed` (m) behind it; a laser camera stands on its base."""

    closes: float = field(kw_only=True)
    ready: float = field(kw_only=True)
    stowed: float = field(kw_only=True)

    @property
    def released(self) -> float:
        return np.inf  # by the mission, as the fingers begin to close

    @property
    def meets(self) -> float:
        return self.closes

    @property
    def meeting_posture(self) -> np.ndarray:
        return self.servicer_posture

    def _meeting(self) -> np.ndarray:
        """Where the handle is when it looks along x."""
        return self.position + np.array([self.target.handle, 0.0, 0.0])

    def servicer_world(self, mount: str) -> World:
        """With a camera, and if it is fixed with a stand that carries both."""
        world = super().servicer_world(mount)
        if mount == "fixed":
            world = _on_a_stand(world, self.servicer_place(mount))
        base = STAND if mount == "fixed" else SERVICER + PLATFORM
        there = self.position + CAMERA_AT
        ahead = -CAMERA_AT / np.linalg.norm(CAMERA_AT)
        down = -(UP - (UP @ ahead) * ahead)
        down = down / np.linalg.norm(down)
        look = Pose.of(np.column_stack([np.cross(down, ahead), down, ahead]), there)
        frame = Frame(name=CAMERA, body=base, placement=world.body(base).placement.inverse() @ look)
        return world.altered(frames=(*world.frames, frame))

    def client_world(self, *given: Any, **named: Any) -> World:
        world = super().client_world(*given, **named)
        handle = Frame(name=HANDLE, body=MOCKUP, placement=Pose(position=(-self.target.handle, 0.0, 0.0)))
        return world.altered(frames=(*world.frames, handle))

    def mission_world(self, ground: World) -> World:
        """As the mission has it: with latches that a gripper's part asks for. The laboratory's own world has none of
        them, since a wrist sensor does not see what they do: the bar is held by contact alone."""
        opening = self.hand.fingers.opening
        palm, *both = fingers_of(GRIP)
        welds = [
            Latch(name=name, kind="weld", frame_a=palm, frame_b=finger, capture_distance=opening, capture_angle=1e-3)
            for name, finger in zip(locks_of(GRIP), both, strict=True)
        ]
        grasp = Latch(name=GRASP, kind="weld", frame_a=GRIP, frame_b=HANDLE, capture_distance=opening)
        return ground.altered(latches=(*ground.latches, *welds, grasp))

    def behind(self, distance: float) -> list[float]:
        """Joint values with the hand so far (m) behind where it meets the handle, that looks along x."""
        arm = self.servicer
        held = arm.altered(tool=arm.tool @ transform(R_FT.T, np.array([0.0, 0.0, self.length])))
        place = self.servicer_place("fixed")
        there = R_SERVICER.T @ (self._meeting() + np.array([distance, 0.0, 0.0]) - np.asarray(place.position))
        try:
            return reach(held, np.eye(3), there, self.servicer_posture, restarts=50).q.tolist()
        except Unreachable:
            raise ValueError(f"servicer: its hand cannot be {distance:g} m behind where it meets the handle") from None

    def servicer_state(self) -> dict[str, Any]:
        posture = zip(self.servicer.links, self.behind(self.stowed), strict=True)
        fingers = {name: {"position": (self.hand.fingers.opening,)} for name in fingers_of(GRIP)[1:]}
        return {**{SERVICER + link: {"position": (x,)} for link, x in posture}, **fingers}

    def commands(self, dynamics: Dynamics, q: np.ndarray, duration: float, h: float) -> np.ndarray:
        """None but what the mission commands."""
        return np.zeros(dynamics.nv)

    def handed_over(self, emulation: Emulation, servos: "LoggedServos", t: float) -> "HandedOver":
        """As it is at time t."""
        record = emulation.record
        k = int(np.argmin(np.abs(np.array(record.t) - t)))
        (q, v), (R, p), twist = record.state[k], record.pose[k], record.twist[k]
        target = replace(self.target, velocity=twist[3:], rates=R.T @ twist[:3])
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        own |= {"target": target, "position": p, "attitude": R}
        reference = tuple(np.array(column) for column in zip(*servos.log, strict=True))
        return HandedOver(**own, place=self.servicer_place, at=t, reference=reference, state=(record.dynamics, q, v))


def _on_a_stand(world: World, place: Pose) -> World:
    """Its first link carried by a stand, which has no mass."""
    stand = Body(name=STAND, joint=Fixed(), mass=0.0, placement=place)
    first = world.bodies[0]
    moved = first.altered(parent=STAND, placement=place.inverse() @ first.placement)
    return world.altered(bodies=(stand, moved, *world.bodies[1:]))


@dataclass(frozen=True, eq=False)
class HandedOver(TrackLaboratory):
    """The laboratory from the time `at` (s) on, which is its own zero: the servicer in a given `state`, and a
    `reference` of its joints (times, values, rates)."""

    place: Any = field(kw_only=True)
    at: float = field(kw_only=True)
    reference: tuple[np.ndarray, ...] = field(kw_only=True)
    state: tuple[Dynamics, np.ndarray, np.ndarray] = field(kw_only=True)

    @property
    def released(self) -> float:
        return 0.0

    @property
    def closes_from(self) -> float:
        return 0.0

    def servicer_place(self, mount: str) -> Pose:
        there: Pose = self.place(mount)
        return there

    def servicer_state(self) -> dict[str, Any]:
        dynamics, q, v = self.state
        names = [*(SERVICER + link for link in self.servicer.links), *fingers_of(GRIP)[1:]]
        in_q, in_v = dynamics.layout.flat(names)
        rows = zip(names, q[in_q].tolist(), v[in_v].tolist(), strict=True)
        return {name: {"position": (x,), "velocity": (rate,)} for name, x, rate in rows}

    def joints_at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        times, q, v = self.reference
        rows = [np.column_stack([np.interp(t + self.at, times, x) for x in part.T]) for part in (q, v)]
        return rows[0], rows[1], np.gradient(rows[1], t, axis=0) if len(t) > 1 else np.zeros_like(rows[1])

    def commands(self, dynamics: Dynamics, q: np.ndarray, duration: float, h: float) -> np.ndarray:
        """Fingers push from the first step on."""
        return GraspLaboratory.commands(self, dynamics, q, duration, h)


class LoggedServos(JointServos):
    """Tells the servos of the servicer's joints where to be, bears the fingers' weight, and keeps what it told from a
    time on: rows of time, joint values and rates."""

    def __init__(self, arm: Arm, dynamics: Dynamics, laboratory: TrackLaboratory, period: float, since: float) -> None:
        super().__init__([arm], dynamics, period)
        self._dynamics, self._gravity, self._since = dynamics, laboratory.servicer.gravity, since
        self._tip, self._mass = fingers_of(GRIP)[0], laboratory.hand.fingers.mass
        self._fingers = dynamics.layout.flat(fingers_of(GRIP)[1:])[1]
        self.log: list[tuple[float, np.ndarray, np.ndarray]] = []
        self.mission: Any = None
        """Whose they are."""

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        command = super().__call__(t, q, v)
        along = float(self._dynamics.pose(self._tip, q)[0][:, 1] @ self._gravity)
        command[self._fingers] = -self._mass * along * np.array([1.0, -1.0])
        if t >= self._since:
            there = self._arms[0].wanted_at(t)
            self.log.append((t, there.q, there.qd))
        return command


class HeldChase(Chase):
    """A chase by an arm whose base is held: the planning frame is the world."""

    @cached_property
    def clear(self) -> KeepingClear:
        craft = self.arm.craft
        craft.shells |= set(permutations((body.name for body in craft.world.bodies), 2))  # its own joints are limited
        near = {pair: gap / 2 for pair, gap in self.room.least(self.grasps + self.finer).items() if gap > 0}
        return HeldClear(self.arm, self.hand.target_shapes, margin=self.margin, near=near)


class HeldClear(KeepingClear):
    """What such an arm must keep away from."""

    def at(self, x: np.ndarray, X_AB: np.ndarray) -> bool:
        q, there = self._q.copy(), X_AB.copy()
        q[self._in_q] = x
        there[:3, 3] -= self.dynamics.balance(q, np.zeros(self.dynamics.nv)).center  # as a floating base's own bodies
        return super().at(x, there)

    def along(self, cubics: Any, placed_at: Any, speeds: tuple[float, float]) -> bool:
        if len(cubics.x) < 2:
            return True
        speed, turn = speeds
        there = RigidMotion(placed_at, speed=speed, turn=turn, acceleration=DRIFT, angular_acceleration=turn**2)
        own = JointMotion(self.dynamics, self.joints, self._q, cubics)
        return are_clear(Together(own, dict.fromkeys(self.target, there)), self.shapes, self.margins, cubics.x)
