"""What a run of 'capture' leaves beside what its parts do: estimates, tracking, camera."""

from typing import Any

import numpy as np

from softdock.estimation import Forecast, nees, pose_error, principal
from softdock.mission.conductor import Conductor, Observer
from softdock.mission.craft import Craft, turned_hill
from softdock.mission.grasping import Fit, fit_of
from softdock.mission.part import Truth
from softdock.runs.ledger import Columns
from softdock.scenarios.capture.craft import CAMERA, GRIPPER, HANDLE_FRAME
from softdock.spatial import four, quaternion_of_matrix, quaternion_product, upward
from softdock.world import Pose

EVERY = 0.5
"""Seconds between two rows."""
REACHING = ("approach", "align")
"""Phases in which the arm goes to where it waits, and behind the handle."""
UNITS = {"rx": "rad", "ry": "rad", "rz": "rad", "x": "m", "y": "m", "z": "m"}
POSE = {"t": "s", "x": "m", "y": "m", "z": "m", "qw": "-", "qx": "-", "qy": "-", "qz": "-"}
ESTIMATED = (
    POSE
    | {f"sigma_{axis}": "m" for axis in "xyz"}
    | {f"error.{name}": unit for name, unit in UNITS.items()}
    | {f"bound.{name}": unit for name, unit in UNITS.items()}
    | {f"moment.{k}": "of the trace" for k in (1, 2, 3)}
    | {"nees": "χ²", "forecast_position": "m", "forecast_angle": "rad"}
)
TRACKED = {"t": "s"} | {f"{what}.{axis}": "m" for what in ("handle", "estimate", "gripper") for axis in "xyz"}
SEEN = POSE | {"occluded": "-"}


