"""`softdock track`: the estimator on someone's own data, a file of poses or a folder of scans with a model."""

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from softdock.estimation import (
    History,
    PoseMeasurement,
    RunAway,
    TargetEstimator,
    principal,
    read_poses,
    track,
    write_poses,
)
from softdock.runs.recorder import refuse_used, write_json
from softdock.sensing import UNKNOWN, HypothesisTracker, Scan, Surface, acquire, read_scans
from softdock.tracking.follower import Follower
from softdock.tracking.stamps import ordered
from softdock.world import Pose

AHEAD = 20.0
"""Seconds of the forecast in the summary."""
TRIES = 10
"""Scans in which a start is looked for; each takes a second."""


UNITS = {
    "rows": ("-", "lines of the file"),
    "scans": ("-", "files of the folder"),
    "measurements": ("-", "poses that could be read or registered"),
    "accepted": ("-", "of these, how many the estimator used"),
    "rejected": ("-", "why it did not use others"),
    "from": ("s", "time of the first measurement"),
    "to": ("s", "time of the last"),
    "angular_velocity": ("rad/s", "of the target, in its own frame"),
    "center_to_frame": ("m", "from the centre of mass to the measured frame"),
    "inertia_ratios": ("-", "principal moments of inertia, relative to the largest"),
    "noise_scales": ("-", "noise found, relative to the noise declared"),
    "forecast": ("", f"pose of the measured frame {AHEAD:g} s after the last measurement"),
    "forecast.t": ("s", "when"),
    "forecast.position": ("m", "where"),
    "forecast.quaternion": ("-", "w x y z"),
    "forecast.position_sigma": ("m", "one standard deviation"),
    "forecast.angle_sigma": ("rad", "one standard deviation"),
}
"""Of the summary, with its meaning."""


class Tracked(NamedTuple):
    """What came out: one row for each measurement, a summary, and the measurements themselves."""

    history: History
    summary: dict[str, Any]
    measurements: list[PoseMeasurement]

    @property
    def mostly_refused(self) -> str:
        """What was not used and why, if that is more than half of all that there was; else nothing."""
        summary = self.summary
        total = summary.get("rows", summary.get("scans", summary["measurements"]))
        if 2 * summary["accepted"] >= total:
            return ""
        tables = [summary.get(key, {}) for key in ("dropped", "refused", "rejected")]
        told = "; ".join(f"{count}: {reason}" for table in tables for reason, count in table.items())
        return f"only {summary['accepted']} of {total} could be used ({told})"


def tracked(source: Path, model: Path | None = None, *, period: float = 0.0, scale: float = 1.0) -> Tracked:
    """The estimator over a CSV file of poses, or over a folder of scans of a target whose shape is `model`.

    `period` (s) is the orbit's; without one the target is taken to be free of gravity. Scans are in the camera's frame,
    which then stands for {A} (docs/estimation.md). ValueError, with one line, if something cannot be used.
    """
    if not (np.isfinite(period) and period >= 0):
        raise ValueError(f"the orbit's period must be a number of seconds, not {period}")
    estimator = TargetEstimator(2 * np.pi / period if period else 0.0)
    if not os.path.isdir(source):
        read = read_poses(source)
        poses, stamps = ordered(read)
        if not poses:
            raise ValueError(f"{source}: none of {len(read)} rows has a time that can be used")
        return _told(track(poses, estimator), estimator, poses, {"rows": len(read), **stamps})
    if model is None:
        raise ValueError(f"{source}: a folder of scans needs --model FILE, the target's shape")
    scans, surface = read_scans(source), Surface(str(model), scale)
    first, start, hypotheses = _acquired(scans, surface)
    follower, poses = Follower(estimator, surface, last=start), []
    for scan in scans[first:]:
        if measured := follower.measure(scan):
            poses.append(measured[0])
            estimator.update(measured[0])
    if not poses:
        reasons = "; ".join(f"{count}: {reason}" for reason, count in follower.refused.items())
        raise ValueError(f"{source}: none of {len(scans)} scans could be registered ({reasons})")
    fresh = TargetEstimator(estimator.model.n)
    registered = {"scans": len(scans), "registered": len(poses), "refused": dict(follower.refused)}
    registered |= {"hypotheses": hypotheses}
    return _told(track(poses, fresh), fresh, poses, registered)


