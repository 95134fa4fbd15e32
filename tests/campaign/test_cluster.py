"""The engine `ray`, as far as it takes no cluster; studies/campaign_on_ray.py starts one and kills a node of it."""

import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray")

from softdock.campaign import CampaignError, campaign_of, run_campaign
from softdock.campaign.cluster import Worker
from softdock.campaign.trial import Trial

VARY = {"arm.kp": "normal(10, 0.5)", "payload.mass": "uniform(90, 110)"}
SHORT = ["run.duration=0.5", "run.record_every=10"]


def test_what_a_worker_of_the_cluster_does_is_what_a_local_one_does() -> None:
    campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=3)
    there, here = Worker(campaign.written()).perform([(2,), (0,)]), [Trial(campaign)(2), Trial(campaign)(0)]
    assert [row | {"seconds": 0} for row in there] == [row | {"seconds": 0} for row in here]


def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path) -> None:
    campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=2)
    with pytest.raises(CampaignError, match="no Ray cluster answers"):
        run_campaign(campaign, tmp_path / "c", engine="ray", address="127.0.0.1:1")
    assert not list((tmp_path / "c").glob("parts/*"))


def slow_or_large(simulation, rows) -> dict[str, float]:
    mass = simulation.dynamics.world.body("payload").mass
    if mass == 92.0:
        time.sleep(60.0)
    return {"x": float(np.ones(250_000_000).sum()) if mass == 93.0 else 1.0}


def test_limits_are_those_of_local_workers() -> None:
    """A run over its time costs that time, one over its memory is a row, and the worker goes on with the rest."""
    given = {"payload.mass": [91.0, 92.0, 93.0, 94.0]}
    campaign = campaign_of(
        "iss-docking", given=given, design="given", changes=SHORT, time_limit=3.0, memory_limit=800.0
    )
    worker = Worker(campaign.written(), slow_or_large)
    began = time.monotonic()
    rows = {row["index"]: row for row in worker.perform([(k,) for k in range(4)])}
    assert time.monotonic() - began < 40.0 and sorted(rows) == [0, 1, 2, 3]
    assert "longer than the time limit of 3 s" in rows[1]["reason"] and rows[1]["seconds"] == pytest.approx(
        3.0, abs=2.0
    )
    assert rows[2]["reason"] == "out of memory"
    assert [rows[k]["status"] for k in (0, 3)] == ["done"] * 2 and worker.perform([(0,)])[0]["x"] == 1.0
