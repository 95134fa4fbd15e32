"""softdock's target satellite: a box with two solar panels and a grapple handle.

Paper 001 gives the target's inertia and the place of its handle, not its shape; this shape is ours. Without the handle
it looks the same after half a turn about any of the box's axes; the handle is off the middle of its face.
"""

import numpy as np

from softdock.sensing.surface import Surface
from softdock.world.pose import Pose

HANDLE = Pose(position=(-0.15, 0.0, 0.0))
"""The grapple handle in the body's frame, whose origin is the centre of mass (paper 001, section 4)."""

BODY = ((-0.10, -0.20, -0.38), (0.40, 0.30, 0.22))
"""Corners of the box (m, from the centre of mass)."""
_BAR, _THICK = 0.24, 0.02
_PANEL, _DEPTH, _GAP = 0.80, 0.02, 0.10


def satellite() -> Surface:
    """The target, origin at its centre of mass: box, a panel at either end along z, handle on the face towards −x."""
    import trimesh

    return Surface(trimesh.util.concatenate([_box(low, high) for low, high in _parts()]))


def _parts() -> list[tuple[np.ndarray, np.ndarray]]:
    """Opposite corners of the boxes that the satellite is made of; each is closed, and they overlap where they join."""
    low, high = map(np.array, BODY)
    middle, half = (low + high) / 2, np.array([0.25, _DEPTH / 2, _PANEL / 2])
    parts = [(low, high)]
    for end, sign in ((low[2], -1), (high[2], 1)):
        panel = np.array([middle[0], middle[1], end + sign * (_GAP + _PANEL / 2)])
        boom = np.array([middle[0], middle[1], end + sign * _GAP / 2])
        parts += [(panel - half, panel + half), (boom - [0.02, 0.02, 0.06], boom + [0.02, 0.02, 0.06])]
    grip, t = np.array(HANDLE.position), _THICK / 2
    parts.append((grip - [t, t, _BAR / 2], grip + [t, t, _BAR / 2]))
    for z in (t - _BAR / 2, _BAR / 2 - t):
        parts.append((grip + [0, -t, z - t], np.array([low[0] + 0.01, grip[1] + t, grip[2] + z + t])))
    return parts


def _box(low: np.ndarray, high: np.ndarray) -> object:
    import trimesh

    return trimesh.creation.box(bounds=[low, high])
