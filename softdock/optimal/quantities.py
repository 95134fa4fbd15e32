"""What conditions, costs and paths are written in: expressions of a state."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from softdock.mechanics import motion
from softdock.mechanics.layouts import ENERGY
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.tree import WORLD_LINK, Tree
from softdock.spatial import matrix_of_quaternion
from softdock.world.describe import nearest


class Quantities:
    """Of a state, as CasADi expressions: coordinates, frames, velocities and momenta.

    `q` (m or rad), `v` (m/s or rad/s; in a path, that of the step), `u` torques of the task's actuators (N m or N).
    """

    def __init__(self, tree: Tree, numbers: Numbers, q: ca.SX, v: ca.SX, u: ca.SX | None = None) -> None:
        self._tree, self._numbers = tree, numbers
        self.q, self.v, self.u = q, v, u

    def coordinates(self, *names: str) -> ca.SX:
        """Coordinates by name, such as "arm1" or "base.x" (m or rad)."""
        at, _ = self._tree.layout.flat(names)
        return self.q[at.tolist()]

    def rates(self, *names: str) -> ca.SX:
        """Velocities by name, such as "arm1" or "base.wx" (m/s or rad/s)."""
        return self.v[self._tree.layout.velocities(names).tolist()]

    @cached_property
    def _poses(self) -> tuple[list[ca.SX], list[ca.SX]]:
        return motion.poses(self._tree, self._numbers, self.q)

    def pose(self, frame: str, of: str | None = None) -> tuple[ca.SX, ca.SX]:
        """R and p (m) of a frame or body, in the world or in another frame."""
        places = self._tree.places
        for name in filter(None, (frame, of)):
            if name not in places:
                raise ValueError(f"no frame {name!r}{nearest(name, places)}")
        R, p = self._in_world(frame)
        if of is None:
            return R, p
        R_of, p_of = self._in_world(of)
        return R_of.T @ R, R_of.T @ (p - p_of)

    def _in_world(self, frame: str) -> tuple[ca.SX, ca.SX]:
        place, (R, p) = self._tree.places[frame], self._poses
        if place.link == WORLD_LINK:
            return ca.SX(place.R_LB), ca.SX(place.p_LB)
        return R[place.link] @ place.R_LB, p[place.link] + R[place.link] @ place.p_LB

    def position(self, frame: str, of: str | None = None) -> ca.SX:
        """p of a frame (m)."""
        return self.pose(frame, of)[1]

    def twist(self, frame: str) -> tuple[ca.SX, ca.SX]:
        """Angular (rad/s) and linear velocity (m/s) of a frame's origin, in world axes."""
        R, p = self.pose(frame)
        spin = ca.reshape(self.rate(ca.vec(R)), 3, 3) @ R.T
        return ca.vertcat(spin[2, 1], spin[0, 2], spin[1, 0]), self.rate(p)

    def rate(self, of: ca.SX) -> ca.SX:
        """How fast an expression in q changes (1/s of its unit)."""
        return ca.jtimes(of, self.q, motion.rates(self._tree, self.q, self.v))

    @cached_property
    def _energy(self) -> Any:
        out = motion.energy(self._tree, self._numbers, self.q, self.v, ca.SX.zeros(3))
        return ENERGY.split(out, {})

    @property
    def momentum(self) -> ca.SX:
        """Of the whole world (kg m/s)."""
        return self._energy.momentum

    @property
    def angular_momentum(self) -> ca.SX:
        """Of the whole world about its centre of mass (kg m²/s)."""
        mass = sum(n.m for n in self._numbers.links)
        center = self._energy.first_moment / mass
        return self._energy.angular_momentum - ca.cross(center, self._energy.momentum)


Expression = Callable[[Quantities, ca.SX], ca.SX]


@dataclass(frozen=True)
class Condition:
    """low ≤ of(state, goal) ≤ high, row by row. The numbers `goal`, `low` and `high` may change without compiling
    anything; another `of` is compiled once."""

    name: str
    """What messages call it."""
    of: Expression
    goal: tuple[float, ...] = ()
    """Numbers that `of` takes (m, rad, m/s or rad/s)."""
    low: float | tuple[float, ...] = 0.0
    """(m, rad, m/s or rad/s)."""
    high: float | tuple[float, ...] = 0.0
    """(m, rad, m/s or rad/s)."""
    at_end: bool = True
    """Of a path: must it hold at the last state too? Not if that touches what the path keeps clear of."""


def joints_at(values: dict[str, float]) -> Condition:
    """Coordinates at values (m or rad)."""
    names = _some(values)
    label = "joints " + ", ".join(names)
    return Condition(label, lambda s, goal: s.coordinates(*names) - goal, tuple(map(float, values.values())))


