"""Searches: random where nothing leads, refused where there is nothing to search for, the same for any engine."""

from pathlib import Path

import numpy as np
import pytest

from softdock.campaign import CampaignError, campaign_of, results, run_campaign
from softdock.campaign.search import BATCH, search
from softdock.campaign.trial import Trial, blank

VARY = {"arm.kp": "uniform(8, 12)", "arm.kd": "uniform(1.5, 2.5)"}
RUNS = 320


def corner(self: Trial, index: int, values: list[float] | None = None) -> dict:
    """In place of a run: it does not dock in a corner with 2 % of the probability."""
    kp, kd = values = values or self.campaign.values(index)
    missed = (12 - kp) / 4 * (2.5 - kd) < 0.0039 and kp > 11 and kd > 2.2
    outcome = "not docked" if missed else "docked"
    return blank(self.campaign, index, values) | {"status": "done", "outcome": outcome}


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trial, "__call__", corner)
    monkeypatch.setattr(Trial, "warm", lambda self: {"value": 0.0, "word": "a", "table": None})


@pytest.mark.usefixtures("replaced")
def test_without_a_metric_falsification_is_monte_carlo(tmp_path: Path) -> None:
    """It does exactly the runs of the campaign without a search, up to the batch with the first that ends otherwise; so
    it misses what Monte Carlo misses, and nothing else."""
    for seed in range(14):
        campaign = campaign_of("iss-docking", vary=VARY, runs=RUNS, seed=seed)
        trial = Trial(campaign)
        ends = np.array([corner(trial, k)["outcome"] for k in range(RUNS)])
        first = np.flatnonzero(ends == "not docked")
        found = search(campaign, tmp_path / str(seed), falsify="docked", workers=1)
        table = results(tmp_path / str(seed))
        assert found.falsified == bool(len(first))
        count = min(RUNS, (first[0] // BATCH + 1) * BATCH) if len(first) else RUNS
        assert len(table) == count and (not found.falsified or found.index == first[0])
        assert table["arm.kp"].to_pylist() == [campaign.draws(k)["arm.kp"] for k in range(count)]


@pytest.mark.usefixtures("replaced")
def test_falsification_without_a_metric_takes_any_design(tmp_path: Path) -> None:
    grid = {"arm.kp": "steps(8, 12, 9)", "arm.kd": "steps(1.5, 2.5, 9)"}
    campaign = campaign_of("iss-docking", vary=grid, design="grid")
    found = search(campaign, tmp_path / "g", falsify="docked", workers=1)
    first = next(k for k in range(81) if corner(Trial(campaign), k)["outcome"] != "docked")
    assert found.falsified and found.index == first and len(results(tmp_path / "g")) == 81
    with pytest.raises(CampaignError, match="a search by a metric takes no design"):
        search(campaign, tmp_path / "m", minimise="value")


@pytest.mark.usefixtures("replaced")
@pytest.mark.parametrize(
    ("objective", "says"),
    [
        ({"minimise": "valu"}, "--minimise valu: no metric 'valu' of numbers; did you mean 'value'?"),
        ({"minimise": "-word"}, "--minimise -word: no metric 'word' of numbers"),
        ({"falsify": "dockd"}, "--falsify dockd: no such outcome; did you mean 'docked'?"),
        ({"falsify": "docked", "minimise": "speed"}, "no metric 'speed'"),
    ],
)
def test_what_does_not_exist_is_refused_before_the_first_run(objective: dict, says: str, tmp_path: Path) -> None:
    campaign = campaign_of("iss-docking", vary=VARY, runs=8, **objective)
    with pytest.raises(CampaignError) as refused:
        run_campaign(campaign, tmp_path / "c", workers=1)
    assert says in str(refused.value) and "\n" not in str(refused.value)
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("scenario", ["iss-docking"])
def test_metrics_of_one_step_are_those_of_a_run(scenario: str) -> None:
    """What is looked for among the metrics of a run of one step is there, if a whole run has it."""
    campaign = campaign_of(scenario, vary=VARY, runs=1, changes=["run.record_every=400"])
    trial = Trial(campaign)
    known = trial.warm()
    row = trial(0)
    assert row["outcome"] == "docked" and known["docked_at"] is None and row["docked_at"] > 20
    assert row.keys() - known.keys() == blank(campaign, 0).keys()
