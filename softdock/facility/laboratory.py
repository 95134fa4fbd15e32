"""The worlds of a laboratory: two arms face each other, one holds a mock-up of the target, the other touches it.

Bodies of the servicer have the prefix "s_". The target, or the mock-up in its place, is the body "mockup", whose frame
has its origin at the target's centre of mass; its pad looks along −x, and the servicer's tip along the client's x.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from softdock.arm import CONTROL_BOX, Platform, SerialArm, balance, link_frames, reach
from softdock.arm.worlds import PLATFORM
from softdock.dynamics import Dynamics
from softdock.facility.moving import Moving
from softdock.planning.inverse_kinematics import Unreachable
from softdock.spatial import transform
from softdock.world import (
    Body,
    Box,
    Capsule,
    Compliance,
    Contact,
    Fixed,
    Free,
    Friction,
    NoGravity,
    Planar,
    Pose,
    Servo,
    Sphere,
    Spherical,
    Uniform,
    World,
)
from softdock.world.joints import Joint

Mount = Literal["fixed", "spherical", "planar", "emulated"]
MOCKUP, TIP, SERVICER, BRAKE = "mockup", "s_tip", "s_", "brake"
R_FT = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
"""The target's frame in the client's flange: its −x is the flange's z."""
R_START = np.diag([-1.0, -1.0, 1.0])
"""The target at the start, in the client's base: its pad looks along x."""
R_SERVICER = np.diag([-1.0, -1.0, 1.0])
"""The servicer's base: it looks back at the client."""
BALL, REACH = 0.02, 0.09
"""Radius of the servicer's tip, and its distance from the tool's frame (m)."""
_JOINTS: dict[str, Joint] = {"spherical": Spherical(), "planar": Planar(), "emulated": Free(), "orbit": Free()}


@dataclass(frozen=True)
class Target:
    """What is emulated: a free body with a handle pad on −x."""

    mass: float
    inertia: tuple[float, float, float]
    handle: float
    """From the centre of mass to the pad's face (m)."""
    velocity: np.ndarray
    """At the start, in the laboratory (m/s)."""
    rates: np.ndarray
    """At the start, along its own axes (rad/s)."""


@dataclass(frozen=True)
class Held:
    """The mock-up in the client's hand."""

    mass: float
    inertia: tuple[float, float, float]
    distance: float
    """From the flange to the target's centre, which is its own too (m)."""


