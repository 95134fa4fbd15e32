"""Figures of the scenario 'capture', after that of Aghili (Fig. 4), and how well the target was known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from softdock.figures import Drawing, ledger
from softdock.figures.look import COLORS, INK, legend, panels
from softdock.runs.recording import Run
from softdock.spatial import matrix_of_quaternion

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = ("#EEF3F8", "#FFFFFF")
DARK = "#C9CED6"
SIZES = ("least", "middle", "largest")


def _phases(run: Run, end: float) -> list[tuple[float, float, str]]:
    """(from, to, name), in order."""
    began = [(float(event["time"]), str(event["name"])) for event in run.events if event["kind"] == "phase"]
    ends = [time for time, _ in began[1:]] + [end]
    return [(time, stop, name) for (time, name), stop in zip(began, ends, strict=True) if stop > time]


def _shade(run: Run, axes: Sequence[Axes], end: float) -> None:
    """Phases as stripes, named over the first panel; dark while the camera is blocked, up to the capture."""
    blocked = float(run.scenario["occlusion"]["start"])
    over = float(run.metrics.get("captured_at") or end)
    for k, (begin, stop, name) in enumerate(_phases(run, end)):
        for ax in axes:
            ax.axvspan(begin, stop, color=SHADES[k % 2], zorder=0, linewidth=0)
        axes[0].annotate(
            name, ((begin + stop) / 2, 1.0), xycoords=("data", "axes fraction"), xytext=(0, -3),
            textcoords="offset points", ha="center", va="top", fontsize=7.5, color="#555555", zorder=5,
            rotation=0 if stop - begin > 0.055 * end else 90,
        )  # fmt: skip
    for ax in axes:
        if blocked < end:
            ax.axvspan(blocked, min(over, end), facecolor="none", edgecolor=DARK, hatch="////", zorder=0.5, linewidth=0)


def _outcome(run: Run) -> str:
    metrics = run.metrics
    if metrics.get("captured"):
        return (
            f"Captured at {metrics['captured_at']:.1f} s after {metrics['blind_seconds']:.1f} s blind: "
            f"{1e3 * metrics['position_error']:.2g} mm, {np.degrees(metrics['angle_error']):.2g}° off"
        )
    outcome = str(metrics.get("outcome", "ended early")).capitalize()
    return f"{outcome}: {metrics['reason']}" if metrics.get("reason") else outcome


def positions(run: Run) -> Figure | None:
    """Measured, estimated and gripper positions, in A."""
    if "tracking" not in run.tables:
        return None
    track, t = run.tables["tracking"], run.tables["tracking"]["t"]
    note = "Handle and gripper from the chaser's centre of mass, along Hill axes. Hatched: the camera is blocked."
    labels = ["x, radial (m)", "y, along track (m)", "z, normal (m)"]
    figure, axes = panels(_outcome(run), note, labels)
    for ax, axis in zip(axes, "xyz", strict=True):
        if "measurements" in run.tables:
            seen = run.tables["measurements"]
            ax.plot(seen["t"], seen[axis], ".", color="#777777", markersize=3.2, label="measured")
        ax.plot(t, track[f"estimate.{axis}"], color=COLORS[0], linewidth=1.4, label="estimated")
        ax.plot(t, track[f"gripper.{axis}"], color=COLORS[1], linewidth=1.6, linestyle=(0, (5, 2)), label="gripper")
        ax.plot(t, track[f"handle.{axis}"], color=INK, linewidth=0.7, label="true")
        legend(ax)
    low, high = axes[0].get_ylim()
    axes[0].set_ylim(low, high + 0.25 * (high - low))  # room for the phases' names
    _shade(run, axes, float(t[-1]))
    return figure


def errors(run: Run) -> Figure | None:
    """Errors of the handle's estimated pose with 3σ."""
    if "estimates" not in run.tables:
        return None
    table, t = run.tables["estimates"], run.tables["estimates"]["t"]
    title = "How far the handle's estimated pose is off, and how far it says it may be"
    note = "True less estimated, and ± 3σ. Left along Hill axes, right about the handle's own. Hatched: blind."
    labels = [f"{axis} (mm)" for axis in "xyz"] + [f"about {axis} (deg)" for axis in "xyz"]
    figure, axes = panels(title, note, labels, columns=2)
    for k, (ax, name) in enumerate(zip(axes, ("x", "y", "z", "rx", "ry", "rz"), strict=True)):
        scale = 1e3 if k < 3 else 180 / np.pi
        error, bound = scale * table[f"error.{name}"], scale * table[f"bound.{name}"]
        ax.fill_between(t, -bound, bound, color=COLORS[5], alpha=0.35, linewidth=0, label="± 3σ")
        ax.plot(t, error, color=COLORS[1], linewidth=1.0, label="error")
        late = t > min(40.0, 0.5 * t[-1])
        room = 1.3 * max(float(np.abs(error[late]).max()), float(bound[late].max()))
        ax.set_ylim(-room, room)
        legend(ax)
    for column in (axes[:3], axes[3:]):
        _shade(run, column, float(t[-1]))
    return figure


