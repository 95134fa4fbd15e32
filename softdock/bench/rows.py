"""What a benchmark gives: rows of measurements, and the ratios that have a limit."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

Say = Callable[[str], None]
"""Where progress goes."""


@dataclass(frozen=True)
class Row:
    """One engine doing one thing. `error` in rad (or N m for inverse dynamics) against a reference."""

    case: str
    engine: str
    integrator: str
    order: int | None = None
    h: float | None = None
    us_per_step: float | None = None
    total_ms: float | None = None
    error: float | None = None


@dataclass(frozen=True)
class Limit:
    """A figure that must not be above its limit; `value` None where it could not be measured."""

    what: str
    value: float | None
    limit: float | None

    def __str__(self) -> str:
        value = "not measured" if self.value is None else f"{self.value:.3g}"
        if self.limit is None:
            return f"{self.what} = {value}"
        verdict = "" if self.value is None else ", met" if self.value <= self.limit else ", MISSED"
        return f"{self.what} = {value} (limit {self.limit:.3g}{verdict})"


@dataclass
class Result:
    """What a case gives."""

    rows: list[Row] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)


def beside_mujoco(case: str, best: Mapping[str, float], h: float, steps: int) -> list[Row]:
    """Rows of the seconds that steps of softdock took, and of MuJoCo's Euler if it is there."""
    return [
        Row(case, engine, kind, order, h, 1e6 * best[engine] / steps, 1e3 * best[engine])
        for engine, kind, order in (("softdock", "variational", 2), ("mujoco", "euler", 1))
        if engine in best
    ]


def ratio(a: float | None, b: float | None) -> float | None:
    """a / b, or None if either was not measured."""
    return None if a is None or b is None else a / b


def time_at(rows: Sequence[Row], error: float) -> float | None:
    """Total time (ms) at which a family of rows reaches an error: log-log between the two points of its
    time-error front that enclose it. None if it does not get there; the fastest row's time if all are better."""
    points = sorted((row.total_ms, row.error) for row in rows if row.total_ms and row.error is not None)
    front = [p for k, p in enumerate(points) if all(p[1] < before[1] for before in points[:k])]
    for (t0, e0), (t1, e1) in zip([(math.nan, math.inf), *front], front, strict=False):
        if e1 <= error:
            return t1 if math.isinf(e0) else _between(t0, e0, t1, e1, error)
    return None


def _between(t0: float, e0: float, t1: float, e1: float, error: float) -> float:
    fraction = math.log(e0 / error) / math.log(e0 / max(e1, 1e-300))
    return t0 * (t1 / t0) ** fraction


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Slope of log time over log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
