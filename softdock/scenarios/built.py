"""Scenarios whose world and initial state are made from their other keys."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from softdock.world import Body, JointState, Layout, World

PLACEHOLDER = World(bodies=(Body(name="none", mass=1.0, inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1))),))
"""Stands in where the keys are wrong, so that they are reported and not the world that is missing."""


def with_built(data: dict[str, Any], world: World, initial: dict[str, JointState]) -> dict[str, Any]:
    """`data` with world and initial state added; as written by a run, they must be the same."""
    if "world" in data and not alike(data["world"].model_dump(), world.model_dump()):
        raise ValueError("world: is made from the other keys, and is not what they say; change those, leave it out")
    if data.get("initial"):
        layout = Layout(world)
        if not alike(layout.state(data["initial"]), layout.state(initial)):
            raise ValueError("initial: is made from the other keys, and is not what they say; leave it out")
    return data | {"world": world, "initial": initial}


def alike(a: Any, b: Any) -> bool:
    """Are two nested descriptions the same, but for rounding?"""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, Sequence | np.ndarray) and not isinstance(a, str):
        return len(a) == len(b) and all(alike(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return bool(a == b)
