"""A log beside a model: positions and rates, and measured, modelled and missing torque of every joint."""

from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from softdock.arm import Log, Measured
from softdock.figures.look import COLORS, INK, legend, panels
from softdock.runs.whole import write_whole


def torques(found: Measured, title: str, note: str) -> Figure:
    """Per joint, measured over modelled torque and the error between them (Korczyk et al., Figs. 9-18)."""
    joints = found.modelled.shape[1]
    labels = [f"joint {k + 1} (N m)" for k in range(joints)]
    labels += [f"error {k + 1} (N m)" for k in range(joints)] if found.measured is not None else []
    figure, axes = panels(title, note, labels, columns=2 if found.measured is not None else 1)
    for k in range(joints):
        if found.measured is not None:
            error = found.measured[:, k] - found.modelled[:, k]
            axes[k].plot(found.t, found.measured[:, k], color=COLORS[5], linewidth=1.8, label="measured")
            axes[joints + k].plot(found.t, error, color=COLORS[1], linewidth=0.8, label="measured −\nmodelled")
        axes[k].plot(found.t, found.modelled[:, k], color=INK, linewidth=0.9, label="modelled")
    for ax in axes[::joints]:
        legend(ax)
    return figure


def motion(log: Log) -> Figure:
    """Positions, rates and accelerations (Figs. 6-8), as they are after filtering."""
    note = "; ".join(log.done) or "As logged."
    figure, axes = panels("The log's motion", note, ["position (rad)", "rate (rad/s)", "acceleration (rad/s²)"])
    for ax, values in zip(axes, (log.q, log.v, log.a), strict=True):
        for k in range(values.shape[1]):
            ax.plot(log.t, values[:, k], color=COLORS[k % len(COLORS)], linewidth=1.2, label=f"joint {k + 1}")
        legend(ax)
    return figure


def write(figures: dict[str, Figure], folder: Path) -> list[Path]:
    """PNG files in a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        write_whole(folder / f"{name}.png", partial(figure.savefig, format="png"))
    return [folder / f"{name}.png" for name in figures]


def worst(found: Measured) -> str:
    """The largest error in words."""
    assert found.measured is not None
    error = np.abs(found.measured - found.modelled).max(axis=0)
    return f"{error.max():.2g} N m, joint {int(np.argmax(error)) + 1}"
