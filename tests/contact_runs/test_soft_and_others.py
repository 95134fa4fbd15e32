"""Compliant gaps beside what else a world may have: links of one arm, latches, located impacts."""

import numpy as np
import pytest
from soft_worlds import ball, cuboid

import softdock as sd
from softdock.contact import proximities


def folding_arm(contacts):
    """Three links on a free base; folding, the last comes back on the first."""
    bar = {"mass": 2.0, "center": (0.25, 0, 0), "inertia": (0.01, 0.05, 0.05)}
    shapes = [sd.Box(size=(0.4, 0.06, 0.06), placement=sd.Pose(position=(0.25, 0, 0)))]
    at = {"placement": sd.Pose(position=(0.5, 0, 0))}
    bodies = [
        sd.Body(name="base", mass=20, inertia=[1, 1, 1]),
        sd.Body(name="one", parent="base", joint=sd.Revolute(), shapes=shapes, **bar),
        sd.Body(name="two", parent="one", joint=sd.Revolute(), shapes=shapes, **at, **bar),
        sd.Body(name="three", parent="two", joint=sd.Revolute(), shapes=shapes, **at, **bar),
    ]
    return sd.Dynamics(sd.World(bodies=bodies, contacts=contacts))


def test_links_of_one_arm_collide_only_where_a_gap_says_so():
    soft = sd.Compliance(stiffness=1e8, damping=0.2)
    depth = []
    for gaps in ([sd.Contact(name="fold", body_a="three", body_b="one", compliance=soft)], []):
        dynamics = folding_arm(gaps)
        start = dynamics.state({"two": {"position": 2.0}, "three": {"position": 1.9, "velocity": 0.8}})
        motion = sd.Motion(dynamics, *start, h=2e-3)
        before = dynamics.balance(*start)
        run = motion.run(750)
        after = dynamics.balance(run.q, run.v)
        assert np.abs(after.momentum - before.momentum).max() < 1e-12
        assert np.abs(after.angular_momentum - before.angular_momentum).max() < 1e-12
        depth.append(-apart(dynamics, run.q).min())
    assert 0 < depth[0] < 0.02
    assert depth[1] > 0.05  # straight through


def apart(dynamics, q):
    """Signed distance of the boxes of the first and the last link, by the query from Python."""
    poses = []
    for name in ("one", "three"):
        X = np.tile(np.eye(4), (len(q), 1, 1))
        X[:, :3, :3], X[:, :3, 3] = dynamics.pose(name, q)
        poses.append(X)
    shape = dynamics.world.body("one").shapes[0]
    return proximities(shape, poses[0], shape, poses[1]).distance


@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_a_latch_a_located_impact_and_a_compliant_contact_in_one_world(damping):
    """A dumb-bell on a rod: one ball meets a wall that gives way, the other one that does not."""

    def wall(name, at, size):
        shape = sd.Box(size=size, placement=sd.Pose(position=at))
        return sd.Body(name=name, mass=0, joint=sd.Fixed(), shapes=[shape])

    world = sd.World(
        bodies=[ball("a"), ball("b", 2.0), wall("x", (1.6, 0, 0), (1, 4, 4)), wall("y", (0, -1.2, 0), (4, 1, 4))],
        latches=[sd.Latch(name="rod", kind="distance", frame_a="a", frame_b="b", length=0.5, engaged=True)],
        contacts=[
            sd.Contact(name="hard", body_a="b", body_b="x", restitution=0.6),
            sd.Contact(name="soft", body_a="a", body_b="y", compliance=sd.Compliance(stiffness=1e7, damping=damping)),
        ],
    )
    dynamics = sd.Dynamics(world)
    start = dynamics.state({"a": {"velocity": (1, -1, 0)}, "b": {"position": (0.3, 0.4, 0), "velocity": (1, -1, 0)}})
    motion = sd.Motion(dynamics, *start, h=1e-3)
    energy, lowest, violation, impacts = [dynamics.balance(*start).total], 1.0, 0.0, []
    for _ in range(1500):
        impacts += motion.run(1, ledger=True).impacts
        energy.append(dynamics.balance(motion.q, motion.v).total + motion.stored)
        lowest = min(lowest, motion.gaps()[1])
        violation = max(violation, motion.violation())
    assert [impact.contact for impact in impacts] == ["hard"]
    assert impacts[0].speed_after == pytest.approx(-0.6 * impacts[0].speed_before, abs=1e-12)
    assert -0.05 < lowest < -1e-3
    assert violation < 1e-12
    account = motion.account
    assert energy[-1] - energy[0] == pytest.approx(account["work_contacts"] - account["lost_impacts"], abs=1e-3)
    # the rod turns: its step keeps energy to second order only, as without contacts
    assert np.diff(energy).max() < 1e-5
    assert (account["work_contacts"] < -0.1) == (damping > 0)


def test_two_compliant_gaps_at_once_share_the_load():
    """A plank on two blocks lies level, as deep in each as half its weight presses it."""
    feet = [cuboid(name, 1.0, (0.2, 0.2, 0.1), joint=sd.Fixed(), placement=sd.Pose(position=(x, 0, 0)))
            for name, x in (("left", -0.3), ("right", 0.3))]  # fmt: skip
    plank = cuboid("plank", 3.0, (1.0, 0.2, 0.05))
    law = sd.Compliance(stiffness=1e5, exponent=1.5, damping=5.0)
    contacts = [sd.Contact(name=foot.name, body_a="plank", body_b=foot.name, compliance=law) for foot in feet]
    gravity = sd.Uniform(acceleration=(0, 0, -9.81))
    dynamics = sd.Dynamics(sd.World(gravity=gravity, bodies=[*feet, plank], contacts=contacts))
    motion = sd.Motion(dynamics, *dynamics.state({"plank": {"position": (0, 0, 0.0755)}}), h=1e-3)
    motion.run(3000)
    assert motion.gaps() == pytest.approx([-((1.5 * 9.81 / 1e5) ** (2 / 3))] * 2, abs=2e-6)
