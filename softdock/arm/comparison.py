"""The same torques by every method: Korczyk et al.'s Figs. 2-5 and 10-18 for the arm, 22-23 for the bearing."""

from itertools import combinations

import numpy as np

from softdock.arm.engines import independent
from softdock.arm.platform import Platform, bearing_torque
from softdock.arm.serial import SerialArm
from softdock.arm.torques import exponentials, newton_euler
from softdock.arm.trajectories import Samples
from softdock.dynamics import Dynamics

ENGINE = "engine"
"""Key of the independent engine's torques; it is missing where none is installed."""


def joint_torques(arm: SerialArm, along: Samples) -> dict[str, np.ndarray]:
    """Torques (N, n) of a fixed arm: D-H frames, product of exponentials, softdock's kernels, and another engine."""
    _, q, v, a = along
    found = {
        "dh": newton_euler(arm, q, v, a),
        "poe": exponentials(arm, q, v, a),
        "softdock": Dynamics(arm.world()).inverse_dynamics(q, v, a),
    }
    engine = independent(arm)
    return found | ({ENGINE: engine.torques(q, v, a)} if engine else {})


def bearing_torques(arm: SerialArm, platform: Platform, along: Samples) -> dict[str, np.ndarray]:
    """Torque (N, 3) on the locked bearing: momentum method, spherical joint of softdock, and of another engine."""
    _, q, v, a = along
    still = np.zeros((len(q), 3))
    dynamics = Dynamics(arm.world("bearing", platform))
    level = np.hstack([np.tile([1.0, 0.0, 0.0, 0.0], (len(q), 1)), q])
    moving = np.hstack([still, v]), np.hstack([still, a])
    found = {
        "momentum": bearing_torque(arm, platform, q, v, a),
        "spherical": dynamics.inverse_dynamics(level, *moving)[:, :3],
    }
    engine = independent(arm, platform)
    return found | ({ENGINE: engine.torques(engine.unturned(q), *moving)[:, :3]} if engine else {})


def differences(torques: dict[str, np.ndarray]) -> dict[str, float]:
    """Largest difference (N m) of each pair of methods, as "one-other"."""
    return {
        f"{one}-{other}": float(np.abs(torques[one] - torques[other]).max()) for one, other in combinations(torques, 2)
    }
