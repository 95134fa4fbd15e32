"""Identification of Sawyer's friction and base parameters from 10,000 samples."""

from functools import partial

import numpy as np

from softdock.arm import Log, identify, inverse_dynamics, sawyer
from softdock.arm.excite import excite
from softdock.arm.logs import sign
from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import least, repeated

CASE = "identify"
NOISE = 0.05


def log(samples: int = 10_000) -> tuple[Log, np.ndarray]:
    """Torques of the other public parameter set with friction and noise along an exciting motion; and without noise."""
    true = sawyer("mjcf")
    t, q, v, a = excite(true, tries=40).samples(np.arange(samples) / 100)
    torque = inverse_dynamics(true, q, v, a) + 0.8 * v + 0.5 * sign(v)
    return Log(t, q, v, a, torque + NOISE * np.random.default_rng(0).normal(size=torque.shape)), torque


def run(say: Say, *, samples: int = 10_000, rounds: int = 5) -> Result:
    """At most 2 s; `error` is the largest torque that the identified model is off by (N m)."""
    arm, (data, torque) = sawyer(), log(samples)
    ways = {"least squares": False, "physical": True}
    say(f"{CASE}: {', '.join(ways)} in turn")
    jobs = {way: repeated(partial(identify, data, arm, physical=physical), 1) for way, physical in ways.items()}
    best = least(jobs, rounds=rounds, seconds=20.0)
    rows = []
    for way, physical in ways.items():
        found = identify(data, arm, physical=physical)
        error = float(np.abs(found.torques(data) - torque).max())
        rows.append(
            Row(CASE, "softdock", way, us_per_step=1e6 * best[way] / samples, total_ms=1e3 * best[way], error=error)
        )
    return Result(rows, [Limit(f"{CASE}/{way}: s for {samples} samples", best[way], 2.0) for way in ways])
