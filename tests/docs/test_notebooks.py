"""The example notebooks run, cell by cell, and show what they are to show."""

import json
from pathlib import Path
from typing import Any

import pytest

from softdock import notebook

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"


class Shell:
    """As much of IPython as an extension needs."""

    def __init__(self) -> None:
        self.shown: dict[str, Any] = {}
        self.display_formatter = self
        self.formatters = {"text/html": self}

    def for_type_by_name(self, module: str, name: str, show: Any) -> None:
        self.shown[name] = show


def executed(path: Path) -> list[Any]:
    """The value of each code cell's last line, if that is an expression."""
    values: list[Any] = []
    names: dict[str, Any] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            lines = [line for line in "".join(cell["source"]).splitlines() if not line.startswith("%")]
            *before, last = lines
            exec("\n".join(before), names)
            values.append(eval(last, names))
    return values


def test_there_are_two() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == ["look-at-a-run", "your-own-world"]


def test_a_run_shows_its_replay_and_plots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run, figure, *_ = executed(FOLDER / "look-at-a-run.ipynb")
    shown = run._repr_html_()
    assert "<iframe srcdoc=" in shown and "class=&quot;tracks&quot;" in shown and "base turn max" in shown
    assert len(figure.axes) >= 1
    with pytest.raises(KeyError, match="no figure 'jonts'; did you mean 'joints'"):
        run.plot("jonts")


def test_a_world_and_a_trajectory_show_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    world, *_, path = executed(FOLDER / "your-own-world.ipynb")
    shell = Shell()
    notebook.load_ipython_extension(shell)
    assert "<td" in shell.shown["World"](world) and "upper" in shell.shown["World"](world)
    assert "data:image/svg+xml;base64," in shell.shown["Trajectory"](path)
