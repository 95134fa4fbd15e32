"""What the chaser of 'capture' sees: frames of the laser camera (or noisy poses), registered, for the filter."""

from dataclasses import dataclass, field
from time import perf_counter
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from softdock.estimation import Filter, PoseMeasurement, Update, isotropic
from softdock.sensing import LaserCamera, Noise, Registration, Scan, Surface, raster
from softdock.spatial import four, quaternion_of_vector, quaternion_product
from softdock.tracking.follower import Follower
from softdock.tracking.viewpoint import Viewpoint
from softdock.world import Pose
from softdock.world.describe import Described
from softdock.world.joints import NonNegative
from softdock.world.shapes import Positive

Fraction = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=2)]


class Vision(Described):
    """`pose` "scan": scans of the target's mesh, registered. "ideal": the handle's true pose with noise of `position`
    (m) and `angle` (rad) along each axis, of which a fraction `outliers` is anywhere within 1 m and half a turn.
    `noise` (m), if given, stands for `position` and for the camera's `range`.

    Frames come every `period` seconds; a fraction `dropped` is lost; the rest arrives `latency` seconds late, with its
    stamp. `start` says what is known before the first scan: "guess", a pose within about 5° and 5 cm, or "unknown".
    """

    pose: Literal["scan", "ideal"] = "scan"
    period: Positive = 0.5
    latency: NonNegative = 0.3
    dropped: Fraction = 0.0
    outliers: Fraction = 0.0
    position: Positive = 0.005
    angle: Positive = 0.00873
    noise: Positive | None = None
    start: Literal["guess", "unknown"] = "guess"

    @property
    def scatter(self) -> float:
        """Of ideal positions along each axis (m)."""
        return self.noise or self.position


class Camera(Described):
    """A raster of `rows` by `columns` rays over `field` (rad) in `duration` seconds; `range` noise (m); `dropout` is
    the fraction of rays without return. `model_scale` is the registered model's size over the true target's."""

    rows: Count = 64
    columns: Count = 64
    field: tuple[Positive, Positive] = (1.1, 1.1)
    duration: NonNegative = 0.4
    range: NonNegative = 0.002
    dropout: Fraction = 0.0
    model_scale: Annotated[float, Field(gt=0.5, lt=2.0)] = 1.0


class Occlusion(Described):
    """The camera sees nothing from `start` (s) on; the gripper closes `length` seconds later or after that."""

    start: Positive = 96.0
    length: NonNegative = 20.0


class ChaserState(NamedTuple):
    """What the chaser knows of itself at a time: A in W with its motion, and the camera in A."""

    t: float
    R_WA: np.ndarray
    center: np.ndarray
    """Of mass, the origin of A, in W."""
    drift: np.ndarray
    """Its velocity in W."""
    camera: Viewpoint


class PendingFrame(NamedTuple):
    """A frame on its way to the filter."""

    due: float
    chaser: ChaserState
    scan: Scan | None
    pose: PoseMeasurement | None


