"""What people look at: figures of a recorded run, each a function from a run to a Matplotlib figure."""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from matplotlib.figure import Figure

from softdock.figures.base import base_motion
from softdock.figures.joints import joint_angles
from softdock.figures.ledger import ledger
from softdock.runs.recording import Run

FIGURES: dict[str, Callable[[Run], Figure | None]] = {
    "base": base_motion,
    "joints": joint_angles,
    "ledger": ledger,
}
"""File name and function of each; a function gives None where there is nothing to show."""


SPECIAL = {
    "berthing": ("softdock.scenarios.berthing.figures", ("path", "distance", "configurations", "wheels")),
    "capture": ("softdock.scenarios.capture.figures", ("positions", "errors", "inertia", "consistency", "scan")),
    "iss-docking": ("softdock.scenarios.iss_docking.figures", ("orientations", "snapshots", "orbit", "ledger")),
    "testbed": (
        "softdock.scenarios.testbed.figures",
        ("torques", "upright", "parameters", "bearing", "platform", "wheels"),
    ),
}
"""Scenarios with figures of their own: their module, and its functions, named as their files are."""


def figures_of(run: Run) -> dict[str, Callable[[Run], Figure | None]]:
    """Those for the run's kind of scenario."""
    kind = run.scenario["scenario"]
    if kind not in SPECIAL:
        return FIGURES
    module, names = SPECIAL[kind]
    own = import_module(module)
    return {"ledger": ledger} | {name: getattr(own, name) for name in names}


def draw(run: Run) -> list[Path]:
    """Write the run's figures to its `figures/` folder as PNG; returns the files."""
    folder = run.path / "figures"
    folder.mkdir(exist_ok=True)
    files = []
    for name, make in figures_of(run).items():
        if (figure := make(run)) is not None:
            files.append(folder / f"{name}.png")
            temporary = files[-1].with_suffix(".tmp")
            figure.savefig(temporary, format="png", pil_kwargs={"compress_level": 3})
            os.replace(temporary, files[-1])
    return files


__all__ = ["FIGURES", "base_motion", "draw", "figures_of", "joint_angles", "ledger"]
