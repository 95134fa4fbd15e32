"""Figures of 'servicing': how it flew, how well the target was known, momentum and propellant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from softdock.figures import Drawing, ledger
from softdock.figures.look import COLORS, INK, legend, panels
from softdock.runs.recording import Run

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = ("#EEF3F8", "#FFFFFF")
SHORT = 0.03
"""Share of the run below which a phase's name is left out."""


def _shade(run: Run, axes: Sequence[Axes], end: float) -> None:
    """Phases as stripes, named over the first panel."""
    began = [(float(event["time"]), str(event["name"])) for event in run.events if event["kind"] == "phase"]
    ends = [time for time, _ in began[1:]] + [end]
    for k, ((begin, name), stop) in enumerate(zip(began, ends, strict=True)):
        for ax in axes:
            ax.axvspan(begin, stop, color=SHADES[k % 2], zorder=0, linewidth=0)
        if stop - begin > SHORT * end:
            axes[0].annotate(
                name, ((begin + stop) / 2, 1.0), xycoords=("data", "axes fraction"), xytext=(0, -3),
                textcoords="offset points", ha="center", va="top", fontsize=7.5, color="#555555", rotation=90, zorder=5,
            )  # fmt: skip


def _finished(run: Run, figure: Figure, axes: Sequence[Axes], t: np.ndarray) -> Figure:
    """With legends where there is something, and phases."""
    for ax in axes:
        if ax.get_legend_handles_labels()[0]:
            legend(ax)
    _shade(run, axes, float(t[-1]))
    return figure


def _title(run: Run) -> str:
    metrics = run.metrics
    outcome = str(metrics.get("outcome", "ended early")).capitalize()
    if metrics.get("berthed_at") is not None:
        return f"{outcome} after {metrics['berthed_at']:.0f} s with {metrics['propellant']:.2f} kg of propellant"
    return f"{outcome}: {metrics['reason']}"[:110] if metrics.get("reason") else outcome


def flight(run: Run) -> Figure | None:
    """Distance, rates and how far from the course."""
    if "flight" not in run.tables:
        return None
    table, t = run.tables["flight"], run.tables["flight"]["t"]
    note = "Between the bodies' origins; had all thrust failed, it would have drifted so near in one orbit (dots)."
    figure, axes = panels(_title(run), note, ["distance (m)", "rate (°/s)", "off course (mm)"])
    axes[0].semilogy(t, table["distance"], color=COLORS[0], label="chaser to\ntarget")
    seen = np.isfinite(table["drift"])
    axes[0].semilogy(t[seen], np.maximum(table["drift"][seen], 0.1), ".", color=COLORS[1], label="drift")
    axes[1].plot(t, np.degrees(table["target_rate"]), color=COLORS[1], label="target")
    axes[1].plot(t, np.degrees(table["chaser_rate"]), color=COLORS[0], label="chaser")
    axes[2].plot(t, 1e3 * table["off_course"], color=COLORS[0], label="believed")
    axes[2].set_ylim(0, max(50.0, float(np.nanpercentile(1e3 * table["off_course"], 99))))
    low, high = axes[0].get_ylim()
    axes[0].set_ylim(low, high * (high / low) ** 0.45)
    return _finished(run, figure, axes, t)


def known(run: Run) -> Figure | None:
    """Errors of the handle's pose against the chaser, with what the estimator claimed."""
    if "estimates" not in run.tables:
        return None
    table, t = run.tables["estimates"], run.tables["estimates"]["t"]
    note = "The handle's pose against the chaser: errors, and one standard deviation as the estimator claims it."
    figure, axes = panels(_title(run), note, ["position (mm)", "angle (°)", "NEES (of 6)"])
    for ax, what, scale in ((axes[0], "position", 1e3), (axes[1], "angle", 180 / np.pi)):
        ax.semilogy(t, scale * table[f"{what}_error"], color=COLORS[0], linewidth=1.0, label="error")
        ax.semilogy(t, scale * table[f"{what}_sigma"], color=INK, linewidth=0.8, label="σ")
    axes[2].semilogy(t, table["nees"], ".", color=COLORS[2], markersize=2.5, label="NEES")
    return _finished(run, figure, axes, t)


def effort(run: Run) -> Figure | None:
    """Propellant, wheels and contacts."""
    if "flight" not in run.tables or "thrusters" not in run.tables:
        return None
    table, pulses = run.tables["flight"], run.tables["thrusters"]
    t = table["t"]
    jets = run.scenario.get("jets", {})
    flow = float(jets.get("thrust", 10.0)) / (float(jets.get("isp", 220.0)) * 9.80665)
    used = flow * np.cumsum(pulses["end"] - pulses["t"])
    note = "Propellant by the pulses' lengths; the largest momentum of one wheel; normal forces of all contacts."
    figure, axes = panels(_title(run), note, ["propellant (kg)", "wheel (N m s)", "contacts (N)"])
    axes[0].plot(pulses["end"], used, color=COLORS[1], label="used")
    axes[1].plot(t, table["wheel_momentum"], color=COLORS[0], label="largest")
    if "contacts" in run.tables:
        contacts = run.tables["contacts"]
        axes[2].plot(contacts["t"], contacts["normal_force"], ".", color=COLORS[3], markersize=3, label="each")
    return _finished(run, figure, axes, t)


FIGURES: dict[str, Drawing] = {"flight": flight, "known": known, "effort": effort, "ledger": ledger}
