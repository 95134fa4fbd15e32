"""The Gymnasium environment: its checker, the scenario's own docking under zero actions, vectors of it."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from softdock.scenarios.loading import load  # noqa: E402
from softdock.scenarios.runner import Runner  # noqa: E402

NAME = "softdock.scenarios.environments:softdock/Docking-v0"


def test_gymnasiums_checker_has_nothing_to_say() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(infinity|unbounded|render|spec).*")
        check_env(gymnasium.make(NAME).unwrapped)


def test_zero_actions_dock_as_the_scenario_does() -> None:
    environment = gymnasium.make(NAME, spread=0.0, disable_env_checker=True)
    environment.reset(seed=0)
    rewards, done, late = [], False, False
    while not (done or late):
        _, reward, done, late, info = environment.step(np.zeros(3))
        rewards.append(reward)
    runner = Runner(load("iss-docking", ["run.record_every=100"]))
    metrics = runner.run()
    docked = environment.unwrapped._docking.events[-1]["time"]
    assert done and docked == pytest.approx(metrics["docked_at"], abs=1e-9)
    assert info["time"] - 0.1 < docked <= info["time"] and sum(rewards) > 10


def test_vectors_step_as_single_ones() -> None:
    vector = gymnasium.make_vec(NAME, num_envs=3, vectorization_mode="sync")
    single = gymnasium.make(NAME)
    seen, _ = vector.reset(seed=5)
    assert np.array_equal(seen[1], single.reset(seed=6)[0])
    actions = np.random.default_rng(0).uniform(-0.2, 0.2, (20, 3, 3))
    for action in actions:
        seen, rewards, *_ = vector.step(action)
        one, reward, *_ = single.step(action[1])
        assert np.array_equal(seen[1], one) and rewards[1] == reward
    assert not np.array_equal(seen[0], seen[1])


@pytest.mark.parametrize("action", [np.zeros(2), np.zeros((3, 1)), 0.0, [0.0, float("nan"), 0.0]])
def test_an_action_that_does_not_fit_is_one_line(action: object) -> None:
    environment = gymnasium.make(NAME, disable_env_checker=True)
    environment.reset(seed=0)
    with pytest.raises(ValueError, match=r"an action must be finite numbers of shape \(3,\), not"):
        environment.step(action)
