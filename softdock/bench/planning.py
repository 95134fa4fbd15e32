"""Planning: least acceleration of seven angles over 100 knots, with no bound active and with many."""

from functools import partial
from typing import Any

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import least, repeated
from softdock.planning import Plan, minimum_acceleration

CASE = "planning-7"
START = np.array([0.0, -0.4, 0.7, -1.1, 0.2, 0.9, -0.5])
GOAL = np.array([1.2, 0.5, -0.6, 0.4, -0.9, -0.3, 1.3])


def plans() -> dict[str, dict[str, Any]]:
    """Bounds of each row; tight: rates of 1.15 and accelerations of 9 times distance by time."""
    distance = np.abs(GOAL - START)
    tight = {"rate": 1.15 * distance / 5.0, "acceleration": 9.0 * distance / 25.0, "position": (-1.5, 1.5)}
    return {"no active bound": {}, "active bounds": tight}


def run(say: Say, *, rounds: int = 15) -> Result:
    """At most 20 ms each; `error` is the violation of the optimality conditions."""
    tasks = {name: partial(minimum_acceleration, START, GOAL, 5.0, **bounds) for name, bounds in plans().items()}
    found: dict[str, Plan] = {name: task() for name, task in tasks.items()}
    jobs = {name: repeated(task, 3) for name, task in tasks.items()}
    say(f"{CASE}: {', '.join(jobs)} in turn")
    best = least(jobs, rounds=rounds, seconds=10.0)
    rows = [
        Row(f"{CASE}/{name}", "softdock", "minimum_acceleration", total_ms=1e3 * seconds, error=found[name].kkt)
        for name, seconds in best.items()
    ]
    limits = [Limit(f"{CASE}/{name}: ms for 100 knots, 7 angles", 1e3 * s, 20.0) for name, s in best.items()]
    return Result(rows, limits)
