"""The engine `ray` on a real cluster of this machine: the same rows; a worker and a node that die lose nothing."""

import os
import signal
import time
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")

from softdock.campaign import CampaignError, campaign_of, carry_out, results  # noqa: E402

VARY = {"arm.kp": "normal(10, 0.5)", "payload.mass": "uniform(90, 110)"}
SHORT = ["run.duration=0.5", "run.record_every=10"]


def rows(path: Path) -> list[dict]:
    return results(path).drop_columns("seconds").to_pylist()


def test_rows_are_those_of_the_local_engine_though_a_node_dies(tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster

    campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=40)
    carry_out(campaign, tmp_path / "local", workers=1)
    environment = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2])])}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        second = cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, runtime_env={"env_vars": environment}, log_to_driver=False)
        killed = []

        def kill(tally) -> None:
            if tally.now >= 3 and not killed:
                killed.append(time.monotonic())
                for info in second.all_processes["raylet"]:
                    os.kill(info.process.pid, signal.SIGKILL)

        tally = carry_out(campaign, tmp_path / "ray", engine="ray", progress=kill)
        assert killed and tally.done == 40
        assert rows(tmp_path / "ray") == rows(tmp_path / "local")
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path) -> None:
    campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=2)
    with pytest.raises(CampaignError, match="no Ray cluster answers"):
        carry_out(campaign, tmp_path / "c", engine="ray", address="127.0.0.1:1")
    assert not list((tmp_path / "c").glob("parts/*"))
