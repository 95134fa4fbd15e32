"""Gaps that rest only push: with redundant ones, and when a latch engages beside them."""

import numpy as np
import pytest

import softdock as sd

G = 10.0
MASS, HALF = 3.0, 0.5


def sphere(x=0.0, radius=0.1):
    return sd.Sphere(radius=radius, placement=sd.Pose(position=(x, 0.1, 0)))


def on_a_floor(*feet, hook_mass=2.0, at=0.0):
    """A rod of length 2 HALF in the x, y plane that stands on feet, with a point mass "hook" where a latch is: at rest,
    the hook at speed zero beside it, gravity along −y."""
    ground = sd.Box(size=(20, 1, 20), placement=sd.Pose(position=(0, -0.5, 0)))
    inertia = MASS * HALF**2 / 3
    rod = sd.Body(
        name="rod", joint=sd.Planar(), mass=MASS, center=(0, 0.1, 0), inertia=[inertia] * 3,
        shapes=[sphere(x) for x in feet],
    )  # fmt: skip
    hook = sd.Body(name="hook", joint=sd.Planar(), mass=hook_mass, inertia=[0.1] * 3)
    world = sd.World(
        gravity=sd.Uniform(acceleration=(0, -G, 0)),
        bodies=[sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[ground]), rod, hook],
        frames=[sd.Frame(name="eye", body="rod", placement=sd.Pose(position=(at, 0.1, 0)))],
        contacts=[sd.Contact(name="ground", body_a="rod", body_b="floor", restitution=0.0)],
        latches=[sd.Latch(name="grip", kind="point", frame_a="eye", frame_b="hook")],
    )
    dynamics = sd.Dynamics(world)
    motion = sd.Motion(dynamics, *dynamics.state({"hook": {"position": (at, 0.1, 0)}}), h=0.01)
    motion.run(20, dynamics.command(force={"hook": (0, 2.0 * hook_mass * G / 2, 0)}))
    return dynamics, motion


def meet(dynamics, motion, at, speed):
    """Give the hook a vertical speed and engage; returns the energy lost and the rod's velocity after."""
    q, v = motion.q, motion.v
    v[dynamics.layout.v["hook"]] = (0, speed, 0)
    motion._momentum[:] = dynamics.momenta(q, v)
    motion._restart()
    before = dynamics.balance(motion.q, motion.v)
    lost = motion.engage("grip")
    after = dynamics.balance(motion.q, motion.v)
    assert before.kinetic - after.kinetic == pytest.approx(lost, rel=1e-10)
    assert motion.account["lost_engaging"] == lost
    return lost, motion.v[dynamics.layout.v["rod"]], after.momentum - before.momentum


def test_a_latch_that_pulls_up_lifts_a_resting_body_and_the_floor_does_not_pull():
    dynamics, motion = on_a_floor(0.0)
    assert motion._state.held.resting.any()
    lost, v, impulse = meet(dynamics, motion, 0.0, 1.5)
    together = 2.0 * 1.5 / (2.0 + MASS)
    assert v == pytest.approx([0, together, 0], abs=1e-12)
    assert impulse == pytest.approx([0, 0, 0], abs=1e-12)
    assert lost == pytest.approx(0.5 * 2.0 * MASS / (2.0 + MASS) * 1.5**2, rel=1e-12)
    run = motion.run(10)
    t = run.t - run.t[0] + 0.01
    height = run.q[:, dynamics.layout.q["rod"].start + 1]
    assert height == pytest.approx(together * t - 0.5 * G * t**2, abs=1e-12)


def test_a_latch_that_presses_down_is_stopped_by_the_floor():
    dynamics, motion = on_a_floor(0.0)
    lost, v, impulse = meet(dynamics, motion, 0.0, -1.5)
    assert v == pytest.approx([0, 0, 0], abs=1e-12)
    assert impulse == pytest.approx([0, 2.0 * 1.5, 0], abs=1e-12)
    assert lost == pytest.approx(0.5 * 2.0 * 1.5**2, rel=1e-12)


def test_pulled_up_at_one_end_a_rod_turns_about_the_foot_at_the_other():
    """That foot is pressed down, since the end lies beyond the centre of percussion: the rod's mass there is M/3."""
    dynamics, motion = on_a_floor(-HALF, HALF, at=HALF)
    assert motion._state.held.resting.tolist() == [True, True]
    lost, v, impulse = meet(dynamics, motion, HALF, 0.9)
    end = 2.0 * 0.9 / (2.0 + MASS / 3)
    turn = end / (2 * HALF)
    assert v == pytest.approx([0.1 * turn, end / 2, turn], abs=1e-11)  # of its origin, 0.1 m under the centre
    assert impulse == pytest.approx([0, MASS * end / 2 + 2.0 * end - 2.0 * 0.9, 0], abs=1e-11)
    assert impulse[1] > 0.1
    assert lost == pytest.approx(0.5 * 2.0 * (MASS / 3) / (2.0 + MASS / 3) * 0.9**2, rel=1e-11)
    motion.run(1)
    assert motion._state.held.resting.tolist() == [True, False]


def test_redundant_feet_share_the_weight_and_their_forces_do_not_grow():
    """Three feet for two freedoms: of least norm are equal shares, and with a torque a linear part besides."""
    dynamics, motion = on_a_floor(-HALF, 0.0, HALF)
    torque = dynamics.command(force={"rod": (0, 0, 2.0), "hook": (0, 2.0 * G, 0)})
    motion.run(20_000, torque, every=1000)
    assert motion._state.held.resting.all()
    forces = motion._state.points.force[:9:3]
    loads = MASS * G / 3 + np.array([1.0, 0.0, -1.0]) * 2.0 / (2 * HALF)
    assert forces == pytest.approx(loads, abs=3e-11)  # a gap's rounding, 1e-15 m, over h², times the mass
    assert np.abs(motion.v[dynamics.layout.v["rod"]]).max() < 1e-12


