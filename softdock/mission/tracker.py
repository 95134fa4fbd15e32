"""The part `TargetTracker`: from a camera's frames to the target's motion, and a forecast of it."""

from itertools import groupby
from time import perf_counter
from typing import Any

import numpy as np

from softdock.estimation import Filter, Forecast, RunAway, TargetEstimator, isotropic
from softdock.estimation.layouts import MOTION, TARGET_ERROR
from softdock.estimation.target import PATIENCE
from softdock.mission.camera import Camera, LaserCamera, PoseCamera, Seen, surface_of
from softdock.mission.craft import Crafts
from softdock.mission.misalignment import Correction
from softdock.mission.part import Part, PartError
from softdock.mission.phase import Unsure
from softdock.planning.intercept import Moving
from softdock.runs.ledger import Columns
from softdock.sensing import Registration, Surface
from softdock.spatial import matrix_of_quaternion
from softdock.tracking.follower import Follower
from softdock.world import Pose

_MOTION = MOTION.places()
_OFFSET = TARGET_ERROR.places().flat.offset
LAST, MOST = 60, 1 / 2
"""The newest poses, and the share of them that the filter may have refused."""
RECENT, AGAIN, UNPUSHED = 240, 3, 2
"""The newest poses (two a second, as long as the batch looks back), and how often among them a filter may not be found
wrong, by a craft with thrusters and by one without. A push explains one time: plumes, a burn. Where the model is
wrong, an estimate that is made anew fits for some seconds, and few poses are refused."""
OFF_CENTER, MISPLACED = 0.03, 4.0
"""How well a model has the centre of mass (m, along each axis); deviations, of that and of the estimate, beyond which
the target is not where its pose has it."""
SHOWN = 250
"""Points of a scan that are recorded."""
MEASURED = {
    "t": "s", "x": "m", "y": "m", "z": "m", "qw": "-", "qx": "-", "qy": "-", "qz": "-", "sigma_position": "m",
    "sigma_angle": "rad", "accepted": "-", "nis": "-", "rms": "-",
}  # fmt: skip


