"""Random arms, and the engines beside which they are checked."""

import numpy as np
from scipy.spatial.transform import Rotation

from softdock.arm import Inertial, SerialArm
from softdock.arm.engines import Mujoco, Pinocchio

__all__ = ["Mujoco", "Pinocchio", "random_arm", "random_frame", "random_inertial"]


def random_arm(rng: np.random.Generator, n: int = 0, sliding: bool = True) -> SerialArm:
    """3 to 8 joints with random axes and places; about a third of them slide."""
    n = n or int(rng.integers(3, 9))
    axes = rng.normal(size=(n, 3))
    return SerialArm(
        placements=np.array([random_frame(rng) for _ in range(n)]),
        axes=axes / np.linalg.norm(axes, axis=1)[:, None],
        prismatic=(rng.uniform(size=n) < 0.35) if sliding else np.zeros(n, dtype=bool),
        inertials=tuple(random_inertial(rng) for _ in range(n)),
        tool=random_frame(rng),
        gravity=rng.uniform(-9, 9, 3),
    )


def random_frame(rng: np.random.Generator) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = Rotation.from_quat(rng.normal(size=4)).as_matrix()
    T[:3, 3] = rng.uniform(-0.4, 0.4, 3)
    return T


def random_inertial(rng: np.random.Generator) -> Inertial:
    """Of twelve random particles."""
    at = rng.uniform(-0.3, 0.3, (12, 3))
    at, mass = at - at.mean(axis=0), rng.uniform(0.5, 6.0)
    return Inertial(mass, rng.uniform(-0.2, 0.2, 3), mass / 12 * (np.sum(at * at) * np.eye(3) - at.T @ at))
