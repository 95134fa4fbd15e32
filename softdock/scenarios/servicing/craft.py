"""The two spacecraft of 'servicing': the chaser of 'capture' with thrusters and a berthing port, and its target.

Frames: A is the Hill frame at the reference orbit; S the chaser's body (x ahead); B the target's body; C its handle,
whose axes are those of S when the chaser stands beside it; P the port on the chaser (z out of it), Q the ring on the
target that goes there.
"""

import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from softdock.dynamics import Dynamics
from softdock.planning.inverse_kinematics import solve_pose
from softdock.scenarios.capture.craft import (
    BASE,
    GRASP,
    GRIPPER,
    HANDLE_FRAME,
    TARGET,
    Arm,
    Chaser,
    Target,
    chaser_world,
    orbit_rate,
    target_world,
    with_grippers_fingers,
)
from softdock.sensing.target import BAR
from softdock.spatial import four, matrix_of_quaternion, quaternion_of_matrix, quaternion_of_rpy
from softdock.world import (
    Fingers,
    Frame,
    JointState,
    Latch,
    Orbit,
    Plume,
    Pose,
    Thruster,
    World,
)
from softdock.world.describe import Described, Vec3
from softdock.world.fingers import fingers_of, locks_of
from softdock.world.joints import NonNegative
from softdock.world.port import with_port
from softdock.world.shapes import Positive

PORT, RING, BERTH = "port", "ring", "berth"
R_BS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""How the chaser stands beside the target: x along x, the target's panels along its y."""
R_BQ = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""The ring in the target: its z points into it."""


class Jets(Described):
    """Sixteen thrusters of `thrust` (N), open for at least `least` (s), of specific impulse `isp` (s): four aft, four
    at the corners of the front, canted outward by `cant` (rad) so that their plumes pass the target, and four each
    across. Plumes have the half-angle `plume` (rad); `stuck_on`, `stuck_off` name those that fail, at `fails` (s)."""

    thrust: Positive = 10.0
    least: Annotated[float, Field(ge=0)] = 0.02
    isp: Positive = 220.0
    cant: Annotated[float, Field(ge=0, lt=1.4)] = math.radians(45.0)
    plume: Annotated[float, Field(gt=0, lt=1.5)] = 0.35
    stuck_on: tuple[str, ...] = ()
    stuck_off: tuple[str, ...] = ()
    fails: Annotated[float, Field(ge=0)] = 0.0

    def made(self, side: float) -> tuple[Thruster, ...]:
        """On a cube of that side (m)."""
        a, b = side / 2, 0.45 * side
        along, out = math.cos(self.cant), math.sin(self.cant) / math.sqrt(2)
        found: list[tuple[str, Vec3, Vec3]] = []
        for y in (-1, 1):
            for z in (-1, 1):
                corner = f"{'+' if y > 0 else '-'}{'+' if z > 0 else '-'}"
                found.append((f"aft{corner}", (-a, y * b, z * b), (1.0, 0.0, 0.0)))
                found.append((f"front{corner}", (a, y * b, z * b), (-along, -y * out, -z * out)))
        for s in (-1, 1):
            for k in (-1, 1):
                name = f"{'+' if s > 0 else '-'}{'+' if k > 0 else '-'}"
                found.append((f"y{name}", (0.0, -s * a, k * b), (0.0, float(s), 0.0)))
                found.append((f"z{name}", (k * b, 0.0, -s * a), (0.0, 0.0, float(s))))
        return tuple(self._one(*one) for one in found)

    def _one(self, name: str, position: Vec3, direction: Vec3) -> Thruster:
        failed: Any = "on" if name in self.stuck_on else "off" if name in self.stuck_off else ""
        return Thruster(
            name=name, body=BASE, position=position, direction=direction, thrust=self.thrust, least_on_time=self.least,
            isp=self.isp, plume=Plume(half_angle=self.plume), stuck=failed, stuck_at=self.fails,
        )  # fmt: skip


class Client(Target):
    """The tumbling satellite, as in 'capture', at the origin of A."""

    position: Vec3 = (0.0, 0.0, 0.0)
    ring: Vec3 = (0.48, 0.0, 0.0)
    """Middle of the ring that goes onto the port, in its body (m)."""


class Port(Described):
    """On the chaser at `position` (m), opening upward (its z)."""

    position: Vec3 = (-0.10, 0.0, 0.52)
    capture_distance: Positive = 0.004
    """Within which its hard latch engages (m)."""
    capture_angle: Positive = 0.015
    """The same (rad)."""


class Hand(Described):
    """`kind` "fingers" closes by contact and friction, in about `closing` seconds; "ideal" holds after that time if the
    handle is within 10 mm, 2° and 10 mm/s."""

    kind: Literal["fingers", "ideal"] = "fingers"
    closing: Positive = 2.0
    """How long closing takes (s)."""


class Start(Described):
    """Where it starts: the chaser's body at `position` (m) in A, at rest, facing the target; or at the beginning of a
    later `phase`: "inspect" at the first hold point, "synchronise" at the last; "detumble" with the target held, both
    turning as it did; "carry" with it held and at rest; "release" with it berthed, in the gripper still; "let go" when
    the gripper is open. With a recorded `run` (its directory), everything is where it was there `at` a time (s), and
    goes on with that phase."""

    position: Vec3 = (0.0, -40.0, 0.0)
    phase: Literal["approach", "inspect", "synchronise", "detumble", "carry", "release", "let go"] = "approach"
    run: str = ""
    at: NonNegative = 0.0
    """Time of the recorded state (s)."""

    @property
    def is_held(self) -> bool:
        """Does it start with the target in its gripper?"""
        return self.phase in {"detumble", "carry", "release"}

    @property
    def engaged(self) -> set[str]:
        """Latches that hold at the start."""
        held = {GRASP, *locks_of(GRIPPER)} if self.is_held else set()
        return held | ({BERTH} if self.is_berthed else set())

    @property
    def is_berthed(self) -> bool:
        """Is the target on its port at the start?"""
        return self.phase in {"release", "let go"}


def facing(p: np.ndarray) -> np.ndarray:
    """R_AS of a chaser at p (m) that faces A's origin, its z as near to A's as can be."""
    x = -p / np.linalg.norm(p)
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    y = np.cross(up, x)
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def whole_world(
    chaser: Chaser, jets: Jets, arm: Arm, target: Client, port: Port, start: "Start", gripper: "Hand", orbit: Orbit
) -> World:
    """Both craft, with latches for grasp and berth."""
    alone = chaser_world(chaser, arm, orbit)
    ring = Frame(name=RING, body=TARGET, placement=Pose.of(R_BQ, np.array(target.ring)))
    both = alone.joined(target_world(target, ring), name="servicing")
    if gripper.kind == "fingers":
        both = with_grippers_fingers(both, target)
    else:
        grasp = Latch(
            name=GRASP, kind="weld", frame_a=GRIPPER, frame_b=HANDLE_FRAME, capture_distance=0.02, capture_angle=0.1
        )
        both = both.altered(latches=(grasp,))
    frames = (*both.frames, Frame(name=PORT, body=BASE, placement=Pose(position=port.position)))
    whole = both.altered(frames=frames, thrusters=jets.made(chaser.side))
    whole = with_port(whole, PORT, RING, latch=BERTH, seated=(port.capture_distance, port.capture_angle))
    return whole.altered(latches=tuple(x.altered(engaged=x.name in start.engaged) for x in whole.latches))


class Beside(NamedTuple):
    """The chaser beside the target, as it holds it: the arm's joints, and B in S."""

    joints: np.ndarray
    target: Pose


