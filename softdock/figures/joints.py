"""Where the joints are, and where they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from softdock.figures.look import COLORS, legend, mark_events, panels
from softdock.runs.recording import Run, Table

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.figure import Figure


def joint_angles(run: Run) -> Figure | None:
    """Coordinates of all revolute and prismatic joints, their targets dashed, and what they miss them by."""
    kinds = {body["name"]: body["joint"]["kind"] for body in run.scenario["world"]["bodies"]}
    joints = {name: kind for name, kind in kinds.items() if kind in ("revolute", "prismatic")}
    if not joints:
        return None
    states, targets = run.states, run.tables.get("targets", Table(pa.table({})))
    scale = {name: np.degrees(1.0) if kind == "revolute" else 1.0 for name, kind in joints.items()}
    unit = {"revolute": "deg", "prismatic": "m"}
    units = " or ".join(unit[kind] for kind in unit if kind in joints.values())
    followed = [name for name in joints if f"q.{name}" in targets]
    if followed:
        missed = {name: states[f"q.{name}"] - targets[f"q.{name}"] for name in followed}
        worst = max(float(np.abs(values).max()) for values in missed.values())
        title = f"{len(joints)} joints follow their targets to {1000 * worst:.2g} mrad"
        note = "Dashed: targets, on the solid lines where the servos keep up. Below: what is left between the two."
    else:
        title, note = f"{len(joints)} joint{'s' if len(joints) > 1 else ''} in motion", "No targets were commanded."
    figure, axes = panels(title, note, [f"angle ({units})", *(["error (mrad)"] if followed else [])])
    for k, name in enumerate(joints):
        color = COLORS[k % len(COLORS)]
        axes[0].plot(states["t"], scale[name] * states[f"q.{name}"], color=color, linewidth=1.6, label=name)
        if name in followed:
            values = scale[name] * targets[f"q.{name}"]
            axes[0].plot(targets["t"], values, color="black", linewidth=0.9, linestyle=(0, (3, 3)))
            axes[1].plot(states["t"], 1000 * missed[name], color=color, linewidth=1.1, label=name)
    for ax in axes:
        legend(ax)
    mark_events(axes, run.events)
    return figure
