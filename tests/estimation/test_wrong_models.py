"""The estimator where its model is wrong (small samples of `studies/estimation.py wrong`). Truth: attitude by SciPy."""

import numpy as np
import pytest
from trials import SIGMA, WRONG, Wrong, feed, wronged

from softdock.estimation import Aliased, PoseMeasurement, TargetEstimator, isotropic, model
from softdock.estimation.doubt import Colour, _strays, white
from softdock.estimation.layouts import TARGET_ERROR
from softdock.estimation.model import definite
from softdock.estimation.tumbles import TUMBLES, observed, true_motion
from softdock.spatial import turn_between, vector_of_quaternion

RICH = TUMBLES["rich"]
SURE = 22.5
"""χ² with 6 degrees of freedom exceeds it in one of 1000."""


@pytest.mark.parametrize(
    ("name", "seeds"),
    [("leak of 1e-4 N m", 2), ("leak of 1e-3 N m", 1), ("centre of mass drifts by 1 mm/s", 1),
     ("noise correlated over 10 s", 1), ("60 s ahead from 10 s", 6), ("60 s ahead from 20 s", 4)],
)  # fmt: skip
def test_forecasts_are_not_overconfident(name, seeds):
    """Before: NEES of 98, 897, 242, 37 and 17, on average, of six numbers."""
    trials = [wronged(RICH, [90, k], WRONG[name])[0] for k in range(seeds)]
    assert np.mean([trial.nees for trial in trials]) < 14
    assert np.median([trial.nees for trial in trials]) < SURE / 2


def test_what_disturbs_is_estimated():
    trial, estimator = wronged(RICH, [91, 0], WRONG["centre of mass drifts by 1 mm/s"])
    now = estimator.estimate()
    assert estimator.explained.drift and not trial.failed
    assert np.linalg.norm(now.drift) == pytest.approx(1e-3, rel=0.1)
    trial, estimator = wronged(RICH, [91, 1], WRONG["leak of 1e-3 N m"])
    moments = np.array(RICH.moments)
    assert estimator.explained.torque and not trial.failed
    assert 1e-3 / moments.max() * 0.7 < np.linalg.norm(estimator.estimate().acceleration) < 1e-3 / moments.min() * 1.3


def test_a_spin_that_the_sampling_cannot_tell_is_refused_and_one_that_it_can_is_not():
    """200° from pose to pose look like −160°; in a rich tumble, the motion tells them apart."""
    _, estimator = wronged(RICH, [92, 0], WRONG["40°/s about the major axis, every 5 s"]._replace(data=30.0))
    rates = sorted(np.degrees([*estimator.aliases, np.linalg.norm(estimator.estimate().angular_velocity)]))
    assert rates[:2] == pytest.approx([32.0, 40.0], abs=0.5)
    with pytest.raises(Aliased, match=r"spins of 3[12]\.. and (39|40)\.."):
        estimator.forecast(estimator.time + 1)
    assert np.isfinite(estimator.forecast(estimator.time).covariance).all()  # where it is now is known
    trial, estimator = wronged(RICH, [92, 1], Wrong(period=5.0, data=60.0))
    assert estimator.aliases == () and trial.nees < SURE


def test_whiteness():
    rng = np.random.default_rng(0)
    assert sum(white(rng.normal(size=(150, 6))) for _ in range(200)) >= 198
    slow = rng.normal(size=(150, 6))
    for k in range(1, 150):
        slow[k] = 0.8 * slow[k - 1] + 0.6 * slow[k]
    assert not white(slow)
    late = rng.normal(size=(150, 6))
    late[-18:, 1] += 2.0
    assert not white(late)


def test_the_mean_of_correlated_noise():
    """Against the sum of all covariances."""
    colour, t = Colour(4.0, 0.7), 0.5 * np.arange(4000)
    C = 0.7 * np.exp(-np.abs(t[:, None] - t) / 4.0) + 0.3 * np.eye(len(t))
    assert colour.slower(0.5) == pytest.approx(np.sqrt(C.sum() / len(t)), rel=0.01)


