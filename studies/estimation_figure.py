"""One run of softdock's estimator on the rich tumble: errors of the pose with their 3σ bounds, then 20 s blind.

python studies/estimation_figure.py [--out docs/pictures/estimation-errors.png] [--seed 0]
"""

import argparse
from pathlib import Path

import numpy as np

from softdock.estimation import TargetEstimator, pose_error
from softdock.estimation.tumbles import TUMBLES, observed, true_motion
from softdock.figures.look import COLORS, legend, panels

SEEN, END = 90.0, 110.0


def errors_and_sigmas(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, errors (N, 6) and standard deviations (N, 6): after each measurement, then of forecasts."""
    tumble = TUMBLES["rich"]
    truth = true_motion(tumble, np.arange(0, END + 1e-9, 0.5))
    estimator, rows = TargetEstimator(tumble.n), []
    for state, measurement in zip(truth.states, observed(truth, np.random.default_rng(seed)), strict=True):
        if state.t <= SEEN:
            estimator.update(measurement)
        there = estimator.forecast(state.t)
        error = pose_error((there.position, there.quaternion), (state.position, state.quaternion))
        rows.append((error, np.sqrt(there.covariance.diagonal())))
    errors, sigmas = (np.array(column) for column in zip(*rows, strict=True))
    return truth.times, errors, sigmas


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "docs/pictures/estimation-errors.png")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    t, errors, sigmas = errors_and_sigmas(options.seed)
    units = np.array([1e3] * 3 + [np.degrees(1)] * 3)
    labels = [f"{axis} (mm)" for axis in "xyz"] + [f"turn about {axis} (°)" for axis in "xyz"]
    figure, axes = panels(
        "Error of the estimated grasp pose",
        "lines: error; shaded: 3σ as stated; grey from 90 s: no measurements. Position in {A}, turn in {C}.",
        labels,
        columns=2,
    )
    for k, (ax, unit) in enumerate(zip(axes, units, strict=True)):
        which = (k + 3) % 6  # errors are rotation, position; panels the other way round
        color, bound = COLORS[k % 3], 3 * unit * sigmas[:, which]
        ax.fill_between(t, -bound, bound, color=color, alpha=0.18, linewidth=0, label="3σ")
        ax.plot(t, unit * errors[:, which], color=color, linewidth=1.1, label="error")
        ax.axvspan(SEEN, END, color="#BBBBBB", alpha=0.35, linewidth=0, label="blind")
        limit = 25.0 if k < 3 else 2.5
        ax.set_ylim(-limit, limit)
        legend(ax)
    figure.savefig(options.out, format="png")
    print(options.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
