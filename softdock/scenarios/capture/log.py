"""What a run of 'capture' leaves beside states and ledger: measurements, estimates, tracking, camera, scans."""

from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.estimation import Forecast, nees, pose_error, principal
from softdock.runs.ledger import Columns
from softdock.scenarios.capture.craft import GRIPPER, NQ
from softdock.scenarios.capture.vision import ChaserState
from softdock.spatial import four, quaternion_of_matrix, quaternion_product, upward
from softdock.world import Pose

if TYPE_CHECKING:
    from softdock.scenarios.capture.autonomy import Autonomy

EVERY = 0.5
"""Seconds between two rows."""
SHOWN = 250
"""Points of a scan that are kept for the replay."""
UNITS = {"rx": "rad", "ry": "rad", "rz": "rad", "x": "m", "y": "m", "z": "m"}
POSE = {"t": "s", "x": "m", "y": "m", "z": "m", "qw": "1", "qx": "1", "qy": "1", "qz": "1"}
MEASURED = POSE | {"sigma_position": "m", "sigma_angle": "rad", "accepted": "1", "nis": "1", "rms": "1"}
ESTIMATED = (
    POSE
    | {f"sigma_{axis}": "m" for axis in "xyz"}
    | {f"error.{name}": unit for name, unit in UNITS.items()}
    | {f"bound.{name}": unit for name, unit in UNITS.items()}
    | {f"moment.{k}": "1 (of trace)" for k in (1, 2, 3)}
    | {"nees": "χ²", "forecast_position": "m", "forecast_angle": "rad"}
)
TRACKED = {"t": "s"} | {f"{what}.{axis}": "m" for what in ("handle", "estimate", "gripper") for axis in "xyz"}
SEEN = POSE | {"occluded": "1"}


class Notes:
    """Rows of the tables, taken as the run goes."""

    def __init__(self, autonomy: "Autonomy") -> None:
        self._autonomy = autonomy
        self._back = autonomy.vision.handle.inverse()
        self._step = max(1, round(EVERY / autonomy.period))
        self.estimates: list[dict[str, float]] = []
        self.tracking: list[dict[str, float]] = []
        self.camera: list[dict[str, float]] = []

    def due(self, tick: int) -> bool:
        return tick % self._step == 0

    def take(self, chaser: ChaserState, body: Pose, q: np.ndarray) -> None:
        """Rows at the present time; `body` is the target's true pose in A."""
        autonomy = self._autonomy
        R_WK = chaser.R_WA @ chaser.camera.R_AK
        q_WK = four(upward(quaternion_of_matrix(R_WK)))
        eye = Pose(position=_tuple(chaser.center + chaser.R_WA @ chaser.camera.p_AK), quaternion=q_WK)
        self.camera.append(_pose_row(chaser.t, eye) | {"occluded": float(autonomy.blocked(chaser.t))})
        handle = body @ autonomy.vision.handle
        gripper = chaser.R_WA.T @ (autonomy.control.alone.pose(GRIPPER, q[:NQ])[1] - chaser.center)
        believed = np.full(3, np.nan)
        if autonomy.estimator.accepted and not autonomy.closing.get("captured"):
            now = autonomy.forecast(chaser.t)
            believed = now.position
            self.estimates.append(self._estimate(chaser, handle, now))
        self.tracking.append(
            {"t": chaser.t} | _axes("handle", handle.position) | _axes("estimate", believed) | _axes("gripper", gripper)
        )

    def _estimate(self, chaser: ChaserState, handle: Pose, now: Forecast) -> dict[str, float]:
        autonomy = self._autonomy
        there = autonomy.estimator.forecast(chaser.t, self._back)
        error = pose_error((now.position, now.quaternion), (handle.position, handle.quaternion))
        spread = 3 * np.sqrt(now.covariance.diagonal())
        half = autonomy.control.n * chaser.t / 2
        q_WB = quaternion_product((np.cos(half), 0.0, 0.0, np.sin(half)), there.quaternion)
        at = chaser.center + chaser.R_WA @ there.position
        moments = principal(autonomy.estimator.estimate().inertia).moments
        sigma = np.sqrt((chaser.R_WA @ there.covariance[3:, 3:] @ chaser.R_WA.T).diagonal())
        planned = autonomy.intercept
        ahead = autonomy.forecast(planned.closed) if planned and chaser.t < planned.closed else None
        return (
            _pose_row(chaser.t, Pose(position=_tuple(at), quaternion=four(q_WB)))
            | {f"sigma_{axis}": float(x) for axis, x in zip("xyz", sigma, strict=True)}
            | {f"error.{name}": float(x) for name, x in zip(UNITS, error, strict=True)}
            | {f"bound.{name}": float(x) for name, x in zip(UNITS, spread, strict=True)}
            | {f"moment.{k + 1}": float(x) for k, x in enumerate(moments)}
            | {
                "nees": nees(error, now.covariance),
                "forecast_position": ahead.position_sigma if ahead else np.nan,
                "forecast_angle": ahead.angle_sigma if ahead else np.nan,
            }
        )

    def consistency(self) -> dict[str, float | None]:
        """Mean NEES of the handle's pose while it is seen (of 6), from the tenth measurement on; mean NIS (of 6)."""
        autonomy = self._autonomy
        rows = autonomy.vision.log.rows
        begin = rows[9]["t"] if len(rows) > 9 else np.inf
        errors = [row["nees"] for row in self.estimates if begin <= row["t"] <= autonomy.last_seen + EVERY]
        innovations = [row["nis"] for row in rows[9:] if row["accepted"] and np.isfinite(row["nis"])]
        return {
            "nees_mean": float(np.mean(errors)) if errors else None,
            "nis_mean": float(np.mean(innovations)) if innovations else None,
        }

    def tables(self) -> dict[str, Columns]:
        """All tables that have rows."""
        log = self._autonomy.vision.log
        found: dict[str, Columns] = {}
        for name, rows, units in (
            ("measurements", log.rows, MEASURED),
            ("estimates", self.estimates, ESTIMATED),
            ("tracking", self.tracking, TRACKED),
            ("camera", self.camera, SEEN),
        ):
            if rows:
                found[name] = {key: (np.array([row[key] for row in rows], float), unit) for key, unit in units.items()}
        if log.scans:
            thin = [(t, points[:: max(1, len(points) // SHOWN)]) for t, points in log.scans]
            points = np.concatenate([part for _, part in thin])
            times = np.concatenate([np.full(len(part), t) for t, part in thin])
            found["scan"] = {"t": (times, "s"), **{axis: (points[:, k], "m") for k, axis in enumerate("xyz")}}
        return found


def _pose_row(t: float, pose: Pose) -> dict[str, float]:
    return dict(zip(POSE, (t, *pose.position, *pose.quaternion), strict=True))


def _axes(name: str, x: Any) -> dict[str, float]:
    return {f"{name}.{axis}": float(value) for axis, value in zip("xyz", x, strict=True)}


def _tuple(x: np.ndarray) -> Any:
    return tuple(np.asarray(x, float).tolist())
