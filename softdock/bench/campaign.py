"""Campaigns: runs a second of iss-docking on two cores, what the campaign adds to its runs, memory of its rows."""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import timed
from softdock.campaign import campaign_of, carry_out, results
from softdock.campaign.kept import kept
from softdock.campaign.store import Store
from softdock.campaign.trial import Trial
from softdock.scenarios.scenario import Play

CASE, WORKERS, ROWS = "campaign", 2, 10_000
VARY = {
    "arm.kp": "truncnormal(10, 0.2, 9, 11)",
    "payload.mass": "uniform(95, 105)",
    "arm.start": "normal([3.37, 0.97, 1.23], 0.005)",
}


def run(say: Say, *, runs: int = 120) -> Result:
    """40 s of docking with its impacts, no recording; one row of eleven states, since metrics are of all rows."""
    campaign = campaign_of("iss-docking", vary=VARY, changes=["run.record_every=400"], runs=runs)
    trial = Trial(campaign)
    trial.warm()
    trial(0)
    alone = min(timed(lambda: trial(1)) for _ in range(9))
    steps = min(_steps(trial) for _ in range(9))
    say(f"{CASE}: {runs} runs with {WORKERS} workers")
    with tempfile.TemporaryDirectory() as folder, _all_cores():
        began, spent = time.perf_counter(), _processor()
        carry_out(campaign, Path(folder) / "c", workers=WORKERS)
        wall, spent = time.perf_counter() - began, _processor() - spent
        busy = sum(results(Path(folder) / "c")["seconds"].to_pylist())
    rows = [
        Row(f"{CASE}/steps alone", "softdock", "variational", 2, 0.01, 1e6 * steps / 4000, 1e3 * steps),
        Row(f"{CASE}/one run", "softdock", "variational", 2, 0.01, 1e6 * alone / 4000, 1e3 * alone),
        Row(f"{CASE}/two workers", "softdock", "variational", 2, 0.01, None, 1e3 * wall / runs),
    ]
    return Result(
        rows,
        [
            Limit(f"{CASE}: seconds for 300 runs on two cores", 300 * wall / runs, 1.0),
            Limit(f"{CASE}: seconds for 300 runs on two cores of which others take nothing", 150 * spent / runs, 1.0),
            Limit(f"{CASE}: overhead over the bare runs", wall * WORKERS / busy - 1, 0.10),
            Limit(f"{CASE}: MB for {ROWS} rows in the parent", _megabytes(trial(2)), 50.0),
        ],
    )


def _steps(trial: Trial) -> float:
    """Seconds of one run's steps alone."""
    campaign = trial.campaign
    play = Play(campaign.built(campaign.values(1)), compiled=kept)
    return timed(lambda: play.simulation.run(40.0, record_every=400))


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


@contextmanager
def _all_cores() -> Iterator[None]:
    """Benchmarks are kept on one core; a campaign has them all."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
