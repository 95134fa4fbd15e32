"""What gives way on the two spacecraft of 'capture' and 'servicing': panels that bend, and gears of the arm."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from softdock.sensing.target import PANEL, panel_roots
from softdock.world import Body, Elastic, Pose, World, panel
from softdock.world.describe import Described
from softdock.world.rigid import lumped, rigid
from softdock.world.shapes import Positive

GEAR = Elastic(stiffness=5e4, damping=100.0, gear_ratio=100.0, rotor_inertia=2e-4)
"""Of every joint of the arm, unless another is given."""
THICK, YOKE = 0.02, 0.4
"""Of the chaser's panels: thickness, and from the chaser's side to the plate (m)."""
BEHIND = 0.3
"""Of the chaser's side, from its middle towards aft: where they are (-)."""


class Panels(Described):
    """Two panels that bend out of their plane: `mass` (kg) of each, first `frequency` (Hz) of each, held at its yoke,
    with that `damping_ratio`, divided into `rods`."""

    mass: Positive = 1.0
    frequency: Positive = 0.8
    damping_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.005
    """Of the first bending (-)."""
    rods: Annotated[int, Field(ge=1, le=20)] = 2
    """Into which each is divided."""

    def plate(self) -> dict[str, Any]:
        """Keys of a panel."""
        return {key: getattr(self, key) for key in ("mass", "frequency", "damping_ratio", "rods")}


class Wings(Panels):
    """The chaser's, one to each side, of `length` and `width` (m)."""

    mass: Positive = 8.0
    frequency: Positive = 0.5
    rods: Annotated[int, Field(ge=1, le=20)] = 3
    length: Positive = 2.0
    width: Positive = 0.8


def with_wings(world: World, on: str, wings: Wings, side: float) -> World:
    """A cube of that side (m) with panels on its sides along y, aft of its middle, in its plane x, y."""
    for name, sign in (("left", 1), ("right", -1)):
        root = Pose.of(_turned((0, sign, 0), (0, 0, 1)), (-BEHIND * side, sign * side / 2, 0.0))
        world = panel(
            world, name=f"{on}.{name}", on=on, placement=root, length=wings.length, width=wings.width,
            thickness=THICK, yoke_length=YOKE, **wings.plate(),
        )  # fmt: skip
    return world


def with_plates(world: World, on: str, plates: Panels) -> World:
    """softdock's satellite, its body without panels, with such that bend. Mass, mass centre and inertia of the whole,
    at rest, stay what they were; ValueError if the panels have more."""
    length, width, thickness = PANEL
    for sign, root in panel_roots().items():
        world = panel(
            world, name=f"{on}.{'lower' if sign < 0 else 'upper'}", on=on, length=length, width=width,
            placement=Pose.of(_turned((0, 0, sign), (0, 1, 0)), root), thickness=thickness, **plates.plate(),
        )  # fmt: skip
    return _less(world, on)


def _turned(x: Sequence[float], z: Sequence[float]) -> np.ndarray:
    """A frame by two of its axes."""
    return np.stack([x, np.cross(z, x), z], axis=1)


def _less(world: World, on: str) -> World:
    """The world with what a body carries by springs taken off its own mass and inertia."""
    whole = world.body(on)
    empty = whole.altered(mass=0.0, inertia=((0.0,) * 3,) * 3, shapes=())
    carried = lumped(rigid(_with(world, empty)), on)
    mass = whole.mass - carried.mass
    if mass <= 0:
        raise ValueError(f"{on}.panels: they have {carried.mass:g} kg, of {whole.mass:g} kg that the whole has")
    c, p = np.array(whole.center), np.array(carried.center)
    center = (whole.mass * c - carried.mass * p) / mass
    inertia: Any = np.array(whole.inertia) - np.array(carried.inertia)
    inertia = inertia - carried.mass * _square(p - c) - mass * _square(center - c)
    try:
        return _with(world, whole.altered(mass=mass, center=tuple(center.tolist()), inertia=inertia.tolist()))
    except ValueError:
        raise ValueError(f"{on}.panels: they have more inertia than {on!r} as a whole") from None


def _square(r: np.ndarray) -> np.ndarray:
    """Inertia of a unit mass at r (m²)."""
    return np.asarray(r @ r * np.eye(3) - np.outer(r, r))


def _with(world: World, body: Body) -> World:
    return world.altered(bodies=tuple(body if one.name == body.name else one for one in world.bodies))
