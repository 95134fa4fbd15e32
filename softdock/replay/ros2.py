"""Runs for ROS 2: a bag (MCAP, CDR) that `ros2 bag` and RViz read, and a joint trajectory that controllers take."""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from softdock.replay.poses import Poses
from softdock.replay.scene import colors_of
from softdock.runs.recorder import RunFolderError, finite
from softdock.runs.recording import Run
from softdock.world import Box, Capsule, ConvexMesh, Cylinder, Pose, Sphere, World

_HEADER = ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id")
_TIME = ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec")
_DURATION = ("builtin_interfaces/Duration", "int32 sec\nuint32 nanosec")
_VECTOR = ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z")
_POINT = ("geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z")
_TURN = ("geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w")
_TRANSFORM = ("geometry_msgs/Transform", "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation")
_STAMPED = (
    "geometry_msgs/TransformStamped",
    "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform",
)
_POSE = ("geometry_msgs/Pose", "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation")
_COLOR = ("std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a")
_MARKER = (
    "visualization_msgs/Marker",
    "std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\ngeometry_msgs/Pose pose\n"
    "geometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\nbuiltin_interfaces/Duration lifetime\nbool frame_locked\n"
    "geometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\nstring texture_resource\n"
    "sensor_msgs/CompressedImage texture\nvisualization_msgs/UVCoordinate[] uv_coordinates\nstring text\n"
    "string mesh_resource\nvisualization_msgs/MeshFile mesh_file\nbool mesh_use_embedded_materials",
)
_IMAGE = ("sensor_msgs/CompressedImage", "std_msgs/Header header\nstring format\nuint8[] data")
_UV = ("visualization_msgs/UVCoordinate", "float32 u\nfloat32 v")
_MESH = ("visualization_msgs/MeshFile", "string filename\nuint8[] data")
TYPES = {
    "tf2_msgs/msg/TFMessage": (
        "geometry_msgs/TransformStamped[] transforms",
        (_STAMPED, _HEADER, _TIME, _TRANSFORM, _VECTOR, _TURN),
    ),
    "sensor_msgs/msg/JointState": (
        "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort",
        (_HEADER, _TIME),
    ),
    "visualization_msgs/msg/MarkerArray": (
        "visualization_msgs/Marker[] markers",
        (_MARKER, _HEADER, _TIME, _DURATION, _POSE, _POINT, _TURN, _VECTOR, _COLOR, _IMAGE, _UV, _MESH),
    ),
    "std_msgs/msg/String": ("string data", ()),
}
"""Fields of ROS 2's own message types, as `ros2 interface show` has them, with what they are made of."""
TOPICS = {
    "/tf": "tf2_msgs/msg/TFMessage",
    "/joint_states": "sensor_msgs/msg/JointState",
    "/markers": "visualization_msgs/msg/MarkerArray",
    "/events": "std_msgs/msg/String",
}
_CUBE, _BALL, _BARREL, _TRIANGLES = 1, 2, 3, 11
"""Types of markers."""


def definition(kind: str) -> str:
    """A type's definition with all that it is made of, as bags hold it."""
    fields, parts = TYPES[kind]
    return "\n".join([fields, *(f"{'=' * 80}\nMSG: {name}\n{text}" for name, text in parts)])


def write_bag(run: Run, world: World, poses: Poses, path: Path, writer_of: Any) -> None:
    """/tf, /joint_states (with the actuators' efforts), /markers and /events."""
    with path.open("wb") as file:
        writer = writer_of(file)
        schemas = {kind: writer.register_msgdef(kind, definition(kind)) for kind in TYPES}
        for topic, t, message in _messages(run, world, poses):
            writer.write_message(
                topic=topic, schema=schemas[TOPICS[topic]], message=message, log_time=_nanoseconds(t),
                publish_time=_nanoseconds(t),
            )  # fmt: skip
        writer.finish()


def _messages(run: Run, world: World, poses: Poses) -> Iterator[tuple[str, float, dict[str, Any]]]:
    start = float(poses.t[0]) if len(poses.t) else 0.0
    yield "/markers", start, {"markers": list(_markers(world, start))}
    for k, t in enumerate(poses.t.tolist()):
        transforms = [
            {
                "header": {"stamp": stamp(t), "frame_id": "world"}, "child_frame_id": name,
                "transform": {"translation": _xyz(p[k]), "rotation": _turn(poses.quaternion[name][k])},
            }
            for name, p in poses.position.items()
        ]  # fmt: skip
        yield "/tf", t, {"transforms": transforms}
    joints = single_joints(run, world)
    for t, q, v, effort in zip(*_joint_rows(run, joints), strict=True):
        yield (
            "/joint_states", float(t),
            {"header": {"stamp": stamp(float(t)), "frame_id": ""}, "name": joints, "position": q.tolist(),
             "velocity": v.tolist(), "effort": effort.tolist()},
        )  # fmt: skip
    for event in run.events:
        yield "/events", float(event["time"]), {"data": json.dumps(finite(event), ensure_ascii=False)}


