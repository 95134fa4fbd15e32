"""Mistakes in one's own scenario: one line that says which method and where, and nothing that was computed is lost."""

import json
from pathlib import Path

import pytest
from plug_ins import packaged, ran

from softdock.runs.recording import read_run
from softdock.scenarios import Runner, load
from softdock.scenarios.faults import HookFailed

HEAD = """
import numpy as np
from matplotlib.figure import Figure
from softdock import Dynamics, Simulation
from softdock.scenarios import RunSettings, Scenario
from softdock.world import Body, Free, World

class Drift(Scenario):
    run: RunSettings = RunSettings(duration=0.1)
    world: World = World(bodies=(Body(name="a", mass=1.0, inertia=(1, 1, 1), joint=Free()),))

    def metrics(self, simulation, rows):
        return {"mine": 7}
"""
LINE = HEAD.count("\n") + 3
"""Of the first line in a method that follows."""


def method(signature: str, body: str) -> str:
    return f"\n    def {signature}:\n        {body}\n"


def run(folder: Path, text: str, *arguments: str) -> tuple[int, list[str], Path]:
    """Exit status, lines of output that are no metrics, run directory."""
    (folder / "mine.py").write_text(HEAD + text)
    status, output = ran("run", str(folder / "mine.py"), "--out", str(folder / "run"), *arguments)
    lines = [line for line in output.splitlines() if line.startswith("softdock:") and "compiling" not in line]
    assert "Traceback" not in output
    return status, lines, folder / "run"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return None", "simulation() must return a Simulation, not None"),
        ("return 1 / 0", f"simulation(): ZeroDivisionError: division by zero ({{file}}:{LINE})"),
        ("return Simulation(dynamics, *self.state(), h=-1)", f"not -1 ({{file}}:{LINE})"),
        ("raise SystemExit(3)", f"simulation(): SystemExit: 3 ({{file}}:{LINE})"),
        (
            "world = World(bodies=(Body(name='b', mass=2.0, inertia=(1, 1, 1)),))\n"
            "        return Simulation(Dynamics(world), *self.state(), h=0.01)",
            "simulation(): it is of another world; make it with the dynamics that are passed in",
        ),
    ],
)
def test_a_simulation_that_cannot_be_made_is_one_line_and_nothing_is_written(
    tmp_path: Path, body: str, message: str
) -> None:
    status, lines, path = run(tmp_path, method("simulation(self, dynamics)", body))
    (line,) = lines
    assert status == 2 and message.format(file=tmp_path / "mine.py") in line and not path.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (method("metrics(self, simulation, rows)", "return {'x': rows}"), "metrics(): 'x' is <Trajectory"),
        (method("metrics(self, simulation, rows)", "return 3"), "metrics() must return a dict, not 3"),
        (method("metrics(self, simulation, rows)", "return {5: 1}"), "metrics(): names are strings, not 5"),
        (
            method("metrics(self, simulation, rows)", "return {'status': 'great'}"),
            "metrics(): 'status' is in the metrics of every run; choose another name",
        ),
        (
            method("metrics(simulation, rows)", "return {}"),
            "metrics(): TypeError: Drift.metrics() takes 2 positional arguments but 3 were given; what was recorded",
        ),
        (method("metrics(self, simulation, rows)", "return rows.z"), f"object has no attribute 'z' ({{file}}:{LINE})"),
    ],
)
def test_metrics_that_fail_leave_the_run_and_the_general_ones(tmp_path: Path, text: str, message: str) -> None:
    status, lines, path = run(tmp_path, text, "--no-figures")
    (line,) = lines
    assert status == 1 and message.format(file=tmp_path / "mine.py") in line
    metrics = read_run(path).metrics
    assert metrics["status"] == "failed" and metrics["steps"] == 10 and len(read_run(path).states["t"]) == 11


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("'odd': 3", "tables(): 'odd': its value must be (values, unit), not 3"),
        ("'odd': {'t': rows.t}", "tables(): 'odd': t must be (values, unit), not array("),
        (
            "'odd': {'t': (rows.t, 's'), 'x': ([1.0], 'm')}",
            "tables(): 'odd': its columns have different lengths: [1, 11]",
        ),
        ("'odd': {'x': ([{1}, Figure], 'm')}", "tables(): 'odd': "),
        ("'states': {'t': (rows.t, 's')}", "tables(): 'states' is a table that every run has"),
        ("'a/b': {'t': (rows.t, 's')}", "tables(): 'a/b' cannot be the name of a file"),
    ],
)
def test_a_wrong_table_costs_neither_the_others_nor_the_metrics(tmp_path: Path, table: str, message: str) -> None:
    good = "'good': {'t': (rows.t, 's')}"
    text = method("tables(self, simulation, rows)", f"return {{{table}, {good}}}")
    status, lines, path = run(tmp_path, text, "--no-figures")
    (line,) = lines
    assert status == 1 and message in line
    recorded = read_run(path)
    assert recorded.metrics["mine"] == 7 and {"good", "states", "ledger"} <= recorded.tables.keys()


def test_a_controller_that_fails_leaves_the_rows_before_it(tmp_path: Path) -> None:
    text = method(
        "simulation(self, dynamics)",
        "made = Simulation(dynamics, *self.state(), **self.run.stepping)\n"
        "        made.at(0.055, lambda simulation: [][0])\n"
        "        return made",
    )
    status, lines, path = run(tmp_path, text, "--no-figures")
    (line,) = lines
    assert status == 1 and f"IndexError: list index out of range ({tmp_path / 'mine.py'}:{LINE + 1})" in line
    assert len(read_run(path).states["t"]) == 6


