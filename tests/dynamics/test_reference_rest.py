"""Contacts at rest under the reference integrator, against textbook answers, and steps against it."""

import numpy as np
import pytest

import softdock as sd

G = 9.81
SIZE = (0.6, 0.4, 0.5)
FLOOR = sd.Box(size=(80, 1, 80), placement=sd.Pose(position=(0, -0.5, 0)))


def world(angle: float, shape: sd.Box | sd.Sphere, inertia: tuple[float, float, float], **law: float) -> sd.Dynamics:
    """A body of 2 kg on a slope that goes down along x."""
    return sd.Dynamics(
        sd.World(
            gravity=sd.Uniform(acceleration=(G * np.sin(angle), -G * np.cos(angle), 0)),
            bodies=[
                sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[FLOOR]),
                sd.Body(name="body", mass=2.0, inertia=inertia, shapes=[shape]),
            ],
            contacts=[sd.Contact(name="contact", body_a="body", body_b="floor", **law)],
        )
    )


def block(angle: float, friction: float, restitution: float = 0.0) -> sd.Dynamics:
    x, y, z = SIZE
    inertia = (2.0 / 12 * (y * y + z * z), 2.0 / 12 * (x * x + z * z), 2.0 / 12 * (x * x + y * y))
    return world(angle, sd.Box(size=SIZE), inertia, friction=friction, restitution=restitution)


def run(dynamics: sd.Dynamics, seconds: float, h: float = 0.01, **state: object) -> sd.Trajectory:
    motion = sd.Motion(dynamics, *dynamics.state({"body": state}), h=h)
    return sd.ReferenceMotion(motion).run(round(seconds / h))


def test_a_block_slides_or_sticks():
    slides = run(block(0.3, 0.2), 1.0, position=(0, 0.2, 0))
    assert slides.q[-1, 0] == pytest.approx(0.5 * G * (np.sin(0.3) - 0.2 * np.cos(0.3)), abs=1e-11)
    sticks = run(block(0.3, np.tan(0.3) * (1 + 1e-6)), 1.0, position=(0, 0.2, 0))
    assert np.abs(sticks.v).max() < 1e-14


def test_it_slides_up_stops_and_stays_or_slides_back():
    for friction in (0.5, 0.1):
        up, down = (G * (np.sin(0.3) + side * friction * np.cos(0.3)) for side in (1, -1))
        ended = run(block(0.3, friction), 1.0, position=(0, 0.2, 0), velocity=(-1, 0, 0))
        back = 0.5 * max(0.0, down) * (1.0 - 1.0 / up) ** 2
        assert ended.q[-1, 0] == pytest.approx(-0.5 / up + back, abs=1e-8)
        assert ended.v[-1, 0] == pytest.approx(max(0.0, down) * (1.0 - 1.0 / up), abs=1e-8)


def test_speed_and_its_part_down_the_slope_sum_up_to_the_same_where_friction_is_the_slopes_tangent():
    """Galilei's plane: d|u|/dt = −du_x/dt if μ = tan α, whatever way the block goes."""
    ended = run(block(0.3, np.tan(0.3)), 2.0, position=(0, 0.2, 0), velocity=(0.2, 0, 1.0))
    u = ended.v[:, [0, 2]]
    assert np.hypot(*u.T) + u[:, 0] == pytest.approx(0.2 + np.hypot(0.2, 1.0), abs=1e-9)
    assert u[-1, 1] < 0.1


def test_a_ball_slides_until_it_rolls():
    dynamics = world(0.0, sd.Sphere(radius=0.1), (0.008,) * 3, friction=0.3)
    ended = run(dynamics, 1.2, position=(0, 0.1, 0), velocity=(2, 0, 0))
    rolls = 2 * 2 / (7 * 0.3 * G)
    way = 2 * rolls - 0.5 * 0.3 * G * rolls**2 + 5 / 7 * 2 * (1.2 - rolls)
    assert ended.q[-1, 0] == pytest.approx(way, abs=1e-8)
    assert ended.v[-1, [0, 5]] == pytest.approx([10 / 7, -100 / 7], abs=1e-8)


