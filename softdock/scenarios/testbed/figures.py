"""Figures of the scenario 'testbed', after those of Korczyk et al.."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from softdock.figures import Drawing, ledger
from softdock.figures.look import COLORS, INK, legend, panels
from softdock.runs.recording import Run, Table

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES = "xyz"
DASHED = (0, (3, 2))


def torques(run: Run) -> Figure:
    """Joint torques along Table 1 by D-H and by PoE, and both beside the independent engine (Figs. 2-5)."""
    return _methods(run, "table_1", "Table 1")


def upright(run: Run) -> Figure:
    """The same from rest to upright (Figs. 10-11)."""
    return _methods(run, "upright", "rest to upright")


def _methods(run: Run, name: str, title: str) -> Figure:
    table = run.tables[name]
    engine = run.metrics.get("independent_engine") or "softdock's kernels"
    reference = _joints(table, "engine" if "engine.1" in table else "softdock")
    ways = {"D-H": _joints(table, "dh"), "PoE": _joints(table, "poe")}
    worst = max(float(np.abs(torque - reference).max()) for torque in ways.values())
    labels = [label for way in ways for label in (f"{way} torque (N m)", f"|{way} − engine| (N m)")]
    figure, axes = panels(
        f"Sawyer, {title}: D-H, PoE and {engine} agree to {worst:.0e} N m",
        "Above: torques of the seven joints by both methods. Below: what each differs by from the engine.",
        labels,
        columns=2,
    )
    for (above, below), torque in zip((axes[:2], axes[2:]), ways.values(), strict=True):
        for k in range(torque.shape[1]):
            above.plot(table["t"], torque[:, k], color=COLORS[k], linewidth=1.6, label=f"joint {k + 1}")
        legend(above)
        _errors(below, table["t"], torque - reference, [f"joint {k + 1}" for k in range(torque.shape[1])])
    return figure


def parameters(run: Run) -> Figure:
    """Per joint: two public parameter sets of one arm, and two methods with one set (in place of Figs. 12-18)."""
    table, why = run.tables["table_1"], run.metrics["paper_discrepancy"]
    poe, dh, other = (_joints(table, method) for method in ("poe", "dh", "other_parameters"))
    figure, axes = panels(
        f"Parameters differ, methods agree: {why['max_torque']:.2f} N m at joint {why['joint']}, "
        f"{why['share']:.0%} of it from the {why['cause']}",
        "Along Table 1, less PoE with the arm's own figures. The paper has 4 N m between D-H and PoE, at joint 2.",
        [*(f"joint {k + 1} (N m)" for k in range(7)), "all joints, sets (N m)"],
        columns=2,
    )
    limit = 1.1 * float(np.abs(other - poe).max())
    for k, ax in enumerate(axes[:7]):
        ax.plot(table["t"], other[:, k] - poe[:, k], color=COLORS[1], linewidth=1.6, label="the other\nparameter set")
        ax.plot(table["t"], dh[:, k] - poe[:, k], color=INK, linewidth=1.0, label="D-H, the\nsame set")
        ax.set_ylim(-limit, limit)
    for k in range(7):
        axes[7].plot(table["t"], other[:, k] - poe[:, k], color=COLORS[k], linewidth=1.3, label=f"joint {k + 1}")
    axes[7].set_ylim(-limit, limit)
    for ax in (axes[0], axes[4], axes[7]):
        legend(ax)
    return figure


def bearing(run: Run) -> Figure:
    """Torque about the locked bearing and its error (Figs. 22-23); gravity's part without and with balance mass."""
    table, metrics = run.tables["bearing"], run.metrics
    momentum, spherical = _axes(table, "momentum"), _axes(table, "spherical")
    figure, axes = panels(
        f"Bearing torque up to {metrics['bearing_torque_max']:.3g} N m; methods agree to "
        f"{metrics['bearing_torque_difference_max']:.0e} N m",
        f"Along Table 1, bearing locked. Right: gravity's part, without and with the balance mass of "
        f"{metrics['balance_mass']:.3g} kg.",
        ["torque (N m)", "|difference| (N m)", "gravity, as it is (N m)", "gravity, balanced (N m)"],
        columns=2,
    )
    _three(axes[0], table["t"], momentum)
    pairs = {"momentum −\nspherical": momentum - spherical}
    if "engine.x" in table:
        name = str(metrics["independent_engine"]).split()[0]
        pairs |= {f"{name} −\nspherical": _axes(table, "engine") - spherical}
    sizes = np.column_stack([np.linalg.norm(pair, axis=1) for pair in pairs.values()])
    _errors(axes[1], table["t"], sizes, list(pairs))
    parts = [_axes(table, f"gravity.{way}") for way in ("as_is", "balanced")]
    for ax, part in zip(axes[2:], parts, strict=True):
        _three(ax, table["t"], part)
        ax.set_ylim(*_around(np.concatenate(parts)))
    return figure


