"""Capture as a Gymnasium environment: its checker, a policy that captures, vectors of it."""

import pickle
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from softdock.dynamics import Dynamics  # noqa: E402
from softdock.planning import Sample, joint_limits  # noqa: E402
from softdock.scenarios.capture.craft import ARM_Q, JOINTS  # noqa: E402
from softdock.scenarios.capture.environment import ACCELERATION, COLLIDED, rates_within  # noqa: E402

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
        _, reward, done, late, info = environment.step(environment.scripted())
        total += reward
    assert done and total > 10.0 and "collided" not in info
    assert info["off"][0] <= environment._scenario.gripper.capture_distance


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


def test_actions_in_bounds_can_be_executed(environment) -> None:
    """Random rates, and the largest in one direction: no step fails, and no joint passes a limit. Such rates may lead
    the arm into itself or the chaser: the episode ends there, in the period of the first impact."""
    low, high = joint_limits(Dynamics(environment._scenario.world), JOINTS)
    rng = np.random.default_rng(1)
    for draw in (lambda: rng.uniform(-0.5, 0.5, 7), lambda: 0.5 * rng.choice([-1, 1], 7), lambda: np.full(7, 0.5)):
        environment.reset(seed=3)
        done = late = False
        while not (done or late):
            seen, reward, done, late, info = environment.step(draw())
            assert "failed" not in info
            assert (seen[:7] <= high).all() and (seen[:7] >= low).all()
        if done:
            assert "touched at" in info["collided"] and reward < COLLIDED / 2
            assert info["time"] - 0.5 <= float(info["collided"].split(" at ")[1].split()[0]) <= info["time"] + 0.01
        else:
            assert info["time"] == pytest.approx(118.0)


def test_rates_within_limits_are_those_of_the_best_that_stops(environment) -> None:
    """Brute force over one joint: of all rates that can be reached, the nearest to the wanted one after which braking
    at the most acceleration keeps within the limits."""
    rng = np.random.default_rng(0)
    T, most = 0.5, ACCELERATION
    for _ in range(200):
        q, wanted = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)
        v = rng.uniform(-1, 1) * np.sqrt(most * 2 * (1 - abs(q)))
        v = np.clip(v, -0.5, 0.5)
        reachable = v + np.linspace(-most * T, most * T, 4001)
        end = q + (v + reachable) * T / 2
        stop = end + np.sign(reachable) * reachable**2 / (2 * most)
        fits = np.abs(stop) <= 1.0
        if not fits.any():
            continue
        best = reachable[fits][np.argmin(np.abs(reachable[fits] - wanted))]
        found = rates_within(Sample(np.array([q]), np.array([v]), np.zeros(1)), np.array([wanted]), T,
                             np.array([-1.0]), np.array([1.0]))  # fmt: skip
        assert found[0] == pytest.approx(best, abs=1e-3)


def test_a_first_episode_is_as_a_later_one_of_its_seed(environment) -> None:
    """A new environment had been left with its controllers' memory of how the arm came to where it waits."""
    action = environment.action_space.high
    environment.reset(seed=4)
    first = [environment.step(action)[0] for _ in range(3)]
    copied = pickle.loads(pickle.dumps(environment))
    again = gymnasium.make(NAME, disable_env_checker=True).unwrapped
    again.reset(seed=4)
    assert np.array_equal(first, [again.step(action)[0] for _ in range(3)])
    assert np.array_equal(copied.step(action)[0], again.step(action)[0])
