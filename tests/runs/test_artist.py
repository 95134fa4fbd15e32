"""Figures drawn by another process are those that this one would draw; what it cannot draw is left."""

from pathlib import Path

from matplotlib.figure import Figure

from softdock import figures
from softdock.figures.look import panels
from softdock.runs.artist import Artist
from softdock.runs.recording import Run, read_run
from softdock.scenarios.runner import run


def mine(run: Run) -> Figure:
    return Figure()


def test_an_artist_draws_the_same_figures_and_leaves_what_it_cannot(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run("free-flyer", ["run.duration=1.0"], out=tmp_path / name, figures=False)
    wanted = {**figures.FIGURES, "mine": mine, "wrong": panels, "nameless": lambda run: None}
    with Artist() as artist:
        artist.begin(tmp_path / "a", wanted)
        assert artist.drawn() == {"base", "joints", "ledger"}
    figures.draw(read_run(tmp_path / "b"))
    drawn = {file.name: file.read_bytes() for file in (tmp_path / "a" / "figures").iterdir()}
    assert set(drawn) == {"base.png", "joints.png", "ledger.png"}
    assert drawn["base.png"] == (tmp_path / "b" / "figures" / "base.png").read_bytes()


def test_an_artist_that_has_died_has_drawn_nothing(tmp_path: Path) -> None:
    with Artist() as artist:
        artist.__exit__()
        artist.begin(tmp_path, figures.FIGURES)
        assert artist.drawn() == set()
