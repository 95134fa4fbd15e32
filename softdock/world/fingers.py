"""A gripper with two fingers, put on the tip of an arm: rods that cross a handle's bar, each at one smooth point."""

from typing import Any, NamedTuple

import numpy as np

from softdock.spatial import quaternion_of_rpy
from softdock.world.contacts import Compliance, Contact
from softdock.world.joints import Actuator, Fixed, Limits, Prismatic
from softdock.world.model import Body, Frame, Latch, World
from softdock.world.pose import Pose
from softdock.world.shapes import Capsule

ALONG_X, ALONG_Y = quaternion_of_rpy(0.0, np.pi / 2, 0.0), quaternion_of_rpy(np.pi / 2, 0.0, 0.0)
HOOK = 0.016
"""Length (m) of what keeps the bar from slipping out ahead."""


class Fingers(NamedTuple):
    """Measures of a gripper with two fingers."""

    opening: float = 0.042
    """Of each finger, from the bar's axis to its inner side when it is open (m)."""
    depth: float = 0.022
    """Of the space between them, to either side of the bar's axis along the approach (m)."""
    rod: float = 0.006
    """Radius of the rods (m)."""
    span: float = 0.020
    """Of a finger's two rods, to either side along the bar (m)."""
    mass: float = 0.4
    """Of a finger (kg)."""
    force: float = 45.0
    """With which each closes (N)."""
    speed: float = 0.025
    """With which each moves when nothing is in its way (m/s)."""

    @property
    def largest_bar(self) -> float:
        """Radius of the thickest bar that goes between palm and hooks (m)."""
        return min(self.opening, self.depth)


COMPLIANCE = Compliance(stiffness=3e4, exponent=1.0, damping=2.0, friction=0.4, slip=1e-3)
"""Of fingers and bar."""


def fingers_of(tip: str) -> tuple[str, str, str]:
    """Names of palm and fingers on the frame `tip`."""
    return f"{tip}.palm", f"{tip}.left", f"{tip}.right"


def locks_of(tip: str) -> tuple[str, str]:
    """Names of the latches that hold the fingers to the palm."""
    return f"{tip}.left lock", f"{tip}.right lock"


def with_fingers(
    world: World,
    tip: str,
    *,
    on: str | None = None,
    bar: str | None = None,
    latch: str = "grasp",
    fingers: Fingers | None = None,
    compliance: Compliance = COMPLIANCE,
) -> World:
    """The world with two fingers at the frame `tip`: x is the way it goes on a bar, which it holds along its z.

    Palm and fingers are "<tip>.palm", "<tip>.left" and "<tip>.right"; they come last in the world's order. A finger
    slides on a screw: under its `force` it goes at its `speed`, and nothing but its motor moves it; its coordinate is
    half of the opening (m). Start it at `fingers.opening`. Welds "<tip>.left lock" and "<tip>.right lock" hold the
    fingers to the palm. With `on`, the handle's frame (z along the bar), they touch the body `bar`, by default the one
    that carries that frame, by a `compliance`; and the weld `latch` holds the handle to the tip.
    """
    made, (palm, *both) = fingers or Fingers(), fingers_of(tip)
    if not min(made) > 0:
        raise ValueError(f"fingers on {tip!r}: all their measures must be positive")
    frame = world.frame(tip)
    bodies = [_palm(palm, frame, made)] + [
        _finger(name, palm, side, made) for name, side in zip(both, (1, -1), strict=True)
    ]
    welds = [
        Latch(
            name=name, kind="weld", frame_a=palm, frame_b=finger, capture_distance=2 * made.opening, capture_angle=1e-3
        )
        for name, finger in zip(locks_of(tip), both, strict=True)
    ]
    equipped = world.altered(bodies=(*world.bodies, *bodies), latches=(*world.latches, *welds))
    if on is None:
        return equipped
    return with_handle(equipped, tip, on, bar=bar, latch=latch, fingers=made, compliance=compliance)


def with_handle(
    world: World,
    tip: str,
    on: str,
    *,
    bar: str | None = None,
    latch: str = "grasp",
    fingers: Fingers | None = None,
    compliance: Compliance = COMPLIANCE,
) -> World:
    """The world, which has fingers at the frame `tip`, with one more handle for them: they touch the body `bar` about
    the frame `on`, and the weld `latch` holds it, as in `with_fingers`."""
    made, held = fingers or Fingers(), bar or world.body_of(on)
    within = made.depth + made.opening
    weld = Latch(name=latch, kind="weld", frame_a=tip, frame_b=on, capture_distance=within, capture_angle=1.0)
    contacts = [
        Contact(name=f"{name} on {held}", body_a=name, body_b=held, compliance=compliance) for name in fingers_of(tip)
    ]
    return world.altered(latches=(*world.latches, weld), contacts=(*world.contacts, *contacts))


def _palm(name: str, tip: Frame, made: Fingers) -> Body:
    """A rod across the approach, which the bar meets if it comes too deep."""
    at = Pose(position=(-made.depth - made.rod, 0.0, 0.0), quaternion=ALONG_Y)
    rod = Capsule(radius=made.rod, length=1.6 * made.opening, placement=at)
    return Body(name=name, parent=tip.body, joint=Fixed(), placement=tip.placement, mass=0.0, shapes=(rod,))


def _finger(name: str, palm: str, side: int, made: Fingers) -> Body:
    """Two rods along the approach and a hook at the end of each; those of the two fingers pass each other."""
    r, ahead = made.rod, made.depth + made.rod
    shapes = []
    for z in (-made.span, made.span):
        rod = Pose(position=(0.0, side * r, z), quaternion=ALONG_X)
        hook = Pose(position=(ahead, 0.0, z * (1 - 0.4 * side)), quaternion=ALONG_Y)
        shapes += [
            Capsule(radius=r, length=2 * made.depth, placement=rod),
            Capsule(radius=r, length=HOOK, placement=hook),
        ]
    joint = Prismatic(
        axis=(0, side, 0), damping=(made.force / made.speed,), limits=Limits(lower=(0.0,), upper=(made.opening,)),
        actuator=Actuator(effort=made.force, rate=made.speed),
    )  # fmt: skip
    own: Any = (made.mass * made.depth**2 / 3,) * 3
    return Body(name=name, parent=palm, joint=joint, mass=made.mass, inertia=own, shapes=tuple(shapes))
