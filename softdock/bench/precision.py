"""Work against precision: softdock's and MuJoCo's integrators on one motion of one world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from softdock.bench import mujoco_peer
from softdock.bench.rows import Limit, Result, Row, Say, ratio, time_at
from softdock.bench.softdock_engine import Adaptive, Variational, deviation, family
from softdock.bench.timing import least
from softdock.dynamics import Dynamics
from softdock.world import World

Method = Variational | Adaptive
MUJOCO_ORDER = {"Euler": 1, "RK4": 4}


@dataclass(frozen=True)
class Problem:
    """A motion whose end is known: `exact` is q at `span` seconds."""

    case: str
    world: World
    q: np.ndarray
    v: np.ndarray
    span: float
    exact: np.ndarray
    joints: slice
    attitude: slice | None = None
    targets: Mapping[str, float] = field(default_factory=dict)

    def error(self, q: np.ndarray) -> float:
        return deviation(q, self.exact, self.joints, self.attitude)


def measure(
    problem: Problem, methods: Sequence[Method], peer: Sequence[tuple[str, float]], say: Say, rounds: int
) -> list[Row]:
    """A row for each of softdock's methods and of MuJoCo's (integrator, h)."""
    dynamics = Dynamics(problem.world, announce=say)
    command = dynamics.command(position=dict(problem.targets))
    jobs = {}
    ends: dict[object, np.ndarray] = {}

    def ours(method: Method) -> float:
        seconds, ends[method] = method.run(dynamics, problem.q, problem.v, command, problem.span)
        return seconds

    for method in methods:
        jobs[method] = lambda method=method: ours(method)
    theirs = _theirs(problem, peer, ends, say)
    say(f"{problem.case}: {len(jobs)} ways of softdock and {len(theirs)} of MuJoCo in turn")
    best = least(jobs | theirs, rounds=rounds, seconds=40.0)
    rows = [m.row(problem.case, best[m], problem.span, problem.error(ends[m])) for m in methods]
    for key in theirs:
        (integrator, h), ms = key, 1e3 * best[key]
        each = 1e3 * ms / round(problem.span / h)
        error = problem.error(ends[key])
        rows.append(Row(problem.case, "mujoco", integrator, MUJOCO_ORDER[integrator], h, each, ms, error))
    return rows


def _theirs(problem: Problem, peer: Sequence[tuple[str, float]], ends: dict, say: Say) -> dict:  # type: ignore[type-arg]
    if not mujoco_peer.installed():
        say(f"{problem.case}: MuJoCo is not installed (pip install 'softdock[bench]'); its rows are left out")
        return {}
    engine = mujoco_peer.MujocoEngine(problem.world, dict(problem.targets))

    def run(key: tuple[str, float]) -> float:
        integrator, h = key
        seconds, ends[key] = engine.run(problem.q, problem.v, integrator, h, round(problem.span / h))
        return seconds

    return {key: lambda key=key: run(key) for key in peer}


def judged(case: str, rows: list[Row], *, h: float, step_limit: float, error: float, total_limit: float) -> Result:
    """The rows with their two limits: time per step against Euler, and total time at an error against RK4."""
    step = _per_step(family(rows, "softdock", "variational"), h)
    euler = _per_step(family(rows, "mujoco", "Euler"), h)
    limits = [Limit(f"{case}: softdock order 2 / MuJoCo Euler per step", ratio(step, euler), step_limit)]
    variational = time_at(family(rows, "softdock", "variational"), error)
    adaptive = time_at(family(rows, "softdock", "dop853"), error)
    peer = time_at(family(rows, "mujoco", "RK4"), error)
    ours = [time for time in (variational, adaptive) if time is not None]
    at = f"at error {error:.0e} rad"
    limits += [
        Limit(f"{case}: softdock best {at} / MuJoCo RK4", ratio(min(ours, default=None), peer), total_limit),
        Limit(f"{case}: softdock variational {at} / MuJoCo RK4", ratio(variational, peer), None),
        Limit(f"{case}: softdock DOP853 {at} / MuJoCo RK4", ratio(adaptive, peer), None),
        Limit(f"{case}: ms {at}: softdock variational", variational, None),
        Limit(f"{case}: ms {at}: softdock DOP853", adaptive, None),
        Limit(f"{case}: ms {at}: MuJoCo RK4", peer, None),
    ]
    return Result(rows, limits)


def _per_step(rows: Sequence[Row], h: float) -> float | None:
    found = [row.us_per_step for row in rows if row.h == h and row.order in (1, 2) and row.us_per_step is not None]
    return found[0] if found else None
