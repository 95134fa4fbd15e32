"""Scenarios that are missions: parts on the world, and phases as a coroutine (docs/missions.md)."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import numpy as np

from softdock.dynamics import Dynamics, Trajectory
from softdock.mission.arm import Arm
from softdock.mission.conductor import Conductor, Phases
from softdock.mission.part import Part, PartError
from softdock.mission.servos import JointServos
from softdock.runs.ledger import Columns
from softdock.runs.measures import Declared
from softdock.runs.simulation import Simulation
from softdock.scenarios.scenario import Scenario


class Mission(Scenario):
    """A scenario whose world is steered by `parts`, through `phases`.

    `parts` makes them anew for each run, by name; `phases` is a coroutine that takes them by these names: every `yield`
    hands a phase over to the loop until it ends, and returns its result or raises its failure.
    """

    goal: ClassVar[str | None] = "success"
    units: ClassVar[Declared] = {
        "reason": ("", "why the mission ended so"),
        "phases": ("", "what it did, and what came of it"),
        "phases.start": ("s", "when a phase began"),
        "phases.end": ("s", "when it ended"),
        "saturated": ("", "actuators that were cut by a limit"),
    }

    def parts(self) -> Mapping[str, Part]:
        """The parts by name."""
        raise NotImplementedError(f"{type(self).__name__} must say what parts it has: parts()")

    def phases(self, *_: Any, **parts: Any) -> Phases:
        """What they do, one after the other; how it ended."""
        raise NotImplementedError(f"{type(self).__name__} must say what it does: phases()")

    def period(self) -> float:
        """Seconds between two calls of the parts, a whole number of steps: about a tenth of a second."""
        return max(1, round(0.1 / self.run.h)) * self.run.h

    def episode(self, random: np.random.Generator) -> "Mission":
        """The mission of one episode of its Gymnasium environment: as it is, with a seed of its own. Yours may draw
        other keys, and return `self.altered(...)`."""
        return self.altered(run=self.run.altered(seed=int(random.integers(2**31))))

    def meant(self) -> Collection[str] | None:
        """Names of located contacts at which bodies are meant to hit each other; an impact of any other raises
        `Collided` in the phase. None: no contact is wrong."""
        return None

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The loop, with the mission as its controller."""
        parts = self.parts()
        if not isinstance(parts, Mapping):
            raise PartError(f"parts() must return them by name, not {parts!r:.60}")
        general: dict[str, Any] = {"period": self.period(), "h": self.run.h, "seed": self.run.seed}
        conductor = Conductor(dynamics, parts, self.phases, **general, meant=self.meant())
        controllers: list[Any] = [conductor]
        if arms := [part for part in parts.values() if isinstance(part, Arm) and part.servoed]:
            controllers.append(JointServos(arms, dynamics, self.run.h))
        simulation = Simulation(dynamics, *self.state(), **self.run.stepping, controllers=controllers)
        for part in parts.values():
            part.warm()
        return simulation

    @staticmethod
    def conductor(simulation: Simulation) -> Conductor:
        """What runs the mission in its simulation."""
        return next(one for one in simulation.all_controllers if isinstance(one, Conductor))

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """Phases, and what the parts leave."""
        return self.conductor(simulation).tables(simulation.t)

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """How it ended, and its phases."""
        conductor = self.conductor(simulation)
        ended = conductor.outcome()
        saturated = {key[1] for craft in conductor.crafts for one in craft.limiters for key in one.saturations}
        saturated |= {name for one in simulation.all_controllers if isinstance(one, JointServos) for name in one.cut}
        return {
            "outcome": ended.outcome,
            "reason": ended.reason or None,
            "phases": [record._asdict() for record in conductor.records(simulation.t)],
            "saturated": sorted(saturated),
        }
