"""The worlds that are measured."""

import math

from softdock.world import Body, Fixed, Free, Orbit, Planar, Pose, Revolute, Servo, Uniform, World

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
    """The station with a three-rod arm of paper 000 in its orbital plane: ISS, rods, payload at the tip."""
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


def sawyer() -> World:
    """Rethink Robotics' Sawyer, seven joints about z on a fixed base, under uniform gravity."""
    bodies = [
        Body(
            name=f"right_l{k}",
            parent=f"right_l{k - 1}" if k else "world",
            joint=Revolute(),
            placement=Pose.model_validate({"position": xyz, "rpy": rpy}),
            mass=mass,
            center=center,
            inertia=tensor(*inertia),
        )
        for k, (xyz, rpy, mass, center, inertia) in enumerate(_SAWYER)
    ]
    return World(name="sawyer", gravity=Uniform(), bodies=tuple(bodies))


_QUARTER = math.pi / 2
# Joint origin and roll-pitch-yaw, mass, centre of mass, inertia (xx, yy, zz, xy, xz, yz): the URDF in the wheel of
# robosuite 1.5.2 (bullet_data/sawyer_description/urdf/sawyer_arm.urdf).
_SAWYER = (
    ((0.0, 0.0, 0.08), (0.0, 0.0, 0.0), 5.3213, (0.024366, 0.010969, 0.14363),
     (0.053314, 0.057902, 0.023659, 0.0047093, 0.011734, 0.0080179)),
    ((0.081, 0.05, 0.237), (-_QUARTER, _QUARTER, 0.0), 4.505, (-0.0030849, -0.026811, 0.092521),
     (0.022398, 0.014613, 0.017295, -0.00023986, -0.00029362, -0.0060875)),
    ((0.0, -0.14, 0.1425), (_QUARTER, 0.0, 0.0), 1.7251, (-0.00016232, -0.015346, 0.13445),
     (0.025176, 0.024982, 0.0033798, 4.3031e-06, 1.4564e-05, -0.0033928)),
    ((0.0, -0.042, 0.26), (-_QUARTER, 0.0, 0.0), 2.4743, (-0.0046678, -0.028394, -0.083127),
     (0.0099549, 0.0064248, 0.0067746, -1.7675e-05, 0.00027521, 0.0030853)),
    ((0.0, -0.125, -0.1265), (_QUARTER, 0.0, 0.0), 1.0433, (-0.0027794, 0.0076558, 0.13273),
     (0.012913, 0.012939, 0.0012405, 2.573e-05, 0.00017705, 0.0011152)),
    ((0.0, 0.031, 0.275), (-_QUARTER, 0.0, 0.0), 1.5343, (0.0062067, -0.024291, 0.075564),
     (0.0046072, 0.0028725, 0.003101, 0.00012002, 5.3065e-05, -0.0011886)),
    ((0.0, -0.11, 0.1053), (-_QUARTER, -0.17453, 3.1416), 0.3292, (-8.0726e-06, 0.0085838, -0.0049566),
     (0.00031105, 0.00021549, 0.00035976, 1.4771e-06, -3.7074e-07, -8.4533e-06)),
)  # fmt: skip
