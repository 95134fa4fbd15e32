"""Draws: distributions against SciPy's, designs, and that a row depends on nothing but the seed and its index."""

import numpy as np
import pytest
from scipy import stats
from scipy.stats import qmc

from softdock.campaign.design import Design, runs_of
from softdock.campaign.distributions import LEAST, DistributionError, distribution

KINDS = ("monte-carlo", "latin-hypercube", "sobol", "saltelli")
KNOWN = {
    "normal(2, 0.5)": stats.norm(2, 0.5),
    "truncnormal(0.8, 0.3, 0, 1)": stats.truncnorm((0 - 0.8) / 0.3, (1 - 0.8) / 0.3, 0.8, 0.3),
    "truncnormal(0, 1, 4, 6)": stats.truncnorm(4, 6),
    "truncnormal(0, 1, -6, -4)": stats.truncnorm(-6, -4),
    "lognormal(3, 0.4)": stats.lognorm(0.4, scale=3),
    "uniform(-1, 4)": stats.uniform(-1, 5),
}


@pytest.mark.parametrize("text", KNOWN)
@pytest.mark.parametrize("kind", ["monte-carlo", "latin-hypercube", "sobol"])
def test_draws_have_the_distribution(text: str, kind: str) -> None:
    drawn, design = distribution(text), Design(kind, 2048, [1], seed=3)
    values = [drawn.quantile(design.point(k)) for k in range(2048)]
    assert stats.kstest(values, KNOWN[text].cdf).pvalue > 0.01
    assert np.allclose(drawn.ends, KNOWN[text].ppf([LEAST, 1 - LEAST]), rtol=1e-9, atol=1e-12)


def test_correlated_normals_have_their_covariance() -> None:
    C = np.array([[1.0, 0.6, 0.0], [0.6, 2.0, -0.5], [0.0, -0.5, 0.7]])
    drawn, design = distribution(f"normal([1, 2, 3], {C.tolist()})"), Design("sobol", 4096, [3], seed=1)
    values = np.array([drawn.quantile(design.point(k)) for k in range(4096)])
    assert np.allclose(values.mean(axis=0), [1, 2, 3], atol=0.01)
    assert np.allclose(np.cov(values.T), C, atol=0.02)
    low, high = drawn.ends
    assert np.all(values > low) and np.all(values < high)


def test_choices_and_steps_are_equally_likely() -> None:
    drawn, design = distribution('choice("a", "b", true)'), Design("latin-hypercube", 300, [1], seed=0)
    values = [drawn.quantile(design.point(k)) for k in range(300)]
    assert all(values.count(x) == 100 for x in ("a", "b", True))
    assert distribution("steps(1, 2, 5)").values == (1.0, 1.25, 1.5, 1.75, 2.0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_point_depends_on_seed_and_index_only(kind: str) -> None:
    sizes, runs = [1, 2, 1], 60
    table = [Design(kind, runs, sizes, 7).point(k) for k in range(runs)]
    backwards = Design(kind, runs, sizes, 7)
    for k in reversed(range(runs)):
        assert np.array_equal(backwards.point(k), table[k])
    assert not np.array_equal(Design(kind, runs, sizes, 8).point(5), table[5])
    assert all(LEAST <= x <= 1 - LEAST for point in table for x in point)


@pytest.mark.parametrize("kind", ["monte-carlo", "sobol"])
def test_more_runs_keep_the_first(kind: str) -> None:
    few, many = Design(kind, 10, [2], 1), Design(kind, 1000, [2], 1)
    assert all(np.array_equal(few.point(k), many.point(k)) for k in range(10))


def test_sobol_far_ahead_is_the_sequence() -> None:
    index = 65_536 + 9
    expected = qmc.Sobol(3, rng=np.random.default_rng(5)).random(2**17)[index] + 2.0**-31
    assert np.array_equal(Design("sobol", 70_000, [3], 5).point(index), expected)


def test_latin_hypercube_has_one_point_in_each_slice() -> None:
    design = Design("latin-hypercube", 50, [3], 2)
    slices = np.array([design.point(k) for k in range(50)]) * 50 // 1
    assert all(sorted(column) == list(range(50)) for column in slices.T)


def test_grid_has_every_combination_once() -> None:
    design = Design("grid", 24, [2, 3, 4], 0)
    cells = {tuple((design.point(k) * [2, 3, 4]).astype(int)) for k in range(24)}
    assert cells == {(a, b, c) for a in range(2) for b in range(3) for c in range(4)}
    with pytest.raises(ValueError, match="24 runs, not 20"):
        runs_of("grid", 20, [2, 3, 4])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("norml(0, 1)", "did you mean 'normal'"),
        ("normal(0)", r"expected normal\(mean, sd\)"),
        ("normal(0, -1)", "must be positive"),
        ("uniform(2, 1)", "low must be less"),
        ("normal([0, 0], [[1, 2], [2, 1]])", "positive definite"),
        ("normal([0, 0], [1, 1, 1])", "one length"),
        ("choice()", "something to choose"),
        ("uniform('a', 2)", "takes numbers"),
        ("__import__('os').system('true')", "expected a distribution"),
        ("normal(1e400, 1)", "finite"),
    ],
)
def test_bad_distributions_say_what_was_expected(text: str, says: str) -> None:
    with pytest.raises(DistributionError, match=says):
        distribution(text)
