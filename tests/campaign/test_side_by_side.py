"""Runs of a campaign side by side: every row is that of the run alone, bit for bit, whoever runs beside it."""

import os
import signal

import pytest
from test_pool import good, run

from softdock.campaign import Campaign, campaign_of
from softdock.campaign.trial import Trial
from softdock.dynamics.abreast import Going, side_by_side

VARY = {
    "arm.kp": "truncnormal(10, 0.3, 9, 11)",
    "payload.mass": "uniform(90, 110)",
    "arm.start": "normal([3.37, 0.97, 1.23], 0.01)",
    "contact.restitution": "uniform(0.2, 1)",
}


def dockings() -> Campaign:
    return campaign_of("iss-docking", vary=VARY, changes=["run.record_every=400"], runs=40, seed=2020)


def untimed(row: dict) -> dict:
    return {key: value for key, value in row.items() if key != "seconds"}


def test_rows_are_those_of_runs_alone() -> None:
    """Dockings with other numbers, that hit, dock and miss at other times, in lots of any size."""
    trial = Trial(dockings())
    assert trial.several is None  # nobody knows yet
    trial.warm()
    assert trial.several
    alone = [untimed(trial(k)) for k in range(7)]
    assert len({row["docked_at"] for row in alone}) == 7
    for lot in (range(7), (5, 2), (3,), (6, 0, 4, 1, 2)):
        assert [untimed(row) for row in trial.several([(k,) for k in lot])] == [alone[k] for k in lot]


def test_a_run_that_fails_leaves_the_others_as_they_are() -> None:
    """Gains with which the first step fails, or one on the way, or numbers become none; a mass that cannot be."""
    trial = Trial(dockings())
    trial.warm()
    values = [trial.campaign.values(k) for k in range(6)]
    values[0][0], values[2][0], values[4][1] = 1e7, 1e9, -1.0
    values[5][:2] = 1e6, 0.001
    alone = [untimed(trial(k, values[k])) for k in range(6)]
    assert [row["status"] for row in alone] == ["failed", "done", "failed", "done", "failed", "failed"]
    rows = trial._side_by_side([(k, values[k]) for k in range(6)])
    assert [untimed(row) for row in rows] == alone


def test_not_where_nothing_is_gained() -> None:
    """No latch; metrics of one's own, which need not bear that others begin before they end."""
    free = Trial(campaign_of("free-flyer", vary={"run.seed": "choice(1, 2)"}, runs=2))
    own = Trial(dockings(), metrics=lambda simulation, rows: {})
    for trial in (free, own):
        trial.warm()
        assert trial.several is None


def test_what_a_run_raises_is_raised() -> None:
    def run(wrong: bool) -> Going[int]:
        if wrong:
            raise RuntimeError("no")
        return 1
        yield

    assert side_by_side([run(False), run(False)]) == [1, 1]
    with pytest.raises(RuntimeError, match=r"^no$"):
        side_by_side([run(False), run(True), run(False)])


def several(tasks: list[tuple[int]]) -> list[dict]:
    if any(index % 20 == 3 for (index,) in tasks):
        os.kill(os.getpid(), signal.SIGTERM)
    return [good(index) for (index,) in tasks]


def test_a_run_that_kills_its_lot_is_found_one_by_one() -> None:
    def work(index: int) -> dict:
        return several([(index,)])[0]

    rows = run(work, 60, several=several)
    assert sorted(k for k, row in rows.items() if "SIGTERM" in row["reason"]) == [3, 23, 43]
    assert sum(row["status"] == "done" for row in rows.values()) == 57
