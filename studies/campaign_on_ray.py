"""A campaign on a real Ray cluster of two nodes on this machine, one of which is killed in the middle.

    python studies/campaign_on_ray.py

Compares the rows with those of the local engine, and the speed of two workers with that of one.
"""

import os
import signal
import tempfile
import time
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from softdock.campaign import campaign_of, results, run_campaign

VARY = {
    "arm.kp": "normal(10, 0.2)",
    "payload.mass": "uniform(95, 105)",
    "arm.start": "normal([3.37, 0.97, 1.23], 0.005)",
}
EVERY = ["run.record_every=40"]


def rows(path: Path) -> list[dict]:
    return results(path).drop_columns("seconds").to_pylist()


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    campaign = campaign_of("iss-docking", vary=VARY, changes=EVERY, runs=200)
    run_campaign(campaign, folder / "local")
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, runtime_env={"env_vars": environment}, log_to_driver=False)
    seconds = {}
    for workers in (2, 2, 1):  # the first starts the workers and has them load their kernels
        began = time.monotonic()
        run_campaign(campaign, folder / f"ray-{len(seconds)}-{workers}-{began}", engine="ray", workers=workers)
        seconds[workers] = time.monotonic() - began
    print(
        f"200 runs on Ray: one worker {seconds[1]:.2f} s, two {seconds[2]:.2f} s: {seconds[1] / seconds[2]:.2f} times"
    )
    killed = []

    def kill(tally) -> None:
        if tally.now >= 40 and not killed:
            killed.append(tally.now)
            for info in second.all_processes["raylet"]:
                os.kill(info.process.pid, signal.SIGKILL)

    run_campaign(campaign, folder / "killed", engine="ray", progress=kill)
    same = rows(folder / "killed") == rows(folder / "local")
    print(
        f"a node killed after {killed[0]} runs: {len(rows(folder / 'killed'))} rows, "
        f"{'the same' if same else 'NOT the same'}"
    )
    ray.shutdown()
    cluster.shutdown()
    if not same:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
