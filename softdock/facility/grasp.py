"""A laboratory whose servicer has a hand: it goes with the target's handle, closes two fingers on it, and stops it.

The hand's joint motion is planned before, for the target's free motion, which is known here, and the same in all three
worlds. The servicer's base is held by a brake (in orbit: by its station keeping) until the fingers begin to close.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from softdock.arm import Inertial, SerialArm
from softdock.arm.worlds import PLATFORM
from softdock.dynamics import Dynamics
from softdock.facility.follower import ArmFollower, LeftWorkspace
from softdock.facility.laboratory import BRAKE, MOCKUP, R_FT, SERVICER, Laboratory
from softdock.facility.moving import FreeBody, Moving, free_body
from softdock.spatial import cross
from softdock.world import (
    WORLD,
    Body,
    Box,
    Capsule,
    Compliance,
    Contact,
    Fingers,
    Fixed,
    Frame,
    Latch,
    NoGravity,
    Pose,
    World,
    with_fingers,
)
from softdock.world.fingers import fingers_of
from softdock.world.joints import Joint
from softdock.world.shapes import Shape

BAR, GRIP = "bar", SERVICER + "grip"
BAR_SIZE = (0.01, 0.16)
"""Radius and length of the handle's bar (m)."""
FREE = 0.09
"""Between the bar's axis and what carries it (m)."""
STEP = 0.01
"""Of the planned motion (s)."""
OFF = 0.35
"""How far from the bar's thickness the fingers' distance may be when they hold it, of that thickness."""
NEAR = 0.02
"""How far the bar may be from the middle between the fingers when they hold it (m)."""


@dataclass(frozen=True)
class Hand:
    """Two fingers, and what they do when."""

    fingers: Fingers
    compliance: Compliance
    """Of fingers and bar."""
    standoff: float
    """Of the hand from the handle at the start, along the approach (m)."""
    approach: float
    """Until the hand is at the handle (s)."""
    closing: float
    """For which the hand goes with the handle while the fingers close (s)."""
    stopping: float
    """In which the arm's joints then stop (s)."""
    off: np.ndarray
    """Where the hand is led wrongly to, in the handle's axes (m)."""

    @property
    def stops(self) -> float:
        """When the arm begins to stop (s)."""
        return self.approach + self.closing

    def away(self, t: float) -> tuple[float, float, float]:
        """Its distance (m) from where it grasps, and that one's rates, at time t: minimum jerk."""
        s, T = min(t / self.approach, 1.0), self.approach
        left = 1 - s**3 * (10 - 15 * s + 6 * s * s)
        rate, rise = -30 * s**2 * (1 - s) ** 2 / T, -60 * s * (1 - s) * (1 - 2 * s) / T**2
        return self.standoff * left, self.standoff * rate, self.standoff * rise


