"""campaign.run: draws as distributions or given, and one's own metrics."""

import re
from fractions import Fraction

import numpy as np
import pyarrow.parquet as pq
import pytest

from softdock import campaign
from softdock.campaign import CampaignError, campaign_of
from softdock.campaign.store import Store, _table
from softdock.campaign.trial import columns_of
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
        ([{"arm.kp": -1.0}], r"draws\[0\]: arm.kp: Input should be greater than 0"),
        ([{"arm.kpp": 1.0}], "did you mean 'kp'"),
    ],
)
def test_draws_that_cannot_be_are_refused_before_any_run(draws, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        campaign.run("iss-docking", draws, changes=SHORT)


@pytest.mark.parametrize("name", ["index", "seed", "status", "outcome", "reason", "seconds", "arm.kp", "impacts"])
def test_a_metric_does_not_take_the_place_of_a_column(name: str, tmp_path) -> None:
    with pytest.raises(CampaignError, match=re.escape(f"metrics(): {name!r} is a column of every row; choose another")):
        campaign.run("iss-docking", GIVEN[:2], lambda *_: {name: 7}, changes=SHORT, out=tmp_path / "c", workers=1)
    assert not (tmp_path / "c").exists()

    def late(simulation, rows) -> dict:
        return {name: 7} if len(rows.t) > 2 else {}  # not in the run of one step before the first

    table = campaign.run("iss-docking", GIVEN[:2], late, changes=SHORT, workers=1)
    assert table["index"].to_pylist() == [0, 1] and table["status"].to_pylist() == ["failed"] * 2
    assert table["reason"].to_pylist() == [f"metrics(): {name!r} is a column of every row; choose another name"] * 2
    assert table["arm.kp"].to_pylist() == [draw["arm.kp"] for draw in GIVEN[:2]]


def test_own_metrics_of_any_other_name_are_columns() -> None:
    """A scenario's `outcome` and what its clock says have columns elsewhere, or none; one's own are all there."""
    own = {"compute_time": 1.5, "mine": {"outcome": "far", "median_time": 2.5}}
    table = campaign.run("iss-docking", GIVEN[:2], lambda *_: own, changes=SHORT, workers=1)
    assert [table[name][0].as_py() for name in ("compute_time", "mine.outcome", "mine.median_time")] == [
        1.5,
        "far",
        2.5,
    ]
    assert table["outcome"].to_pylist() == ["not docked"] * 2


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (2**63 - 1, 2**63 - 1),
        (2**63, 2.0**63),
        (-(2**70), -(2.0**70)),
        (np.uint64(2**64 - 1), 2.0**64),
        (np.int8(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.array(2.5), 2.5),
        (np.float64("nan"), None),
        ([1, 2, 3], 3),
    ],
)
def test_numbers_of_all_kinds_are_taken(value: object, held: object) -> None:
    columns = columns_of({"x": value})
    assert columns == {"x": held} and type(columns["x"]) is type(held)
    assert _table([columns])["x"].to_pylist() == [held]


@pytest.mark.parametrize("value", [1j, np.complex128(1), {1, 2}, b"a", 10**400, Fraction(1, 3), "\ud800"])
def test_what_no_column_can_hold_is_one_line(value: object) -> None:
    table = campaign.run("iss-docking", GIVEN[:2], lambda *_: {"x": value}, changes=SHORT, workers=1)
    assert table["status"].to_pylist() == ["failed"] * 2
    assert len(table["reason"][0].as_py()) > 10 and "\n" not in table["reason"][0].as_py()


@pytest.mark.parametrize("value", [np.int64(9), np.float32(9), np.array(9.0), 9])
def test_given_draws_may_be_numpys(value: object) -> None:
    table = campaign.run("iss-docking", [{"arm.kp": value}], changes=SHORT, workers=1)
    assert table["arm.kp"].to_pylist() == [9] and table["status"].to_pylist() == ["done"]


@pytest.mark.parametrize(
    ("draw", "says"),
    [({"run.seed": 2**63}, "beyond 2⁶³"), ({"arm.kp": 1j}, "must be a number"), ({"arm.kp": None}, "must be a number")],
)
def test_given_draws_that_no_column_can_hold(draw: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        campaign.run("iss-docking", [draw], changes=SHORT)


def test_truths_in_one_part_and_numbers_in_another_are_words(tmp_path) -> None:
    store = Store(tmp_path)
    for k, x in enumerate([True, 3, 0.5, None]):
        store.add({"index": k, "x": x})
        store.write()
    assert pq.read_table(store.join())["x"].to_pylist() == ["True", "3", "0.5", None]
