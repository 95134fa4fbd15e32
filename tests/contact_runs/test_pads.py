"""Pads that close on a bar, and offset boxes: many patches at once, tilted, sliding, coming to rest."""

import numpy as np
import pytest

import softdock as sd

LAW = sd.Compliance(stiffness=1e5, exponent=1.5, damping=0.3, friction=0.5)


def gripper(bar):
    """Two pads on rails of a free palm, and a bar between them."""
    pad = {"parent": "palm", "mass": 0.3, "inertia": [1e-3] * 3, "shapes": [sd.Box(size=(0.02, 0.1, 0.1))]}
    bodies = [
        sd.Body(name="palm", mass=5, inertia=[0.05] * 3),
        sd.Body(name="left", joint=sd.Prismatic(axis=(1, 0, 0)), **pad),
        sd.Body(name="right", joint=sd.Prismatic(axis=(-1, 0, 0)), **pad),
        sd.Body(name="bar", mass=1, inertia=[2e-3, 2e-3, 1e-3], shapes=[bar]),
    ]
    contacts = [sd.Contact(name=pad, body_a=pad, body_b="bar", compliance=LAW) for pad in ("left", "right")]
    return sd.Dynamics(sd.World(bodies=bodies, contacts=contacts))


@pytest.mark.parametrize(
    "bar",
    [sd.Box(size=(0.04, 0.04, 0.3)), sd.Capsule(radius=0.02, length=0.3), sd.Cylinder(radius=0.02, length=0.3)],
    ids=["box", "capsule", "cylinder"],
)
def test_pads_close_on_a_bar_and_hold_it(bar):
    """At 20 N each, the bar tilted by up to 0.8 rad and up to centimetres off: every step converges, nothing is pushed
    as a whole, and in the end the bar moves with the palm. (Of 90 such starts 25 used not to converge.)"""
    dynamics = gripper(bar)
    for seed, tilt in enumerate((0.0, 0.01, 0.03, 0.3, 0.8)):
        rng = np.random.default_rng([14, seed])
        axis, angle = rng.normal(size=3), tilt * rng.uniform(0.5, 1)
        turn = [np.cos(angle / 2), *(np.sin(angle / 2) * axis / np.linalg.norm(axis))]
        bar_at = {"position": 0.01 * rng.normal(size=3), "quaternion": turn}
        start = dynamics.state({"left": {"position": -0.06}, "right": {"position": -0.06}, "bar": bar_at})
        motion = sd.Motion(dynamics, *start, h=1e-3)
        motion.run(1500, [0, 0, 0, 0, 0, 0, 20, 20, 0, 0, 0, 0, 0, 0], every=1500)
        whole = dynamics.balance(motion.q, motion.v)
        assert np.abs(np.r_[whole.momentum, whole.angular_momentum]).max() < 1e-12
        (_, palm), (_, held) = (dynamics.pose(name, motion.q) for name in ("palm", "bar"))
        assert np.linalg.norm(held - palm) < 0.05
        assert np.abs(motion.v).max() < 0.3 and len(dynamics.contacts(motion.q, motion.v).contact) == 2


@pytest.mark.parametrize("located", [True, False])
def test_five_offset_boxes_with_friction_stand(located):
    """Each turned and off the one below by up to 6 cm of 40: the pile is in balance, so it stands."""
    size, law = (
        (0.4, 0.4, 0.2),
        {} if located else {"compliance": sd.Compliance(stiffness=3e6, exponent=1.5, damping=0.5, friction=0.6)},
    )
    slab = sd.Box(size=(4, 4, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    bodies = [sd.Body(name="b-1", mass=0, joint=sd.Fixed(), shapes=[slab])]
    bodies += [
        sd.Body(name=f"b{k}", mass=1, inertia=[0.0167, 0.0167, 0.0267], shapes=[sd.Box(size=size)]) for k in range(5)
    ]
    law = law or {"restitution": 0.0, "friction": 0.6}
    contacts = [sd.Contact(name=f"c{k}", body_a=f"b{k}", body_b=f"b{k - 1}", **law) for k in range(5)]
    world = sd.World(bodies=bodies, contacts=contacts, gravity=sd.Uniform(acceleration=(0, 0, -9.81)))
    dynamics, h = sd.Dynamics(world), 0.005 if located else 0.0005
    for seed in range(3 if located else 1):
        rng, state = np.random.default_rng([15, seed]), {}
        for k in range(5):
            half = rng.uniform(-0.25, 0.25)
            place = (*(0.06 * rng.uniform(-1, 1, 2)), 0.1 + 0.2 * k)
            state[f"b{k}"] = {"position": place, "quaternion": (np.cos(half), 0, 0, np.sin(half))}
        motion = sd.Motion(dynamics, *dynamics.state(state), h=h)
        start = motion.q.copy()
        motion.run(round(0.3 / h), every=round(0.3 / h))
        off = np.abs((motion.q - start).reshape(-1, 7)[:, :3]).max(0)
        assert off.max() < 1e-11 if located else (off[:2].max() < 0.01 and off[2] < 0.02)
