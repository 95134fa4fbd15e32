"""Cameras that look at a target: `LaserCamera` scans it, `PoseCamera` sees a frame of it, with noise."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.estimation import isotropic
from softdock.mission.craft import Craft, Crafts, turned_hill
from softdock.mission.hiding import ROOM, InFront
from softdock.mission.keeping_clear import rigid_shapes
from softdock.mission.misalignment import Misalignment
from softdock.mission.part import Part, PartError, Sensor, Truth, refuse_negative
from softdock.sensing import LaserCamera as Laser
from softdock.sensing import Noise, Pattern, Rates, Scan, Surface, raster
from softdock.sensing.surface import surface_of_shapes
from softdock.spatial import cross, four, matrix_of_vector, quaternion_of_vector, quaternion_product
from softdock.tracking.viewpoint import Viewpoint
from softdock.world import Body, Pose
from softdock.world.rigid import lumped

GUESS = (0.03, np.radians(3.0))
"""Standard deviations (m, rad) along each axis of what is known of the pose before the first frame."""
EVENLY = np.array([0.7548776662466927, 0.5698402909980532])
"""1/g and 1/g² with g³ = g + 1: their multiples fill a square evenly (Roberts's sequence)."""


class Frame(NamedTuple):
    """What a camera K delivers: a scan, or the pose of a frame in K with its covariance; at first, about where the
    target's body is in K."""

    t: float
    """Time stamp (s)."""
    scan: Scan | None = None
    pose: Pose | None = None
    covariance: np.ndarray | None = None
    guess: Pose | None = None


class Seen(NamedTuple):
    """A frame, when it arrives, and where the craft believed the camera to be when it was taken."""

    due: float
    """(s)."""
    frame: Frame
    view: Viewpoint
    R_WA: np.ndarray
    center: np.ndarray
    """The origin of A in W (m)."""


class Camera(Part):
    """On a craft at frame `at` (z ahead, y down), looking at the body `target` every `period` (s); a frame arrives
    `latency` (s) later, or is lost, which happens to a fraction `dropped` (-). In the windows `blocked` (s), each from
    and to, it sees nothing. In truth it is turned by `tilt` (rad) against where it is believed, a rotation vector."""

    def __init__(
        self,
        at: str,
        target: str,
        *,
        period: float = 0.5,
        latency: float = 0.3,
        dropped: float = 0.0,
        blocked: Sequence[tuple[float, float]] = (),
        tilt: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> None:
        if not (period > 0 and latency >= 0 and 0 <= dropped <= 1):
            raise ValueError("a camera's period must be positive, its latency 0 s or more, dropped frames a fraction")
        if np.shape(tilt) != (3,) or not np.isfinite(tilt).all():
            raise ValueError(f"a camera's tilt must be three finite numbers (rad), not {tilt!r:.60}")
        for window in blocked:
            if np.shape(window) != (2,) or not window[0] < window[1]:
                raise ValueError(f"a camera is blocked from a time to a later one (s), not {window!r:.60}")
        self.at, self.target, self.period, self.latency, self.dropped = at, target, period, latency, dropped
        self.blocked, self.tilt = tuple(blocked), np.asarray(tilt, float)
        self._pending: list[Seen] = []

    def fit(self, crafts: Crafts) -> None:
        self.craft: Craft = crafts.join(self.at, self)
        if self.craft.root == crafts.root_of(self.target, self):
            raise PartError(f"{self.name}: {self.target!r} is on the same craft as {self.at!r}")
        if self.target not in [body.name for body in crafts.world.bodies]:
            raise PartError(f"{self.name}: {self.target!r} is not a body")
        self.body = lumped(crafts.world, self.target)
        """Of the target, as described, with what is fixed to it."""

    def is_blocked(self, t: float) -> bool:
        return any(begin - 1e-9 <= t < end - 1e-9 for begin, end in self.blocked)

    def sees_again(self, t: float) -> float:
        """When the camera is not blocked any more (s); t itself if it is not blocked."""
        while (ends := [end for begin, end in self.blocked if begin - 1e-9 <= t < end - 1e-9]) and t < np.inf:
            t = max(ends)
        return t

    def take(self, t: float, reading: Any) -> None:
        center, _ = self.craft.center()
        view = self.craft.viewpoint(self.at)
        self._pending.append(Seen(t + self.latency, reading, view, turned_hill(self.craft.n, t), center))

    def arrived(self, t: float) -> list[Seen]:
        """Frames that are due by now, once."""
        ready = [seen for seen in self._pending if seen.due <= t + 1e-9]
        self._pending = [seen for seen in self._pending if seen.due > t + 1e-9]
        return ready

    @property
    def waiting(self) -> bool:
        """Are frames on their way?"""
        return bool(self._pending)


class LaserCamera(Camera):
    """A laser camera: every frame is a scan of the target's surface, which is that of its shapes unless a `surface` is
    given. `pattern` and `noise` are as of `softdock.sensing`. With a `guess`, about 5 cm and 5° off, the first frame
    says where the target is. With `zoom` (m), its mirrors swing no further than across so much at the range of the last
    frame, if that is less than the pattern's field, and the rays of every scan are between those of the last. Ranges
    outside of `limits` (m) give no return. Rays hit whatever is in the way, the camera's own craft too: points where
    that believes its own bodies to be are left out. `other` (-) is what every `Camera` takes."""

    def __init__(
        self,
        at: str,
        target: str,
        *,
        surface: Surface | None = None,
        pattern: Pattern | None = None,
        noise: Noise | None = None,
        guess: bool = True,
        zoom: float | None = None,
        limits: tuple[float, float] = (0.1, 30.0),
        **other: Any,
    ) -> None:
        super().__init__(at, target, **other)
        self.pattern = pattern or raster(64, 64, (1.1, 1.1), 0.4)
        self.noise, self.guess, self._surface = noise or Noise(), guess, surface
        self.zoom, self.limits = zoom, limits

    def sensors(self, dynamics: Dynamics, seed: np.random.SeedSequence) -> Sequence[Sensor]:
        surface = self._surface or surface_of(self.body)
        lost, hint, scan = (np.random.default_rng(one) for one in seed.spawn(3))
        laser = Laser(surface, self.pattern, self.noise, rng=scan, limits=self.limits)
        others = [body.name for body in dynamics.world.bodies if body.name not in self.on_target]
        return [Scanner(self, laser, InFront(dynamics, self.at, others), lost, hint if self.guess else None, self.zoom)]

    def fit(self, crafts: Crafts) -> None:
        super().fit(crafts)
        self.on_target = set(rigid_shapes(crafts.world, self.target))
        """Bodies that are its target's surface."""
        own = self.craft.dynamics
        names = [body.name for body in own.world.bodies]
        self._own, self._itself = InFront(own, self.at, names, ROOM), InFront(own, self.at, names)
        self.misalignment = Misalignment()
        """By what it sees of its own craft."""

    def take(self, t: float, reading: Any) -> None:
        """A scan, without the points at which the craft believes itself to be; those tell how the camera is turned."""
        scan = reading.scan
        ranges = np.linalg.norm(scan.points, axis=1)
        directions = scan.points / np.maximum(ranges, 1e-9)[:, None]
        own = self._own.ranges(self.craft.q, directions)
        if (meets := own < np.inf).any():
            seen = self._itself.hits(self.craft.q, directions[meets], self.misalignment.tilt)
            self.misalignment.see(t, scan.points[meets], *seen)
            reading = reading._replace(scan=scan.part(ranges < own))
        super().take(t, reading)


class PoseCamera(Camera):
    """An ideal camera: every frame is the pose of the frame `of` of the target, with noise of `position` (m) and
    `angle` (rad) along each axis; a fraction `outliers` (-) is anywhere within 1 m and half a turn. `other` (-) is what
    every `Camera` takes."""

    def __init__(
        self,
        at: str,
        target: str,
        *,
        of: str,
        position: float = 0.005,
        angle: float = 0.00873,
        outliers: float = 0.0,
        **other: Any,
    ) -> None:
        super().__init__(at, target, **other)
        refuse_negative(position=position, angle=angle)
        if not 0 <= outliers <= 1:
            raise ValueError(f"outliers must be a fraction, not {outliers!r:.40}")
        self.of, self.position, self.angle, self.outliers = of, position, angle, outliers

    def fit(self, crafts: Crafts) -> None:
        super().fit(crafts)
        if crafts.root_of(self.of, self) != crafts.root_of(self.target, self):
            raise PartError(f"{self.name}: {self.of!r} is not on {self.target!r}")

    def sensors(self, dynamics: Dynamics, seed: np.random.SeedSequence) -> Sequence[Sensor]:
        return [PoseSensor(self, *(np.random.default_rng(one) for one in seed.spawn(2)))]


# --- the world's side ------------------------------------------------------------------------------


class Looking:
    """What all cameras' sensors do: take the target's true pose in K, unless blocked; and lose frames."""

    def __init__(self, camera: Camera, lost: np.random.Generator) -> None:
        self.period, self._at, self._target = camera.period, camera.at, camera.target
        self._dropped, self._is_blocked, self._lost = camera.dropped, camera.is_blocked, lost
        self._R_KT = matrix_of_vector(camera.tilt)

    def measure(self, truth: Truth) -> Frame | None:
        if self._is_blocked(truth.t):
            return None
        dropped = bool(self._lost.random() < self._dropped)
        frame = self.frame(truth)
        return None if dropped else frame

    def frame(self, truth: Truth) -> Frame:
        raise NotImplementedError

    def pose(self, truth: Truth, frame: str) -> Pose:
        """A frame of the target in K."""
        (R_K, p_K), (R, p) = self.placed(truth), truth.dynamics.pose(frame, truth.q)
        return Pose.of(R_K.T @ R, R_K.T @ (p - p_K))

    def placed(self, truth: Truth) -> tuple[np.ndarray, np.ndarray]:
        """K in W, as it is."""
        R, p = truth.dynamics.pose(self._at, truth.q)
        return R @ self._R_KT, p


class Scanner(Looking):
    """Scans."""

    def __init__(
        self,
        camera: Camera,
        laser: Laser,
        others: InFront,
        lost: np.random.Generator,
        hint: np.random.Generator | None,
        zoom: float | None = None,
    ) -> None:
        super().__init__(camera, lost)
        self._laser, self._hint, self._zoom, self._whole = laser, hint, zoom, laser.pattern
        self._others, self._scans = others, 0

    def frame(self, truth: Truth) -> Frame:
        body = self.pose(truth, self._target)
        guess, hint = None, self._hint
        if hint is not None:
            self._hint = None
            turn, off = hint.normal(0, GUESS[1], 3), hint.normal(0, GUESS[0], 3)
            guess = _moved(body, turn, off)
            if self._zoom is not None:
                self._laser.pattern = self._narrowed(guess.position[2], self._zoom)
        before = self._others.ranges(truth.q, self._laser.pattern.directions, self._R_KT)
        scan = self._laser.scan(body, self._rates(truth), truth.t, before=before)
        if self._zoom is not None:
            ahead = float(np.median(scan.points[:, 2])) if len(scan.points) else 0.0
            self._laser.pattern = self._narrowed(ahead, self._zoom)
        return Frame(truth.t, scan, guess=guess)

    def _narrowed(self, ahead: float, wide: float) -> Pattern:
        """The pattern of the next scan: all rays within what is `wide` (m) so far `ahead` (m), or the whole field if
        that is not known; each between those of the last. Where the camera flies along with the target, edges that lie
        between the same rays in every scan would give every pose the same error; and far away the target would stay
        between rays that do not meet it."""
        rays = self._whole.directions[:, :2] / self._whole.directions[:, 2:]
        widest = np.abs(rays).max()
        self._scans += 1
        between = ((self._scans * EVENLY) % 1.0 - 0.5) * 2 * widest / np.sqrt(len(rays))
        share = min(1.0, wide / 2 / ahead / widest) if ahead > 0 else 1.0
        directions = np.column_stack([share * (rays + between), np.ones(len(rays))])
        return self._whole._replace(directions=directions / np.linalg.norm(directions, axis=1, keepdims=True))

    def _rates(self, truth: Truth) -> Rates:
        """Of the target against K: linear in K, angular in the target's own axes."""
        dynamics, q, v = truth.dynamics, truth.q, truth.v
        (R_K, p_K), (R, p) = self.placed(truth), dynamics.pose(self._target, q)
        camera, body = (dynamics.jacobian(name, q) @ v for name in (self._at, self._target))
        linear = R_K.T @ (body[3:] - camera[3:] - cross(camera[:3], p - p_K))
        angular = R.T @ (body[:3] - camera[:3])
        return Rates(angular=tuple(angular.tolist()), linear=tuple(linear.tolist()))


class PoseSensor(Looking):
    """Poses with noise."""

    def __init__(self, camera: PoseCamera, lost: np.random.Generator, noise: np.random.Generator) -> None:
        super().__init__(camera, lost)
        self._of, self._sigmas, self._outliers = camera.of, (camera.position, camera.angle), camera.outliers
        self._noise = noise

    def frame(self, truth: Truth) -> Frame:
        rng, (position, angle) = self._noise, self._sigmas
        stray = rng.random() < self._outliers
        off, turn = rng.normal(0, position, 3), rng.normal(0, angle, 3)
        wild, far = rng.uniform(-1.0, 1.0, 3), rng.uniform(-np.pi / 2, np.pi / 2, 3)
        seen = _moved(self.pose(truth, self._of), far if stray else turn, wild if stray else off)
        return Frame(truth.t, pose=seen, covariance=isotropic(position, angle))


def _moved(pose: Pose, turn: np.ndarray, off: np.ndarray) -> Pose:
    """A pose turned about its own axes (rad), and moved (m)."""
    x, y, z = (np.asarray(pose.position) + off).tolist()
    return Pose(position=(x, y, z), quaternion=four(quaternion_product(pose.quaternion, quaternion_of_vector(turn))))


def surface_of(body: Body) -> Surface:
    """The surface of a body's shapes, in its frame."""
    if not body.shapes:
        raise PartError(f"body {body.name!r} has no shape to look at")
    return surface_of_shapes(tuple(body.shapes))
