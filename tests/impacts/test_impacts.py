"""Impacts against analytic solutions and conservation laws."""

import numpy as np
import pytest

import softdock as sd

G = 10.0


def ball(name="ball", radius=0.1, mass=1.0, **joint):
    inertia = [0.4 * mass * radius**2] * 3
    return sd.Body(name=name, mass=mass, inertia=inertia, shapes=[sd.Sphere(radius=radius)], **joint)


def wall(name, at, size=(1.0, 4.0, 4.0)):
    shape = sd.Box(size=size, placement=sd.Pose(position=at))
    return sd.Body(name=name, mass=0, joint=sd.Fixed(), shapes=[shape])


def floor():
    return wall("floor", (0, 0, -0.5), (20, 20, 1))


def bouncing(restitution, **initial):
    world = sd.World(
        gravity=sd.Uniform(acceleration=(0, 0, -G)),
        bodies=[floor(), ball()],
        contacts=[sd.Contact(name="floor", body_a="ball", body_b="floor", restitution=restitution)],
    )
    dynamics = sd.Dynamics(world)
    return dynamics, dynamics.state({"ball": initial})


def test_ball_on_a_floor_meets_the_analytic_times_and_speeds():
    dynamics, start = bouncing(1.0, position=(0, 0, 1.1), velocity=(0.3, 0, 0))
    motion = sd.Motion(dynamics, *start, h=0.01)
    run = motion.run(1000)
    fall = np.sqrt(2 / G)
    times = [impact.time for impact in run.impacts]
    assert times == pytest.approx([fall * (2 * k + 1) for k in range(len(times))], abs=1e-9)
    assert len(times) == 11
    for impact in run.impacts:
        assert impact.speed_after == pytest.approx(G * fall, abs=1e-12)
        assert impact.normal == pytest.approx([0, 0, 1], abs=1e-12)
        assert impact.point[2] == pytest.approx(0, abs=1e-12)
    assert run.q[:, 2].min() >= 0.1 - 1e-12
    assert dynamics.balance(motion.q, motion.v).total == pytest.approx(dynamics.balance(*start).total, rel=1e-13)


def test_the_peers_sphere_meets_its_wall_at_0_503_s():
    world = sd.World(
        bodies=[wall("wall", (1.103, 0, 0)), ball()], contacts=[sd.Contact(name="g", body_a="ball", body_b="wall")]
    )
    dynamics = sd.Dynamics(world)
    run = sd.rollout(dynamics, *dynamics.state({"ball": {"velocity": (1, 0, 0)}}), h=0.01, steps=100)
    assert run.impacts[0].time == pytest.approx(0.503, abs=1e-9)
    assert run.v[-1, 0] == pytest.approx(-1, abs=1e-12)
    assert run.q[:, 0].max() <= 0.503


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.8])
def test_energy_lost_is_newtons(restitution):
    dynamics, start = bouncing(restitution, position=(0, 0, 1.1))
    motion = sd.Motion(dynamics, *start, h=0.01)
    run = motion.run(60)
    first = run.impacts[0]
    assert first.energy_change == pytest.approx(-(1 - restitution**2) * first.speed_before**2 / 2, rel=1e-12)
    assert motion.account["lost_impacts"] == pytest.approx(-sum(i.energy_change for i in run.impacts), rel=1e-12)


def test_a_ball_comes_to_rest_and_stays_without_sinking():
    dynamics, start = bouncing(0.5, position=(0, 0, 1.1), velocity=(0.3, 0, 0))
    motion = sd.Motion(dynamics, *start, h=0.01)
    run = motion.run(1000)
    assert len(run.impacts) < 30
    assert run.q[-500:, 2] == pytest.approx(np.full(500, 0.1), abs=1e-12)
    assert run.v[-1] == pytest.approx([0.3, 0, 0, 0, 0, 0], abs=1e-11)  # the floor has no friction
    energy = dynamics.balance(motion.q, motion.v).total + motion.account["lost_impacts"]
    assert energy == pytest.approx(dynamics.balance(*start).total, abs=2e-8)  # the last bounces, 8 in one step, are cut


