"""A world's numbers by name: "lower.mass", "load.center.x", "load.inertia.xy", "bump.restitution"."""

from collections.abc import Callable
from typing import Any

from softdock.world import World
from softdock.world.describe import nearest

Change = Callable[[float], float]
AXES = {"x": 0, "y": 1, "z": 2}


def value(world: World, name: str) -> float:
    """A number of a body, contact or latch."""
    seen: list[float] = []

    def look(x: float) -> float:
        seen.append(x)
        return x

    _replaced(world, name, look)
    return seen[0]


def altered(world: World, name: str, by: float) -> World:
    """The world with one number changed by so much."""
    return _replaced(world, name, lambda x: x + by)


def _replaced(world: World, name: str, by: Change) -> World:
    first, *rest = name.split(".")
    for kind in ("bodies", "contacts", "latches"):
        parts = getattr(world, kind)
        for k, part in enumerate(parts):
            if part.name == first and rest:
                changed = _changed(part, rest, by, name)
                return world.altered(**{kind: (*parts[:k], changed, *parts[k + 1 :])})
    known = [part.name for kind in ("bodies", "contacts", "latches") for part in getattr(world, kind)]
    raise ValueError(
        f"no number {name!r}: it is that of a body, contact or latch, as 'arm.mass'{nearest(first, known)}"
    )


def _changed(was: Any, keys: list[str], by: Change, name: str) -> Any:
    if not keys:
        if isinstance(was, bool) or not isinstance(was, int | float):
            raise ValueError(f"{name!r} is not a number")
        return by(float(was))
    key, rest = keys[0], keys[1:]
    if isinstance(was, tuple) and all(letter in AXES for letter in key) and 1 <= len(key) <= 2:
        return _entry(was, [AXES[letter] for letter in key], rest, by, name)
    fields = getattr(type(was), "model_fields", {})
    if key not in fields:
        raise ValueError(f"no number {name!r}: nothing is called {key!r}{nearest(key, fields)}")
    return was.model_copy(update={key: _changed(getattr(was, key), rest, by, name)})


def _entry(value: tuple[Any, ...], at: list[int], rest: list[str], by: Change, name: str) -> tuple[Any, ...]:
    """A vector's or symmetric matrix's."""
    if len(at) == 1:
        return tuple(_changed(x, rest, by, name) if k == at[0] else x for k, x in enumerate(value))
    places = {(at[0], at[1]), (at[1], at[0])}
    return tuple(
        tuple(_changed(x, rest, by, name) if (i, j) in places else x for j, x in enumerate(row))
        for i, row in enumerate(value)
    )
