"""Certified clearances: closed forms, coal at many times, and bounds against differences."""

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from softdock.dynamics import Dynamics
from softdock.planning import Infeasible, plan_motion
from softdock.planning.clearance import Bounds, are_clear, clearances
from softdock.planning.courses import JointMotion, RecordedMotion, RigidMotion, Together
from softdock.spatial import matrix_of_vector
from softdock.world import (
    Body,
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Fixed,
    Free,
    Pose,
    Prismatic,
    Revolute,
    Sphere,
    World,
)
from softdock.world.shapes import Placed

STILL = RigidMotion(lambda t: np.eye(4), acceleration=0.0, angular_acceleration=0.0)


def moved(p: ArrayLike, phi: ArrayLike = (0.0, 0.0, 0.0)) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = matrix_of_vector(np.asarray(phi, float)), p
    return X


@pytest.mark.parametrize("acceleration", [0.0, np.inf], ids=["bends known", "speeds only"])
@pytest.mark.parametrize("aside", [0.0, 0.021, 0.5])
def test_a_small_ball_that_flies_past_another_between_two_samples(aside: float, acceleration: float) -> None:
    """At 3 m/s, 0.02 m apart at its nearest time, which no sample meets: |p| at t* less both radii."""
    flying = RigidMotion(
        lambda t: moved((3.0 * (t - 0.4321), aside, 0.0)),
        speed=3.0,
        acceleration=acceleration,
        angular_acceleration=0.0,
    )  # fmt: skip
    shapes = {"a": (Sphere(radius=0.01),), "b": (Sphere(radius=0.01),)}
    found = clearances(Together(STILL, {"a": flying}), shapes, [("a", "b")], [0.0, 1.0])[0]
    exact = aside - 0.02
    assert found.certified <= exact + 1e-12 <= found.gap + 2e-12
    assert found.gap - found.certified <= 1e-5
    assert found.time == pytest.approx(0.4321, abs=5e-3)
    np.testing.assert_allclose(found.point_b, (0, 0.01, 0) if aside else found.point_b, atol=2e-3)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_nearest_of_several_shapes_counts_wherever_it_is_listed(order: tuple[int, ...]) -> None:
    """Balls at 0, 1 and 2 m to the side, one flies past the first at 0.3 m: whatever balls about the others say."""
    flying = RigidMotion(lambda t: moved((3.0 * (t - 0.4321), -0.3, 0.0)), speed=3.0, angular_acceleration=0.0)
    balls = [Sphere(radius=0.01, placement=Pose(position=(0, float(k), 0))) for k in order]
    course, shapes = Together(STILL, {"a": flying}), {"a": (Sphere(radius=0.01),), "b": tuple(balls)}
    found = clearances(course, shapes, [("a", "b")], [0.0, 1.0])[0]
    assert found.certified <= 0.28 + 1e-12 <= found.gap + 2e-12
    assert found.gap - found.certified <= 1e-5
    assert are_clear(course, shapes, {("a", "b"): 0.28 - 1e-4}, [0.0, 1.0])
    assert not are_clear(course, shapes, {("a", "b"): 0.28 + 2e-3}, [0.0, 1.0])


def test_enough_is_certified_at_once_and_less_is_refused() -> None:
    """A question about a margin takes fewer evaluations than the least gap, and less than a margin is refused."""
    asked = []

    class Counting(RigidMotion):
        def poses(self, body: str, t: np.ndarray) -> np.ndarray:
            asked.append(len(t))
            return super().poses(body, t)

    flying = Counting(lambda t: moved((t - 0.4321, 0.3, 0.0)), speed=1.0, acceleration=0.0, angular_acceleration=0.0)
    shapes = {"a": (Sphere(radius=0.01),), "b": (Sphere(radius=0.01),)}
    course = Together(STILL, {"a": flying})
    assert clearances(course, shapes, [("a", "b")], [0.0, 1.0])[0].certified == pytest.approx(0.28, abs=1e-5)
    exact = sum(asked)
    asked.clear()
    assert clearances(course, shapes, [("a", "b")], [0.0, 1.0], least=0.1)[0].certified >= 0.1
    assert sum(asked) < exact / 2
    refused = clearances(course, shapes, [("a", "b")], [0.0, 1.0], least={("a", "b"): 0.2801})[0]
    assert refused.certified < 0.2801 and refused.gap < 0.2801