def test_no_covariance_is_indefinite():
    """Rates of all sizes, noise from absurdly small to large, gaps, and forecasts over an hour."""
    rng = np.random.default_rng(93)
    for k in range(6):
        spin = 10.0 ** rng.uniform(-4, 0) * rng.normal(size=3)
        size = 10.0 ** rng.uniform(-6, 0)
        times = np.cumsum(rng.exponential(rng.choice([0.05, 0.5, 5.0]), 25))
        truth = true_motion(RICH._replace(spin=tuple(spin)), [0.0, *times])
        estimator = TargetEstimator(RICH.n)
        feed(estimator, [(m.t, m) for m in observed(truth, rng, position=size, angle=min(size, 0.3))])
        estimator.aliases = ()
        for ahead in (0.0, 10.0, 3600.0):
            there = estimator.forecast(estimator.time + ahead)
            for C in (there.covariance, there.motion_covariance, estimator.covariance):
                d = np.sqrt(np.diag(C))
                assert np.isfinite(d).all() and np.linalg.eigvalsh(C / np.outer(d, d)).min() > -1e-12, (k, ahead)


def test_a_matrix_that_rounding_made_indefinite_is_mended():
    P = np.array([[1.0, 1.0 + 1e-9], [1.0 + 1e-9, 1.0]])
    mended = definite(P)
    assert np.linalg.eigvalsh(mended).min() >= 0 and np.allclose(mended, P, atol=1e-8)


def test_gaps_longer_than_the_window():
    """One pose alone in the window was an exception."""
    estimator = TargetEstimator(RICH.n)
    for t in (0.0, 1e-6, 1e5, 1e5 + 1, 2e5):
        estimator.update(PoseMeasurement(t, [0, 5, 0], [1, 0, 0, 0], isotropic(*SIGMA)))
    assert np.isfinite(estimator.forecast(estimator.time).covariance).all()


@pytest.mark.parametrize("seconds", [5.0, 60.0])
def test_after_one_pose_anything_may_be_and_the_forecast_says_so(seconds):
    """All that is known of the spin is that it is some rad/s; steps that suit a target at rest overflowed there."""
    estimator = TargetEstimator(0.001)
    estimator.update(PoseMeasurement(0.0, np.array([2.0, 0.7, 0.0]), np.array([1.0, 0, 0, 0]), isotropic(0.002, 0.002)))
    there = estimator.forecast(seconds)
    assert there.angle_sigma > 1.0 and there.position_sigma > seconds


def test_states_of_a_wide_sample_move_as_each_does_alone(monkeypatch):
    """Against each of them in steps of 2 ms, at some rad/s, from a state at rest whose own steps are of 1 s."""
    monkeypatch.setattr(model, "_NORMAL", model._NORMAL[:6])
    one = model.Model("target", 0.001, 0.0, 0.0)
    x, P, seconds = np.eye(1, one.numbers)[0], np.eye(one.errors), 4.0
    shown, _ = one.foreseen(x, P, seconds)
    apart = []
    for error in model._NORMAL[:, : one.errors] @ model.root(P).T:
        y = one.moved(x, error)
        for _ in range(2000):
            y, _ = one.propagated(y, one.certain(), seconds / 2000)
        motion, _ = one.foreseen(y, one.certain(), 0.0)
        turn = vector_of_quaternion(turn_between(shown[3:7], motion[3:7]))
        apart.append([*turn, *(motion - shown)[[0, 1, 2, 10, 11, 12, 7, 8, 9]]])
    fine = np.transpose(apart) @ apart / len(apart)
    size = np.sqrt(np.diag(fine))
    assert np.abs((one.scattered(x, P, seconds, shown) - fine) / np.outer(size, size)).max() < 1e-3


def test_a_step_out_of_the_valley_is_seen():
    """A solution for correlated noise is a linear step from the plain one. Poses of 5 mm and 0.5° cannot have
    been turned at a rate that is 5 mrad/s off for 30 s; at one that is off by a standard deviation they can."""
    _, estimator = wronged(RICH, [94, 0], Wrong(data=30.0))
    plain = estimator.explained.solution
    fit, at = plain.fit, TARGET_ERROR.places().flat.angular_velocity
    assert not _strays(fit, plain)
    for off, strays in ((5e-3, True), (1e-5, False)):
        step = np.zeros(len(fit.prior))
        step[at] = off
        assert _strays(fit.at(fit.model.moved(fit.x, step)), plain) == strays