def single_joints(run: Run, world: World) -> list[str]:
    """Bodies whose joint has one coordinate, as ROS's joint states have them."""
    return [body.name for body in world.bodies if body.joint.kind in ("revolute", "prismatic")]


def _joint_rows(run: Run, joints: list[str]) -> tuple[np.ndarray, ...]:
    states = run.states
    forces: Mapping[str, Any] = run.tables.get("forces", {})
    rows = len(states["t"])

    def stacked(table: Any, prefix: str) -> np.ndarray:
        found = [np.asarray(table[prefix + j])[:rows] if prefix + j in table else np.zeros(rows) for j in joints]
        return np.stack(found, axis=-1) if joints else np.zeros((rows, 0))

    return states["t"], stacked(states, "q."), stacked(states, "v."), stacked(forces, "")


def _markers(world: World, t: float) -> Iterator[dict[str, Any]]:
    colors = colors_of(world)
    for body in world.bodies:
        parts = [part for shape in body.shapes for part in _parts(shape)]
        for number, (kind, pose, scale, points) in enumerate(parts):
            r, g, b = (int(colors[body.name][k : k + 2], 16) / 255 for k in (1, 3, 5))
            yield {
                "header": {"stamp": stamp(t), "frame_id": body.name}, "ns": body.name, "id": number, "type": kind,
                "action": 0, "pose": {"position": _xyz(pose.position), "orientation": _turn(pose.quaternion)},
                "scale": _xyz(scale), "color": {"r": r, "g": g, "b": b, "a": 0.4 if body.mass == 0 else 1.0},
                "lifetime": {"sec": 0, "nanosec": 0}, "frame_locked": True, "points": [_xyz(p) for p in points],
                "colors": [], "texture_resource": "", "uv_coordinates": [], "text": "", "mesh_resource": "",
                "texture": {"header": {"stamp": stamp(0.0), "frame_id": ""}, "format": "", "data": []},
                "mesh_file": {"filename": "", "data": []}, "mesh_use_embedded_materials": False,
            }  # fmt: skip


def _parts(shape: Any) -> list[tuple[int, Pose, tuple[float, float, float], list[Any]]]:
    """Markers of a shape: type, pose, scale and points."""
    at = shape.placement
    match shape:
        case Box():
            return [(_CUBE, at, shape.size, [])]
        case Sphere():
            return [(_BALL, at, (2 * shape.radius,) * 3, [])]
        case Cylinder() | Capsule():
            wide = 2 * shape.radius
            ends = (-1, 1) if isinstance(shape, Capsule) else ()
            tips = [at @ Pose(position=(0.0, 0.0, end * shape.length / 2)) for end in ends]
            return [(_BARREL, at, (wide, wide, shape.length), []), *((_BALL, tip, (wide,) * 3, []) for tip in tips)]
        case ConvexMesh():
            corners = [shape.vertices[k] for triangle in shape.triangles for k in triangle]
            return [(_TRIANGLES, at, (1.0, 1.0, 1.0), corners)]
    raise TypeError(f"no marker for {shape!r:.60}")


def write_trajectory(run: Run, world: World, file: TextIO) -> None:
    """trajectory_msgs/msg/JointTrajectory as YAML, as `ros2 topic pub` and controllers' actions take it: the joints
    with one coordinate at all recorded times, from the first on."""
    joints = single_joints(run, world)
    if not joints:
        raise RunFolderError(f"{run.path}: no joint of it has one coordinate: there is no joint trajectory")
    t, q, v, effort = _joint_rows(run, joints)
    kept = [0, *(k for (j, k) in pairwise(range(len(t))) if t[k] > t[j])]  # controllers want times that increase
    file.write("header:\n  stamp: {sec: 0, nanosec: 0}\n  frame_id: ''\njoint_names:\n")
    file.writelines(f"- {json.dumps(name, ensure_ascii=False)}\n" for name in joints)
    file.write("points:\n")
    for k in kept:
        at = stamp(float(t[k] - t[0]))
        file.write(f"- positions: {_yaml(q[k])}\n  velocities: {_yaml(v[k])}\n  accelerations: []\n")
        file.write(f"  effort: {_yaml(effort[k])}\n")
        file.write(f"  time_from_start: {{sec: {at['sec']}, nanosec: {at['nanosec']}}}\n")


def _yaml(values: np.ndarray) -> str:
    return f"[{', '.join(repr(x) for x in values.tolist())}]"


def _nanoseconds(t: float) -> int:
    return max(0, round(t * 1e9))


def stamp(t: float) -> dict[str, int]:
    """A time (s) as ROS has it."""
    sec, nanosec = divmod(_nanoseconds(t), 1_000_000_000)
    return {"sec": sec, "nanosec": nanosec}


def _xyz(values: Any) -> dict[str, float]:
    return dict(zip("xyz", map(float, values), strict=True))


def _turn(wxyz: Any) -> dict[str, float]:
    return dict(zip("wxyz", map(float, wxyz), strict=True))
