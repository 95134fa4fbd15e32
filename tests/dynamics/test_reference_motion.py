"""The reference integrator with latches, impacts and controllers, against trees, analytic bounces, and steps."""

import numpy as np
import pytest

import softdock as sd

G = 9.81
DOWN = sd.Uniform(acceleration=(0, -G, 0))
BODY = {"mass": 2.0, "inertia": (0.1, 0.2, 0.3), "center": (0.3, 0.1, 0.0)}


@pytest.fixture(scope="module")
def hinged() -> sd.Dynamics:
    """A free body, hinged to the world by a latch."""
    world = sd.World(
        gravity=DOWN,
        bodies=[sd.Body(name="b", **BODY)],
        frames=[sd.Frame(name="pin", body="world")],
        latches=[sd.Latch(name="pin", kind="hinge", frame_a="pin", frame_b="b", engaged=True)],
    )
    return sd.Dynamics(world)


@pytest.fixture(scope="module")
def pendulum() -> sd.Dynamics:
    """The same as a tree."""
    return sd.Dynamics(sd.World(gravity=DOWN, bodies=[sd.Body(name="b", joint=sd.Revolute(axis=(0, 0, 1)), **BODY)]))


def angle(q: np.ndarray) -> np.ndarray:
    return np.unwrap(2 * np.arctan2(q[:, 6], q[:, 3]))


def test_a_latched_body_swings_as_the_tree_does(hinged, pendulum):
    motion = sd.ReferenceMotion(sd.Motion(hinged, *hinged.state({}), h=0.02))
    run = motion.run(100)
    q, v = sd.reference(pendulum, [0.0], [0.0], [0.0, *run.t])
    assert angle(run.q) == pytest.approx(np.unwrap(q[1:, 0]), abs=1e-11)
    assert run.v[:, 5] == pytest.approx(v[1:, 0], abs=1e-11)
    assert motion.violation() < 1e-13


def test_released_it_flies_on_and_engaged_again_it_is_held(hinged):
    motion = sd.ReferenceMotion(sd.Motion(hinged, *hinged.state({}), h=0.02))
    motion.run(20)
    motion.release("pin")
    q, v = motion.q, motion.v
    center = hinged.balance(q, v).center
    speed = hinged.balance(q, v).momentum / hinged.mass
    motion.run(10)
    fallen = center + speed * 0.2 + np.array([0, -0.5 * G * 0.2**2, 0])
    assert hinged.balance(motion.q, motion.v).center == pytest.approx(fallen, abs=1e-12)


class Hold:
    """A controller with a period of its own."""

    period = 0.04

    def __call__(self, t, q, v):
        return [0, 0, 0, 0, 0, 3.0 * np.sin(3 * t) - 0.8 * v[5]]


def test_a_simulation_with_a_controller_converges_to_it_at_order_two(hinged):
    differences = []
    for h in (0.02, 0.01):
        ends = []
        for by_reference in (False, True):
            simulation = sd.Simulation(hinged, *hinged.state({}), h=h, controllers=[Hold()])
            if by_reference:
                simulation.motion = sd.ReferenceMotion(simulation.motion)
            ends.append(simulation.run(1.0).v[-1, 5])
        differences.append(ends[0] - ends[1])
    assert abs(differences[1]) < 1e-3
    assert np.log2(differences[0] / differences[1]) == pytest.approx(2.0, abs=0.05)


@pytest.fixture(scope="module")
def bouncing() -> sd.Dynamics:
    floor = sd.Box(size=(4, 1, 4), placement=sd.Pose(position=(0, -0.5, 0)))
    world = sd.World(
        gravity=DOWN,
        bodies=[
            sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[floor]),
            sd.Body(name="ball", mass=1.0, inertia=(0.1,) * 3, shapes=[sd.Sphere(radius=0.1)]),
        ],
        contacts=[sd.Contact(name="bounce", body_a="ball", body_b="floor", restitution=0.5)],
    )
    return sd.Dynamics(world)


def test_a_ball_bounces_when_and_as_high_as_it_should_and_comes_to_rest(bouncing):
    motion = sd.ReferenceMotion(sd.Motion(bouncing, *bouncing.state({"ball": {"position": (0, 1.1, 0)}}), h=0.01))
    run = motion.run(100)
    fall = np.sqrt(2 / G)
    expected = [fall, fall + 2 * 0.5 * fall, fall + 2 * 0.75 * fall]
    assert [impact.time for impact in run.impacts] == pytest.approx(expected[: len(run.impacts)], abs=1e-11)
    assert len(run.impacts) == 2
    assert run.impacts[0].speed_after == pytest.approx(0.5 * np.sqrt(2 * G), rel=1e-11)
    rest = motion.run(100)
    assert rest.impacts[-1].time == pytest.approx(3 * fall, abs=0.01)  # Σ of all bounces; those within a step are one
    assert np.abs(rest.v[-1]).max() < 1e-12
    assert rest.q[-1, 1] == pytest.approx(0.1, abs=1e-12)


def test_it_ends_when_its_time_is_over_and_says_so(pendulum):
    motion = sd.ReferenceMotion(sd.Motion(pendulum, *pendulum.state({}), h=0.02), seconds=0.0)
    with pytest.raises(
        sd.StepFailed, match=r"^at t = 0 s the reference integrator has taken more than 0 s: it is expl"
    ):
        motion.run(5)
    assert motion.t == 0.0
