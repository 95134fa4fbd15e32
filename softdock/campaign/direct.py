"""Campaigns from Python in one call, with one's own draws and metrics."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from softdock.campaign.plan import Campaign
from softdock.campaign.request import campaign_of
from softdock.campaign.runs import Progress, run_campaign
from softdock.campaign.sources import named
from softdock.campaign.store import CampaignError, results
from softdock.campaign.trial import Metrics


def run(
    scenario: str,
    draws: Mapping[str, str] | Sequence[Mapping[str, Any]],
    metrics: Metrics | None = None,
    *,
    runs: int | None = None,
    out: str | Path | None = None,
    changes: Sequence[str] = (),
    resume: bool = False,
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> pa.Table:
    """The table of a campaign: a row for each of `draws`, which are distributions by key (then say `runs`, and `design`
    and `seed` if need be), or one mapping of keys to values for each run.

    `metrics(simulation, rows)` gives further columns of a run, from its `Simulation` (dynamics, events, last state) and
    its `Trajectory`. With `out` the campaign stays there, and can be resumed, repeated and reported.
    """
    if out is None:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "campaign"
            return run(
                scenario, draws, metrics, runs=runs, out=out, changes=changes, workers=workers, engine=engine,
                address=address, progress=progress, **options,
            )  # fmt: skip
    options |= {"metrics": named(metrics) or None}
    if isinstance(draws, Mapping):
        campaign = campaign_of(scenario, vary=draws, changes=changes, runs=runs, **options)
    else:
        campaign = _given(scenario, [dict(draw) for draw in draws], changes, runs=runs, **options)
    run_campaign(
        campaign, out, resume=resume, workers=workers, engine=engine, address=address, metrics=metrics,
        progress=progress,
    )  # fmt: skip
    return results(out)


def _given(scenario: str, draws: list[dict[str, Any]], changes: Sequence[str], **options: Any) -> Campaign:
    """A campaign whose draws are given: by their names, whatever order each has them in."""
    if not draws or any(draw.keys() != draws[0].keys() for draw in draws):
        raise CampaignError("draws: there must be at least one, and all of the same keys")
    if unwanted := options.keys() - {"runs", "time_limit", "memory_limit", "seed", "metrics"}:
        raise CampaignError(f"{', '.join(sorted(unwanted))}: goes with distributions, not with draws that are given")
    columns = {key: [_plain(draw[key]) for draw in draws] for key in draws[0]}
    return campaign_of(scenario, changes=changes, design="given", given=columns, **options)


def _plain(value: Any) -> Any:
    return (
        value.item() if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim) else value
    )
