"""report.html: what a run did, readable without softdock."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

from softdock.cli.app import app
from softdock.scenarios.runner import run

CHANGES = ["run.duration=1.0"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report") / "run"
    run("free-flyer", CHANGES, out=place)
    return place


def text_of(page: Path) -> str:
    return unescape(
        re.sub(r"<[^>]+>", " ", re.sub(r"<style>.*?</style>", "", page.read_text(encoding="utf-8"), flags=re.S))
    )


def test_every_metric_is_there_with_its_unit_and_meaning(folder: Path) -> None:
    text = " ".join(text_of(folder / "report.html").split())
    metrics = json.loads((folder / "metrics.json").read_text())
    units = json.loads((folder / "metrics.units.json").read_text())
    for name in metrics:
        if name not in ("scenario", "status"):
            assert name.replace("_", " ") in text and units[name]["meaning"] in text, name
    assert re.search(r"base turn max [\d.]+ m?rad ", text)
    assert "duration = 1.0" in text, "what was asked for"
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == len(list((folder / "figures").glob("*.png"))) > 1
    assert not re.search(r"(src|href)=.?(http|//|file)", page), "nothing is loaded from elsewhere"


def test_phases_are_bars_and_text_is_only_text(folder: Path) -> None:
    """A phase from 2 to 5 of 10 s begins at a fifth and takes three tenths of the width."""
    metrics = json.loads((folder / "metrics.json").read_text())
    hostile = "<img src=x onerror=alert(1)>"
    phases = [
        {"name": hostile, "start": 0.0, "end": 2.0, "result": "done"},
        {"name": "reach", "start": 2.0, "end": 5.0, "result": "TooFar: </script>"},
        {"name": "wait", "start": 5.0, "end": 10.0, "result": "done"},
    ]
    (folder / "metrics.json").write_text(json.dumps(metrics | {"outcome": hostile, "phases": phases}))
    (folder / "events.json").write_text(json.dumps([{"time": 1.0, "kind": "plume", "n": k} for k in range(25)]))
    done = CliRunner().invoke(app, ["report", str(folder)])
    assert done.exit_code == 0 and done.stdout.strip() == str(folder / "report.html")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<img src=x" not in page and "&lt;img src=x" in page
    assert "left:20.00%;width:max(2px,30.00%)" in page and page.count("class=bad") == 1
    assert "5 more of 'plume'" in text_of(folder / "report.html")


def test_what_is_no_run_is_told_in_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert done.exit_code == 2 and "is not a run directory" in done.stderr and done.stderr.count("\n") == 1


def test_a_damaged_run_is_told_in_one_line(folder: Path) -> None:
    (folder / "metrics.json").write_text(json.dumps({"phases": 3}))
    done = CliRunner().invoke(app, ["report", str(folder)])
    assert done.exit_code == 2 and "cannot be reported: it holds something else" in done.stderr
