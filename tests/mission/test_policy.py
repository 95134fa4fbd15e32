"""A phase in which something decides, in a run and as a Gymnasium environment."""

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import softdock as sd
from softdock import mission as ms
from softdock.mission.arm import Going
from softdock.scenarios.mission_environment import MissionEnv

MISSION = '''
import numpy as np
from hinge import WORLD

import softdock as sd
from softdock import mission as ms
from softdock.scenarios import Mission, RunSettings


class Point(Mission):
    """An arm on a held base is brought to an angle, waits, and is done."""

    run: RunSettings = RunSettings(h=0.05, duration=12.0)
    world: sd.World = WORLD
    to: float = 0.5

    def episode(self, random):
        return self.altered(to=float(random.uniform(-1.0, 1.0)))

    def parts(self):
        return {"arm": ms.Arm("tip")}

    def phases(self, arm):
        yield ms.Wait(1.0)
        yield ms.Policy(
            lambda seen: -seen[:1], observe=lambda: [arm.q[0] - self.to, arm.qd[0]], act=arm.go, low=[-0.4], high=[0.4],
            until=lambda t: abs(arm.q[0] - self.to) < 0.01, reward=lambda: -abs(arm.q[0] - self.to), limit=8.0,
        )
        yield ms.Wait(1.0)
        return ms.Success()
'''
BESIDE = """
import softdock as sd

JOINT = sd.Revolute(axis=(0, 0, 1), limits=sd.Limits(lower=-2, upper=2), actuator=sd.Actuator(rate=0.5))
WORLD = sd.World(
    bodies=(
        sd.Body(name="base", joint=sd.Fixed(), mass=0.0),
        sd.Body(name="link", parent="base", joint=JOINT, mass=1.0, inertia=(0.1, 0.1, 0.1)),
    ),
    frames=(sd.Frame(name="tip", body="link"),),
)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("policy")
    (folder / "hinge.py").write_text(BESIDE)
    (folder / "point.py").write_text(MISSION)
    return str(folder / "point.py")


def test_in_a_run_the_mission_s_own_policy_decides(file: str) -> None:
    metrics = sd.run(file).metrics
    assert [phase["name"] for phase in metrics["phases"]] == ["wait", "policy", "wait"]
    assert metrics["outcome"] == "success"


def test_as_an_environment_actions_do(file: str) -> None:
    env = gymnasium.make("softdock.scenarios.environments:softdock/Mission-v0", mission=file).unwrapped
    assert isinstance(env, MissionEnv)
    check_env(env, skip_render_check=True)
    seen, info = env.reset(seed=2)
    assert info["time"] == pytest.approx(1.1) and seen[1] == 0.0, "an episode begins with the phase"
    other = pickle.loads(pickle.dumps(env))
    for one in (env, other):
        seen, _, _, _, _ = one.step(np.array([9.0]))
        assert seen[1] == pytest.approx(0.4 * 0.4, abs=1e-2), "cut to 0.4 rad/s, which it reaches within a second"
    np.testing.assert_array_equal(env._seen(), other._seen())
    rewards, over = [], False
    while not over:
        _, reward, done, late, info = env.step(env.scripted())
        rewards.append(reward)
        over = done or late
    assert info["outcome"] == "success" and done and rewards[-1] > 9.9 and max(rewards[:-1]) < 0


def test_an_episode_ends_with_its_run(file: str) -> None:
    env = MissionEnv(mission=file, changes=("run.duration=3.0",))
    env.reset(seed=1)
    over = False
    while not over:
        _, _, done, over, info = env.step(np.zeros(1))
        assert not done
    assert info["time"] == pytest.approx(3.0) and info["outcome"] == "unfinished"


def test_what_has_nothing_to_decide_is_refused() -> None:
    with pytest.raises(ValueError, match=r"iss-docking: came to no phase ms\.Policy; it is 'docked'"):
        MissionEnv(mission="iss-docking")
    with pytest.raises(ValueError, match="world: is no mission"):
        MissionEnv(mission="world")
    with pytest.raises(ValueError, match="each low below its high"):
        ms.Policy(lambda seen: seen, observe=list, act=print, low=[1.0], high=[0.0], until=bool)


def test_a_joint_that_goes_stops_at_its_limit_and_its_rate_is_the_derivative() -> None:
    going = Going(
        2.0, np.array([0.0, 0.9]), np.array([0.1, 0.2]), np.array([0.3, 0.1]), 0.5, (np.full(2, -1), np.ones(2))
    )
    for t in (2.1, 2.4, 2.6, 4.0):
        step = (going.at(t + 1e-6).q - going.at(t - 1e-6).q) / 2e-6
        np.testing.assert_allclose(going.at(t).qd, step, atol=1e-8)
    assert going.at(9.0).q.tolist() == [1.0, 1.0]  # both are stopped
