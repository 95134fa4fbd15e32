"""What is to be planned: a world, a start, an end, what it may cost and what it must keep to."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics, Motion
from softdock.dynamics.arrays import rows_of
from softdock.dynamics.derivatives import refuse
from softdock.optimal.drives import Drives
from softdock.optimal.quantities import Condition, Cost
from softdock.planning.goal import joint_limits
from softdock.world import World
from softdock.world.joints import FREEDOM

SHORTEST = 1e-3
"""Least size of a last step that ends at a touch, of the others'."""

LONGEST = 1 - 1e-4
"""The largest: a touch at the end of a whole step would, by rounding, be missed by it."""


WIDE = 1000.0
"""Of a free duration whose most is more than so many times its least, the first guess is the geometric mean."""
SHORT, LONG = 1e-50, 1e50
"""Durations (s) beyond which squares of torques, which go by 1/s⁴, are no numbers any more."""


@dataclass(frozen=True)
class Limits:
    """Bounds of a plan: numbers for all, or by name. What is not given is as the world's joints declare it (their
    `actuator` and `limits`), and free where they do not."""

    torque: float | Mapping[str, float] | None = None
    """Largest torque or force of actuators (N m or N)."""
    rate: float | Mapping[str, float] | None = None
    """Largest rate of actuated joints, or of any by label (rad/s or m/s)."""
    joints: Mapping[str, tuple[float, float]] | None = None
    """Lowest and highest value of coordinates (m or rad)."""


UNLIMITED = Limits()


