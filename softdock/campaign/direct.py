"""Campaigns from Python in one call, with one's own draws and metrics."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from softdock.campaign.plan import Campaign, campaign_of
from softdock.campaign.runs import Progress, Tally, engine_for, stored
from softdock.campaign.store import CampaignError, Store, opened, results
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
    given = None if isinstance(draws, Mapping) else [dict(draw) for draw in draws]
    campaign = (
        campaign_of(scenario, vary=draws, changes=changes, runs=runs, **options)
        if isinstance(draws, Mapping)
        else _given(scenario, given or [], changes, **options)
    )
    path = Path(out)
    done = opened(path, campaign, resume)
    tally = Tally(campaign.length, int(done.sum()))
    left = [k for k in range(campaign.length) if not done[k]]
    if left:
        with engine_for(campaign, engine, workers, address, metrics) as performing:
            tasks = ((k,) if given is None else (k, list(given[k].values())) for k in left)
            stored(performing.rows(tasks), Store(path), tally, progress)
    Store(path).join()
    return results(path)


def _given(scenario: str, draws: list[dict[str, Any]], changes: Sequence[str], **options: Any) -> Campaign:
    """A campaign whose draws are given, as those of a search are."""
    if not draws or any(draw.keys() != draws[0].keys() for draw in draws):
        raise CampaignError("draws: there must be at least one, and all of the same keys")
    for draw in draws:
        for key, value in draw.items():
            if not isinstance(value, bool | int | float | str):
                raise CampaignError(f"draws: {key} = {value!r}: must be a number, text or true; name entries, a[0]")
    if unwanted := options.keys() - {"time_limit", "memory_limit", "seed"}:
        raise CampaignError(f"{', '.join(sorted(unwanted))}: goes with distributions, not with draws that are given")
    vary = {key: f"choice({', '.join(_text(draw[key]) for draw in draws)})" for key in draws[0]}
    return campaign_of(scenario, vary=vary, changes=changes, runs=len(draws), searched=True, **options)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
