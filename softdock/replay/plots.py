"""Plots of the page, from the recorded tables.

`states`, `ledger` and `targets` have plots of their own; every other table with a column `t` is drawn as it is, one
plot a unit. A column `bound.NAME` beside `error.NAME` is drawn as a band of ± that height.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.recorded import Run, Table
from softdock.replay.poses import Poses, thinned
from softdock.replay.tracks import TIME_STEP, Tracks

MOST_POINTS = 3000
"""A series has at most so many points: a plot is some hundred pixels wide."""
MOST_SERIES = 8
OWN = ("states", "ledger", "targets", "scan", "camera")
"""Tables that are not drawn column by column."""
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
"""Columns of a pose, which the scene shows better."""
DEGREE = np.pi / 180


class Plots:
    """Plots on their way to a page; tables with the same times share a channel."""

    def __init__(self, tracks: Tracks) -> None:
        self.tracks = tracks
        self.drawn: list[dict[str, Any]] = []
        self._times: dict[bytes, int] = {}

    def add(self, title: str, unit: str, t: np.ndarray, series: dict[str, np.ndarray], log: bool = False) -> None:
        """One plot, or several if there are many series; those that are zero throughout are left out of a log plot.

        A name that begins with "target " is drawn dashed, one that begins with "± " as a band.
        """
        rows = thinned(len(t), MOST_POINTS)
        kept = {name: y[rows] for name, y in series.items() if not log or np.any(y != 0)}
        names = list(kept)
        for first in range(0, len(names), MOST_SERIES):
            some = {name: kept[name] for name in names[first : first + MOST_SERIES]}
            more = f" ({first // MOST_SERIES + 1})" if len(names) > MOST_SERIES else ""
            drawn = [{"name": name, **self.tracks.add_scaled(_logarithm(y) if log else y)} for name, y in some.items()]
            self.drawn.append(
                {"title": title + more, "unit": unit, "log": log, "t": self._time(t[rows]), "series": drawn}
            )

    def _time(self, t: np.ndarray) -> int:
        key = t.tobytes()
        if key not in self._times:
            self._times[key] = self.tracks.add(t, TIME_STEP)
        return self._times[key]


def _logarithm(y: np.ndarray) -> np.ndarray:
    size = np.abs(y)
    return np.where(size > 0, np.log10(np.where(size > 0, size, 1.0)), np.nan)


def plots_of(run: Run, dynamics: Dynamics, poses: Poses, tracks: Tracks) -> list[dict[str, Any]]:
    """Everything worth a plot."""
    plots = Plots(tracks)
    _joints(plots, run, dynamics)
    _attitudes(plots, dynamics, poses)
    for title, unit, table, series in _other(run):
        plots.add(title, unit, table["t"], series)
    _ledger(plots, run)
    return plots.drawn


def _joints(plots: Plots, run: Run, dynamics: Dynamics) -> None:
    kinds, states, targets = dynamics.layout.kind, run.states, run.tables.get("targets")
    for kind, title, scale, unit in (
        ("revolute", "Joint angles", DEGREE, "deg"),
        ("prismatic", "Joint slides", 1.0, "m"),
    ):
        names = [name for name in kinds if kinds[name] == kind]
        plots.add(title, unit, states["t"], {name: states[f"q.{name}"] / scale for name in names})
        plots.add(f"{title[:-1]} rates", f"{unit}/s", states["t"], {n: states[f"v.{n}"] / scale for n in names})
        if targets is not None and targets["t"].shape == states["t"].shape:
            error = {
                name: (states[f"q.{name}"] - targets[f"q.{name}"]) / scale for name in names if f"q.{name}" in targets
            }
            plots.add(f"{title}: error", unit, states["t"], error)


def _attitudes(plots: Plots, dynamics: Dynamics, poses: Poses) -> None:
    """How far bodies that move by themselves have turned and gone since the start."""
    names = [n for n, kind in dynamics.layout.kind.items() if kind in ("free", "planar", "spherical")]
    turn, way = {}, {}
    for name in names:
        q, p = poses.quaternion[name], poses.position[name]
        turn[name] = 2 * np.arctan2(np.linalg.norm(q - (q @ q[0])[:, None] * q[0], axis=-1), np.abs(q @ q[0])) / DEGREE
        way[name] = np.linalg.norm(p - p[0], axis=-1)
    plots.add("Turned since the start", "deg", poses.t, turn)
    plots.add("Moved since the start", "m", poses.t, way)


def _ledger(plots: Plots, run: Run) -> None:
    if "ledger" not in run.tables:
        return
    table = run.ledger
    energies = (
        "internal",
        "spring",
        "work_actuators",
        "work_dampers",
        "work_friction",
        "lost_engaging",
        "lost_impacts",
    )
    changes = {name.replace("_", " "): table[name] - table[name][0] for name in energies if name in table}
    plots.add("Energy since the start", "J", table["t"], {n: y for n, y in changes.items() if np.any(y != 0)})
    errors = {f"{n.replace('_error', '')} ({table.unit(n)})": table[n] for n in table if n.endswith("_error")}
    plots.add("Balance errors", "log₁₀", table["t"], errors, log=True)


def _other(run: Run) -> Iterator[tuple[str, str, Table, dict[str, np.ndarray]]]:
    for name, table in run.tables.items():
        if name in OWN or "t" not in table or len(table["t"]) == 0:
            continue
        numeric = [c for c in table if c not in ("t", *POSE) and np.issubdtype(table[c].dtype, np.number)]
        for unit in dict.fromkeys(table.unit(column) for column in numeric):
            series = {
                column.replace("bound.", "± ", 1) if column.startswith("bound.") else column: table[column]
                for column in numeric
                if table.unit(column) == unit
            }
            yield name.replace("_", " ").capitalize(), unit, table, series
