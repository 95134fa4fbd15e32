"""Reaction wheels as what they are: bodies on revolute joints."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.world.joints import Actuator, Revolute
from softdock.world.model import Body, World
from softdock.world.pose import Pose

THREE_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def with_wheels(
    world: World,
    body: str,
    *,
    inertia: float,
    mass: float,
    axes: ArrayLike = THREE_AXES,
    position: ArrayLike = (0.0, 0.0, 0.0),
    actuator: Actuator | None = None,
) -> tuple[World, tuple[str, ...]]:
    """The world with balanced wheels added to a body, and their names, "<body>.wheel1" and on.

    Each is a thin disc of `mass` (kg) and spin inertia (kg m²) at `position` (m, the body's frame), turning about its
    row of `axes` (body's frame), with that `actuator`. They come last in the world's order, so the states of other
    joints stay where they are. A wheel's mass is its own: take it off the body's if that included it.
    """
    rows = np.atleast_2d(np.asarray(axes, dtype=np.float64))
    if rows.shape[-1] != 3 or not np.all(np.linalg.norm(rows, axis=1) > 0):
        raise ValueError("axes of wheels must be vectors of three numbers that are not zero")
    if not (inertia > 0 and mass > 0):
        raise ValueError("a wheel's inertia and mass must be positive")
    x, y, z = np.asarray(position, dtype=np.float64).tolist()
    wheels = [
        _wheel(f"{body}.wheel{k + 1}", body, Pose(position=(x, y, z)), axis, inertia, mass, actuator)
        for k, axis in enumerate(rows)
    ]
    return world.altered(bodies=(*world.bodies, *wheels)), tuple(wheel.name for wheel in wheels)


def _wheel(
    name: str, parent: str, placement: Pose, axis: Sequence[float] | np.ndarray, J: float, mass: float,
    actuator: Actuator | None,
) -> Body:  # fmt: skip
    n = np.asarray(axis) / np.linalg.norm(axis)
    disc: Any = J / 2 * (np.eye(3) + np.outer(n, n))
    x, y, z = n.tolist()
    joint = Revolute(axis=(x, y, z), actuator=actuator)
    return Body(name=name, parent=parent, joint=joint, placement=placement, mass=mass, inertia=disc)
