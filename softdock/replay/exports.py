"""Runs for other tools: tables as CSV, MCAP for Foxglove, ROS 2 bags, .rrd for Rerun, poses for viewers of robots."""

import csv
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from softdock.dynamics import Dynamics
from softdock.replay import foxglove, ros2
from softdock.replay.poses import Poses, dynamics_of, poses_of
from softdock.replay.scene import colors_of
from softdock.runs.recorder import RunFolderError, finite
from softdock.runs.recording import Run, Table
from softdock.runs.whole import inner_folder, write_whole
from softdock.world import World
from softdock.world.describe import nearest

MOST_ROWS = 10_000_000
"""Nothing is left out."""


def export(run: Run, to: str, out: Path | None = None) -> list[Path]:
    """Write the run in a format of FORMATS; the files. ValueError if it is unknown or its package is missing."""
    if to not in FORMATS:
        raise ValueError(f"--to {to}: no such format{nearest(to, FORMATS)}")
    try:
        return _exported(run, to, out)
    except (RunFolderError, OSError, ImportError):
        raise
    except Exception as error:  # the directory may be anybody's
        raise RunFolderError(f"{run.path}: cannot be exported: {error or type(error).__name__}") from None


def _exported(run: Run, to: str, out: Path | None) -> list[Path]:
    if to in FILES:
        place = out or inner_folder(run.path, "export") / FILES[to]
        if out and os.path.lexists(out):
            raise ValueError(f"{out}: exists already; choose another")
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, lambda temporary: FORMATS[to](run, temporary))
        return [place]
    folder = out or inner_folder(run.path, "export", to)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as temporary:
        files = FORMATS[to](run, Path(temporary))
        for file in files:
            os.replace(file, folder / file.name)
    return [folder / file.name for file in files]


def _csv(run: Run, folder: Path) -> list[Path]:
    """Every table as a CSV file; the first line has the columns' names with their units."""
    from pyarrow import csv as arrow

    files = []
    for name, table in run.tables.items():
        files.append(folder / f"{name}.csv")
        units = [f"{column} ({table.unit(column)})" if table.unit(column) else column for column in table]
        arrow.write_csv(table.arrow.rename_columns(units), files[-1])
    if not files:
        raise RunFolderError(f"{run.path}: nothing was recorded before the run ended")
    return files


def _recorded(run: Run) -> tuple[Dynamics, Poses]:
    dynamics = dynamics_of(run)
    return dynamics, poses_of(run, dynamics, MOST_ROWS)


