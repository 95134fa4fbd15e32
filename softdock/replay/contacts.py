"""Compliant contacts in the scene: forces at the frames shown, and what stays to be seen of each touch."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from softdock.replay.tracks import POSITION_STEP, TIME_STEP, Tracks
from softdock.runs.recording import Run, Table

FINE = 1e-5
"""Of the largest force: what an arrow's length is rounded to."""
MOST_TOUCHES = 50
"""So many touches at most, the hardest, are told as events."""


def contacts_of(run: Run, t: np.ndarray, tracks: Tracks) -> dict[str, Any] | None:
    """Points and forces on the contacts' bodies a at the frames t; `starts`: where each frame with contacts begins."""
    table = run.tables.get("contacts")
    if table is None:
        return None
    lines = np.flatnonzero(np.isin(table["t"], t))
    times, which = table["t"][lines], table["contact"].astype(str)
    names = list(dict.fromkeys(which.tolist()))
    force = _vectors(table, "force_")
    most = float(np.linalg.norm(force, axis=-1).max())
    starts = np.flatnonzero(np.diff(times, prepend=np.nan) != 0)
    return {
        "names": names,
        "t": tracks.add(times[starts], TIME_STEP),
        "starts": tracks.add(starts.astype(float), 1.0),
        "contact": tracks.add(np.array([names.index(name) for name in which[lines]], dtype=float), 1.0),
        "point": [tracks.add(column, POSITION_STEP) for column in _vectors(table, "")[lines].T],
        "force": [tracks.add(column, FINE * most) for column in force[lines].T],
        "most": most,
    }


def touches(run: Run) -> list[dict[str, Any]]:
    """The hardest touches as events in the page: when they begin, how hard and how long they are, and where and
    with what force they are hardest."""
    if "contacts" not in run.tables:
        return []
    table, found = run.tables["contacts"], list[dict[str, Any]]()
    point, force = _vectors(table, ""), _vectors(table, "force_")
    for lines in _spells(table, run.states["t"]):
        t, f = table["t"][lines], table["normal_force"][lines]
        hardest = lines[int(np.argmax(f))]
        detail = f"up to {f.max():.4g} N, impulse {np.trapezoid(f, t):.4g} N s, {t[-1] - t[0]:.4g} s"
        entry = {"time": float(t[0]), "kind": "contact", "label": f"touch: {table['contact'][hardest]}", "latch": ""}
        at = {"point": point[hardest].tolist(), "force": force[hardest].tolist()}
        found.append(entry | at | {"detail": detail, "peak": float(table["t"][hardest]), "end": float(t[-1])})
    hard = sorted(found, key=lambda touch: -float(np.linalg.norm(touch["force"])))[:MOST_TOUCHES]
    return sorted(hard, key=lambda touch: float(touch["time"]))


def _spells(table: Table, t: np.ndarray) -> Iterator[np.ndarray]:
    """Lines of one pair of shapes at rows that follow each other."""
    row = np.searchsorted(t, table["t"])
    for pair in np.unique(table["pair"]):
        lines = np.flatnonzero(table["pair"] == pair)
        yield from np.split(lines, np.flatnonzero(np.diff(row[lines]) > 1) + 1)


def _vectors(table: Table, name: str) -> np.ndarray:
    return np.stack([table[f"{name}{axis}"] for axis in "xyz"], axis=-1)
