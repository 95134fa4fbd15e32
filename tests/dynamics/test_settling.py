"""Dampers and servos that the step cannot resolve settle; those that it resolves keep order 2.

Physical conditions: joints about fixed axes with exact solutions; arms on a free base without gravity, so that momentum
is conserved and energy may only be lost; arms at rest under load.
"""

import numpy as np
import pytest

import softdock as sd

H = 0.01
J = 2.0
"""Inertia of the single joint (kg m²)."""


def tensor(x: float, y: float, z: float) -> tuple[tuple[float, float, float], ...]:
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def joint(kp: float = 0.0, kd: float = 0.0, **resisting: object) -> sd.Dynamics:
    """One body that turns about its centre."""
    servo = sd.Servo(kp=kp, kd=kd) if kp or kd else None
    body = sd.Body(name="disc", joint=sd.Revolute(servo=servo, **resisting), mass=1.0, inertia=tensor(J, J, J))
    return sd.Dynamics(sd.World(name="joint", bodies=(body,)))


def arm(kp: float, kd: float, joints: int = 4, base: object = None, **world: object) -> sd.Dynamics:
    links = [
        sd.Body(
            name=f"link{k}", parent=f"link{k - 1}" if k else "base",
            joint=sd.Revolute(axis=(0, 1, 0) if k % 2 else (0, 0, 1), servo=sd.Servo(kp=kp, kd=kd)),
            placement=sd.Pose(position=(0.5, 0.02, 0.1)), mass=10.0, center=(0.25, 0.01, 0.02),
            inertia=tensor(0.05, 0.2, 0.22),
        )
        for k in range(joints)
    ]  # fmt: skip
    carrier = sd.Body(name="base", joint=base or sd.Free(), mass=100.0, inertia=tensor(30.0, 40.0, 50.0))
    return sd.Dynamics(sd.World(name="arm", bodies=(carrier, *links), **world))


@pytest.mark.parametrize("stiffness", [1e-2, 1e-1, 1.0, 4.0, 5.0, 10.0, 30.0, 100.0, 500.0, 1e4, 1e6])
def test_a_critically_damped_servo_does_not_overshoot(stiffness: float) -> None:
    """kp h²/J from far resolved to far not; with the midpoint rule alone 69 % at 500."""
    kp = stiffness * J / H**2
    steps = int(20 / np.sqrt(stiffness)) + 20
    run = sd.Motion(joint(kp, 2 * np.sqrt(kp * J)), [1.0], [0.0], h=H).run(steps)
    assert run.q.min() > -0.02
    assert abs(run.q[-1, 0]) < 1e-7
    energy = 0.5 * J * run.v[:, 0] ** 2 + 0.5 * kp * run.q[:, 0] ** 2
    assert np.all(np.diff(energy) <= 5e-4 * 0.5 * kp)
    assert np.max(np.abs(run.v)) < 1.01 / H


@pytest.mark.parametrize("damping", [0.7, 3.0])
@pytest.mark.parametrize("stiffness", [30.0, 500.0, 1e6])
def test_other_unresolved_servos_settle_too(damping: float, stiffness: float) -> None:
    kp = stiffness * J / H**2
    run = sd.Motion(joint(kp, 2 * damping * np.sqrt(kp * J)), [1.0], [0.0], h=H).run(100)
    assert -run.q.min() < 0.05  # a servo with damping ratio 0.7 itself overshoots by 4.6 %
    assert abs(run.q[-1, 0]) < 1e-6


@pytest.mark.parametrize("rate", [0.1, 1.9, 2.1, 10.0, 1e3, 1e6])
def test_a_damper_stops_without_turning_back(rate: float) -> None:
    """And under a constant torque it turns at torque/damping, whatever the step."""
    damping = rate * J / H
    run = sd.Motion(joint(damping=(damping,)), [0.0], [1.0], h=H).run(200)
    assert run.v.min() > -1e-15
    assert np.diff(run.v[:, 0]).max() < 1e-15
    assert run.q[-1, 0] == pytest.approx(J / damping, rel=1e-7)
    driven = sd.Motion(joint(damping=(damping,)), [0.0], [0.0], h=H).run(400, [3.0])
    assert driven.v[-1, 0] == pytest.approx(3.0 / damping, rel=1e-12)


def test_the_damper_of_a_tumbling_body_stops_it() -> None:
    body = sd.Body(
        name="a", joint=sd.Free(damping=(1e5,)), mass=10.0, center=(0.1, 0, 0), inertia=tensor(1.0, 2.0, 2.5)
    )
    dynamics = sd.Dynamics(sd.World(name="drag", bodies=(body,)))
    start = np.array([1.0, -2.0, 0.5, 0.3, 0.6, -0.4])
    run = sd.Motion(dynamics, dynamics.layout.neutral(), start, h=H).run(20)
    energy = dynamics.balance(run.q, run.v).kinetic
    assert np.all(np.diff(energy) <= 0.0)
    assert abs(run.v[-1]).max() < 1e-8