@dataclass(frozen=True, eq=False)
class GraspLaboratory(Laboratory):
    """With a hand on the servicer, and a handle on the target: a bar along its z."""

    hand: Hand = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        hand, made = self.hand, self.hand.fingers
        if self.target.handle < FREE + 0.02:
            raise ValueError(
                f"target.handle: a hand needs {FREE + 0.02:g} m from the centre to the bar, to go about it"
            )
        least = made.depth + 2 * made.rod + BAR_SIZE[0]
        if hand.standoff - hand.off[0] < least:
            raise ValueError(
                f"hand.standoff: less than {least:.3f} m from where it grasps, it touches the bar at the start"
            )

    @property
    def released(self) -> float:
        return self.hand.approach

    @property
    def meets(self) -> float:
        return self.hand.stops

    @property
    def closes_from(self) -> float:
        """When the fingers begin to close (s)."""
        return self.hand.approach

    @property
    def tip(self) -> str:
        return fingers_of(GRIP)[0]

    @property
    def contact_speed(self) -> float:
        return max(self.hand.fingers.speed, super().contact_speed)

    @property
    def length(self) -> float:
        return 0.16

    @property
    def normal(self) -> np.ndarray:
        return self.attitude[:, 1]

    @cached_property
    def meeting_posture(self) -> np.ndarray:
        return np.asarray(self.planned(self.hand.approach))

    @cached_property
    def loaded(self) -> SerialArm:
        """With both fingers, open, as part of the last link."""
        arm, made = self.servicer, self.hand.fingers
        grip = self._grip(arm)
        last = arm.inertials[-1]
        for side in (1, -1):
            at = np.asarray(grip.position) + grip.rotation @ [0.0, side * made.opening, 0.0]
            last = last + Inertial(made.mass, at, made.mass * made.depth**2 / 3 * np.eye(3))
        return arm.altered(inertials=(*arm.inertials[:-1], last))

    @property
    def grip_law(self) -> tuple[float, float]:
        """Stiffness (N/m) and viscosity (N s/m) of the closed fingers on the bar, along the way they close: four rods,
        each bearing half of a finger's force; the fingers' screws, which give way too, are left out."""
        law, force = self.hand.compliance, self.hand.fingers.force
        return 4 * law.stiffness, 2 * force * law.damping

    @property
    def contacts(self) -> tuple[Contact, ...]:
        law = self.hand.compliance
        return tuple(
            Contact(name=f"{name} on {other}", body_a=name, body_b=other, compliance=law)
            for other in (BAR, MOCKUP)
            for name in fingers_of(GRIP)
        )

    # --- bodies ------------------------------------------------------------------------------------

    def _mockup(self, joint: Joint, body: dict[str, Any], **place: Any) -> tuple[Body, ...]:
        """A box, posts, and the bar between them."""
        (radius, length), face = BAR_SIZE, self.target.handle
        back = face - FREE
        box = Box(size=(0.12, 0.28, 0.24), placement=Pose(position=(0.06 - back, 0.03, -0.02)))
        posts: tuple[Shape, ...] = tuple(
            Box(size=(face - back, 0.016, 0.016), placement=Pose(position=(-0.5 * (face + back), 0.0, z)))
            for z in (-0.5 * length, 0.5 * length)
        )
        rod = Capsule(radius=radius, length=length)
        main = Body(name=MOCKUP, joint=joint, shapes=(box, *posts), **body, **place)
        at = Pose(position=(-face, 0.0, 0.0))
        return main, Body(name=BAR, parent=MOCKUP, joint=Fixed(), mass=0.0, placement=at, shapes=(rod,))

    def _grip(self, arm: SerialArm) -> Pose:
        return Pose.of(arm.tool[:3, :3] @ R_FT.T, arm.tool[:3, 3] + self.length * arm.tool[:3, 2])

    def _equipped(self, world: World, arm: SerialArm) -> World:
        """With the fingers, whose middle is `length` ahead of the tool."""
        grip = Frame(name="grip", body=arm.links[-1], placement=self._grip(arm))
        return with_fingers(world.altered(frames=(grip,)), "grip", fingers=self.hand.fingers).altered(latches=())

    def braked(self, world: World) -> World:
        """With the brake of the servicer's bearing, on: a weld of the platform to where it is."""
        platform = world.body(SERVICER + PLATFORM)
        here = Frame(name="stand", body=WORLD, placement=platform.placement)
        brake = Latch(name=BRAKE, kind="weld", frame_a="stand", frame_b=platform.name, engaged=True)
        return world.altered(frames=(*world.frames, here), latches=(brake,))

    def _meeting(self) -> np.ndarray:
        """The handle when the fingers begin to close, and where the hand is led to."""
        there = self.free_motion[round(self.hand.approach / STEP)]
        return np.asarray(there.p + there.R @ (self.hand.off - [self.target.handle, 0.0, 0.0]))

    # --- the motion --------------------------------------------------------------------------------

    @cached_property
    def free_motion(self) -> list[Moving]:
        """Of the target, if nothing touched it, a row each `STEP` until the arm stops."""
        body, rows = FreeBody(free_body(self.target.mass, self.target.inertia), self.start(), STEP), []
        for _ in range(round(self.hand.stops / STEP) + 2):
            rows.append(body.now)
            body.advance(np.zeros(6), np.zeros(6))
        return rows

    def _wanted(self, t: float, target: Moving) -> Moving:
        """The hand's motion that goes with a target, at time t."""
        away, rate, rise = self.hand.away(t)
        ahead = target.R @ [1.0, 0.0, 0.0]
        arm = target.R @ (self.hand.off - [self.target.handle + away, 0.0, 0.0])
        w, alpha = target.w, target.alpha
        v = target.v + cross(w, arm) - rate * ahead
        a = target.a + cross(alpha, arm) + cross(w, cross(w, arm)) - 2 * rate * cross(w, ahead) - rise * ahead
        return Moving(target.R, target.p + arm, v, a, w, alpha)

    @cached_property
    def _alone(self) -> Dynamics:
        """The servicer, its base fixed, under gravity."""
        return Dynamics(self.servicer_world("fixed"))

    @cached_property
    def planned(self) -> CubicHermiteSpline:
        """Joint values of the servicer until it begins to stop. ValueError if that is not within its reach."""
        arm, world = self.servicer, self._alone.world
        model = Dynamics(world.altered(bodies=[body for body in world.bodies if body.name not in fingers_of(GRIP)[1:]]))
        start = self._wanted(0.0, self.free_motion[0])
        rows, count = [], round(self.hand.stops / STEP) + 1
        try:
            follower = ArmFollower(arm, model, self.tip, self.servicer_posture, start, period=STEP, rate=1.0)
            for k in range(count):
                rows.append((follower.q, follower.v))
                follower.follow(k * STEP, self._wanted((k + 1) * STEP, self.free_motion[k + 1]))
        except LeftWorkspace as error:
            raise ValueError(f"servicer: {error} as its hand follows the handle") from None
        q, v = (np.array(column) for column in zip(*rows, strict=True))
        return CubicHermiteSpline(STEP * np.arange(count), q, v)

    def joints_at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Planned joint values, rates and accelerations at many times (n,)."""
        plan, end, stopping = self.planned, self.hand.stops, self.hand.stopping
        within, late = np.minimum(t, end), np.clip(t - end, 0.0, stopping)[:, None]
        q, v, a = (plan(within, nu) for nu in range(3))
        after, is_late = plan(end, 1), (t > end)[:, None]
        ends = (t > end + stopping)[:, None]
        q = q + after * (late - late**2 / (2 * stopping))
        v = np.where(is_late, after * (1 - late / stopping), v)
        return q, v, np.where(ends, 0.0, np.where(is_late, -after / stopping, a))

    def servicer_state(self) -> dict[str, Any]:
        q, v, _ = (row[0] for row in self.joints_at(np.zeros(1)))
        moving = {
            SERVICER + link: {"position": (x,), "velocity": (rate,)}
            for link, x, rate in zip(self.servicer.links, q.tolist(), v.tolist(), strict=True)
        }
        _, *both = fingers_of(GRIP)
        return {**moving, **{name: {"position": (self.hand.fingers.opening,)} for name in both}}

    def commands(self, dynamics: Dynamics, q: np.ndarray, duration: float, h: float) -> np.ndarray:
        """Of every step: servos are told where joints should be, with what moves them and bears their weight; fingers
        push from `approach` on."""
        t = h * (np.arange(max(1, round(duration / h))) + 0.5)
        alone = _weightless(self._alone) if isinstance(dynamics.world.gravity, NoGravity) else self._alone
        names, both = [SERVICER + link for link in self.servicer.links], fingers_of(GRIP)[1:]
        (in_q, in_v), (fingers_q, fingers_v) = alone.layout.flat(names), alone.layout.flat(both)
        whole_q, (whole_v, whole_a) = np.tile(alone.layout.neutral(), (len(t), 1)), np.zeros((2, len(t), alone.nv))
        whole_q[:, fingers_q] = self.hand.fingers.opening
        whole_q[:, in_q], whole_v[:, in_v], whole_a[:, in_v] = position, rate, _ = self.joints_at(t)
        force = alone.inverse_dynamics(whole_q, whole_v, whole_a)
        force[:, fingers_v] -= self.hand.fingers.force * (t >= self.closes_from)[:, None]
        places = [alone.layout.v[name] for name in (*names, *both)]
        return dynamics.command(
            position=dict(zip(names, position.T, strict=True)),
            rate=dict(zip(names, rate.T, strict=True)),
            force={name: force[:, at].ravel() for name, at in zip((*names, *both), places, strict=True)},
        ) + self._target_weight(dynamics, q)

    def holds(self, dynamics: Dynamics, q: np.ndarray, v: np.ndarray) -> bool:
        """Is the bar between the fingers, which rest on it?"""
        at, rates = dynamics.layout.flat(fingers_of(GRIP)[1:])
        half, radius = float(q[at].mean()), BAR_SIZE[0]
        apart = dynamics.pose(BAR, q)[1] - dynamics.pose(self.tip, q)[1]
        across = dynamics.pose(self.tip, q)[0].T @ apart
        return bool(
            abs(half - radius) < OFF * radius
            and np.abs(v[rates]).max() < 0.1 * self.hand.fingers.speed
            and np.abs(across[:2]).max() < NEAR
        )


def _weightless(dynamics: Dynamics) -> Dynamics:
    return Dynamics(dynamics.world.altered(gravity=NoGravity()))