def rates_at(values: dict[str, float]) -> Condition:
    """Velocities at values (m/s or rad/s)."""
    names = _some(values)
    label = "rates " + ", ".join(names)
    return Condition(label, lambda s, goal: s.rates(*names) - goal, tuple(map(float, values.values())))


def at_rest(*names: str) -> Condition:
    """Velocities of these joints, or labels such as "base.wx", zero."""
    return Condition("rest of " + ", ".join(_some(names)), lambda s, goal: s.rates(*names))


def frame_at(frame: str, position: ArrayLike, *, of: str | None = None) -> Condition:
    """A frame's origin at a position (m) in the world, or in another frame."""
    return Condition(f"position of {frame}", lambda s, goal: s.position(frame, of) - goal, _numbers(position, 3))


def frame_turned(frame: str, quaternion: ArrayLike, *, of: str | None = None) -> Condition:
    """A frame's attitude, by its quaternion (w x y z) in the world, or in another frame (rad, near zero)."""
    row = np.array(_numbers(quaternion, 4))
    if not row.any():
        raise ValueError("a quaternion must not be zero")
    R = matrix_of_quaternion(row / np.linalg.norm(row))

    def off(s: Quantities, goal: ca.SX) -> ca.SX:
        E = s.pose(frame, of)[0] @ ca.reshape(goal, 3, 3)  # R R_goalᵀ: the goal is stored by rows
        spin = ca.vertcat(E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1])
        # the axis times tan(angle/2): zero at the goal only, where the sine is zero half a turn away as well
        return spin / (1 + ca.trace(E))

    return Condition(f"attitude of {frame}", off, tuple(R.ravel().tolist()))


def frame_moving(frame: str, linear: ArrayLike, angular: ArrayLike | None = None) -> Condition:
    """A frame's velocity (m/s) and, if given, angular velocity (rad/s), in world axes: that of a handle to be met."""
    goal = _numbers(linear, 3) if angular is None else (*_numbers(linear, 3), *_numbers(angular, 3))

    def off(s: Quantities, goal: ca.SX) -> ca.SX:
        spin, along = s.twist(frame)
        return ca.vertcat(along, *([] if angular is None else [spin])) - goal

    return Condition(f"velocity of {frame}", off, goal)


def angular_momentum_at(value: ArrayLike) -> Condition:
    """Of the whole world about its centre of mass (kg m²/s)."""
    return Condition("angular momentum", lambda s, goal: s.angular_momentum - goal, _numbers(value, 3))


def momentum_at(value: ArrayLike) -> Condition:
    """Of the whole world (kg m/s)."""
    return Condition("momentum", lambda s, goal: s.momentum - goal, _numbers(value, 3))


def _some(names: Iterable[str]) -> tuple[str, ...]:
    found = tuple(names)
    if not found:
        raise ValueError("a condition of joints names none")
    return found


def _numbers(value: ArrayLike, count: int) -> tuple[float, ...]:
    row = np.asarray(value, dtype=np.float64)
    if row.shape != (count,) or not np.all(np.isfinite(row)):
        raise ValueError(f"{count} finite numbers are needed, not {row.tolist()!r:.60}")
    return tuple(row.tolist())


@dataclass(frozen=True)
class Cost:
    """What a plan makes small: ∫ effort Σ u² + rates Σ ξ² + base Σ ξ_base² + time + running dt, and `final` at the end.

    Weights are numbers, or by name; changing them compiles nothing.
    """

    effort: float | dict[str, float] = 1.0
    """Of squared torques (1/(N² m²) or 1/N² per second)."""
    rates: float | dict[str, float] = 0.0
    """Of squared velocities of actuated joints, or by label (s)."""
    base: float = 0.0
    """Of squared velocities that nothing drives (s)."""
    time: float = 0.0
    """Of the duration (1/s)."""
    running: Expression | None = None
    """A rate of further cost, of the state in the middle of a step, ξ, torques and `goal`."""
    final: Expression | None = None
    """A further cost of the last state."""
    goal: tuple[float, ...] = field(default=())
    """Numbers that these take (m, rad, m/s or rad/s)."""

    def __post_init__(self) -> None:
        for name in ("effort", "rates", "base", "time"):
            given = getattr(self, name)
            weights = given.values() if isinstance(given, dict) else [given]
            if not all(np.isfinite(weight) and weight >= 0 for weight in weights):
                raise ValueError(
                    f"the weight of {name} must be a finite number that is not negative, not {given!r:.60}"
                )
