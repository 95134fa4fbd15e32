"""Bodies thrown on a floor at random: nothing goes through, no energy is made, the books close, and all ends."""

import numpy as np
import pytest

import softdock as sd

BOX = sd.Body(name="box", mass=2, inertia=[0.0217, 0.0333, 0.0417], shapes=[sd.Box(size=(0.4, 0.3, 0.2))])
ROUND = {"mass": 1, "inertia": [0.02, 0.02, 0.005]}
CYLINDER = sd.Body(name="cylinder", shapes=[sd.Cylinder(radius=0.1, length=0.4)], **ROUND)
CAPSULE = sd.Body(name="capsule", shapes=[sd.Capsule(radius=0.1, length=0.4)], **ROUND)
FLOOR = sd.Body(
    name="floor", mass=0, joint=sd.Fixed(), shapes=[sd.Box(size=(20, 20, 1), placement={"position": (0, 0, -0.5)})]
)


def world_of(*bodies, **law):
    pairs = [(a.name, b.name) for i, a in enumerate([FLOOR, *bodies]) for b in bodies[i:]]
    contacts = [sd.Contact(name=f"{a}-{b}", body_a=a, body_b=b, **law) for a, b in pairs]
    return sd.Dynamics(
        sd.World(gravity=sd.Uniform(acceleration=(0, 0, -9.81)), bodies=[FLOOR, *bodies], contacts=contacts)
    )


def thrown(dynamics, bodies, seed, h):
    rng, state = np.random.default_rng(seed), {}
    for i, body in enumerate(bodies):
        turn = rng.normal(size=4)
        state[body.name] = {
            "position": (0.05 * i, 0.03 * i, 0.5 + 0.6 * i), "velocity": 0.5 * rng.normal(size=3),
            "quaternion": turn / np.linalg.norm(turn), "angular_velocity": 2 * rng.normal(size=3),
        }  # fmt: skip
    return sd.Motion(dynamics, *dynamics.state(state), h=h)


def energy(dynamics, q, v):
    balance = dynamics.balance(q, v)
    return balance.kinetic + balance.gravity


def lowest(dynamics, body, q):
    """Of a body's surface over the floor (m), from its pose alone."""
    R, p = dynamics.pose(body.name, q)
    (shape,) = body.shapes
    if isinstance(shape, sd.Box):
        return p[2] - np.abs(R[2]) @ shape.size / 2
    along = abs(R[2, 2]) * shape.length / 2
    across = shape.radius * (1 if isinstance(shape, sd.Capsule) else np.sqrt(max(0, 1 - R[2, 2] ** 2)))
    return p[2] - along - across


@pytest.mark.parametrize("law", [{"restitution": 0.0, "friction": 0.5}, {"restitution": 0.5}], ids=["rough", "bouncing"])
@pytest.mark.parametrize("bodies", [(BOX,), (CYLINDER,), (CAPSULE, BOX)], ids=["box", "cylinder", "capsule and box"])
def test_thrown_on_a_floor(bodies, law):
    dynamics = world_of(*bodies, **law)
    for seed, h in ((1, 0.001), (2, 0.005), (3, 0.02)):
        motion = thrown(dynamics, bodies, seed, h)
        start = energy(dynamics, motion.q, motion.v)
        run = motion.run(round(1.5 / h), ledger=True)
        energies = np.array([start, *(energy(dynamics, q, v) for q, v in zip(run.q, run.v, strict=True))])
        assert np.diff(energies).max() < 1e-3 * start
        assert energies[-1] < start
        for body in bodies:
            assert min(lowest(dynamics, body, q) for q in run.q) > -2e-7
        assert all(impact.energy_change <= 1e-12 * start for impact in run.impacts)


def test_books_of_a_sliding_box_close_in_every_row():
    """The work of friction is booked half in a step, half in the impulse that ends it."""
    dynamics = world_of(BOX, restitution=0.0, friction=0.2)
    motion = sd.Motion(dynamics, *dynamics.state({"box": {"position": (0, 0, 0.1), "velocity": (1, 0, 0)}}), h=0.01)
    start = energy(dynamics, motion.q, motion.v)
    run = motion.run(40, ledger=True)
    work = run.account[:, list(motion.account).index("work_contacts")]
    speeds = 1 - 0.2 * 9.81 * run.t
    assert run.v[:, 0] == pytest.approx(speeds, abs=1e-12)
    assert work == pytest.approx(0.5 * 2 * (speeds**2 - 1), abs=1e-11)
    assert [energy(dynamics, q, v) - start for q, v in zip(run.q, run.v, strict=True)] == pytest.approx(work, abs=1e-11)
    assert motion.account["work_contacts"] == pytest.approx(work[-1], abs=1e-11)


def test_what_rests_is_not_struck_by_rounding():
    """A ball that lands beside a resting box is one impact, and none of the box."""
    ball = sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[sd.Sphere(radius=0.1)])
    dynamics = world_of(BOX, ball, restitution=0.0, friction=0.5)
    state = {"box": {"position": (0, 0, 0.1)}, "ball": {"position": (1, 0, 0.3), "velocity": (0.1, 0, 0)}}
    run = sd.Motion(dynamics, *dynamics.state(state), h=0.01).run(60)
    assert [impact.contact for impact in run.impacts] == ["floor-ball"]
