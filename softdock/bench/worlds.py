"""The worlds that are measured."""

import math

from softdock.world import Body, Fixed, Free, Orbit, Planar, Pose, Revolute, Servo, World

ORBIT = Orbit(semi_major_axis=6_731_290.0, mu=3.986e14)
MEAN_MOTION = math.sqrt(ORBIT.mu / ORBIT.semi_major_axis**3)


Tensor = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


def tensor(xx: float, yy: float, zz: float, xy: float = 0.0, xz: float = 0.0, yz: float = 0.0) -> Tensor:
    """An inertia's matrix from its moments and products."""
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)


def rod(name: str, parent: str, mass: float, length: float, servo: Servo, at: float) -> Body:
    """A uniform thin rod along x that turns about z at `at` on its parent's x axis."""
    across = mass * length**2 / 12
    return Body(
        name=name, parent=parent, joint=Revolute(servo=servo), placement=Pose(position=(at, 0, 0)),
        mass=mass, center=(length / 2, 0, 0), inertia=tensor(across / 100, across, across),
    )  # fmt: skip


def planar_iss(kp: float, kd: float) -> World:
    """The station with a three-rod arm of Gibson & Murphey in its orbital plane: ISS, rods, payload at the tip."""
    servo = Servo(kp=kp, kd=kd)
    across = 344_378.0 * 73.0**2 / 12
    station = Body(name="iss", joint=Planar(), mass=344_378.0, inertia=tensor(across / 100, across, across))
    arm = (
        rod("upper", "iss", 140.0, 6.4, servo, 0.0),
        rod("fore", "upper", 95.0, 7.0, servo, 6.4),
        rod("hand", "fore", 60.0, 1.9, servo, 7.0),
    )
    payload = Body(name="payload", parent="hand", joint=Fixed(), placement=Pose(position=(1.9, 0, 0)), mass=100.0)
    return World(name="planar-iss", gravity=ORBIT, bodies=(station, *arm, payload))


def free_arm(joints: int) -> World:
    """A free body of 100 kg with an arm of equal links, axes z and y in turn, without gravity."""
    base = Body(name="base", joint=Free(), mass=100.0, inertia=tensor(30.0, 40.0, 50.0))
    links = [
        Body(
            name=f"link{k}",
            parent=f"link{k - 1}" if k else "base",
            joint=Revolute(axis=(0, 1, 0) if k % 2 else (0, 0, 1)),
            placement=Pose(position=(0.5, 0.02, 0.1)),
            mass=10.0,
            center=(0.25, 0.01, 0.02),
            inertia=tensor(0.05, 0.2, 0.22),
        )
        for k in range(joints)
    ]
    return World(name=f"free-arm-{joints}", bodies=(base, *links))
