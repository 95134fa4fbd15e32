"""Loads of a weld across joints of one tree, most of whose rows are redundant, and some of which nothing moves."""

import numpy as np
import pytest

import softdock as sd
from softdock.spatial import quaternion_of_matrix


def unit(rng: np.random.Generator) -> tuple[float, ...]:
    x = rng.normal(size=4)
    return tuple(x / np.linalg.norm(x))


def test_joints_do_not_accelerate_under_the_stated_load():
    # A slide and a hinge on one body, welded to each other: neither can move. The weld's y row is one that the slide
    # along (1, 0, 2) does not move, but for rounding.
    rng = np.random.default_rng(77)
    slide, hinge = (sd.Pose(position=tuple(rng.normal(size=3)), quaternion=unit(rng)) for _ in range(2))
    own = {"parent": "root", "mass": 1, "inertia": (0.3, 0.35, 0.4)}
    world = sd.World(
        bodies=[
            sd.Body(name="root", mass=5, inertia=(1, 1.2, 1.3)),
            sd.Body(name="slide", joint=sd.Prismatic(axis=(1, 0, 2)), placement=slide, **own),
            sd.Body(name="hinge", joint=sd.Revolute(axis=(0, 1, 0)), placement=hinge, **own),
        ]
    )
    start = {"root": {"angular_velocity": (0.3, -0.8, 1.1)}, "slide": {"position": 0.3}, "hinge": {"position": 0.4}}
    free = sd.Dynamics(world)
    q, v = free.state(start)
    turn = free.pose("hinge", q)[0].T @ free.pose("slide", q)[0]
    frame = sd.Frame(name="hand", body="hinge", placement=sd.Pose(quaternion=tuple(quaternion_of_matrix(turn))))
    latch = sd.Latch(name="grip", kind="weld", frame_a="slide", frame_b="hand", engaged=True, capture_distance=10)
    dynamics = sd.Dynamics(world.altered(frames=[frame], latches=[latch]))
    for _ in range(5):
        command = rng.normal(size=dynamics.nv)
        motion = sd.Motion(dynamics, q, v, h=1e-3)
        load = motion.loads(command).latches["grip"]
        R, at = dynamics.pose("hand", q)
        force, torque = R @ load.force, R @ load.torque
        on, back = dynamics.jacobian("hand", q), dynamics.jacobian("slide", q)
        arm = np.cross(at - dynamics.pose("slide", q)[1], force)
        push = on.T @ np.r_[torque, force] - back.T @ np.r_[torque + arm, force]
        a = dynamics.forward_dynamics(q, v, command) + np.linalg.solve(dynamics.mass_matrix(q), push)
        assert a[6:] == pytest.approx(0, abs=1e-12)
        motion.run(2, command)
        assert motion.v == pytest.approx(v + 2e-3 * a, abs=1e-4)
