"""campaign.run: draws as distributions or given, and one's own metrics."""

import numpy as np
import pytest

from softdock import campaign
from softdock.campaign import CampaignError, campaign_of
from softdock.scenarios import load
from softdock.scenarios.runner import Runner

SHORT = ["run.duration=0.5", "run.record_every=10"]
GIVEN = [
    {"arm.kp": 9.5, "payload.mass": 95.0},
    {"arm.kp": 10.0, "payload.mass": 95.0},
    {"arm.kp": 10.0, "payload.mass": 101.0},
]


def furthest(simulation, rows) -> dict[str, float]:
    joint = simulation.dynamics.layout.q["arm1"].start
    return {"furthest": float(np.abs(rows.q[:, joint] - rows.q[0, joint]).max()), "rows": len(rows)}


def test_given_draws_and_own_metrics() -> None:
    table = campaign.run("iss-docking", GIVEN, furthest, changes=SHORT, workers=2)
    rows = table.to_pylist()
    assert [{key: row[key] for key in GIVEN[0]} for row in rows] == GIVEN
    for row, draw in zip(rows, GIVEN, strict=True):
        runner = Runner(load("iss-docking", [*SHORT, *(f"{k}={v}" for k, v in draw.items())]))
        assert row["angular_momentum_drift"] == runner.run(None)["angular_momentum_drift"]
        assert {name: row[name] for name in ("furthest", "rows")} == furthest(runner.simulation, runner.simulation.rows)


def test_distributions_are_those_of_a_campaign() -> None:
    vary = {"arm.kp": "uniform(9, 11)"}
    table = campaign.run("iss-docking", vary, furthest, changes=SHORT, runs=4, design="sobol", seed=3, workers=1)
    same = campaign_of("iss-docking", vary=vary, changes=SHORT, runs=4, design="sobol", seed=3)
    assert table["arm.kp"].to_pylist() == [same.draws(k)["arm.kp"] for k in range(4)]
    assert table["furthest"].null_count == 0


def test_own_metrics_that_raise_are_rows_with_their_reason() -> None:
    def bad(simulation, rows) -> dict:
        raise ZeroDivisionError("no such thing")

    table = campaign.run("iss-docking", GIVEN[:2], bad, changes=SHORT, workers=1)
    reason = f"ZeroDivisionError: no such thing ({__file__}:{bad.__code__.co_firstlineno + 1})"
    assert table["status"].to_pylist() == ["failed"] * 2 and table["reason"].to_pylist() == [reason] * 2


def test_it_stays_where_it_is_told_and_can_be_repeated(tmp_path) -> None:
    campaign.run("iss-docking", GIVEN, changes=SHORT, out=tmp_path / "c", workers=1)
    with pytest.raises(CampaignError, match="or give --resume"):
        campaign.run("iss-docking", GIVEN, changes=SHORT, out=tmp_path / "c")
    assert len(campaign.run("iss-docking", GIVEN, changes=SHORT, out=tmp_path / "c", resume=True)) == 3
    place, outcome = campaign.rerun(tmp_path / "c", 2)
    assert (place / "states.parquet").exists() and outcome.status == "done"


@pytest.mark.parametrize(
    ("draws", "says"),
    [
        ([], "at least one"),
        ([{"arm.kp": 9.0}, {"arm.kd": 2.0}], "the same keys"),
        ([{"arm.start": [1.0, 2.0, 3.0]}], "name entries"),
        ([{"arm.kp": -1.0}], "can give -1, which cannot be"),
        ([{"arm.kpp": 1.0}], "did you mean 'kp'"),
    ],
)
def test_draws_that_cannot_be_are_refused_before_any_run(draws, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        campaign.run("iss-docking", draws, changes=SHORT)