def test_order_two_where_it_is_resolved() -> None:
    """Against the exact motion of a critically damped joint: q = (1 + ωt) e^(−ωt)."""
    omega = 10.0
    dynamics = joint(omega**2 * J, 2 * omega * J)
    errors = []
    for h in (0.1, 0.05, 0.025):  # h ω from 1
        run = sd.Motion(dynamics, [1.0], [0.0], h=h).run(round(0.5 / h))
        errors.append(abs(run.q[-1, 0] - 6.0 * np.exp(-5.0)))
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert order == pytest.approx([2.0, 2.0], abs=0.15)


@pytest.mark.parametrize("stiffness", [100.0, 1e5])
def test_an_unresolved_servo_follows_a_smooth_target_at_order_two(stiffness: float) -> None:
    """Gains grow as the step shrinks, so that it never resolves the servo; fed forward, the exact servo has no error.
    The position is of order 2; the velocity of order 1, since where it turns nothing is foreseen."""
    errors = []
    for h in (0.08, 0.04, 0.02):
        kp = stiffness * J / h**2
        dynamics = joint(kp, 2 * np.sqrt(kp * J))
        t = h * (np.arange(round(8.0 / h)) + 0.5)
        command = dynamics.command(
            position={"disc": np.sin(t)}, rate={"disc": np.cos(t)}, force={"disc": -J * np.sin(t)}
        )
        run = sd.Motion(dynamics, [0.0], [1.0], h=h).run(len(t), command)
        late = run.t > 4.0
        errors.append(
            [abs(run.q[late, 0] - np.sin(run.t[late])).max(), abs(run.v[late, 0] - np.cos(run.t[late])).max()]
        )
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(order[:, 0] > 1.9)
    assert np.all(order[:, 1] > 0.9)


@pytest.mark.parametrize(("kp", "kd"), [(4e3, 900.0), (1e5, 1e3), (1e9, 1e5)])
def test_an_unresolved_arm_keeps_momentum_and_makes_no_energy(kp: float, kd: float) -> None:
    dynamics = arm(kp, kd)
    q, v = dynamics.layout.neutral(), np.zeros(dynamics.nv)
    q[7:], v[:6] = (0.3, -0.2, 0.5, 0.1), (0.2, -0.1, 0.3, 0.4, -0.5, 0.2)
    run = sd.Motion(dynamics, q, v, h=0.05).run(400)
    before, after = dynamics.balance(q, v), dynamics.balance(run.q, run.v)
    assert abs(after.momentum - before.momentum).max() < 1e-12
    assert abs(after.angular_momentum - before.angular_momentum).max() < 1e-11
    energy = after.kinetic + 0.5 * kp * np.sum(run.q[:, 7:] ** 2, axis=1)
    assert energy.max() < before.kinetic + 0.5 * kp * np.sum(q[7:] ** 2)
    assert abs(run.q[-1, 7:]).max() < 1e-3


def test_an_unresolved_servo_carries_the_weight() -> None:
    kp = 1e7
    dynamics = arm(kp, 2e4, base=sd.Revolute(axis=(0, 1, 0), servo=sd.Servo(kp=1e8, kd=1e6)), gravity=sd.Uniform())
    motion = sd.Motion(dynamics, dynamics.layout.neutral(), np.zeros(dynamics.nv), h=H)
    motion.run(2000)
    assert abs(motion.v).max() < 1e-12
    load = dynamics.inverse_dynamics(motion.q, motion.v, np.zeros(dynamics.nv))
    assert -kp * motion.q[1:] == pytest.approx(load[1:], abs=1e-9)


def test_a_latch_holds_against_an_unresolved_servo_without_motion() -> None:
    """The latch loads joints that the step resolves and joints that it does not; nothing may move, nor seem to."""
    world = {
        "frames": (
            sd.Frame(name="tip", body="link3", placement=sd.Pose(position=(0.5, 0, 0))),
            sd.Frame(name="hook", body="world", placement=sd.Pose(position=(2.5, 0.08, 0.4))),
        ),
        "latches": (sd.Latch(name="grip", kind="point", frame_a="tip", frame_b="hook", capture_distance=1e-2),),
    }
    slow = sd.Revolute(axis=(0, 0, 1), servo=sd.Servo(kp=400.0, kd=1e3))
    dynamics = arm(1e5, 3e3, base=slow, **world)
    motion = sd.Motion(dynamics, dynamics.layout.neutral(), np.zeros(dynamics.nv), h=H)
    motion.engage("grip")
    target = dynamics.command(position={"base": 0.2, "link0": 0.05, "link1": -0.03, "link2": 0.1, "link3": 0.02})
    motion.run(4000, target)
    assert motion.violation() < 1e-12
    assert abs(motion.v).max() < 1e-9
    torque = dynamics.actuator_forces(motion.q, motion.v, target)
    assert abs(torque).max() > 10.0  # it does push
    rows = dynamics.jacobian("tip", motion.q)[3:]
    force = np.linalg.lstsq(rows.T, torque, rcond=None)[0]
    assert rows.T @ force == pytest.approx(torque, abs=1e-6 * abs(torque).max())


