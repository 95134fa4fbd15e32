"""Rays meet what is in front of a target, and a craft leaves out the points at which it believes itself to be."""

from types import ModuleType

import numpy as np
import pytest

from softdock import mission as ms
from softdock.dynamics import Dynamics
from softdock.mission.camera import Frame
from softdock.mission.craft import Crafts
from softdock.mission.hiding import InFront, larger
from softdock.sensing import Scan
from softdock.world import Box, Capsule, Cylinder, Sphere

R_WK = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Of the camera of docs/missions.md: z ahead, y down."""
DOWN = np.array([0.6, 0.0, -0.16])
"""From the camera at (0.4, 0, 0.2) to the top of the upper arm's tube, of radius 0.04, at x = 1."""


def test_a_ray_ends_at_the_arm(fetch: ModuleType) -> None:
    dynamics = Dynamics(fetch.WORLD)
    others = InFront(dynamics, "camera", [body.name for body in fetch.WORLD.bodies if body.name != "client"])
    q = dynamics.layout.neutral()
    ahead = np.array([[0.0, 0.0, 1.0], R_WK.T @ DOWN / np.linalg.norm(DOWN)])
    free, hit = others.ranges(q, ahead)
    assert free == np.inf
    assert hit == pytest.approx(np.linalg.norm(DOWN), abs=1e-3), "facets lie within the tube by less"
    q[dynamics.layout.q["upper"]] = 1.0
    assert np.all(others.ranges(q, ahead) == np.inf), "the arm has swung aside"
    tilted = np.array([[np.cos(0.26), 0, np.sin(0.26)], [0, 1, 0], [-np.sin(0.26), 0, np.cos(0.26)]])
    about_x = tilted[[1, 0, 2]][:, [1, 0, 2]] * [[1, 1, 1], [1, 1, -1], [1, -1, 1]]
    q[dynamics.layout.q["upper"]] = 0.0
    assert others.ranges(q, ahead[:1], about_x.T)[0] < np.inf, "a camera that is tilted down sees it straight ahead"


def test_bodies_beside_all_rays_are_left_out(fetch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no others: rays about many axes meet what they meet if all bodies are looked for."""
    dynamics, rng = Dynamics(fetch.WORLD), np.random.default_rng(4)
    others = InFront(dynamics, "camera", [body.name for body in fetch.WORLD.bodies])
    q, met, asked = dynamics.layout.neutral(), [], []
    for _ in range(40):
        q[dynamics.layout.q["upper"]] = rng.uniform(-1.0, 1.0)
        rays = rng.normal(size=3) + rng.uniform(0.1, 0.5) * rng.normal(size=(50, 3))
        asked.append((q.copy(), rays / np.linalg.norm(rays, axis=1, keepdims=True)))
        met.append(others.ranges(*asked[-1]))
    monkeypatch.setattr(InFront, "_cone_of", lambda self, directions: (np.zeros(3), np.pi))
    np.testing.assert_array_equal([others.ranges(*one) for one in asked], met)
    assert 0.05 < np.isfinite(met).mean() < 0.95


def test_points_on_the_own_arm_are_left_out(fetch: ModuleType) -> None:
    """One point on the arm, one beyond it and one on the client: the first two rays meet the arm."""
    crafts, eye = Crafts(fetch.WORLD), ms.LaserCamera("camera", "client")
    eye.name = "eye"
    eye.fit(crafts)
    craft = eye.craft
    craft.measured(0.0, craft.dynamics.layout.neutral(), np.zeros(craft.dynamics.nv))
    points = np.array([R_WK.T @ DOWN, 2 * R_WK.T @ DOWN, [0.0, 0.0, 1.6]])
    eye.take(0.0, Frame(0.0, Scan(points=points)))
    (seen,) = eye.arrived(1.0)
    assert seen.frame.scan is not None
    np.testing.assert_array_equal(seen.frame.scan.points, points[2:])


@pytest.mark.parametrize(
    "shape",
    [Box(size=(0.2, 0.3, 0.4)), Capsule(radius=0.1, length=0.4), Cylinder(radius=0.1, length=0.4), Sphere(radius=0.1)],
)
def test_a_larger_shape_has_all_points_about_the_smaller(shape: Box | Capsule | Cylinder | Sphere) -> None:
    from softdock.sensing.mesh import mesh_of

    small, large = mesh_of(shape), mesh_of(larger(shape, 0.03))
    outward = small.vertices + 0.029 * small.vertex_normals
    assert large.contains(outward).all() and large.volume < 3 * small.volume
