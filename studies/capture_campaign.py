"""Captures with drawn tumbles and drawn quality of sight: what docs/campaigns.md shows.

    python studies/capture_campaign.py [--runs 500] [--workers 1] [--out DIR] [--resume] [--picture PNG]

The same as

    softdock campaign capture --runs 500 --seed 1 --set vision.pose=ideal --vary … (see VARY)

Poses are the true ones with noise ("ideal"), not registered scans.
Draws are independent, so that fewer runs are the first of more, and `--resume` goes on.
"""

import argparse
import tempfile
import time
from pathlib import Path

import matplotlib as mpl
import numpy as np
from report import heading

from softdock.campaign import Campaign, campaign_of, results, run_campaign
from softdock.campaign.report import correlations, write_report
from softdock.campaign.statistics import numbers, rate_of

CHANGES = ["vision.pose=ideal", "run.record_every=50"]
VARY = {
    "target.spin": "normal([0.08, 0.05, 0.10], 0.01)",
    "vision.position": "uniform(0.002, 0.02)",
    "vision.angle": "uniform(0.004, 0.03)",
    "vision.dropped": "uniform(0, 0.4)",
    "occlusion.length": "uniform(10, 28)",
}
COLOURS = {"captured": "#2166ac", "missed": "#b2182b", "aborted": "#ef8a62", "failed": "#666666"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--picture", type=Path, default=None)
    options = parser.parse_args()
    print(heading("captures", options))
    campaign = campaign_of("capture", vary=VARY, changes=CHANGES, runs=options.runs, seed=1)
    out = options.out or Path(tempfile.mkdtemp()) / "capture"
    began = time.monotonic()
    tally = run_campaign(campaign, out, workers=options.workers, resume=options.resume)
    print(
        f"{tally.now} of {tally.total} runs in {time.monotonic() - began:.0f} s: {dict(tally.outcomes.most_common())}"
    )
    tell(out, campaign, options.picture)


def tell(out: Path, campaign: Campaign, picture: Path | None) -> None:
    """What the rows say, their page, and the figure."""
    table = results(out)
    print(f"captured {rate_of(table, campaign)}")
    for metric, row in correlations(
        table, list(campaign.draws(0)), ["success", "position_error", "relative_speed"]
    ).items():
        strongest = sorted(row.items(), key=lambda x: -abs(x[1]))[:4]
        print(metric, ", ".join(f"{name} {rho:+.2f}" for name, rho in strongest))
    errors = numbers(table, "position_error")
    print("position error at closing (mm): median, 90 %:", *np.round(1e3 * np.nanpercentile(errors, [50, 90]), 1))
    print(write_report(out))
    if picture:
        draw(table, picture)


def draw(table, path: Path) -> None:
    """What decides, and how far off the gripper closes."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    outcome = np.array(table["outcome"].to_pylist())
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.9), layout="constrained")
    for name, colour in COLOURS.items():
        here = outcome == name
        if not here.any():
            continue
        label = f"{name} ({here.sum()})"
        x, y = numbers(table, "occlusion.length")[here], 1e3 * numbers(table, "vision.position")[here]
        left.scatter(x, y, s=12, color=colour, label=label, alpha=0.8)
        error, angle = 1e3 * numbers(table, "position_error")[here], 1e3 * numbers(table, "angle_error")[here]
        right.scatter(error, angle, s=12, color=colour, alpha=0.8)
    left.set(xlabel="blind for (s)", ylabel="noise of positions (mm)")
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=8, frameon=False)
    right.axvline(10, color="#999999", lw=0.8, ls="--")
    right.axhline(34.9, color="#999999", lw=0.8, ls="--")
    right.set(xscale="log", yscale="log", xlabel="off by, when the gripper has closed (mm)", ylabel="and turned (mrad)")
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main()
