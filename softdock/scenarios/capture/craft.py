"""The two spacecraft of 'capture': a chaser with wheels, camera and 7-joint arm, and a tumbling target.

Frames: W is the world's (co-moving, not turning), A the Hill frame with the chaser's centre of mass at its origin,
S the chaser's body (x ahead, towards the target), K the camera, G the gripper (x is the way it goes on the handle),
B the target's body (origin at its centre of mass), C its handle.
"""

import math
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from softdock.planning.clearance import _Solid
from softdock.scenarios.capture.flexible import GEAR, Panels, Wings, with_plates, with_wings
from softdock.scenarios.capture.own import Mounted, geared, grip_frame, mounted, overlapping
from softdock.sensing.target import BAR, HANDLE, parts
from softdock.spatial import quaternion_of_rpy
from softdock.world import (
    Actuator,
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Elastic,
    Fingers,
    Fixed,
    Frame,
    Free,
    JointState,
    Latch,
    Limits,
    Orbit,
    Pose,
    Revolute,
    Servo,
    World,
    with_fingers,
    with_wheels,
)
from softdock.world.describe import Described, Matrix3, Number, Vec3
from softdock.world.fingers import fingers_of, with_handle
from softdock.world.shapes import Positive

BASE, TARGET, GRIPPER, CAMERA, GRASP = "chaser", "target", "gripper", "camera", "grasp"
BAR_BODY = "bar"
OPEN = Fingers().opening - 1e-4
"""Of the fingers at first (m): within their limits."""
JOINTS = tuple(f"arm{k}" for k in range(1, 8))
HANDLE_FRAME = "handle"
ELBOW, WRIST = "arm4", "arm6"
NQ, NV = 17, 16
"""The chaser's part of q and v: base, arm, wheels; the target's comes after it."""
ARM_Q, ARM_V = slice(7, 14), slice(6, 13)
"""The arm in the chaser's q and v."""
R_AS = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""The chaser looks along track: its x is Hill's y."""
Q_AS = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))

_THICK, _PALM = 0.06, 0.04
"""Radius of the arm's tubes, and what is left between the last one and the bar (m)."""
Angles = tuple[Number, ...]
STOWED = (0.0, -1.65, 0.0, 2.4, 0.0, 1.3, 0.0)
READY = (0.0, -1.603, 0.0, 2.298, 0.0, 1.261, 0.0)
FORWARD = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
"""Of a frame whose x is another's z, w x y z."""


class Wheels(Described):
    """Three wheels along the chaser's axes: spin inertia (kg m²), mass (kg); most torque (N m), momentum (N m s)."""

    inertia: Positive = 0.05
    """About the axis of each (kg m²)."""
    mass: Positive = 5.0
    """Of each (kg)."""
    torque: Positive = 5.0
    """Most of each (N m)."""
    momentum: Positive = 40.0
    """Most of each (N m s)."""


class Chaser(Described):
    """A cube of `side` (m); `camera` (m) is on it, looking ahead, and so is the arm's shoulder. If it is `flexible`, it
    has `panels` that bend, which are part of its `mass`."""

    mass: Positive = 400.0
    """Of its body with its panels, without arm and wheels (kg)."""
    side: Positive = 1.0
    camera: Vec3 = (0.5, 0.0, -0.45)
    wheels: Wheels = Wheels()
    flexible: bool = False
    panels: Wings = Wings()

    @model_validator(mode="after")
    def _heavier_than_its_panels(self) -> "Chaser":
        if self.flexible and self.mass <= 2 * self.panels.mass:
            raise ValueError(f"panels: the two have {2 * self.panels.mass:g} kg, the whole chaser {self.mass:g} kg")
        return self


