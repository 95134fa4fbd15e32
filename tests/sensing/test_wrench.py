"""Force and torque sensors, delay lines, and the step's own account of contact impulses."""

import numpy as np
import pytest

import softdock as sd
from softdock import mission as ms
from softdock.sensing import DelayLine, WrenchSensor

SOFT = sd.Compliance(stiffness=1e3, exponent=1.0, damping=3.0, friction=0.3)
TURN = sd.Revolute(axis=(0, 1, 0), servo=sd.Servo(kp=200.0, kd=5.0))


def link(name: str, parent: str, x: float) -> sd.Body:
    body = {"mass": 2.0, "center": (0.15, 0, 0), "inertia": (0.01, 0.03, 0.03)}
    return sd.Body(name=name, parent=parent, joint=TURN, placement=sd.Pose(position=(x, 0, 0)), **body)


HAND = sd.Body(
    name="hand", parent="fore", joint=sd.Fixed(), placement=sd.Pose(position=(0.3, 0, 0), rpy=(0.3, 0.2, 0.1)),
    mass=1.5, center=(0.02, 0.01, 0.0), inertia=(0.004, 0.005, 0.006), shapes=(sd.Box(size=(0.1, 0.1, 0.1)),),
)  # fmt: skip
BALL = sd.Body(name="ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), shapes=(sd.Sphere(radius=0.05),))
WORLD = sd.World(
    gravity=sd.Uniform(),
    bodies=(link("upper", "world", 0.0), link("fore", "upper", 0.3), HAND, BALL),
    frames=(sd.Frame(name="sensor", body="hand", placement=sd.Pose(position=(-0.05, 0, 0), rpy=(0, 0.5, 0))),),
    contacts=(sd.Contact(name="touch", body_a="ball", body_b="hand", compliance=SOFT),),
)
START = {
    "upper": {"velocity": 0.2},
    "fore": {"velocity": -0.3},
    "ball": {"position": (0.66, 0.01, 0.11), "velocity": (0.05, 0.02, -0.3), "angular_velocity": (1.0, 2.0, 3.0)},
}


@pytest.fixture(scope="module")
def dynamics() -> sd.Dynamics:
    return sd.Dynamics(WORLD)


def truth(motion: sd.Motion) -> ms.Truth:
    return ms.Truth(motion.t, motion.q, motion.v, motion.dynamics, motion.contact_impulses)


def test_contact_impulses_are_what_changes_a_balls_momentum(dynamics: sd.Dynamics) -> None:
    """Momentum and angular momentum about the origin, less gravity's impulse, of a rolling, sliding ball."""
    motion = sd.Motion(dynamics, *dynamics.state(START), h=1e-3)
    own_q, own_v = dynamics.layout.q["ball"], dynamics.layout.v["ball"]

    def momentum() -> np.ndarray:
        p, v, w = motion.q[own_q][:3], motion.v[own_v][:3], motion.v[own_v][3:]
        return np.concatenate([v, np.cross(p, v) + 1e-3 * (dynamics.pose("ball", motion.q)[0] @ w)])

    weight, before = np.zeros(6), momentum()
    for _ in range(150):
        p = motion.q[own_q][:3]
        motion.run(1)
        middle = 0.5 * (p + motion.q[own_q][:3])
        pull = np.array([0.0, 0.0, -9.80665])
        weight += 1e-3 * np.concatenate([pull, np.cross(middle, pull)])
    assert np.linalg.norm(motion.contact_impulses[0, :3]) > 0.3
    assert momentum() - before - weight == pytest.approx(motion.contact_impulses[0], abs=2e-9)


def test_a_reading_is_the_mean_of_the_joints_load(dynamics: sd.Dynamics) -> None:
    """Against `Dynamics.loads` (Newton and Euler body by body, contacts by their law) at 100 instants a period."""
    motion, period, h = sd.Motion(dynamics, *dynamics.state(START), h=5e-6), 5e-4, 5e-6
    sensor = WrenchSensor(dynamics, "hand", period=period)
    motion.run(round(0.1 / h))
    assert sensor.true_mean(truth(motion)) is None
    largest = worst = 0.0
    for _ in range(3):
        first = motion.loads().joints["hand"]
        rows = motion.run(100)
        loads = dynamics.loads(rows.q, rows.v).joints["hand"]
        all_ = np.vstack([np.concatenate(first), np.hstack(loads)])
        mean = (all_.sum(axis=0) - 0.5 * (all_[0] + all_[-1])) / 100
        reading = sensor.true_mean(truth(motion))
        assert reading is not None
        largest, worst = max(largest, np.abs(mean).max()), max(worst, np.abs(reading - mean).max())
    assert motion.contact_impulses[0, 2] > 0.01 and largest > 15.0
    assert worst < 1e-6 * largest


def test_a_reading_is_the_mockups_own_inverse_dynamics_less_contacts(dynamics: sd.Dynamics) -> None:
    """The hand alone, moved as it moves: m (a − g), I α + ω × I ω, from its poses by differences, and the contact."""
    period = h = 1e-4
    motion = sd.Motion(dynamics, *dynamics.state(START), h=h)
    sensor = WrenchSensor(dynamics, "hand", frame="sensor", period=period)
    motion.run(1000)
    sensor.true_mean(truth(motion))
    free = sd.Dynamics(
        sd.World(gravity=sd.Uniform(), bodies=(HAND.altered(parent="world", joint=sd.Free(), placement=sd.Pose()),))
    )
    twists, poses, pushed = [], [], motion.contact_impulses[0].copy()
    for _ in range(2):
        poses.append(dynamics.pose("hand", motion.q))
        twists.append(dynamics.jacobian("hand", motion.q) @ motion.v)
        motion.run(1)
    reading = sensor.measure(truth(motion))
    R0, R1 = poses[0][0], dynamics.pose("hand", motion.q)[0]
    twists.append(dynamics.jacobian("hand", motion.q) @ motion.v)
    Rm, pm = poses[1]
    v, w = twists[1][3:], Rm.T @ twists[1][:3]
    a = (twists[2][3:] - twists[0][3:]) / (2 * h)
    alpha = (R1.T @ twists[2][:3] - R0.T @ twists[0][:3]) / (2 * h)
    q = np.concatenate([pm, sd.Dynamics.state(free)[0][3:]])
    q[3:] = _quaternion(Rm)
    needed = free.inverse_dynamics(q, np.concatenate([v, w]), np.concatenate([a, alpha]))
    push = (motion.contact_impulses[0] - pushed) / (2 * h)  # on the ball, about the world's origin
    force, torque = needed[:3] + push[:3], Rm @ needed[3:] + push[3:] - np.cross(pm, push[:3])
    placement = WORLD.frame("sensor").placement
    R_S, arm = Rm @ placement.rotation, Rm @ np.array(placement.position)
    assert np.linalg.norm(push[:3]) > 1.0
    assert reading is not None and reading.t == pytest.approx(motion.t)
    assert reading.force == pytest.approx(R_S.T @ force, abs=1e-6 * np.linalg.norm(force))
    assert reading.torque == pytest.approx(R_S.T @ (torque - np.cross(arm, force)), abs=1e-6 * np.linalg.norm(force))


def _quaternion(R: np.ndarray) -> np.ndarray:
    from softdock.spatial import quaternion_of_matrix

    return quaternion_of_matrix(R)


def test_filter_noise_bias_tare_and_latency(dynamics: sd.Dynamics) -> None:
    """At rest under gravity the hand weighs m g; a step of bias is seen through the filter late by the latency."""
    rest = sd.Dynamics(
        sd.World(
            gravity=sd.Uniform(),
            bodies=(HAND.altered(parent="world", placement=sd.Pose(position=(0, 0, 1))), link("upper", "world", 0.0)),
        )
    )
    q, v = rest.state({})
    plain = WrenchSensor(rest, "hand", period=1e-3)
    noisy = WrenchSensor(
        rest, "hand", period=1e-3, noise=(0.1, 0.01), bias=(0.5, 0, 0, 0, 0.02, 0), latency=3e-3, seed=4
    )
    readings = []
    for k in range(1500):
        state = ms.Truth(1e-3 * k, q, v, rest)
        exact = plain.measure(state)
        if exact is not None:
            assert exact.force == pytest.approx([0, 0, 1.5 * 9.80665])
        if (one := noisy.measure(state)) is not None:
            assert state.t - one.t == pytest.approx(3e-3)
            readings.append(np.concatenate([one.force, one.torque]))
    mean, spread = np.mean(readings, axis=0), np.std(readings, axis=0)
    assert mean[:3] == pytest.approx([0.5, 0, 1.5 * 9.80665], abs=4 * 0.1 / np.sqrt(1500))
    assert spread == pytest.approx([0.1] * 3 + [0.01] * 3, rel=0.1)
    noisy.tare()
    after = [noisy.measure(ms.Truth(1.5 + 1e-3 * k, q, v, rest)) for k in range(1500)]
    assert np.mean([one.force for one in after[10:] if one], axis=0) == pytest.approx([0, 0, 0], abs=0.02)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"contacts": (sd.Contact(name="hard", body_a="ball", body_b="hand"),)}, "'hard', which is located"),
        ({"latches": (sd.Latch(name="hold", kind="weld", frame_a="ball", frame_b="hand"),)}, "latch 'hold'"),
    ],
)
def test_what_a_sensor_would_not_see_is_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        WrenchSensor(sd.Dynamics(WORLD.altered(**change)), "hand", period=1e-3)


