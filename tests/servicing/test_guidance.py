"""Guidance of 'servicing': lines past the target, ways beside it, what is left when something fails."""

import numpy as np
import pytest

from softdock.mission import ways
from softdock.mission.formation import Formation, Limits
from softdock.planning import hill
from softdock.planning.flight import Steering, Watching, safe_glide, still
from softdock.scenarios.servicing.craft import R_BS, facing
from softdock.spatial import matrix_of_vector, vector_of_matrix
from softdock.world import Pose

N = 0.00113
LIMITS = Limits(0.005, 0.15)
TASK = ways.Task(R_BS, settling=24.0, work=31.0, aside=0.35, patience=90.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_glide_leads_past_the_target_and_watches_it(seed: int) -> None:
    """From anywhere that the study draws: if all thrust fails, at any time, it keeps out of the sphere of 3.5 m."""
    rng = np.random.default_rng(seed)
    off, about = rng.uniform(0, np.radians(15)), rng.uniform(0, 2 * np.pi)
    p = 40 * np.array([np.sin(off) * np.cos(about), -np.cos(off), np.sin(off) * np.sin(about)])
    start, center = still(p, facing(p)), np.array([0.1, 0.2, -0.1])
    for distance in (10.0, 3.7):
        course, nearest = safe_glide(N, start, center, distance, 4.0, begin=0.0, speed=0.35)
        assert nearest > 3.5
        for t in rng.uniform(0, course.end, 12):
            now = course.at(t)
            assert hill.drift(N, now.p - center, now.v).nearest > 3.5
            towards = (center - now.p) / np.linalg.norm(center - now.p)
            np.testing.assert_allclose(now.R[:, 0], towards, atol=1e-9)
            later = course.at(t + 1e-3)
            np.testing.assert_allclose(vector_of_matrix(now.R.T @ later.R) / 1e-3, now.w, atol=2e-4)
        end = course.at(course.end + 1.0)
        assert np.linalg.norm(end.p - center) == pytest.approx(distance, abs=1e-5) and not end.v.any()
        start = end


def test_how_near_free_flight_comes_is_found_between_two_looks() -> None:
    """It passes the target at 0.1 m with 2 m/s, after 300 s: looks are seconds apart there."""
    past = np.array([0.1, 0.0, 0.0, 0.0, 0.3, 2.0])
    before = hill.transition(N, -300.0) @ past
    found = hill.drift(N, before[:3], before[3:], 600.0)
    fine = hill.transition(N, np.linspace(299.0, 301.0, 2001)) @ before
    assert found.nearest == pytest.approx(np.linalg.norm(fine[:, :3], axis=1).min(), abs=1e-3)
    assert found.when == pytest.approx(300.0, abs=0.2)


def test_steering_changes_the_velocity_within_its_push() -> None:
    start = still((0.0, -20.0, 0.0), facing(np.array([0.0, -20.0, 0.0])))._replace(v=np.array([0.0, 0.1, 0.0]))
    course = Steering(start, (0.1, 0.0, 0.0), begin=5.0, push=0.02)
    for t in (5.5, 10.0, 20.0):
        d = 1e-4
        before, now, after = (course.at(t + k * d) for k in (-1, 0, 1))
        np.testing.assert_allclose((after.p - before.p) / (2 * d), now.v, atol=1e-8)
        np.testing.assert_allclose((after.v - before.v) / (2 * d), now.a, atol=1e-8)
        assert np.linalg.norm(now.a) <= 0.02 + 1e-12
    np.testing.assert_allclose(course.at(30.0).v, (0.1, 0.0, 0.0), atol=1e-15)
    watching = Watching(course, (0.0, 0.0, 0.0), start.R)
    np.testing.assert_allclose(watching.at(30.0).p, course.at(30.0).p)


class Turning:
    """A tracker of a target that spins evenly, or about a principal axis that circles its angular momentum."""

    def __init__(self, rate: float, nutation: float = 0.0) -> None:
        self.rate, self.nutation = rate, nutation

    def body_at(self, t: float) -> Pose:
        about = matrix_of_vector(np.array([0.0, 0.0, self.rate * t]))
        wobble = matrix_of_vector(self.nutation * np.array([np.cos(0.2 * t), np.sin(0.2 * t), 0.0]))
        return Pose.of(about @ wobble, np.zeros(3))


@pytest.mark.parametrize(
    ("rate", "nutation", "asked", "expected"),
    [
        (0.01, 0.0, ways.WAYS, "fixed"),  # turns 0.31 rad in 31 s, at most 0.25 from where the gripper closes
        (0.03, 0.0, ways.WAYS, "body"),  # too fast for a fixed side
        (0.1, 0.05, ("circle",), "circle"),  # evenly about an axis, but for a wobble of twice 0.05 rad
        (0.1, 0.3, ("circle",), "body"),  # it wobbles too much
    ],
)
def test_the_way_is_one_that_the_tumble_allows(rate, nutation, asked, expected) -> None:
    """By the forecast, the target is turned by at most `aside` while the arm works, and the way is reached before."""
    nav, task = Turning(rate, nutation), TASK
    t, R = 100.0, matrix_of_vector(np.array([0.3, 1.0, -0.5]))
    way = ways.best_way(nav, task, R, t, LIMITS, asked)
    assert way.name == expected
    if expected == "body":
        np.testing.assert_allclose(way.lead(130.0), nav.body_at(130.0).rotation @ R_BS)
        assert t <= way.begins <= t + 90.0 and way.opens == -np.inf
        return
    assert t <= way.begins < way.opens - task.settling
    turned = [
        float(np.linalg.norm(vector_of_matrix(way.lead(s).T @ nav.body_at(s).rotation @ R_BS)))
        for s in np.arange(way.opens, way.opens + task.work, 0.25)
    ]
    assert min(turned) < 0.01 and max(turned) <= 0.35 + 1e-6
    spun = vector_of_matrix(way.lead(10.0).T @ way.lead(11.0))
    assert np.linalg.norm(spun) == pytest.approx(0.0 if expected == "fixed" else rate, abs=0.01)


def flown(nav: Turning, start: np.ndarray, begin: float) -> float:
    """The change of velocity (m/s) of a formation that is followed from a time on until it has caught up."""
    at, lead = still(-3.5 * start[:, 0], start), ways.turning_with(nav, TASK, begin).lead
    course = Formation(nav, lead, at, begin=begin, radius=3.5, **LIMITS._asdict())
    spent, t = 0.0, begin
    while course.lag > 0.03 and t < begin + 120.0:
        t += 0.5
        course.update(t)
        spent += 0.5 * float(np.linalg.norm(course.at(t).a))
    return spent


def test_it_waits_for_a_moment_from_which_catching_up_takes_little_thrust() -> None:
    """Each flown: at once, from where it would be there soonest, it takes twice the thrust at least."""
    nav, t, R = Turning(0.13, 0.3), 100.0, matrix_of_vector(np.array([1.33, -0.77, 0.37]))
    way = ways.best_way(nav, TASK, R, t, LIMITS, ("body",))
    spent = [flown(nav, R, t + wait) for wait in (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)]
    assert flown(nav, R, way.begins) < min(1.2 * min(spent), spent[0] / 2)
