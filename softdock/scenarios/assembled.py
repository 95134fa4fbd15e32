"""Scenarios whose world and initial state are made from their other keys."""

from typing import Any, ClassVar

from pydantic import ValidationError, model_validator

from softdock.scenarios.built import PLACEHOLDER, with_built
from softdock.scenarios.scenario import Scenario
from softdock.world.describe import Described


class Assembled(Scenario):
    """Adds `world` and `initial`: the class `parts` has the keys that they are made from, `make_world` and
    `make_initial`."""

    parts: ClassVar[type[Described]]

    @model_validator(mode="before")
    @classmethod
    def _build(cls, data: Any) -> Any:
        """As written by a run, `world` and `initial` must be what the other keys say."""
        try:
            made: Any = cls.parts.model_validate({key: data[key] for key in cls.parts.model_fields if key in data})
        except ValidationError:  # it will be reported where it belongs
            return data | {"world": PLACEHOLDER, "initial": {}}
        return with_built(data, made.make_world(), made.make_initial())
