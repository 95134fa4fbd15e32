"""One look for all figures: sizes, colours, grids and legends. No pyplot, so no global state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#4D4D4D")
"""Okabe and Ito's palette, safe for colour-blind readers, without its yellow, and two more."""
INK, FAINT = "#222222", "#D9D9D9"
_DPI = 110


def panels(title: str, note: str, labels: Sequence[str], columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure with a headline, a line that explains it, and one panel per y label, all over time.

    Panels fill columns from the top; only the lowest of a column has a label on its time axis. Room
    for a legend is left on the right of each column.
    """
    from matplotlib.figure import Figure

    rows = len(labels) // columns
    height = 1.45 + 2.45 * rows  # with room for a power of ten above the first panel
    figure = Figure(figsize=(8.6 if columns == 1 else 14.0, height), dpi=_DPI, facecolor="white")
    grid = figure.add_gridspec(
        rows, columns, left=0.095 if columns == 1 else 0.06, right=0.80 if columns == 1 else 0.87,
        top=1 - 1.0 / height, bottom=0.6 / height, hspace=0.18, wspace=0.62,
    )  # fmt: skip
    axes: list[Axes] = []
    for k, label in enumerate(labels):
        row, column = k % rows, k // rows
        ax = figure.add_subplot(grid[row, column], sharex=axes[0] if axes else None)
        _dress(ax, label, last=row == rows - 1)
        axes.append(ax)
    left = 0.02 if columns == 1 else 0.012
    figure.text(left, 1 - 0.33 / height, title, fontsize=13, fontweight="bold", color=INK, va="center")
    figure.text(left, 1 - 0.62 / height, note, fontsize=9.5, color="#555555", va="center")
    return figure, axes


def _dress(ax: Axes, label: str, last: bool) -> None:
    ax.set_ylabel(label, color=INK)
    ax.grid(True, color=FAINT, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(colors=INK, labelsize=9, labelbottom=last)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color("#888888")
    if last:
        ax.set_xlabel("time (s)", color=INK)
    ax.margins(x=0.0)


def legend(ax: Axes) -> None:
    """The panel's legend, beside it: no line is hidden. None if nothing is drawn."""
    if ax.get_legend_handles_labels()[0]:
        ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.02), frameon=False, fontsize=9, handlelength=1.8)


def error_line(ax: Axes, t: np.ndarray, error: np.ndarray, label: str, color: str) -> None:
    """The size of an error on a logarithmic axis; exact zeros are left out."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    size = np.abs(error)
    if np.any(size > 0):
        ax.set_yscale("log")
        ax.plot(t, np.where(size > 0, size, np.nan), color=color, linewidth=1.0, label=label)
        low, high = np.floor(np.log10(size[size > 0].min())), np.ceil(np.log10(size.max()))
        ax.set_ylim(10.0 ** max(low, high - 8), 10.0 ** max(high, low + 2))
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0e}"))  # 5 times as fast as 10⁻⁸
        ax.yaxis.set_minor_locator(NullLocator())
    else:
        ax.text(0.5, 0.5, "exactly zero throughout", transform=ax.transAxes, ha="center", color="#555555")


def mark_events(axes: Sequence[Axes], events: Sequence[Mapping[str, Any]]) -> None:
    """A thin line at each event; what it was stands over the first panel, events close to each other in one label.
    Plumes that hit something are left out: a mission has hundreds."""
    left, right = axes[0].get_xlim()
    labels: list[tuple[float, list[str]]] = []
    marked = [event for event in events if event.get("kind") != "plume"]
    for event in sorted(marked, key=lambda event: float(event["time"])):
        for ax in axes:
            ax.axvline(event["time"], color="#999999", linewidth=0.8, zorder=0)
        what = " ".join(str(event[key]) for key in ("kind", "name", "latch", "joint", "contact") if key in event)
        if not labels or event["time"] - labels[-1][0] > 0.03 * (right - left):
            labels.append((event["time"], []))
        labels[-1][1].append(what.removeprefix("phase "))
    for t, near in labels:
        more = f", and {len(near) - 3} more" if len(near) > 4 else ""
        axes[0].annotate(
            ", ".join(near[: 3 if more else 4]) + more, (t, 1.0),
            xycoords=("data", "axes fraction"), xytext=(3, -3), textcoords="offset points",
            rotation=90, ha="left", va="top", fontsize=7.5, color="#777777",
        )  # fmt: skip


def charts(title: str, note: str, labels: Sequence[str], below: Sequence[str]) -> tuple[Figure, list[Axes]]:
    """A figure with panels side by side, each with its own axes, whose labels are given; room for legends as in
    `panels`."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0 * len(labels), 5.2), dpi=_DPI, facecolor="white")
    grid = figure.add_gridspec(1, len(labels), left=0.1, right=0.88, top=0.82, bottom=0.12, wspace=0.6)
    axes = []
    for k, (label, x) in enumerate(zip(labels, below, strict=True)):
        ax = figure.add_subplot(grid[0, k])
        _dress(ax, label, last=True)
        ax.set_xlabel(x, color=INK)
        ax.margins(x=0.04)
        axes.append(ax)
    figure.text(0.012, 0.945, title, fontsize=13, fontweight="bold", color=INK, va="center")
    figure.text(0.012, 0.895, note, fontsize=9.5, color="#555555", va="center")
    return figure, axes
