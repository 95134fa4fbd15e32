"""Bodies of any shape that hit, slide and roll on each other: samples of studies/random_contacts.py, and its finds."""

import sys
from pathlib import Path

import numpy as np
import pytest

import softdock as sd

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))

from random_contacts import cases, measured, stack


def on_a_plane(body, **law):
    slab = sd.Box(size=(9, 9, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[slab])
    touch = sd.Contact(name="touch", body_a="body", body_b="floor", restitution=0.0, **law)
    return sd.Dynamics(sd.World(gravity=sd.Uniform(acceleration=(0, 0, -1)), bodies=[floor, body], contacts=[touch]))


@pytest.mark.parametrize("tilt", [0.01, 0.3])
def test_a_tilted_coin_slides_on_its_rim_without_loss(tilt):
    """Without friction nothing takes energy. The rows of what touches are those of the gap: at the step's end, too."""
    coin = sd.Body(name="body", mass=1, inertia=[0.03, 0.03, 0.05], shapes=[sd.Cylinder(radius=0.3, length=0.1)])
    dynamics = on_a_plane(coin)
    height = 0.05 * np.cos(tilt) + 0.3 * np.sin(tilt)
    start = {
        "position": (0, 0, height), "quaternion": (np.cos(tilt / 2), np.sin(tilt / 2), 0, 0),
        "angular_velocity": (0, 3 * np.sin(tilt), 3 * np.cos(tilt)), "velocity": (0.2, 0, 0),
    }  # fmt: skip
    motion = sd.Motion(dynamics, *dynamics.state({"body": start}), h=5e-4 if tilt < 0.1 else 2e-3)
    began, rows = dynamics.balance(motion.q, motion.v).total, 0
    for _ in range(50):
        motion.run(1)
        points, (_, slopes) = motion._state.points, dynamics.gap_values(motion.q)
        if points.number == 1 and points.impulse[0] > 0.0:  # the rows are those with which the step ended
            assert slopes[0] @ motion.v == pytest.approx(0.0, abs=1e-9)
            rows += 1
    assert rows > 10
    assert dynamics.balance(motion.q, motion.v).total == pytest.approx(began, rel=2e-3)


@pytest.mark.parametrize("k", [0, 1])
def test_hits_of_all_pairs_of_shapes(k):
    """None is refused; they make no energy, keep momentum and do not go into each other."""
    for case in cases("hits", np.random.default_rng([41, k]), k):
        found = measured(case)
        assert found.rise < 1e-4, case.name
        assert found.depth < 1e-8, case.name
        assert found.drift < 1e-12, case.name


def test_a_cap_wobbles_on_its_rim():
    """A cap goes into a box by less than counts, and at no instant by just so much. (Parts of length 0 were tried, or
    the run was refused.) Energy never rises, and steps four times as long, which were taken, lead to the same."""
    drawn = [case.motion for case in cases("hits", np.random.default_rng([27182, 0, 4]), 0)][13]
    ends = []
    for h in (drawn.h, drawn.h / 4):
        motion = sd.Motion(drawn.dynamics, drawn.q, drawn.v, h=h)
        rows = motion.run(round(1.8 / h), every=4)
        energy = drawn.dynamics.balance(rows.q, rows.v).kinetic
        assert np.diff(energy).max() <= 1e-6 * energy[0]
        ends.append(rows.q[-1])
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-3)


def test_a_hit_at_a_hundred_metres_a_second_is_one_at_two():
    """Without gravity nothing has a time of its own: fifty times as fast, with steps a fiftieth as long, it is the
    same."""
    for case in cases("hits", np.random.default_rng([777, 1, 4]), 1):
        if case.name not in ("sphere and cylinder", "box and cylinder", "mesh and mesh"):
            continue
        motion, steps = case.motion, round(case.seconds / case.motion.h)
        fast = sd.Motion(motion.dynamics, motion.q, 50 * motion.v, h=motion.h / 50)
        slow, hits = motion.run(steps), fast.run(steps)
        assert len(slow.impacts) == len(hits.impacts) > 0
        assert np.abs(hits.v[-1] / 50 - slow.v[-1]).max() < 1e-7, case.name