def solids() -> list[Placed]:
    rng = np.random.default_rng(3)
    from scipy.spatial import ConvexHull

    points = rng.normal(size=(12, 3)) * (0.2, 0.1, 0.15)
    hull = ConvexHull(points)
    used = {int(k): i for i, k in enumerate(hull.vertices)}
    vertices = tuple(tuple(float(x) for x in points[k]) for k in hull.vertices)
    mesh = ConvexMesh(vertices=vertices, triangles=tuple(tuple(used[int(k)] for k in face) for face in hull.simplices))
    tilt = Pose(position=(0.1, -0.05, 0.02), rpy=(0.4, 0.3, -0.2))
    return [
        Sphere(radius=0.1, placement=tilt), Capsule(radius=0.03, length=0.4, placement=tilt),
        Cylinder(radius=0.15, length=0.02, placement=tilt), Box(size=(0.6, 0.01, 0.3), placement=tilt), mesh,
    ]  # fmt: skip


def coal_gap(a: Placed, X_A: np.ndarray, b: Placed, X_B: np.ndarray) -> float:
    import coal

    objects = []
    for shape, X in ((a, X_A), (b, X_B)):
        if isinstance(shape, ConvexMesh):
            points = coal.StdVec_Vec3s()
            for p in shape.vertices:
                points.append(np.array(p))
            geometry = coal.Convex.convexHull(points, False, "")
        elif isinstance(shape, Sphere):
            geometry = coal.Sphere(shape.radius)
        elif isinstance(shape, Box):
            geometry = coal.Box(*shape.size)
        else:
            geometry = (coal.Capsule if isinstance(shape, Capsule) else coal.Cylinder)(shape.radius, shape.length)
        at = X @ shape.placement.matrix()
        objects += [geometry, coal.Transform3s(at[:3, :3], at[:3, 3])]
    return float(coal.distance(*objects, coal.DistanceRequest(), coal.DistanceResult()))


