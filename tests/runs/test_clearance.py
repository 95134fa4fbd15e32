"""How near bodies came in a run: against what geometry says of a ball that passes a box."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics, Trajectory
from softdock.runs.clearance import Stage, clearances_of, pairs_of
from softdock.world import Body, Box, Fixed, Free, Pose, Revolute, Sphere, World

BALL, CUBE = (Sphere(radius=0.1),), (Box(size=(1.0, 1.0, 1.0)),)
SOLID = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}


def passing(height: float, rows: int) -> tuple[Dynamics, Trajectory]:
    """A ball on a straight line over a cube's corner region, from x = −2 to 2 m in 4 s."""
    world = World(
        bodies=(
            Body(name="cube", joint=Fixed(), shapes=CUBE, **SOLID),
            Body(name="ball", joint=Free(), shapes=BALL, **SOLID),
        )
    )
    t = np.linspace(0.0, 4.0, rows)
    q = np.zeros((rows, 7))
    q[:, 0], q[:, 2], q[:, 3] = t - 2.0, height, 1.0
    return Dynamics(world), Trajectory(t, q, np.zeros((rows, 6)), np.zeros((rows, 1)))


@pytest.mark.parametrize("rows", [2, 3, 41])
def test_the_least_clearance_is_found_between_rows(rows: int) -> None:
    found = clearances_of(*passing(0.7, rows))
    assert found.least == found.pairs["cube to ball"] == pytest.approx(0.1, abs=1e-4)
    assert found.collisions == []


def test_a_collision_is_told_with_when_and_how_deep() -> None:
    """The ball's lowest point is 0.05 m under the cube's top; it is in it from x = −(0.5 + √(0.1² − 0.05²)) m on."""
    stages = [Stage("before", 0.0, 1.0), Stage("during", 1.0, 3.0), Stage("after", 3.0, 4.0)]
    found = clearances_of(*passing(0.55, 5), stages)
    (collision,) = found.collisions
    half = 0.5 + np.sqrt(0.1**2 - 0.05**2)
    assert (collision["bodies"], collision["stage"]) == (["cube", "ball"], "during")
    assert (collision["time"], collision["until"]) == pytest.approx((2.0 - half, 2.0 + half), abs=1e-5)
    assert collision["depth"] == pytest.approx(0.05, abs=1e-9)
    corner = np.hypot(0.5, 0.05) - 0.1
    assert found.stages["before"]["cube to ball"] == pytest.approx(corner, abs=1e-4)
    assert found.least == pytest.approx(-0.05, abs=1e-4)


def test_a_pair_is_left_out_from_its_time_on() -> None:
    found = clearances_of(*passing(0.55, 5), left_out={("ball", "cube"): 1.0}, meant=[("cube", "ball")])
    assert found.least == pytest.approx(np.hypot(0.5, 0.05) - 0.1, abs=1e-4) and found.collisions == []
    assert found.left_out == {}
    unmeant = clearances_of(*passing(0.55, 5), left_out={("ball", "cube"): 1.0})
    assert unmeant.least == found.least, "it does not count from then on"
    assert len(unmeant.collisions) == 1 and unmeant.left_out["cube to ball"] < 0, "but it may not collide"
    assert clearances_of(*passing(0.55, 5), meant=[("cube", "ball")]).pairs == {}


def test_neighbours_that_overlap_at_their_joint_are_no_pair_but_all_others_are() -> None:
    arm = [
        Body(name="base", joint=Fixed(), shapes=CUBE, **SOLID),
        Body(name="hub", parent="base", joint=Revolute(), placement=Pose(position=(0.5, 0, 0)), **SOLID),
        Body(name="upper", parent="hub", joint=Revolute(axis=(0, 1, 0)), shapes=BALL, **SOLID),
        Body(name="plate", parent="upper", joint=Fixed(), placement=Pose(position=(0.3, 0, 0)), shapes=BALL, **SOLID),
        Body(name="hand", parent="plate", joint=Revolute(), placement=Pose(position=(0.3, 0, 0)), shapes=BALL, **SOLID),
    ]
    dynamics = Dynamics(World(bodies=tuple(arm)))
    found = pairs_of(dynamics, np.zeros(3))
    assert found == [("base", "plate"), ("base", "hand"), ("upper", "hand"), ("plate", "hand")]