def _acquired(scans: list[Scan], surface: Surface) -> tuple[int, Pose, int]:
    """The first scan of which one pose is known to be right (scans after it may have shown which), and the pose. Where
    that is not among `TRIES`, the best pose of the first scan that any explains, and how many do: the target may be
    turned by one of its symmetries."""
    best: tuple[int, Pose, int] | None = None
    tracker = HypothesisTracker()
    for k, scan in enumerate(scans[:TRIES]):
        found = acquire(scan, surface, spread=UNKNOWN)
        if tracker.update(found):
            return tracker.began, tracker.trail[0], 1
        if found and best is None:
            best = k, found[0].registration.pose, len(found)
    if best is None:
        raise ValueError(f"no pose of the model explains any of the first {len(scans[:TRIES])} scans")
    return best


def _told(
    history: History, estimator: TargetEstimator, poses: list[PoseMeasurement], registered: dict[str, Any]
) -> Tracked:
    if not estimator.accepted:
        reasons = "; ".join(f"{count}: {reason}" for reason, count in estimator.rejected.items())
        raise ValueError(f"no measurement could be used ({reasons})")
    now = estimator.estimate()
    summary = {
        **registered,
        "measurements": len(poses),
        "accepted": estimator.accepted,
        "rejected": dict(estimator.rejected),
        "from": float(history.t[0]),
        "to": float(estimator.time),
        "angular_velocity": now.angular_velocity.tolist(),
        "center_to_frame": now.offset.tolist(),
        "inertia_ratios": principal(now.inertia).ratios.tolist(),
        "noise_scales": estimator.scales.tolist(),
        "assumed": _assumed(estimator),
        "forecast": _forecast(estimator),
    }
    return Tracked(history, summary, poses)


def _assumed(estimator: TargetEstimator) -> dict[str, Any]:
    """What the poses asked for beyond a rigid body that nothing disturbs, seen with white noise."""
    found, now = estimator.explained, estimator.estimate()
    told: dict[str, Any] = {"disturbing_acceleration": now.acceleration.tolist(), "offset_rate": now.drift.tolist()}
    if found and found.colour.share > 0:
        told["correlated_noise"] = {"share": found.colour.share, "seconds": found.colour.tau}
    if found and found.inflated > 1:
        told["deviations_widened_by"] = found.inflated
    return told


def _forecast(estimator: TargetEstimator) -> dict[str, Any]:
    try:
        ahead = estimator.forecast(estimator.time + AHEAD)
    except RunAway as error:
        return {"refused": str(error)}
    return {
        "t": ahead.t,
        "position": ahead.position.tolist(),
        "quaternion": ahead.quaternion.tolist(),
        "position_sigma": ahead.position_sigma,
        "angle_sigma": ahead.angle_sigma,
    }


def save(found: Tracked, folder: Path) -> list[Path]:
    """Write estimates.csv, poses.csv, summary.json and track.png to a new or empty folder."""
    from softdock.figures.track import tracking

    refuse_used(folder)
    folder.mkdir(parents=True, exist_ok=True)
    columns = found.history.columns()
    table = np.column_stack([np.asarray(column, float) for column in columns.values()])
    files = [folder / name for name in ("estimates.csv", "poses.csv", "summary.json", "track.png")]
    np.savetxt(files[0], table, delimiter=",", header=",".join(columns), comments="")
    write_poses(files[1], found.measurements)
    write_json(files[2], found.summary)
    tracking(found.history, [np.asarray(one.position, float) for one in found.measurements]).savefig(files[3])
    return files