@dataclass(frozen=True, eq=False)
class Laboratory:
    """Everything that is in it, but what measures and commands."""

    client: SerialArm
    servicer: SerialArm
    client_posture: np.ndarray
    servicer_posture: np.ndarray
    position: np.ndarray
    """Of the target's centre at the start, in the client's base (m)."""
    target: Target
    held: Held
    compliance: Compliance
    mount: Mount
    clearance: float
    """Between tip and pad at the start (m)."""
    lateral: float
    """Of the tip from the pad's middle, along y (m)."""
    servo: tuple[float, float]
    """Of the servicer's joints: kp (N m/rad), kd (N m s/rad)."""
    friction: float
    """Of the client's joints, relative to their motors' efforts (-)."""
    platform: Platform = CONTROL_BOX
    stretch: float = 1.0
    """Of time: an emulated base is n² as heavy (-)."""
    attitude: np.ndarray = field(default_factory=lambda: R_START)
    """Of the target at the start, in the client's base (-)."""

    def __post_init__(self) -> None:
        if self.mount not in get_args(Mount):
            raise ValueError(f"mount must be one of {', '.join(get_args(Mount))}, not {self.mount!r}")
        for arm, what in ((self.client, "client"), (self.servicer, "servicer")):
            if arm.n < 6:
                raise ValueError(f"the {what}'s arm has {arm.n} joints; an emulated motion in space needs at least 6")

    # --- the experiment: what meets ----------------------------------------------------------------

    @property
    def released(self) -> float | None:
        """When the brake of the servicer's base is released (s); None if there is none."""
        return None

    @property
    def meets(self) -> float:
        """When the contact begins, or is about to (s); infinite if there will be none."""
        return self.clearance / self.closing if self.closing > 0 else np.inf

    @property
    def tip(self) -> str:
        """The servicer's body that meets the target."""
        return TIP

    @property
    def closing(self) -> float:
        """Speed of the target towards the servicer (m/s)."""
        return float(-self.attitude[:, 0] @ self.target.velocity)

    @property
    def contact_speed(self) -> float:
        """At which both meet (m/s): the scale of the energy that a contact has."""
        return abs(self.closing)

    @property
    def length(self) -> float:
        """From the servicer's tool to what meets the target (m)."""
        return REACH

    @property
    def normal(self) -> np.ndarray:
        """The direction in which both meet, at the start."""
        return self.attitude[:, 0]

    @property
    def meeting_posture(self) -> np.ndarray:
        """Of the servicer's joints when its base becomes free: there it is balanced."""
        return self.servicer_posture

    @property
    def loaded(self) -> SerialArm:
        """The servicer's arm with what it carries."""
        return self.servicer

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Between both; body a is the servicer's."""
        return (Contact(name="touch", body_a=TIP, body_b=MOCKUP, compliance=self.compliance),)

    def on_target(self, impulses: np.ndarray) -> np.ndarray:
        """The impulse (6, about the world's origin) on the target since the start, of a motion's `contact_impulses`."""
        return -np.asarray(impulses).sum(axis=0)

    def holds(self, dynamics: Dynamics, q: np.ndarray, v: np.ndarray) -> bool:
        """Does the servicer hold the target?"""
        return False

    # --- the client --------------------------------------------------------------------------------

    @cached_property
    def client_start(self) -> np.ndarray:
        """Joint values that put the target's frame where it starts, near the posture."""
        tool = transform(R_FT, np.array([0.0, 0.0, self.held.distance]))
        arm = self.client.altered(tool=self.client.tool @ tool)
        try:
            return reach(arm, self.attitude, self.position, self.client_posture, restarts=50).q
        except Unreachable:
            at = np.round(self.position, 3).tolist()
            raise ValueError(f"client: its arm cannot hold the target at {at} m within its joints' limits") from None

    def _mockup(self, joint: Joint, body: dict[str, Any], **place: Any) -> tuple[Body, ...]:
        face = self.target.handle
        pad = Box(size=(0.1, 0.12, 0.12), placement=Pose(position=(0.05 - face, 0.0, 0.0)))
        return (Body(name=MOCKUP, joint=joint, shapes=(pad,), **body, **place),)

    def mockup(self, mass_error: float = 0.0) -> dict[str, Any]:
        """Mass and inertia of the mock-up as it is, or as it is believed to be."""
        return {"mass": self.held.mass + mass_error, "inertia": self.held.inertia}

    def client_world(self, arm: SerialArm | None = None, mass_error: float = 0.0, friction: float = 0.0) -> World:
        """The client's arm with the mock-up; of another arm (a wrong model) and mass if they are given."""
        arm = arm or self.client
        world = arm.world("fixed")
        bodies = world.bodies
        if friction > 0:
            bodies = tuple(
                body.altered(joint=body.joint.altered(friction=Friction(force=(friction * effort,), speed=1e-2)))
                for body, effort in zip(bodies, arm.effort.tolist(), strict=True)
            )
        tool = arm.tool @ transform(R_FT, np.array([0.0, 0.0, self.held.distance]))
        place = Pose.of(tool[:3, :3], tool[:3, 3])
        held = self._mockup(Fixed(), self.mockup(mass_error), parent=arm.links[-1], placement=place)
        return world.altered(bodies=(*bodies, *held), frames=())

    # --- the servicer ------------------------------------------------------------------------------

    @cached_property
    def balanced(self) -> Platform:
        """The servicer's platform, with a mass that puts the centre of mass of all on the bearing."""
        weight = balance(self.loaded, self.platform, self.meeting_posture, distance=0.4)
        return self.platform.with_mass(*weight)

    def servicer_world(self, mount: str) -> World:
        """The servicer's arm on its mount, its tip in front of the pad; joints are held by their servos."""
        arm = self.servicer
        world = arm.world("fixed") if mount == "fixed" else arm.world("bearing", self.balanced)
        servo = Servo(kp=self.servo[0], kd=self.servo[1])
        bodies = [
            body.altered(joint=_JOINTS[mount] if body.name == PLATFORM else body.joint.altered(servo=servo))
            for body in world.bodies
        ]
        moved = world.altered(bodies=tuple(bodies), frames=(), name=f"servicer-{mount}")
        return self._equipped(moved, arm).prefixed(SERVICER).placed(self.servicer_place(mount))

    def _equipped(self, world: World, arm: SerialArm) -> World:
        """With what meets the target: a ball on a rod."""
        probe = Pose.of(arm.tool[:3, :3], arm.tool[:3, 3] + REACH * arm.tool[:3, 2])
        shapes = (Sphere(radius=BALL), Capsule(radius=0.008, length=0.02, placement=Pose(position=(0, 0, -0.02))))
        tip = Body(name="tip", parent=arm.links[-1], joint=Fixed(), placement=probe, mass=0.0, shapes=shapes[:1])
        rod = Body(name="rod", parent="tip", joint=Fixed(), mass=0.0, shapes=shapes[1:])
        return world.altered(bodies=(*world.bodies, tip, rod))

    def braked(self, world: World) -> World:
        """With what holds the servicer's base at first: nothing."""
        return world

    def servicer_place(self, mount: str) -> Pose:
        """Of the servicer's world, so that its tip is at `_meeting`."""
        T = link_frames(self.servicer, self.servicer_posture)[-1] @ self.servicer.tool
        tip = T[:3, 3] + self.length * T[:3, 2]
        if mount != "fixed":
            tip = self.platform.mount[:3, :3] @ tip + self.platform.mount[:3, 3]
        return Pose.of(R_SERVICER, self._meeting() - R_SERVICER @ tip)

    def _meeting(self) -> np.ndarray:
        """Where the servicer's tip is in its posture: `clearance` in front of the pad."""
        return self.position + np.array([self.target.handle + self.clearance + BALL, self.lateral, 0.0])

    # --- the three worlds --------------------------------------------------------------------------

    def free_world(self, mount: str) -> World:
        """A free target, and the servicer on a mount: "orbit" and "emulated" (which is ideally the same)
        without gravity, else that of the laboratory, which the target's own command is to cancel (`hold`)."""
        body = {"mass": self.target.mass, "inertia": self.target.inertia}
        free = self._mockup(Free(), body, placement=Pose.of(self.attitude, self.position))
        servicer = self.servicer_world(mount)
        if mount != "fixed":
            servicer = self.braked(servicer)
        gravity = NoGravity() if mount in ("orbit", "emulated") else Uniform(acceleration=tuple(self.servicer.gravity))
        return servicer.altered(
            name=f"facility-{mount}", gravity=gravity, bodies=(*servicer.bodies, *free), contacts=self.contacts
        )

    def ground_world(self) -> World:
        """Both arms, the mock-up in the client's hand."""
        client, servicer = self.client_world(friction=self.friction), self.servicer_world(self.mount)
        if self.mount in ("spherical", "planar"):
            servicer = self.braked(servicer)
        return client.joined(servicer, name="facility-ground").altered(contacts=self.contacts)

    # --- states ------------------------------------------------------------------------------------

    def servicer_state(self) -> dict[str, Any]:
        """Of the servicer's joints, at rest in its posture."""
        posture = zip(self.servicer.links, self.servicer_posture.tolist(), strict=True)
        return {SERVICER + link: {"position": (x,)} for link, x in posture}

    def start(self) -> Moving:
        """Of the target, in motion."""
        zero, R = np.zeros(3), self.attitude
        return Moving(R, self.position, self.target.velocity, zero, R @ self.target.rates, zero)

    def free_state(self, dynamics: Dynamics) -> tuple[np.ndarray, np.ndarray]:
        """Of a `free_world`. A free joint's velocity is along its own frame's axes."""
        moving = {"velocity": self.attitude.T @ self.target.velocity, "angular_velocity": self.target.rates}
        return dynamics.state({**self.servicer_state(), MOCKUP: moving})

    def commands(self, dynamics: Dynamics, q: np.ndarray, duration: float, h: float) -> np.ndarray:
        """Of all steps, or of each: hold the servicer's joints where they are at q, under gravity."""
        names = [SERVICER + link for link in self.servicer.links]
        in_q, in_v = dynamics.layout.flat(names)
        still, out = np.zeros(dynamics.nv), np.zeros(dynamics.nv)
        out[in_v] = dynamics.inverse_dynamics(q, still, still)[in_v]
        out += dynamics.command(position=dict(zip(names, q[in_q], strict=True))) + self._target_weight(dynamics, q)
        return out

    def _target_weight(self, dynamics: Dynamics, q: np.ndarray) -> np.ndarray:
        """What cancels the weight of a free target (nv)."""
        still, out = np.zeros(dynamics.nv), np.zeros(dynamics.nv)
        if dynamics.layout.kind.get(MOCKUP) == "free":
            own = dynamics.layout.v[MOCKUP]
            out[own] = dynamics.inverse_dynamics(q, still, still)[own]
        return out


def apparent_mass(laboratory: Laboratory) -> float:
    """What the servicer's tip shows along the contact's normal on its mount, its joints held (kg); infinite if
    it is fixed."""
    if laboratory.mount == "fixed":
        return np.inf
    dynamics = Dynamics(laboratory.free_world(laboratory.mount))
    q, _ = laboratory.free_state(dynamics)
    base = np.arange(dynamics.nv)[dynamics.layout.v[SERVICER + PLATFORM]]
    row = (laboratory.normal @ dynamics.jacobian(laboratory.tip, q)[3:])[base]
    mobility = float(row @ np.linalg.solve(dynamics.mass_matrix(q)[np.ix_(base, base)], row))
    return 1 / mobility if mobility > 1e-9 else np.inf