def platform(run: Run) -> Figure:
    """The platform released: as it is, with its balance mass, and with its wheels at work."""
    table, metrics = run.tables["released"], run.metrics
    ranges, tipped = metrics["platform_attitude_ranges"], metrics["tips_over_after"]
    held, unit, scale = _angle(ranges["held"])
    if run.scenario["mount"] == "bearing":
        falls = [f"{tipped[way]:.2g} s" if tipped[way] else "never" for way in ("as_is", "balanced")]
        title = f"Tips over 45° after {falls[0]}, balanced {falls[1]}; wheels hold it to {held:.2g} {unit}"
    else:
        title = (
            f"In orbit the platform turns by {np.degrees(ranges['balanced']):.0f}°; wheels hold it to {held:.2g} {unit}"
        )
    figure, axes = panels(
        title,
        "Rotation vector from the start while the arm moves along Table 1; dropped after the first half turn.",
        ["as it is (deg)", "balanced (deg)", f"wheels hold ({unit})"],
    )
    for ax, way, factor in zip(axes, ranges, (np.degrees(1.0), np.degrees(1.0), scale), strict=True):
        turn = factor * _axes(table, f"{way}.turn")
        size = np.linalg.norm(turn, axis=1)
        if way != "held":
            over = np.maximum.accumulate(size) > 170.0  # from there on the vector jumps
            turn[over], size[over] = np.nan, np.nan
            ax.plot(table["t"], size, color=INK, linewidth=1.1, label="angle")
            if tipped[way] and run.scenario["mount"] == "bearing":
                ax.axvline(tipped[way], color="#888888", linewidth=0.9, linestyle=DASHED, label="45°")
        _three(ax, table["t"], turn)
    return figure


def wheels(run: Run) -> Figure:
    """What holding the platform asks of the wheels."""
    table, metrics = run.tables["released"], run.metrics
    where = "on the bearing" if run.scenario["mount"] == "bearing" else "in orbit"
    figure, axes = panels(
        f"Holding it {where} takes {metrics['wheel_torque_max']:.3g} N m and {metrics['wheel_momentum_max']:.3g} N m s",
        "Torque of the three wheels along the platform's axes, and their spin momentum, while the arm moves.",
        ["wheel torque (N m)", "wheel momentum (N m s)"],
    )
    _three(axes[0], table["t"], _axes(table, "torque"))
    _three(axes[1], table["t"], _axes(table, "momentum"))
    return figure


# --- parts -----------------------------------------------------------------------------------------


def _joints(table: Table, method: str) -> np.ndarray:
    """(N, n) torques of a method."""
    count = sum(name.startswith(f"{method}.") for name in table)
    return np.column_stack([table[f"{method}.{k + 1}"] for k in range(count)])


def _axes(table: Table, name: str) -> np.ndarray:
    return np.column_stack([table[f"{name}.{axis}"] for axis in AXES])


def _three(ax: Axes, t: np.ndarray, values: np.ndarray) -> None:
    for k, axis in enumerate(AXES):
        ax.plot(t, values[:, k], color=COLORS[k], linewidth=1.6, label=axis)
    legend(ax)


def _errors(ax: Axes, t: np.ndarray, values: np.ndarray, names: Sequence[str]) -> None:
    """Sizes of differences on one logarithmic axis; what is exactly zero stands at its foot."""
    from matplotlib.ticker import FuncFormatter, NullLocator

    size = np.abs(values)
    foot = 1e-17 if size.max() < 1e-10 else 1e-3 * float(size.max())
    for k, name in enumerate(names):
        ax.plot(t, np.maximum(size[:, k], foot), ".", color=COLORS[k], markersize=2.0, label=name)
    ax.set_yscale("log")
    ax.set_ylim(foot, 10 * max(float(size.max()), 10 * foot))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0e}"))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.02), frameon=False, fontsize=9, markerscale=4.0)


def _around(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _angle(size: float) -> tuple[float, str, float]:
    """An angle in degrees or, if small, in thousandths of them."""
    degrees = float(np.degrees(size))
    return (degrees, "deg", np.degrees(1.0)) if degrees > 1 else (1e3 * degrees, "mdeg", 1e3 * np.degrees(1.0))


FIGURES: dict[str, Drawing] = {
    "ledger": ledger,
    "torques": torques,
    "upright": upright,
    "parameters": parameters,
    "bearing": bearing,
    "platform": platform,
    "wheels": wheels,
}
