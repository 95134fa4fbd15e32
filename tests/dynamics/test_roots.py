"""A light root that carries a heavy body: said, and true.

A body of 100 kg and one of up to 400 t, connected by a hinge, free and without gravity, written with either as root.
"""

import warnings

import numpy as np
import pytest

import softdock as sd

LIGHT, HEAVY = 100.0, 4e5
ARM, REACH = 0.5, 10.0
"""From the hinge to the two centres of mass (m)."""


def part(name: str, mass: float, size: float, **rest: object) -> sd.Body:
    a = mass * size
    return sd.Body(name=name, mass=mass, inertia=((a, 0, 0), (0, 1.2 * a, 0), (0, 0, 1.4 * a)), **rest)


def rooted_at_light(heavy: float) -> sd.World:
    hinge = {"parent": "light", "joint": sd.Revolute(), "placement": sd.Pose(position=(ARM, 0, 0))}
    return sd.World(
        name="l", bodies=(part("light", LIGHT, 0.2), part("heavy", heavy, 80.0, center=(REACH, 0, 0), **hinge))
    )


def rooted_at_heavy(heavy: float) -> sd.World:
    hinge = {"parent": "heavy", "joint": sd.Revolute()}
    root = part("heavy", heavy, 80.0, center=(REACH, 0, 0))
    return sd.World(name="h", bodies=(root, part("light", LIGHT, 0.2, center=(-ARM, 0, 0), **hinge)))


def angle(world: sd.World, h: float, order: int) -> float:
    """Of the hinge after 20 s, from the light body's swing of 0.3 rad/s."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dynamics = sd.Dynamics(world)
    slow, swing = np.array([1e-3, 2e-3, -1e-3]), 0.3
    v = np.zeros(7)
    if world.name == "h":
        v[:3], v[3:6], v[6] = -np.cross(slow, [REACH, 0, 0]), slow, swing
    else:
        light = slow + np.array([0, 0, swing])
        v[:3] = -np.cross(slow, [REACH, 0, 0]) - np.cross(light, [ARM, 0, 0])
        v[3:6], v[6] = light, -swing
    motion = sd.Motion(dynamics, dynamics.layout.neutral(), v, h=h, order=order)
    motion.run(round(20.0 / h))
    return float(motion.q[7] if world.name == "h" else -motion.q[7])


def test_both_are_the_same_world_and_the_warning_is_true() -> None:
    exact = angle(rooted_at_heavy(HEAVY), 0.01, 6)
    assert angle(rooted_at_light(HEAVY), 0.01, 6) == pytest.approx(exact, abs=1e-9)
    worse = abs(angle(rooted_at_light(HEAVY), 0.01, 2) - exact)
    better = abs(angle(rooted_at_heavy(HEAVY), 0.01, 2) - exact)
    assert 1000 < worse / better < 10000


def test_a_light_root_is_told() -> None:
    with pytest.warns(
        UserWarning, match=r"'light' \(100 kg\) is free and carries 'heavy' \(4e\+05 kg\); rooted at 'heavy'"
    ):
        sd.Dynamics(rooted_at_light(HEAVY))


@pytest.mark.parametrize("world", [rooted_at_heavy(HEAVY), rooted_at_light(5 * LIGHT)])
def test_others_are_not(world: sd.World) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sd.Dynamics(world)
