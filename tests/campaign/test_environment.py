"""The Gymnasium environment: its checker, the scenario's own docking under zero actions, vectors of it."""

import pickle
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from softdock.dynamics import StepFailed  # noqa: E402
from softdock.replay.scene import colors_of  # noqa: E402
from softdock.scenarios.environments import FAILED  # noqa: E402
from softdock.scenarios.loading import load  # noqa: E402
from softdock.scenarios.runner import Runner  # noqa: E402

NAME = "softdock.scenarios.environments:softdock/Docking-v0"


def test_gymnasiums_checker_has_nothing_to_say() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(infinity|unbounded|render|spec).*")
        check_env(gymnasium.make(NAME).unwrapped)


def test_zero_actions_dock_as_the_scenario_does() -> None:
    environment = gymnasium.make(NAME, spread=0.0, calibration=0.0, disable_env_checker=True)
    environment.reset(seed=0)
    rewards, done, late = [], False, False
    while not (done or late):
        _, reward, done, late, info = environment.step(np.zeros(3))
        rewards.append(reward)
    runner = Runner(load("iss-docking", ["run.record_every=100"]))
    metrics = runner.run()
    assert done and info["time"] == pytest.approx(metrics["docked_at"], abs=1e-9)
    assert sum(rewards) > 10


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


def _episode(environment, act, seed: int) -> tuple[float, bool]:
    environment.reset(seed=seed)
    total, done, late = 0.0, False, False
    while not (done or late):
        _, reward, done, late, info = environment.step(act())
        assert "failed" not in info
        total += reward
    return total, done


def test_zero_actions_do_not_solve_it_and_a_script_does() -> None:
    environment = gymnasium.make(NAME, disable_env_checker=True).unwrapped
    zero = [_episode(environment, lambda: np.zeros(3), seed)[1] for seed in range(12)]
    script = [_episode(environment, environment.scripted, seed)[1] for seed in range(12)]
    assert np.mean(zero) < 0.5 and np.mean(script) > 0.9


def test_after_the_end_there_is_neither_step_nor_reward() -> None:
    environment = gymnasium.make(NAME, changes=("run.duration=0.2",), disable_env_checker=True).unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded):
        environment.step(np.zeros(3))
    environment.reset(seed=0)
    assert [environment.step(np.zeros(3))[2:4] for _ in range(2)] == [(False, False), (False, True)]
    with pytest.raises(gymnasium.error.ResetNeeded, match="the episode has ended"):
        environment.step(np.zeros(3))


def test_a_step_that_fails_ends_the_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = gymnasium.make(NAME, disable_env_checker=True).unwrapped
    environment.reset(seed=0)
    before = environment.step(np.zeros(3))[0]

    def broken(*_: object, **__: object) -> None:
        raise StepFailed("the step did not converge", 0.1, 1.0, None)

    monkeypatch.setattr(type(environment._motion), "run", broken)
    seen, reward, done, late, info = environment.step(np.zeros(3))
    assert (reward, done, late) == (FAILED, True, False) and info["failed"] == "the step did not converge"
    assert np.array_equal(seen, before)
    with pytest.raises(gymnasium.error.ResetNeeded):
        environment.step(np.zeros(3))


def test_a_pickled_copy_goes_on_bit_for_bit() -> None:
    environment = gymnasium.make(NAME, disable_env_checker=True).unwrapped
    fresh = pickle.loads(pickle.dumps(environment))
    environment.reset(seed=3)
    actions = np.random.default_rng(0).uniform(-0.5, 0.5, (12, 3))
    for action in actions[:6]:
        environment.step(action)
    copied = pickle.loads(pickle.dumps(environment))
    for action in actions[6:]:
        one, other = environment.step(action), copied.step(action)
        assert np.array_equal(one[0], other[0]) and one[1:] == other[1:]
    assert np.array_equal(environment.reset()[0], copied.reset()[0])  # and draws the same next
    assert np.array_equal(fresh.reset(seed=3)[0], environment.reset(seed=3)[0])


def test_pictures_show_the_payload_where_it_is() -> None:
    """Its colour is found at the projection of its centre, computed here, at the start and after it moved."""
    environment = gymnasium.make(NAME, render_mode="rgb_array", disable_env_checker=True).unwrapped
    environment.reset(seed=0)
    first = environment.render()
    assert first.shape == (360, 480, 3) and first.dtype == np.uint8
    paint = np.array([int(colors_of(environment._dynamics.world)["payload"][k : k + 2], 16) for k in (1, 3, 5)])
    for steps in (0, 150):
        for _ in range(steps):
            environment.step(np.zeros(3))
        picture, view = environment.render(), environment._view()
        x, y, _ = (environment._dynamics.pose("payload", view.q)[1] - view.center) @ view.R_WV
        column, row = round(240 + x / view.height * 360), round(180 - y / view.height * 360)
        seen = picture[row, column].astype(float)
        assert np.abs(seen / np.linalg.norm(seen) - paint / np.linalg.norm(paint)).max() < 0.03
    assert not np.array_equal(first, picture)
    with pytest.raises(ValueError, match="render_mode must be"):
        type(environment)(render_mode="human")
