"""Scenarios whose world and initial state are derived from their other keys."""

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import ValidationError, model_validator

from softdock.scenarios.scenario import Scenario
from softdock.world import Body, JointState, Layout, World
from softdock.world.describe import Described

PLACEHOLDER = World(bodies=(Body(name="none", mass=1.0, inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1))),))
"""Stands in where the keys are wrong, so that they are reported and not the world that is missing."""


class DerivedScenario(Scenario):
    """Adds `world` and `initial`: the class `made_from` has the keys that they are made from, `make_world` and
    `make_initial`."""

    made_from: ClassVar[type[Described]]
    fills: ClassVar[tuple[str, ...]] = ("world", "initial")

    @model_validator(mode="before")
    @classmethod
    def _build(cls, data: Any) -> Any:
        """As written by a run, `world` and `initial` must be what the other keys say."""
        try:
            made: Any = cls.made_from.model_validate(
                {key: data[key] for key in cls.made_from.model_fields if key in data}
            )
        except ValidationError:  # it will be reported where it belongs
            return data | {"world": PLACEHOLDER, "initial": {}}
        read = {key: getattr(made, key) for key in made.model_fields_set}  # checked once is enough
        return with_derived(data | read, made.make_world(), made.make_initial())

    def altered_parts(self, **changes: Any) -> Self:
        """A copy with some keys changed, and the world made anew."""
        kept = {key: getattr(self, key) for key in type(self).model_fields if key not in ("world", "initial")}
        return type(self)(**{**kept, **changes})


def with_derived(data: dict[str, Any], world: World, initial: dict[str, JointState]) -> dict[str, Any]:
    """`data` with world and initial state added; as written by a run, they must be the same."""
    if "world" in data and not _alike(data["world"].model_dump(), world.model_dump()):
        raise ValueError("world: is made from the other keys, and is not what they say; change those, leave it out")
    if data.get("initial"):
        layout = Layout(world)
        if not _alike(layout.state(data["initial"]), layout.state(initial)):
            raise ValueError("initial: is made from the other keys, and is not what they say; leave it out")
    return data | {"world": world, "initial": initial}


def _alike(a: Any, b: Any) -> bool:
    """Are two nested descriptions the same, but for rounding?"""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_alike(a[key], b[key]) for key in a)
    if isinstance(a, Sequence | np.ndarray) and not isinstance(a, str):
        return len(a) == len(b) and all(_alike(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return bool(a == b)
