"""A campaign's random numbers are NumPy's, bit for bit."""

import numpy as np
import pytest

from softdock.campaign.streams import Streams

SEEDS = (0, 1, 5, 2**31, 2**32, 2**33 + 7, 2**64 + 3, 2**128 - 1, 2**128, 2**200 + 11, 10**30)
KEYS = ((0,), (1,), (17,), (2**32 - 1,), (2**32,), (10**7,), (3, 1), (2**40, 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_and_seeds_are_those_of_numpy(seed: int) -> None:
    ours = Streams(seed)
    for key in KEYS:
        theirs = np.random.SeedSequence(seed, spawn_key=key)
        assert ours.random(50, *key).tobytes() == np.random.default_rng(theirs).random(50).tobytes()
        assert ours.word(*key) == theirs.generate_state(1)[0]


def test_a_draw_of_nothing_is_empty() -> None:
    assert Streams(3).random(0, 1).shape == (0,)
