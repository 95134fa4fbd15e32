"""The engine `ray`, as far as it takes no cluster; studies/campaign_on_ray.py starts one and kills a node of it."""

from pathlib import Path

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
