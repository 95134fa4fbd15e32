"""The Gymnasium environments: `gymnasium.make("softdock/Docking-v0")` and "softdock/Capture-v0".

Gymnasium finds `register` by its entry-point group `gymnasium.envs` (pyproject.toml) when it is imported, so nothing of
softdock is loaded before an environment is made.
"""

ENVIRONMENTS = {
    "softdock/Docking-v0": "softdock.scenarios.iss_docking.environment:DockingEnv",
    "softdock/Capture-v0": "softdock.scenarios.capture.environment:CaptureEnv",
}


def register() -> None:
    """Make the environments known to Gymnasium; again is harmless."""
    import gymnasium

    for name, place in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=place)
