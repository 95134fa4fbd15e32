"""The Gymnasium environments, registered when this module is imported; Gymnasium imports it itself if asked for

    gymnasium.make("softdock.scenarios.environments:softdock/Docking-v0")

and likewise "softdock/Capture-v0". (Since 1.0 it looks for no entry points.)
"""

import gymnasium

ENVIRONMENTS = {
    "softdock/Docking-v0": "softdock.scenarios.iss_docking.environment:DockingEnv",
    "softdock/Capture-v0": "softdock.scenarios.capture.environment:CaptureEnv",
}

for name, place in ENVIRONMENTS.items():
    gymnasium.register(name, entry_point=place)