def test_a_resting_ball_lifts_off_when_it_is_pulled():
    dynamics, start = bouncing(0.0, position=(0, 0, 0.1))
    motion = sd.Motion(dynamics, *start, h=0.01)
    motion.run(50)
    assert motion.gaps()[0] == pytest.approx(0, abs=1e-12)
    pulled = motion.run(100, dynamics.command(force={"ball": (0, 0, G + 2.0, 0, 0, 0)}))
    assert pulled.q[-1, 2] - 0.1 == pytest.approx(0.5 * 2.0 * 1.0**2, abs=1e-9)


@pytest.mark.parametrize("spacing", [0.0, 1e-9])
@pytest.mark.parametrize("moving", [1, 2])
def test_newtons_cradle_gives_the_one_ball_and_the_two_ball_answer(moving, spacing):
    balls = [ball(f"b{k}", joint=sd.Prismatic(axis=(1, 0, 0))) for k in range(5)]
    contacts = [sd.Contact(name=f"g{k}", body_a=f"b{k}", body_b=f"b{k + 1}") for k in range(4)]
    dynamics = sd.Dynamics(sd.World(bodies=balls, contacts=contacts))
    still = [0.2 * k + spacing * k for k in range(5 - moving)]
    q = np.array([-0.5 - 0.2 * k for k in reversed(range(moving))] + still)
    v = np.array([1.0] * moving + [0.0] * (5 - moving))
    run = sd.rollout(dynamics, q, v, h=0.01, steps=100)
    assert run.v[-1] == pytest.approx([0.0] * (5 - moving) + [1.0] * moving, abs=1e-12)


def test_two_free_bodies_collide_obliquely_and_keep_momentum():
    bodies = [ball("a", 0.2, 2.0), ball("b", 0.3, 5.0)]
    gap = sd.Contact(name="ab", body_a="a", body_b="b", restitution=0.7)
    dynamics = sd.Dynamics(sd.World(bodies=bodies, contacts=[gap]))
    start = dynamics.state(
        {"a": {"velocity": (1, 0.2, 0)}, "b": {"position": (2, 0.25, 0.1), "velocity": (-0.5, 0, 0.1)}}
    )
    motion = sd.Motion(dynamics, *start, h=0.01)
    (impact,) = motion.run(300).impacts
    before, after = dynamics.balance(*start), dynamics.balance(motion.q, motion.v)
    assert after.momentum == pytest.approx(before.momentum, abs=1e-12)
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=1e-12)
    # analytic: centres meet at distance 0.5; only the normal velocities change
    w = np.array([1.5, 0.2, -0.1])
    d = np.array([2, 0.25, 0.1])
    b, c = d @ w, d @ d - 0.25
    assert impact.time == pytest.approx((b - np.sqrt(b * b - w @ w * c)) / (w @ w), abs=1e-9)
    reduced = 2.0 * 5.0 / 7.0
    assert impact.impulse == pytest.approx(-1.7 * reduced * impact.speed_before, rel=1e-12)
    assert after.total - before.total == pytest.approx(-(1 - 0.49) * reduced * impact.speed_before**2 / 2, rel=1e-11)