def test_springs_keep_their_energy() -> None:
    """A spring's light damper is physics, not the step's: it loses what the damping ratio says, at h ω = 0.5."""
    k, ratio = 0.25 * J / H**2, 1e-3
    spring = joint(spring=sd.Spring(stiffness=(k,)), damping=(2 * ratio * np.sqrt(k * J),))
    assert len(spring.plant.settling) == 0
    run = sd.Motion(spring, [1.0], [0.0], h=H).run(1000)
    energy = spring.balance(run.q, run.v).total
    assert energy[-1] / (0.5 * k) == pytest.approx(np.exp(-2 * ratio * 500), rel=0.1)


@pytest.mark.parametrize("order", [4, 6])
def test_higher_orders_refuse_what_they_cannot_resolve(order: int) -> None:
    dynamics = joint(1e4, 1e4)
    with pytest.raises(ValueError, match=r"orders 4 and 6 step back in time.* 'disc' .*a step of at most 0\.000\d+ s"):
        sd.Motion(dynamics, [1.0], [0.0], h=H, order=order)
    sd.Motion(dynamics, [1.0], [0.0], h=5e-4, order=order).run(1)


def test_gains_may_change_between_motions() -> None:
    """Memory that is used again knows nothing of the gains before."""
    dynamics = sd.Dynamics(joint(1.0, 1.0).world)
    soft = sd.Motion(dynamics, [1.0], [0.0], h=H).run(10).q
    stiff = sd.revised(dynamics, joint(1e6, 1e5).world)
    assert sd.Motion(stiff, [1.0], [0.0], h=H).run(10).q == pytest.approx(
        sd.Motion(joint(1e6, 1e5), [1.0], [0.0], h=H).run(10).q, rel=0, abs=0
    )
    assert sd.Motion(dynamics, [1.0], [0.0], h=H).run(10).q == pytest.approx(soft, rel=0, abs=0)


def press(compliance: sd.Compliance | None = None) -> sd.Dynamics:
    """A slide with a servo that the step does not resolve; on it a softer tip, before a wall at x = 0.9 m."""
    plate = (sd.Box(size=(0.2, 2.0, 2.0)),)
    bodies = (
        sd.Body(name="wall", joint=sd.Fixed(), mass=0.0, placement=sd.Pose(position=(1.0, 0, 0)), shapes=plate),
        sd.Body(name="slide", joint=sd.Prismatic(axis=(1, 0, 0), servo=sd.Servo(kp=1e8, kd=1e5)), mass=2.0),
        sd.Body(
            name="tip", parent="slide", joint=sd.Prismatic(axis=(1, 0, 0), servo=sd.Servo(kp=1e3, kd=100.0)), mass=1.0,
            placement=sd.Pose(position=(0.3, 0, 0)), shapes=(sd.Sphere(radius=0.1),),
        ),
    )  # fmt: skip
    wall = sd.Contact(name="touch", body_a="tip", body_b="wall", restitution=0.0, compliance=compliance)
    return sd.Dynamics(sd.World(name="press", bodies=bodies, contacts=(wall,)))


@pytest.mark.parametrize("compliance", [None, sd.Compliance(stiffness=1e3, exponent=1.0, damping=1.0)])
def test_an_unresolved_servo_presses_on_a_wall(compliance: sd.Compliance | None) -> None:
    """At rest every spring in the row has the same force: 1e3 (0.51 + 0.01 − 0.5 − depth) N at the tip."""
    dynamics = press(compliance)
    motion = sd.Motion(dynamics, np.zeros(2), np.zeros(2), h=0.002)
    motion.run(5000, dynamics.command(position={"slide": 0.51, "tip": 0.01}))
    springs = [1e-8, 1e-3] + ([1e-3] if compliance else [])
    force = 0.02 / sum(springs)
    assert abs(motion.v).max() < 1e-8
    assert 1e3 * (0.01 - motion.q[1]) == pytest.approx(force, rel=1e-10)
    assert 1e8 * (0.51 - motion.q[0]) == pytest.approx(force, rel=1e-6)
    assert motion.gaps()[0] == pytest.approx(-force * 1e-3 if compliance else 0.0, abs=1e-12)


def test_a_world_without_rotations_fails_with_its_own_reason() -> None:
    dynamics = press(sd.Compliance(stiffness=1e7, exponent=1.0))
    with pytest.raises(sd.StepFailed, match="stiffer than the step resolves"):
        sd.Motion(dynamics, [0.45, 0.0], [1.0, 0.0], h=0.01).run(100, dynamics.command(position={"slide": 0.6}))
