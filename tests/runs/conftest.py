"""A small world for all tests of runs: a free body with a damped, driven hinge that has limits."""

from pathlib import Path

import pytest

from softdock.dynamics import Dynamics
from softdock.world import Body, Frame, Latch, Limits, Revolute, World

TINY = """
scenario = "world"

[run]
h = 0.01
duration = 0.5

[initial.bus]
angular_velocity = [0.3, 0.1, 0.0]

[initial.arm]
velocity = 0.5

[world]
name = "tiny"

[[world.bodies]]
name = "bus"
mass = 10.0
inertia = [1.0, 2.0, 2.5]

[[world.bodies]]
name = "arm"
parent = "bus"
mass = 2.0
center = [0.0, 0.0, 0.5]
inertia = [0.1, 0.1, 0.02]
joint = { kind = "revolute", axis = [0.0, 1.0, 0.0], damping = 0.1, limits = { lower = -1.0, upper = 1.0 } }

[[world.frames]]
name = "tip"
body = "arm"
placement.position = [0.0, 0.0, 1.0]

[[world.frames]]
name = "hook"
body = "bus"
placement.position = [0.0, 0.0, 1.0]

[[world.latches]]
name = "stow"
kind = "point"
frame_a = "hook"
frame_b = "tip"
reach = 0.1
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A scenario file."""
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    return path


@pytest.fixture(scope="session")
def dynamics() -> Dynamics:
    """The same world in Python, compiled."""
    arm = Revolute(axis=(0.0, 1.0, 0.0), damping=(0.1,), limits=Limits(lower=(-1.0,), upper=(1.0,)))
    return Dynamics(
        World(
            name="tiny",
            bodies=(
                Body(name="bus", mass=10.0, inertia=(1.0, 2.0, 2.5)),
                Body(name="arm", parent="bus", mass=2.0, center=(0, 0, 0.5), inertia=(0.1, 0.1, 0.02), joint=arm),
            ),
            frames=(
                Frame(name="tip", body="arm", placement={"position": (0, 0, 1)}),
                Frame(name="hook", body="bus", placement={"position": (0, 0, 1)}),
            ),
            latches=(Latch(name="stow", kind="point", frame_a="hook", frame_b="tip", capture_distance=0.1),),
        )
    )
