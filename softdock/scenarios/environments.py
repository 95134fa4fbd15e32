"""The Gymnasium environments, registered when this module is imported; Gymnasium imports it itself if asked for

    gymnasium.make("softdock.scenarios.environments:softdock/Docking-v0")

and likewise "softdock/Capture-v0". (Since 1.0 it looks for no entry points.)
"""

import gymnasium
import numpy as np
from numpy.typing import ArrayLike

ENVIRONMENTS = {
    "softdock/Docking-v0": "softdock.scenarios.iss_docking.environment:DockingEnv",
    "softdock/Capture-v0": "softdock.scenarios.capture.environment:CaptureEnv",
}

for name, place in ENVIRONMENTS.items():
    gymnasium.register(name, entry_point=place)


def fitting(environment: "gymnasium.Env[np.ndarray, np.ndarray]", action: ArrayLike) -> np.ndarray:
    """An action as numbers of the shape of the environment's action space; ValueError if it is none."""
    array, shape = np.asarray(action, dtype=np.float64), environment.action_space.shape
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"an action must be finite numbers of shape {shape}, not {action!r:.80}")
    return array
