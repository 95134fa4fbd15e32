"""Hypotheses that no single scan tells apart: the right one is known after some of them."""

import numpy as np
from scipy.spatial.transform import Rotation

from softdock.sensing import Hypothesis, HypothesisTracker, Registration
from softdock.sensing.registration import Quality
from softdock.world import Pose

FLIPS = [Rotation.identity(), *(Rotation.from_rotvec(np.pi * axis) for axis in np.eye(3))]


def seen(time: float, against: list[int], order: list[int]) -> list[Hypothesis]:
    """Four poses half a turn apart, of a target that turns at 0.1 rad/s, in some order."""
    found = []
    for k in order:
        turn = Rotation.from_rotvec([0.1 * time, 0.0, 0.0]) * Rotation.from_euler("xyz", [0.3, 0.2, 0.1]) * FLIPS[k]
        w, x, y, z = turn.as_quat(scalar_first=True).tolist()
        pose = Pose(position=(0.0, 0.0, 3.0), quaternion=(w, x, y, z))
        quality = Quality(1.0, 1.0, 5, True)
        found.append(Hypothesis(Registration(pose, np.eye(6), quality, time), against[k]))
    return found


def test_the_one_with_least_against_it_is_settled_on_though_scans_are_bad() -> None:
    rng, tracker, settled = np.random.default_rng(0), HypothesisTracker(), None
    for look in range(20):
        common = int(rng.integers(5, 80))
        against = [common, *(common + rng.integers(0, 8, 3)).tolist()]
        hypotheses = seen(float(look), against, rng.permutation(4).tolist())
        settled = tracker.update(hypotheses)
        if settled:
            break
    assert settled is not None
    assert 4 <= look + 1 < 20
    right = seen(float(look), [0] * 4, [0])[0].registration.pose
    assert np.allclose(settled.registration.pose.rotation, right.rotation)
    began = seen(0.0, [0] * 4, [0])[0].registration.pose
    assert len(tracker.trail) == look + 1
    assert np.allclose(tracker.trail[0].rotation, began.rotation)


def test_what_cannot_be_told_apart_is_not_settled() -> None:
    rng, tracker = np.random.default_rng(1), HypothesisTracker()
    for look in range(12):
        against = (20 + rng.integers(0, 2, 4)).tolist()
        assert tracker.update(seen(float(look), against, [0, 1, 2, 3])) is None
    assert tracker.count == 4


def test_a_single_hypothesis_is_taken_when_it_is_the_only_one_again_and_none_is_none() -> None:
    tracker, only, again = HypothesisTracker(), seen(0.0, [3] * 4, [2]), seen(1.0, [3] * 4, [2])
    assert tracker.update(only) is None
    assert tracker.update([]) is None
    assert tracker.update(again) is again[0]
    assert len(tracker.trail) == 2


def test_another_single_hypothesis_is_not_the_same() -> None:
    tracker = HypothesisTracker()
    assert tracker.update(seen(0.0, [3] * 4, [2])) is None
    assert tracker.update(seen(1.0, [3] * 4, [1])) is None


def test_one_of_several_is_not_settled_on_because_a_scan_misses_the_others() -> None:
    tracker, alike = HypothesisTracker(), [10, 10, 13, 13]
    shown = [[0, 1, 2, 3], [0, 1], [0, 1, 2, 3], [0], [0, 1, 2], [1], [0, 1, 2, 3], [], [0, 2], [0, 1, 2, 3]]
    for look, order in enumerate(shown * 2):
        assert tracker.update(seen(float(look), alike, order)) is None
    assert tracker.count == 4


def test_what_turned_on_unseen_is_not_taken_for_what_it_was() -> None:
    """After a quarter of a turn in which no scan explains anything, no evidence is left."""
    tracker = HypothesisTracker()
    for look in range(3):
        assert tracker.update(seen(float(look), [3, 9, 9, 9], [0, 1, 2, 3])) is None
    for _ in range(15):
        assert tracker.update([]) is None
    assert tracker.count == 0
    assert tracker.update(seen(18.0, [3, 9, 9, 9], [0, 1, 2, 3])) is None
