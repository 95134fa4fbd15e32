"""The patch of a compliant contact: its force changes continuously as the shapes move, and is what it was on faces."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from softdock import Box, Capsule, Cylinder
from softdock.contact.pressed import PRESSED, pressed
from softdock.contact.proximity import gap
from softdock.contact.shapes import POINT, encode
from softdock.kernels import Struct
from softdock.kernels.jit import njit

SLAB, BOX = Box(size=(0.3, 0.3, 0.05)), Box(size=(0.1, 0.06, 0.2))
CYLINDER, CAPSULE = Cylinder(radius=0.04, length=0.2), Capsule(radius=0.03, length=0.2)
DEPTH = 0.004


@njit(cache=True)
def gap_of(shapes, a, b, A, B, R_A, R_B, found):
    """Compiled apart, as loops call it: to be called from Python it would be compiled once more."""
    return gap(shapes, a, b, A, B, R_A, R_B, found)


@njit(cache=True)
def pressed_of(shapes, a, b, A, B, R_A, R_B, normal, points, shares):
    return pressed(shapes, a, b, A, B, R_A, R_B, normal, points, shares)


class Placed:
    """Two shapes, the second at rest; the first at a rotation vector and a position (6)."""

    def __init__(self, first, second):
        self.arrays = encode([(k, np.eye(3), np.zeros(3), shape) for k, shape in enumerate((first, second))])
        self.shapes, self.middle = Struct(self.arrays), self.arrays.table[1, POINT]

    def _at(self, x):
        R = Rotation.from_rotvec(x[:3]).as_matrix()
        A = np.ascontiguousarray(self.arrays.points[: self.middle] @ R.T + x[3:])
        return self.shapes, 0, 1, A, np.ascontiguousarray(self.arrays.points[self.middle :]), R, np.eye(3)

    def gap(self, x):
        return gap_of(*self._at(x), np.empty(9))

    def patch(self, x):
        normal, points, shares = np.empty(3), np.empty((PRESSED, 4)), np.empty(PRESSED)
        count = pressed_of(*self._at(x), normal, points, shares)
        return normal, points[:count], shares[:count]

    def wrench(self, x):
        """Force, and torque over 0.1 m, of the law ρ^1.5."""
        normal, points, shares = self.patch(x)
        assert shares.sum() == pytest.approx(1.0, abs=1e-9)
        force = (shares * np.maximum(-points[:, 3], 0.0) ** 1.5)[:, None] * normal
        return np.concatenate([force.sum(0), np.cross(points[:, :3], force).sum(0) / 0.1])


def into_touch(pair, turn, way):
    """The place along a way from the origin at which the shapes overlap by DEPTH."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if pair.gap(np.r_[turn, middle * way]) < -DEPTH else (low, middle)
    return np.r_[turn, low * way]


def jump(pair, start, move):
    """The largest jump of the wrench on the way from start by move, relative to the largest wrench: where two of 150
    samples differ most, halved until nothing but a jump is left."""
    times = np.linspace(0, 1, 150)
    found = np.array([pair.wrench(start + t * move) for t in times])
    k = int(np.abs(np.diff(found, axis=0)).max(1).argmax())
    (low, high), (first, last) = times[k : k + 2], found[k : k + 2]
    for _ in range(30):
        middle = 0.5 * (low + high)
        here = pair.wrench(start + middle * move)
        if np.abs(here - first).max() > np.abs(last - here).max():
            high, last = middle, here
        else:
            low, first = middle, here
    return np.abs(last - first).max() / np.abs(found).max()


@pytest.mark.parametrize(
    ("first", "second"),
    [(SLAB, SLAB), (BOX, SLAB), (BOX, CAPSULE), (SLAB, CAPSULE), (SLAB, CYLINDER), (CYLINDER, CYLINDER),
     (CYLINDER, CAPSULE), (CAPSULE, CAPSULE)],
)  # fmt: skip
def test_the_force_does_not_jump(first, second):
    """Nearly flat, nearly on edge and askew, tilted on the way by 0.1 rad: through what used to be a change of kind."""
    pair, rng = Placed(first, second), np.random.default_rng(5)
    flat = [(0, 0, 0), (np.pi / 2, 0, 0), (0, np.pi / 2, 0), (np.pi / 4, 0, 0)]
    for trial in range(12):
        turn = np.array(flat[trial % 4]) + 0.05 * rng.normal(size=3) if trial % 3 else 1.5 * rng.normal(size=3)
        way = rng.normal(size=3)
        way[:2] *= 0.3  # on the middle of faces, not on their corners
        start = into_touch(pair, turn, way / np.linalg.norm(way))
        assert jump(pair, start, np.r_[0.1 * rng.normal(size=3), 0.003 * rng.normal(size=3)]) < 1e-6


def test_shares_of_faces_edges_and_lines():
    """A face has a quarter at each corner, an edge and a line a half at each end, a corner what its angle gives."""
    pair = Placed(BOX, SLAB)
    normal, points, shares = pair.patch(np.r_[0, 0, 0, 0.02, 0.01, 0.125 - 1e-3])
    assert normal == pytest.approx([0, 0, 1]) and shares == pytest.approx([0.25] * 4)
    assert points[:, 3] == pytest.approx(-1e-3)
    assert sorted(map(tuple, np.round(points[:, :2], 9))) == [
        (-0.03, -0.02),
        (-0.03, 0.04),
        (0.07, -0.02),
        (0.07, 0.04),
    ]
    turn = Rotation.from_euler("yx", [0.6, 0.5])
    height = -(pair.arrays.points[: pair.middle] @ turn.as_matrix().T)[:, 2].min() + 0.025
    _, points, shares = pair.patch(np.r_[turn.as_rotvec(), 0, 0, height - 1e-3])
    assert 0.15 < shares[points[:, 3] < 0].sum() < 0.35
    quarter = Rotation.from_euler("x", np.pi / 2).as_rotvec()
    _, points, shares = Placed(CAPSULE, SLAB).patch(np.r_[quarter, 0, 0, 0.055 - 1e-3])
    assert shares == pytest.approx([0.5, 0.5]) and points[:, 3] == pytest.approx([-1e-3] * 2)
