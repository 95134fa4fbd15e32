"""Contact that only just happens, or only just does not; and sliding along a wall."""

import numpy as np
import pytest

import softdock as sd

G, H = 10.0, 0.01


def ball(name="ball", radius=0.1):
    return sd.Body(name=name, mass=1.0, inertia=[0.4 * radius**2] * 3, shapes=[sd.Sphere(radius=radius)])


def under_a_ceiling(height, gravity=G):
    slab = sd.Box(size=(20, 20, 1), placement=sd.Pose(position=(0, 0, height + 0.5)))
    ceiling = sd.Body(name="ceiling", mass=0, joint=sd.Fixed(), shapes=[slab])
    gap = sd.Contact(name="touch", body_a="ball", body_b="ceiling")
    world = sd.World(gravity=sd.Uniform(acceleration=(0, 0, -gravity)), bodies=[ceiling, ball()], contacts=[gap])
    return sd.Dynamics(world)


def thrown(height, velocity, steps=100, gravity=G):
    dynamics = under_a_ceiling(height, gravity)
    return sd.rollout(dynamics, *dynamics.state({"ball": {"velocity": velocity}}), h=H, steps=steps)


APEX = 0.5 * G * 0.5**2 + 0.1
"""Top of the ball's flight when it is thrown at 5 m/s: after 50 steps exactly."""


def test_a_ball_that_misses_by_a_nanometre_flies_on():
    run = thrown(APEX + 1e-9, (0.3, 0, 5.0))
    assert not run.impacts
    assert run.v[-1, :3] == pytest.approx([0.3, 0, -5.0], abs=1e-11)


def test_a_ball_that_touches_by_a_nanometre_hits_once_at_the_analytic_time():
    run = thrown(APEX - 1e-9, (0.3, 0, 5.0))
    (impact,) = run.impacts
    early = np.sqrt(2 * 1e-9 / G)
    assert impact.time == pytest.approx(0.5 - early, abs=1e-9)
    assert impact.speed_before == pytest.approx(-G * early, rel=1e-5)
    assert run.q[:, 2].max() <= APEX - 0.1 - 1e-9 + 1e-12
    # thrown back at once: as fast down as it came
    assert run.v[-1, 2] == pytest.approx(-5.0 - 2 * G * early, abs=1e-8)


def test_what_happens_within_a_step_is_seen_only_at_its_end():
    """A graze that begins and ends within one step is at most g h²/8 deep; one deeper than that is always found."""
    middle = APEX + 0.5 * G * (0.505**2 - 0.5**2)  # thrown at 5.05 m/s the apex is in the middle of a step
    most = G * H * H / 8
    assert not thrown(middle - 0.9 * most, (0, 0, 5.05)).impacts
    assert len(thrown(middle - 1.1 * most, (0, 0, 5.05)).impacts) == 1


@pytest.mark.parametrize(("offset", "hits"), [(1e-9, 0), (-1e-9, 1)])
def test_two_balls_that_pass_each_other_by_a_nanometre(offset, hits):
    dynamics = sd.Dynamics(
        sd.World(
            bodies=[ball("a"), ball("b")], contacts=[sd.Contact(name="ab", body_a="a", body_b="b", restitution=1.0)]
        )
    )
    start = dynamics.state({"a": {"position": (-0.5, 0.2 + offset, 0), "velocity": (1, 0, 0)}, "b": {}})
    run = sd.rollout(dynamics, *start, h=H, steps=100)  # abreast after 50 steps
    assert len(run.impacts) == hits
    if hits:
        sine = np.sqrt(1 - (1 + offset / 0.2) ** 2)  # of the angle between the way and the surface
        assert run.impacts[0].speed_before == pytest.approx(-sine, rel=1e-5)
        assert run.impacts[0].time == pytest.approx(0.5 - 0.2 * sine, abs=1e-9)
    assert run.v[-1, :3] + run.v[-1, 6:9] == pytest.approx([1, 0, 0], abs=1e-14)
    assert (run.v[-1] ** 2).sum() == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("offset", [0.0, 1e-13, -1e-13, 1e-10, -1e-10])
def test_a_ball_slides_along_a_wall_without_sticking(offset):
    """Touching, or all but: no impacts, no loss of speed, no end of progress."""
    dynamics = under_a_ceiling(0.1 + offset, gravity=0.0)
    run = sd.rollout(dynamics, *dynamics.state({"ball": {"velocity": (1, 0.5, 0)}}), h=H, steps=500)
    assert not run.impacts
    assert run.v[-1] == pytest.approx([1, 0.5, 0, 0, 0, 0], abs=1e-12)
    assert run.q[-1, :3] == pytest.approx([5, 2.5, 0], abs=1e-9)
