"""Limits of actuators, put on any controller: what they cut off is kept for the record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.control.actuation import Actuation
from softdock.dynamics import Dynamics


class Controls(Protocol):
    """What `Simulation` calls a controller."""

    @property
    def period(self) -> float: ...

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> ArrayLike: ...


class Range(Protocol):
    """A limit that depends on the state, such as wheels' momentum."""

    kind: str

    def bounds(self, v: np.ndarray, period: float) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest actuator force (nv) allowed for the next period."""
        ...


@dataclass
class Saturation:
    """How often and how far an actuator was asked for more than it can."""

    kind: str
    actuator: str
    calls: int = 0
    first: float = np.inf
    """Time of the first such call (s)."""
    last: float = -np.inf
    """Time of the last (s)."""
    asked: float = 0.0
    """The force of largest magnitude that was asked for and cut (N or N m)."""


class Limited:
    """A controller whose actuators give at most so much; the rest is cut off and reported.

    `torque` (N or N m) holds the largest force or moment by body or label, which is never passed, `ranges` limits such
    as `ReactionWheels` inside it. After a run, `saturations` counts what was cut, by (kind, actuator); `events` has an
    entry when an actuator saturates and one when it recovers.
    """

    def __init__(
        self,
        controller: Controls,
        dynamics: Dynamics,
        *,
        torque: Mapping[str, float] | None = None,
        ranges: Iterable[Range] = (),
    ) -> None:
        self.controller, self.period = controller, controller.period
        self.saturations: dict[tuple[str, str], Saturation] = {}
        self.events: list[dict[str, Any]] = []
        self._names = dynamics.layout.names()[1]
        self._ranges = tuple(ranges)
        self._largest = np.full(dynamics.nv, np.inf)
        for name, limit in (torque or {}).items():
            if not limit > 0:
                raise ValueError(f"the largest force of {name!r} must be positive, not {limit}")
            self._largest[dynamics.layout.velocities([name])] = limit
        self._own = Actuation(dynamics, self._names).own
        self._now: set[tuple[str, str]] = set()

    def bind(self, simulation: Any) -> None:
        """Give the controller the simulation, if it wants it."""
        if callable(hook := getattr(self.controller, "bind", None)):
            hook(simulation)

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        own = self._own(q, v)
        force = np.asarray(self.controller(t, q, v), dtype=np.float64) + own
        cut: set[tuple[str, str]] = set()
        force = self._cut("torque", t, force, -self._largest, self._largest, cut)
        for limit in self._ranges:  # what a range asks for beyond the torque limits is not given either
            low, high = (_within(side, -self._largest, self._largest) for side in limit.bounds(v, self.period))
            force = self._cut(limit.kind, t, force, low, high, cut)
        self._tell(t, cut)
        return force - own

    def _cut(
        self, kind: str, t: float, force: np.ndarray, low: np.ndarray, high: np.ndarray, cut: set[tuple[str, str]]
    ) -> np.ndarray:
        within = _within(force, low, high)
        for k in (within != force).nonzero()[0]:
            key = (kind, self._names[k])
            cut.add(key)
            seen = self.saturations.setdefault(key, Saturation(*key))
            seen.calls, seen.first, seen.last = seen.calls + 1, min(seen.first, t), t
            seen.asked = max(seen.asked, float(force[k]), key=abs)
        return within

    def _tell(self, t: float, cut: set[tuple[str, str]]) -> None:
        for key in sorted(cut - self._now):
            self.events.append({"time": t, "kind": "saturated", "limit": key[0], "actuator": key[1]})
        for key in sorted(self._now - cut):
            self.events.append({"time": t, "kind": "recovered", "limit": key[0], "actuator": key[1]})
        self._now = cut


def _within(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """As `np.clip`, in a third of the time for few numbers."""
    return np.minimum(np.maximum(x, low), high)
