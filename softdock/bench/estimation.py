"""The estimators of a tumbling target: a predict and update of either filter, and a batch solved anew."""

from collections.abc import Callable

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import clock, least
from softdock.estimation import PaperFilter, PoseMeasurement, TargetEstimator, paper_state
from softdock.estimation.filter import Filter
from softdock.estimation.tumbles import TUMBLES, observed, true_motion

UPDATE, BATCH = "estimation/update", "estimation/batch-90s"


def run(say: Say, *, seconds: float = 90.0, rounds: int = 9) -> Result:
    """A predict and update takes at most 200 µs, the batch of 90 s of poses at 2 Hz at most 300 ms."""
    tumble = TUMBLES["rich"]
    truth = true_motion(tumble, np.arange(0, seconds + 1e-9, 0.5))
    poses = observed(truth, np.random.default_rng(0))
    start = paper_state(truth.states[0])
    solver = TargetEstimator(tumble.n)
    for pose in poses:
        solver.update(pose)
    jobs = {
        "softdock": _updates(lambda: TargetEstimator(tumble.n), poses),
        "paper": _updates(lambda: PaperFilter(tumble.n, t=-1.0, state=start, covariance=1e-4 * np.eye(20)), poses),
        "warm": lambda: _solved(solver, cold=False),
        "cold": lambda: _solved(solver, cold=True),
    }
    say(f"{UPDATE}: {', '.join(jobs)} in turn")
    best = least(jobs, rounds=rounds)
    rows = [
        Row(UPDATE, "softdock", "TargetEstimator", us_per_step=1e6 * best["softdock"]),
        Row(UPDATE, "softdock", "PaperFilter", us_per_step=1e6 * best["paper"]),
        Row(BATCH, "softdock", "from the last solution", total_ms=1e3 * best["warm"]),
        Row(BATCH, "softdock", "from no guess", total_ms=1e3 * best["cold"]),
    ]
    limits = [
        Limit(f"{UPDATE}: µs of a predict and update, TargetEstimator", rows[0].us_per_step, 200.0),
        Limit(f"{UPDATE}: µs of a predict and update, PaperFilter", rows[1].us_per_step, 200.0),
        Limit(f"{BATCH}: ms to solve anew", rows[2].total_ms, 300.0),
        Limit(f"{BATCH}: ms to solve from no guess", rows[3].total_ms, 300.0),
    ]
    return Result(rows, limits)


def _updates(make: Callable[[], Filter], poses: list[PoseMeasurement]) -> Callable[[], float]:
    """Seconds of a predict and update; those that solve a batch are not counted."""

    def job() -> float:
        estimator = make()
        for pose in poses[:10]:
            estimator.update(pose)
        spent, count = 0.0, 0
        for pose in poses[10:]:
            batches, began = getattr(estimator, "solutions", 0), clock()
            estimator.predict(pose.t)
            estimator.update(pose)
            if batches == getattr(estimator, "solutions", 0):
                spent, count = spent + clock() - began, count + 1
        return spent / count

    return job


def _solved(estimator: TargetEstimator, *, cold: bool) -> float:
    began = clock()
    estimator.resolve(cold=cold)
    return clock() - began
