"""Elastic impacts under a force that does no net work: the study's case on a sample (studies/many_impacts.py)."""

import numpy as np
import pytest
from many_bounces import drift


@pytest.fixture(scope="module")
def forced():
    return drift("forced", 4000, chunk=20_000)


def test_energy_less_work_is_bounded_without_trend(forced):
    error = forced.error
    tenth = len(error) // 10
    assert forced.impacts >= 4000
    assert np.abs(error).max() < 1e-2
    assert np.abs(error[-tenth:]).max() == pytest.approx(np.abs(error[:tenth]).max(), rel=0.1)
    assert abs(error[-tenth:].mean() - error[:tenth].mean()) < 0.05 * np.abs(error).max()


def test_the_force_does_work_but_none_on_the_whole(forced):
    """Each flight takes and gives; the sum stays within what one flight exchanges."""
    tenth = len(forced.work) // 10
    assert np.ptp(forced.work[:tenth]) > 0.05
    assert np.ptp(forced.work[-tenth:]) == pytest.approx(np.ptp(forced.work[:tenth]), rel=0.1)
