"""Thrusters and their pulses, and what joints and latches carry, for the scene."""

from typing import Any

import numpy as np

from softdock.replay.poses import thinned
from softdock.replay.tracks import TIME_STEP, Tracks
from softdock.runs.recording import Run
from softdock.world import World

FINE = 1e-4
"""Of the largest force: what an arrow's length is rounded to."""
MOST_PULSES = 20_000
MOST_ROWS = 3_000
MOST_LOADS = 60
"""Joints and latches, those that carry most, whose loads are shown."""


def thrusters_of(run: Run, world: World, tracks: Tracks) -> dict[str, Any] | None:
    """Nozzles that fire during the run, and when; None without any."""
    table = run.tables.get("thrusters")
    if table is None or not world.thrusters:
        return None
    rows = np.argsort(table["t"], kind="stable")[thinned(len(table["t"]), MOST_PULSES)]
    names = table["thruster"].astype(str)[rows]
    fired = [thruster for thruster in world.thrusters if thruster.name in set(names.tolist())]
    number = {thruster.name: k for k, thruster in enumerate(fired)}
    known = np.array([name in number for name in names], dtype=bool)
    last = float(run.states["t"][-1])
    which = np.array([number[name] for name in names[known]], dtype=float)
    return {
        "nozzles": [
            {
                "name": thruster.name,
                "body": thruster.body,
                "position": list(thruster.position),
                "along": (-thruster.along).tolist(),
                "half_angle": thruster.plume.half_angle if thruster.plume else 0.3,
                "thrust": thruster.thrust,
            }
            for thruster in fired
        ],
        "t": tracks.add(table["t"][rows][known], TIME_STEP),
        "end": tracks.add(np.minimum(table["end"][rows][known], last), TIME_STEP),
        "which": tracks.add(which, 1.0),
    }


def loads_of(run: Run, world: World, tracks: Tracks) -> dict[str, Any] | None:
    """Forces in joints and latches in the axes of the body, or of the latch's second frame, if they were recorded."""
    table = run.tables.get("loads")
    if table is None or not len(table["t"]):
        return None
    rows = thinned(len(table["t"]), MOST_ROWS)
    forces = {}
    for label in dict.fromkeys(name.rpartition(".")[0] for name in table if name.endswith(".fx")):
        found = np.nan_to_num(np.stack([table[f"{label}.f{axis}"][rows] for axis in "xyz"], axis=-1))
        forces[label] = found, float(np.linalg.norm(found, axis=-1).max(initial=0.0))
    most = max((size for _, size in forces.values()), default=0.0)
    if not most > 0:
        return None
    shown = sorted(forces, key=lambda label: -forces[label][1])[:MOST_LOADS]
    return {
        "t": tracks.add(table["t"][rows], TIME_STEP),
        "most": most,
        "places": [
            {"name": label, **_place(label, world)}
            | {"force": [tracks.add(column, FINE * most) for column in forces[label][0].T]}
            for label in shown
        ],
    }


def _place(label: str, world: World) -> dict[str, Any]:
    kind, _, name = label.partition(".")
    if kind == "latch":
        latch = next(latch for latch in world.latches if latch.name == name)
        frame = world.frame(latch.frame_b)
        at = frame.placement
        return {"body": frame.body, "position": list(at.position), "quaternion": list(at.quaternion)}
    return {"body": world.body(name).name, "position": [0.0, 0.0, 0.0], "quaternion": [1.0, 0.0, 0.0, 0.0]}
