"""softdock's own integrators as jobs to time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softdock.bench.rows import Row
from softdock.bench.timing import Job, timed
from softdock.dynamics import Dynamics, Motion, reference

TIGHT, LOOSE = 1e-14, 1e-12
"""Solver tolerances: softdock's default, and one that suits errors above 1e-11."""


def flight(dynamics: Dynamics, q: np.ndarray, v: np.ndarray, h: float, steps: int) -> Job:
    """Steps of order 2 from a state, without commands; nothing on the way is kept."""

    def job() -> float:
        motion = Motion(dynamics, q, v, h=h)
        return timed(lambda: motion.run(steps, every=steps))

    return job


@dataclass(frozen=True)
class Variational:
    """Steps of size h, of order 2, 4 or 6, with the Newton iteration's tolerance."""

    order: int
    h: float
    tolerance: float = TIGHT

    def run(self, dynamics: Dynamics, q: np.ndarray, v: np.ndarray, u: np.ndarray, span: float):  # type: ignore[no-untyped-def]
        """Seconds that the loop took, and q at its end."""
        motion = Motion(dynamics, q, v, h=self.h, order=self.order, tolerance=self.tolerance)
        steps = round(span / self.h)
        return timed(lambda: motion.run(steps, u, every=steps)), motion.q

    def row(self, case: str, seconds: float, span: float, error: float | None) -> Row:
        kind = "variational" if self.tolerance == TIGHT else f"variational, tolerance {self.tolerance:.0e}"
        steps = round(span / self.h)
        return Row(case, "softdock", kind, self.order, self.h, 1e6 * seconds / steps, 1e3 * seconds, error)


@dataclass(frozen=True)
class Adaptive:
    """DOP853 on the same kernels, at a relative tolerance."""

    rtol: float

    def run(self, dynamics: Dynamics, q: np.ndarray, v: np.ndarray, u: np.ndarray, span: float):  # type: ignore[no-untyped-def]
        """Seconds that the integration took, and q at its end."""
        states: list[np.ndarray] = []

        def work() -> None:
            states.append(reference(dynamics, q, v, [0.0, span], u, rtol=self.rtol, atol=self.rtol)[0][-1])

        return timed(work), states[0]

    def row(self, case: str, seconds: float, span: float, error: float | None) -> Row:
        return Row(case, "softdock", f"dop853, rtol {self.rtol:.0e}", 8, None, None, 1e3 * seconds, error)


def deviation(q: np.ndarray, exact: np.ndarray, joints: slice, attitude: slice | None = None) -> float:
    """Largest difference of joint angles, and the angle between attitudes (quaternions w x y z), in rad."""
    error = float(np.abs(q[joints] - exact[joints]).max())
    if attitude is not None:
        a, b = q[attitude] / np.linalg.norm(q[attitude]), exact[attitude] / np.linalg.norm(exact[attitude])
        apart = min(float(np.linalg.norm(a - b)), float(np.linalg.norm(a + b)))
        error = max(error, 4 * math.asin(min(1.0, apart / 2)))
    return error


def family(rows: Sequence[Row], engine: str, integrator: str) -> list[Row]:
    """Rows of one engine whose integrator's name starts so."""
    return [row for row in rows if row.engine == engine and row.integrator.startswith(integrator)]
