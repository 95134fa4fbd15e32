"""Scenario 'world': any described world, released from its initial state."""

from operator import methodcaller
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from softdock.dynamics import ACCOUNT, Dynamics, Trajectory
from softdock.runs.measures import Declared
from softdock.runs.simulation import Simulation
from softdock.scenarios.scenario import Scenario
from softdock.world.describe import Described, Name, Number, nearest
from softdock.world.joints import NonNegative, Numbers


class Command(Described):
    """`[commands.<body>]`: targets of a servo joint (rad or m, and their rate), a force (N m or N) on any joint."""

    position: Number | None = None
    rate: Number | None = None
    force: Numbers | None = None


class Latching(Described):
    """`[[latching]]`: engage or release a latch at a time (s)."""

    latch: Name
    time: NonNegative
    action: Literal["engage", "release"]


class Firing(Described):
    """`[[firing]]`: open a thruster at a time (s) for some seconds (s)."""

    thruster: Name
    time: NonNegative
    seconds: NonNegative


class Released(Scenario):
    """Moves under constant commands; latches come and go, and thrusters fire, at given times."""

    units: ClassVar[Declared] = {"energy_lost_engaging": ("J", "energy that engaging latches took")}
    commands: dict[Name, Command] = Field(default_factory=dict)
    """By body: targets of servo joints, forces on any."""
    latching: tuple[Latching, ...] = ()
    """Which latch engages or releases, and when."""
    firing: tuple[Firing, ...] = ()
    """Which thruster fires, when, and for how long."""

    @model_validator(mode="after")
    def _names_exist(self) -> "Released":
        latches, bodies = [latch.name for latch in self.world.latches], [body.name for body in self.world.bodies]
        for index, entry in enumerate(self.latching):
            if entry.latch not in latches:
                raise ValueError(f"latching[{index}].latch: no latch {entry.latch!r}{nearest(entry.latch, latches)}")
        thrusters = [thruster.name for thruster in self.world.thrusters]
        for index, one in enumerate(self.firing):
            if one.thruster not in thrusters:
                raise ValueError(
                    f"firing[{index}].thruster: no thruster {one.thruster!r}{nearest(one.thruster, thrusters)}"
                )
        for name in self.commands:
            if name not in bodies:
                raise ValueError(f"commands: no body {name!r}{nearest(name, bodies)}")
        return self

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The constant command, the latching and the firing."""
        simulation = Simulation(dynamics, *self.state(), **self.run.stepping, command=self._command(dynamics))
        for entry in self.latching:
            simulation.at(entry.time, methodcaller(entry.action, entry.latch))
        for one in self.firing:
            simulation.at(one.time, methodcaller("fire", {one.thruster: one.seconds}, one.seconds))
        return simulation

    def _command(self, dynamics: Dynamics) -> np.ndarray:
        targets = {
            key: {body: value for body, c in self.commands.items() if (value := getattr(c, key)) is not None}
            for key in ("position", "rate")
        }
        force = {body: c.force if len(c.force) > 1 else c.force[0] for body, c in self.commands.items() if c.force}
        return dynamics.command(**targets, force=force)

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """What engaging latches cost (J)."""
        if not self.world.latches:
            return {}
        return {"energy_lost_engaging": float(rows.account[-1, ACCOUNT.index("lost_engaging")])}


SCENARIO = Released
