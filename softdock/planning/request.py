"""What is asked of a planner, checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.planning.plan import Infeasible


class Waypoint(NamedTuple):
    """A position to pass at a time, and optionally the rate to pass it with."""

    time: float
    """(s)."""
    position: ArrayLike
    """(n) (m or rad)."""
    rate: ArrayLike | None = None
    """(n); free if None (m/s or rad/s)."""


class Bound(NamedTuple):
    """lower ≤ a position, a rate or an acceleration ≤ upper, (n) each."""

    kind: str
    lower: np.ndarray
    upper: np.ndarray


class Event(NamedTuple):
    """A state to be in: time (s), position (n), rate (n) or None."""

    what: str
    time: float
    position: np.ndarray
    rate: np.ndarray | None


@dataclass(frozen=True)
class Request:
    """A start, events on the way of which the last is the goal, and bounds on position, rate, acceleration."""

    names: tuple[str, ...]
    duration: float
    knots: int
    start: Event
    events: tuple[Event, ...]
    bounds: tuple[Bound, Bound, Bound]
    weights: np.ndarray

    @property
    def n(self) -> int:
        return len(self.names)


def requested(
    start: ArrayLike,
    goal: ArrayLike,
    duration: float,
    *,
    start_rate: ArrayLike,
    goal_rate: ArrayLike,
    position: tuple[ArrayLike, ArrayLike] | None,
    rate: ArrayLike | None,
    acceleration: ArrayLike | None,
    waypoints: Sequence[Waypoint],
    weights: ArrayLike,
    names: Sequence[str] | None,
    knots: int,
) -> Request:
    """The arguments of `minimum_acceleration` as arrays; ValueError for what makes no sense."""
    if not (np.isfinite(duration) and duration > 0):
        raise ValueError(f"the duration must be a positive number of seconds, not {duration}")
    if knots < 4:
        raise ValueError(f"a plan takes at least 4 knots, not {knots}")
    n = np.size(start)
    labels = tuple(names) if names is not None else tuple(f"q[{k}]" for k in range(n))
    if len(labels) != n:
        raise ValueError(f"there are {len(labels)} names for {n} coordinates")
    first = Event("start", 0.0, _row("start", start, n), _row("start_rate", start_rate, n))
    events = [
        Event(
            f"way-point at {time:g} s",
            float(time),
            _row("a way-point's position", at, n),
            None if moving is None else _row("a way-point's rate", moving, n),
        )
        for time, at, moving in waypoints
    ]
    times = np.array([0.0, *(event.time for event in events), duration])
    if not np.all(np.diff(times) > 1e-6 * duration):
        raise ValueError(f"way-points must stand in order of time between 0 and {duration:g} s")
    events.append(Event("goal", float(duration), _row("goal", goal, n), _row("goal_rate", goal_rate, n)))
    low, high = position if position is not None else (-np.inf, np.inf)
    bounds = (
        Bound("position", _row("the lowest position", low, n, True), _row("the highest position", high, n, True)),
        _symmetric("rate", rate, n),
        _symmetric("acceleration", acceleration, n),
    )
    heavy = _row("weights", weights, n)
    if np.any(heavy <= 0):
        raise ValueError("weights must be positive")
    request = Request(labels, float(duration), knots, first, tuple(events), bounds, heavy)
    _refuse_events_outside(request)
    return request


def _row(what: str, value: ArrayLike, n: int, infinite: bool = False) -> np.ndarray:
    row = np.asarray(value, dtype=np.float64)
    if row.ndim > 1 or (row.ndim == 1 and len(row) != n):
        raise ValueError(f"{what} must be a number or have {n} numbers, not shape {row.shape}")
    if np.any(np.isnan(row)) or (not infinite and not np.all(np.isfinite(row))):
        raise ValueError(f"{what} has a value that is not finite")
    return np.broadcast_to(row, (n,)).copy()


def _symmetric(kind: str, size: ArrayLike | None, n: int) -> Bound:
    row = np.full(n, np.inf) if size is None else _row(f"the largest {kind}", size, n, True)
    if np.any(row <= 0):
        raise ValueError(f"the largest {kind} must be positive")
    return Bound(kind, -row, row)


def _refuse_events_outside(request: Request) -> None:
    for event in (request.start, *request.events):
        for bound, value in zip(request.bounds[:2], (event.position, event.rate), strict=True):
            if value is None:
                continue
            for name, x, low, high in zip(request.names, value, bound.lower, bound.upper, strict=True):
                if not low <= x <= high:
                    raise Infeasible(
                        f"{event.what}: the {bound.kind} {x:.6g} of {name!r} is outside its bounds, "
                        f"{low:.6g} to {high:.6g}"
                    )