def test_a_delay_line_keeps_stamps_and_order() -> None:
    line = DelayLine(0.01, jitter=0.004, seed=3)
    for k in range(2000):
        line.send(0.001 * k, k)
    found = [(one.sent, one.value, t) for t in np.arange(0.0, 3.0, 0.001) for one in line.arrived(t)]
    assert [value for _, value, _ in found] == list(range(2000))
    late = np.array([t - sent for sent, _, t in found])
    assert late.min() >= 0.01 - 1e-9 and 0.012 < late.mean() < 0.03
    exact = DelayLine(0.005)
    exact.send(0.0, "x")
    assert exact.newest(0.004) is None and exact.newest(0.005).value == "x"  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="at least 0"):
        DelayLine(-1.0)


def test_parts_of_a_mission_feel_force_and_torque() -> None:
    """A `ForceTorque` and `JointTorques` on an arm that holds still: weights, by hand."""
    world = WORLD.altered(bodies=WORLD.bodies[:3], contacts=())
    parts = {"wrist": ms.ForceTorque("hand", period=1e-2), "joints": ms.JointTorques(("upper", "fore"), period=1e-2)}

    def phases(wrist: ms.ForceTorque, joints: ms.JointTorques):  # type: ignore[no-untyped-def]
        yield ms.Wait(0.05)

    dynamics = sd.Dynamics(world)
    conductor = ms_conductor(dynamics, parts, phases)
    q, v = dynamics.state({})
    hold = dynamics.inverse_dynamics(q, v, v)
    sd.Simulation(dynamics, q, v, h=1e-2, controllers=[conductor]).run(0.1, commands=hold)
    reading = parts["wrist"].reading  # type: ignore[attr-defined]
    assert np.linalg.norm(reading.force) == pytest.approx(1.5 * 9.80665)
    assert parts["joints"].torques == pytest.approx(hold, abs=1e-9)  # type: ignore[attr-defined]
    with pytest.raises(ms.PartError, match="no body or frame 'hnad'"):
        ms_conductor(dynamics, {"wrist": ms.ForceTorque("hnad", period=1e-2)}, phases)


def ms_conductor(dynamics: sd.Dynamics, parts: dict[str, ms.Part], phases: object):  # type: ignore[no-untyped-def]
    from softdock.mission.conductor import Conductor

    return Conductor(dynamics, parts, phases, period=1e-2, h=1e-2)  # type: ignore[arg-type]
