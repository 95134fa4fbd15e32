"""Points of pressure: an elastic foundation's force and torque, known factors for edges and corners, and continuity in
the pose for every pair of shapes."""

import numpy as np
import pytest
from pairs import PAIRS, shape
from scipy.spatial.transform import Rotation

from softdock import Box, Capsule, Cylinder
from softdock.contact.pressing import pressed
from softdock.contact.query import Pair
from softdock.contact.shapes import POINT, encode
from softdock.kernels import Struct

FLOOR = Box(size=(4, 4, 2))
"""Its top is at z = 1."""


class Press:
    """Points of a shape at (R, x) that presses on another at the origin."""

    def __init__(self, first, second):
        still = (np.eye(3), np.zeros(3))
        shapes = encode([(0, *still, first), (1, *still, second)])
        split = shapes.table[1, POINT]
        self.shapes, self.first, self.second = Struct(shapes), shapes.points[:split], shapes.points[split:].copy()
        self.normal, self.points, self.shares = np.zeros(3), np.zeros((8, 4)), np.zeros(8)

    def __call__(self, R, x):
        R = np.ascontiguousarray(R)
        count = pressed(
            self.shapes, 0, 1, self.first @ R.T + x, self.second, R, np.eye(3), self.normal, self.points, self.shares
        )
        return self.normal, self.points[:count, :3], -self.points[:count, 3], self.shares[:count]

    def wrench(self, R, x, exponent=1.5):
        """Force and torque about x, per stiffness; and the normal."""
        n, points, depths, shares = self(R, x)
        if not len(points):
            return np.zeros(6), np.zeros(3)
        f = shares * depths**exponent
        return np.concatenate([f.sum() * n, np.cross((points - x).T @ f, n)]), n.copy()


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.004, 0.0), (0.003, -0.006), (0.05, 0.02)])
@pytest.mark.parametrize("offset", [(0.0, 0.0), (1.8, 0.3)])
def test_a_box_on_a_box_stands_on_an_elastic_foundation(tilt, offset):
    """Force and torque with exponent 1, against a sum over a fine grid of the box's lower face."""
    R = Rotation.from_euler("xy", tilt).as_matrix()
    lowest = (np.array(np.meshgrid([-0.5, 0.5], [-0.4, 0.4], [-0.3])).reshape(3, -1).T @ R.T)[:, 2].min()
    x = np.array([*offset, 1 - lowest - 0.01])
    n, points, depths, shares = Press(Box(size=(1, 0.8, 0.6)), FLOOR)(R, x)
    assert np.linalg.norm(n - [0, 0, 1]) <= np.linalg.norm(tilt) + 1e-12
    assert depths.min() >= 0 and shares.sum() == pytest.approx(1)
    u, v = ((np.arange(2000) + 0.5) / 2000 - 0.5 for _ in range(2))
    grid = np.stack(np.meshgrid(u, 0.8 * v, [-0.3], indexing="ij"), -1).reshape(-1, 3) @ R.T + x
    under = (grid[:, 2] < 1) & (np.abs(grid[:, :2]) < 2).all(axis=1)
    pressure = (1 - grid[under, 2]) / under.sum()
    f = shares * depths
    assert f.sum() == pytest.approx(pressure.sum(), rel=5e-3)
    assert f @ points[:, :2] / f.sum() == pytest.approx(pressure @ grid[under, :2] / pressure.sum(), abs=1e-3)


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_a_face_an_edge_and_a_corner_have_known_factors(exponent):
    """Eq. 7 of docs/theory/contact.md; with exponent 2, the mean square of the depth also of an edge met askew."""
    box, corner = Press(Box(size=(1, 1, 1)), FLOOR), Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0]
    cases = [(0.0, 0.5, 1.0), (np.pi / 4, np.sqrt(0.5), 3 ** (-exponent / 2))]
    if exponent == 2:
        cases.append((0.3, 0.5 * (np.sin(0.3) + np.cos(0.3)), 1 / 3))
    cases = [(Rotation.from_euler("x", turn), height, factor) for turn, height, factor in cases]
    for turn, height, factor in (*cases, (corner, np.sqrt(3) / 2, 6 ** (-exponent / 2))):
        force = box.wrench(turn.as_matrix(), np.array([0.1, 0.2, 1 + height - 0.01]), exponent)[0]
        assert force[:3] == pytest.approx([0, 0, factor * 0.01**exponent], rel=1e-9, abs=1e-12)


