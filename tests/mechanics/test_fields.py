"""Declared vectors: CasADi's stacking, NumPy's views, slices and compiled loops agree on where a part is."""

import casadi as ca
import numpy as np
import pytest

from softdock.kernels.jit import njit
from softdock.mechanics.fields import Fields

POSE = Fields(p=3, R=(3, 3))
ROW = Fields(step="nv", pose=POSE, none=0, table=("rows", "nv"), last=2)
SIZES = {"nv": 2, "rows": 3}
PARTS = {
    "step": np.arange(2.0),
    "pose": np.arange(2.0, 14.0),
    "none": np.zeros(0),
    "table": np.arange(14.0, 20.0).reshape(3, 2),
    "last": np.arange(20.0, 22.0),
}
new = ROW.zeros("rows", "nv")


@njit
def filled(rows, nv):
    """Each part written by its own name."""
    row = new(rows, nv)
    for k in range(nv):
        row.step[k] = k
    for k in range(3):
        row.pose.p[k] = 2 + k
        for j in range(3):
            row.pose.R[k, j] = 5 + 3 * k + j
    for i in range(rows):
        for j in range(nv):
            row.table[i, j] = 14 + nv * i + j
    for k in range(2):
        row.last[k] = 20 + k
    return row.vector, row.pose.vector


def test_all_ways_agree_on_where_a_part_is():
    expected = np.arange(22.0)
    assert np.array_equal(ROW.pack(**PARTS), expected)
    stacked = ROW.stack(SIZES, **{name: ca.SX(part) for name, part in PARTS.items()})
    assert np.array_equal(np.array(ca.DM(stacked)).ravel(), expected)
    whole, pose = filled(3, 2)
    assert np.array_equal(whole, expected)
    assert np.array_equal(pose, PARTS["pose"])
    view, split, at = ROW.view(expected, SIZES), ROW.split(ca.SX(expected), SIZES), ROW.places(SIZES)
    for name in ("step", "table", "last"):
        assert np.array_equal(getattr(view, name), PARTS[name])
        assert np.array_equal(np.array(ca.DM(getattr(split, name))).reshape(PARTS[name].shape), PARTS[name])
        assert np.array_equal(expected[getattr(at, name)], PARTS[name].ravel())
    assert np.array_equal(view.pose.R, expected[at.pose.R].reshape(3, 3))
    assert np.array_equal(expected[at.pose.vector], PARTS["pose"])


def test_a_part_of_another_length_is_refused():
    parts = {name: ca.SX(part) for name, part in PARTS.items()} | {"step": ca.SX.zeros(3)}
    with pytest.raises(ValueError, match="part 'step' has 3 numbers, not 2"):
        ROW.stack(SIZES, **parts)
    with pytest.raises(ValueError, match="a vector of 21 numbers for parts of 22"):
        ROW.view(np.zeros(21), SIZES)
