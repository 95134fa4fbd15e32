"""The part `Driver`: controllers as the loop takes them, put to work by phases."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.mission.craft import Crafts
from softdock.mission.part import Mechanism, Part, PartError, Truth
from softdock.runs.simulation import Controller, Simulation
from softdock.world.describe import nearest

Make = Callable[[Dynamics], Mapping[str, Controller]]


class Use(NamedTuple):
    """What is to be at work: names of controllers, forces (N or N m) and targets (m or rad) by joint."""

    controllers: tuple[str, ...]
    force: Mapping[str, ArrayLike]
    position: Mapping[str, ArrayLike]


class Driver(Part):
    """Drives `joints`, by bodies' names: by constant forces, by the targets of their servos, and by `controllers` (-),
    a function of the world's dynamics that makes them by name before the run. The coroutine calls `use`.

    Controllers are called at their own periods with the true state of the whole world, which is control as papers have
    it; an `Arm` and a `Bus` go by what they measure.
    """

    def __init__(self, joints: Sequence[str], controllers: Make | None = None) -> None:
        self.actuators = tuple(joints)
        self._make: Make = controllers or (lambda dynamics: {})
        self._known: tuple[str, ...] = ()

    def fit(self, crafts: Crafts) -> None:
        names = [body.name for body in crafts.world.bodies]
        for name in self.actuators:
            if name not in names:
                raise PartError(f"{self.name}: no body {name!r}{nearest(name, names)}")

    def mechanism(self, dynamics: Dynamics) -> Mechanism:
        made = dict(self._make(dynamics))
        self._known = tuple(made)
        return Drives(dynamics, self.actuators, made)

    def use(
        self,
        *controllers: str,
        force: Mapping[str, ArrayLike] | None = None,
        position: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        """From now on these, and nothing else of this part."""
        for name in controllers:
            if name not in self._known:
                raise PartError(f"{self.name}: no controller {name!r}{nearest(name, self._known)}")
        for joint in (*(force or {}), *(position or {})):
            if joint not in self.actuators:
                raise PartError(f"{self.name}: {joint!r} is none of its joints{nearest(joint, self.actuators)}")
        self.request = Use(controllers, force or {}, position or {})


class Drives:
    """The world's side of a driver."""

    def __init__(self, dynamics: Dynamics, joints: Sequence[str], made: dict[str, Controller]) -> None:
        self._dynamics, self._made = dynamics, made
        v = dynamics.layout.v
        self._v = np.array([k for name in joints for k in range(v[name].start, v[name].stop)], dtype=np.int64)

    def act(self, simulation: Simulation, truth: Truth, request: Use) -> None:
        """Others' controllers and commands stay."""
        if self._made:
            own = {id(one) for one in self._made.values()}
            others = [one for one in simulation.controllers if id(one) not in own]
            simulation.control(*others, *(self._made[name] for name in request.controllers))
        command = simulation.command
        command = (command if command.ndim == 1 else command[-1]).copy()
        command[self._v] = self._dynamics.command(force=request.force, position=request.position)[self._v]
        simulation.command = command
