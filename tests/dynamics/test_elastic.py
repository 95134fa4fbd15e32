"""Geared rotors and elastic joints: reaction and resonance of a free base by hand, conservation, backlash, friction."""

import numpy as np
import pytest

import softdock as sd

BASE, LINK, ROTOR, RATIO, STIFFNESS = 45.0, 5.0, 1e-4, 100.0, 1e4
"""Inertias (kg m²), gear ratio and stiffness (N m/rad) of a planar arm on a free base."""
GEAR = {"stiffness": STIFFNESS, "gear_ratio": RATIO, "rotor_inertia": ROTOR}


def disc(name: str, inertia: float, joint: object, parent: str = "world") -> sd.Body:
    return sd.Body(name=name, parent=parent, joint=joint, mass=1.0, inertia=(inertia, inertia, inertia))  # type: ignore[arg-type]


def arm(**gear: float) -> sd.World:
    joint = sd.Revolute(elastic=sd.Elastic(**{**GEAR, **gear}))  # type: ignore[arg-type]
    return sd.World(bodies=(disc("base", BASE, sd.Revolute()), disc("link", LINK, joint, "base")))


def by_hand(J: float = ROTOR, N: float = RATIO) -> np.ndarray:
    """Mass matrix of base ω, motor angle and deflection: ½BΩ² + ½J(ω + Nθ̇)² + ½L(ω + θ̇ + δ̇)²."""
    rows = [(BASE, (1, 0, 0)), (J, (1, N, 0)), (LINK, (1, 1, 1))]
    return np.asarray(sum(inertia * np.outer(row, row) for inertia, row in rows))


@pytest.mark.parametrize(("J", "N"), [(ROTOR, RATIO), (3e-3, 1.0), (2e-3, -30.0), (0.5, 0.4), (1e-6, 1e4)])
def test_mass_matrix_is_that_of_the_rotors_energy(J: float, N: float) -> None:
    dynamics = sd.Dynamics(arm(rotor_inertia=J, gear_ratio=N))
    assert dynamics.layout.names()[1] == ["base", "link.motor", "link"]
    np.testing.assert_allclose(dynamics.mass_matrix(np.zeros(3)), by_hand(J, N), rtol=1e-12, atol=1e-12)


def test_a_free_base_turns_back_as_the_rotor_says_not_as_its_reflected_inertia() -> None:
    """For 1 rad/s of the joint with a stiff gear: base rate −(NJ + L)/(B + J + L), −0.100; a body of N²J at the joint,
    which is what a reflected inertia is, would give −(N²J + L)/(B + N²J + L), −0.118: 17 % more."""
    dynamics = sd.Dynamics(arm())
    M = dynamics.mass_matrix(np.zeros(3))
    rate = -M[0, 1] / M[0, 0]  # the base's momentum stays zero
    assert rate == pytest.approx(-(RATIO * ROTOR + LINK) / (BASE + ROTOR + LINK), rel=1e-13)
    reflected = -(RATIO**2 * ROTOR + LINK) / (BASE + RATIO**2 * ROTOR + LINK)
    assert reflected / rate == pytest.approx(1.174, abs=1e-3)
    v = np.array([rate, 1.0, 0.0])
    assert abs(dynamics.balance(np.zeros(3), v).angular_momentum[2]) < 1e-14


def test_joint_resonance_on_a_free_base() -> None:
    from scipy.linalg import eigh

    expected = np.sqrt(eigh(np.diag([0.0, 0.0, STIFFNESS]), by_hand(), eigvals_only=True)[-1])
    found = sd.Dynamics(arm()).modes()
    np.testing.assert_allclose(2 * np.pi * found.frequency, [expected], rtol=1e-12)


def spatial() -> sd.World:
    """A free bus with an arm of two elastic joints about different axes."""
    gear = sd.Elastic(stiffness=2e3, damping=0.5, gear_ratio=120.0, rotor_inertia=2e-4)
    bus = sd.Body(name="bus", mass=60.0, inertia=(8, 9, 10))
    bodies = [bus]
    for name, parent, x, axis in (("upper", "bus", 0.5, (0, 0, 1)), ("lower", "upper", 0.8, (0.6, 0.8, 0))):
        placement = sd.Pose(position=(x, 0, 0), rpy=(0.3, -0.2, 0.5))
        joint = sd.Revolute(axis=axis, elastic=gear)
        body = sd.Body(name=name, parent=parent, placement=placement, joint=joint, mass=6.0, center=(0.4, 0.1, 0),
                       inertia=(0.05, 0.4, 0.4))  # fmt: skip
        bodies.append(body)
    return sd.World(bodies=tuple(bodies))


def test_free_craft_with_elastic_joints_keeps_its_momentum() -> None:
    dynamics = sd.Dynamics(spatial())
    q, v = dynamics.state(
        {"bus": {"velocity": (0.01, 0.02, 0.0), "angular_velocity": (0.1, -0.2, 0.3)},
         "upper.motor": {"velocity": 0.5}, "lower.motor": {"velocity": -0.3, "position": 0.4},
         "lower": {"position": 0.02}}
    )  # fmt: skip
    M = dynamics.mass_matrix(q)
    before = dynamics.balance(q, v)
    assert before.kinetic == pytest.approx(v @ M @ v / 2, rel=1e-13)
    np.testing.assert_allclose(dynamics.momenta(q, v), M @ v, rtol=1e-12, atol=1e-13)
    a = np.random.default_rng(4).normal(size=dynamics.nv)
    force = dynamics.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(dynamics.forward_dynamics(q, v, force), a, rtol=1e-8, atol=1e-9)
    command = np.zeros((1000, dynamics.nv))
    command[:100, dynamics.layout.velocities(["upper.motor"])[0]] = 2.0
    rows = sd.Motion(dynamics, q, v, h=0.005).run(1000, command, every=50)
    after = dynamics.balance(rows.q, rows.v)
    for name in ("momentum", "angular_momentum"):
        start = getattr(before, name)
        assert np.abs(getattr(after, name) - start).max() < 1e-12 * np.linalg.norm(start)


