"""Capture as a Gymnasium environment: its checker, a policy that captures, vectors of it."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from softdock.scenarios.capture.craft import ARM_Q, ARM_V, GRIPPER, HANDLE_FRAME  # noqa: E402

NAME = "softdock.scenarios.environments:softdock/Capture-v0"


@pytest.fixture(scope="module")
def environment():
    return gymnasium.make(NAME, disable_env_checker=True).unwrapped


def test_gymnasiums_checker_has_nothing_to_say(environment) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(infinity|unbounded|render|spec).*")
        check_env(environment)


def test_without_action_the_arm_stays_and_the_handle_turns(environment) -> None:
    seen, info = environment.reset(seed=1)
    start = seen[:7]
    for _ in range(4):
        seen, reward, done, late, info = environment.step(np.zeros(7))
        assert not done and not late
    assert info["time"] == pytest.approx(88.0) and np.abs(seen[:7] - start).max() < 0.02
    assert reward != 0.0


def test_following_the_handle_captures_it(environment) -> None:
    """Resolved rates by the truth: what a policy could learn; the reward tells that it came nearer."""
    environment.reset(seed=0)
    total, done, late = 0.0, False, False
    while not (done or late):
        _, reward, done, late, info = environment.step(_towards(environment))
        total += reward
    assert done and total > 10.0
    assert info["off"][0] <= environment._scenario.gripper.capture_distance


def _towards(environment) -> np.ndarray:
    motion, dynamics = environment._motion, environment._dynamics
    q, v = motion.q, motion.v
    away, turned = environment._error()
    R_g = dynamics.pose(GRIPPER, q)[0]
    J, moving = dynamics.jacobian(GRIPPER, q), dynamics.jacobian(HANDLE_FRAME, q) @ v
    arm = np.zeros(dynamics.nv)
    arm[ARM_V] = v[ARM_V]
    drift = J @ (v - arm)
    twist = moving + np.concatenate([R_g @ turned, R_g @ away]) / 1.5 - drift
    rates = np.linalg.lstsq(J[:, ARM_V], twist, rcond=1e-2)[0]
    return np.clip(rates, -0.5, 0.5)


def test_vectors_step_as_single_ones() -> None:
    vector = gymnasium.make_vec(NAME, num_envs=2, vectorization_mode="sync")
    single = gymnasium.make(NAME, disable_env_checker=True)
    seen, _ = vector.reset(seed=5)
    assert np.array_equal(seen[1], single.reset(seed=6)[0])
    action = np.random.default_rng(0).uniform(-0.1, 0.1, (2, 7))
    seen, rewards, *_ = vector.step(action)
    one, reward, *_ = single.step(action[1])
    assert np.array_equal(seen[1], one) and rewards[1] == reward
    assert slice(7, 14) == ARM_Q and not np.array_equal(seen[0], seen[1])