def test_a_box_bouncing_in_space_converges_at_second_order():
    size = np.array([0.4, 0.3, 0.2])
    inertia = (size @ size - size**2) / 12
    box = sd.Body(name="box", mass=1, inertia=inertia, shapes=[sd.Box(size=size)])
    world = sd.World(
        gravity=sd.Uniform(acceleration=(0, 0, -G)),
        bodies=[floor(), box],
        contacts=[sd.Contact(name="g", body_a="box", body_b="floor")],
    )
    dynamics = sd.Dynamics(world)
    start = dynamics.state(
        {"box": {"position": (0, 0, 1.1), "quaternion": (0.9, 0.2, 0.3, 0.1), "angular_velocity": (1, 2, 0.5)}}
    )
    times = []
    for h in (0.02, 0.01, 0.005, 0.0025):
        times.append([i.time for i in sd.rollout(dynamics, *start, h=h, steps=round(0.6 / h)).impacts][:2])
    moved = np.abs(np.diff(np.array(times), axis=0)).max(axis=1)
    assert np.log2(moved[:-1] / moved[1:]) == pytest.approx([2, 2], abs=0.35)


def test_pendulum_against_a_stop_keeps_its_energy_over_many_impacts():
    joint = sd.Revolute(limits=sd.Limits(lower=-1.8, upper=3.0, restitution=1.0))
    pendulum = sd.Body(name="p", mass=1, center=(1, 0, 0), inertia=[0.01] * 3, joint=joint)
    world = sd.World(gravity=sd.Uniform(acceleration=(0, -G, 0)), bodies=[pendulum])
    dynamics = sd.Dynamics(world)
    run = sd.rollout(dynamics, *dynamics.state(), h=0.01, steps=200_000)
    energy = dynamics.balance(run.q, run.v).total
    assert len(run.impacts) > 1500
    assert np.abs(energy[:20_000]).max() == pytest.approx(np.abs(energy[-20_000:]).max(), rel=0.2)
    assert np.abs(energy).max() < 1e-3 * G
    assert run.q.min() >= -1.8 - 1e-12
    # second order in h: the time of the first impact, against a fine run
    first = [
        sd.rollout(dynamics, *dynamics.state(), h=h, steps=round(1 / h)).impacts[0].time for h in (0.02, 0.01, 5e-4)
    ]
    assert np.log2((first[0] - first[2]) / (first[1] - first[2])) == pytest.approx(2, abs=0.1)


def test_corner_of_two_walls_sends_the_ball_straight_back():
    world = sd.World(
        bodies=[wall("x", (1.6, 0, 0)), wall("y", (0, 1.6, 0), (4, 1, 4)), ball()],
        contacts=[sd.Contact(name="gx", body_a="ball", body_b="x"), sd.Contact(name="gy", body_a="ball", body_b="y")],
    )
    dynamics = sd.Dynamics(world)
    run = sd.rollout(dynamics, *dynamics.state({"ball": {"velocity": (1, 1, 0)}}), h=0.01, steps=200)
    assert len(run.impacts) == 2
    assert [impact.time for impact in run.impacts] == pytest.approx([1.0, 1.0], abs=1e-9)
    assert run.v[-1, :3] == pytest.approx([-1, -1, 0], abs=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e-12, -1e-12, 1e-13, -1e-13])
def test_impact_at_the_very_edge_of_a_step(offset):
    world = sd.World(
        bodies=[wall("w", (1.1 + offset, 0, 0)), ball()], contacts=[sd.Contact(name="g", body_a="ball", body_b="w")]
    )
    dynamics = sd.Dynamics(world)
    run = sd.rollout(dynamics, *dynamics.state({"ball": {"velocity": (1, 0, 0)}}), h=0.01, steps=100)
    assert len(run.impacts) == 1
    assert run.impacts[0].time == pytest.approx(0.5 + offset, abs=1e-11)
    assert run.v[-1, 0] == pytest.approx(-1, abs=1e-12)


def test_two_impacts_within_one_step():
    world = sd.World(
        bodies=[wall("left", (-0.62, 0, 0)), wall("right", (0.62, 0, 0)), ball()],
        contacts=[
            sd.Contact(name="l", body_a="ball", body_b="left"),
            sd.Contact(name="r", body_a="ball", body_b="right"),
        ],
    )
    dynamics = sd.Dynamics(world)
    run = sd.rollout(dynamics, *dynamics.state({"ball": {"velocity": (10, 0, 0)}}), h=0.01, steps=10)
    times = [impact.time for impact in run.impacts]
    assert times == pytest.approx([0.002 + 0.004 * k for k in range(25)], abs=1e-11)