class Arm(Described):
    """Seven joints: roll and pitch in turn. `lengths` (m): shoulder to elbow, elbow to wrist, wrist to grip.

    `torque` (N m) and `rate` (rad/s) bound every joint, `roll` and `pitch` (rad) their angles (the last
    rolls twice as far); `stowed` is how it starts, `ready` where it waits at a safe distance.

    Or the arm of a file, `urdf`, with 6 to 9 joints and limits, efforts and rates as the file says: its base link is at
    the `shoulder` (m), turned by `mount` (rad, roll, pitch, yaw), its lengths and masses are multiplied by `scale`; the
    gripper's frame is at `grip` in the link or frame `tip` (none named: the last link), before it is scaled. Where it
    waits is then computed, and it starts there, unless said.

    If it is `elastic`, every revolute joint has a `gear` that gives way, and its motor a `servo`.
    """

    lengths: tuple[Positive, Positive, Positive] = (1.2, 1.2, 0.35)
    density: Positive = 4.0
    """Of its tubes (kg/m)."""
    shoulder: Vec3 = (0.62, 0.0, 0.2)
    roll: Positive = 3.1
    pitch: Positive = 2.6
    rate: Positive = 0.5
    torque: Positive = 20.0
    stowed: Angles = ()
    """How it starts (rad)."""
    ready: Angles = ()
    """Where it waits at a safe distance (rad)."""
    urdf: str = ""
    tip: str = ""
    grip: Pose = Pose(position=(0.0, 0.0, 0.1), quaternion=FORWARD)
    mount: Vec3 = (0.0, 0.0, 0.0)
    """How a file's base link is turned: roll, pitch, yaw (rad)."""
    scale: Annotated[float, Field(gt=0.05, lt=20.0)] = 1.0
    """What a file's lengths and masses are multiplied by (-)."""
    elastic: bool = False
    gear: Elastic = GEAR
    servo: Servo = Servo(kp=500.0, kd=400.0)

    @model_validator(mode="after")
    def _of_one_size(self) -> "Arm":
        joints = len(self.joints)
        for key, own in (("ready", READY), ("stowed", STOWED)):
            given, other = getattr(self, key), self.ready if self.urdf else own  # of a file: it starts where it waits
            if not given and other:
                object.__setattr__(self, key, other)
            elif given and len(given) != joints:
                raise ValueError(f"{key}: {len(given)} values for {joints} joints")
        return self

    @property
    def joints(self) -> tuple[str, ...]:
        """Names, from the base to the tip."""
        return self.mounted.joints

    @property
    def mounted(self) -> Mounted:
        """Its bodies, on the base."""
        if self.urdf:
            place = Pose(position=self.shoulder, quaternion=quaternion_of_rpy(*self.mount))
            stiff = mounted(self.urdf, self.tip, self.scale, place, BASE)
        else:
            stiff = Mounted(tuple(_links(self)), JOINTS, JOINTS[-1])
        return geared(stiff, self.gear, self.servo) if self.elastic else stiff

    @property
    def reach(self) -> float:
        """No farther than this does the gripper come from the shoulder (m)."""
        if not self.urdf:
            return sum(self.lengths)
        steps = [body.placement.position for body in self.mounted.bodies if body.parent != BASE]
        return float(sum(math.hypot(*step) for step in steps) + self.scale * math.hypot(*self.grip.position))

    @property
    def grip_frame(self) -> Frame:
        """The gripper's."""
        if self.urdf:
            return grip_frame(GRIPPER, self.mounted.tip, self.grip, self.scale)
        return Frame(name=GRIPPER, body=JOINTS[-1], placement=Pose(position=(self.lengths[2], 0.0, 0.0)))


