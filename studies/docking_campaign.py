"""500 dockings with drawn starts, gains, masses and calibration errors: what docs/campaigns.md shows.

    python studies/docking_campaign.py [--runs 500] [--out DIR] [--picture docs/pictures/docking-campaign.png]

The same as

    softdock campaign iss-docking --runs 500 --design latin-hypercube --seed 1 \
        --set bay.capture_distance=0.05 … (see VARY)
"""

import argparse
import tempfile
import time
from pathlib import Path

import matplotlib as mpl
import numpy as np
from report import heading

from softdock.campaign import campaign_of, results, run_campaign
from softdock.campaign.report import correlations, write_report
from softdock.campaign.statistics import numbers, rate_of

CHANGES = ["bay.capture_distance=0.05", "run.record_every=20"]
VARY = {
    "arm.kp": "truncnormal(10, 0.5, 8, 12)",
    "arm.kd": "truncnormal(2, 0.1, 1.5, 2.5)",
    "arm.start": "normal([3.37, 0.97, 1.23], 0.015)",
    "arm.docked": "normal([2.932, 0.741, 0.776], 0.01)",
    "payload.mass": "uniform(90, 110)",
    "contact.restitution": "uniform(0.6, 1)",
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--picture", type=Path, default=None)
    options = parser.parse_args()
    print(heading("dockings", options))
    campaign = campaign_of(
        "iss-docking", vary=VARY, changes=CHANGES, runs=options.runs, design="latin-hypercube", seed=1
    )
    out = options.out or Path(tempfile.mkdtemp()) / "docking"
    began = time.monotonic()
    tally = run_campaign(campaign, out)
    print(f"{tally.total} runs in {time.monotonic() - began:.1f} s: {dict(tally.outcomes.most_common())}")
    table = results(out)
    print(f"docked {rate_of(table, campaign)}")
    drawn = list(campaign.draws(0))
    for metric, row in correlations(table, drawn, ["success", "docked_at"]).items():
        print(
            metric, ", ".join(f"{name} {rho:+.2f}" for name, rho in sorted(row.items(), key=lambda x: -abs(x[1]))[:4])
        )
    print(write_report(out))
    if options.picture:
        draw(table, options.picture)


def draw(table, path: Path) -> None:
    """Where it docks, and when."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    outcome = np.array(table["outcome"].to_pylist())
    off = numbers(table, "arm.docked[0]") - 2.932, numbers(table, "arm.docked[1]") - 0.741
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.9), layout="constrained")
    colours = {"docked": "#2166ac"}
    for name, colour in zip(sorted(set(outcome) - {"docked"}), ("#b2182b", "#ef8a62", "#8073ac"), strict=False):
        colours[name] = colour
    for name, colour in colours.items():
        here = outcome == name
        left.scatter(
            1e3 * off[0][here], 1e3 * off[1][here], s=11, color=colour, label=f"{name} ({here.sum()})", alpha=0.8
        )
    left.set(xlabel="error of the first joint's target (mrad)", ylabel="error of the second's (mrad)")
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8, frameon=False)
    shown = right.scatter(numbers(table, "arm.kp"), numbers(table, "docked_at"), c=numbers(table, "payload.mass"), s=11)
    right.set(xlabel="arm.kp (N m/rad)", ylabel="docked at (s)")
    figure.colorbar(shown, ax=right, label="payload.mass (kg)")
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main()