def test_an_impact_while_a_latch_is_engaged_keeps_the_latch():
    bodies = [ball("a", 0.1, 1.0), ball("b", 0.1, 2.0), wall("w", (1.6, 0, 0))]
    world = sd.World(
        bodies=bodies,
        latches=[sd.Latch(name="rod", kind="distance", frame_a="a", frame_b="b", length=0.5, engaged=True)],
        contacts=[sd.Contact(name="wall", body_a="b", body_b="w", restitution=0.6)],
    )
    dynamics = sd.Dynamics(world)
    start = dynamics.state({"a": {"velocity": (1, 0, 0)}, "b": {"position": (0.3, 0.4, 0), "velocity": (1, 0, 0)}})
    motion = sd.Motion(dynamics, *start, h=0.01)
    run = motion.run(200)
    (impact,) = run.impacts
    assert impact.time == pytest.approx(0.7, abs=1e-9)
    assert impact.speed_after == pytest.approx(0.6, abs=1e-12)
    assert motion.violation() < 1e-12
    # both masses take the blow through the rod: impulse (1 + e) / (row of the constrained inverse mass)
    direction = np.array([0.6, 0.8])
    compliance = 1 / 2 - (direction[0] / 2) ** 2 / (1 / 1 + 1 / 2)
    assert impact.impulse == pytest.approx(1.6 / compliance, rel=1e-10)


def test_a_world_may_not_start_in_penetration():
    dynamics, start = bouncing(1.0, position=(0, 0, 0.05))
    with pytest.raises(ValueError, match=r"contact 'floor' is penetrated by 0\.05"):
        sd.Motion(dynamics, *start, h=0.01)


def test_impacts_are_located_in_steps_of_order_2_only():
    dynamics, start = bouncing(1.0, position=(0, 0, 1.0))
    with pytest.raises(ValueError, match="order=2"):
        sd.Motion(dynamics, *start, h=0.01, order=4)


@pytest.mark.parametrize(
    ("gap", "message"),
    [
        ({"body_a": "ball", "body_b": "ball"}, "itself"),
        ({"body_a": "ball", "body_b": "flor"}, "did you mean 'floor'"),
        ({"body_a": "ball", "body_b": "floor", "restitution": 1.5}, "restitution"),
        ({"body_a": "ball", "body_b": "ghost"}, "no shape"),
    ],
)
def test_bad_gaps_are_refused(gap, message):
    ghost = sd.Body(name="ghost", mass=1, inertia=[1, 1, 1])
    with pytest.raises(ValueError, match=message):
        sd.World(bodies=[floor(), ball(), ghost], contacts=[{"name": "g", **gap}])


def test_a_thin_wall_is_not_passed_however_long_the_step():
    thin = wall("wall", (1.0, 0, 0), (0.01, 4, 4))
    world = sd.World(bodies=[thin, ball(radius=0.02)], contacts=[sd.Contact(name="g", body_a="ball", body_b="wall")])
    dynamics = sd.Dynamics(world)
    start = dynamics.state({"ball": {"velocity": (30, 0, 0)}})
    for h in (0.05, 0.01, 0.001):
        run = sd.rollout(dynamics, *start, h=h, steps=2 + int(0.05 / h))
        assert run.impacts[0].time == pytest.approx((1.0 - 0.005 - 0.02) / 30, abs=1e-9)


