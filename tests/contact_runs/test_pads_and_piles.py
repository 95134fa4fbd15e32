"""Compliant boxes that pinch and pile: forces that change continuously, so that every step converges."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from soft_worlds import cuboid

import softdock as sd

PAD = {"placement": sd.Pose(), "mass": 0.4, "inertia": [4e-4] * 3, "shapes": [sd.Box(size=(0.012, 0.04, 0.06))]}


def gripper(law):
    """Two box pads on servos that close on a free square bar."""
    palm = sd.Body(name="palm", mass=5, inertia=[0.05] * 3, joint=sd.Fixed())
    pads = [
        sd.Body(
            name=f"pad{s}", parent="palm", joint=sd.Prismatic(axis=(s, 0, 0), servo=sd.Servo(kp=4000, kd=160)), **PAD
        )
        for s in (1, -1)
    ]
    bar = sd.Body(name="bar", mass=20.0, inertia=[0.3, 0.1, 0.3], shapes=[sd.Box(size=(0.03, 0.2, 0.03))])
    contacts = [sd.Contact(name=p.name, body_a=p.name, body_b="bar", compliance=sd.Compliance(**law)) for p in pads]
    return sd.Dynamics(sd.World(bodies=[palm, *pads, bar], contacts=contacts))


@pytest.mark.parametrize(
    "law",
    [
        {"stiffness": 3e4, "exponent": 1.0, "damping": 2.0, "friction": 0.4},
        {"stiffness": 1e6, "exponent": 1.5, "damping": 0.5, "friction": 0.4},
    ],
)
def test_box_pads_close_on_a_bar_that_is_askew(law):
    """Pads that squeeze with 12 mm of 4000 N/m hold the bar with that force, face on face."""
    dynamics, rng = gripper(law), np.random.default_rng(1)
    for tilt in (0.02, 0.1, 0.3):
        turn = Rotation.from_rotvec(tilt * rng.normal(size=3)).as_quat(scalar_first=True)
        bar = {"position": 0.004 * rng.normal(size=3), "quaternion": turn, "velocity": 0.005 * rng.normal(size=3)}
        start = dynamics.state({"pad1": {"position": 0.042}, "pad-1": {"position": 0.042}, "bar": bar})
        motion = sd.Motion(dynamics, *start, h=1e-3)
        for k in range(700):
            target = max(0.009, 0.042 - 1e-4 * k)
            motion.run(1, dynamics.command(position={"pad1": target, "pad-1": target}))
        touch = dynamics.contacts(motion.q, motion.v)
        assert len(touch.normal_force) == 2
        squeeze = 4000 * (motion.q[:2] - 0.009)
        assert np.sum(touch.normal_force * np.abs(touch.normal[:, 0])) == pytest.approx(squeeze.sum(), rel=0.1)


@pytest.mark.parametrize("seed", range(3))
def test_five_offset_boxes_with_friction_pile_up(seed):
    """Dropped by 2 mm, tilted a little, offset by centimetres: the floor bears the weight of all five at the end."""
    rng, law = np.random.default_rng(seed), sd.Compliance(stiffness=1e5, exponent=1.0, damping=0.5, friction=0.4)
    slab = sd.Box(size=(20, 20, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    bodies = [sd.Body(name="ground", mass=0, joint=sd.Fixed(), shapes=[slab])]
    contacts, places = [], {}
    for k in range(5):
        bodies.append(cuboid(f"box{k}"))
        contacts.append(sd.Contact(name=f"touch{k}", body_a=f"box{k}", body_b=bodies[-2].name, compliance=law))
        x, y = 0.02 * rng.normal(size=2)
        tilt = (1.0, *(0.01 * rng.normal(size=3)))
        places[f"box{k}"] = {"position": (x, y, 0.1 + 0.2 * k + 0.002 * (k + 1)), "quaternion": tilt}
    gravity = sd.Uniform(acceleration=(0, 0, -9.81))
    dynamics = sd.Dynamics(sd.World(gravity=gravity, bodies=bodies, contacts=contacts))
    motion = sd.Motion(dynamics, *dynamics.state(places), h=5e-4)
    start = dynamics.balance(motion.q, motion.v).total
    loads = []
    for _ in range(12):
        motion.run(100)
        touch = dynamics.contacts(motion.q, motion.v)
        loads.append(touch.normal_force[touch.contact == 0].sum())
        assert dynamics.balance(motion.q, motion.v).total + motion.stored <= start + 1e-9
    assert np.mean(loads[-4:]) == pytest.approx(5 * 9.81, rel=0.1)
