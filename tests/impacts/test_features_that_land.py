"""A body that rests on one feature lands on another: energy must not be made (found by attack: it grew 400 times)."""

import numpy as np
import pytest

import softdock as sd

G = 9.81


def on(table, body, **law):
    return sd.Dynamics(
        sd.World(
            gravity=sd.Uniform(acceleration=(0, 0, -G)),
            bodies=[table, body],
            contacts=[sd.Contact(name="touch", body_a=body.name, body_b=table.name, **law)],
        )
    )


def floor():
    slab = sd.Box(size=(20, 20, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    return sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[slab])


@pytest.mark.parametrize("shape", [sd.Capsule(radius=0.1, length=0.4), sd.Cylinder(radius=0.1, length=0.4)])
@pytest.mark.parametrize("h", [0.01, 0.005, 0.001])
def test_a_toppled_rod_lies_on_its_side(shape, h):
    rod = sd.Body(name="rod", mass=1.0, inertia=[0.02, 0.02, 0.005], shapes=[shape])
    dynamics = on(floor(), rod, restitution=0.0)
    tilt = 1.4
    low = 0.2 * np.cos(tilt) + 0.1 * (1.0 if isinstance(shape, sd.Capsule) else np.sin(tilt))
    start = {"position": (0, 0, low), "quaternion": (np.cos(tilt / 2), 0, np.sin(tilt / 2), 0)}
    motion = sd.Motion(dynamics, *dynamics.state({"rod": start}), h=h)
    energy = [dynamics.balance(motion.q, motion.v).total]
    for _ in range(8):
        motion.run(round(0.1 / h), every=round(0.1 / h))
        energy.append(dynamics.balance(motion.q, motion.v).total)
    assert np.diff(energy).max() < 1e-4 * energy[0]
    assert motion.q[2] == pytest.approx(0.1, abs=1e-6)
    assert np.abs(motion.v[2:4]).max() < 1e-6
