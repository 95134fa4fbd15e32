"""Compliant side walls against located impacts: iss-docking as the walls get stiffer.

An elastic contact of exponent n lasts T ∝ k^(−1/(n+1)). It acts as the located impulse does, but on average T/2 later:
the time of its middle, the velocity afterwards and the time of docking approach the located ones as T does.

    python studies/compliant_docking.py [--exponent 3]
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "docking"))
from stiffening import differences, step_for


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exponent", type=float, default=3.0)
    arguments = parser.parse_args()
    print(heading("compliant docking", arguments))
    n = arguments.exponent
    print(f"expected rate {1 / (n + 1):.3f} (of k^-rate)\n")
    print("| k | h (s) | contact (s) | depth (m) | impact (s) | rate | velocity (m/s) | rate | docking (s) | rate |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    before, growth = None, 100.0
    for power in range(8, 17, 2) if n == 3.0 else range(4, 11, 2):
        k = 10.0**power
        soft, apart = differences(k, n, step_for(k, n))
        rates = ["–"] * 3 if before is None else [f"{rate:.3f}" for rate in np.log(before / apart) / np.log(growth)]
        cells = " | ".join(f"{value:.2e} | {rate}" for value, rate in zip(apart, rates, strict=True))
        print(f"| 1e{power} | {soft.h:.2e} | {soft.duration:.4f} | {soft.depth:.2e} | {cells} |", flush=True)
        before = apart


if __name__ == "__main__":
    main()
