"""Base class of every record that a user may write in Python or TOML: frozen, strict, helpful."""

import difflib
import math
import sys
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Literal, Self, get_args, get_origin

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt word: '; did you mean …?', or the list of what is known (its first twenty)."""
    known = sorted(known)
    close = difflib.get_close_matches(word[:_COMPARED], known[: 10 * _COMPARED], n=1)
    return f"; did you mean {close[0]!r}?" if close else all_known(known)


def all_known(words: Iterable[str]) -> str:
    """' (known: …)', the first twenty."""
    words = sorted(words)
    listed = ", ".join(words[:20]) + (", …" if len(words) > 20 else "")
    return f" (known: {listed or 'none'})"


def shown(value: Any) -> str:
    """A value in a message: on one line, its first 80 characters."""
    text = " ".join(repr(value).split())
    return text if len(text) < 80 else f"{text[:80]}…"


_COMPARED = 100
"""Characters of a word for which a hint is looked for, among ten times as many words: all would take minutes."""
_NUMBERS, _TEXT, _ROWS = frozenset((float, int)), frozenset((str, bool)), frozenset((list, tuple))
_SUSPECT = _TEXT | _ROWS
_NO_NUMBER = "Input should be a valid number, not {wrong}"


class Described(BaseModel):
    """A frozen record that refuses unknown keys, naming the nearest known one."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)
    # built when first used: a run uses few of all the records that there are

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, data: Any) -> Any:
        """And text or truth values for numbers: pydantic would take "1" and True for 1."""
        if not isinstance(data, dict):
            return data
        known, numbers = cls.__pydantic_fields__, _numeric(cls)
        suspect = [key for key in numbers if type(data.get(key)) in _SUSPECT and _no_number(data[key]) is not None]
        if not suspect and data.keys() <= known.keys():
            return data
        for key, value in data.items():
            if key not in known:
                hint = nearest(str(key), known)
                raise ValueError(f"unknown key {key!r}{hint}{all_known(known) if '?' in hint else ''}")
            if key in suspect:
                wrong = _no_number(value)
                text = PydanticCustomError("number", _NO_NUMBER, {"wrong": repr(wrong)})
                error = InitErrorDetails(type=text, loc=(key,), input=wrong)
                raise ValidationError.from_exception_data(cls.__name__, [error])
        return data

    def _with(self, **fields: Any) -> Self:
        """A copy with some fields changed to what is valid: nothing is looked at."""
        copy = object.__new__(type(self))
        object.__setattr__(copy, "__dict__", {**self.__dict__, **fields})
        object.__setattr__(copy, "__pydantic_fields_set__", self.__pydantic_fields_set__ | fields.keys())
        object.__setattr__(copy, "__pydantic_extra__", self.__pydantic_extra__)
        object.__setattr__(copy, "__pydantic_private__", self.__pydantic_private__)
        return copy

    def altered(self, **changes: Any) -> Self:
        """A validated copy with some fields changed."""
        kept = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**kept, **changes})


@cache
def _numeric(cls: type[BaseModel]) -> tuple[str, ...]:
    """Fields of numbers only."""
    return tuple(name for name, field in cls.__pydantic_fields__.items() if _is_of_numbers(field.annotation))


def _is_of_numbers(kind: Any) -> bool:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal or not parts:
        return kind in (int, float)
    inner = parts[:1] if origin is Annotated else [part for part in parts if part not in (type(None), ...)]
    return all(_is_of_numbers(part) for part in inner)


def _no_number(value: Any) -> Any:
    """The first text or truth value in what should be a number, or rows of them; None if there is none."""
    kind = type(value)
    if kind in _TEXT:
        return value
    if kind in _ROWS and not _NUMBERS.issuperset(map(type, value)):
        return next((wrong for part in value if (wrong := _no_number(part)) is not None), None)
    return None


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _sized(value: Any, size: int) -> Any:
    value = _listed(value)
    if isinstance(value, (list, tuple)) and len(value) != size:
        raise ValueError(f"takes {size} numbers, not {len(value)}")
    return value


def _three(value: Any) -> Any:
    return _sized(value, 3)


def _unit(value: tuple[float, ...]) -> tuple[float, ...]:
    norm = math.hypot(*value)
    if norm < 1e-12 or math.isinf(norm):
        raise ValueError(f"has {'zero' if norm < 1 else 'infinite'} length; it cannot be normalised")
    if abs(norm - 1) < 1e-15:  # already normalised: dividing again would change its last bits
        return tuple(float(x) for x in value)
    return tuple(float(x) / norm for x in value)


def _square(value: Any) -> Any:
    """Accept (Ixx, Iyy, Izz), (Ixx, Iyy, Izz, Ixy, Ixz, Iyz) or a 3x3 matrix; give 3x3."""
    value = _listed(value)
    if isinstance(value, (list, tuple)) and len(value) == 3 and not isinstance(value[0], (list, tuple)):
        xx, yy, zz = value
        return ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))
    if isinstance(value, (list, tuple)) and len(value) == 6:
        xx, yy, zz, xy, xz, yz = value
        return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    if not (isinstance(value, (list, tuple)) and len(value) == 3 and all(_is_row(row) for row in value)):
        raise ValueError("takes 3 moments, 6 (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), or a 3x3 matrix")
    return value


def _is_row(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 3


Number = Annotated[float, Field(allow_inf_nan=False)]
_Vec3 = tuple[Number, Number, Number]
_Vec4 = tuple[Number, Number, Number, Number]
Vec3 = Annotated[_Vec3, BeforeValidator(_three)]
Matrix3 = Annotated[tuple[_Vec3, _Vec3, _Vec3], BeforeValidator(_square)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


def _unit3(value: Any) -> Any:
    value = _sized(value, 3)
    return _unit(value) if _is_numeric(value, 3) else value


def _unit4(value: Any) -> Any:
    value = _sized(value, 4)
    return _unit(value) if _is_numeric(value, 4) else value


def _is_numeric(value: Any, size: int) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) == size
        and all(isinstance(x, (int, float)) and abs(x) <= sys.float_info.max for x in value)
    )


UnitVec3 = Annotated[_Vec3, BeforeValidator(_unit3)]
Quaternion = Annotated[_Vec4, BeforeValidator(_unit4)]