@pytest.mark.parametrize("speed", [0.5, 0.9, 1.7])
@pytest.mark.parametrize("shape", [sd.Sphere(radius=0.2), sd.Box(size=(0.2, 0.2, 0.2))])
def test_what_slides_off_an_edge_takes_no_energy_from_it(shape, speed):
    """Friction only takes, also in the step in which the edge passes below: half of its impulse came one step too late,
    and did not come then. In flight energy is constant."""
    body = sd.Body(name="body", mass=1, inertia=[0.01] * 3, shapes=[shape])
    slab = sd.Box(size=(1, 1, 1), placement=sd.Pose(position=(-0.5, 0, -0.5)))
    table = sd.Body(name="table", mass=0, joint=sd.Fixed(), shapes=[slab])
    touch = sd.Contact(name="touch", body_a="body", body_b="table", restitution=0.0, friction=0.3)
    down = sd.Uniform(acceleration=(0, 0, -1))
    dynamics = sd.Dynamics(sd.World(gravity=down, bodies=[table, body], contacts=[touch]))
    height = 0.2 if isinstance(shape, sd.Sphere) else 0.1
    start = {"body": {"position": (-0.15, 0, height), "velocity": (speed, 0.05, 0)}}
    motion = sd.Motion(dynamics, *dynamics.state(start), h=5e-3)
    began = dynamics.balance(motion.q, motion.v).total
    run = motion.run(round(1.2 / motion.h))
    energy = np.array([began, *dynamics.balance(run.q, run.v).total])
    assert dynamics.gap_values(motion.q)[0][0] > 0.05
    assert energy[-1] < began
    assert np.diff(energy).max() < 1e-5 * dynamics.balance(*dynamics.state(start)).kinetic


def test_a_mass_of_ten_thousand_on_light_ones():
    """Impulses of the heavy one's weight cancel to 1e-4 of themselves at the light ones."""
    for k in range(2):
        case = next(cases("ratios", np.random.default_rng([901, 9, k]), 9))
        found = measured(case._replace(seconds=0.8))
        assert found.rise < 1e-5
        assert found.depth < 1e-8


def test_hollow_bodies():
    for k in range(2):
        for case in cases("hollow", np.random.default_rng([7, k]), 3 * k):
            found = measured(case)
            assert found.rise < 1e-4, case.name
            assert found.depth < 1e-8, case.name
            assert found.drift < 1e-12, case.name


def test_a_bar_lands_on_a_cap_and_lies_across_its_rim():
    """A capsule tips over the rim of a drum's flat end: it comes to lie on it, on two points of the true rim."""
    drum = sd.Body(name="drum", mass=0, joint=sd.Fixed(), shapes=[sd.Cylinder(radius=0.5, length=1.0)])
    bar = sd.Body(name="bar", mass=1, inertia=[0.2, 0.2, 0.01], shapes=[sd.Capsule(radius=0.05, length=1.6)])
    touch = sd.Contact(name="touch", body_a="bar", body_b="drum", restitution=0.0, friction=0.5)
    world = sd.World(gravity=sd.Uniform(acceleration=(0, 0, -9.81)), bodies=[drum, bar], contacts=[touch])
    dynamics = sd.Dynamics(world)
    lying = np.pi / 2 + 0.1  # its axis along x, the end at +x down by 0.1 rad; off the middle, and not over a corner
    start = {"position": (0.05, 0.17, 0.66), "quaternion": (np.cos(lying / 2), 0, np.sin(lying / 2), 0)}
    motion = sd.Motion(dynamics, *dynamics.state({"bar": start}), h=0.005)
    motion.run(300)
    points = motion._state.points
    assert abs(motion.v[2]) < 1e-9  # it may roll on
    assert motion.q[2] == pytest.approx(0.55, abs=1e-9)
    assert points.number == 2
    assert np.hypot(points.x[:2, 0], points.x[:2, 1]) == pytest.approx(0.5, abs=1e-9)


def test_stacks_dropped_askew():
    """Near the origin and 10 km away."""
    for far in (0.0, 1e4):
        found = measured(stack(np.random.default_rng(3), 4, "stacks", far=far, count=2)._replace(seconds=0.6))
        assert found.rise < 1e-4
        assert found.depth < 1e-8
