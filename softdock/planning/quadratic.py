"""The convex part: least squared acceleration in a fixed time (Asci & Nanjangud, eq. 3), coordinate by coordinate."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from softdock.planning.knots import Knots, knots_through
from softdock.planning.plan import Infeasible, Plan
from softdock.planning.request import Request, Waypoint, requested

TOLERANCE = 1e-10
"""Of the solver, in a coordinate's unit (rad or m), with time measured in durations."""
EQUALITY, INFEASIBLE = 5, -1
"""DAQP's words."""


class Rows(NamedTuple):
    """lower ≤ (α; A α) ≤ upper for one coordinate: K bounds on accelerations, then the rows of A.

    `kinds` says of every row of A what it bounds: 0 position, 1 rate, 3 an event (an equality).
    """

    lower: np.ndarray
    upper: np.ndarray
    kinds: np.ndarray


POSITION, RATE, EVENT = 0, 1, 3


class Program:
    """The quadratic program of a request: one matrix for all coordinates, sides for each.

    Variables are α = T² q̈ at the knots: minimise ½ αᵀ H α over lower ≤ (α; A α) ≤ upper.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        T = request.duration
        inner = request.events[:-1]
        self.grid: Knots = knots_through(
            request.knots, [event.time / T for event in inner], [event.rate is not None for event in inner]
        )
        self.H = 2 * len(self.grid.tau) * self.grid.W
        bounded = [np.any(np.isfinite(b.lower) | np.isfinite(b.upper)) for b in request.bounds]
        blocks, kinds = [], []
        if bounded[RATE]:
            blocks.append(self.grid.hull_of_rates())
            kinds += [RATE] * len(blocks[-1])
        self._tau = np.zeros(0)
        if bounded[POSITION]:
            rows, self._tau = self.grid.hull_of_positions()
            blocks.append(rows)
            kinds += [POSITION] * len(rows)
        for event in request.events:
            k = int(np.searchsorted(self.grid.tau, event.time / T))
            blocks.append(self.grid.Q[k : k + 1])
            if event.rate is not None:
                blocks.append(self.grid.V[k : k + 1])
            kinds += [EVENT] * (1 if event.rate is None else 2)
        self.A = np.ascontiguousarray(np.vstack(blocks))
        self.kinds = np.array(kinds)
        self.sense = np.zeros(len(self.grid.tau) + len(kinds), dtype=np.intc)
        self.sense[len(self.grid.tau) :][self.kinds == EVENT] = EQUALITY

    def sides(self, i: int) -> Rows:
        """Bounds of coordinate i, less what its start contributes."""
        request, T = self.request, self.request.duration
        q0, v0 = request.start.position[i], request.start.rate[i] * T  # type: ignore[index]
        position, rate, acceleration = request.bounds
        count = len(self.grid.tau)
        sides = []
        for side in ("lower", "upper"):
            parts = [np.full(count, getattr(acceleration, side)[i] * T * T)]
            if np.any(self.kinds == RATE):
                parts.append(np.full(count - 1, getattr(rate, side)[i] * T - v0))
            parts.append(getattr(position, side)[i] - q0 - self._tau * v0)
            for event in request.events:
                parts.append(np.array([event.position[i] - q0 - event.time / T * v0]))
                if event.rate is not None:
                    parts.append(np.array([event.rate[i] * T - v0]))
            sides.append(np.concatenate(parts))
        return Rows(sides[0], sides[1], self.kinds)

    def states(self, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q, q̇, q̈ (K, n) at the knots, of α (K, n)."""
        start, T = self.request.start, self.request.duration
        v0 = start.rate * T  # type: ignore[operator]
        q = start.position + np.outer(self.grid.tau, v0) + self.grid.Q @ alpha
        return q, (v0 + self.grid.V @ alpha) / T, alpha / T**2

    def cost(self, alpha: np.ndarray) -> float:
        """∫ Σ wᵢ q̈ᵢ² dt."""
        return float(
            np.sum(self.request.weights * np.sum(alpha * (self.grid.W @ alpha), axis=0)) / self.request.duration**3
        )

    def plan(self, alpha: np.ndarray, kkt: float) -> Plan:
        q, qd, qdd = self.states(alpha)
        return Plan(self.request.names, self.grid.tau * self.request.duration, q, qd, qdd, self.cost(alpha), kkt)


def minimum_acceleration(
    start: ArrayLike,
    goal: ArrayLike,
    duration: float,
    *,
    start_rate: ArrayLike = 0.0,
    goal_rate: ArrayLike = 0.0,
    position: tuple[ArrayLike, ArrayLike] | None = None,
    rate: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    waypoints: Sequence[Waypoint] = (),
    weights: ArrayLike = 1.0,
    names: Sequence[str] | None = None,
    knots: int = 100,
) -> Plan:
    """The motion of n coordinates from start to goal in `duration` (s) with least ∫ Σ wᵢ q̈ᵢ² dt.

    `position` is (lowest, highest), `rate` and `acceleration` the largest magnitudes; each a number for
    all or one for each coordinate. They hold at every time, not only at the knots. `Infeasible` says
    which bound stands in the way.
    """
    return solve(
        Program(
            requested(
                start, goal, duration, start_rate=start_rate, goal_rate=goal_rate, position=position, rate=rate,
                acceleration=acceleration, waypoints=waypoints, weights=weights, names=names, knots=knots,
            )
        )
    )  # fmt: skip


def solve(program: Program) -> Plan:
    """The plan of a program."""
    return program.plan(*accelerations(program))


def accelerations(program: Program) -> tuple[np.ndarray, float]:
    """α (K, n) and the violation of the optimality conditions.

    Each coordinate is a program of its own; all share their matrices, which are factorised once.
    """
    import daqp

    solver = daqp.Model()
    alpha = np.empty((len(program.grid.tau), program.request.n))
    worst = 0.0
    solver.settings = {"primal_tol": TOLERANCE}
    for i in range(program.request.n):
        rows = program.sides(i)
        if i == 0:
            flag, _ = solver.setup(
                program.H, np.zeros(len(program.H)), program.A, rows.upper, rows.lower, program.sense
            )
        else:
            flag = solver.update(bupper=rows.upper, blower=rows.lower, sense=program.sense)
        if flag >= 0:
            x, _, flag, info = solver.solve()
        if flag < 0:
            _fail(program, i, flag)
        alpha[:, i] = x
        worst = max(worst, optimality(program, rows, x, info["lam"]))
    return alpha, worst


def _fail(program: Program, i: int, flag: int) -> NoReturn:
    from softdock.planning.diagnosis import explain

    if flag == INFEASIBLE:
        raise Infeasible(partial(explain, program, i))
    raise RuntimeError(f"planning {program.request.names[i]!r}: the solver stopped with flag {flag}")


def optimality(program: Program, rows: Rows, x: np.ndarray, multipliers: np.ndarray) -> float:
    """Largest of: slope of the Lagrangian, violation of a row, multiplier of the wrong sign or of a slack row.

    Slopes and multipliers are relative to the largest slope of the cost, violations to 1 rad or 1 m.
    """
    slope = program.H @ x
    count = len(x)
    value = np.concatenate([x, program.A @ x])
    push = multipliers[:count] + program.A.T @ multipliers[count:]
    scale = 1.0 + np.abs(slope).max()
    over, under = value - rows.upper, rows.lower - value
    slack = np.where(multipliers > 0, -over, np.where(multipliers < 0, -under, 0.0))
    return float(
        max(np.abs(slope + push).max() / scale, over.max(), under.max(), np.abs(slack * multipliers).max() / scale)
    )