def test_loads_count_the_rotor() -> None:
    """Along free directions a joint passes on what drives it; the motor's own takes N J (α + N θ̈) to turn the rotor."""
    dynamics = sd.Dynamics(arm(damping=0.3))
    q, v, command = np.array([0.3, 0.2, 0.01]), np.array([0.5, -0.7, 0.2]), np.array([2.0, -3.0, 0.0])
    loads, a = dynamics.loads(q, v, command), dynamics.forward_dynamics(q, v, command)
    assert loads.joints["base"].torque[2] == pytest.approx(2.0, rel=1e-10)
    assert loads.joints["link"].torque[2] == pytest.approx(-STIFFNESS * q[2] - 0.3 * v[2], rel=1e-10)
    rotor = RATIO * ROTOR * (a[0] + RATIO * a[1])
    assert loads.joints["link.motor"].torque[2] == pytest.approx(-3.0 - rotor, rel=1e-10)


def test_step_converges_to_the_reference_with_second_order() -> None:
    dynamics = sd.Dynamics(spatial())
    q, v = dynamics.state({"upper.motor": {"velocity": 0.5}, "lower": {"position": 0.02}})
    exact, _ = sd.reference(dynamics, q, v, [0.0, 0.5])
    errors = []
    for h in (0.002, 0.001):
        rows = sd.Motion(dynamics, q, v, h=h).run(round(0.5 / h))
        errors.append(np.abs(rows.q[-1] - exact[-1]).max())
    assert errors[1] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_backlash_lets_the_link_go_and_keeps_energy() -> None:
    """A link that goes to and fro in its play: a period of 4 b/v and half a swing on the spring at either end."""
    play, speed = 0.02, 0.1
    link = disc("link", LINK, sd.Revolute(spring=sd.Spring(stiffness=STIFFNESS, play=play)))
    dynamics = sd.Dynamics(sd.World(bodies=(link,)))
    period = 2 * play / speed + 2 * np.pi * np.sqrt(LINK / STIFFNESS)
    h = 5e-4
    rows = sd.Motion(dynamics, np.zeros(1), np.array([speed]), h=h).run(round(3 * period / h))
    balance = dynamics.balance(rows.q, rows.v)
    assert np.abs(balance.total / balance.total[0] - 1).max() < 1e-3
    ups = np.flatnonzero((rows.q[:-1, 0] < 0) & (rows.q[1:, 0] >= 0))
    found = np.diff(rows.t[ups]).mean()
    assert found == pytest.approx(period, rel=0.01)  # edges are rounded over a hundredth of the play


def test_hysteresis_takes_four_times_torque_times_amplitude_a_cycle() -> None:
    """The motor held, the link driven slowly to and fro: the loop is 2 × torque wide and 2 × amplitude long."""
    torque = 3.0
    gear = sd.Elastic(**GEAR, hysteresis=sd.Friction(force=torque, speed=1e-4))  # type: ignore[arg-type]
    joint = sd.Revolute(elastic=gear, servo=sd.Servo(kp=1e7, kd=1e5))
    dynamics = sd.Dynamics(sd.World(bodies=(disc("link", LINK, joint),)))
    h, period, amplitude = 1e-3, 2.0, 0.005
    t = (np.arange(round(2 * period / h)) + 0.5) * h
    command = np.zeros((len(t), 2))
    command[:, 1] = STIFFNESS * amplitude * np.sin(2 * np.pi * t / period)
    rows = sd.Motion(dynamics, np.zeros(2), np.zeros(2), h=h).run(len(t), command)
    last = slice(len(t) // 2, None)
    q = np.concatenate([[0.0], rows.q[:, 1]]) if len(rows.q) == len(t) else rows.q[:, 1]
    work = float(np.sum((command[:, 1] * np.diff(q))[last]))
    assert work == pytest.approx(4 * torque * np.ptp(q[len(t) // 2 :]) / 2, rel=0.05)


BAD = {
    "no stiffness": ({"stiffness": 0.0}, "greater than 0"),
    "negative stiffness": ({"stiffness": -1.0}, "greater than 0"),
    "no rotor": ({"rotor_inertia": 0.0}, "greater than 0"),
    "no gear": ({"gear_ratio": 0.0}, "gear ratio of 0"),
    "negative backlash": ({"backlash": -0.1}, "greater than or equal to 0"),
}


@pytest.mark.parametrize(("keys", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused(keys: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        arm(**keys)


def test_an_elastic_joint_has_one_spring() -> None:
    with pytest.raises(ValueError, match="takes no 'spring'"):
        sd.Revolute(elastic=sd.Elastic(**GEAR), spring=sd.Spring(stiffness=1.0))  # type: ignore[arg-type]
