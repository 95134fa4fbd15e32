"""What people look at: figures of a recorded run, each a function from a run to a Matplotlib figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from softdock.figures.base import base_motion
from softdock.figures.joints import joint_angles
from softdock.figures.ledger import ledger
from softdock.figures.modes import bode, mode_shapes
from softdock.runs.recording import Run
from softdock.runs.whole import inner_folder, write_whole

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.figure import Figure

Drawing = Callable[[Run], "Figure | None"]
"""Draws a recorded run; None where there is nothing to show."""
FIGURES: dict[str, Drawing] = {
    "base": base_motion,
    "joints": joint_angles,
    "ledger": ledger,
}
"""Of any run, by file name."""


def draw(run: Run, figures: Mapping[str, Drawing] = FIGURES) -> list[Path]:
    """Write figures of a run to its `figures/` folder as PNG; returns the files. A scenario names its own
    (`Scenario.figures`); those of any run are the default."""
    from matplotlib.figure import Figure

    folder = inner_folder(run.path, "figures")
    files = []
    for name, make in figures.items():
        figure = make(run)
        if not isinstance(figure, Figure | None):
            raise ValueError(f"it must return a Matplotlib figure, not {figure!r:.80}")
        if figure is not None:
            files.append(folder / f"{name}.png")
            write_whole(files[-1], partial(figure.savefig, format="png", pil_kwargs={"compress_level": 3}))
    return files


__all__ = ["FIGURES", "Drawing", "base_motion", "bode", "draw", "joint_angles", "ledger", "mode_shapes"]


def __dir__() -> list[str]:
    return __all__
