"""Controllers in a loop: who is called when, and what each commanded last."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics.arrays import rows_of
from softdock.runs.rows import whole_steps

if TYPE_CHECKING:
    from softdock.runs.simulation import Simulation


MOST_ROUNDS = 100
"""So often new controllers may take over at one instant."""


class Controller(Protocol):
    """Called every `period` (s, a whole number of steps); its command (nv) is held until the next call.

    A controller that has a method `bind(simulation)` is given the simulation when it is taken, before its first call:
    so it can engage latches, schedule actions, note events, or let others take over.
    """

    @property
    def period(self) -> float: ...

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> ArrayLike: ...


@dataclass
class Taken:
    """A controller at work: its period in steps, and what it commanded last (nv)."""

    controller: Controller
    period: int
    held: np.ndarray
    is_new: bool = True


class Controllers:
    """Those at work in a simulation."""

    def __init__(self, simulation: "Simulation") -> None:
        self._of = ref(simulation)  # no cycle: a simulation that is gone frees its state at once, for the next
        self._taken: list[Taken] = []
        self.ever: list[Controller] = []

    @property
    def _simulation(self) -> "Simulation":
        simulation = self._of()
        assert simulation is not None
        return simulation

    def take(self, controllers: Sequence[Controller]) -> None:
        """Let these command instead of those so far; those that stay hold what they commanded."""
        before = {id(one.controller): one for one in self._taken}
        h, nv = self._simulation.h, self._simulation.dynamics.nv
        for c in controllers:
            if not callable(c) or not hasattr(c, "period"):
                raise ValueError(f"a controller has a period (s) and is called with (t, q, v); {c!r:.80} is none")
        self._taken = [
            before.get(id(c)) or Taken(c, whole_steps(c.period, h, f"the period of {_name(c)}", least=1), np.zeros(nv))
            for c in controllers
        ]
        for one in self._taken:
            if id(one.controller) not in before:
                self.ever += [one.controller] if all(one.controller is not c for c in self.ever) else []
                bind(one.controller, self._simulation)

    @property
    def all(self) -> tuple[Controller, ...]:
        return tuple(one.controller for one in self._taken)

    @property
    def periods(self) -> list[int]:
        """In steps."""
        return [one.period for one in self._taken]

    def call(self, is_due: Callable[[int], bool]) -> None:
        """Ask new ones, and those whose period is due; one that is asked may change who is at work."""
        due, rounds = [one for one in self._taken if one.is_new or is_due(one.period)], 0
        while due:
            if (rounds := rounds + 1) > MOST_ROUNDS:
                t = self._simulation.t
                raise ValueError(f"at t = {t:.6g} s controllers are replaced by new ones without end")
            for one in due:
                if any(one is still for still in self._taken):
                    self._ask(one)
            due = [one for one in self._taken if one.is_new]

    def renew(self, controller: Controller) -> None:
        """Let one be asked at the next occasion, as if it were new."""
        for one in self._taken:
            one.is_new |= one.controller is controller

    def _ask(self, one: Taken) -> None:
        simulation = self._simulation
        command = one.controller(simulation.t, simulation.motion.q, simulation.motion.v)
        one.held, one.is_new = self._checked(one, command), False

    def _checked(self, one: Taken, command: ArrayLike) -> np.ndarray:
        nv = self._simulation.dynamics.nv
        try:
            return rows_of("the command", command, nv, 1)[0]
        except ValueError:  # it is said who commands what only if it is wrong: that takes longer than the rest
            what = f"at t = {self._simulation.t:.6g} s the command of {_name(one.controller)}"
            return rows_of(what, command, nv, 1)[0]

    def added_to(self, command: np.ndarray) -> np.ndarray:
        """A command (nv, or one row a step) and what is held."""
        for one in self._taken:
            command = command + one.held
        return command


def bind(controller: object, simulation: "Simulation") -> None:
    """Give a controller the simulation that it acts in, if it wants it."""
    if callable(hook := getattr(controller, "bind", None)):
        hook(simulation)


def _name(controller: Controller) -> str:
    return f"controller {type(controller).__name__}"
