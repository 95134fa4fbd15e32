"""Base class of every record that a user may write in Python or TOML: frozen, strict, helpful."""

import difflib
import math
import sys
from collections.abc import Iterable
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt word: '; did you mean …?', or the list of what is known (its first twenty)."""
    known = sorted(known)
    close = difflib.get_close_matches(word, known, n=1)
    listed = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
    return f"; did you mean {close[0]!r}?" if close else f" (known: {listed or 'none'})"


class Described(BaseModel):
    """A frozen record that refuses unknown keys, naming the nearest known one."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, data: Any) -> Any:
        known = cls.__pydantic_fields__
        if isinstance(data, dict) and not data.keys() <= known.keys():
            key = next(key for key in data if key not in known)
            raise ValueError(f"unknown key {key!r}{nearest(str(key), known)}")
        return data

    def altered(self, **changes: Any) -> Self:
        """A validated copy with some fields changed."""
        kept = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**kept, **changes})


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
