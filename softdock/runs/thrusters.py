"""Thrusters at work in a simulation: pulses of open valves, and what they push in each step.

A pulse is an interval of time. In a step it acts with its mean force, so its impulse is exact whatever the step; the
direction turns with the body: its attitude is foreseen to the middle of each step from the state at most `REFRESH`
seconds before. Mass properties stay as they are; the propellant that was used is reported.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.runs.ledger import Columns
from softdock.runs.plume import Blown, Plumes
from softdock.spatial import matrix_of_quaternion, quaternion_of_vector, quaternion_product
from softdock.world.describe import nearest

REFRESH = 0.02
"""Attitudes are foreseen no further (s), unless a step is longer: at 0.1 rad/s² they are 2e-5 rad off there."""


class Pulse(NamedTuple):
    """A valve that was open."""

    thruster: int
    begin: float
    """(s)."""
    end: float
    """(s)."""


class Thrusters:
    """Those of a world, in the order in which it names them."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.all = dynamics.world.thrusters
        self.names = [thruster.name for thruster in self.all]
        self.pulses: list[Pulse] = []
        """All that were asked for, after the valves' least on-time, without those of valves that are stuck."""
        layout = dynamics.layout
        self._q = np.array([layout.q[thruster.body].start for thruster in self.all])
        self._v = np.array([layout.v[thruster.body].start for thruster in self.all])
        self._wrench = np.array([thruster.wrench for thruster in self.all])
        self._flow = np.array([thruster.flow for thruster in self.all])
        self._thrust = np.array([thruster.thrust for thruster in self.all])
        self._shut = np.full(len(self.all), np.inf)
        """From when on nothing comes out of each (s)."""
        self._open: list[Pulse] = []
        """Not yet over."""
        for k, thruster in enumerate(self.all):
            if thruster.stuck == "on":
                self._open.append(Pulse(k, thruster.stuck_at, np.inf))
        self._plumes = Plumes(dynamics)
        self.blown: list[Blown] = []
        """What plumes did, call by call."""

    # --- what is asked for -------------------------------------------------------------------------

    def fire(self, now: float, seconds: Mapping[str, float], period: float) -> None:
        """Open these valves for so long (s) in the middle of the coming `period`; no shorter than they can."""
        for name, length in seconds.items():
            if name not in self.names:
                raise ValueError(f"no thruster {name!r}{nearest(name, self.names)}")
            if not (0 <= length <= period * (1 + 1e-9)):
                raise ValueError(f"thruster {name!r}: {length:g} s do not fit into a period of {period:g} s")
            k = self.names.index(name)
            if length > 0:
                open_for = min(max(length, self.all[k].least_on_time), period)
                self._add(k, now + (period - open_for) / 2, now + (period + open_for) / 2)

    def _add(self, k: int, begin: float, end: float) -> None:
        thruster = self.all[k]
        if thruster.stuck:  # open or shut from then on, whatever is asked
            end = min(end, thruster.stuck_at)
        end = min(end, self._shut[k])
        if begin < end:
            self._open.append(pulse := Pulse(k, begin, end))
            self.pulses.append(pulse)

    def run_dry(self, now: float, body: str) -> None:
        """Nothing comes out of those of a body any more, whatever their valves do: its tank is empty, or shut."""
        self._close(now, {k for k, thruster in enumerate(self.all) if thruster.body == body})

    def isolate(self, now: float, name: str) -> None:
        """Close the valve before a thruster for good: whatever its own valve does, nothing comes out of it any more."""
        self._close(now, {self.names.index(name)})

    def _close(self, now: float, mine: set[int]) -> None:
        self._shut[list(mine)] = np.minimum(self._shut[list(mine)], now)
        for pulses in (self._open, self.pulses):
            kept = [one._replace(end=min(one.end, now)) if one.thruster in mine else one for one in pulses]
            pulses[:] = [one for one in kept if one.begin < one.end]

    # --- what they do ------------------------------------------------------------------------------

    def next_change(self, now: float) -> float:
        """Time (s) until which nothing is open: now, if something is."""
        self._open = [pulse for pulse in self._open if pulse.end > now + 1e-12]
        return max(now, min((pulse.begin for pulse in self._open), default=np.inf))

    def rows(self, now: float, h: float, steps: int, q: np.ndarray, v: np.ndarray) -> np.ndarray | None:
        """Generalised force (steps, nv) in steps of h (s) from now on; None if nothing is open."""
        if self.next_change(now) >= now + steps * h - 1e-12:
            return None
        edges = now + h * np.arange(steps + 1)
        open_ = np.zeros((steps, len(self.all)))
        for k, begin, end in self._open:
            open_[:, k] += np.clip(np.minimum(edges[1:], end) - np.maximum(edges[:-1], begin), 0.0, None) / h
        np.minimum(open_, 1.0, out=open_)
        command = np.zeros((steps, len(v)))
        for first in np.unique(self._v[open_.any(axis=0)]):
            mine = self._v == first
            wrench = open_[:, mine] @ self._wrench[mine]
            at = int(self._q[mine][0])
            middle = h * (np.arange(steps) + 0.5)
            turn = quaternion_of_vector(middle[:, None] * v[first + 3 : first + 6])
            R = matrix_of_quaternion(quaternion_product(np.broadcast_to(q[at + 3 : at + 7], turn.shape), turn))
            command[:, first : first + 3] += np.einsum("nij,nj->ni", R, wrench[:, :3])
            command[:, first + 3 : first + 6] += wrench[:, 3:]
        blown = self._plumes.blown(now, q, open_.mean(axis=0) * self._thrust)
        for one in blown:
            command[:, one.v : one.v + 3] += one.force
            command[:, one.v + 3 : one.v + 6] += one.moment
        self.blown += [one._replace(seconds=h * steps) for one in blown]
        return command

    # --- what is left of it ------------------------------------------------------------------------

    def seconds(self, until: float, since: float = 0.0) -> np.ndarray:
        """For how long each valve was open between two times (s)."""
        total = np.zeros(len(self.all))
        stuck = [Pulse(k, one.stuck_at, self._shut[k]) for k, one in enumerate(self.all) if one.stuck == "on"]
        for k, begin, end in (*self.pulses, *stuck):
            total[k] += max(0.0, min(end, until) - max(begin, since))
        return total

    def propellant(self, until: float) -> float:
        """Used until then (kg)."""
        return float(self.seconds(until) @ self._flow)

    def drawn(self, k: int, until: float) -> float:
        """What a thruster whose valve is stuck open has used until then (kg)."""
        return float(self._flow[k] * max(0.0, min(until, self._shut[k]) - self.all[k].stuck_at))

    def impulse(self, until: float, since: float = 0.0) -> float:
        """Sum of all thrusts × times (N s)."""
        return float(self.seconds(until, since) @ self._thrust)

    def metrics(self, until: float) -> dict[str, float]:
        """What a run reports."""
        felt = [one.seconds * np.linalg.norm(one.force) for one in self.blown]
        return {
            "propellant": self.propellant(until),
            "thruster_impulse": self.impulse(until),
            "firings": len(self.pulses),
            "plume_impulse": float(sum(felt)),
        }

    def columns(self) -> Columns:
        """The pulses."""
        names = np.array([self.names[pulse.thruster] for pulse in self.pulses])
        begins, ends = (np.array([getattr(pulse, key) for pulse in self.pulses]) for key in ("begin", "end"))
        return {"t": (begins, "s"), "end": (ends, "s"), "thruster": (names, "")}
