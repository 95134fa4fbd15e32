"""The mission of `track-and-capture`: camera, filter, plan, a blind wait, fingers (Aghili), on the ground."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softdock import mission as ms
from softdock.dynamics import Dynamics
from softdock.facility.emulation import Emulation
from softdock.facility.grasp import BAR_SIZE, GRIP
from softdock.facility.laboratory import BRAKE, MOCKUP
from softdock.facility.track import CAMERA, GRASP, HANDLE, HandedOver, HeldChase, LoggedServos, TrackLaboratory
from softdock.mission.conductor import Conductor, Phases
from softdock.mission.grasping import fit_of
from softdock.mission.part import Part, Truth
from softdock.mission.phase import Failure
from softdock.runs.ledger import Columns
from softdock.runs.simulation import Simulation
from softdock.scenarios.capture.chasing import Chasing
from softdock.scenarios.capture.vision import Camera, Occlusion, Vision
from softdock.sensing import Noise, raster
from softdock.spatial import quaternion_of_matrix, quaternion_of_rpy
from softdock.world import Pose
from softdock.world.describe import Number, Vec3
from softdock.world.shapes import Positive

if TYPE_CHECKING:
    from softdock.scenarios.facility.scenario import Facility

GRASPS = 5


class TrackKeys(Chasing):
    """The tumble, `rates_deg` (degrees/s, along the target's own axes at the start), about whose angular momentum the
    target is turned by `roll_deg`; that looks along the way to the servicer. The hand starts `stowed` (m) behind where
    it meets the handle, leaves at `approach` (s), takes `reaching` (s) to where it waits, `ready` (m) behind; an
    intercept is looked for every `every` (s); aligning takes `align` (s), and the handle is followed for `least` to
    `most` (s) before fingers close. It may grasp the bar from `aside` (rad) to either side, if `confidence` times the
    forecast's errors are within `distance` (m) and `angle` (rad). The mission's period is `period` (s)."""

    rates_deg: Vec3 = (3.5, 0.4, 0.3)
    """Along the target's own axes at the start (degrees/s)."""
    roll_deg: Number = 120.0
    """About its angular momentum, at the start (degrees)."""
    stowed: Positive = 0.30
    ready: Positive = 0.22
    standoff: Positive = 0.12
    """From which the hand comes straight on (m)."""
    aside: Positive = 0.5
    distance: Positive = 0.010
    angle: Positive = 0.0349
    confidence: Positive = 2.0
    """How many of the forecast's errors are to be within distance and angle (-)."""
    margin: Positive = 0.02
    """Room that is kept to what is not to be touched (m)."""
    period: Positive = 0.25

    def attitude(self, inertia: tuple[float, float, float]) -> np.ndarray:
        """Of the target at the start: its angular momentum along the client's −x, turned about it."""
        momentum = np.array(inertia) * np.radians(self.rates_deg)
        size = float(np.linalg.norm(momentum))
        along = momentum / size if size > 0 else np.array([1.0, 0.0, 0.0])
        other = 2 if abs(along[2]) < 0.9 else 1
        side = np.eye(3)[other] - along[other] * along
        side = side / np.linalg.norm(side)
        body = np.column_stack([along, np.cross(side, along), side])
        c, s = math.cos(math.radians(self.roll_deg)), math.sin(math.radians(self.roll_deg))
        world = np.column_stack([[-1.0, 0.0, 0.0], [0.0, -c, -s], [0.0, -s, c]])
        return np.asarray(world @ body.T)


class Halt(ms.Phase):
    """An arm's joints come to rest in some seconds, and stay there for others."""

    kind = "halt"

    def __init__(self, arm: ms.Arm, seconds: float, rest: float, **other: Any) -> None:
        super().__init__(**other)
        self.arm, self.seconds, self.rest, self._end = arm, seconds, rest, math.inf

    def begin(self, t: float) -> None:
        self._end = t + self.seconds + self.rest
        self.arm.go([0.0] * len(self.arm.joints), within=self.seconds)

    def update(self, t: float) -> ms.Done | None:
        return ms.Done() if t >= self._end - 1e-9 else None


def parts(scenario: "Facility", laboratory: TrackLaboratory) -> dict[str, Part]:
    """Arm, camera, tracker, gripper, and the chase that they are for; the brake of the base, if it has one."""
    keys, vision, camera, hand = scenario.track, scenario.vision, scenario.camera, scenario.hand
    held, target = laboratory.held, laboratory.target
    arm = ms.Arm(GRIP)
    eye = ms.LaserCamera(
        CAMERA, MOCKUP, pattern=raster(camera.rows, camera.columns, camera.field, camera.duration),
        noise=Noise(vision.noise or camera.range, vision.outliers, camera.dropout), guess=vision.start == "guess",
        period=vision.period, latency=vision.latency, dropped=vision.dropped, blocked=scenario.occlusion.blocked,
    )  # fmt: skip
    nav = ms.TargetTracker(eye, HANDLE)
    gripper = ms.Gripper(
        GRASP, kind="fingers", closing=hand.closing, envelope=ms.Envelope(keys.distance, keys.angle, 0.01),
        bar=BAR_SIZE[0], mass=target.mass / held.mass, inertia=sum(target.inertia) / sum(held.inertia),
    )  # fmt: skip
    grasps = [
        Pose(quaternion=quaternion_of_rpy(over, 0.0, angle))
        for over in (0.0, math.pi)  # the hand is as good upside down
        for angle in np.linspace(-keys.aside, keys.aside, GRASPS).tolist()
    ]
    timing = keys.timing(hand.closing, keys.standoff)
    chase = HeldChase(
        arm, nav, gripper, ready=laboratory.behind(keys.ready), timing=timing, grasps=grasps, every=keys.every,
        earliest=scenario.occlusion.earliest, latest=scenario.run.duration - 2 * hand.closing - 1.0,
        confidence=keys.confidence, margin=keys.margin,
    )  # fmt: skip
    brake: dict[str, Part] = {} if scenario.mount == "fixed" else {"brake": ms.Lock(BRAKE)}
    return {"arm": arm, "eye": eye, "nav": nav, "hand": gripper, "chase": chase, **brake}


def phases(scenario: "Facility", laboratory: TrackLaboratory, **own: Any) -> Phases:
    """Approach, wait, align, track, go on blind, close; then stop."""
    keys, whole = scenario.track, {"limit": 2 * scenario.run.duration}
    arm, hand, chase = own["arm"], own["hand"], own["chase"]
    try:
        yield ms.Move(arm, laboratory.behind(keys.ready), keys.reaching, after=keys.approach, name="approach", **whole)
        grasp = (yield ms.Seek(chase, name="hold", **whole)).grasp
        yield ms.Align(chase, **whole)
        yield ms.Track(chase, **whole)
        yield ms.Blind(chase, **whole)
        if "brake" in own:
            yield ms.Release(own["brake"])
        yield ms.Close(hand, grasp)
    except Failure as why:
        return ms.Aborted(why)
    yield Halt(arm, scenario.hand.stopping, 0.0, **whole)
    yield ms.Wait(0.0, name="rest")
    return ms.Success("captured")


class Mission:
    """What runs it in a simulation, and what came of it."""

    def __init__(self, scenario: "Facility", laboratory: TrackLaboratory, simulation: Simulation) -> None:
        self.laboratory, self._scenario = laboratory, scenario
        world = Dynamics(laboratory.mission_world(simulation.dynamics.world))
        made = parts(scenario, laboratory)

        def begin(**own: Part) -> Iterator[Any]:
            return phases(scenario, laboratory, **own)

        h = scenario.run.h
        self.conductor = Conductor(world, made, begin, period=scenario.track.period, h=h, seed=scenario.run.seed)  # type: ignore[arg-type]
        arm: Any = made["arm"]
        self.servos = LoggedServos(
            arm, simulation.dynamics, laboratory, scenario.sensor.period, scenario.occlusion.earliest
        )
        self.servos.mission = self
        simulation.control(*simulation.controllers, self.conductor, self.servos)
        for part in made.values():
            part.warm()

    @staticmethod
    def of(simulation: Simulation) -> "Mission | None":
        """The one of a simulation, if it has one."""
        servos = (one for one in simulation.all_controllers if isinstance(one, LoggedServos))
        return next((one.mission for one in servos), None)

    def handed_over(self, simulation: Simulation, emulation: Emulation) -> HandedOver | None:
        """The laboratory as it was when the fingers began to close; None if they did not."""
        closes = self.closed_at(simulation)
        return None if closes is None else self.laboratory.handed_over(emulation, self.servos, closes)

    def closed_at(self, simulation: Simulation) -> float | None:
        """When the fingers began to close (s)."""
        closing = (one["time"] for one in simulation.events if one["kind"] == "fingers" and one["way"] == "closing")
        return next(closing, None)

    def metrics(self, simulation: Simulation, emulation: Emulation) -> dict[str, Any]:
        """How it went, and how far off the hand was when it began to close."""
        closes, nav = self.closed_at(simulation), self.conductor.parts["nav"]
        assert isinstance(nav, ms.TargetTracker)
        found: dict[str, Any] = {
            "reason": self.conductor.outcome().reason or None,
            "phases": [record._asdict() for record in self.conductor.records(simulation.t)],
            "closes": closes,
            "blind_for": None,
            "fit": None,
        }
        if closes is not None:
            found["blind_for"] = closes - nav.seen_before(closes)
            found["fit"] = self._fit(simulation, emulation, closes)
        return found

    def tables(self, simulation: Simulation, emulation: Emulation) -> dict[str, Columns]:
        """Phases, measurements, scans; where hand and handle are; and the camera, which stands still."""
        record, dynamics = emulation.record, simulation.dynamics
        q, t = np.array([state[0] for state in record.state]), np.array(record.t)
        hand, handle = (dynamics.pose(frame, q)[1] for frame in (GRIP, HANDLE))
        found = self.conductor.tables(simulation.t)
        found["hand"] = {
            "t": (t, "s"),
            **{f"hand.{axis}": (hand[:, k], "m") for k, axis in enumerate("xyz")},
            **{f"handle.{axis}": (handle[:, k], "m") for k, axis in enumerate("xyz")},
        }
        R, p = dynamics.pose(CAMERA, q[0])
        begins = self._scenario.occlusion.blocked
        is_blind = [float(any(a <= now < b for a, b in begins)) for now in t]
        pose = dict(zip(("x", "y", "z", "qw", "qx", "qy", "qz"), (*p, *quaternion_of_matrix(R)), strict=True))
        units = {key: "m" if len(key) == 1 else "-" for key in pose}
        found["camera"] = {
            "t": (t, "s"),
            **{key: (np.full(len(t), x), units[key]) for key, x in pose.items()},
            "occluded": (np.array(is_blind), "-"),
        }
        return found

    def _fit(self, simulation: Simulation, emulation: Emulation, t: float) -> dict[str, float]:
        record, chase = emulation.record, self.conductor.parts["chase"]
        assert isinstance(chase, ms.Chase) and chase.intercept
        k = int(np.argmin(np.abs(np.array(record.t) - t)))
        truth = Truth(t, *record.state[k], simulation.dynamics)
        return fit_of(truth, GRIP, HANDLE, chase.intercept.grasp)._asdict()


__all__ = ["Camera", "Mission", "Occlusion", "TrackKeys", "Vision"]