class Task:
    """A motion to plan on the simulator's own step: from `q` (m or rad), `v` (m/s or rad/s) and time `t` (s), in
    `steps` equal steps that take `duration` (s): a number, or the least and the most of it; or in steps of size `h`
    (s), of which the last takes what is left.

    `actuators` name the joints that are driven, wheels among them (none: every revolute and prismatic one), the world's
    thrusters, each with 0 to its thrust as a mean force over a step, or labels such as "base.x" and "base.wx" for a
    free body's own forces and torques. `end` are conditions at the
    end, `paths` conditions in q at every step, `engaged` the latches that hold (None: those that the world has
    engaged). With `touch`, a condition for the instant at which something is to be touched, the last step is as long as
    it takes: up to the others' size. Servos of actuated joints are counted as part of their torque.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        q: ArrayLike,
        v: ArrayLike,
        *,
        duration: float | tuple[float, float],
        steps: int | None = None,
        h: float | None = None,
        end: Sequence[Condition],
        actuators: Sequence[str] | None = None,
        cost: Cost = Cost(),  # noqa: B008  # frozen
        limits: Limits = UNLIMITED,
        paths: Sequence[Condition] = (),
        touch: Condition | None = None,
        engaged: Sequence[str] | None = None,
        t: float = 0.0,
    ) -> None:
        self.dynamics, self.bare = dynamics, _without_servos(dynamics, actuators)
        self.q, self.v = (
            rows_of(f"{name} of the start", x, n, 1)[0].copy()
            for name, x, n in (("q", q, dynamics.nq), ("v", v, dynamics.nv))
        )
        self.t = float(t)
        self.span = _span(duration)
        self.steps, self.h = _steps(self.span, steps, h)
        self.drives = Drives(dynamics, actuators)
        self.actuated, self.names = self.drives.velocities, self.drives.names
        self.cost, self.limits, self.paths, self.touch = cost, limits, _conditions("paths", paths), touch
        self.end = (*_conditions("end", end), *_conditions("touch", () if touch is None else (touch,)))
        if not self.end:
            raise ValueError("a plan needs a condition at its end")
        self.engaged = _engaged(dynamics.world, engaged)
        if touch is not None and self.free:
            raise ValueError("a touch takes a fixed duration, of which the last step is as long as it takes")
        refuse(dynamics, np.array([self.h]))
        self._refuse_contradictions()
        self._made = True

    _made = False
    relaxed = False
    """Is it a task without conditions at its end, to find the nearest to them?"""

    def __setattr__(self, name: str, value: Any) -> None:
        if self._made:
            raise AttributeError(f"a task stays as it was made, with its {name}: make another (which compiles nothing)")
        super().__setattr__(name, value)

    def own(self) -> "Task":
        """A copy whose parts may be changed: a planner's."""
        task = copy(self)
        task.__dict__["_made"] = False
        return task

    @property
    def free(self) -> bool:
        """Is the duration free?"""
        return self.span[0] < self.span[1]

    @property
    def last(self) -> tuple[float, float] | None:
        """Least and largest size of the last step (s), if that is another than the others'."""
        left = self.span[1] - (self.steps - 1) * self.h
        if self.touch is not None and not self.free:
            return SHORTEST * self.h, LONGEST * left
        return None if self.free or abs(left - self.h) < 1e-9 * self.h else (left, left)

    @property
    def sizes(self) -> np.ndarray:
        """(N) of the steps (s): as given, or what a guess begins with."""
        low, high = self.span
        middle = np.sqrt(low * high) if high > WIDE * low else (low + high) / 2
        h = np.full(self.steps, float(middle) / self.steps if self.free else self.h)
        if self.last is not None:
            h[-1] = self.last[1]
        return h

    def start(
        self, q: np.ndarray, v: np.ndarray, t: float, h: float | None = None, dynamics: Dynamics | None = None
    ) -> Motion:
        """The world at a start, or another of the same coordinates, with the latches engaged that hold."""
        motion = Motion(dynamics or self.bare, q, v, h=h or self.h, t=t)
        for latch in set(motion.engaged) - set(self.engaged):
            motion.release(latch)
        for latch in self.engaged:
            if latch not in motion.engaged:
                motion.engage(latch)
        return motion

    # --- bounds --------------------------------------------------------------------------------

    @cached_property
    def torques(self) -> np.ndarray:
        """Largest torque or force of each actuator; infinite if there is none."""
        joints = self.names[: len(self.actuated)]
        declared = {name: self._declared(name, "effort") for name in joints}
        declared |= {one.name: one.thrust for one in self.drives.thrusters}
        given = self.limits.torque
        if isinstance(given, float | int):  # of joints: a thruster has its own
            given = dict.fromkeys(joints, float(given))
        return _by_name("torque", given, declared)

    @cached_property
    def least_torques(self) -> np.ndarray:
        """The least of each: thrusters push only."""
        pulls = np.arange(len(self.names)) < len(self.actuated)
        return np.where(pulls, -self.torques, 0.0)

    @cached_property
    def rates(self) -> np.ndarray:
        """Largest rate of every velocity (nv)."""
        labels = self.dynamics.layout.names()[1]
        driven = {labels[k] for k in self.actuated}
        declared = {name: self._declared(name, "rate") if name in driven else np.inf for name in labels}
        given = self.limits.rate
        if isinstance(given, float | int):
            given = dict.fromkeys(self.names[: len(self.actuated)], float(given))
        return _by_name("rate", given, declared)

    @cached_property
    def ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest value of every coordinate (nq)."""
        layout = self.dynamics.layout
        low, high = np.full(self.dynamics.nq, -np.inf), np.full(self.dynamics.nq, np.inf)
        labels = [body + part for body, kind in layout.kind.items() for part in FREEDOM[kind].flat]
        at, _ = layout.flat(labels)
        low[at], high[at] = joint_limits(self.dynamics, labels)
        for name, (least, most) in (self.limits.joints or {}).items():
            if not least <= most:
                raise ValueError(f"limits of {name!r} contradict: {least:g} is above {most:g}")
            at, _ = layout.flat([name])
            low[at], high[at] = least, most
        return low, high

    def _declared(self, name: str, what: str) -> float:
        body = next((b for b in self.dynamics.world.bodies if b.name == name), None)
        value = getattr(getattr(getattr(body, "joint", None), "actuator", None), what, None)
        return np.inf if value is None else float(value)

    def _refuse_contradictions(self) -> None:
        """Bounds that no motion can keep, told before anything is solved."""
        for name, bound in (("torque", self.torques), ("rate", self.rates)):
            if np.any(bound < 0) or np.any(np.isnan(bound)):
                raise ValueError(f"the {name} limit must not be negative")
        low, high = self.ranges
        labels = self.dynamics.layout.names()[0]
        for k, (least, value, most) in enumerate(zip(low, self.q, high, strict=True)):
            if not least - 1e-9 <= value <= most + 1e-9:
                raise ValueError(f"the start has {labels[k]!r} at {value:g}, outside its limits {least:g} to {most:g}")
        for condition in (*self.end, *self.paths):
            bounds = np.concatenate([np.ravel(condition.low), np.ravel(condition.high)])
            if not np.all(np.isfinite(condition.goal)) or np.any(np.isnan(bounds)):
                raise ValueError(f"the goal or a bound of {condition.name!r} is not a finite number")
            if np.any(np.asarray(condition.low) > np.asarray(condition.high)):
                raise ValueError(f"the bounds of {condition.name!r} contradict: low is above high")
        for condition in self.end:
            self._refuse_goal(condition)

    def _refuse_goal(self, condition: Condition) -> None:
        kind, _, rest = condition.name.partition(" ")
        names = rest.split(", ")
        if kind == "joints":
            at, _ = self.dynamics.layout.flat(names)
            bounds, unit = tuple(side[at] for side in self.ranges), "limits"
        elif kind == "rates":
            most = self.rates[self.dynamics.layout.velocities(names)]
            bounds, unit = (-most, most), "rate limits"
        else:
            return
        for name, goal, least, most in zip(names, condition.goal, *bounds, strict=True):
            if not least - 1e-9 <= goal <= most + 1e-9:
                raise ValueError(f"the end wants {name!r} at {goal:g}, outside its {unit} {least:g} to {most:g}")


def _conditions(name: str, given: Any) -> tuple[Condition, ...]:
    found = tuple(given) if isinstance(given, Sequence) else (None,)
    if not all(isinstance(one, Condition) for one in found):
        raise ValueError(f"{name} takes conditions, such as [at_rest(…)], not {given!r:.60}")
    return found


def _span(duration: Any) -> tuple[float, float]:
    try:
        low, high = map(float, duration if isinstance(duration, tuple | list) else (duration, duration))
    except (TypeError, ValueError):
        low = high = np.nan
    if not (np.isfinite(high) and 0 < low <= high):
        raise ValueError(
            f"the duration must be a positive number of seconds, or the least and the most: {duration!r:.60}"
        )
    if not SHORT < low <= high < LONG:
        raise ValueError(f"a duration is between {SHORT:g} and {LONG:g} s, not {duration!r:.60}")
    return low, high


def _steps(span: tuple[float, float], steps: Any, h: Any) -> tuple[int, float]:
    """How many, and their size or the most of it."""
    if (steps is None) == (h is None):
        raise ValueError("say either the number of steps or their size h")
    if h is None:
        return _count(steps), span[1] / steps
    if span[0] < span[1]:
        raise ValueError("a free duration takes a number of steps, not their size")
    if not (np.isfinite(h) and 0 < h <= span[1] / 2):
        raise ValueError(f"the step h must be a positive number of seconds, at most half the duration, not {h!r:.40}")
    return _count(int(np.ceil(span[1] / h - 1e-6))), float(h)


def _count(steps: Any) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or not 2 <= steps <= 100_000:
        raise ValueError(f"steps must be a whole number from 2 to 100000, not {steps!r:.40}")
    return int(steps)


def _engaged(world: World, given: Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return tuple(latch.name for latch in world.latches if latch.engaged)
    known = [latch.name for latch in world.latches]
    if isinstance(given, str) or any(name not in known for name in given):
        raise ValueError(f"engaged takes names of latches, of {', '.join(known) or 'none'}; not {given!r:.60}")
    return tuple(given)


def _by_name(what: str, given: float | Mapping[str, float] | None, declared: Mapping[str, float]) -> np.ndarray:
    """A bound for each name: as given, else as declared."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        return np.full(len(declared), float(given))
    for name in given:
        if name not in declared:
            raise ValueError(f"limits: no {what} of {name!r} to bound; there are {', '.join(declared)}"[:280])
    return np.array([float(given.get(name, value)) for name, value in declared.items()])


def _without_servos(dynamics: Dynamics, actuators: Sequence[str] | None) -> Dynamics:
    """The same world without contacts, and without the gains of driven joints' servos: what is planned is their whole
    torque."""
    names = set(dynamics.layout.v) if actuators is None else set(actuators)
    bodies = [
        body.model_copy(update={"joint": body.joint.model_copy(update={"servo": None})})
        if body.name in names and getattr(body.joint, "servo", None) is not None
        else body
        for body in dynamics.world.bodies
    ]
    if not dynamics.world.contacts and all(a is b for a, b in zip(bodies, dynamics.world.bodies, strict=True)):
        return dynamics
    return Dynamics(dynamics.world.altered(bodies=tuple(bodies), contacts=()))
