"""Derivatives of the step: all columns against the step solved to 50 digits, and their time.

python studies/step_derivatives.py
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "dynamics"))

from test_step_derivatives import given, worst_column
from worlds import free_flyer

from softdock.dynamics import Dynamics


def main() -> None:
    dynamics = Dynamics(free_flyer(7))
    for seed in (1, 2):
        print(f"seed {seed}: worst relative error {worst_column(dynamics, [*range(40)], seed=seed):.1e}")
    q, p, u = (np.repeat(x[None], 2000, axis=0) for x in given(dynamics, 1))
    best = np.inf
    for _ in range(20):
        began = time.process_time()
        dynamics.step_derivatives(q, p, u, 0.01)
        best = min(best, (time.process_time() - began) / len(q))
    print(f"{1e6 * best:.1f} µs for a step and its derivatives")


if __name__ == "__main__":
    main()
