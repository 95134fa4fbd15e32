"""A scenario of one's own starts from the defaults of its class, whatever is changed."""

from pathlib import Path

import pytest
from plug_ins import ran

from softdock.scenarios import load, text_of

MINE = """
from softdock.scenarios import RunSettings, Scenario
from softdock.world import Body, Free, JointState, World


class Drift(Scenario):
    run: RunSettings = RunSettings(duration=2.0, h=0.05, seed=7)
    world: World = World(bodies=(Body(name="probe", mass=2.0, inertia=(1.0, 1.0, 1.0), joint=Free()),))
    initial: dict[str, JointState] = {"probe": JointState(position=(0.3, 0, 0), velocity=(-0.1, 0, 0))}
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "drift.py"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_one_changed_key_keeps_the_others(mine: Path) -> None:
    scenario = load(mine, ["run.duration=1.0", "initial.probe.velocity=[-0.2,0,0]", "world.bodies[0].mass=3"])
    assert (scenario.run.h, scenario.run.seed, scenario.run.duration) == (0.05, 7, 1.0)
    assert scenario.initial["probe"].position == (0.3, 0.0, 0.0)
    assert scenario.world.bodies[0].mass == 3.0


def test_a_file_of_values_lies_over_the_defaults(mine: Path) -> None:
    values = mine.with_name("values.toml")
    values.write_text('scenario = "drift.py"\n[run]\nseed = 2\n', encoding="utf-8")
    scenario = load(values)
    assert (scenario.run.h, scenario.run.seed, scenario.run.duration) == (0.05, 2, 2.0)


def test_the_file_to_start_from_has_all_keys(mine: Path) -> None:
    edited = mine.with_name("edited.toml")
    edited.write_text(text_of(str(mine)), encoding="utf-8")
    assert load(edited).run == load(mine).run


@pytest.mark.parametrize("values", [None, "[run]\nseed = 5\n", '# mine\nscenario = "drift.py"\n[run]\nseed = 5\n'])
def test_the_file_to_start_from_may_lie_elsewhere(mine: Path, values: str | None) -> None:
    if values:
        mine.with_suffix(".toml").write_text(values, encoding="utf-8")
    elsewhere = mine.parent / "my files" / "edited.toml"
    elsewhere.parent.mkdir()
    status, output = ran("new", str(mine), str(elsewhere))
    assert status == 0 and output.endswith(f"softdock run '{elsewhere}'\n")
    assert load(elsewhere).run == load(mine).run
