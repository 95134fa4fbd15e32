"""Joint motions of both robots of a laboratory for real arms: CSV, and ROS 2's JointTrajectory in MCAP."""

import csv
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from softdock.replay.ros2 import stamp
from softdock.runs.recording import Run

ROBOTS = ("client", "servicer")
_TRAJECTORY = "trajectory_msgs/msg/JointTrajectory"
_DEFINITION = "\n".join(
    [
        "std_msgs/Header header\nstring[] joint_names\ntrajectory_msgs/JointTrajectoryPoint[] points",
        f"{'=' * 80}\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id",
        f"{'=' * 80}\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec",
        f"{'=' * 80}\nMSG: trajectory_msgs/JointTrajectoryPoint\nfloat64[] positions\nfloat64[] velocities\n"
        "float64[] accelerations\nfloat64[] effort\nbuiltin_interfaces/Duration time_from_start",
        f"{'=' * 80}\nMSG: builtin_interfaces/Duration\nint32 sec\nuint32 nanosec",
    ]
)
KINDS = ("position", "velocity", "acceleration", "effort")


class JointMotion(NamedTuple):
    """Of one robot; arrays are (n,) and (n, joints)."""

    joints: tuple[str, ...]
    t: np.ndarray
    """(s)."""
    position: np.ndarray
    """(rad)."""
    velocity: np.ndarray
    """(rad/s)."""
    acceleration: np.ndarray
    """(rad/s²)."""
    effort: np.ndarray
    """(N m)."""


def motion_of(joints: tuple[str, ...], t: np.ndarray, q: np.ndarray, v: np.ndarray, effort: np.ndarray) -> JointMotion:
    """Accelerations are the rates' differences, in the middle."""
    acceleration = np.gradient(v, t, axis=0) if len(t) > 1 else np.zeros_like(v)
    return JointMotion(joints, t, q, v, acceleration, effort)


def columns(motion: JointMotion) -> dict[str, tuple[np.ndarray, str]]:
    """As a run's table, or a CSV log that `softdock compare` reads."""
    units = dict(zip(KINDS, ("rad", "rad/s", "rad/s²", "N m"), strict=True))
    found = {"t": (motion.t, "s")}
    for kind in KINDS:
        values = getattr(motion, kind)
        found |= {f"{kind}.{joint}": (values[:, k], units[kind]) for k, joint in enumerate(motion.joints)}
    return found


def robots_of(run: Run) -> dict[str, JointMotion]:
    """Recorded by a run of 'facility'; ValueError if it is of something else."""
    found = {}
    for robot in ROBOTS:
        if robot not in run.tables:
            raise ValueError(f"{run.path}: has no motion of a {robot}; it must be a finished run of 'facility'")
        table = run.tables[robot]
        joints = tuple(name.removeprefix("position.") for name in table if name.startswith("position."))
        arrays = [np.column_stack([np.asarray(table[f"{kind}.{joint}"]) for joint in joints]) for kind in KINDS]
        found[robot] = JointMotion(joints, np.asarray(table["t"]), *arrays)
    return found


def write_csv(motion: JointMotion, path: Path) -> None:
    """A row a period, with a header that `softdock compare` and `softdock identify` understand."""
    named = columns(motion)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(named)
        writer.writerows(np.column_stack([values for values, _ in named.values()]).tolist())


def message(motion: JointMotion) -> dict[str, Any]:
    """The whole motion as one JointTrajectory, from its first time on."""
    rows = zip(motion.t.tolist(), *(getattr(motion, kind).tolist() for kind in KINDS), strict=True)
    points = [
        {
            "positions": q,
            "velocities": v,
            "accelerations": a,
            "effort": effort,
            "time_from_start": stamp(t - motion.t[0]),
        }
        for t, q, v, a, effort in rows
    ]
    return {"header": {"stamp": stamp(0.0), "frame_id": ""}, "joint_names": list(motion.joints), "points": points}


def write_mcap(motions: dict[str, JointMotion], path: Path) -> None:
    """/ROBOT/joint_trajectory of each; needs mcap-ros2-support (softdock[ros2])."""
    try:
        from mcap_ros2.writer import Writer
    except ImportError:
        raise ValueError("MCAP needs mcap-ros2-support: python -m pip install 'softdock[ros2]'; or --to csv") from None
    with path.open("wb") as file:
        writer = Writer(file)
        schema = writer.register_msgdef(_TRAJECTORY, _DEFINITION)
        for robot, motion in motions.items():
            writer.write_message(
                topic=f"/{robot}/joint_trajectory", schema=schema, message=message(motion), log_time=0, publish_time=0
            )
        writer.finish()
