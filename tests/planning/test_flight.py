"""Hill's equations against softdock's own orbit dynamics, courses against their own derivatives."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics, Motion
from softdock.planning import hill
from softdock.planning.flight import Coast, Flight, Glide, Station, Stopping, still
from softdock.spatial import matrix_of_vector, vector_of_matrix
from softdock.world import Body, Orbit, World

SEMI_MAJOR = 6.778e6
N = float(np.sqrt(3.986004418e14 / SEMI_MAJOR**3))
R0, V0 = np.array([3.0, -40.0, 2.0]), np.array([0.01, 0.05, -0.02])


def flown(r: np.ndarray, v: np.ndarray, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """In A after so many seconds, by the equations of motion in the world's axes (not Hill's)."""
    world = World(gravity=Orbit(semi_major_axis=SEMI_MAJOR), bodies=(Body(name="craft", mass=10.0, inertia=(1, 1, 1)),))
    dynamics, n = Dynamics(world), np.array([0.0, 0.0, N])
    motion = Motion(dynamics, *dynamics.state({"craft": {"position": r, "velocity": v + np.cross(n, r)}}), h=1.0)
    motion.run(round(seconds))
    c, s = np.cos(N * seconds), np.sin(N * seconds)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    p = R.T @ motion.q[:3]
    return p, R.T @ motion.v[:3] - np.cross(n, p)


def test_hills_transition_is_the_motion_near_a_circular_orbit() -> None:
    for seconds in (60.0, 1500.0, 5500.0):
        p, v = flown(R0, V0, seconds)
        state = hill.transition(N, seconds) @ np.concatenate([R0, V0])
        far = np.linalg.norm(state[:3])
        np.testing.assert_allclose(state[:3], p, atol=3 * far**2 / SEMI_MAJOR * (1 + N * seconds))
        np.testing.assert_allclose(state[3:], v, atol=3 * N * far**2 / SEMI_MAJOR * (1 + N * seconds))
    np.testing.assert_allclose(hill.transition(1e-9, 100.0), hill.transition(0.0, 100.0), atol=2e-5)


def test_a_transfer_arrives_at_rest() -> None:
    to = np.array([0.0, -10.0, 0.0])
    found = hill.transfer(N, R0, V0, to, 600.0)
    p, v = flown(R0, V0 + found.first, 600.0)
    assert np.linalg.norm(p - to) < 2e-3
    assert np.linalg.norm(v + found.last) < 1e-5
    within = hill.transfer_within(N, R0, V0, to, acceleration=0.01)
    assert max(np.linalg.norm(within.first), np.linalg.norm(within.last)) <= 0.01 * 0.25 * within.seconds
    assert within.seconds < 600.0 and within.delta_v > found.delta_v
    with pytest.raises(ValueError, match="no transfer within"):
        hill.transfer_within(N, R0, V0, to, acceleration=1e-7)


def test_passive_safety_and_avoidance_are_what_free_flight_does() -> None:
    towards = np.array([0.0, 0.15, 0.0])
    assert not hill.is_passively_safe(N, (0, -12, 0), towards, 10.0)
    change = hill.avoidance(N, (0, -12, 0), towards, 10.0)
    assert change is not None
    least = min(np.linalg.norm(flown(np.array([0.0, -12, 0]), towards + change, t)[0]) for t in range(60, 5600, 200))
    assert least > 10.0
    np.testing.assert_array_equal(hill.avoidance(N, (0, -40, 0), (0, 0, 0), 10.0), np.zeros(3))


def agree(course: object, t: float) -> None:
    """Velocities, rates and accelerations are the derivatives of places and attitudes."""
    d = 1e-3
    before, now, after = (course.at(t + k * d) for k in (-1, 0, 1))  # type: ignore[attr-defined]
    np.testing.assert_allclose((after.p - before.p) / (2 * d), now.v, atol=1e-5)
    np.testing.assert_allclose((after.v - before.v) / (2 * d), now.a, atol=2e-3)
    np.testing.assert_allclose(vector_of_matrix(before.R.T @ after.R) / (2 * d), now.w, atol=1e-5)
    np.testing.assert_allclose((after.w - before.w) / (2 * d), now.alpha, atol=1e-5)


def test_courses_are_smooth_and_end_at_rest() -> None:
    turn = matrix_of_vector(np.array([0.3, -0.2, 0.5]))
    start = still((0, -40, 0), np.eye(3))
    glide = Glide(start, (0, -10, 1), turn, begin=5.0, speed=0.3, slope=1 / 40, last=0.03, brake=0.02)
    for t in (5.5, 20.03, 80.01, glide.end - 3.0):
        agree(glide, t)
        to_go = np.linalg.norm(np.array([0, -10, 1]) - glide.at(t).p)
        assert np.linalg.norm(glide.at(t).v) <= min(0.3, 0.03 + to_go / 40) + 1e-3  # the glide slope
    np.testing.assert_allclose(glide.at(glide.end).p, (0, -10, 1), atol=1e-6)
    np.testing.assert_allclose(glide.at(glide.end + 9).R, turn, atol=1e-9)
    assert not glide.at(glide.end + 9).v.any()

    w = np.array([0.05, -0.1, 0.08])
    turning = Flight(np.array([2.5, 0.3, 0]), np.cross(turn @ w, [2.5, 0.3, 0]), np.zeros(3), turn, w, np.zeros(3))
    stopping = Stopping(turning, (0, 0, 0), begin=1.0, seconds=30.0)
    np.testing.assert_allclose(stopping.at(1.0).v, turning.v, atol=1e-12)
    for t in (2.0, 15.0, 29.0):
        agree(stopping, t)
        assert np.linalg.norm(stopping.at(t).p) == pytest.approx(np.linalg.norm(turning.p))
    assert np.abs(stopping.at(31.0).v).max() < 1e-12

    coast = Coast(start, (0.01, 0.02, 0), N, begin=0.0, seconds=100.0)
    agree(coast, 50.0)
    p, _ = flown(start.p, np.array([0.01, 0.02, 0]), 100.0)
    np.testing.assert_allclose(coast.at(100.0).p, p, atol=1e-4)
    assert Station((1, 2, 3), turn).at(7.0).p.tolist() == [1, 2, 3]
    moved = start._replace(v=np.array([0.1, 0, 0]), w=w).after(0.25)
    np.testing.assert_allclose(moved.p, [0.025, -40, 0])