@pytest.mark.parametrize("k", range(6))
def test_tumbling_solids_against_coal_at_many_times(k: int) -> None:
    """No gap that coal finds at 601 times is under what was certified; the least found is a gap by coal too."""
    shapes = solids()
    a, b = shapes[k % 5], shapes[(k // 2 + k) % 5]
    rng = np.random.default_rng(k)
    p, v, w, turned = rng.normal(size=(4, 3)) * np.array([[0.3], [0.4], [2.0], [1.0]])
    pose = lambda t: moved(p + v * t, w * t) @ moved((0, 0, 0), turned)  # noqa: E731
    flying = RigidMotion(
        pose, speed=np.linalg.norm(v), turn=np.linalg.norm(w), acceleration=0.0, angular_acceleration=0.0
    )
    times = np.linspace(-2.0, 2.0, 9)
    found = clearances(Together(STILL, {"a": flying}), {"a": (a,), "b": (b,)}, [("a", "b")], times)[0]
    fine = np.linspace(-2.0, 2.0, 601)
    gaps = np.array([coal_gap(a, pose(t), b, np.eye(4)) for t in fine])
    assert gaps.min() > found.certified - 1e-6  # coal's own tolerance
    assert coal_gap(a, pose(found.time), b, np.eye(4)) == pytest.approx(found.gap, abs=1e-5)
    assert found.gap - found.certified <= 1e-5


def craft() -> Dynamics:
    """A free base, on it a slide, on that two joints; a fixed wall."""
    link = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    bodies = (
        Body(name="base", joint=Free(), **link),
        Body(name="slide", parent="base", joint=Prismatic(axis=(0.6, 0.0, 0.8)), placement=Pose(position=(0.2, 0, 0.1)),
             **link),
        Body(name="one", parent="slide", joint=Revolute(axis=(0, 0, 1)), placement=Pose(position=(0, 0.3, 0)), **link),
        Body(name="two", parent="one", joint=Revolute(axis=(0, 1, 0)), placement=Pose(position=(0.5, 0, 0)),
             shapes=(Box(size=(0.4, 0.05, 0.02), placement=Pose(position=(0.3, 0, 0))),), **link),
        Body(name="wall", joint=Fixed(), placement=Pose(position=(1.4, 0.2, 0.3)), mass=1.0,
             shapes=(Sphere(radius=0.05), Box(size=(0.01, 1.0, 0.02), placement=Pose(position=(0.3, 0, 0))))),
    )  # fmt: skip
    return Dynamics(World(name="craft", bodies=bodies))


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return craft()


JOINTS = ["slide", "one", "two"]


def differences(course: JointMotion | RecordedMotion, begin: float, end: float, radius: float) -> tuple[float, float]:
    """Largest speed and acceleration, by differences, of points at `radius` about the origin of "two"."""
    rng = np.random.default_rng(1)
    points = rng.normal(size=(20, 3))
    points *= radius / np.linalg.norm(points, axis=1)[:, None]
    t = np.linspace(begin, end, 401)
    X = course.poses("two", t)
    x = np.einsum("kij,pj->kpi", X[:, :3, :3], points) + X[:, None, :3, 3]
    h = t[1] - t[0]
    speed = np.linalg.norm(np.diff(x, axis=0), axis=2).max() / h
    return speed, np.linalg.norm(np.diff(x, 2, axis=0), axis=2).max() / h**2


def test_points_of_a_chain_move_within_their_bounds(dynamics: Dynamics) -> None:
    rng = np.random.default_rng(0)
    q = dynamics.state({"base": {"position": (0.3, -0.2, 0.5), "quaternion": (0.8, 0.2, -0.4, 0.4)}})[0]
    t = np.array([0.0, 0.4, 1.0, 1.3])
    for _ in range(5):
        course = JointMotion(dynamics, JOINTS, q, CubicSpline(t, rng.normal(size=(4, 3))))
        whole = rng.normal(size=(4, dynamics.nq))
        whole[:, 3:7] /= np.linalg.norm(whole[:, 3:7], axis=1)[:, None]
        for one in (course, RecordedMotion(dynamics, t, whole)):
            bounds: Bounds = one.bounds("two", 0.4, t[:-1], t[1:])
            for k in range(3):
                speed, acceleration = differences(one, t[k] + 1e-9, t[k + 1] - 1e-9, 0.4)
                assert 0.05 * bounds.speed[k] < speed <= bounds.speed[k] * (1 + 1e-9)
                assert acceleration <= bounds.acceleration[k] * (1 + 1e-3)


def test_a_chain_that_moves_against_brute_force(dynamics: Dynamics) -> None:
    """Along splines, and as recorded with a base that tumbles: the least gap at 10,001 times."""
    from softdock.contact import proximities

    rng = np.random.default_rng(5)
    shapes = {body.name: body.shapes for body in dynamics.world.bodies}
    q = dynamics.layout.neutral()
    t = np.linspace(0.0, 2.0, 6)
    rows = np.column_stack([0.1 * rng.normal(size=(6, 3)), rng.normal(size=(6, 4)), rng.normal(size=(6, 3))])
    rows[:, 3:7] = (1, 0, 0, 0) + 0.2 * rows[:, 3:7]
    rows[:, 3:7] /= np.linalg.norm(rows[:, 3:7], axis=1)[:, None]
    for course in (
        JointMotion(dynamics, JOINTS, q, CubicSpline(t, rng.normal(size=(6, 3)))),
        RecordedMotion(dynamics, t, rows),
    ):
        found = clearances(course, shapes, [("two", "wall")], course.times)[0]
        fine = np.linspace(0.0, 2.0, 10_001)
        X = course.poses("two", fine), course.poses("wall", fine)
        least = min(float(proximities(a, X[0], b, X[1]).distance.min()) for a in shapes["two"] for b in shapes["wall"])
        assert found.certified <= least <= found.gap + 1e-4
        assert found.gap - found.certified <= 1e-5


def test_bad_questions_are_refused(dynamics: Dynamics) -> None:
    shapes = {"a": (Sphere(radius=0.01),), "b": (Sphere(radius=0.01),), "c": ()}
    course = Together(STILL, {"b": RigidMotion(lambda t: np.eye(4), speed=np.inf)})
    with pytest.raises(ValueError, match="increasing order"):
        clearances(course, shapes, [("a", "b")], [1.0, 0.0])
    with pytest.raises(ValueError, match="body 'c' has no shapes"):
        clearances(course, shapes, [("a", "c")], [0.0, 1.0])
    with pytest.raises(ValueError, match="speeds of 'a' and 'b' must be bounded"):
        clearances(course, shapes, [("a", "b")], [0.0, 1.0])
    with pytest.raises(ValueError, match="rows of q must have shape"):
        RecordedMotion(dynamics, [0.0, 1.0], np.zeros((2, 3)))
    with pytest.raises(ValueError, match="cubics of 3 joints"):
        JointMotion(dynamics, JOINTS, dynamics.layout.neutral(), CubicSpline([0.0, 1.0, 2.0], np.zeros((3, 2))))


def test_plans_in_drawn_worlds_keep_their_clearance_by_coal() -> None:
    """Obstacles on the way of an arm of three joints about axes drawn at random; poses by products of matrices."""
    rng, planned = np.random.default_rng(18), 0
    along = Pose(position=(0.2, 0, 0), rpy=(0, 1.57, 0))
    names, tube = ["l0", "l1", "l2"], Capsule(radius=0.01, length=0.3, placement=along)
    for k in range(4):
        axes = [tuple(a / np.linalg.norm(a)) for a in rng.normal(size=(3, 3))]
        start, goal = rng.uniform(-1, 1, size=(2, 3))

        def tip(q: np.ndarray, last: int, axes: list = axes) -> np.ndarray:
            X = np.eye(4)
            for j in range(last + 1):
                X = X @ moved((0.4, 0, 0) if j else (0, 0, 0)) @ moved((0, 0, 0), q[j] * np.array(axes[j]))
            return X

        middle = tip((start + goal) / 2, 2) @ np.array([0.25, 0.01, 0.01, 1.0])
        rock = (Sphere(radius=0.01), Box(size=(0.05, 0.02, 0.08), placement=Pose(rpy=(0.3, 0.2, 0.1))))[k % 2]
        arm = [
            Body(name=name, parent=names[j - 1] if j else "world", joint=Revolute(axis=axes[j]), mass=1.0,
                 inertia=(0.1, 0.1, 0.1), placement=Pose(position=(0.4, 0, 0) if j else (0, 0, 0)), shapes=(tube,))
            for j, name in enumerate(names)
        ]  # fmt: skip
        there = Pose(position=tuple(middle[:3]))
        d = Dynamics(World(bodies=(*arm, Body(name="rock", joint=Fixed(), placement=there, mass=1.0, shapes=(rock,)))))
        asked = {(name, "rock"): 0.01 for name in names[1:]}
        try:
            plan = plan_motion(d, names, start, goal, 3.0, clearance=asked, knots=12)
        except Infeasible:
            continue
        planned += 1
        for t in np.linspace(0.0, 3.0, 201):
            q = plan.at(t).q
            assert min(coal_gap(tube, tip(q, j), rock, there.matrix()) for j in (1, 2)) > 0.01 - 1e-6
    assert planned >= 2
