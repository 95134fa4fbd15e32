"""How a world vibrates, and what an input does to an output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from softdock.figures.look import COLORS, charts, panels

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.figure import Figure

    from softdock.dynamics.modes import Modes

MOST_MODES, MOST_COORDINATES = 24, 40


def mode_shapes(modes: Modes, title: str = "Modes") -> Figure:
    """Frequencies, and how much every coordinate moves in each mode."""
    shown = min(len(modes.frequency), MOST_MODES)
    moving = np.abs(modes.shape[:shown])
    busiest = np.sort(np.argsort(-moving.max(axis=0), kind="stable")[:MOST_COORDINATES]) if shown else np.arange(0)
    note = f"{shown} of {len(modes.frequency)} vibrations, slowest first; {modes.rigid} rates are of rigid motion."
    figure, (ax,) = charts(title, note, ["coordinate"], ["frequency (Hz)"])
    ax.grid(False)
    ax.imshow(moving[:, busiest].T, aspect="auto", cmap="Blues", vmin=0.0, vmax=1.0, interpolation="nearest")
    ax.set_yticks(range(len(busiest)), [modes.names[k] for k in busiest], fontsize=6 if len(busiest) > 20 else 8)
    labels = [f"{f:.3g}\n{100 * d:.2g} %" for f, d in zip(modes.frequency, modes.damping, strict=True)][:shown]
    ax.set_xticks(range(shown), labels, fontsize=6 if shown > 10 else 8)
    ax.set_xlabel("frequency (Hz) and damping ratio")
    return figure


def bode(hz: ArrayLike, response: np.ndarray, title: str, unit: str = "m or rad per N or N m") -> Figure:
    """Size and phase of a frequency response."""
    figure, (size, phase) = panels(title, f"Size in {unit}; phase without its jumps.", ["size", "phase (deg)"])
    for ax, values in ((size, np.abs(response)), (phase, np.degrees(np.unwrap(np.angle(response))))):
        ax.plot(np.asarray(hz), values, color=COLORS[0], linewidth=1.4)
        ax.set_xscale("log")
    size.set_yscale("log")
    phase.set_xlabel("frequency (Hz)")
    return figure
