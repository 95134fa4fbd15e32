"""Runs to look at: a self-contained page of a run, of two laid over each other, of a folder of them."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from softdock.dynamics import Dynamics
from softdock.replay.gallery import gallery, runs_in
from softdock.replay.page import replay_data, write_page
from softdock.runs.recorder import RunFolderError
from softdock.runs.recording import Run, read_run


def make(run: Run, dynamics: Dynamics | None = None, exaggerate: float = 1.0) -> Path:
    """Write the run's replay.html; `dynamics` of its world, if they are at hand, save compiling them. With
    `exaggerate`, replay-exaggerated.html: what springs give way by is drawn so many times as large."""
    if not 0 < exaggerate < float("inf"):
        raise ValueError(f"deflections are drawn a positive number of times as large, not {exaggerate:g}")
    name = "replay.html" if exaggerate == 1.0 else "replay-exaggerated.html"
    return write_page(run.path / name, [replay_data(run, dynamics, exaggerate)])


def overlay(a: Run, b: Run, path: Path | None = None) -> Path:
    """A page of run a with run b of the same world as a ghost; beside a's own page unless a path is given."""
    shown = [replay_data(a), replay_data(b)]
    names = [[body["name"] for body in data["bodies"]] for data, _, _ in shown]
    if names[0] != names[1]:
        other = next(iter({*names[1]} ^ {*names[0]}), "")
        raise RunFolderError(f"{a.path} and {b.path}: are of different worlds (body {other!r} is in one only)")
    return write_page(path or a.path / f"replay-beside-{b.path.resolve().name}.html", shown)


def page_of(paths: Sequence[Path], say: Callable[[str], None], exaggerate: float = 1.0) -> Path:
    """The page for a run, for two, or for a folder of runs, made anew; `say` is told of runs that cannot be shown. Of
    one run, deflections may be exaggerated."""
    if len(paths) > 2:
        raise RunFolderError(f"{paths[2]}: two runs can be laid over each other, not {len(paths)}")
    if exaggerate != 1.0 and not (len(paths) == 1 and os.path.isfile(paths[0] / "scenario.toml")):
        raise RunFolderError(f"{paths[0]}: deflections are exaggerated of one run only")
    try:
        return _page_of(paths, say, exaggerate)
    except (RunFolderError, OSError):
        raise
    except Exception as error:  # the directory may be anybody's
        raise RunFolderError(f"{paths[0]}: cannot be shown: {error or type(error).__name__}") from None


def _page_of(paths: Sequence[Path], say: Callable[[str], None], exaggerate: float) -> Path:
    if len(paths) == 2:
        return overlay(read_run(paths[0]), read_run(paths[1]))
    (path,) = paths
    if os.path.isfile(path / "scenario.toml"):
        return make(read_run(path), exaggerate=exaggerate)
    if not os.path.isdir(path):
        raise RunFolderError(f"{path}: no such directory")
    index, troubles = gallery(path)
    for trouble in troubles:
        say(trouble)
    return index


__all__ = ["gallery", "make", "overlay", "page_of", "replay_data", "runs_in"]


def __dir__() -> list[str]:
    return __all__
