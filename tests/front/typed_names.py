"""What type checkers see of the names that `softdock` loads when they are first used: checked by mypy in `.ci/run`."""

from typing import assert_type

import softdock as sd
from softdock.dynamics.model import Dynamics
from softdock.planning.plan import Plan
from softdock.runs.recording import Run
from softdock.runs.simulation import Simulation
from softdock.world.model import World


def names(world: World, dynamics: Dynamics) -> None:
    assert_type(sd.Dynamics(world), Dynamics)
    assert_type(sd.World(bodies=world.bodies), World)
    assert_type(sd.Simulation(dynamics, dynamics.state()[0], dynamics.state()[1], h=0.01), Simulation)
    assert_type(sd.read_run("run"), Run)
    assert_type(sd.planning.Plan, type[Plan])
    assert_type(sd.__version__, str)
    sd.campaign.results("campaign")
    sd.Dinamics  # type: ignore[attr-defined]  # noqa: B018