class Notes(Observer):
    """Rows of the tables, taken as the run goes; it sees truth and belief, and no part sees it."""

    def __init__(self, conductor: Conductor, period: float) -> None:
        self._conductor, parts = conductor, dict[str, Any](conductor.parts)
        self.nav, self.hand, self.chase = parts["nav"], parts["hand"], parts["chase"]
        self.craft: Craft = self.nav.camera.craft
        self._back = self.nav.handle.inverse()
        self._period, self._step = period, max(1, round(EVERY / period))
        self.estimates: list[dict[str, float]] = []
        self.tracking: list[dict[str, float]] = []
        self.camera: list[dict[str, float]] = []
        self.forecast_error: dict[str, float] | None = None
        """Of the handle's pose when the gripper had closed: m, rad."""
        self.forecast_sigma: dict[str, float] | None = None
        self.forecast_nees: float | None = None
        """Of that forecast, of 6."""
        self.fit: Fit | None = None
        """Of the gripper on its grasp, when it closed and nothing had touched the bar yet."""
        self._untouched: np.ndarray | None = None
        self.reach_effort = 0.0
        """∫ Σ u² dt of the joints in the phases `REACHING` (N² m² s)."""

    def observe(self, truth: Truth) -> None:
        """Rows at the present time."""
        t = truth.t
        self._watch_closing(truth)
        if self._conductor.phase in REACHING:
            u = self.chase.arm.commanded
            self.reach_effort += self._period * float(u @ u)
        if self.hand.closed_at == t:
            self._compare(t, self._handle(truth))
        if round(t / self._period) % self._step:
            return
        craft, view = self.craft, self.craft.viewpoint(CAMERA)
        R_WA, (center, _) = turned_hill(craft.n, t), craft.center()
        q_WK = four(upward(quaternion_of_matrix(R_WA @ view.R_AK)))
        eye = Pose(position=_tuple(center + R_WA @ view.p_AK), quaternion=q_WK)
        self.camera.append(_pose_row(t, eye) | {"occluded": float(self.nav.camera.is_blocked(t))})
        handle = self._handle(truth)
        gripper = R_WA.T @ (truth.dynamics.pose(GRIPPER, truth.q)[1] - center)
        believed = np.full(3, np.nan)
        if self.nav.accepted and not self.hand.holds:
            now = self.nav.forecast(t)
            believed = now.position
            self.estimates.append(self._estimate(t, handle, now))
        self.tracking.append(
            {"t": t} | _axes("handle", handle.position) | _axes("estimate", believed) | _axes("gripper", gripper)
        )

    def _watch_closing(self, truth: Truth) -> None:
        """How the gripper fits while it closes, until a finger has pushed: that moves what it is to hold."""
        if self._conductor.phase != "close" or truth.impulses is None:
            self._untouched = None
            return
        if self._untouched is None:
            self._untouched = truth.impulses.copy()
        if np.array_equal(truth.impulses, self._untouched):
            self.fit = fit_of(truth, GRIPPER, HANDLE_FRAME, self.chase.intercept.grasp)

    def _handle(self, truth: Truth) -> Pose:
        """The true handle in A."""
        R_WA, (center, _) = turned_hill(self.craft.n, truth.t), self.craft.center()
        R, p = truth.dynamics.pose(HANDLE_FRAME, truth.q)
        return Pose.of(R_WA.T @ R, R_WA.T @ (p - center))

    def _compare(self, t: float, handle: Pose) -> None:
        there = self.nav.forecast(t)
        error = pose_error((there.position, there.quaternion), (handle.position, handle.quaternion))
        self.forecast_error = {
            "position": float(np.linalg.norm(error[3:])), "angle": float(np.linalg.norm(error[:3])),
        }  # fmt: skip
        self.forecast_sigma = {"position": there.position_sigma, "angle": there.angle_sigma}
        self.forecast_nees = nees(error, there.covariance)

    def _estimate(self, t: float, handle: Pose, now: Forecast) -> dict[str, float]:
        craft, estimator = self.craft, self.nav.estimator
        R_WA, (center, _) = turned_hill(craft.n, t), craft.center()
        there = self.nav.forecast(t, self._back)
        error = pose_error((now.position, now.quaternion), (handle.position, handle.quaternion))
        spread = 3 * np.sqrt(now.covariance.diagonal())
        half = craft.n * t / 2
        q_WB = quaternion_product((np.cos(half), 0.0, 0.0, np.sin(half)), there.quaternion)
        at = center + R_WA @ there.position
        moments = principal(estimator.estimate().inertia).moments
        sigma = np.sqrt((R_WA @ there.covariance[3:, 3:] @ R_WA.T).diagonal())
        planned = self.chase.intercept
        ahead = self.nav.forecast(planned.closed) if planned and t < planned.closed else None
        return (
            _pose_row(t, Pose(position=_tuple(at), quaternion=four(q_WB)))
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
        rows = self.nav.rows
        begin = rows[9]["t"] if len(rows) > 9 else np.inf
        errors = [row["nees"] for row in self.estimates if begin <= row["t"] <= self.nav.last_seen + EVERY]
        innovations = [row["nis"] for row in rows[9:] if row["accepted"] and np.isfinite(row["nis"])]
        return {
            "nees_mean": float(np.mean(errors)) if errors else None,
            "nis_mean": float(np.mean(innovations)) if innovations else None,
        }

    def tables(self) -> dict[str, Columns]:
        """All tables that have rows."""
        found: dict[str, Columns] = {}
        for name, rows, units in (
            ("estimates", self.estimates, ESTIMATED),
            ("tracking", self.tracking, TRACKED),
            ("camera", self.camera, SEEN),
        ):
            if rows:
                found[name] = {key: (np.array([row[key] for row in rows], float), unit) for key, unit in units.items()}
        return found


def _pose_row(t: float, pose: Pose) -> dict[str, float]:
    return dict(zip(POSE, (t, *pose.position, *pose.quaternion), strict=True))


def _axes(name: str, x: Any) -> dict[str, float]:
    return {f"{name}.{axis}": float(value) for axis, value in zip("xyz", x, strict=True)}


def _tuple(x: np.ndarray) -> Any:
    return tuple(np.asarray(x, float).tolist())
