"""A craft with thrusters and wheels, and a target that stands still before its coarse laser camera."""

from typing import NamedTuple

import numpy as np

from softdock import mission as ms
from softdock.estimation import nees, pose_error
from softdock.mission.craft import turned_hill
from softdock.scenarios import Mission, Runner, RunSettings
from softdock.sensing import Noise, satellite
from softdock.spatial import quaternion_of_matrix
from softdock.world import Actuator, Body, Box, Frame, JointState, Orbit, Pose, Thruster, World, with_wheels

FORCE = 10.0
SIDES = [(axis, sign, arm) for axis in range(3) for sign in (-1, 1) for arm in (-1, 1)]


def thruster(axis: int, sign: int, arm: int) -> Thruster:
    at, along = [0.0] * 3, [0.0] * 3
    at[axis], at[(axis + 1) % 3], along[axis] = -0.4 * sign, 0.4 * arm, float(sign)
    return Thruster(
        name=f"{axis}{sign}{arm}", body="bus", position=at, direction=along, thrust=FORCE, least_on_time=0.02
    )


def world(sides: list[tuple[int, int, int]]) -> World:
    ahead = Pose(position=(0.4, 0, 0.2), quaternion=(0.5, -0.5, 0.5, -0.5))
    bare = World(
        gravity=Orbit(semi_major_axis=6_778_000.0),
        bodies=(
            Body(name="bus", mass=200.0, inertia=(22, 22, 22), shapes=(Box(size=(0.8, 0.8, 0.8)),)),
            Body(name="client", mass=60.0, inertia=(4, 8, 5), shapes=(Box(size=(0.5, 0.5, 0.5)),)),
        ),
        frames=(
            Frame(name="camera", body="bus", placement=ahead),
            Frame(name="handle", body="client", placement=Pose(position=(-0.25, 0, 0))),
        ),
        thrusters=tuple(thruster(*side) for side in sides),
    )
    return with_wheels(bare, "bus", inertia=0.05, mass=4.0, actuator=Actuator(effort=5.0, rate=800.0))[0]


class Standing(Mission):
    """A client that stands still before a camera that scans it coarsely: 64 rows across 3.4 m."""

    scenario: str = "standing"
    run: RunSettings = RunSettings(h=0.25, duration=30.0)
    world: World = world(SIDES)
    initial: dict[str, JointState] = {  # noqa: RUF012
        "client": JointState(position=(2.85, 0.0, 0.0), quaternion=(np.cos(0.15), 0.0, 0.0, np.sin(0.15)))
    }

    def period(self) -> float:
        return 0.25

    def parts(self):
        eye = ms.LaserCamera("camera", "client", surface=satellite(), noise=Noise(range=0.002), zoom=3.4)
        return {"eye": eye, "nav": ms.TargetTracker(eye, "handle", model=satellite())}

    def phases(self, eye, nav):
        yield ms.Wait(1000.0, limit=2000.0)


class Stood(NamedTuple):
    """How far the estimate is off at the end (m, rad), and its NEES (of 6)."""

    position: float
    angle: float
    nees: float
    failed: bool = False


def stood(seed: int) -> Stood:
    """Half a minute of scans of a target that stands still, against where it is."""
    runner = Runner(Standing(run=RunSettings(h=0.25, duration=30.0, seed=seed)))
    runner.run()
    simulation = runner.simulation
    nav = Standing.conductor(simulation).parts["nav"]
    craft, t = nav.camera.craft, simulation.t
    R_WA, (R, p) = turned_hill(craft.n, t), simulation.dynamics.pose("handle", simulation.q)
    true = R_WA.T @ (p - craft.dynamics.balance(craft.q, craft.v, t).center), quaternion_of_matrix(R_WA.T @ R)
    there = nav.forecast(t)
    error = pose_error((there.position, there.quaternion), true)
    return Stood(float(np.linalg.norm(error[3:])), float(np.linalg.norm(error[:3])), nees(error, there.covariance))
