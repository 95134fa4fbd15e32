"""Sweep and prune against all pairs."""

import numpy as np
import pytest

from softdock.contact import overlapping_pairs


@pytest.mark.parametrize("count", [0, 1, 2, 300])
def test_pairs_are_those_of_brute_force(count):
    rng = np.random.default_rng(count)
    for stretch in ((1, 1, 1), (10, 1, 1), (1, 1, 0)):
        low = rng.uniform(0, 4, (count, 3)) * stretch
        high = low + rng.uniform(0, 1, (count, 3))
        meet = np.all((low[:, None] <= high) & (low <= high[:, None]), axis=2)
        assert np.array_equal(overlapping_pairs(low, high), np.argwhere(np.triu(meet, 1)))


def test_touching_counts_and_bad_boxes_are_named():
    assert overlapping_pairs([[0, 0, 0], [1, 0, 0]], [[1, 1, 1], [2, 1, 1]]).tolist() == [[0, 1]]
    with pytest.raises(ValueError, match="box 1 has a lower corner over its upper one"):
        overlapping_pairs([[0, 0, 0], [3, 0, 0]], [[1, 1, 1], [2, 1, 1]])
    with pytest.raises(ValueError, match="box 0"):
        overlapping_pairs([[np.nan, 0, 0]], [[1, 1, 1]])
