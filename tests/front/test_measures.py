"""Units and meanings of metrics: declared for all, in the files, and in what people read."""

import importlib.util
import json
from pathlib import Path
from typing import ClassVar

import pytest

from softdock.cli.terminal import summary
from softdock.runs.measures import Declared, Measure, declared, number, shown, undeclared, used
from softdock.runs.recorder import Recorder
from softdock.runs.recording import read_run
from softdock.scenarios import Runner, load
from softdock.scenarios.scenario import Scenario
from softdock.world import Body, World

KNOWN = declared({"far": ("m", "how far"), "hits": "-", "hits.speed": "m/s", "by": ("rad", "angles")})


@pytest.mark.parametrize("name", ["world", "iss-docking", "free-flyer"])
def test_every_metric_of_a_run_has_a_unit_and_a_meaning_beside_it(name: str, tmp_path: Path) -> None:
    Runner(load(name, ["run.duration=3.0"] if name == "free-flyer" else [])).record(tmp_path / name)
    told = json.loads((tmp_path / name / "metrics.units.json").read_text())
    run = read_run(tmp_path / name)
    assert set(run.metrics) <= told.keys()
    assert all(set(entry) == {"unit", "meaning"} for entry in told.values())
    assert not undeclared(run.metrics, run.measures)


def test_classes_add_to_the_units_of_their_bases() -> None:
    class Mine(Scenario):
        units: ClassVar[Declared] = {"speed": "m/s", "steps": ("-", "mine")}

    class Other(Mine):
        units: ClassVar[Declared] = {"far": ("m", "how far")}

    found = Other.measures()
    assert found["speed"] == Measure("m/s") and found["far"].meaning == "how far"
    assert found["steps"].meaning == "mine" and found["compute_time"].unit == "s"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.792e-05, "m", "17.92 µm"), (0.03589, "m", "35.89 mm"), (0.151, "m", "0.151 m"), (118.0, "s", "118 s"),
        (-0.0499, "m/s", "-49.9 mm/s"), (4.841e-14, "kg m²/s", "4.84e-14 kg m²/s"), (0.0, "N", "0 N"),
        (6000, "-", "6000"),
        (8.6e-14, "m or rad", "8.6e-14 m or rad"), (2e-12, "m", "2e-12 m"), (1234567.8, "J", "1.23e+06 J"),
        (float("inf"), "m", "inf m"), (0.0104, "1/s", "0.0104 1/s"), (12e-9, "rad", "12 nrad"),
    ],
)  # fmt: skip
def test_numbers_are_written_for_people(value: float, unit: str, text: str) -> None:
    assert number(value, unit) == text


def test_lists_and_tables_are_shown_with_the_units_of_what_they_are_part_of() -> None:
    hits = [{"name": "first", "speed": 0.02}, {"name": "second", "speed": 2.0}]
    assert shown("hits", hits, KNOWN) == "first: speed 20 mm/s\nsecond: speed 2 m/s"
    assert shown("far", [1.0, 2.5, 1e-17], KNOWN) == "(1, 2.5, 0) m"
    assert shown("by", {"a": {"b_c": 0.2, "d": None}}, KNOWN) == "a: b c 0.2 rad, d –"
    assert (shown("hits", [], KNOWN), shown("far", {}, KNOWN), shown("x", True, KNOWN)) == ("none", "none", "yes")
    assert undeclared({"far": {"to": [1.0]}, "x": 1.0, "hits": [{"speed": 1.0}]}, KNOWN) == ["x", "x", "hits"]
    assert used({"hits": hits, "x": 1}, KNOWN).keys() == {"hits", "hits.speed"}
    assert "# how far" in summary({"far": 1.0}, KNOWN, meanings=True)


def test_a_terminal_shows_a_screenful_and_all_if_asked() -> None:
    gaps = {f"pair {k}": 0.01 * (k + 1) for k in range(30)}
    metrics = {"steps": 5, "by": {"phase": gaps}, "far": gaps, "error": 0.0123, "none": {"a": 1.0}}
    known = KNOWN | {"by": Measure("m"), "error": Measure("relative")}
    short = summary(metrics, known)
    assert short.count("and 26 more") == 2 and "pair 3" in short and "pair 4" not in short
    assert short.index("far ") < short.index("steps")  # how it was computed comes last
    assert "1.23 %" in short
    assert summary(metrics, known, meanings=True).count("pair 29 0.3 m") == 2
    assert (number(3e-15, "relative"), number(0.0, "relative")) == ("3e-15 relative", "0 %")


def test_a_strangers_units_file_spoils_nothing(tmp_path: Path) -> None:
    world = World(bodies=(Body(name="a", mass=1.0, inertia=(1, 1, 1)),))
    with Recorder(tmp_path / "run", world) as recorder:
        recorder.write_metrics({"status": "done", "far": 2.0})
    (tmp_path / "run" / "metrics.units.json").write_text('{"far": 3, "steps": {"unit": ["m"]}}')
    run = read_run(tmp_path / "run")
    assert shown("far", run.metrics["far"], run.measures) == "2"


def test_the_page_of_metrics_is_what_the_scenarios_declare() -> None:
    page = Path(__file__).parents[2] / "docs" / "metrics.py"
    spec = importlib.util.spec_from_file_location("page_of_metrics", page)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert page.with_suffix(".md").read_text(encoding="utf-8") == module.page(), "run: python docs/metrics.py"
