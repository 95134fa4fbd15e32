"""Scenarios whose world and initial state are made from their other keys."""

from typing import Any, ClassVar, Self

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
        read = {key: getattr(made, key) for key in made.model_fields_set}  # checked once is enough
        return with_built(data | read, made.make_world(), made.make_initial())

    def altered_parts(self, **changes: Any) -> Self:
        """A copy with some keys changed, and the world made anew."""
        kept = {key: getattr(self, key) for key in type(self).model_fields if key not in ("world", "initial")}
        return type(self)(**{**kept, **changes})
