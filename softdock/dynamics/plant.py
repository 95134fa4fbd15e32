"""What the compiled loops need to know of a world: the immutable model, as arrays."""

from typing import Any, NamedTuple

import numpy as np

from softdock.contact.shapes import Shapes
from softdock.mechanics.latch_pattern import LatchPattern

KERNELS = np.dtype(
    [(name, "i8") for name in
     ("move", "advance", "gross", "factor", "solve", "latches", "weight", "push", "poses")]
)  # fmt: skip
"""Addresses of the kernels that the stepping loops call; 0 for those that a world does not need. (`newton` and
`newton_held` are the request's: there are others for the ledger.)"""

CHAIN = np.dtype([("parent", "i8"), ("kind", "i8"), ("v", "i8")])
"""Of a link: its parent, its kind (`gaps.KIND`), its first velocity."""

STOP = np.dtype([("q", "i8"), ("v", "i8")])
"""Which coordinate and which velocity a joint's stop bounds."""

LAW = np.dtype(
    [(name, "f8") for name in
     ("restitution", "side", "stop", "stiffness", "exponent", "damping", "viscosity", "friction", "slip")]
)  # fmt: skip
"""How a contact answers. The gap of a stop is side × (q − stop); a located contact has no stiffness."""


SETTLING = np.dtype([("v", "i8"), ("flat", "?"), ("fast", "f8"), ("slow", "f8")])
"""A velocity with a damper or servo, whether it is the rate of a coordinate, and the rates (1/s) at which it comes to
rest (settling.py)."""


DRY = np.dtype([("v", "i8"), ("slide", "f8"), ("hold", "f8")])
"""A velocity with dry friction that is not smoothed: what it bears sliding and at rest (N or N m; stiction.py)."""


STRENGTH = np.dtype([("force", "f8"), ("torque", "f8")])
"""Of a latch: the load at which it breaks (N, N m); infinite if it does not."""

LATCH_ROW = np.dtype([("latch", "i8"), ("turns", "?"), ("stiffness", "f8"), ("damping", "f8")])
"""A row of c: its latch, whether its multiplier is a torque, and spring and damper of a compliant latch."""


ROOT = np.dtype(
    [("q", "i8"), ("v", "i8"), ("turn_q", "i8"), ("turn_v", "i8"), ("p", "f8", 3), ("R", "f8", (3, 3)), ("plain", "?")]
)
"""A free root: its first coordinates and velocities, of its place and of its turn, and the frame that they are in; is
that turned as the world is?"""


class ContactTable(NamedTuple):
    """What may touch: first the pairs of shapes, then the stops of joints."""

    shapes: Shapes
    pairs: np.ndarray
    stops: np.ndarray
    """`STOP`"""
    laws: np.ndarray
    """`LAW`"""
    soft: np.ndarray
    """Gaps that are compliant."""
    chain: np.ndarray
    """`CHAIN`"""
    all_soft: bool
    """Are all of them compliant?"""
    typical: float
    """Median radius (m) of the shapes' balls."""


class Plant(NamedTuple):
    """The immutable model."""

    kernels: Any
    """`KERNELS`"""
    theta: np.ndarray
    spherical: np.ndarray
    """First velocity index of every spherical elementary joint."""
    turning: np.ndarray
    """Velocity index of every revolute one whose angle matters (turning.py)."""
    orbit: np.ndarray
    """Elements of the reference orbit (`orbit.ELEMENTS`), or empty."""
    latch_rows: np.ndarray
    """First row of every latch in c; one more entry, the number of rows."""
    rows: np.ndarray
    """`LATCH_ROW`"""
    pattern: LatchPattern
    strengths: np.ndarray
    """`STRENGTH` of every latch; empty if none can break."""
    contacts: ContactTable
    resists: bool
    """Does any joint have a spring, damper, friction or gain? Then the step matrix depends on h."""
    sprung: float
    """Largest stiffness of a joint's spring over the inertia that it feels (1/s²; settling.py)."""
    settling: np.ndarray
    """`SETTLING`"""
    dry: np.ndarray
    """`DRY`"""
    levers: np.ndarray
    """Of every velocity, for the guard: how much of a turn its unit is."""
    roots: np.ndarray
    """`ROOT` of a world on which nothing from outside can push, or empty."""
    is_long: bool
    """Is there a long chain of links (`Tree.is_long`)?"""
    nq: int
    nv: int
    factor_size: int
    """Length of the step matrix's factor."""