class Target(Described):
    """The tumbling satellite. `position` and `drift` (m, m/s) of its centre of mass in A, `rpy` (rad) of B in A and
    `spin` (rad/s, inertial, in B) hold at the start; `rate` (rad/s), if given, is how fast it turns along `spin`.
    `mesh` is a file (m) with its shape, else softdock's satellite; its frame may be anywhere: `center` (m) is the mass
    centre in it, and `inertia` (kg m²), about that, three principal moments or a matrix, is along its axes. The
    `handle` (m, rad: `handle_rpy`) is in it too: a bar of radius and length `bar` (m) along the handle's z, to be
    approached along its x; `handles` are further ones, with bars like it. With a mesh, the bars are added to it.
    softdock's satellite may be `flexible`: its `panels` bend, and are part of its mass and inertia."""

    mass: Positive = 80.0
    inertia: Matrix3 = ((4.0, 0.0, 0.0), (0.0, 8.0, 0.0), (0.0, 0.0, 5.0))
    center: Vec3 = (0.0, 0.0, 0.0)
    handle: Vec3 = HANDLE.position
    """Middle of its bar (m)."""
    handle_rpy: Vec3 = (0.0, 0.0, 0.0)
    """Roll, pitch, yaw of the handle (rad)."""
    handles: tuple[Pose, ...] = ()
    bar: tuple[Positive, Positive] = BAR
    position: Vec3 = (0.0, 2.85, 0.0)
    drift: Vec3 = (0.0, 0.0, 0.0)
    rpy: Vec3 = (0.0, 0.0, 0.0)
    spin: Vec3 = (0.08, 0.05, 0.10)
    rate: Number | None = None
    mesh: str = ""
    flexible: bool = False
    panels: Panels = Panels()

    @model_validator(mode="after")
    def _possible(self) -> "Target":
        if self.rate is not None and not any(self.spin):
            raise ValueError("rate: there is no spin along which to turn")
        if self.flexible and self.mesh:
            raise ValueError("flexible: only softdock's own satellite has panels that bend, not the one of a mesh")
        return self

    @property
    def turning(self) -> Vec3:
        """Angular velocity at the start (rad/s, in B)."""
        if self.rate is None:
            return self.spin
        x, y, z = (self.rate / math.hypot(*self.spin) * s for s in self.spin)
        return x, y, z

    @property
    def frame(self) -> Pose:
        """C in B, whose origin is the centre of mass."""
        return self.frames[0]

    @property
    def frames(self) -> list[Pose]:
        """All handles in B."""
        x, y, z = self.center
        first = Pose(position=self.handle, quaternion=quaternion_of_rpy(*self.handle_rpy))
        return [Pose(position=(-x, -y, -z)) @ one for one in (first, *self.handles)]

    @property
    def is_ours(self) -> bool:
        """Is it softdock's satellite as it is, with the bar where its posts are?"""
        return not self.mesh and self.frames == [HANDLE] and self.bar == BAR

    @property
    def shape(self) -> np.ndarray:
        """Inertia over its trace (-)."""
        return np.array(self.inertia) / np.trace(self.inertia)


class Gripper(Described):
    """`kind` "fingers" closes by contact and friction, in about `closing` seconds; "ideal" holds after that time if the
    handle is within the capture envelope, `capture_distance` (m), `capture_angle` (rad) and `capture_speed` (m/s).

    It may go blind and close only if `confidence` times the forecast's root mean square errors are within that distance
    and angle. It can grasp the bar from `aside` (rad) to either side of straight ahead.
    """

    kind: Literal["fingers", "ideal"] = "fingers"
    capture_distance: Positive = 0.010
    capture_angle: Annotated[float, Field(gt=0, le=0.5)] = math.radians(2.0)
    capture_speed: Positive = 0.010
    closing: Positive = 2.0
    """How long closing takes (s)."""
    confidence: Positive = 2.0
    """How many root mean square errors of a forecast are to be within the envelope (-)."""
    aside: Annotated[float, Field(ge=0, le=0.9)] = 0.8
    standoff: Positive = 0.30
    """From which it comes straight on (m)."""


def orbit_rate(orbit: Orbit) -> float:
    """Of a circular orbit (rad/s)."""
    return math.sqrt(orbit.mu / orbit.semi_major_axis**3)


def chaser_world(chaser: Chaser, arm: Arm, orbit: Orbit) -> World:
    """The chaser alone."""
    side, mass = chaser.side, chaser.mass - 2 * chaser.panels.mass * chaser.flexible
    inertia = mass * side**2 / 6
    base = Body(
        name=BASE, joint=Free(), mass=mass, inertia=_moments(inertia, inertia, inertia),
        shapes=(Box(size=(side, side, side)),),
    )  # fmt: skip
    look = Pose(position=chaser.camera, quaternion=(0.5, -0.5, 0.5, -0.5))  # z ahead, y down
    frames = (Frame(name=CAMERA, body=BASE, placement=look), arm.grip_frame)
    world = World(name="chaser", gravity=orbit, bodies=(base, *arm.mounted.bodies), frames=frames)
    wheels = chaser.wheels
    motor = Actuator(effort=wheels.torque, rate=wheels.momentum / wheels.inertia)
    world, _ = with_wheels(world, BASE, inertia=wheels.inertia, mass=wheels.mass, actuator=motor)
    return with_wings(world, BASE, chaser.panels, side) if chaser.flexible else world


