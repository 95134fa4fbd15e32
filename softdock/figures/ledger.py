"""What is conserved is seen to be conserved; what is not must balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softdock.figures.look import COLORS, error_line, legend, mark_events, panels
from softdock.runs.recording import Run, Table
from softdock.world import World

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENERGIES = {
    "internal": "kinetic energy\nabout the centre",
    "spring": "in springs",
    "work_actuators": "work of actuators",
    "work_dampers": "work of dampers",
    "work_friction": "work of friction",
    "lost_engaging": "lost by engaging",
    "lost_impacts": "lost in impacts",
}


def ledger(run: Run) -> Figure:
    """Energy exchanged and angular momentum about the centre of mass, and by how much their accounts do not close."""
    table, t = run.ledger, run.ledger["t"]
    free = World.model_validate(run.scenario["world"]).floats
    title = f"Ledger: energy closes to {np.abs(table['energy_error']).max():.2g} J"
    title += f", angular momentum to {table['angular_momentum_error'].max():.2g} kg m²/s" if free else ""
    note = "Top: what is exchanged. Bottom: its change, less all recorded work, losses and gravity torque."
    labels = ["energy (J)", "balance error (J)"]
    labels += ["angular momentum (kg m²/s)", "balance error (kg m²/s)"] if free else []
    figure, axes = panels(title, note, labels, columns=len(labels) // 2)
    _energy(axes[0], t, table)
    error_line(axes[1], t, table["energy_error"], "energy", COLORS[0])
    if free:
        _angular_momentum(axes[2], t, table)
        error_line(axes[3], t, table["angular_momentum_error"], "angular momentum", COLORS[1])
    mark_events(axes, run.events)
    return figure


def _energy(ax: Axes, t: np.ndarray, table: Table) -> None:
    for k, (column, label) in enumerate(ENERGIES.items()):
        if np.any(table[column] != 0):
            ax.plot(t, table[column], color=COLORS[k], linewidth=1.5, label=label)
    legend(ax)


def _angular_momentum(ax: Axes, t: np.ndarray, table: Table) -> None:
    """Angular momentum about the centre of mass; dashed, its start and what gravity turned since."""
    for k, axis in enumerate("xyz"):
        angular = table[f"centroidal_angular_momentum_{axis}"]
        ax.plot(t, angular, color=COLORS[k], linewidth=1.6, label=axis)
        turned = table[f"gravity_turn_{axis}"]
        if np.any(turned != 0):
            ax.plot(t, angular[0] + turned, color="black", linewidth=0.9, linestyle=(0, (3, 3)))
    if np.any(table["gravity_turn_x"] != 0):
        ax.plot([], [], color="black", linewidth=0.9, linestyle=(0, (3, 3)), label="turned by gravity")
    ax.ticklabel_format(axis="y", style="sci", scilimits=(-2, 4))
    legend(ax)
