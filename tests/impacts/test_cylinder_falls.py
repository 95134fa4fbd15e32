"""A cylinder dropped on a box floor strikes at the analytic time √(2 s/g): end-on, and with its axis level."""

import numpy as np
import pytest

import softdock as sd


@pytest.mark.parametrize(("rpy", "lowest"), [((0, 0, 0), 0.4), ((0, np.pi / 2, 0), 0.15), ((0.3, 0, 0), None)])
def test_impact_time_of_a_falling_cylinder(rpy, lowest):
    radius, length, start, g = 0.15, 0.8, 1.0, 9.81
    if lowest is None:  # tilted: the lowest point of the rim
        lowest = length / 2 * np.cos(rpy[0]) + radius * np.sin(rpy[0])
    slab = sd.Box(size=(4, 4, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    world = sd.World(
        gravity=sd.Uniform(acceleration=(0, 0, -g)),
        bodies=(
            sd.Body(name="floor", joint=sd.Fixed(), mass=0, shapes=(slab,)),
            sd.Body(
                name="can", joint=sd.Free(), mass=2.0, inertia=(0.1, 0.1, 0.05),
                shapes=(sd.Cylinder(radius=radius, length=length),),
            ),
        ),
        contacts=(sd.Contact(name="drop", body_a="can", body_b="floor", restitution=0.5),),
    )  # fmt: skip
    dynamics = sd.Dynamics(world)
    q, v = dynamics.state({"can": {"position": (0.1, 0.2, start), "quaternion": sd.Pose(rpy=rpy).quaternion}})
    motion = sd.Motion(dynamics, q, v, h=0.01)
    path = motion.run(int(np.sqrt(2 * (start - lowest) / g) / 0.01) + 2)
    first = path.impacts[0]
    assert first.time == pytest.approx(np.sqrt(2 * (start - lowest) / g), abs=1e-9)
    assert first.normal == pytest.approx([0, 0, 1], abs=1e-9)


@pytest.mark.parametrize("side", [0.0, 11.25, 22.5, 100.0])
def test_a_cylinder_stands_under_less_than_the_critical_push(side):
    """Pushed at its middle, L/2 up, it tips when F L/2 > m g R, from whichever side (in degrees), and not before."""
    radius, length, mass, g = 0.1, 0.6, 2.0, 9.81
    slab = sd.Box(size=(40, 40, 1), placement=sd.Pose(position=(0, 0, -0.5)))
    can = sd.Body(
        name="can", mass=mass, inertia=(0.065, 0.065, 0.01), shapes=[sd.Cylinder(radius=radius, length=length)]
    )
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[slab])
    touch = sd.Contact(name="touch", body_a="can", body_b="floor", restitution=0.0, friction=0.9)
    world = sd.World(gravity=sd.Uniform(acceleration=(0, 0, -g)), bodies=[floor, can], contacts=[touch])
    dynamics = sd.Dynamics(world)
    for share in (0.95, 0.999):
        push = share * mass * g * radius / (length / 2) * np.array([np.cos(np.radians(side)), np.sin(np.radians(side))])
        motion = sd.Motion(dynamics, *dynamics.state({"can": {"position": (0, 0, length / 2)}}), h=0.005)
        motion.run(60, [*push, 0, 0, 0, 0], every=60)
        assert 2 * np.arcsin(np.linalg.norm(motion.q[4:6])) < 1e-12