def test_fast_balls_do_not_pass_each_other_wherever_they_start():
    """Half of a radius off the line, 2.5 diameters a step: of 41 starts, 12 passed unseen."""
    bodies = [ball(), ball("other")]
    dynamics = sd.Dynamics(sd.World(bodies=bodies, contacts=[sd.Contact(name="g", body_a="ball", body_b="other")]))
    radius, v, h = bodies[0].shapes[0].radius, 50.0, 0.01
    aside, along = 1.5 * radius, np.sqrt(4 - 1.5**2) * radius
    for x in np.linspace(1.0, 1.0 + 2 * v * h, 41):
        start = dynamics.state({"ball": {"velocity": (v, 0, 0)}, "other": {"position": (x, aside, 0)}})
        run = sd.rollout(dynamics, *start, h=h, steps=10)
        assert [hit.time for hit in run.impacts] == pytest.approx([(x - along) / v], abs=1e-10)


def test_a_step_too_long_to_look_through_is_refused():
    thin = wall("wall", (0, 0.02, 0), (1000, 0.001, 4))
    world = sd.World(bodies=[thin, ball(radius=0.019)], contacts=[sd.Contact(name="g", body_a="ball", body_b="wall")])
    dynamics = sd.Dynamics(world)
    start = dynamics.state({"ball": {"velocity": (1000, 0, 0)}})
    with pytest.raises(sd.StepFailed, match=r"could overlap unseen by more than.*try a smaller step"):
        sd.rollout(dynamics, *start, h=0.01, steps=10)


def test_gaps_between_bodies_welded_together_count_again_when_they_are_released():
    """A ball carried by a box, at 1e-3 m from its wall, is let go and strikes it at the analytic time."""
    box = sd.Body(name="box", mass=3, inertia=[1, 1, 1], shapes=wall("box", (0.6, 0, 0)).shapes)
    frame = sd.Frame(name="hand", body="box", placement=sd.Pose(position=(-1e-3, 0, 0)))
    world = sd.World(
        bodies=[box, ball()],
        frames=[frame],
        latches=[sd.Latch(name="grip", kind="weld", frame_a="hand", frame_b="ball", engaged=True)],
        contacts=[sd.Contact(name="wall", body_a="ball", body_b="box")],
    )
    dynamics = sd.Dynamics(world)
    motion = sd.Motion(dynamics, *dynamics.state({"ball": {"position": (-1e-3, 0, 0)}}), h=0.01)
    push = dynamics.command(force={"box": (-1.0, 0, 0, 0, 0, 0)})
    assert not motion.run(100, push).impacts and motion.gaps()[0] == pytest.approx(1e-3, abs=1e-13)
    assert motion.v[dynamics.layout.v["ball"].start] == pytest.approx(-0.25, abs=1e-12)
    motion.release("grip")
    run = motion.run(100, push)  # only the box is pushed now: it catches up by t²/6
    assert run.impacts[0].time == pytest.approx(1.0 + np.sqrt(6e-3), abs=1e-9)


def test_stops_of_a_planar_joint_are_named_by_coordinate():
    """Sliding at (1, 0.5) m/s from the middle of ±0.1 m: x meets its stop at 0.1 s, y at 0.2 s."""
    limits = sd.Limits(lower=(-0.1, -0.1, -1.0), upper=(0.1, 0.1, 1.0), restitution=1.0)
    puck = sd.Body(name="puck", mass=1.0, inertia=[0.1] * 3, joint=sd.Planar(limits=limits))
    dynamics = sd.Dynamics(sd.World(bodies=[puck]))
    assert len(set(dynamics.contact_names)) == len(dynamics.contact_names) == 6
    simulation = sd.Simulation(dynamics, np.zeros(3), [1.0, 0.5, 0.0], h=0.01)
    simulation.when(sd.touch("puck.y upper stop"), lambda simulation: simulation.note("there"))
    simulation.run(0.25)
    found = [(event["kind"], event.get("contact"), event["time"]) for event in simulation.events]
    assert [one[:2] for one in found] == [
        ("impact", "puck.x upper stop"), ("impact", "puck.y upper stop"), ("there", None)
    ]  # fmt: skip
    assert [one[2] for one in found] == pytest.approx([0.1, 0.2, 0.2], abs=1e-12)
