"""softdock's target satellite: a box with two solar panels and a grapple handle, a round bar on two posts.

Aghili gives the target's inertia and the place of its handle, not its shape; this shape is ours. Without the handle
it looks the same after half a turn about any of the box's axes; the handle is off the middle of its face.
"""

from typing import Any

import numpy as np

from softdock.sensing.surface import Surface
from softdock.world.pose import Pose

HANDLE = Pose(position=(-0.15, 0.0, 0.0))
"""The grapple handle in the body's frame, whose origin is the centre of mass (Aghili, section 4)."""

BODY = ((-0.08, -0.20, -0.38), (0.40, 0.30, 0.22))
"""Corners of the box (m, from the centre of mass)."""
BAR = (0.01, 0.22)
"""The handle's bar, a capsule along z: radius, and length between the centres of its caps (m)."""
_THICK, _SIDES = 0.02, 24
PANEL, _GAP = (0.80, 0.5, 0.02), 0.10
"""Length (z), width (x) and thickness (y) of a solar panel, and how far it is from the box (m)."""


def satellite() -> Surface:
    """The target, origin at its centre of mass: box, a panel at either end along z, handle on the face towards −x."""
    import trimesh

    return Surface(trimesh.util.concatenate([*(_box(*part) for part in parts()), _bar()]))


def _bar() -> Any:
    import trimesh

    radius, length = BAR
    rod = trimesh.creation.capsule(length, radius, count=[_SIDES, _SIDES // 2])
    rod.apply_translation(np.array(HANDLE.position) - rod.bounds.mean(axis=0))
    return rod


def panel_roots() -> dict[int, tuple[float, float, float]]:
    """Middles of the panels' near edges (m), by their side along z."""
    (x0, y0, z0), (x1, y1, z1) = BODY
    return {sign: ((x0 + x1) / 2, (y0 + y1) / 2, z + sign * _GAP) for sign, z in ((-1, z0), (1, z1))}


def parts(*, posts: bool = True, panels: bool = True) -> list[tuple[np.ndarray, np.ndarray]]:
    """Middles and lengths of the boxes that the satellite is made of, but for the bar, and with `posts` those that
    carry it, with `panels` its solar panels; each is closed, and they overlap where they join."""
    low, high = map(np.array, BODY)
    x, y, z = (low + high) / 2
    parts = [((x, y, z), high - low)]
    for end, sign in ((low[2], -1), (high[2], 1)):
        parts.append(((x, y, end + sign * _GAP / 2), (0.04, 0.04, _GAP + 0.02)))
        if panels:
            length, width, thick = PANEL
            parts.append(((x, y, end + sign * (_GAP + length / 2)), (width, thick, length)))
    gx, gy, gz = HANDLE.position
    for end in (gz - BAR[1] / 2, gz + BAR[1] / 2) if posts else ():
        parts.append((((gx + low[0] + 0.01) / 2, gy, end), (low[0] + 0.01 - gx, _THICK, _THICK)))
    return [(np.array(middle), np.array(lengths)) for middle, lengths in parts]


def _box(middle: np.ndarray, lengths: np.ndarray) -> object:
    import trimesh

    return trimesh.creation.box(bounds=[middle - lengths / 2, middle + lengths / 2])
