"""Gymnasium environments: steps a second of one environment on one core, resets included."""

import time
from typing import Any

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say

CASE = "environments"
LEAST = {"Docking": (3000.0, 3000), "Capture": (800.0, 640)}
"""Steps a second that are wanted, and how many are taken."""


def run(say: Say) -> Result:
    """Random actions; processor time, so that what else runs on the machine does not count."""
    try:
        import gymnasium
    except ImportError:
        say(f"{CASE}: gymnasium is not installed")
        return Result([], [])
    rows, limits = [], []
    for name, (wanted, steps) in LEAST.items():
        say(f"{CASE}: {steps} steps of {name}-v0")
        environment = gymnasium.make(f"softdock.scenarios.environments:softdock/{name}-v0").unwrapped
        seconds = min(_seconds(environment, steps) for _ in range(3)) / steps
        simulated = {"Docking": 0.1, "Capture": 0.5}[name]
        rows.append(Row(f"{CASE}/{name}", "softdock", "variational", 2, simulated, 1e6 * seconds, 1e3 * seconds))
        limits.append(Limit(f"{CASE}: steps a second wanted / measured, {name}-v0", wanted * seconds, 1.0))
    return Result(rows, limits)


def _seconds(environment: Any, steps: int) -> float:
    """Processor seconds of steps with random actions."""
    rng = np.random.default_rng(0)
    environment.reset(seed=0)
    space = environment.action_space
    actions = rng.uniform(space.low, space.high, (steps, *space.shape))
    began = time.process_time()
    for action in actions:
        _, _, done, late, _ = environment.step(action)
        if done or late:
            environment.reset()
    return time.process_time() - began
