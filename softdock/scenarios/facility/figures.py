"""Figures of the scenario 'facility'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.figures import Drawing, joint_angles, ledger
from softdock.figures.look import COLORS, INK, legend, panels
from softdock.runs.recording import Run

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.figure import Figure

WORLDS = {"orbit": INK, "ideal_ground": COLORS[0], "ground": COLORS[1]}


def touch(run: Run) -> Figure | None:
    """Contact force and the target's motion in the three worlds."""
    if not all(name in run.tables for name in WORLDS):
        return None
    metrics: dict[str, Any] = run.metrics
    emulation, mount = metrics.get("emulation_error"), metrics.get("mount_error")
    said = "No contact"
    if emulation and mount:
        said = f"Impulse: the mount {mount['impulse']:+.1%}, the emulation {emulation['impulse']:+.2%}"
    figure, axes = panels(
        said,
        f"{metrics['experiment'].capitalize()}, {metrics['mount']}, {metrics['compensation']}. "
        "Mount: ideal ground against orbit; emulation: ground against ideal.",
        ["contact force (N)", "target's velocity along x (mm/s)", "target's rate about z (deg/s)"],
    )
    for name, color in WORLDS.items():
        table = run.tables[name]
        force = np.linalg.norm([table[f"force.{axis}"] for axis in "xyz"], axis=0)
        t = np.asarray(table["t"]) * (float(run.scenario.get("stretch", 1.0)) if name == "orbit" else 1.0)
        style: dict[str, Any] = {"color": color, "linewidth": 1.6, "label": name.replace("_", " ")}
        axes[0].plot(t, force, **style)
        axes[1].plot(t, 1e3 * np.asarray(table["velocity.x"]), **style)
        axes[2].plot(t, np.degrees(table["rate.z"]), **style)
    if closes := metrics.get("closes"):
        axes[0].set_xlim(closes - 1.0, None)
    legend(axes[0])
    return figure


def tracking(run: Run) -> Figure | None:
    """Aghili's figure 4: the handle as it was measured and as it was, and the hand."""
    if "hand" not in run.tables:
        return None
    table, metrics = run.tables["hand"], run.metrics
    closes, blind = metrics.get("closes"), metrics.get("blind_for")
    said = f"The hand closes at {closes:g} s, blind for {blind:.3g} s" if closes else "The hand did not close"
    figure, axes = panels(
        said,
        "Place in the laboratory: of the handle, as the camera measured it (dots), and of the hand.",
        ["x (m)", "y (m)", "z (m)"],
    )
    for ax, axis in zip(axes, "xyz", strict=True):
        ax.plot(table["t"], table[f"handle.{axis}"], color=INK, linewidth=1.2, label="handle")
        ax.plot(table["t"], table[f"hand.{axis}"], color=COLORS[1], linewidth=1.2, label="hand")
        if "measurements" in run.tables:
            seen = run.tables["measurements"]
            ax.plot(seen["t"], seen[axis], ".", color=COLORS[0], markersize=3, label="measured")
    legend(axes[0])
    return figure


def emulation(run: Run) -> Figure | None:
    """What the emulation measured, how well the arm followed, and the energy that the delay made."""
    if "emulation" not in run.tables:
        return None
    table, error = run.tables["emulation"], run.metrics["tracking_error"]
    figure, axes = panels(
        f"The arm follows to {1e3 * error['position']:.2g} mm and {np.degrees(error['angle']):.2g}°",
        "Force as measured and compensated; the mock-up from where it was told to be; energy that the delay made.",
        ["measured force (N)", "off (mm)", "off (mdeg)", "energy made (mJ)"],
    )
    for k, axis in enumerate("xyz"):
        axes[0].plot(table["t"], table[f"measured.{axis}"], color=COLORS[k], linewidth=1.0, label=axis)
    axes[1].plot(table["t"], 1e3 * np.asarray(table["tracking.position"]), color=COLORS[0], linewidth=1.2)
    axes[2].plot(table["t"], 1e3 * np.degrees(table["tracking.angle"]), color=COLORS[0], linewidth=1.2)
    axes[3].plot(table["t"], 1e3 * np.asarray(table["energy_made"]), color=COLORS[0], linewidth=1.2)
    legend(axes[0])
    return figure


FIGURES: dict[str, Drawing] = {
    "touch": touch,
    "tracking": tracking,
    "emulation": emulation,
    "joints": joint_angles,
    "ledger": ledger,
}