def test_a_body_placed_elsewhere_does_not_rest_any_more():
    dynamics, motion = on_a_floor(0.0)
    motion.place(*dynamics.state({"rod": {"position": (0, 1.0, 0)}}))
    run = motion.run(10)
    assert run.q[-1, dynamics.layout.q["rod"].start + 1] == pytest.approx(1.0 - 0.5 * G * 0.1**2, abs=1e-12)


def test_more_than_a_thousand_pairs_meet_in_short_pieces():
    """Two brushes of 33 spheres each, 1089 pairs: the two in line hit, and the bodies exchange their speeds."""
    bristles = [sd.Sphere(radius=0.01, placement=sd.Pose(position=(0, 0.05 * (k - 16), 0))) for k in range(33)]
    bodies = [sd.Body(name=n, joint=sd.Prismatic(axis=(1, 0, 0)), mass=1.0, shapes=bristles) for n in "ab"]
    world = sd.World(bodies=bodies, contacts=[sd.Contact(name="g", body_a="a", body_b="b")])
    dynamics = sd.Dynamics(world)
    assert len(dynamics.contact_names) == 33**2
    q, v = dynamics.state({"a": {"velocity": 1.0}, "b": {"position": 0.0525}})
    motion = sd.Motion(dynamics, q, v, h=0.01)
    impacts = [impact for _ in range(10) for impact in motion.run(1).impacts]
    assert impacts[0].time == pytest.approx(0.0325, abs=1e-12)
    assert motion.v == pytest.approx([0.0, 1.0], abs=1e-12)


def landed(welds):
    """A ball that carries a box, by so many welds at the same place, after 3000 steps on a compliant floor."""
    ground = sd.Box(size=(20, 20, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    bodies = [
        sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[ground]),
        sd.Body(name="ball", mass=1.0, inertia=[0.01] * 3, shapes=[sd.Sphere(radius=0.1)]),
        sd.Body(name="box", mass=2.0, inertia=[0.05] * 3),
    ]
    grips = [sd.Latch(name=f"grip{k}", kind="weld", frame_a="ball", frame_b="box", engaged=True) for k in range(welds)]
    law = sd.Compliance(stiffness=2000.0, exponent=1.0, damping=1.0)
    gap = sd.Contact(name="ground", body_a="ball", body_b="floor", compliance=law)
    gravity = sd.Uniform(acceleration=(0, 0, -G))
    dynamics = sd.Dynamics(sd.World(gravity=gravity, bodies=bodies, latches=grips, contacts=[gap]))
    here = {"position": (0, 0, 0.11), "velocity": (0.1, 0, 0)}
    motion = sd.Motion(dynamics, *dynamics.state({"ball": here, "box": here}), h=0.01)
    motion.run(3000, every=1000)
    return motion


def test_redundant_latches_hold_on_a_compliant_floor():
    single, twice = landed(1), landed(2)
    assert twice.q == pytest.approx(single.q, abs=1e-11)
    forces = np.abs(twice._state.held.multipliers[:12]).max()
    assert forces == pytest.approx(np.abs(single._state.held.multipliers[:6]).max() / 2, rel=1e-9)
    assert twice.gaps()[0] == pytest.approx(-3.0 * G / 2000.0, rel=1e-3)


@pytest.mark.parametrize("kind", ["point", "hinge"])
def test_boxes_that_are_latched_where_they_touch_turn_about_it(kind):
    """At their common corner, as a door or a lid: the latch lets nothing move along the rows of the points there. (Of
    24 such runs 19 stopped, most of them at once, with momentum made of rounding.)"""
    boxes = [
        sd.Body(name=name, mass=m, inertia=[m / 150] * 3, shapes=[sd.Box(size=[0.2] * 3)])
        for name, m in (("a", 1), ("b", 3))
    ]
    ends = [
        sd.Frame(name=f"on {n}", body=n, placement=sd.Pose(position=(x, 0.1, 0.1)))
        for n, x in (("a", 0.1), ("b", -0.1))
    ]
    latch = sd.Latch(name="pin", kind=kind, frame_a="on a", frame_b="on b", capture_distance=0.01, capture_angle=1)
    contact = sd.Contact(name="faces", body_a="a", body_b="b", restitution=0.5, friction=0.4)
    dynamics = sd.Dynamics(sd.World(bodies=boxes, frames=ends, latches=[latch], contacts=[contact]))
    for seed in (3, 4):
        rng = np.random.default_rng(seed)
        state = {
            "a": {"velocity": 0.5 * rng.normal(size=3)},
            "b": {"position": (0.2, 0, 0), "angular_velocity": 0.2 * rng.normal(size=3)},
        }
        motion = sd.Motion(dynamics, *dynamics.state(state), h=1e-3)
        before = dynamics.balance(motion.q, motion.v)
        motion.engage("pin")
        run = motion.run(1000)
        after = dynamics.balance(run.q, run.v)
        assert np.abs(after.momentum - before.momentum).max() < 1e-13
        assert np.diff([before.kinetic, *after.kinetic]).max() < 1e-6 * before.kinetic
        assert min(dynamics.gap_values(q)[0].min() for q in run.q[::50]) > -1e-9
