"""Compiled parts of planning against the same written out with NumPy and SciPy."""

import pickle

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from softdock.contact import Pair
from softdock.contact.query import DISTANCE, ROW
from softdock.planning import Infeasible, minimum_acceleration
from softdock.planning.bounds import apart, chain_bounds, near, sizes_of
from softdock.planning.clearance import are_clear, clearances
from softdock.planning.courses import RigidMotion, Together
from softdock.planning.damped_step import is_rotation, step_within, stepped
from softdock.planning.plan import sampled
from softdock.spatial import matrix_of_vector
from softdock.world import Box, Capsule, Cylinder, Pose, Sphere

RNG = np.random.default_rng(7)


def test_speeds_of_a_chain_are_sums_over_its_joints():
    rate, bend, slide = RNG.random((5, 4)), RNG.random((5, 4)), RNG.random((5, 4))
    turns, lengths, chain = np.array([True, False, True, True]), RNG.random(4), np.array([3, 1, 0])
    speeds, bends = chain_bounds(chain, turns, lengths, 0.7, rate, bend, slide)
    lever, wanted, bent = np.full(5, 0.7), np.zeros(5), np.zeros(5)
    for i, k in enumerate(chain):
        own = lever if turns[k] else 1.0
        before = sum((rate[:, j] for j in chain[i + 1 :] if turns[j]), np.zeros(5))
        wanted += rate[:, k] * own
        bent += (bend[:, k] + 2 * before * rate[:, k] + turns[k] * rate[:, k] ** 2) * own
        lever = lever + lengths[k] + slide[:, k]
    np.testing.assert_allclose(speeds, wanted, rtol=1e-14)
    np.testing.assert_allclose(bends, bent, rtol=1e-14)
    sizes = sizes_of(rate, np.array([(0, 1), (1, 4), (2, 2)]))
    np.testing.assert_allclose(sizes.T, [rate[:, 0], np.linalg.norm(rate[:, 1:], axis=1), np.zeros(5)], rtol=1e-14)


def test_balls_at_all_times():
    middles, balls, spans = RNG.normal(size=(3, 6, 3)), RNG.random(3) / 4, RNG.random(5)
    speeds, bends, pairs = RNG.random((3, 5)), RNG.random((3, 5)), np.array([(0, 1), (1, 2), (2, 0)])
    nearest, lowest, bounded = apart(middles, balls, speeds, bends, spans, pairs)
    for n, (a, b) in enumerate(pairs):
        gaps = np.linalg.norm(middles[a] - middles[b], axis=1) - balls[a] - balls[b]
        low = (gaps[:-1] + gaps[1:] - (speeds[a] + speeds[b]) * spans) / 2
        assert (nearest[n], lowest[n]) == pytest.approx((gaps.min(), low.min()), rel=1e-14) and bounded[n]
    speeds[1, 2] = np.inf
    assert apart(middles, balls, speeds, bends, spans, pairs)[2].all()  # accelerations are known
    bends[1, 2] = np.inf
    assert apart(middles, balls, speeds, bends, spans, pairs)[2].tolist() == [False, False, True]


def test_balls_at_an_instant():
    X = np.tile(np.eye(4), (4, 1, 1))
    for T in X:
        T[:3, :3], T[:3, 3] = matrix_of_vector(RNG.normal(size=3)), RNG.normal(size=3)
    pairs, middles = RNG.integers(0, 4, (30, 2)), RNG.normal(size=(30, 2, 3))
    off = [X[a, :3] @ [*m, 1] - X[b, :3] @ [*k, 1] for (a, b), (m, k) in zip(pairs, middles, strict=True)]
    far = np.linalg.norm(off, axis=1)
    np.testing.assert_array_equal(near(X, middles, np.full(30, 2.5), pairs), np.flatnonzero(far <= 2.5))


def moving(place, way):
    def pose(t):
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = matrix_of_vector([0.3 * t, 0.0, 0.2 * t]), np.array(place) + t * np.array(way)
        return X

    return RigidMotion(pose, speed=float(np.linalg.norm(way)), turn=0.4, acceleration=0.0, angular_acceleration=0.2)


