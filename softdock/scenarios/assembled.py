"""Scenarios whose world and initial state are made from their other keys."""

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from pydantic import ValidationError, model_validator

from softdock.scenarios.scenario import Scenario
from softdock.world import Body, JointState, Layout, World
from softdock.world.describe import Described


class Parts(Protocol):
    """What the world is made from."""

    def make_world(self) -> World: ...

    def make_initial(self) -> dict[str, JointState]: ...


class Assembled(Scenario):
    """Adds `world` and `initial`, made by the class `parts` from the keys that it has."""

    parts: ClassVar[type[Described]]

    @model_validator(mode="before")
    @classmethod
    def _build(cls, data: Any) -> Any:
        """As written by a run, `world` and `initial` must be what the other keys say."""
        try:
            made: Any = cls.parts.model_validate({key: data[key] for key in cls.parts.model_fields if key in data})
        except ValidationError:  # it will be reported where it belongs
            nothing = Body(name="none", mass=1.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
            return data | {"world": World(bodies=(nothing,)), "initial": {}}
        world, initial = made.make_world(), made.make_initial()
        if "world" in data and not alike(data["world"].model_dump(), world.model_dump()):
            raise ValueError("world: is made from the other keys, and is not what they say; change those, leave it out")
        layout = Layout(world)
        if data.get("initial") and not alike(layout.state(data["initial"]), layout.state(initial)):
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
