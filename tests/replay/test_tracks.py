"""The packed numbers are what they were, within the stated quantisation; decoded here by other code than the page's."""

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from softdock.replay.poses import continuous, thinned
from softdock.replay.tracks import POSITION_STEP, QUATERNION_STEP, Tracks, groups_of_seven
from softdock.spatial import quaternion_of_matrix


def decoded(data: bytes) -> list[int]:
    """LEB128 with zigzag signs, number by number."""
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value >> 1 if value % 2 == 0 else -(value + 1) // 2)
            value = shift = 0
    return numbers


@given(st.lists(st.integers(-(2**62), 2**62)))
def test_whole_numbers_come_back(numbers: list[int]) -> None:
    assert decoded(groups_of_seven(np.array(numbers, dtype=np.int64))) == numbers


@given(st.lists(st.floats(-1e7, 1e7), min_size=1), st.sampled_from([1e-4, 2.0**-14, 1.0]))
def test_channels_come_back_within_half_a_step(numbers: list[float], step: float) -> None:
    tracks = Tracks()
    tracks.add(np.array([7.0]), 1.0)
    tracks.add(np.array(numbers), step)
    deltas = decoded(zlib.decompress(base64.b64decode(tracks.text())))
    assert tracks.head() == [[1.0, 1], [step, len(numbers)]]
    assert np.abs(np.cumsum(deltas[1:]) * step - numbers).max() <= 0.5000001 * step + 1e-9


def test_the_steps_keep_a_tenth_of_a_millimetre_and_a_hundredth_of_a_degree() -> None:
    """The worst that rounding can do: half a step in each coordinate at once."""
    assert np.sqrt(3) * POSITION_STEP / 2 <= 1e-4
    turns = Rotation.random(20_000, rng=np.random.default_rng(3))
    q = turns.as_quat()
    off = Rotation.from_quat(q + QUATERNION_STEP / 2 * np.random.default_rng(4).choice([-1, 1], q.shape))
    assert np.degrees((turns.inv() * off).magnitude()).max() < 0.01
    assert np.degrees(2 * QUATERNION_STEP) < 0.01


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e13])
def test_what_cannot_be_packed_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="cannot be shown in steps of"):
        Tracks().add(np.array([0.0, bad]), 1e-4)


def test_gaps_in_a_series_are_marked() -> None:
    tracks = Tracks()
    series = tracks.add_scaled(np.array([1.0, np.nan, 4.0]))
    codes = np.cumsum(decoded(zlib.decompress(base64.b64decode(tracks.text()))))
    assert codes.tolist() == [0, -1, 30_000]
    assert series["low"] + codes[2] * series["scale"] == pytest.approx(4.0)


def test_signs_do_not_jump() -> None:
    angle = np.linspace(0, 20, 400)
    turns = Rotation.from_rotvec(np.outer(angle, [0.0, 0.6, 0.8])).as_matrix()
    q = continuous(quaternion_of_matrix(turns))
    assert np.einsum("ni,ni->n", q[1:], q[:-1]).min() > 0.99


@pytest.mark.parametrize(
    ("count", "most", "kept"), [(1, 5, [0]), (5, 5, [0, 1, 2, 3, 4]), (7, 3, [0, 3, 6]), (8, 3, [0, 3, 6, 7])]
)
def test_thinning_keeps_both_ends(count: int, most: int, kept: list[int]) -> None:
    assert thinned(count, most).tolist() == kept
