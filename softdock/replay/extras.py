"""What a scenario may add to its replay: a camera, what it sees, an estimate, occlusions (docs/replay.md).

camera.parquet     t, x, y, z, qw, qx, qy, qz: the camera in the world frame (optical axes: z ahead, x right, y down);
                   optional column `occluded`, 0 (sees) to 1 (sees nothing)
scan.parquet       t, x, y, z: measured points in the world frame; rows of one t are one scan
estimates.parquet  t, x, y, z, qw, qx, qy, qz: a body's estimated frame in the world frame;
                   optional columns sigma_x, sigma_y, sigma_z (m): one standard deviation, along world axes
replay.json        optional: {"camera": {"fov": [across, down] (rad), "range": m, "frame": NAME, in place of
                   camera.parquet, of a camera that is never occluded}, "estimate": {"body": NAME},
                   "views": {"chaser": BODY, "target": BODY, "port": FRAME}}
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from softdock.replay.plots import POSE
from softdock.replay.poses import Poses, continuous, thinned
from softdock.replay.tracks import POSITION_STEP, QUATERNION_STEP, TIME_STEP, Tracks
from softdock.runs.recorder import RunFolderError
from softdock.runs.recording import Run, Table, read_json
from softdock.spatial import matrix_of_quaternion, quaternion_product
from softdock.world import World
from softdock.world.visuals import VISUALS

MOST_POINTS = 60_000
MOST_ROWS = 6_000
SCAN_STEP = 1e-3
FINE = 1e-6
"""Of standard deviations (m) and occlusion."""


def notes_of(run: Run) -> dict[str, Any]:
    """What replay.json says, and visuals.json of what is drawn; RunFolderError if it cannot be understood."""
    path = run.path / "replay.json"
    notes: dict[str, Any] = read_json(path, {})
    if not all(isinstance(part, dict) for part in notes.values()):
        raise RunFolderError(f"{path}: cannot be read: must be an object of objects")
    drawn: dict[str, Any] = read_json(run.path / VISUALS, {})
    return notes | {"visuals": drawn | notes.get("visuals", {})}


def extras_of(run: Run, world: World, poses: Poses, notes: dict[str, Any], tracks: Tracks) -> dict[str, Any]:
    """Those of camera, scan and estimate that the run has."""
    found: dict[str, Any] = {}
    lens = notes.get("camera", {})
    if "camera" in run.tables:
        found["camera"] = _pose_track(run, "camera", tracks, ("occluded",)) | _lens(lens)
    elif "frame" in lens:
        found["camera"] = _frame_track(run, world, poses, str(lens["frame"]), tracks) | _lens(lens)
    if "estimates" in run.tables:
        body = notes.get("estimate", {}).get("body", "target")
        try:
            world.body(body)
        except KeyError as error:
            raise RunFolderError(f"{run.path / 'replay.json'}: estimate.body: {error.args[0]}") from None
        sigmas = ("sigma_x", "sigma_y", "sigma_z")
        found["estimate"] = _pose_track(run, "estimates", tracks, sigmas) | {"body": body}
    if "scan" in run.tables:
        found["scan"] = _scan(run, tracks)
    return found


def _lens(lens: dict[str, Any]) -> dict[str, Any]:
    return {"fov": [float(x) for x in lens.get("fov", (0.6, 0.6))], "range": float(lens.get("range", 5.0))}


def _frame_track(run: Run, world: World, poses: Poses, name: str, tracks: Tracks) -> dict[str, Any]:
    """A frame on a body, with the scene's own rows."""
    try:
        frame = world.frame(name)
    except KeyError as error:
        raise RunFolderError(f"{run.path / 'replay.json'}: camera.frame: {error.args[0]}") from None
    rows = thinned(len(poses.t), MOST_ROWS)
    p, q = poses.position[frame.body][rows], poses.quaternion[frame.body][rows]
    at = p + matrix_of_quaternion(q) @ np.array(frame.placement.position)
    turn = continuous(quaternion_product(q, np.array(frame.placement.quaternion)))
    return {
        "t": tracks.add(poses.t[rows], TIME_STEP),
        "position": [tracks.add(column, POSITION_STEP) for column in at.T],
        "quaternion": [tracks.add(column, QUATERNION_STEP) for column in turn.T],
    }


def _columns(run: Run, name: str, wanted: Sequence[str]) -> Table:
    table = run.tables[name]
    for column in wanted:
        if column not in table:
            raise RunFolderError(f"{run.path}: {name}.parquet has no column {column!r}, which the replay needs")
    return table


def _pose_track(run: Run, name: str, tracks: Tracks, optional: Sequence[str]) -> dict[str, Any]:
    table = _columns(run, name, ("t", *POSE))
    rows = thinned(len(table["t"]), MOST_ROWS)
    q = continuous(np.stack([table[c][rows] for c in POSE[3:]], axis=-1))
    track = {"t": tracks.add(table["t"][rows], TIME_STEP)}
    track["position"] = [tracks.add(table[c][rows], POSITION_STEP) for c in POSE[:3]]  # type: ignore[assignment]
    track["quaternion"] = [tracks.add(column, QUATERNION_STEP) for column in q.T]  # type: ignore[assignment]
    return track | {c: tracks.add(np.asarray(table[c][rows], float), FINE) for c in optional if c in table}


def _scan(run: Run, tracks: Tracks) -> dict[str, Any]:
    """Points of all scans, thinned together if there are too many; `starts` is where each scan begins."""
    table = _columns(run, "scan", ("t", "x", "y", "z"))
    rows = thinned(len(table["t"]), MOST_POINTS)
    t = table["t"][rows]
    starts = np.flatnonzero(np.diff(t, prepend=np.nan) != 0)
    return {
        "t": tracks.add(t[starts], TIME_STEP),
        "starts": tracks.add(starts.astype(float), 1.0),
        "points": [tracks.add(table[c][rows], SCAN_STEP) for c in "xyz"],
    }
