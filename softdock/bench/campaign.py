"""Campaigns: runs a second of iss-docking on two cores, what the campaign adds to its runs, memory of its rows."""

import logging
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

from softdock.bench import mujoco_peer
from softdock.bench.planar_iss import problem
from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import Job, all_cores, least, timed
from softdock.campaign import Campaign, campaign_of, results, run_campaign
from softdock.campaign.compiled import compiled
from softdock.campaign.pool import MOST_TOGETHER
from softdock.campaign.store import Store
from softdock.campaign.trial import Trial, blank
from softdock.scenarios.runner import Runner

CASE, WORKERS, ROWS, MOTIONS = "campaign", 2, 10_000, 8
FAST = 800
"""Runs a second that are wanted on two cores."""
PEER = 1.18e-6
"""Seconds that MuJoCo's rollout took for a step of the contact-free problem, on both cores of the machine on which the
aim of 300 runs a second was set. By what it takes here, times are brought to that machine's."""
VARY = {
    "arm.kp": "truncnormal(10, 0.2, 9, 11)",
    "payload.mass": "uniform(95, 105)",
    "arm.start": "normal([3.37, 0.97, 1.23], 0.005)",
}


def run(say: Say, *, runs: int = 1500) -> Result:
    """40 s of docking with its impacts, no recording; one row of eleven states, since metrics are of all rows."""
    campaign = campaign_of("iss-docking", vary=VARY, changes=["run.record_every=400"], runs=runs)
    trial = Trial(campaign)
    trial.warm()
    alone, beside, steps = in_turn(trial)
    say(f"{CASE}: {runs} runs with {WORKERS} workers")
    with tempfile.TemporaryDirectory() as folder, all_cores():
        began, spent = time.perf_counter(), _processor()
        run_campaign(campaign, Path(folder) / "c", workers=WORKERS)
        wall, spent = time.perf_counter() - began, _processor() - spent
        busy = sum(results(Path(folder) / "c")["seconds"].to_pylist())
        peer = _beside_peer(300 * wall / runs, say)
    rows = [
        Row(f"{CASE}/steps alone", "softdock", "variational", 2, 0.01, 1e6 * steps / 4000, 1e3 * steps),
        Row(f"{CASE}/one run", "softdock", "variational", 2, 0.01, 1e6 * alone / 4000, 1e3 * alone),
        Row(f"{CASE}/one of {MOST_TOGETHER}", "softdock", "variational", 2, 0.01, 1e6 * beside / 4000, 1e3 * beside),
        Row(f"{CASE}/two workers, {runs} runs", "softdock", "variational", 2, 0.01, None, 1e3 * wall / runs),
    ]
    return Result(
        rows,
        [
            Limit(f"{CASE}: seconds for 300 runs on two cores", 300 * wall / runs, 1.0),
            Limit(f"{CASE}: seconds for {FAST} runs on two cores", FAST * wall / runs, 1.0),
            Limit(f"{CASE}: seconds for 300 runs on two cores of which others take nothing", 150 * spent / runs, 1.0),
            *peer,
            Limit(f"{CASE}: overhead over {runs} bare runs", wall * WORKERS / busy - 1, 0.10),
            Limit(f"{CASE}: MB for {ROWS} rows in the parent", _megabytes(trial(2)), 50.0),
            *_on_ray(campaign, say),
        ],
    )


def in_turn(trial: Trial, rounds: int = 9) -> tuple[float, float, float]:
    """Seconds of a run alone, of one of several side by side (as workers do them), and of one's steps alone: the least
    of some, one after the other, of a trial that is warm."""
    assert trial.several
    several, lot = trial.several, [(k,) for k in range(MOST_TOGETHER)]
    jobs: dict[str, Job] = {
        "alone": lambda: timed(lambda: [trial(k) for k in range(4)]) / 4,
        "beside": lambda: timed(lambda: several(lot)) / len(lot),
        "steps": lambda: _steps(trial),
    }
    best = least(jobs, rounds=rounds)
    return best["alone"], best["beside"], best["steps"]


def _beside_peer(seconds: float, say: Say) -> list[Limit]:
    """The seconds of 300 runs, by those of a step of MuJoCo's rollout while every core does the same."""
    if not mujoco_peer.installed():
        return []
    say(f"{CASE}: MuJoCo's rollout on {WORKERS} cores")
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        step = sum(pool.map(_peer, range(WORKERS), chunksize=1)) / WORKERS**2
        pool.close()
        pool.join()  # else its workers are ended by a signal, of which they would tell
    now, then = (f"{1e6 * x:.2f}" for x in (step, PEER))
    what = f"{CASE}: seconds for 300 runs where a step of MuJoCo takes {then} µs on two cores, not {now}"
    return [Limit(what, seconds * PEER / step, 1.0)]


def _peer(_: int) -> float:
    """Processor seconds for a step of MuJoCo's rollout, on average over some seconds."""
    case = problem("pd40")
    engine, steps = mujoco_peer.MujocoEngine(case.world, dict(case.targets)), 4000
    return sum(engine.rollout(case.q, case.v, "Euler", 0.01, steps, MOTIONS) for _ in range(16)) / (
        16 * steps * MOTIONS
    )


def _on_ray(campaign: Campaign, say: Say) -> list[Limit]:
    """Two workers against one, on a Ray cluster on this machine; workers are started before the clock.

    Others that use the cores slow two workers down more than one; how many runs are under way at once, on average,
    does not depend on them, and is the gain on cores that are free.
    """
    try:
        import ray
    except ImportError:
        say(f"{CASE}: ray is not installed")
        return []
    from softdock.campaign.cluster import Cluster

    tasks = [(k,) for k in range(campaign.length)]
    took, busy = {}, {}
    with all_cores():
        ray.init(num_cpus=WORKERS, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
        try:
            for workers in (1, WORKERS):
                say(f"{CASE}: {campaign.length} runs with {workers} Ray workers")
                with Cluster(campaign, lambda index: blank(campaign, index), workers=workers) as cluster:
                    cluster.ready()
                    sum(1 for _ in cluster.rows(tasks[: 8 * workers]))
                    began = time.perf_counter()
                    busy[workers] = sum(row["seconds"] for row in cluster.rows(tasks) if row)
                    took[workers] = time.perf_counter() - began
        finally:
            ray.shutdown()
    at_once = {workers: busy[workers] / took[workers] for workers in took}
    return [
        Limit(f"{CASE}: time of two Ray workers / of one", took[WORKERS] / took[1], 1 / 1.7),
        Limit(f"{CASE}: runs at once of one Ray worker / of two", at_once[1] / at_once[WORKERS], 1 / 1.7),
    ]


def _steps(trial: Trial) -> float:
    """Seconds of one run's steps alone."""
    campaign = trial.campaign
    runner = Runner(campaign.built(campaign.values(1)), compiled=compiled)
    return timed(lambda: runner.simulation.run(40.0, record_every=400))


def _megabytes(row: dict[str, object]) -> float:
    """Growth of this process's greatest memory by storing and joining rows."""
    before = _peak()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        for index in range(ROWS):
            store.add({**row, "index": index})
        store.write()
        store.join()
    return _peak() - before


def _processor() -> float:
    """Seconds of processor time of this process and of its workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
