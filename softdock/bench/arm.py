"""Sawyer's joint torques along many samples by the methods of `softdock.arm`, and by softdock's own kernels."""

from collections.abc import Callable

import numpy as np

from softdock.arm import SerialArm, block, inverse_dynamics, newton_euler, sawyer, table_1
from softdock.bench.rows import Limit, Result, Row, Say, ratio
from softdock.bench.timing import least, repeated
from softdock.dynamics import Dynamics

CASE = "arm-7"
Torques = Callable[[SerialArm, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def run(say: Say, *, samples: int = 100_000, block_samples: int = 1_000, rounds: int = 9) -> Result:
    """The kernels take at most 0.3 µs a sample; the O(n) recursion is quicker than the block matrices."""
    arm = sawyer()
    dynamics = Dynamics(arm.world(), announce=say)
    many = table_1(np.linspace(0.0, 2 * np.pi, samples))[1:]
    few = table_1(np.linspace(0.0, 2 * np.pi, block_samples))[1:]
    ways: dict[str, tuple[Torques, tuple[np.ndarray, ...]]] = {
        "product of exponentials": (inverse_dynamics, many),
        "D-H frames": (newton_euler, many),
        "block matrices": (block.inverse_dynamics, few),
        "kernels": (lambda _, q, v, a: dynamics.inverse_dynamics(q, v, a), many),
    }
    say(f"{CASE}: {', '.join(ways)} in turn")

    def work(way: str) -> Callable[[], np.ndarray]:
        torques, (q, v, a) = ways[way]
        return lambda: torques(arm, q, v, a)

    best = least({way: repeated(work(way), 1) for way in ways}, rounds=rounds, seconds=20.0)
    each = {way: 1e6 * best[way] / len(ways[way][1][0]) for way in ways}
    rows = []
    for way, (torques, (q, v, a)) in ways.items():
        error = float(np.max(np.abs(torques(arm, q, v, a) - dynamics.inverse_dynamics(q, v, a))))
        rows.append(Row(CASE, "softdock", way, us_per_step=each[way], total_ms=1e3 * best[way], error=error))
    limits = [
        Limit(f"{CASE}: kernels, µs a sample", each["kernels"], 0.3),
        Limit(
            f"{CASE}: O(n) recursion / block matrices",
            ratio(each["product of exponentials"], each["block matrices"]),
            1.0,
        ),
    ]
    return Result(rows, limits)
