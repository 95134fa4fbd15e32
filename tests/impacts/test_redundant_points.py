"""Where redundant points leave a choice of impulses, the least are taken: what is symmetric stays so, and what is
wedged moves as it can."""

import numpy as np
import pytest

import softdock as sd
from softdock.contact.impact_law import FRICTION_ERROR, impact

G = 9.81


def cuboid(name, mass=1.0, size=(0.2, 0.2, 0.2), at=(0.0, 0.0, 0.0), **what):
    x, y, z = size
    inertia = [mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12]
    shape = sd.Box(size=size, placement=sd.Pose(position=at))
    return sd.Body(name=name, mass=mass, inertia=inertia, shapes=[shape], **what)


def test_a_box_slides_straight_down_between_two_jaws():
    """a = g − 2 μ F/m. (It went 43 % further, aside, and spun: eight points leave the moment about the jaws open.)"""
    anvil = sd.Body(
        name="anvil", mass=0, joint=sd.Fixed(),
        shapes=[sd.Box(size=(1, 1, 1), placement=sd.Pose(position=(-0.6, 0, 0)))],
    )  # fmt: skip
    jaw = cuboid("jaw", 2.0, (1, 1, 1), (0.6, 0, 0), joint=sd.Prismatic(axis=(1, 0, 0)))
    world = sd.World(gravity=sd.Uniform(acceleration=(0, 0, -G)), bodies=[anvil, jaw, cuboid("box")])
    dynamics = sd.Dynamics(world.with_contacts("all", friction=0.5, restitution=0.0))
    run = sd.Motion(dynamics, *dynamics.state(), h=2e-3).run(250, dynamics.command(force={"jaw": -9.0}))
    box, turning = run.q[:, dynamics.layout.q["box"]], run.v[:, dynamics.layout.v["box"]][:, 3:]
    assert box[:, 2] == pytest.approx(-0.5 * (G - 9.0) * run.t**2, abs=1e-9)
    assert np.abs(box[:, :2]).max() < 1e-9
    assert np.abs(turning).max() < 1e-5


def test_a_symmetric_hit_with_friction_is_symmetric():
    """A piston hits a block on a rough floor face on face. (The block got 0.02 m/s aside and 0.2 rad/s.)"""
    servo = sd.Servo(kp=2000, kd=50)
    piston = cuboid("piston", 3.0, joint=sd.Prismatic(axis=(1, 0, 0), servo=servo))
    floor = sd.Body(
        name="floor", mass=0, joint=sd.Fixed(),
        shapes=[sd.Box(size=(40, 40, 2), placement=sd.Pose(position=(0, 0, -1.1)))],
    )  # fmt: skip
    contacts = [
        sd.Contact(name="hit", body_a="piston", body_b="block", restitution=0.2, friction=0.3),
        sd.Contact(name="floor", body_a="block", body_b="floor", restitution=0.0, friction=0.3),
    ]
    world = sd.World(
        gravity=sd.Uniform(acceleration=(0, 0, -G)), bodies=[floor, piston, cuboid("block", 2.0)], contacts=contacts
    )
    dynamics = sd.Dynamics(world)
    motion = sd.Motion(dynamics, *dynamics.state({"block": {"position": (0.5, 0, 0)}}), h=1e-3)
    run = motion.run(150, dynamics.command(position={"piston": 0.8}))
    assert any(impact.contact == "hit" and impact.impulse > 1 for impact in run.impacts)
    block = run.v[:, dynamics.layout.v["block"]]
    assert np.abs(block[:, 0]).max() > 1.0
    assert np.abs(block[:, [1, 3, 5]]).max() < 1e-8


@pytest.mark.parametrize("friction", [0.2, 1.0, 1.5, 10.0])
def test_a_ball_rolls_down_a_groove_in_which_it_may_be_wedged(friction):
    """a = g sin α/(1 + 0.4/sin² β) at any friction. (Above tan β it had no solution: the impulses that hold each other
    are within their cones.)"""
    half, slope, r = 0.8, 0.3, 0.1
    walls = [
        sd.Body(
            name=f"wall {side}", mass=0, joint=sd.Fixed(),
            shapes=[sd.Box(size=(8, 20, 1), placement=sd.Pose(
                position=(-side * np.cos(half) / 2, 0, -np.sin(half) / 2), rpy=(0, side * (np.pi / 2 - half), 0)))],
        )
        for side in (1, -1)
    ]  # fmt: skip
    ball = sd.Body(name="ball", mass=1.0, inertia=[0.4 * r * r] * 3, shapes=[sd.Sphere(radius=r)])
    gravity = sd.Uniform(acceleration=(0, G * np.sin(slope), -G * np.cos(slope)))
    world = sd.World(gravity=gravity, bodies=[*walls, ball]).with_contacts("all", friction=friction, restitution=0.0)
    dynamics = sd.Dynamics(world)
    motion = sd.Motion(dynamics, *dynamics.state({"ball": {"position": (0, 0, r / np.sin(half))}}), h=5e-3)
    run = motion.run(100)
    acceleration = G * np.sin(slope) / (1 + 0.4 / np.sin(half) ** 2)
    assert run.q[-1, 1] == pytest.approx(0.5 * acceleration * run.t[-1] ** 2, rel=3e-4)  # h²
    assert np.abs(run.q[:, 0]).max() < 1e-12
    assert np.abs(run.q[:, 2] - run.q[0, 2]).max() < 1e-12


def test_a_hit_of_a_plate_at_its_four_corners_is_that_of_its_middle():
    """Of a plate that lands flat, sliding, both sides push alike, and restitution is solved as compression is (it was
    left to sweeps, 0.2 of the speeds off in one of a thousand scenes)."""
    corners = np.array([(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.3, 0.3)])
    rows = [np.r_[axis, np.cross(at, axis)] for at in corners for axis in np.eye(3)[[2, 0, 1]]]
    weight = np.sqrt([2.0, 2.0, 2.0, 0.06, 0.04, 0.09])
    w, r, stats = weight * [3.0, 0.0, -1.0, 0, 0, 0], np.zeros(12), np.zeros(5)
    impact(np.array(rows).T / weight[:, None], w, np.full(4, 0.5), np.full(4, 0.1), r, stats)
    assert stats[FRICTION_ERROR] < 1e-12
    left, right = r[::3][:2].sum(), r[::3][2:].sum()
    assert r[::3].sum() == pytest.approx(2.0 * 1.5, rel=1e-12)  # (1 + e) m v
    assert r[1::3] == pytest.approx(-0.1 * r[::3], rel=1e-9)  # slides on all along
    assert r[::3][0] == pytest.approx(r[::3][1], rel=1e-7)  # the choice is made to rounding over 1e-4 (CHOICE)
    assert r[::3][2] == pytest.approx(r[::3][3], rel=1e-7)
    # flat: compression and restitution let no side rise, so that moments of friction and pressure cancel
    assert 0.1 * 0.1 * (left + right) == pytest.approx(0.2 * (right - left), rel=1e-9)
