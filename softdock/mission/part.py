"""What a mission is made of: parts that sit on a world, and the sensors and mechanisms between them and it.

Truth and belief are apart. Sensors and mechanisms are the world's side: they are given the true state. A part is the
mission's side: it holds what its sensors told it, and its own model of the world, never the simulation.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.runs.ledger import Columns
from softdock.runs.simulation import Simulation
from softdock.world import World

if TYPE_CHECKING:
    from softdock.control.reference import Wanted
    from softdock.mission.craft import Crafts


class Truth(NamedTuple):
    """The state of the world, for sensors and mechanisms only."""

    t: float
    """(s)."""
    q: np.ndarray
    """(m or rad)."""
    v: np.ndarray
    """(m/s or rad/s)."""
    dynamics: Dynamics
    impulses: np.ndarray | None = None
    """What compliant contacts have done since the start, as `Motion.contact_impulses` (N s, N m s)."""


class Sensor(Protocol):
    """Measures every `period` seconds, or if that is None at every period of the mission; what it returns, unless that
    is None, goes to its part's `take`."""

    @property
    def period(self) -> float | None: ...

    def measure(self, truth: Truth) -> Any: ...


class Mechanism(Protocol):
    """Does in the world what its part asked for; what it returns goes to the part's `take`."""

    def act(self, simulation: Simulation, truth: Truth, request: Any) -> Any: ...


class PartError(ValueError):
    """A part does not fit its world; the one-line message names both."""


def refuse_negative(**values: float) -> None:
    """ValueError if one of some numbers, which it names, is negative or not finite."""
    for name, value in values.items():
        if not 0 <= value < np.inf:
            raise ValueError(f"{name} must be a finite number, 0 or more, not {value!r:.40}")


class Part:
    """Something on a world that senses, believes and commands. Derive from it what your mission needs.

    `fit` is called once, before the run, with what is known of the spacecraft; PartError if the part cannot be there.
    Then, at every period of the mission: what its sensors measured is handed to `take`, `update` is called, phases are
    asked, and what it wants is commanded.
    """

    name = ""
    """As the mission calls it."""
    actuators: tuple[str, ...] = ()
    """Bodies or labels of velocities that it commands; no other part may."""
    tracked: tuple[str, ...] = ()
    """Those whose motion it wants; the craft's control makes them follow."""
    gains: ArrayLike = (4.0, 4.0)
    """Of what is tracked, of all or of each: kp (1/s²), kd (1/s)."""
    servoed: tuple[str, ...] = ()
    """Those that a servo of the world makes follow; control's model leaves it out."""
    encoder_noise = 0.0
    """Of its joints' measured values, standard deviation (rad or m)."""
    attitude_error = 0.0
    """Of its craft's measured attitude (rad)."""
    comes_first = False
    """Are its sensors read before the crafts' own state is taken?"""
    request: Any = None
    """For its mechanism; set it, and at the end of this period it is asked."""

    def still(self, world: World) -> Mapping[str, float]:
        """Joints that its craft's model holds still, and where (m or rad): those that it moves itself, beside the
        craft's control."""
        return {}

    def fit(self, crafts: "Crafts") -> None:
        """Find its place on the world."""

    def sensors(self, dynamics: Dynamics, seed: np.random.SeedSequence) -> Sequence[Sensor]:
        """Its sensors, of which it keeps no hold."""
        return ()

    def mechanism(self, dynamics: Dynamics) -> Mechanism | None:
        """What it moves without being an actuator of a joint, such as a latch."""
        return None

    def take(self, t: float, reading: Any) -> None:
        """What a sensor or the mechanism says."""

    def update(self, t: float) -> None:
        """Once every period, after all readings."""

    def astray(self, t: float) -> str:
        """Why it is too far from what it wants for any phase to go on; empty if it is not."""
        return ""

    def want(self, t: float, wanted: "Wanted") -> None:
        """Write positions, rates and accelerations of what it tracks at time t into those of its craft."""

    def warm(self) -> None:
        """Compile and load what it will need, before the clock starts."""

    def tables(self) -> dict[str, Columns]:
        """What is recorded of it beside states, ledger and forces."""
        return {}
