"""A mission in which an agent decides: by its policy, or stepped as an environment (docs/gymnasium.md)."""

import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from softdock.scenarios import load  # noqa: E402
from softdock.scenarios.runner import Runner  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "gymnasium.md"
NAME = "softdock.scenarios.environments:softdock/Mission-v0"


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = re.search(r"write_text\('''(.*?)'''\)", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    file = tmp_path_factory.mktemp("agent") / "turn.py"
    file.write_text(found[1], encoding="utf-8")
    return file


def made(file: Path, **arguments: Any) -> Any:
    return gymnasium.make(NAME, mission=str(file), disable_env_checker=True, **arguments).unwrapped


def other(turn: Path, tmp_path: Path, old: str, new: str) -> Path:
    text = turn.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "other.py").write_text(text.replace(old, new), encoding="utf-8")
    return tmp_path / "other.py"


def test_gymnasiums_checker_has_nothing_to_say(turn: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(infinity|unbounded|render|spec).*")
        check_env(made(turn))


def test_stepped_by_its_own_policy_it_does_what_the_mission_does(turn: Path) -> None:
    """Actions come a period later, so only the end is the same."""
    metrics = Runner(load(turn)).run()
    assert metrics["outcome"] == "success"
    (decided,) = metrics["phases"]
    env, sums = made(turn), 0.0
    env.reset(seed=3)
    for _ in range(100):
        _, reward, done, late, info = env.step(env.scripted())
        sums += reward
        if done or late:
            break
    assert done and info["outcome"] == "success" and sums > 0.0, "10 for the goal, less what it was off on the way"
    assert info["time"] == pytest.approx(decided["end"], abs=1.5)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(env.scripted())


def test_time_is_over_where_nothing_is_done(turn: Path) -> None:
    env = made(turn, changes=("run.duration=3.0",))
    env.reset(seed=1)
    steps = [env.step(np.zeros(1)) for _ in range(5)]
    assert [late for *_, late, _ in steps] == [False] * 4 + [True] and steps[-1][-1]["outcome"] == "unfinished"


def test_a_copy_goes_on_bit_for_bit(turn: Path) -> None:
    env = made(turn)
    env.reset(seed=5)
    env.step(np.array([0.2]))
    copy = pickle.loads(pickle.dumps(env))
    for action in (0.1, -0.3):
        one, another = env.step(np.array([action])), copy.step(np.array([action]))
        assert one[0].tobytes() == another[0].tobytes() and one[1] == another[1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (", policy=lambda seen: -0.5 * seen[:1]", "", "agent: there is no policy"),
        ("-0.5 * seen[:1]", "seen", "agent: an action must be 1 finite numbers"),
        ("[arm.q[0], arm.qd[0]]", "[arm.q[0]]", "agent: an observation must be 2 finite numbers"),
        ("every=0.5", "every=0.0", "an agent is asked every so many seconds, not 0.0"),
        ("(-0.3, 0.3,", "(0.3, -0.3,", "each between its low and its high"),
    ],
)
def test_what_is_no_decision_is_told(turn: Path, tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Runner(load(other(turn, tmp_path, old, new))).run()


def test_a_mission_without_an_agent_is_no_environment(turn: Path, file: Path) -> None:
    with pytest.raises(ValueError, match=r"a mission with one ms\.Agent, not 0"):
        made(file)
    with pytest.raises(ValueError, match="is no mission"):
        made(Path("free-flyer"))


def test_a_mission_that_fails_ends_the_episode(turn: Path, tmp_path: Path) -> None:
    file = other(turn, tmp_path, "until=lambda t: abs(arm.q[0]) < 0.02,", "limit=2.0,")
    env = made(file)
    env.reset(seed=1)
    rows = [env.step(np.zeros(1)) for _ in range(4)]
    assert rows[-1][2] and rows[-1][-1]["outcome"] == "aborted" and "did not end within 2 s" in rows[-1][-1]["reason"]