def test_a_slender_block_rocks_to_its_other_edge_as_housners():
    """It falls on its edge as a pendulum; on landing the rate is 1 − 3/2 sin²α of what it was (Housner 1963)."""
    x, y, tilt = 0.2, 0.8, 0.1
    inertia = (2.0 / 12 * (y * y + 0.25), 2.0 / 12 * (x * x + 0.25), 2.0 / 12 * (x * x + y * y))
    dynamics = world(0.0, sd.Box(size=(x, y, 0.5)), inertia, friction=1.5, restitution=0.0)
    R, alpha = np.hypot(x, y) / 2, np.arctan2(x, y)
    c, s = np.cos(tilt), np.sin(tilt)  # turned by −tilt about its lower right edge, at the origin
    place = (-c * x / 2 + s * y / 2, s * x / 2 + c * y / 2, 0)
    ended = run(dynamics, 0.5, h=0.005, position=place, quaternion=(np.cos(tilt / 2), 0, 0, -np.sin(tilt / 2)))
    before = np.sqrt(2 * G * R * (np.cos(alpha - tilt) - np.cos(alpha)) / (4 / 3 * R * R))
    landing, after = ended.impacts[0].time, ended.t > ended.impacts[0].time
    assert ended.impacts[0].speed_before == pytest.approx(-before * x, rel=1e-7)
    rate, turned = ended.v[after, 5], 2 * np.arctan2(ended.q[after, 6], ended.q[after, 3])
    energy = 2 / 3 * R * R * rate**2 + G * R * np.cos(alpha - turned)
    lost = 2 / 3 * R * R * ((1 - 1.5 * np.sin(alpha) ** 2) * before) ** 2 + G * R * np.cos(alpha)
    first = ended.t[after] < (ended.impacts[1].time if len(ended.impacts) > 1 else np.inf)
    assert landing < 0.4 and first.sum() > 5
    assert energy[first] == pytest.approx(lost, rel=1e-8)


def test_steps_of_a_block_that_slides_and_stops_converge_to_it():
    dynamics, state = block(0.3, 0.5), {"position": (0, 0.2, 0), "velocity": (-1, 0, 0.3)}
    true = run(dynamics, 0.5, **state).q[-1]
    off = []
    for h in (0.01, 0.0025):
        motion = sd.Motion(dynamics, *dynamics.state({"body": state}), h=h)
        off.append(np.abs(motion.run(round(0.5 / h)).q[-1] - true).max())
    assert off[1] < 0.4 * off[0] < 2e-4


def test_two_boxes_that_a_latch_welds_slide_as_one():
    half = sd.Box(size=(0.3, 0.4, 0.5))
    body = {"mass": 1.0, "inertia": (0.03, 0.03, 0.02), "shapes": [half]}
    dynamics = sd.Dynamics(
        sd.World(
            gravity=sd.Uniform(acceleration=(G * np.sin(0.3), -G * np.cos(0.3), 0)),
            bodies=[
                sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[FLOOR]),
                sd.Body(name="a", **body),
                sd.Body(name="b", **body),
            ],
            contacts=[sd.Contact(name=n, body_a=n, body_b="floor", friction=0.2) for n in ("a", "b")],
            latches=[sd.Latch(name="weld", kind="weld", frame_a="a", frame_b="b", capture_distance=1.0)],
        )
    )
    motion = sd.Motion(
        dynamics, *dynamics.state({"a": {"position": (0, 0.2, 0)}, "b": {"position": (0.4, 0.2, 0)}}), h=0.01
    )
    motion.engage("weld")
    ended = sd.ReferenceMotion(motion).run(50)
    assert ended.q[-1, [0, 7]] - [0, 0.4] == pytest.approx(0.125 * G * (np.sin(0.3) - 0.2 * np.cos(0.3)), abs=1e-10)


@pytest.mark.parametrize("seed", [21, 22])
def test_a_box_that_tumbles_bounces_slides_and_comes_to_rest_lies_where_steps_say(seed):
    rng = np.random.default_rng(seed)
    quaternion = rng.normal(size=4)
    state = {
        "position": (0, 0.6, 0),
        "quaternion": quaternion / np.linalg.norm(quaternion),
        "velocity": 0.5 * rng.normal(size=3),
        "angular_velocity": rng.normal(size=3),
    }
    dynamics = block(0.1, 0.4, restitution=0.3)
    true = run(dynamics, 1.0, h=0.002, **state)
    steps = sd.Motion(dynamics, *dynamics.state({"body": state}), h=0.002).run(500)
    assert len(true.impacts) > 20 and np.abs(true.v[-1]).max() < 1e-12
    assert np.abs(steps.q - true.q).max() < 5e-3