@pytest.mark.parametrize("far", [0.55, 0.8, 5.0])
def test_bodies_of_many_shapes_are_as_near_as_samples_say(far):
    """Boxes against boxes, and other shapes; whether they are clear agrees with how near they come."""
    one = (Box(size=(0.3, 0.2, 0.4)), Sphere(radius=0.1, placement=Pose(position=(0.3, 0.0, 0.0))))
    two = (Box(size=(0.2, 0.5, 0.1)), Capsule(radius=0.05, length=0.6), Cylinder(radius=0.1, length=0.2))
    course = Together(moving((0.0, 0.0, 0.0), (0.05, 0.0, 0.0)), {"two": moving((far, 0.3, 0.1), (-0.02, -0.06, 0.0))})
    shapes, times = {"one": one, "two": two}, np.linspace(0.0, 10.0, 5)
    (found,) = clearances(course, shapes, [("one", "two")], times)
    t = np.linspace(0.0, 10.0, 2001)
    X_A, X_B = course.poses("one", t), course.poses("two", t)
    least = min(Pair(a, b).many(X_A, X_B)[:, DISTANCE].min() for a in one for b in two)
    assert found.gap - 1e-5 <= found.certified <= found.gap <= least + 1e-5
    assert least <= found.gap + 1e-3
    for margin in (found.gap - 0.01, found.gap + 0.01):
        if margin > 0:
            assert are_clear(course, shapes, {("one", "two"): margin}, times) == (margin < found.gap)


def test_a_single_query_is_that_of_many():
    shapes = (Box(size=(0.3, 0.2, 0.4)), Sphere(radius=0.1), Capsule(radius=0.05, length=0.6),
              Cylinder(radius=0.1, length=0.2))  # fmt: skip
    X_A, X_B = np.eye(4), np.eye(4)
    X_B[:3, :3], X_B[:3, 3] = matrix_of_vector([0.3, 0.2, -0.4]), [0.4, 0.1, 0.3]
    for a in shapes:
        for b in shapes:
            pair = Pair(a, b)
            assert pair(X_A, X_B).shape == (ROW,)
            np.testing.assert_allclose(pair(X_A, X_B), pair.many(X_A, X_B)[0], rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(pair(X_A, np.asfortranarray(X_B)), pair(X_A, X_B), rtol=1e-12, atol=1e-12)
            with pytest.raises(ValueError, match="finite"):
                pair(X_A, np.full((4, 4), np.nan))


def test_splines_of_few_joints_are_scipys():
    spline = CubicSpline(np.sort(RNG.uniform(0, 10, 20)), RNG.normal(size=(20, 7)))
    times = np.concatenate([RNG.uniform(-2, 12, 50), spline.x])
    for k in range(3):
        np.testing.assert_array_equal(sampled(spline, times)[k], spline(times, k))
        for t in times:
            np.testing.assert_array_equal(sampled(spline, float(t))[k], spline(t, k))


def test_a_step_within_limits():
    """Whatever is beyond its limit stops there, and the rest is solved for again; the same with LAPACK."""
    stopped = set()
    for _ in range(100):
        A, room = RNG.normal(size=(9, 6)), np.array([-RNG.random(6), RNG.random(6)]).T * RNG.choice([0.1, 1.0, 10.0])
        H, slope, step, is_free = A.T @ A, RNG.normal(size=6), np.zeros(6), np.ones(6, bool)
        room[0, 0] = 0.0  # at its limit, and let go only into the range
        is_free[0] = slope[0] >= 0
        while is_free.any():
            rest = slope[is_free] - H[np.ix_(is_free, ~is_free)] @ step[~is_free]
            step[is_free] = np.linalg.solve(H[np.ix_(is_free, is_free)], rest)
            beyond = is_free & ((step < room[:, 0]) | (step > room[:, 1]))
            step = np.clip(step, *room.T)
            is_free &= ~beyond
            if not beyond.any():
                break
        stopped.add(int((~is_free).sum()))
        np.testing.assert_allclose(step_within(H, slope, room), step, rtol=1e-9, atol=1e-12)
    assert len(stopped) > 4


def test_a_damped_step():
    J, e, weight = RNG.normal(size=(6, 7)), RNG.normal(size=6), np.array([1.0, 1.0, 1.0, 0.5, 0.5, 0.5])
    q, far = RNG.normal(size=7), np.full(7, 100.0)
    trial, size, cost, expected = stepped(q, J, e, weight, 0.01, -far, far)
    A, b = weight[:, None] * J, weight * e
    step = np.linalg.solve(A.T @ A + 0.01 * np.eye(7), A.T @ b)
    np.testing.assert_allclose(trial, q + step, rtol=1e-9)
    assert (size, cost) == pytest.approx((np.abs(step).max(), b @ b), rel=1e-9)
    assert expected == pytest.approx(step @ (0.01 * step + A.T @ b), rel=1e-9)


def test_rotations_are_told_from_reflections():
    R = matrix_of_vector([0.3, 0.2, -0.4])
    assert is_rotation(R, 1e-6) and not is_rotation(-R, 1e-6) and not is_rotation(R * (1 + 1e-5), 1e-6)


def test_why_a_plan_is_impossible_is_told_when_asked():
    with pytest.raises(Infeasible, match="would do") as raised:
        minimum_acceleration([0.0], [1.0], 1.0, rate=0.5)
    copied = pickle.loads(pickle.dumps(raised.value))
    assert type(copied) is Infeasible and str(copied) == str(raised.value) == str(raised.value)