def _links(arm: Arm) -> list[Body]:
    """Rolls about x and pitches about y in turn; the tubes hang on joints 3, 5 and 7, short hubs on the others."""
    upper, fore, wrist = arm.lengths
    lengths = (0.0, 0.0, upper, 0.0, fore, 0.0, wrist)
    links, at, parent = [], arm.shoulder, BASE
    for k, (name, length) in enumerate(zip(JOINTS, lengths, strict=True)):
        roll = k % 2 == 0
        most = arm.pitch if not roll else 2 * arm.roll if k == 6 else arm.roll
        joint = Revolute(
            axis=(1, 0, 0) if roll else (0, 1, 0), limits=Limits(lower=(-most,), upper=(most,)),
            actuator=Actuator(effort=arm.torque, rate=arm.rate),
        )  # fmt: skip
        mass = arm.density * length if length else 1.0
        across = mass * (length**2 / 12 + _THICK**2 / 4) if length else 0.002
        along = mass * _THICK**2 / 2
        long = length - _PALM * (name == JOINTS[-1])
        tube = Pose(position=(long / 2, 0.0, 0.0), quaternion=quaternion_of_rpy(0.0, math.pi / 2, 0.0))
        shapes = (Capsule(radius=_THICK, length=max(long - 2 * _THICK, 0.01), placement=tube),) if length else ()
        links.append(
            Body(
                name=name, parent=parent, joint=joint, placement=Pose(position=at), mass=mass,
                center=(length / 2, 0.0, 0.0), inertia=_moments(along, across, across), shapes=shapes,
            )
        )  # fmt: skip
        at, parent = (length, 0.0, 0.0), name
    return links


def names_of(target: Target, first: str) -> list[str]:
    """Names of frames, bars or latches of its handles: the first as it is, the others with their numbers."""
    return [first, *(f"{first}{k}" for k in range(2, len(target.frames) + 1))]


def target_body(target: Target) -> Body:
    """The target; its shapes are the satellite's, or the convex hulls of its mesh's parts."""
    shapes: tuple[Box | ConvexMesh, ...] = tuple(
        Box(size=tuple(size.tolist()), placement=Pose(position=tuple(middle.tolist())))
        for middle, size in parts(posts=target.is_ours, panels=not target.flexible)
    )
    if target.mesh:
        shapes = hulls_of(target.mesh, target.center)
    return Body(name=TARGET, joint=Free(), mass=target.mass, inertia=target.inertia, shapes=shapes)


def unbent(target: Target) -> Body:
    """The target with its panels part of it."""
    return target_body(target.altered(flexible=False))


def target_world(target: Target, *frames: Frame) -> World:
    """The target with its bars, which have no mass of their own; frames of its handles, and others."""
    rod, every = Capsule(radius=target.bar[0], length=target.bar[1]), target.frames
    bars = (
        Body(name=name, parent=TARGET, joint=Fixed(), mass=0.0, placement=at, shapes=(rod,))
        for name, at in zip(names_of(target, BAR_BODY), every, strict=True)
    )
    handles = (
        Frame(name=name, body=TARGET, placement=at)
        for name, at in zip(names_of(target, HANDLE_FRAME), every, strict=True)
    )
    world = World(bodies=(target_body(target), *bars), frames=(*handles, *frames))
    return with_plates(world, TARGET, target.panels) if target.flexible else world


def with_grippers_fingers(world: World, target: Target) -> World:
    """The world with fingers at the gripper's frame, for all handles."""
    equipped = with_fingers(world, GRIPPER)
    for name, bar, latch in zip(*(names_of(target, one) for one in (HANDLE_FRAME, BAR_BODY, GRASP)), strict=True):
        equipped = with_handle(equipped, GRIPPER, name, bar=bar, latch=latch)
    return equipped


def swept_radius(target: Target) -> float:
    """Of the ball about its centre of mass that it sweeps as it tumbles (m)."""
    points = [_Solid(shape) for shape in unbent(target).shapes]
    return max([solid.reach for solid in points], default=0.0)


