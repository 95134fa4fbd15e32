"""How a free body turns and moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softdock.figures.look import COLORS, INK, legend, mark_events, panels
from softdock.runs.recording import Run
from softdock.spatial import turn_between, vector_of_quaternion

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.figure import Figure


def base_motion(run: Run) -> Figure | None:
    """Attitude and displacement, from the start, of the first free body."""
    body = next((b["name"] for b in run.scenario["world"]["bodies"] if b["joint"]["kind"] == "free"), None)
    if body is None:
        return None
    states = run.states
    t = states["t"]
    attitude = np.stack([states[f"q.{body}.q{axis}"] for axis in "wxyz"], axis=-1)
    turn = np.degrees(vector_of_quaternion(turn_between(attitude[0], attitude)))
    moved = np.stack([states[f"q.{body}.{axis}"] for axis in "xyz"], axis=-1)
    moved = 1000 * (moved - moved[0])
    angle, distance = np.linalg.norm(turn, axis=-1), np.linalg.norm(moved, axis=-1)
    title = f"{body}: turned by up to {angle.max():.3g}°, moved by up to {distance.max():.3g} mm"
    note = "Rotation vector in its starting axes, and displacement of its origin in the world's axes, from the start."
    figure, (above, below) = panels(title, note, ["turn (deg)", "displacement (mm)"])
    for ax, values, size in ((above, turn, angle), (below, moved, distance)):
        ax.plot(t, size, color=INK, linewidth=1.0, linestyle=(0, (4, 2)), label="size")
        for k, axis in enumerate("xyz"):
            ax.plot(t, values[:, k], color=COLORS[k], linewidth=1.6, label=axis)
        legend(ax)
    mark_events((above, below), run.events)
    return figure
