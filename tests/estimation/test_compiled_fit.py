"""Compiled parts of the batch and of forecasts, against the same written out."""

import numpy as np
import pytest

from softdock.estimation import TargetEstimator, batch, loops, model
from softdock.estimation.measurement import checked
from softdock.estimation.tumbles import TUMBLES, observed, true_motion
from softdock.world import Pose

RICH = TUMBLES["rich"]
RNG = np.random.default_rng(11)


@pytest.fixture(scope="module")
def fit():
    seen = observed(true_motion(RICH, np.arange(0, 20.0, 0.5)), np.random.default_rng(97))
    poses = [checked(m, -1.0) for m in seen]
    arc = batch.Arc(*(np.array([m[part] for m in poses]) for part in range(3)))
    one = model.Model("target", RICH.n, 1e-6, 1e-6)
    return batch.solved(one, arc, batch.unguessed(one, arc).x).fit


def test_residuals_alone_are_those_of_a_fit(fit):
    moved = fit.model.moved(fit.x, 1e-2 * RNG.normal(size=fit.model.errors))
    np.testing.assert_allclose(fit.near(fit.x), fit.r, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(fit.near(moved), fit.at(moved).r, rtol=1e-9, atol=1e-9)
    moved[-1] = 1e13
    assert not np.isfinite(fit.near(moved)).any()


def test_a_fit_with_another_prior_is_that_of_anew(fit):
    prior = batch.relaxed(True, False)
    again, anew = batch.solved_from(fit.by(prior)), batch.solved(fit.model, fit.arc, fit.x, prior)
    np.testing.assert_array_equal(again.x, anew.x)
    np.testing.assert_array_equal(again.covariance, anew.covariance)
    assert fit.prior is not prior


def test_normal_equations_of_weighted_residuals():
    r, J, scales, weights = RNG.normal(size=(9, 6)), RNG.normal(size=(9, 6, 26)), np.array([1.3, 0.7]), RNG.random(9)
    weights[2] = 0.0
    W = weights[:, None] / np.repeat(scales, 3) ** 2
    start = RNG.normal(size=(26, 26))
    A, b, alone = start + start.T, RNG.normal(size=26), np.zeros(26)
    whole, side = A + np.einsum("kia,ki,kic->ac", J, W, J), np.einsum("kia,ki,ki->a", J, W, r)
    expected = b + side
    loops.normal(r, J, scales, weights, A, b)
    loops.right_side(r, J, scales, weights, alone)
    np.testing.assert_allclose(A, whole, rtol=1e-12)
    np.testing.assert_array_equal(A, A.T)
    np.testing.assert_allclose(b, expected, rtol=1e-12)
    np.testing.assert_allclose(alone, side, rtol=1e-12)
    np.testing.assert_allclose(loops.squares(r, scales), (r**2 / np.repeat(scales, 3) ** 2).sum(axis=1), rtol=1e-14)


def test_forecasts_are_remembered_as_long_as_the_estimate():
    estimator, frame = TargetEstimator(RICH.n), Pose(position=(0.1, 0.2, 0.3), rpy=(0.4, 0.5, 0.6))
    seen = observed(true_motion(RICH, np.arange(0, 12.0, 0.5)), np.random.default_rng(5))
    for measurement in seen[:-1]:
        estimator.update(measurement)
    before, framed = estimator.forecast(20.0), estimator.forecast(20.0, frame)
    assert np.array_equal(estimator.forecast(20.0).covariance, before.covariance)
    assert np.allclose(framed.pose.matrix(), (before.pose @ frame).matrix(), atol=1e-12)
    estimator.predict(15.0)
    assert np.allclose(estimator.forecast(20.0).position, before.position, atol=1e-6)
    assert not np.array_equal(estimator.forecast(20.0).covariance, before.covariance)  # in other steps
    estimator.update(seen[-1])
    assert not np.array_equal(estimator.forecast(20.0).position, before.position)
