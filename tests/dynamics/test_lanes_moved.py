"""Predictors of four worlds side by side: to the bit those of one world (step.py), whatever each of the four knows."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from softdock.dynamics import lanes_moved, step
from softdock.kernels import Struct, loop
from softdock.kernels.four import put, smaller, spread, take
from softdock.kernels.jit import njit
from softdock.kernels.lanes import LANES
from softdock.mechanics.layouts import DEPTH

COUNT = 5


class Predictor(NamedTuple):
    """As state.Predictor."""

    differences: Any
    depths: Any


@njit
def four(values, differences, known, foreseen, depths, n):
    history = take(known, 0)
    depth, _ = lanes_moved.remember(values, differences, n, history)
    lanes_moved.predict(differences, smaller(depth, smaller(history + 1.0, spread(DEPTH))), foreseen, n)
    put(depths, 0, depth)


@loop
def one(predictor, known, values, foreseen):
    step.remember(predictor, 0, known, values, values.size)
    step.predict(predictor, 0, min(known + 1, 10), foreseen, values.size)


@pytest.mark.parametrize("seed", range(8))
def test_as_one_world_remembers_and_predicts(seed: int):
    """Smooth, kinked and still values; from one known value on to more than the predictor takes."""
    rng = np.random.default_rng(seed)
    known = np.array([[1.0, 3.0, 6.0, 10.0]])
    t = np.arange(9)[:, None, None]
    values = np.sin(0.1 * t * rng.normal(size=(COUNT, LANES)) + rng.normal(size=(COUNT, LANES)))
    values[4:, :, 1] += 0.1 * rng.normal(size=COUNT)
    values[:, :, 2] = 1.0
    differences, foreseen, depths = np.zeros((DEPTH, COUNT, LANES)), np.zeros((COUNT, LANES)), np.zeros((1, LANES))
    singles = [Predictor(np.zeros((1, COUNT, DEPTH + 1)), np.ones(1, dtype=np.int64)) for _ in range(LANES)]
    for row in values:
        four(np.ascontiguousarray(row), differences, known, foreseen, depths, COUNT)
        for lane, predictor in enumerate(singles):
            mine = np.zeros(COUNT)
            one(Struct(predictor), int(known[0, lane]), np.ascontiguousarray(row[:, lane]), mine)
            np.testing.assert_array_equal(foreseen[:, lane], mine)
            np.testing.assert_array_equal(differences[:, :, lane], predictor.differences[0, :, :DEPTH].T)
            assert depths[0, lane] == predictor.depths[0]
        known = np.minimum(known + 1, 10.0)