def test_what_lies_on_its_side_presses_along_its_length():
    quarter = Rotation.from_euler("x", np.pi / 2).as_matrix()
    for round_one in (Capsule(radius=0.2, length=1.5), Cylinder(radius=0.2, length=1.5)):
        _, points, depths, shares = Press(round_one, FLOOR)(quarter, np.array([0.0, 0, 1.19]))
        assert depths == pytest.approx([0.01, 0.01])
        assert shares == pytest.approx([0.5, 0.5])
        assert np.abs(points[:, 1]) == pytest.approx(1.5 / np.sqrt(12))
        both = Press(round_one, round_one)(quarter @ quarter, np.array([0.0, 0.39, 0.5]))
        assert both[2] == pytest.approx([0.01, 0.01]) and np.sort(both[1][:, 2]) == pytest.approx(
            0.25 + np.array([-1, 1]) / np.sqrt(12)
        )


def largest_jump(press, R, x, turn, shift, looks=300):
    """Along a path of poses, how far the wrench jumps, relative to the largest force, and the normal there: where it
    changes most from look to look, the interval is halved 36 times."""

    def at(t):
        return press.wrench(Rotation.from_rotvec(t * turn).as_matrix() @ R, x + t * shift)

    times = np.linspace(0, 1, looks)
    seen = [at(t) for t in times]
    wrenches = np.array([wrench for wrench, _ in seen])
    k = int(np.linalg.norm(np.diff(wrenches, axis=0), axis=1).argmax())
    low, high, before, after = times[k], times[k + 1], seen[k], seen[k + 1]
    for _ in range(36):
        middle = at(0.5 * (low + high))
        if np.linalg.norm(middle[0] - before[0]) > np.linalg.norm(after[0] - middle[0]):
            high, after = 0.5 * (low + high), middle
        else:
            low, before = 0.5 * (low + high), middle
    size = np.linalg.norm(wrenches[:, :3], axis=1).max()
    return np.linalg.norm(after[0] - before[0]) / size, np.linalg.norm(after[1] - before[1])


JUMPY = {("box", "mesh"), ("mesh", "mesh"), ("mesh", "cylinder"), ("box", "cylinder"), ("cylinder", "cylinder")}
"""Pairs whose shortest way out may change at once, and the force with it."""


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_force_is_continuous_in_the_pose(a, b):
    """On paths through poses at random and nearly face on face."""
    rng = np.random.default_rng(5)
    for k in range(6):
        first, second = shape(a, rng), shape(b, rng)
        R, x = Rotation.random(rng=rng).as_matrix(), rng.normal(size=3)
        if k % 2:
            quarters = Rotation.from_euler("xyz", rng.integers(0, 4, 3) * np.pi / 2).as_matrix()
            R, x = Rotation.from_rotvec(0.05 * rng.normal(size=3)).as_matrix() @ quarters, np.array([0.2, -0.1, 1.0])
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R, 3 * x / np.linalg.norm(x)
        away = Pair(first, second).many(T, np.eye(4))[0]
        x = T[:3, 3] - (away[0] + 10 ** rng.uniform(-3, -1.7)) * away[1:4]
        jump, of_normal = largest_jump(Press(first, second), R, x, 0.15 * rng.normal(size=3), 0.05 * rng.normal(size=3))
        assert jump < 1e-6 or ((a, b) in JUMPY and of_normal > 1e-6)
