"""Scenarios of one's own: in a Python file, in a TOML file that names it, in an installed package."""

from pathlib import Path

import pytest
from plug_ins import packaged, ran

from softdock.campaign import campaign_of
from softdock.scenarios import SCENARIOS, builder, load

MINE = '''
from softdock.scenarios.scenario import RunSettings, Scenario
from softdock.world import Body, Free, World

class Drift(Scenario):
    """A body drifts."""

    run: RunSettings = RunSettings(duration=0.1)
    speed: float = 1.0
    world: World = World(bodies=(Body(name="a", mass=1.0, inertia=(1, 1, 1), joint=Free()),))

    def metrics(self, simulation, rows):
        return {"speed": self.speed}
'''


def test_a_python_file_runs_and_its_record_runs_again(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    out = tmp_path / "run"
    status, text = ran("run", str(tmp_path / "mine.py"), "--set", "speed=2.0", "--no-figures", "--out", str(out))
    assert status == 0 and "speed" in text
    again = load(str(out / "scenario.toml"))
    assert type(again).__name__ == "Drift" and again.speed == 2.0
    assert campaign_of(str(tmp_path / "mine.py"), vary={"speed": "uniform(1, 2)"}, runs=2).goal is None


def test_a_toml_file_may_name_the_python_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "fast.toml").write_text('scenario = "mine.py"\nspeed = 3.0\n')
    assert load(str(tmp_path / "fast.toml")).speed == 3.0


def test_an_installed_package_s_scenario_is_listed_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "drifting.py").write_text(MINE)
    packaged(tmp_path, monkeypatch, "drifts", "drift = drifting:Drift")
    assert "drift" in ran("list")[1] and "A body drifts. [package drifts]" in ran("list")[1]
    assert load("drift").speed == 1.0
    assert builder("drift").__name__ == "Drift"


@pytest.mark.parametrize(
    ("text", "message"),
    [("import nowhere_to_be_found", "cannot be imported: ModuleNotFoundError"), ("x = 1", "has no scenario in it")],
)
def test_a_file_without_a_scenario_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.py").write_text(text)
    status, output = ran("run", str(tmp_path / "bad.py"))
    assert status == 2 and message in output and len(output.strip().splitlines()) == 1


def test_a_plug_in_that_fails_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_plug_in.py").write_text("raise RuntimeError('not today')")
    packaged(tmp_path, monkeypatch, "broken", "broken = broken_plug_in:Drift")
    status, output = ran("run", "broken")
    assert (
        status == 2
        and "of package broken cannot be imported: RuntimeError: not today (" in output
        and "in.py:1)" in output
    )
    assert ran("list")[0] == 0 and all(name in ran("list")[1] for name in SCENARIOS)


def test_a_plug_in_without_its_class_or_a_docstring_is_listed_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bare_plug_in.py").write_text(MINE.replace('"""A body drifts."""', ""))
    packaged(tmp_path, monkeypatch, "bare", "bare = bare_plug_in:Drift\nother = bare_plug_in:Nothing")
    status, output = ran("list")
    assert status == 0 and "Drift, which has no docstring [package bare]" in output
    assert "AttributeError: module 'bare_plug_in' has no attribute 'Nothing' [package bare]" in output


def test_two_scenarios_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged(tmp_path, monkeypatch, "other", "world = nowhere:World")
    status, output = ran("list")
    assert status == 2 and "two scenarios are called 'world': of softdock itself and of package other" in output