def _urdf_poses(run: Run, folder: Path) -> list[Path]:
    """joints.csv: a column a one-coordinate joint; roots.csv: poses of what hangs from the world (x y z w, as ROS)."""
    dynamics, poses = _recorded(run)
    kinds, states = dynamics.layout.kind, run.states
    joints = [name for name, kind in kinds.items() if kind in ("revolute", "prismatic")]
    roots = [body.name for body in dynamics.world.bodies if body.parent == "world"]
    with (folder / "joints.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["t", *joints])
        writer.writerows(np.stack([states["t"], *(states[f"q.{name}"] for name in joints)], axis=-1).tolist())
    with (folder / "roots.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["t", "link", "x", "y", "z", "qx", "qy", "qz", "qw"])
        for name in roots:
            for t, p, q in zip(poses.t, poses.position[name], poses.quaternion[name], strict=True):
                writer.writerow([float(t), name, *p.tolist(), *q[[1, 2, 3, 0]].tolist()])
    return [folder / "joints.csv", folder / "roots.csv"]


# --- MCAP ------------------------------------------------------------------------------------------

_STAMP = {"type": "object", "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}}
_NUMBERS = {"type": "object", "additionalProperties": {"type": "number"}}
_TRANSFORM = {
    "type": "object",
    "properties": {
        "timestamp": _STAMP,
        "parent_frame_id": {"type": "string"},
        "child_frame_id": {"type": "string"},
        "translation": _NUMBERS,
        "rotation": _NUMBERS,
    },
}
_EVENT = {
    "type": "object",
    "properties": {"time": {"type": "number", "description": "s"}, "kind": {"type": "string"}},
}


def _mcap(run: Run, path: Path) -> list[Path]:
    """Body poses as foxglove.FrameTransforms on /tf, their shapes as foxglove.SceneUpdate on /scene, each table's rows
    on /TABLE (on /tables/TABLE if it is called as one of these), events on /events; JSON messages.

    A number that is not finite is left out of its row. Units are in the channels' metadata, and in the schemas as
    descriptions. Rows of a table without times have that of the run's end. scenario.toml and metrics.json are attached.
    """
    writer_of = _needed("mcap.writer", "mcap").Writer
    dynamics, poses = _recorded(run)
    with path.open("wb") as file:
        writer = writer_of(file)
        writer.start(profile="", library="softdock")
        transforms = {"type": "object", "properties": {"transforms": {"type": "array", "items": _TRANSFORM}}}
        channels = {"/tf": _channel(writer, "/tf", "foxglove.FrameTransforms", transforms)}
        for name, table in run.tables.items():
            units = {column: table.unit(column) for column in table if table.unit(column)}
            channels[_topic(name)] = _channel(writer, _topic(name), f"softdock.{name}", _columns(table), units)
        channels["/scene"] = _channel(writer, "/scene", "foxglove.SceneUpdate", foxglove.SCHEMA)
        channels["/events"] = _channel(writer, "/events", "softdock.event", _EVENT, {"time": "s"})
        for topic, time, message in _messages(run, dynamics.world, poses):
            nanoseconds = round(time * 1e9)
            data = json.dumps(finite(message), ensure_ascii=False, allow_nan=False).encode()
            writer.add_message(channels[topic], log_time=nanoseconds, publish_time=nanoseconds, data=data)
        for name, kind in (("scenario.toml", "application/toml"), ("metrics.json", "application/json")):
            if (run.path / name).is_file():
                writer.add_attachment(0, 0, name, kind, (run.path / name).read_bytes())
        writer.finish()
    return [path]


def _columns(table: Table) -> dict[str, Any]:
    """JSON schema of a table's rows, with each column's unit as its description."""
    columns = {field.name: {"type": _json_type(field.type)} for field in table.arrow.schema}
    said = {name: {"description": table.unit(name)} if table.unit(name) else {} for name in columns}
    return {"type": "object", "properties": {name: kind | said[name] for name, kind in columns.items()}}


def _json_type(kind: pa.DataType) -> str:
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return "string"
    if pa.types.is_boolean(kind):
        return "boolean"
    return "number"


def _channel(writer: Any, topic: str, name: str, schema: dict[str, Any], units: dict[str, str] | None = None) -> int:
    number = writer.register_schema(name=name, encoding="jsonschema", data=json.dumps(schema).encode())
    return int(writer.register_channel(topic=topic, message_encoding="json", schema_id=number, metadata=units or {}))


def _messages(run: Run, world: World, poses: Poses) -> Iterator[tuple[str, float, dict[str, Any]]]:
    if len(poses.t):
        yield "/scene", float(poses.t[0]), foxglove.scene(world, float(poses.t[0]))
    places = {name: (p.tolist(), poses.quaternion[name].tolist()) for name, p in poses.position.items()}
    for k, t in enumerate(poses.t.tolist()):
        stamp = {"sec": int(t // 1), "nsec": round(t % 1 * 1e9)}
        transforms = [
            {
                "timestamp": stamp, "parent_frame_id": "world", "child_frame_id": name,
                "translation": dict(zip("xyz", p[k], strict=True)), "rotation": dict(zip("wxyz", q[k], strict=True)),
            }
            for name, (p, q) in places.items()
        ]  # fmt: skip
        yield "/tf", t, {"transforms": transforms}
    end = float(poses.t[-1]) if len(poses.t) else 0.0
    for name, table in run.tables.items():
        for row in table.arrow.to_pylist():
            known = {column: x for column, x in finite(row).items() if x is not None}
            yield _topic(name), _time(row.get("t"), end), known
    for event in run.events:
        yield "/events", _time(event.get("time"), end), event


def _topic(table: str) -> str:
    """Of a table: its name, unless a topic of the recording itself is called so."""
    return f"/tables/{table}" if table in ("tf", "scene", "events") else f"/{table}"


def _time(t: Any, end: float) -> float:
    """When a row is of (s): its `t`, or the run's end if that is no time."""
    return float(t) if isinstance(t, int | float) and math.isfinite(t) and t >= 0 else end


# --- ROS 2 -----------------------------------------------------------------------------------------


def _ros2(run: Run, path: Path) -> list[Path]:
    """A bag: /tf, /joint_states, /markers, /events in ROS 2's own message types."""
    dynamics, poses = _recorded(run)
    ros2.write_bag(run, dynamics.world, poses, path, _needed("mcap_ros2.writer", "ros2").Writer)
    return [path]


def _joint_trajectory(run: Run, path: Path) -> list[Path]:
    with path.open("w", encoding="utf-8") as file:
        ros2.write_trajectory(run, dynamics_of(run).world, file)
    return [path]


# --- Rerun -----------------------------------------------------------------------------------------


def _rrd(run: Run, path: Path) -> list[Path]:
    """Bodies with their shapes under world/, columns of the tables as scalars, events as text; time line "t"."""
    rr = _needed("rerun", "rerun")
    dynamics, poses = _recorded(run)
    recording = rr.RecordingStream(f"softdock-{run.scenario.get('scenario', 'run')}")
    recording.save(str(path))
    colors = colors_of(dynamics.world)
    for body in dynamics.world.bodies:
        entity = ["world", body.name]
        for k, shape in enumerate(body.shapes):
            _rerun_shape(rr, recording, [*entity, f"shape{k}"], shape, colors[body.name])
        turns = poses.quaternion[body.name][:, [1, 2, 3, 0]]
        moved = rr.Transform3D.columns(translation=poses.position[body.name], quaternion=turns)
        recording.send_columns(rr.escape_entity_path_part("world") + "/" + _part(rr, body.name),
                               indexes=[rr.TimeColumn("t", duration=poses.t)], columns=moved)  # fmt: skip
    for name, table in run.tables.items():
        for column in (c for c in table if c != "t" and "t" in table and np.issubdtype(table[c].dtype, np.number)):
            recording.send_columns(
                f"{_part(rr, name)}/{_part(rr, column)}",
                indexes=[rr.TimeColumn("t", duration=table["t"])],
                columns=rr.Scalars.columns(scalars=np.asarray(table[column], float)),
            )
    for event in run.events:
        recording.set_time("t", duration=float(event["time"]))
        recording.log("events", rr.TextLog(json.dumps(event, ensure_ascii=False)))
    recording.flush()
    recording.disconnect()
    return [path]


def _part(rr: Any, name: str) -> str:
    return str(rr.escape_entity_path_part(name))


def _rerun_shape(rr: Any, recording: Any, entity: list[str], shape: Any, color: str) -> None:
    pose = shape.placement
    turn = rr.Quaternion(xyzw=[*pose.quaternion[1:], pose.quaternion[0]])
    paint = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
    match shape.kind:
        case "box":
            drawn = rr.Boxes3D(sizes=[shape.size], colors=[paint], fill_mode="solid")
        case "sphere":
            drawn = rr.Ellipsoids3D(radii=[shape.radius], colors=[paint], fill_mode="solid")
        case "capsule":
            half = [0.0, 0.0, -shape.length / 2]
            drawn = rr.Capsules3D(lengths=[shape.length], radii=[shape.radius], translations=[half], colors=[paint])
        case "cylinder":
            drawn = rr.Cylinders3D(lengths=[shape.length], radii=[shape.radius], colors=[paint], fill_mode="solid")
        case _:
            drawn = rr.Mesh3D(vertex_positions=shape.vertices, triangle_indices=shape.triangles, albedo_factor=paint)
    path = "/".join(_part(rr, part) for part in entity)
    recording.log(path, rr.Transform3D(translation=pose.position, quaternion=turn), static=True)
    recording.log(path, drawn, static=True)


def _needed(module: str, extra: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise ValueError(f"this format needs the extra {extra!r}: pip install 'softdock[{extra}]'") from None


FILES = {"mcap": "run.mcap", "ros2": "run-ros2.mcap", "rrd": "run.rrd", "joint-trajectory": "joint_trajectory.yaml"}
"""Formats that are one file, and its name."""
FORMATS: dict[str, Callable[[Run, Path], list[Path]]] = {
    "csv": _csv,
    "mcap": _mcap,
    "ros2": _ros2,
    "joint-trajectory": _joint_trajectory,
    "rrd": _rrd,
    "urdf-poses": _urdf_poses,
}
