"""The engine `ray`, as far as it takes no cluster; studies/campaign_on_ray.py starts one and kills a node of it."""

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray")

from softdock.campaign import CampaignError, campaign_of, run_campaign
from softdock.campaign.cluster import Cluster, Worker
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


class Slow:
    """What a cluster looks like of which one worker does not begin before the other has done all the rest."""

    exceptions = SimpleNamespace(RayError=RuntimeError)

    def __init__(self) -> None:
        self.results: dict[int, list[dict[str, Any]]] = {}

    def cluster_resources(self) -> dict[str, int]:
        return {"CPU": 2}

    def remote(self, slow: bool) -> Any:
        def perform(lot: list[tuple[int]]) -> int:
            key = len(self.results) + 1
            self.results[key] = [] if slow else [{"index": task[0], "seconds": 0.1} for task in lot]
            return key

        return SimpleNamespace(perform=SimpleNamespace(remote=perform))

    def wait(self, references: list[int], **_: Any) -> tuple[list[int], list[int]]:
        ready = [key for key in references if self.results[key]][:1]
        return ready, [key for key in references if key not in ready]

    def get(self, reference: int) -> list[dict[str, Any]]:
        return self.results[reference]

    def kill(self, actor: Any) -> None: ...


def test_what_a_worker_that_does_not_begin_was_given_is_done_by_others() -> None:
    """Its run was lost when it was recalled after all others were done."""
    campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=2)
    cluster, ray = Cluster(campaign, lambda index, values=None: {"index": index}, workers=2), Slow()
    called: list[bool] = []

    def call(*_: Any) -> Any:
        called.append(not called)  # the first one is slow
        return ray.remote(called[-1])

    cluster._ray, cluster._kind, cluster._plan = ray, SimpleNamespace(remote=call), ""
    rows = [row["index"] for row in cluster.rows((k,) for k in range(9)) if row]
    assert sorted(rows) == list(range(9))