class TargetTracker(Part):
    """Estimates how the target of a camera moves, by the pose of its frame `handle`, in the camera's craft's A.

    Scans are registered against `model`, which is the surface of the target's shapes unless given. `estimator` is
    softdock's unless given. Of the craft's own attitude and place, what is not known is taken to be `pointing` (rad)
    and `place` (m) about and along each axis: measurements are as much less sure. A laser camera that sees its own
    craft elsewhere than it should is turned: forecasts are corrected for that, from when it is sure. `center` (m) is
    where the target's centre of mass is believed to be in its body's frame (`refuse_misplaced`, with that estimator).
    """

    def __init__(
        self,
        camera: Camera,
        handle: str,
        *,
        model: Surface | None = None,
        estimator: Filter | None = None,
        pointing: float = 0.0,
        place: float = 0.0,
        center: tuple[float, float, float] | None = None,
    ) -> None:
        self._own = pointing, place
        self._center = center
        self.camera, self.handle_name, self._model, self._given = camera, handle, model, estimator
        self.last_seen = np.nan
        """Time stamp (s) of the newest frame that was used."""
        self.middle: np.ndarray | None = None
        """Of the newest scan's points, in A: where the target is, to within its size, even if its pose is not known."""
        self.is_fresh = False
        """Did a frame arrive in this period?"""
        self.is_held = False
        """Is the target held? Then it does not move by itself, and frames say nothing of how it would."""
        self.rows: list[dict[str, float]] = []
        self.scans: list[tuple[float, np.ndarray]] = []
        self.milliseconds: list[float] = []
        """Of each registration."""
        self._forecasts: dict[tuple[float, Pose | None], Forecast] = {}
        self._motions: dict[float, Moving] = {}
        self._placed: dict[float, np.ndarray] = {}
        self._correction: Correction | None = None

    def fit(self, crafts: Crafts) -> None:
        if not isinstance(self.camera, Camera) or not hasattr(self.camera, "body"):
            raise PartError(f"{self.name}: its camera must be a part of the mission, named before it")
        frame = crafts.world.frame(self.handle_name) if self._is_there(crafts) else None
        if frame is None or frame.body != self.camera.target:
            raise PartError(f"{self.name}: the target {self.camera.target!r} has no frame {self.handle_name!r}")
        if isinstance(self.camera, PoseCamera) and self.camera.of != self.handle_name:
            raise PartError(f"{self.name}: its camera sees {self.camera.of!r}, not {self.handle_name!r}")
        self.handle = frame.placement
        """C in B."""
        self._X_CB = self.handle.inverse().matrix()
        self.estimator = self._given or TargetEstimator(self.camera.craft.n)
        self.follower: Follower | None = None
        if isinstance(self.camera, LaserCamera):
            model = self._model or self.camera._surface or surface_of(self.camera.body)
            self.follower = Follower(self.estimator, model, self.handle)

    def _is_there(self, crafts: Crafts) -> bool:
        return any(frame.name == self.handle_name for frame in crafts.world.frames)

    # --- frames arrive -----------------------------------------------------------------------------

    def update(self, t: float) -> None:
        self.is_fresh = False
        for seen in self.camera.arrived(t):
            if not self.is_held:
                self._use(seen)

    def _use(self, seen: Seen) -> None:
        frame, found = seen.frame, None
        if frame.pose is not None and frame.covariance is not None:
            measured = seen.view.measured(frame.t, frame.pose, frame.covariance)
        else:
            registered = self._registered(seen)
            if registered is None:
                return
            measured, found = registered
        update = self.estimator.update(self._with_own(measured, seen))
        self.is_fresh, self.last_seen = True, frame.t
        if isinstance(self.camera, LaserCamera):
            self._correction = self.camera.misalignment.correction(seen.view)
        for known in (self._forecasts, self._motions, self._placed):
            known.clear()
        self._note(measured, found, update)

    def _with_own(self, measured: Any, seen: Seen) -> Any:
        """A measurement that is also as unsure as the craft's own pose."""
        pointing, place = self._own
        if not (pointing or place):
            return measured
        away = float(np.linalg.norm(np.asarray(measured.position) - seen.view.p_AK))
        own = isotropic(float(np.hypot(pointing * away, place)), pointing)
        return measured._replace(covariance=np.asarray(measured.covariance) + own)

    def _registered(self, seen: Seen) -> Any:
        assert seen.frame.scan is not None and self.follower
        scan, (R_AK, p_AK, *_) = seen.frame.scan, seen.view
        self.scans.append((scan.time, seen.center + (p_AK + scan.points @ R_AK.T) @ seen.R_WA.T))
        if len(scan):
            self.middle = p_AK + R_AK @ np.median(scan.points.T.copy(), axis=1, overwrite_input=True)
        if seen.frame.guess is not None:
            self.follower.last = seen.view.from_camera(seen.frame.guess)
        began = perf_counter()
        found = self.follower.measure(scan, seen.view)
        self.milliseconds.append(1e3 * (perf_counter() - began))
        return found

    def _note(self, measured: Any, found: Registration | None, update: Any) -> None:
        covariance = np.asarray(measured.covariance)
        values = (
            measured.t, *measured.position, *measured.quaternion, float(np.sqrt(np.trace(covariance[3:, 3:]))),
            float(np.sqrt(np.trace(covariance[:3, :3]))), float(update.accepted), update.nis,
            found.quality.rms if found else np.nan,
        )  # fmt: skip
        self.rows.append(dict(zip(MEASURED, values, strict=True)))

    # --- what is believed --------------------------------------------------------------------------

    @property
    def accepted(self) -> int:
        """Poses that the estimator used."""
        return self.estimator.accepted

    def seen_before(self, t: float) -> float:
        """Time stamp (s) of the last frame until time t that was used; NaN if there was none."""
        return float(max((row["t"] for row in self.rows if row["t"] <= t), default=np.nan))

    def forecast(self, t: float, frame: Pose | None = None) -> Forecast:
        """The handle, or a frame placed in it, at time t by the present estimate, in A."""
        key = round(float(t), 6), frame
        if key not in self._forecasts:
            there = self.estimator.forecast(t, frame)
            self._forecasts[key] = self._correction.of_forecast(there) if self._correction else there
        return self._forecasts[key]

    def handle_at(self, t: float) -> Moving:
        """Its motion, as planners take it."""
        key = round(float(t), 6)
        if key not in self._motions:
            shown = self.estimator.expected(t)
            R = matrix_of_quaternion(shown[_MOTION.quaternion])
            turning = R @ shown[_MOTION.angular_velocity]
            there = Moving(R, shown[_MOTION.position], shown[_MOTION.velocity], turning)
            self._motions[key] = self._correction.of_motion(there) if self._correction else there
        return self._motions[key]

    def placed_at(self, t: float) -> np.ndarray:
        """The target's body at time t, in A, as a matrix (4, 4)."""
        key = round(float(t), 6)
        if key not in self._placed:
            handle, X = self.handle_at(t), np.eye(4)
            X[:3, :3], X[:3, 3] = handle.R, handle.p
            self._placed[key] = X @ self._X_CB
        return self._placed[key]

    def body_at(self, t: float) -> Pose:
        """The target's body at time t, in A."""
        X = self.placed_at(t)
        return Pose.of(X[:3, :3], X[:3, 3])

    def surer_than(self, position: float, angle: float, ahead: float) -> Any:
        """A condition for `Wait`: is the forecast of the handle, `ahead` seconds ahead, known to within these root mean
        square errors (m, rad)?"""

        def is_sure(t: float) -> bool:
            if not self.accepted:
                return False
            try:
                there = self.forecast(t + ahead)
            except RunAway:
                return False
            return bool(there.position_sigma <= position and there.angle_sigma <= angle)

        return is_sure

    @property
    def resized(self) -> str:
        """What scans say of the model's size, if it is wrong; else nothing."""
        if not (self.follower and self.follower.is_resized):
            return ""
        part = self.follower.larger.part
        told = f"{100 * abs(part):.2g} % {'larger' if part > 0 else 'smaller'}"
        return f"scans say that the target is {told} than its model, so that poses are not to be believed"

    def refuse_contradicted(self, t: float) -> None:
        """A guard: `Unsure` if the filter refused more than half of the newest poses, or was found wrong again and
        again: it refused so many in a row that its estimate was made anew; or if its model is of the wrong size."""
        if told := self.resized:
            raise Unsure(told)
        refused = [not row["accepted"] for row in self.rows[-RECENT:]]
        again = AGAIN if self.camera.craft.pilot else UNPUSHED
        if sum(refused[-LAST:]) > MOST * LAST or found_wrong(refused) >= again:
            raise Unsure("many of the last poses contradict the estimate, so its covariance is not to be believed")

    def refuse_misplaced(self, t: float) -> None:
        """A guard: `Unsure` if the target turns about a point that is not where its model has the centre of mass. Its
        pose may then be another that looks alike: scans do not tell, and its motion explains itself by either."""
        if self._center is None or not self.accepted or not isinstance(self.estimator, TargetEstimator):
            return
        estimate, P = self.estimator.estimate(), self.estimator.covariance[_OFFSET, _OFFSET]
        apart = estimate.offset - self.handle.rotation.T @ (np.asarray(self.handle.position) - self._center)
        if apart @ np.linalg.solve(P + np.eye(3) * OFF_CENTER**2, apart) > MISPLACED**2:
            told = f"the target turns about a point {np.linalg.norm(apart):.2g} m from its model's centre of mass"
            raise Unsure(f"{told}: it may be turned by one of the symmetries of what is seen")

    def tables(self) -> dict[str, Columns]:
        found: dict[str, Columns] = {}
        if self.rows:
            found["measurements"] = {
                key: (np.array([row[key] for row in self.rows], float), unit) for key, unit in MEASURED.items()
            }
        if self.scans:
            thin = [(t, points[:: max(1, len(points) // SHOWN)]) for t, points in self.scans]
            points = np.concatenate([part for _, part in thin])
            times = np.concatenate([np.full(len(part), t) for t, part in thin])
            found["scan"] = {"t": (times, "s"), **{axis: (points[:, k], "m") for k, axis in enumerate("xyz")}}
        return found


def found_wrong(refused: list[bool]) -> int:
    """How many times at least PATIENCE poses were refused in a row; stray ones hardly ever are."""
    return sum(is_refused and len(list(run)) >= PATIENCE for is_refused, run in groupby(refused))