def beside(chaser: Chaser, arm: Arm, target: Client, orbit: Orbit, station: float) -> Beside:
    """With the target's centre of mass that far (m) ahead."""
    body = Pose.of(R_BS.T, np.array([station, 0.0, 0.0]))
    return holding(chaser, arm, target, orbit, body, [0.0, -0.9, 0.0, 1.6, 0.0, -0.7, 1.57])


def seated(target: Client, port: Port) -> Pose:
    """B in S, when the ring is on the port."""
    return Pose(position=port.position) @ Pose.of(R_BQ, np.array(target.ring)).inverse()


def holding(chaser: Chaser, arm: Arm, target: Client, orbit: Orbit, body: Pose, near: Sequence[float]) -> Beside:
    """With the target at `body` in S; joints (rad) from `near`."""
    alone = Dynamics(chaser_world(chaser, arm, orbit))
    layout = alone.layout
    in_q, in_v = layout.flat(arm.joints)
    q = layout.neutral()

    def forward(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        q[in_q] = x
        R, p = alone.pose(GRIPPER, q)
        return R, p, alone.jacobian(GRIPPER, q)[:, in_v]

    goal = body @ target.frame
    most = np.array([arm.roll, arm.pitch] * 3 + [2 * arm.roll])
    return Beside(solve_pose(forward, np.array(near), goal.rotation, goal.position, lower=-most, upper=most).q, body)


def initial_state(
    arm: Arm, target: Client, start: Start, gripper: Hand, orbit: Orbit, distance: float | None,
    held: Callable[[], Beside],
) -> dict[str, JointState]:  # fmt: skip
    """At t = 0, when A's axes are W's; the chaser at a `distance` (m), or as far as `start` says."""
    p, at, joints = np.array(start.position), np.array(target.position), np.array(arm.stowed)
    if distance is not None:
        p = at + distance * (p - at) / np.linalg.norm(p - at)
    R, drift = facing(p - at), np.array(target.drift)
    q, spin = np.array(quaternion_of_rpy(*target.rpy)), np.array(target.turning)
    n = np.array([0.0, 0.0, orbit_rate(orbit)])
    w, v = n, np.cross(n, p)
    if start.phase == "detumble":  # as if it had come beside the target, and turned with it
        joints, body = held()
        R_AB = matrix_of_quaternion(q)
        R, w = R_AB @ body.rotation.T, R_AB @ spin
        p = at - R @ np.array(body.position)
        v = drift + np.cross(n, at) + np.cross(w, p - at)
    elif start.engaged:
        joints, body = held()
        at, R_AB = p + R @ np.array(body.position), R @ body.rotation
        q, spin, drift = quaternion_of_matrix(R_AB), R_AB.T @ n, np.zeros(3)
    fingers = {}
    if gripper.kind == "fingers":
        opening = BAR[0] if start.is_held else Fingers().opening
        fingers = {name: JointState(position=(opening,)) for name in fingers_of(GRIPPER)[1:]}
    states = {
        BASE: JointState(
            position=_three(p), velocity=_three(v), quaternion=four(quaternion_of_matrix(R)),
            angular_velocity=_three(R.T @ w),
        ),
        TARGET: JointState(
            position=_three(at), velocity=_three(drift + np.cross(n, at)), quaternion=four(q),
            angular_velocity=_three(spin),
        ),
    }  # fmt: skip
    arms = {name: JointState(position=(x,)) for name, x in zip(arm.joints, joints.tolist(), strict=True)}
    return states | fingers | arms


def _three(x: np.ndarray) -> Vec3:
    a, b, c = np.asarray(x, float).tolist()
    return a, b, c
