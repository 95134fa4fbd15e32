"""Plots of the page, from the recorded tables.

`states`, `forces`, `contacts`, `ledger` and `targets` have plots of their own; every other table with a column `t` is
drawn as it is, one plot a unit, or several if its columns are many. A column `bound.NAME` beside `error.NAME` is drawn
as ± that height; tables that have such come first, since they say how far to trust the rest.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.replay.poses import Poses, thinned
from softdock.replay.tracks import TIME_STEP, Tracks
from softdock.runs.recording import Run, Table
from softdock.world import World

MOST_POINTS = 3000
"""A series has at most so many points: a plot is some hundred pixels wide."""
MOST_SERIES = 8
OWN = ("states", "forces", "contacts", "ledger", "targets", "scan", "camera")
"""Tables that are not drawn column by column."""
POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
SIGMA = ("sigma_x", "sigma_y", "sigma_z")
"""Columns of a pose and its uncertainty, which the scene shows better."""
ELSEWHERE = ("t", "end", *POSE, *SIGMA)
"""Those that are no series; `end` is of tables of stretches of time, which the timeline and the scene show."""
DEGREE = np.pi / 180
WHEEL = 4 * np.pi
"""A joint that turns further than this (rad) is a wheel: its speed is worth a plot, its angle is not."""
MOST_TOLD = 80
"""Series under one title; of more, the first are shown."""
ROUNDING = 1e-9
"""Of the largest: an actuator that does less does nothing."""
FREE = ("free", "planar", "spherical")
"""Joints of bodies that move by themselves."""
STILL = 1e-9
"""Below this (m or deg) a body has not moved."""


class Plots:
    """Plots on their way to a page; tables with the same times share a channel."""

    def __init__(self, tracks: Tracks) -> None:
        self.tracks = tracks
        self.drawn: list[dict[str, Any]] = []
        self._times: dict[bytes, int] = {}

    def add(self, title: str, unit: str, t: np.ndarray, series: dict[str, np.ndarray], log: bool = False) -> None:
        """One plot, or several if there are many series; those that are zero throughout are left out of a log plot.

        A name that begins with "± " is drawn on both sides of zero.
        """
        rows = thinned(len(t), MOST_POINTS)
        kept = {name: y[rows] for name, y in series.items() if not log or np.any(y != 0)}
        if len(kept) > MOST_TOLD:
            title = f"{title}, {MOST_TOLD} of {len(kept)}"
            kept = dict(list(kept.items())[:MOST_TOLD])
        for more, names in _groups(list(kept)):
            some = {name: kept[name] for name in names}
            drawn = [{"name": name, **self.tracks.add_scaled(_logarithm(y) if log else y)} for name, y in some.items()]
            told = {"title": title + more, "unit": "-" if unit == "1" else unit, "log": log}
            self.drawn.append({**told, "t": self._time(t[rows]), "series": drawn})

    def _time(self, t: np.ndarray) -> int:
        key = t.tobytes()
        if key not in self._times:
            self._times[key] = self.tracks.add(t, TIME_STEP)
        return self._times[key]


def _groups(names: list[str]) -> list[tuple[str, list[str]]]:
    """Names of each plot: all in one; or, of too many, those with the same end or beginning, whichever are fewer."""
    if len(names) <= MOST_SERIES:
        return [("", names)] if names else []
    by_end = _sorted_by(names, lambda name: name.rpartition(".")[2])
    by_beginning = _sorted_by(names, lambda name: name.rpartition(".")[0])
    by_stem = _sorted_by(names, lambda name: f"{name.rstrip('0123456789')}…")  # joints of each arm, by their numbers
    useful = range(2, len(names) // 2 + 1)
    sorts = [
        s for s in (by_end, by_beginning, by_stem) if len(s) in useful and max(map(len, s.values())) <= MOST_SERIES
    ]
    if sorts:
        return [(f": {key}" if key else "", some) for key, some in min(sorts, key=len).items()]
    chunks = [names[k : k + MOST_SERIES] for k in range(0, len(names), MOST_SERIES)]
    return [(f" ({k + 1})", chunk) for k, chunk in enumerate(chunks)]


def _sorted_by(names: list[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    sorts: dict[str, list[str]] = {}
    for name in names:
        sorts.setdefault(key(name), []).append(name)
    return sorts


def _logarithm(y: np.ndarray) -> np.ndarray:
    size = np.abs(y)
    return np.where(size > 0, np.log10(np.where(size > 0, size, 1.0)), np.nan)


def plots_of(run: Run, dynamics: Dynamics, poses: Poses, tracks: Tracks) -> list[dict[str, Any]]:
    """Everything worth a plot."""
    plots, others = Plots(tracks), list(_other(run))
    for judged in (True, False):
        for title, unit, table, series in others:
            if judged == any(name.startswith("± ") for name in series):
                plots.add(title, *_scaled(unit, series, table["t"]))
        if judged:
            _joints(plots, run, dynamics)
            _actuators(plots, run, dynamics)
            _contacts(plots, run)
            _attitudes(plots, dynamics, poses)
    _ledger(plots, run, dynamics.world)
    return plots.drawn


def _scaled(unit: str, series: dict[str, np.ndarray], t: np.ndarray) -> tuple[str, np.ndarray, dict[str, np.ndarray]]:
    """Angles and their rates in degrees; small lengths in millimetres."""
    if unit in ("rad", "rad/s", "rad/s²"):
        return unit.replace("rad", "deg"), t, {name: y / DEGREE for name, y in series.items()}
    sizes = [np.nanpercentile(np.abs(y), 90) for y in series.values() if np.isfinite(y).any()]
    if unit == "m" and max(sizes, default=1.0) < 0.5:
        return "mm", t, {name: 1000 * y for name, y in series.items()}
    return unit, t, series


def _joints(plots: Plots, run: Run, dynamics: Dynamics) -> None:
    kinds, states, targets = dynamics.layout.kind, run.states, run.tables.get("targets")
    for kind, title, scale, unit in (
        ("revolute", "Joint angles", DEGREE, "deg"),
        ("prismatic", "Joint slides", 1.0, "m"),
    ):
        names = [name for name in kinds if kinds[name] == kind]
        wheels = _wheels(run, dynamics.world, names) if kind == "revolute" else []
        plots.add("Wheel speeds", "rpm", states["t"], {n: states[f"v.{n}"] * 30 / np.pi for n in wheels})
        names = [name for name in names if name not in wheels]
        plots.add(title, unit, states["t"], {name: states[f"q.{name}"] / scale for name in names})
        plots.add(f"{title[:-1]} rates", f"{unit}/s", states["t"], {n: states[f"v.{n}"] / scale for n in names})
        if targets is not None and targets["t"].shape == states["t"].shape:
            error = {
                name: (states[f"q.{name}"] - targets[f"q.{name}"]) / scale for name in names if f"q.{name}" in targets
            }
            plots.add(f"{title}: error", unit, states["t"], error)


def _wheels(run: Run, world: World, names: list[str]) -> list[str]:
    """Joints that turn round and round and carry nothing, and those like them on the same body that could."""
    carry = {body.parent for body in world.bodies}
    kind = {name: (world.body(name).parent, world.body(name).mass) for name in names if name not in carry}
    spin = {kind[name] for name in kind if np.ptp(run.states[f"q.{name}"]) > WHEEL}
    return [name for name in kind if kind[name] in spin]


def _actuators(plots: Plots, run: Run, dynamics: Dynamics) -> None:
    """What actuators did, where they did anything; wheels apart."""
    if "forces" not in run.tables:
        return
    table, joints = run.tables["forces"], [n for n, kind in dynamics.layout.kind.items() if kind == "revolute"]
    sizes = {name: float(np.abs(table[name]).max()) for name in table if name != "t"}
    driven = [name for name in sizes if sizes[name] > ROUNDING * max(sizes.values(), default=0.0)]
    wheels = _wheels(run, dynamics.world, joints)
    for kind, unit, title in (
        ("wheel", "N m", "Wheel torques"),
        ("joint", "N m", "Actuator torques"),
        ("joint", "N", "Actuator forces"),
        ("body", "N m", "Torques on free bodies"),
        ("body", "N", "Forces on free bodies"),
    ):
        names = [n for n in driven if table.unit(n) == unit and kind == _pushed(n, wheels, dynamics)]
        plots.add(title, unit, table["t"], {n: table[n] for n in names})


def _pushed(name: str, wheels: list[str], dynamics: Dynamics) -> str:
    """Whom an entry of `forces` pushes: a wheel, a joint, or a body that no joint holds (`chaser.x`, `chaser.wz`)."""
    owner = name.rpartition(".")[0]
    return "wheel" if name in wheels else "body" if dynamics.layout.kind.get(owner) in FREE else "joint"


def _contacts(plots: Plots, run: Run) -> None:
    """Normal forces of compliant contacts, of all pairs of shapes of a contact together; none where nothing touches."""
    if "contacts" not in run.tables:
        return
    table, t = run.tables["contacts"], run.states["t"]
    row, names = np.searchsorted(t, table["t"]), table["contact"].astype(str)
    forces = {
        name: np.bincount(row[names == name], table["normal_force"][names == name], minlength=len(t))
        for name in dict.fromkeys(names)
    }
    near = np.clip(np.concatenate([row - 1, row, row + 1]), 0, len(t) - 1)  # a touch may be shorter than a thinned row
    shown = np.union1d(thinned(len(t), MOST_POINTS // 2), near)
    plots.add("Normal contact forces", "N", t[shown], {name: force[shown] for name, force in forces.items()})


def _attitudes(plots: Plots, dynamics: Dynamics, poses: Poses) -> None:
    """How far bodies that move by themselves have turned and gone since the start."""
    names = [n for n, kind in dynamics.layout.kind.items() if kind in FREE]
    turn, way = {}, {}
    for name in names:
        q, p = poses.quaternion[name], poses.position[name]
        turn[name] = 2 * np.arctan2(np.linalg.norm(q - (q @ q[0])[:, None] * q[0], axis=-1), np.abs(q @ q[0])) / DEGREE
        way[name] = np.linalg.norm(p - p[0], axis=-1)
    plots.add("Rotation since the start", "deg", poses.t, _moving(turn))
    plots.add("Displacement since the start", *_scaled("m", _moving(way), poses.t))


def _moving(series: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: y for name, y in series.items() if y.max() > STILL}


def _ledger(plots: Plots, run: Run, world: World) -> None:
    if "ledger" not in run.tables:
        return
    table = run.ledger
    energies = (
        "internal",
        "spring",
        "work_actuators",
        "work_dampers",
        "work_friction",
        "work_contacts",
        "lost_engaging",
        "lost_impacts",
    )
    changes = {name.replace("_", " "): table[name] - table[name][0] for name in energies if name in table}
    plots.add("Energy since the start", "J", table["t"], {n: y for n, y in changes.items() if np.any(y != 0)})
    held = not world.floats  # then momentum goes through what holds it, and an account of it says nothing
    names = [name for name in table if name.endswith("_error") and not (held and "momentum" in name)]
    errors = {f"{n.removesuffix('_error').replace('_', ' ')} ({table.unit(n)})": table[n] for n in names}
    plots.add("Balance errors", "log₁₀", table["t"], errors, log=True)


def _other(run: Run) -> Iterator[tuple[str, str, Table, dict[str, np.ndarray]]]:
    """Tables of the scenario's own: of each unit a plot, errors with their bounds apart."""
    for name, table in run.tables.items():
        if name in OWN or "t" not in table or len(table["t"]) == 0:
            continue
        shown = [c for c in table if c not in ELSEWHERE and np.issubdtype(table[c].dtype, np.number)]
        bounded = {column.removeprefix("bound.") for column in shown if column.startswith("bound.")}
        sort = {c: c.partition(".")[0] in ("error", "bound") and c.partition(".")[2] in bounded for c in shown}
        title = name.replace("_", " ").capitalize()
        for judged, unit in dict.fromkeys((sort[column], table.unit(column)) for column in shown):
            columns = [column for column in shown if (sort[column], table.unit(column)) == (judged, unit)]
            series = {column.replace("bound.", "± ", 1) if judged else column: table[column] for column in columns}
            yield f"{title}: error" if judged else title, unit, table, series
