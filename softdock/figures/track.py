"""The figure of `softdock track`."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from softdock.estimation import History, principal
from softdock.figures.look import COLORS, INK, legend, panels


def tracking(history: History, measured: Sequence[np.ndarray]) -> Figure:
    """Positions measured (those used) and estimated, what is left of each measurement, rates, and principal moments."""
    t, used = history.t, history.accepted.astype(bool)
    at = np.where(used[:, None], np.array(measured), np.nan)  # a stray one, kilometres away, would leave no room
    title = f"{int(used.sum())} of {len(t)} measurements used"
    note = "Left: position and angular velocity. Right: measured less estimated, with the estimate's ± 3σ; moments."
    labels = [
        "position (m)",
        "angular velocity\n(deg/s)",
        "NIS (of 6)",
        "residual (mm)",
        "residual (deg)",
        "moments / trace",
    ]
    figure, axes = panels(title, note, labels, columns=2)
    for k, axis in enumerate("xyz"):
        axes[0].plot(t, at[:, k], ".", color=COLORS[k], markersize=3)
        axes[0].plot(t, history.position[:, k], color=COLORS[k], linewidth=1.0, label=axis)
        axes[1].plot(t, np.degrees(history.angular_velocity[:, k]), color=COLORS[k], linewidth=1.2, label=axis)
    axes[2].plot(t, np.where(history.nis > 0, history.nis, np.nan), ".", color=INK, markersize=3, label="each")
    axes[2].axhline(6.0, color=COLORS[1], linewidth=1.0, label="expected")
    if np.any(history.nis > 0):
        axes[2].set_yscale("log")
    for ax, first, scale in ((axes[3], 3, 1e3), (axes[4], 0, 180 / np.pi)):
        bound = 3 * scale * history.sigma[:, first : first + 3].max(axis=1)
        ax.fill_between(t, -bound, bound, color=COLORS[5], alpha=0.35, linewidth=0, label="± 3σ")
        for k, axis in enumerate("xyz"):
            ax.plot(t, scale * history.residual[:, first + k], ".", color=COLORS[k], markersize=3, label=axis)
        late = scale * np.abs(history.residual[len(t) // 3 :, first : first + 3])
        if np.isfinite(late).any():
            room = 1.5 * float(np.nanmax(late)) + 1e-9
            ax.set_ylim(-room, room)
    known = np.isfinite(history.inertia).all(axis=(1, 2))
    moments = np.array([principal(inertia).moments for inertia in history.inertia[known]])
    for k, name in enumerate(("least", "middle", "largest")):
        if len(moments):
            axes[5].plot(t[known], moments[:, k], color=COLORS[k], linewidth=1.3, label=name)
    for ax in axes:
        legend(ax)
    return figure
