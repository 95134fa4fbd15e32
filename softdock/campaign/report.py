"""The page of a campaign: one self-contained HTML file."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from softdock.campaign.plan import FIXED, Campaign
from softdock.campaign.statistics import (
    CONFIDENCE,
    by_index,
    columns,
    numbers,
    rank_correlation,
    rate_of,
    sobol_indices,
)
from softdock.campaign.store import RUNS, CampaignError, planned, results
from softdock.replay.document import document, inert, put
from softdock.runs.measures import GENERAL
from softdock.runs.recorder import RunFolderError, finite

PAGE = "report.html"
MOST_POINTS = 20_000
"""The page shows at most so many runs, evenly chosen; its statistics are of all."""


def write_report(path: str | Path) -> Path:
    """Write report.html of a campaign's directory; CampaignError if there is nothing to report."""
    folder = Path(path)
    campaign, table = planned(folder), results(folder)
    try:
        body = _BODY.format(data=inert(report_data(folder, campaign, table)))
    except Exception:  # the directory may be anybody's
        raise CampaignError(f"{folder}: cannot be reported: it holds something else than softdock writes") from None
    try:
        put(folder / PAGE, document(f"Campaign {folder.resolve().name}", body, __package__, "page/report"))
    except RunFolderError as error:
        raise OSError(str(error)) from None
    return folder / PAGE


def report_data(folder: Path, campaign: Campaign, table: pa.Table) -> dict[str, Any]:
    """What the page shows, as JSON's data."""
    drawn, metrics = columns(table, campaign)
    metrics.sort(key=lambda name: name in GENERAL)  # what is the same in every scenario comes last
    rate = rate_of(table, campaign)
    shown = table.take(np.unique(np.linspace(0, len(table) - 1, min(len(table), MOST_POINTS)).astype(int)))
    kept = {int(p.parent.name): f"{RUNS}/{p.parent.name}/replay.html" for p in folder.glob(f"{RUNS}/*/replay.html")}
    content = {
        "name": folder.resolve().name,
        "folder": str(folder),
        "scenario": campaign.scenario["scenario"],
        "design": campaign.design,
        "seed": campaign.seed,
        "planned": campaign.length,
        "vary": campaign.vary or dict.fromkeys(campaign.given, "given"),
        "goal": campaign.goal or "done",
        "rate": rate._asdict(),
        "confidence": CONFIDENCE,
        "drawn": drawn,
        "metrics": metrics,
        "columns": {
            name: shown[name].to_pylist() for name in (*FIXED, *drawn, *(m for m in metrics if m != "success"))
        },
        "units": {name: campaign.unit(name) for name in (*drawn, *metrics)},
        "meanings": {name: m.meaning for name in (*drawn, *metrics) if (m := campaign.measure(name))},
        "deciding": deciding(table, metrics),
        "correlations": correlations(table, drawn, metrics),
        "sobol": shares(table, campaign, metrics),
        "kept": kept,
    }
    return finite(content)


def deciding(table: pa.Table, metrics: list[str]) -> str | None:
    """The metric that goes most with success; the first if runs succeed all, or none."""
    own = [name for name in metrics if name != "success"]
    success = numbers(table, "success")
    weight = {name: abs(rank_correlation(numbers(table, name), success)[0]) for name in own}
    return max(own, key=lambda name: np.nan_to_num(weight[name]), default=None)


def correlations(table: pa.Table, drawn: list[str], metrics: list[str]) -> dict[str, dict[str, float]]:
    """Spearman's ρ of each metric (outer) with each quantity (inner)."""
    x = {name: numbers(table, name) for name in drawn}
    return {m: {n: rank_correlation(x[n], y)[0] for n in drawn} for m in metrics for y in [numbers(table, m)]}


def shares(table: pa.Table, campaign: Campaign, metrics: list[str]) -> dict[str, Any] | None:
    """Sobol indices by metric, if the design allows them."""
    if campaign.design != "saltelli":
        return None
    found = {
        name: indices._asdict()
        for name in metrics
        if (indices := sobol_indices(by_index(table, numbers(table, name), campaign.length), len(campaign.vary)))
    }
    return {"quantities": list(campaign.vary), "of": found}


_BODY = """<noscript>The plots of this page need JavaScript.</noscript>
<main id="app"></main>
<script type="application/json" id="data">{data}</script>"""