def inertia(run: Run) -> Figure | None:
    """Principal moments on their way to the truth, and the forecast on its way to the gripper's tolerance."""
    if "estimates" not in run.tables:
        return None
    table, t = run.tables["estimates"], run.tables["estimates"]["t"]
    told = np.array(run.scenario["target"]["inertia"])
    moments = np.linalg.eigvalsh(told) if told.ndim == 2 else np.sort(told)
    gripper = run.scenario["gripper"]
    title = "The target's inertia, and the forecast of the handle at closing"
    note = "Above: principal moments; dotted: true. Below: twice the forecast's rms error; dotted: tolerance."
    figure, axes = panels(title, note, ["moments / trace", "position (mm)", "angle (deg)"])
    for k, true in enumerate(moments / moments.sum()):
        axes[0].plot(t, table[f"moment.{k + 1}"], color=COLORS[k], linewidth=1.4, label=SIZES[k])
        axes[0].axhline(true, color=COLORS[k], linewidth=1.0, linestyle=":")
    axes[0].set_ylim(0.15, 0.6)
    for ax, name, scale, most in (
        (axes[1], "forecast_position", 1e3, gripper["capture_distance"]),
        (axes[2], "forecast_angle", 180 / np.pi, gripper["capture_angle"]),
    ):
        ax.plot(t, gripper["confidence"] * scale * table[name], color=COLORS[0], linewidth=1.5, label="forecast")
        ax.axhline(scale * most, color=INK, linewidth=1.0, linestyle=":", label="tolerance")
        if np.any(table[name] > 0):
            ax.set_yscale("log")
    for ax in axes:
        legend(ax)
    _shade(run, axes, float(t[-1]))
    return figure


def consistency(run: Run) -> Figure | None:
    """NEES of the handle's pose and NIS of the measurements, each of six numbers."""
    if "estimates" not in run.tables or "measurements" not in run.tables:
        return None
    low, high = 1.237, 14.449  # χ² of 6 degrees of freedom, 95 %
    estimates, seen = run.tables["estimates"], run.tables["measurements"]
    means = [run.metrics.get(key) for key in ("nees_mean", "nis_mean")]
    title = "Consistency: " + ", ".join(
        f"mean {name} {mean:.1f}" for name, mean in zip(("NEES", "NIS"), means, strict=True) if mean is not None
    )
    note = "Six numbers each: expected 6, and in the grey band 95 % of the time, if the covariances are right."
    figure, axes = panels(title, note, ["NEES of the pose", "NIS"])
    for ax, t, y, color in (
        (axes[0], estimates["t"], estimates["nees"], COLORS[0]),
        (axes[1], seen["t"], seen["nis"], COLORS[2]),
    ):
        ax.axhspan(low, high, color="#DDDDDD", alpha=0.6, zorder=0.7, linewidth=0, label="95 %")
        ax.plot(t, np.clip(y, 1e-2, 1e5), ".-", color=color, markersize=3, linewidth=0.7)
        ax.set_yscale("log")
        legend(ax)
    _shade(run, axes, float(max(estimates["t"][-1], seen["t"][-1])))
    return figure


def scan(run: Run) -> Figure | None:
    """Scans laid on the model by the estimated poses, from two sides."""
    from matplotlib.figure import Figure

    if "scan" not in run.tables or "estimates" not in run.tables:
        return None

    points, table = run.tables["scan"], run.tables["estimates"]
    times = np.unique(points["t"])
    chosen = times[(times > 0.35 * times[-1]) & np.isin(np.round(times, 6), np.round(table["t"], 6))]
    chosen = chosen[:: max(1, len(chosen) // 12)]
    on = []
    for t in chosen:
        row = int(np.argmin(np.abs(table["t"] - t)))
        R = matrix_of_quaternion([table[f"q{c}"][row] for c in "wxyz"])
        at = np.array([table[c][row] for c in "xyz"])
        here = points["t"] == t
        on.append((np.stack([points[c][here] for c in "xyz"], axis=1) - at) @ R)
    if not on:
        return None
    laid = np.concatenate(on)
    figure = Figure(figsize=(11.0, 6.2), dpi=110, facecolor="white")
    figure.text(0.02, 0.955, f"{len(chosen)} scans on the model", fontsize=13, fontweight="bold", color=INK)
    note = f"{len(laid)} points from {chosen[0]:.1f} s to {chosen[-1]:.1f} s, put together by the estimated poses."
    figure.text(0.02, 0.915, note, fontsize=9.5, color="#555555")
    triangles = _model(run)
    for k, (turn, name) in enumerate((((18, -150), "handle's side"), ((20, 40), "other side"))):
        ax = figure.add_subplot(1, 2, k + 1, projection="3d")
        _solid(ax, triangles, laid, turn)
        ax.set_title(name, fontsize=10, color=INK, y=-0.02)
    figure.subplots_adjust(left=0.0, right=1.0, top=0.95, bottom=0.06, wspace=0.0)
    return figure


def _model(run: Run) -> np.ndarray:
    from softdock.sensing import Surface, satellite

    mesh = run.scenario["target"].get("mesh")
    return np.asarray((Surface(mesh) if mesh else satellite()).triangles)


def _solid(ax: Axes, triangles: np.ndarray, points: np.ndarray, turn: tuple[float, float]) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    faces = Poly3DCollection(triangles, facecolor="#B8C4D0", edgecolor="#8894A0", linewidth=0.3, alpha=0.35)
    ax.add_collection3d(faces)  # type: ignore[attr-defined]
    ax.plot(*points.T, ".", markersize=1.6, color=COLORS[1])
    middle, half = (points.max(axis=0) + points.min(axis=0)) / 2, 0.5 * float(np.ptp(points, axis=0).max())
    for axis, at in zip("xyz", middle, strict=True):
        getattr(ax, f"set_{axis}lim")(at - half, at + half)
    ax.set_box_aspect((1, 1, 1), zoom=1.3)  # type: ignore[call-arg, arg-type]
    ax.view_init(*turn)  # type: ignore[attr-defined]
    ax.set_axis_off()


FIGURES: dict[str, Drawing] = {
    "ledger": ledger,
    "positions": positions,
    "errors": errors,
    "inertia": inertia,
    "consistency": consistency,
    "scan": scan,
}
