"""Worlds that the control tests share."""

import numpy as np

from softdock.world import Body, Frame, Free, Pose, Revolute, World, with_wheels

ARM = ("B", "C", "F", "G")
START = np.array([0.0, -np.pi / 2, -np.pi / 2, 0.0])
GOAL = np.array([-np.pi / 6, np.pi / 10, np.pi / 3, np.pi / 4])
"""Asci & Nanjangud, Table 2."""


def cuboid(mass: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Principal inertia of a uniform box with half-lengths x, y, z."""
    return (mass * (y * y + z * z) / 3, mass * (x * x + z * z) / 3, mass * (x * x + y * y) / 3)


def berthing_craft() -> tuple[World, tuple[str, ...]]:
    """Base and four-link arm of Asci & Nanjangud (Table 1, half-lengths), with three wheels of 0.5 kg in the base."""
    bodies = [Body(name="A", joint=Free(), mass=20.0, inertia=cuboid(20.0, 0.5, 0.5, 0.5))]
    reach = 0.5
    for name, half in zip(ARM, (0.5, 0.5, 0.5, 0.1), strict=True):
        bodies.append(
            Body(
                name=name,
                parent=bodies[-1].name,
                joint=Revolute(),
                placement=Pose(position=(reach, 0.0, 0.0)),
                mass=2.0,
                center=(half, 0.0, 0.0),
                inertia=cuboid(2.0, half, 0.05, 0.05),
            )
        )
        reach = 2 * half
    frames = (Frame(name="tip", body="G", placement=Pose(position=(0.2, 0.0, 0.0))),)
    return with_wheels(World(name="craft", bodies=tuple(bodies), frames=frames), "A", inertia=0.01, mass=0.5)


JOINTS = [f"link{k + 1}" for k in range(7)]
BENT = np.array([0.3, 0.9, -0.4, -1.3, 0.5, 1.1, 0.4])


def seven_joint_flyer(joints: int = 7) -> World:
    """A 300 kg spacecraft with an arm of revolute joints about z, y, z, y …, 0.4 m apart."""
    bodies = [Body(name="base", joint=Free(), mass=300.0, inertia=(40.0, 55.0, 62.0))]
    for k, name in enumerate(JOINTS[:joints]):
        bodies.append(
            Body(
                name=name,
                parent=bodies[-1].name,
                joint=Revolute(axis=(0, 0, 1) if k % 2 == 0 else (0, 1, 0)),
                placement=Pose(position=(0.6, 0.1, 0.2) if k == 0 else (0.4, 0.0, 0.0)),
                mass=8.0,
                center=(0.2, 0.01, -0.015),
                inertia=(0.03, 0.14, 0.15),
            )
        )
    return World(name="flyer", bodies=tuple(bodies))
