"""Grasps by two fingers on a palm that gives way as an arm does, of a bar on a free body: the bound of the design."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

import softdock as sd
from softdock.dynamics import Dynamics, Motion
from softdock.world.fingers import locks_of

STIFFNESS, TURNING = 1000.0, 60.0
"""Of the arm (N/m, N m/rad), damped to 0.8 of critical for 67 kg and 7 kg m²."""
HANDLE = sd.Pose(position=(-0.15, 0.0, 0.0))
H = 1e-3


def gripping(fingers: sd.Fingers) -> sd.World:
    """A chaser of 430 kg, a wrist on a spring 2 m ahead of it, and a target of 80 kg with a bar."""
    straight, turning = 2 * 0.8 * np.sqrt(STIFFNESS * 67.0), 2 * 0.8 * np.sqrt(TURNING * 7.0)
    give = sd.Free(spring=sd.Spring(stiffness=(STIFFNESS,) * 3 + (TURNING,)), damping=(straight,) * 3 + (turning,) * 3)
    chaser = sd.Body(name="chaser", mass=430.0, inertia=(70.0, 90.0, 90.0))
    wrist = sd.Body(
        name="wrist", parent="chaser", placement=sd.Pose(position=(2.0, 0.0, 0.0)), joint=give, mass=3.0,
        center=(-0.08, 0.0, 0.0), inertia=(0.02, 0.02, 0.02),
    )  # fmt: skip
    box = sd.Box(size=(0.5, 0.5, 0.6), placement=sd.Pose(position=(0.17, 0.05, -0.08)))
    target = sd.Body(name="target", mass=80.0, inertia=(4.0, 8.0, 5.0), shapes=(box,))
    rod = sd.Capsule(radius=0.01, length=0.22)
    bar = sd.Body(name="bar", parent="target", joint=sd.Fixed(), mass=0.0, placement=HANDLE, shapes=(rod,))
    frames = (sd.Frame(name="grip", body="wrist"), sd.Frame(name="handle", body="target", placement=HANDLE))
    world = sd.World(bodies=(chaser, wrist, target, bar), frames=frames)
    return sd.with_fingers(world, "grip", on="handle", bar="bar", fingers=fingers)


class Grasp(NamedTuple):
    """What came of one."""

    held: bool
    stopped: float
    """When both fingers were (s)."""
    peak: float
    """Largest force of one rod on the bar (N)."""
    lost: float
    """Energy (J) that the latch took."""


def grasp(dynamics: Dynamics, rng: np.random.Generator, fingers: sd.Fingers, off: float = 0.01) -> Grasp:
    """The handle is `off` (m) and 2° off and goes at 10 mm/s and 0.5°/s, all in random directions, as fingers begin to
    close; 2.5 s later, it is latched."""
    error, tilt, velocity, rate = (
        size * (x := rng.standard_normal(3)) / np.linalg.norm(x)
        for size in (off, np.radians(2.0), 0.01, np.radians(0.5))
    )
    turn, handle = Rotation.from_rotvec(tilt), np.array([2.0, 0.0, 0.0]) + error
    lever = -turn.apply(HANDLE.position)
    q, v = dynamics.state(
        {
            "grip.left": {"position": fingers.opening}, "grip.right": {"position": fingers.opening},
            "target": {
                "position": handle + lever, "velocity": velocity + np.cross(rate, lever),
                "quaternion": turn.as_quat(scalar_first=True), "angular_velocity": turn.inv().apply(rate),
            },
        }
    )  # fmt: skip
    motion, (at, rates) = Motion(dynamics, q, v, h=H), dynamics.layout.flat(["grip.left", "grip.right"])
    push = np.zeros(dynamics.nv)
    push[rates] = -fingers.force
    peak, stopped = 0.0, np.nan
    for _ in range(50):
        rows = motion.run(50, push, every=5)
        forces = dynamics.contacts(rows.q, rows.v).normal_force
        peak = max(peak, float(forces.max(initial=0.0)))
        if np.isnan(stopped) and np.abs(motion.v[rates]).max() < 0.1 * fingers.speed:
            stopped = motion.t
    held = abs(motion.q[at].mean() - 0.01) < 0.0035 and np.abs(motion.v[rates]).max() < 0.1 * fingers.speed
    lost = sum(motion.engage(latch) for latch in ("grasp", *locks_of("grip"))) if held else np.nan
    motion.run(20, None)
    return Grasp(bool(held), stopped, peak, lost)
