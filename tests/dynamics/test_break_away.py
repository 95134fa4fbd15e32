"""Joints with static friction beside what bears a load with them: break-away at the sum of what all of them hold."""

import numpy as np
import pytest

import softdock as sd

HOLDS, SLIDES, MASS, MU, G = 2.0, 1.0, 2.0, 0.5, 10.0
WHOLE = HOLDS + MU * MASS * G


def pusher(latch=False, **joint):
    """A slider that presses on a box, which friction of the floor holds; a second box may be welded to it."""
    floor = sd.Body(
        name="floor", mass=0, joint=sd.Fixed(),
        shapes=[sd.Box(size=(9, 9, 1), placement={"position": (0, 0, -0.5)})],
    )  # fmt: skip
    push = sd.Body(
        name="push", joint=sd.Prismatic(axis=(1, 0, 0), **joint), placement=sd.Pose(position=(-0.5, 0, 0.1)),
        mass=1, inertia=[0.1] * 3, shapes=[sd.Box(size=(0.2, 0.2, 0.18))],
    )  # fmt: skip
    names = ["box", "second"] if latch else ["box"]
    boxes = [sd.Body(name=name, mass=MASS, inertia=[0.02] * 3, shapes=[sd.Box(size=(0.2, 0.2, 0.2))]) for name in names]
    contacts = [sd.Contact(name=name, body_a=name, body_b="floor", restitution=0, friction=MU) for name in names]
    contacts.append(sd.Contact(name="pushed", body_a="push", body_b="box", restitution=0))
    weld = sd.Latch(name="weld", kind="weld", frame_a="box", frame_b="second", capture_distance=1, capture_angle=1)
    gravity = sd.Uniform(acceleration=(0, 0, -G))
    world = sd.World(
        gravity=gravity, bodies=[floor, push, *boxes], contacts=contacts, latches=[weld] if latch else []
    )  # fmt: skip
    dynamics = sd.Dynamics(world)
    places = {name: {"position": (-0.3 + 0.3 * k, 0, 0.1)} for k, name in enumerate(names)}
    return dynamics, *dynamics.state(places)


@pytest.mark.parametrize("h", [1e-2, 1e-3])
@pytest.mark.parametrize("grows", ["at once", "slowly"])
def test_a_slider_and_the_box_before_it_hold_together(grows, h):
    dynamics, q, v = pusher(friction=sd.Friction(force=SLIDES, static=HOLDS))
    steps, last = 60, 20
    for part in (1 - 1e-6, 1 + 1e-6):
        force = np.zeros((steps, dynamics.nv))
        force[:, 0] = WHOLE * part
        if grows == "slowly":
            force[:-last, 0] = np.linspace(0.4 * WHOLE, WHOLE * (1 - 1e-3), steps - last)
        motion = sd.Motion(dynamics, q, v, h=h)
        motion.run(10, 0.4 * force[-1])
        motion.run(steps, force)
        if part < 1:
            assert motion.q[0] == 0 and motion.v[0] == 0
        else:
            slid = h * (last if grows == "slowly" else steps)
            assert motion.v[0] == pytest.approx((HOLDS - SLIDES) / (1 + MASS) * slid, rel=1e-2)


@pytest.mark.parametrize(("kp", "kd"), [(1e4, 1e3), (1e6, 1e4), (1e3, 1e3), (1e6, 2e3)])
@pytest.mark.parametrize("h", [1e-2, 3e-3])
def test_a_servo_that_the_step_does_not_resolve_breaks_away_where_it_should(kp, kd, h):
    joint = sd.Revolute(servo=sd.Servo(kp=kp, kd=kd), friction=sd.Friction(force=0.2, static=0.3))
    dynamics = sd.Dynamics(sd.World(bodies=[sd.Body(name="a", mass=1, inertia=[1] * 3, joint=joint)]))
    for part, moves in ((1 - 1e-6, False), (1 + 1e-6, True)):
        target = dynamics.command(position={"a": part * 0.3 / kp})
        path = sd.rollout(dynamics, [0.0], [0.0], h=h, steps=30, commands=target)
        assert (path.q[-1, 0] != 0) == moves
        motion = sd.Motion(dynamics, [0.0], [0.0], h=h)
        for _ in range(5):
            motion.run(1, target)
        assert (motion.q[0] != 0) == moves


@pytest.mark.parametrize("latch", [False, True])
@pytest.mark.parametrize("h", [1e-2, 1e-3])
@pytest.mark.parametrize(("kp", "kd"), [(1e4, 1e3), (1e6, 1e4), (1e6, 2e3)])
def test_a_box_before_a_servo_that_the_step_does_not_resolve_slides_where_it_should(kp, kd, h, latch):
    """It crept from three quarters of that: friction of half a step held against two thirds of one of the servo's."""
    dynamics, q, v = pusher(latch, servo=sd.Servo(kp=kp, kd=kd))
    holds = MU * MASS * G * (1 + latch)
    for part, moves in ((0.9, False), (1 - 1e-6, False), (1 + 1e-6, True)):
        for calls in (1, 20):
            motion = sd.Motion(dynamics, q, v, h=h)
            if latch:
                motion.engage("weld")
            for _ in range(calls):
                motion.run(20 // calls, dynamics.command(position={"push": part * holds / kp}))
            if moves:
                assert motion.q[0] > 0.5 * (1 - np.exp(-20 * h * kp / kd)) * (part - 1) * holds / kp
            else:
                assert abs(motion.q[0]) < 2e-12


@pytest.mark.parametrize("h", [1e-2, 1e-3])
@pytest.mark.parametrize(("kp", "kd"), [(1e4, 1e3), (1e6, 1e4), (1e6, 2e3)])
def test_such_a_servo_with_stiction_and_the_box_hold_together(kp, kd, h):
    dynamics, q, v = pusher(servo=sd.Servo(kp=kp, kd=kd), friction=sd.Friction(force=SLIDES, static=HOLDS))
    for part, moves in ((0.99, False), (1 - 1e-6, False), (1 + 1e-6, True)):
        for calls in (1, 20):
            motion = sd.Motion(dynamics, q, v, h=h)
            for _ in range(calls):
                motion.run(20 // calls, dynamics.command(position={"push": part * WHOLE / kp}))
            assert (motion.q[0] != 0) == moves