@dataclass
class Log:
    """What became of the frames."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    scans: list[tuple[float, np.ndarray]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    """Of each registration."""


class VisionSystem:
    """The camera, the registration, and the filter that they feed."""

    def __init__(
        self, vision: Vision, camera: Camera, surface: Surface, model: Surface, handle: Pose, estimator: Filter,
        seeds: list[np.random.SeedSequence],
    ) -> None:  # fmt: skip
        self.vision, self.handle, self.estimator = vision, handle, estimator
        draws = [np.random.default_rng(seed) for seed in seeds]
        self._frames, self._noise = draws[0], draws[1]
        pattern = raster(camera.rows, camera.columns, camera.field, camera.duration)
        noise = Noise(vision.noise or camera.range, vision.outliers if vision.pose == "scan" else 0.0, camera.dropout)
        self.camera = LaserCamera(surface, pattern, noise, rng=draws[2])
        self._pending: list[PendingFrame] = []
        self.follower = Follower(estimator, model, handle)
        self._unguessed = vision.start == "guess"
        self.log = Log()

    # --- a frame is taken ------------------------------------------------------------------------

    def observe(self, chaser: ChaserState, body: Pose, v: np.ndarray, w: np.ndarray) -> None:
        """Take a frame of the target: at `body` (B in A) with velocity v (in A) and spin w (in B, against A)."""
        dropped = bool(self._frames.random() < self.vision.dropped)
        due = chaser.t + self.vision.latency
        if self.vision.pose == "ideal":
            measured = self._noisy(chaser.t, body @ self.handle)
            if not dropped:
                self._pending.append(PendingFrame(due, chaser, None, measured))
            return
        if self._unguessed:
            self.follower.last, self._unguessed = self._guess(body), False
        if not dropped:
            scan = self.camera.scan(chaser.camera.in_camera(body), chaser.camera.rates(body, v, w), chaser.t)
            self._pending.append(PendingFrame(due, chaser, scan, None))

    def _noisy(self, t: float, truth: Pose) -> PoseMeasurement:
        vision, rng = self.vision, self._noise
        stray = rng.random() < vision.outliers
        off, turn = rng.normal(0, vision.scatter, 3), rng.normal(0, vision.angle, 3)
        wild, far = rng.uniform(-1.0, 1.0, 3), rng.uniform(-np.pi / 2, np.pi / 2, 3)
        if stray:
            off, turn = wild, far
        q = _turned(truth.quaternion, turn)
        return PoseMeasurement(t, truth.position + off, np.array(q), isotropic(vision.scatter, vision.angle))

    def _guess(self, body: Pose) -> Pose:
        off, turn = self._noise.normal(0, 0.03, 3), self._noise.normal(0, np.radians(3.0), 3)
        x, y, z = (np.asarray(body.position) + off).tolist()
        return Pose(position=(x, y, z), quaternion=_turned(body.quaternion, turn))

    # --- and arrives -----------------------------------------------------------------------------

    def arrived(self, t: float) -> list[tuple[PoseMeasurement, Update]]:
        """Give all frames that are due by now to the filter."""
        ready = [seen for seen in self._pending if seen.due <= t + 1e-9]
        self._pending = [seen for seen in self._pending if seen.due > t + 1e-9]
        used = []
        for seen in ready:
            measured, found = (seen.pose, None) if seen.pose else self._registered(seen) or (None, None)
            if measured is None:
                continue
            update = self.estimator.update(measured)
            self._note(measured, found, update)
            used.append((measured, update))
        return used

    @property
    def waiting(self) -> bool:
        """Are frames on their way?"""
        return bool(self._pending)

    def _registered(self, seen: PendingFrame) -> tuple[PoseMeasurement, Registration] | None:
        assert seen.scan is not None
        scan, chaser = seen.scan, seen.chaser
        R_AK, p_AK, *_ = chaser.camera
        self.log.scans.append((scan.time, chaser.center + (p_AK + scan.points @ R_AK.T) @ chaser.R_WA.T))
        began = perf_counter()
        found = self.follower.measure(scan, chaser.camera)
        self.log.milliseconds.append(1e3 * (perf_counter() - began))
        return found

    def _note(self, measured: PoseMeasurement, found: Registration | None, update: Update) -> None:
        covariance = np.asarray(measured.covariance)
        self.log.rows.append(
            {
                "t": measured.t, "x": measured.position[0], "y": measured.position[1], "z": measured.position[2],  # type: ignore[index]
                **{f"q{name}": value for name, value in zip("wxyz", measured.quaternion, strict=True)},  # type: ignore[arg-type]
                "sigma_position": float(np.sqrt(np.trace(covariance[3:, 3:]))),
                "sigma_angle": float(np.sqrt(np.trace(covariance[:3, :3]))),
                "accepted": float(update.accepted), "nis": update.nis,
                "rms": found.quality.rms if found else np.nan,
            }
        )  # fmt: skip


def _turned(q: tuple[float, float, float, float], turn: np.ndarray) -> tuple[float, float, float, float]:
    return four(quaternion_product(q, quaternion_of_vector(turn)))