def test_a_note_of_anything_is_recorded(tmp_path: Path) -> None:
    text = method(
        "simulation(self, dynamics)",
        "made = Simulation(dynamics, *self.state(), **self.run.stepping)\n"
        "        made.at(0.05, lambda simulation: simulation.note('seen', what={1, 2}))\n"
        "        return made",
    )
    status, lines, path = run(tmp_path, text, "--no-figures")
    assert status == 0 and not lines
    assert json.loads((path / "events.json").read_text())[0]["what"] == "{1, 2}"


def test_a_figure_that_fails_costs_only_itself(tmp_path: Path) -> None:
    text = """
    @classmethod
    def figures(cls):
        return {"bad": lambda run: run.nothing, "none": lambda run: 3, "good": lambda run: Figure()}
"""
    status, lines, path = run(tmp_path, text)
    assert status == 0 and len(lines) == 2
    assert (
        "warning: no figure 'bad': AttributeError: " in lines[0] and f"({tmp_path / 'mine.py'}:{LINE + 1})" in lines[0]
    )
    assert "warning: no figure 'none': it must return a Matplotlib figure, not 3" in lines[1]
    assert [file.name for file in (path / "figures").iterdir()] == ["good.png"] and (path / "replay.html").exists()


def test_annotations_and_validators_that_fail_are_one_line(tmp_path: Path) -> None:
    status, lines, path = run(tmp_path, method("annotations(self)", "return {'x': Figure()}"))
    assert status == 2 and not path.exists() and len(lines) == 1 and "annotations(): 'x' is <Figure" in lines[0]
    other = tmp_path / "other"
    other.mkdir()
    status, lines, path = run(other, method("state(self)", "return self.nowhere"))
    assert status == 2 and len(lines) == 1 and not path.exists()
    assert f"has no attribute 'nowhere' ({other / 'mine.py'}:{LINE})" in lines[0]


@pytest.mark.parametrize("key", ["run = lambda self: 3", "stuff: object = object()", "stuff: list = [None, 2.0]"])
def test_a_key_that_toml_cannot_hold_is_named(tmp_path: Path, key: str) -> None:
    status, lines, path = run(tmp_path, f"\n    {key}\n")
    (line,) = lines
    assert status == 2 and not path.exists() and "cannot be written as TOML" in line
    assert f"Drift: key {key.split(maxsplit=1)[0].strip(':')!r}: its value" in line


def test_a_value_that_toml_cannot_hold_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HEAD + "    stuff: list = []\n")
    scenario = load(tmp_path / "mine.py").altered(stuff=[None])
    with pytest.raises(HookFailed, match=r"resolved\(\): key 'stuff': its value \[None\] cannot be written as TOML"):
        Runner(scenario).record(tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_in_python_the_cause_is_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HEAD + method("metrics(self, simulation, rows)", "return {}['x']"))
    with pytest.raises(HookFailed, match=r"metrics\(\): KeyError: 'x'") as caught:
        Runner(load(tmp_path / "mine.py")).run()
    assert isinstance(caught.value.__cause__, KeyError) and caught.value.metrics["steps"] == 10


def test_what_is_no_scenario_is_refused_by_the_runner() -> None:
    with pytest.raises(
        ValueError, match=r"a Runner takes a scenario, not 'mine\.py'; softdock\.scenarios\.load makes one"
    ):
        Runner("mine.py")  # type: ignore[arg-type]


def test_a_file_that_ends_python_or_is_not_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.py").write_text("import sys\nsys.exit(3)\n")
    status, output = ran("run", str(tmp_path / "bad.py"))
    assert status == 2 and f"bad.py: cannot be imported: SystemExit: 3 ({tmp_path / 'bad.py'}:2)" in output
    (tmp_path / "odd.py").write_text("x = 1\n  y = 2\n")
    status, output = ran("run", str(tmp_path / "odd.py"))
    assert status == 2 and output.strip().endswith("IndentationError: unexpected indent (odd.py, line 2)")
    (tmp_path / "mine.toml").write_text('scenario = "nofile.py"\n')
    status, output = ran("run", str(tmp_path / "mine.toml"))
    assert status == 2 and output.strip() == f"softdock: {tmp_path / 'nofile.py'}: no such file"
    (tmp_path / "leaving.py").write_text("raise SystemExit\n")
    packaged(tmp_path, monkeypatch, "leaves", "leave = leaving:Drift")
    assert ran("list")[0] == 0 and "cannot be imported: SystemExit" in ran("run", "leave")[1]


def test_a_file_may_pass_on_the_scenario_of_another(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from softdock.scenarios.world.scenario import Released\n")
    tables = '[run]\nduration = 0.1\n[[world.bodies]]\nname = "a"\nmass = 1.0\n'
    (tmp_path / "mine.toml").write_text(tables)
    assert type(load(tmp_path / "mine.py")).__name__ == "Released"
    (tmp_path / "mine.toml").write_text("[run\n")
    status, output = ran("run", str(tmp_path / "mine.py"))
    assert status == 2 and output.startswith(f"softdock: {tmp_path / 'mine.toml'}: ")