def hulls_of(file: str, center: Vec3) -> tuple[ConvexMesh, ...]:
    """The convex hull of each connected part of a mesh file (m), about the mass centre; none of a file that cannot be
    read, which is refused where its surface is made."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from trimesh.convex import convex_hull

    from softdock.sensing.mesh import MeshError, load

    try:
        mesh = load(Path(file))
    except (MeshError, OSError):
        return ()
    corners, faces = np.asarray(mesh.vertices, float) - np.array(center), np.asarray(mesh.faces)
    ends = np.concatenate([faces[:, :2], faces[:, 1:]])
    links = coo_matrix((np.ones(len(ends)), tuple(ends.T)), (len(corners),) * 2)
    count, part = connected_components(links, directed=False)
    hulls = [convex_hull(corners[part == k]) for k in range(count) if np.count_nonzero(part == k) > 3]
    return tuple(ConvexMesh(vertices=hull.vertices.tolist(), triangles=hull.faces.tolist()) for hull in hulls)


def whole_world(chaser: Chaser, arm: Arm, target: Target, gripper: Gripper, orbit: Orbit) -> World:
    """Both craft, the fingers, and the latch that holds the handle.

    The latch takes any attitude that some grasp has; an ideal gripper checks the one that was planned.
    """
    alone = chaser_world(chaser, arm, orbit)
    world = alone.joined(target_world(target), name="capture")
    shells = overlapping(alone, arm.joints, arm.stowed)
    if gripper.kind == "fingers":
        return all_touching(with_grippers_fingers(world, target), shells)
    latches = tuple(
        Latch(
            name=name, kind="weld", frame_a=GRIPPER, frame_b=handle, capture_distance=gripper.capture_distance,
            capture_angle=1.0,
        )
        for name, handle in zip(names_of(target, GRASP), names_of(target, HANDLE_FRAME), strict=True)
    )  # fmt: skip
    meet = [(world.body_of(GRIPPER), bar) for bar in names_of(target, BAR_BODY)]
    return all_touching(world.altered(latches=latches), [*shells, *meet])


def all_touching(world: World, apart: list[tuple[str, str]]) -> World:
    """Contact between any two bodies, but for some pairs."""
    return world.with_contacts("all", restitution=0.2, friction=0.3, exclude=apart)


def initial_state(
    arm: Arm, target: Target, gripper: Gripper, orbit: Orbit, center: np.ndarray
) -> dict[str, JointState]:
    """At t = 0, when A's axes are W's: the chaser turns with A, its centre of mass (`center` in S) at the origin."""
    n = np.array([0.0, 0.0, orbit_rate(orbit)])
    at = -R_AS @ center
    position = np.array(target.position)
    states = {
        BASE: JointState(
            position=_three(at), velocity=_three(np.cross(n, at)), quaternion=Q_AS,
            angular_velocity=_three(R_AS.T @ n),
        ),
        TARGET: JointState(
            position=target.position, velocity=_three(np.array(target.drift) + np.cross(n, position)),
            quaternion=quaternion_of_rpy(*target.rpy), angular_velocity=target.turning,
        ),
    }  # fmt: skip
    if gripper.kind == "fingers":
        _, *fingers = fingers_of(GRIPPER)
        states |= {name: JointState(position=(OPEN,)) for name in fingers}
    return states | {name: JointState(position=(x,)) for name, x in zip(arm.joints, arm.stowed, strict=True)}


def grasps(gripper: Gripper, target: Target, count: int = 5) -> list[Pose]:
    """Where the gripper may be on the handles (G in C, the first one): turned about the bar (z) by angles of that
    `count`."""
    angles, back = np.linspace(-gripper.aside, gripper.aside, count), target.frame.inverse()  # with the straight one
    turned = [Pose(quaternion=quaternion_of_rpy(0.0, 0.0, angle)) for angle in angles.tolist()]
    return [back @ handle @ one for handle in target.frames for one in turned]


def _three(x: np.ndarray) -> tuple[float, float, float]:
    a, b, c = np.asarray(x, float).tolist()
    return a, b, c


def _moments(x: float, y: float, z: float) -> Matrix3:
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


class Servicer(Described):
    """What the worlds of all missions with this chaser are made from: it, its arm, and a circular orbit."""

    orbit: Orbit
    chaser: Chaser = Chaser()
    arm: Arm = Arm()

    @model_validator(mode="after")
    def _circular(self) -> "Servicer":
        orbit = self.orbit
        if orbit != Orbit(semi_major_axis=orbit.semi_major_axis, mu=orbit.mu, gradient=orbit.gradient):
            raise ValueError(
                "orbit: must be circular with all angles zero; only semi_major_axis, mu, gradient are free"
            )
        return self

    def make_chaser(self) -> World:
        """The chaser alone, without fingers."""
        return chaser_world(self.chaser, self.arm, self.orbit)
