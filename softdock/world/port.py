"""A berthing port: three balls that find their way into three grooves, and latches that then hold."""

from typing import NamedTuple

import numpy as np

from softdock.spatial import four, matrix_of_vector, quaternion_of_matrix
from softdock.world.contacts import Compliance, Contact
from softdock.world.joints import Fixed
from softdock.world.model import Body, Bushing, Latch, World
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Sphere


class Grooves(NamedTuple):
    """Measures of a port: a kinematic coupling (Maxwell's) with wide mouths."""

    circle: float = 0.18
    """Radius on which the balls stand (m)."""
    ball: float = 0.025
    """Radius of a ball (m)."""
    slope: float = float(np.pi / 4)
    """Of the grooves' flanks (rad)."""
    flank: float = 0.075
    """Width of a flank: the mouth is 2 cos(slope) times as wide (m)."""
    length: float = 0.11
    """Of a groove, along the radius (m)."""

    @property
    def height(self) -> float:
        """Of a seated ball's middle over the grooves' bottom (m)."""
        return self.ball / float(np.sin(self.slope))


PLATE = 0.012
"""Thickness of a flank (m)."""
COMPLIANCE = Compliance(stiffness=5e4, exponent=1.0, damping=3.0, friction=0.15, slip=1e-3)
"""Of balls and grooves."""


def with_port(
    world: World,
    port: str,
    ring: str,
    *,
    latch: str = "berth",
    grooves: Grooves | None = None,
    compliance: Compliance = COMPLIANCE,
    seated: tuple[float, float] = (0.004, 0.015),
    captured: tuple[float, float] = (0.02, 0.06),
) -> World:
    """The world with three grooves about the frame `port`, opening along its z, and three balls about the frame `ring`;
    when they are seated, the two frames coincide.

    Bodies are "<port>.groove1" and on, "<ring>.ball1" and on; they have no mass. The latch "<latch>.soft" holds by
    springs and dampers (300 N/m, 30 N m/rad) what is within `captured` (m, rad) of its place, and `latch` rigidly what
    is within `seated` (m, rad).
    """
    made = grooves or Grooves()
    if not (min(made) > 0 and made.slope < np.pi / 2):
        raise ValueError(f"port {port!r}: all its measures must be positive, and the slope below a right angle")
    bodies, contacts = [], []
    for k in range(3):
        turn = matrix_of_vector(np.array([0.0, 0.0, 2 * np.pi * k / 3]))
        groove, ball = f"{port}.groove{k + 1}", f"{ring}.ball{k + 1}"
        bodies += [_groove(world, groove, port, turn, made), _ball(world, ball, ring, turn, made)]
        contacts.append(Contact(name=f"{ball} in {groove}", body_a=ball, body_b=groove, compliance=compliance))
    spring = Bushing(stiffness=300.0, damping=200.0, angular_stiffness=30.0, angular_damping=20.0)
    latches = [
        Latch(
            name=f"{latch}.soft", kind="weld", frame_a=port, frame_b=ring, capture_distance=captured[0],
            capture_angle=captured[1], compliance=spring,
        ),
        Latch(
            name=latch, kind="weld", frame_a=port, frame_b=ring, capture_distance=seated[0], capture_angle=seated[1],
        ),
    ]  # fmt: skip
    return world.altered(
        bodies=(*world.bodies, *bodies), latches=(*world.latches, *latches), contacts=(*world.contacts, *contacts)
    )


def _groove(world: World, name: str, port: str, turn: np.ndarray, made: Grooves) -> Body:
    """Two plates that meet along the radius and rise to either side."""
    shapes = []
    for side in (1, -1):
        tilt = matrix_of_vector(np.array([side * made.slope, 0.0, 0.0]))
        middle = np.array([made.circle, 0.0, 0.0]) + tilt @ np.array([0.0, side * made.flank / 2, -PLATE / 2])
        at = Pose(position=_three(turn @ middle), quaternion=four(quaternion_of_matrix(turn @ tilt)))
        shapes.append(Box(size=(made.length, made.flank, PLATE), placement=at))
    frame = world.frame(port)
    return Body(name=name, parent=frame.body, joint=Fixed(), placement=frame.placement, mass=0.0, shapes=tuple(shapes))


def _ball(world: World, name: str, ring: str, turn: np.ndarray, made: Grooves) -> Body:
    frame = world.frame(ring)
    at = Pose(position=_three(turn @ np.array([made.circle, 0.0, made.height])))
    shape = Sphere(radius=made.ball, placement=at)
    return Body(name=name, parent=frame.body, joint=Fixed(), placement=frame.placement, mass=0.0, shapes=(shape,))


def _three(x: np.ndarray) -> tuple[float, float, float]:
    a, b, c = x.tolist()
    return a, b, c
