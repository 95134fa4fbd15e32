"""Figures of the scenario 'berthing', after those of Asci & Nanjangud (Figs. 3-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softdock.dynamics import Dynamics
from softdock.figures import Drawing, ledger
from softdock.figures.look import COLORS, FAINT, INK, legend, panels
from softdock.runs.recording import Run, Table
from softdock.world import World

if TYPE_CHECKING:  # Matplotlib takes longer to load than a short run to run: only who draws does
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HINGES = {"exact": COLORS[0], "published-off": COLORS[1], "published-on": COLORS[2]}
SHAPES = ("A", "B", "C", "F", "G", "T")


def tables(run: Run) -> dict[str, Table]:
    """The berthing table of every hinge that was run; this run's own first."""
    own = run.scenario["hinge"]
    found = {own: run.table("berthing")}
    for hinge in HINGES:
        name = f"berthing_{hinge.replace('-', '_')}"
        if hinge != own and name in run.tables:
            found[hinge] = run.table(name)
    return found


def path(run: Run) -> Figure:
    """The end-effector seen from the base, with its reference (Fig. 3)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.6, 6.2), dpi=110, facecolor="white")
    ax = figure.add_axes((0.09, 0.1, 0.88, 0.77))
    until = run.scenario["reach"]["duration"]
    for hinge, table in tables(run).items():
        x, y, t = table["end_effector_x"], table["end_effector_y"], table["t"]
        ax.plot(x, y, color=HINGES[hinge], linewidth=1.8, label=f"end-effector, hinge {hinge}")
    own = run.table("berthing")
    reaching = own["t"] <= until + 1e-9
    ax.plot(
        own["reference_x"][reaching], own["reference_y"][reaching], color=COLORS[4], linewidth=1.2,
        linestyle=(0, (3, 2)), label="reference",
    )  # fmt: skip
    x, y, t = own["end_effector_x"], own["end_effector_y"], own["t"]
    for touch in np.flatnonzero(t >= until - 1e-9)[:1]:  # none in a run that ends before
        ax.plot(x[touch], y[touch], "o", color="#CC0000", markersize=6, label=f"coupling, {t[touch]:g} s")
    ax.set_xlabel("x from the base's centre (m)", color=INK)
    ax.set_ylabel("y (m)", color=INK)
    ax.set_aspect("equal", adjustable="datalim")
    ax.grid(True, color=FAINT, linewidth=0.6)
    ax.legend(frameon=False, fontsize=9, loc="best")
    error = run.metrics["tracking_error_max"]
    _headline(figure, "Path of the end-effector", f"Seen from the base. It follows its reference within {error:.1e} m.")
    return figure


def distance(run: Run) -> Figure:
    """Distance of the coupling points after the coupling (Fig. 4)."""
    found = tables(run)
    note = "From the coupling on. The latch holds the points as it finds them; the paper's scalar constraint cannot."
    figure, (near, far) = panels("Distance of the coupling points", note, ["distance (m)", "distance (m), log"])
    until = run.scenario["reach"]["duration"]
    for hinge, table in found.items():
        after = table["t"] >= until - 1e-9
        t, d = table["t"][after], table["coupling_distance"][after]
        near.plot(t, d, color=HINGES[hinge], linewidth=1.6, label=hinge)
        far.semilogy(t, np.maximum(d, 1e-17), color=HINGES[hinge], linewidth=1.2, label=hinge)
    published = [t["coupling_distance"] for hinge, t in found.items() if hinge != "exact"]
    near.set_ylim(0.0, 0.4 if published else None)
    legend(near)
    return figure


def configurations(run: Run) -> Figure:
    """The system at the start, at the coupling and at the end (Figs. 5 and 6)."""
    from matplotlib.figure import Figure

    world = World.model_validate(run.scenario["world"])
    dynamics = Dynamics(world)
    figure = Figure(figsize=(13.0, 4.9), dpi=110, facecolor="white")
    t = run.states["t"]
    until = run.scenario["reach"]["duration"]
    moments = {"start": 0, "coupling": int(np.searchsorted(t, until - 1e-9)), "end": len(t) - 1}
    if moments["coupling"] == len(t):  # the run ends before
        del moments["coupling"]
    names = [f"q.{name}" for name in dynamics.layout.names()[0]]
    q = np.stack([run.states[name] for name in names], axis=-1)
    target = np.stack([run.states[f"q.T.{axis}"] for axis in "xy"], axis=-1)
    for k, (what, row) in enumerate(moments.items()):
        ax = figure.add_axes((0.045 + 0.325 * k, 0.1, 0.29, 0.74))
        _draw(ax, dynamics, world, q[row])
        ax.plot(target[: row + 1, 0], target[: row + 1, 1], color=COLORS[1], linewidth=1.0, linestyle=(0, (2, 2)))
        ax.set_title(f"{what}, {t[row]:g} s", fontsize=10, color=INK)
        ax.set_xlim(-0.9, 3.7)
        ax.set_ylim(-1.7, 1.7)
        ax.set_aspect("equal")
        ax.tick_params(labelleft=k == 0)
        ax.grid(True, color=FAINT, linewidth=0.6)
    _headline(
        figure,
        f"Configurations, hinge {run.scenario['hinge']}",
        "In the world's axes (m); dotted: the target's centre.",
    )
    return figure


def _draw(ax: Axes, dynamics: Dynamics, world: World, q: np.ndarray) -> None:
    from matplotlib.patches import Polygon

    for name in SHAPES:
        R, p = dynamics.pose(name, q)
        shape = world.body(name).shapes[0]
        x, y = shape.size[0] / 2, shape.size[1] / 2  # type: ignore[union-attr]
        corners = np.array([[x, y, 0], [-x, y, 0], [-x, -y, 0], [x, -y, 0]]) + np.array(shape.placement.position)
        color = COLORS[1] if name == "T" else (COLORS[7] if name == "A" else COLORS[0])
        ax.add_patch(Polygon((corners @ R.T + p)[:, :2], closed=True, facecolor=color, alpha=0.35, edgecolor=color))
    for frame, color in (("E", INK), ("P", "#CC0000")):
        at = dynamics.pose(frame, q)[1]
        ax.plot(at[0], at[1], ".", color=color, markersize=5)


def wheels(run: Run) -> Figure:
    """What the wheels store, and how the base's attitude is held."""
    table = run.table("berthing")
    note = "Momentum stored by each wheel, and the turn of the base; the wheels take what the arm gives."
    figure, (above, below) = panels("Wheels and base", note, ["stored (N m s)", "turn of the base (rad)"])
    for k in (1, 2, 3):
        above.plot(table["t"], table[f"wheel_momentum_{k}"], color=COLORS[k - 1], linewidth=1.6, label="xyz"[k - 1])
    q = np.stack([run.states[f"q.A.q{axis}"] for axis in "wxyz"], axis=-1)
    turn = 2 * np.arctan2(np.linalg.norm(q[:, 1:], axis=-1), np.abs(q[:, 0]))
    below.plot(run.states["t"], turn, color=INK, linewidth=1.4, label="turn")
    for ax in (above, below):
        ax.axvline(run.scenario["reach"]["duration"], color="#999999", linewidth=0.9, linestyle=(0, (4, 2)))
        legend(ax)
    return figure


def _headline(figure: Figure, title: str, note: str) -> None:
    figure.text(0.02, 0.955, title, fontsize=13, fontweight="bold", color=INK, va="center")
    figure.text(0.02, 0.905, note, fontsize=9.5, color="#555555", va="center")


FIGURES: dict[str, Drawing] = {
    "ledger": ledger,
    "path": path,
    "distance": distance,
    "configurations": configurations,
    "wheels": wheels,
}
