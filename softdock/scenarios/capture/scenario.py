"""Scenario 'capture': a chaser sees, estimates, captures and stills a tumbling satellite (Aghili).

docs/scenarios/capture.md says what is the paper's and what is ours. `craft` has the two spacecraft, `vision` the keys
of the camera, `log` the tables; the parts and phases are those of `softdock.mission`.
"""

from collections.abc import Collection, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from softdock import mission as ms
from softdock.dynamics import Dynamics, Trajectory
from softdock.estimation import Estimate, Filter, PaperFilter, TargetEstimator, paper_state
from softdock.mission.conductor import Phases
from softdock.mission.part import Part
from softdock.runs.clearance import RunClearances, clearances_of, impacts_of, stages_of
from softdock.runs.ledger import Columns, earth_angular_momentum
from softdock.runs.rows import whole_steps
from softdock.runs.simulation import Simulation
from softdock.scenarios.capture.chasing import Chasing
from softdock.scenarios.capture.craft import (
    BAR_BODY,
    BASE,
    CAMERA,
    GRASP,
    GRIPPER,
    HANDLE_FRAME,
    R_AS,
    TARGET,
    Arm,
    Gripper,
    Servicer,
    Target,
    grasps,
    initial_state,
    names_of,
    orbit_rate,
    swept_radius,
    unbent,
    whole_world,
)
from softdock.scenarios.capture.log import Notes
from softdock.scenarios.capture.own import waiting_place
from softdock.scenarios.capture.rehearsal import rehearse
from softdock.scenarios.capture.units import UNITS
from softdock.scenarios.capture.vision import Camera, Occlusion, Vision
from softdock.scenarios.derived import DerivedScenario
from softdock.scenarios.mission import Mission
from softdock.sensing import MeshError, Noise, Surface, raster, satellite
from softdock.sensing.mesh import check as check_mesh
from softdock.sensing.mesh import load as load_mesh
from softdock.sensing.mesh import mesh_of
from softdock.spatial import matrix_of_quaternion, quaternion_of_rpy
from softdock.world import Capsule, World, with_fingers
from softdock.world.describe import Described, Vec3
from softdock.world.fingers import fingers_of
from softdock.world.joints import NonNegative
from softdock.world.shapes import Positive

if TYPE_CHECKING:
    from softdock.figures import Drawing

NEAR = 0.5
"""Pairs of bodies that came nearer than this are told, where panels are many (m)."""
WAITING = 0.05
"""Clearance (m) of where an arm waits that is computed."""
IDEAL = "held by an ideal gripper: no fingers, no contact"
PRIOR = np.array([0.01] * 3 + [0.01] * 3 + [0.1] * 2 + [0.02] * 3 + [0.005] * 3 + [0.02] * 3 + [0.05] * 3)
"""Standard deviations of the paper filter's start about the truth, in the order of its errors."""


class Schedule(Chasing):
    """Times (s). The arm leaves at `approach` and takes `reaching` to where it waits; an intercept is looked for every
    `every` seconds; aligning takes `align`; the handle is followed for at least `least` and at most `most` seconds
    before the gripper closes; `after` is left at the end of the run for stopping the tumble. All bodies keep `margin`
    (m) apart, but for gripper and target from aligning on. The arm's `motion` to where it waits and on behind the
    handle is "smooth" or "optimal", with the least effort of its joints."""

    after: Positive = 15.0
    """Left at the end of the run for stopping the tumble (s)."""
    margin: Positive = 0.04
    motion: Literal["smooth", "optimal"] = "smooth"


class Control(Described):
    """Computed torque every `period` (s): kp (1/s²), kd (1/s)."""

    period: Positive = 0.25
    kp: Positive = 4.0
    """(1/s²)."""
    kd: Positive = 4.0
    """(1/s)."""


class Detumble(Described):
    """Largest `moment` (N m) and `force` (N) that stop the target, which say how long it takes. `plan`: the moment
    against the target's angular momentum (`least-time`), or least effort of arm and wheels in that time (`optimal`)."""

    plan: Literal["least-time", "optimal"] = "least-time"
    moment: Positive = 0.25
    force: Positive = 5.0


class Beliefs(Described):
    """What the chaser believes wrongly: noise of its `encoders` (rad), an `attitude` error (rad), a camera turned by
    `camera` (rad, a rotation vector), and the target's `mass` and `inertia` over the true ones."""

    encoders: NonNegative = 0.0
    attitude: NonNegative = 0.0
    """Error of its own (rad)."""
    camera: Vec3 = (0.0, 0.0, 0.0)
    """By which the camera is turned, a rotation vector (rad)."""
    mass: Positive = 1.0
    """The target's, over the true one (-)."""
    inertia: Positive = 1.0
    """The same (-)."""


class Parts(Servicer):
    """What the world is made from."""

    target: Target = Target()
    gripper: Gripper = Gripper()

    @model_validator(mode="after")
    def _possible(self) -> "Parts":
        handle = np.array(self.target.position)
        shoulder = R_AS @ np.array(self.arm.shoulder)
        away = float(np.linalg.norm(handle - shoulder)) - float(np.linalg.norm(self.target.frame.position))
        if away > self.arm.reach:
            raise ValueError(
                f"target.position: the handle comes no nearer than {away:.2f} m to the arm's shoulder, "
                f"which reaches {self.arm.reach:.2f} m"
            )
        if not self.arm.ready:  # of an arm from a file
            object.__setattr__(self, "arm", self._waiting())
        return self

    def _waiting(self) -> Arm:
        """The arm, with where it waits, and there it starts unless that is said."""
        alone = self.make_chaser()
        if self.gripper.kind == "fingers":
            alone = with_fingers(alone, GRIPPER)
        center = R_AS.T @ np.array(self.target.position)
        place = waiting_place(alone, self.arm.joints, GRIPPER, center, swept_radius(self.target), WAITING)
        return self.arm.altered(ready=place, stowed=self.arm.stowed or place)

    def make_world(self) -> World:
        """Chaser, arm and target."""
        return whole_world(self.chaser, self.arm, self.target, self.gripper, self.orbit)

    def make_initial(self) -> dict[str, Any]:
        """The arm stowed, and the target tumbling."""
        alone = Dynamics(self.make_chaser())
        q = alone.layout.neutral()
        q[alone.layout.flat(self.arm.joints)[0]] = self.arm.stowed
        center = np.asarray(alone.balance(q, np.zeros(alone.nv)).center)
        return initial_state(self.arm, self.target, self.gripper, self.orbit, center)


class Capture(Parts, DerivedScenario, Mission):
    """The mission."""

    made_from: ClassVar[type[Described]] = Parts
    goal = "captured"
    outcomes = ("captured", "missed", "aborted", "collided")
    units = UNITS

    estimator: Literal["softdock", "paper"] = "softdock"
    """softdock's, or the filter of Aghili's paper."""
    vision: Vision = Vision()
    camera: Camera = Camera()
    occlusion: Occlusion = Occlusion()
    plan: Schedule = Schedule()
    control: Control = Control()
    detumble: Detumble = Detumble()
    beliefs: Beliefs = Beliefs()

    @model_validator(mode="after")
    def _in_time(self) -> "Capture":
        whole_steps(self.control.period, self.run.h, "control.period", least=1)
        whole_steps(self.vision.period, self.control.period, "vision.period", least=1)
        earliest = self.occlusion.earliest + self.gripper.closing + self.plan.after
        if self.run.duration < earliest:
            raise ValueError(f"run.duration: must be at least {earliest:g} s for closing and stopping the tumble")
        return self

    # --- the run ---------------------------------------------------------------------------------

    def period(self) -> float:
        """That of the control (s)."""
        return self.control.period

    def parts(self) -> Mapping[str, Part]:
        """Arm, bus, camera, tracker, gripper, and the chase that they are for."""
        gripper, plan, gains = self.gripper, self.plan, (self.control.kp, self.control.kd)
        eye, model = self._eye()
        arm, hand = ms.Arm(GRIPPER, gains=gains, encoder_noise=self.beliefs.encoders), self._hand()
        bus = ms.Bus(BASE, gains=gains, attitude_error=self.beliefs.attitude)
        nav = ms.TargetTracker(eye, HANDLE_FRAME, model=model, estimator=self._filter())
        timing = plan.timing(gripper.closing, gripper.standoff)
        chase = (ms.ChaseOptimally if plan.motion == "optimal" else ms.Chase)(
            arm, nav, hand, ready=self.arm.ready, timing=timing, grasps=grasps(gripper, self.target),
            finer=grasps(gripper, self.target, 9)[1::2], every=plan.every,
            earliest=self.occlusion.earliest, confidence=gripper.confidence, margin=plan.margin,
            latest=self.run.duration - gripper.closing - plan.after,
            braking=ms.Braking(moment=self.detumble.moment, force=self.detumble.force),
        )  # fmt: skip
        return {"arm": arm, "bus": bus, "eye": eye, "nav": nav, "hand": hand, "chase": chase}

    def meant(self) -> Collection[str]:
        """None: fingers and bar press on each other without impacts."""
        return ()

    def phases(self, *, arm: ms.Arm, hand: ms.Gripper, chase: ms.Chase, **others: Part) -> Phases:
        """Approach, wait, follow, close, stop; or draw back, and wait for another time."""
        plan, whole = self.plan, {"limit": 2 * self.run.duration}
        back = ms.Retreat(chase, plan.reaching, name="abort", **whole)
        try:
            move = ms.MoveOptimally if plan.motion == "optimal" else ms.Move
            yield move(arm, self.arm.ready, plan.reaching, after=plan.approach, name="approach", **whole)
            while True:
                grasp = (yield ms.Seek(chase, name="hold", **whole)).grasp
                try:
                    yield ms.Align(chase, **whole)
                    yield ms.Track(chase, **whole)
                    yield ms.Blind(chase, **whole)
                    break
                except (ms.Unsure, ms.Unreachable):
                    yield back
            yield ms.Close(hand, grasp)
            yield ms.Rigidise(hand, grasp)
        except ms.Failure as why:
            try:
                if not hand.is_open:
                    yield ms.Open(hand)
                yield back
            except ms.Failure as stuck:
                return ms.Aborted(why if str(stuck) == str(why) else f"{why}; {stuck}")
            return ms.Aborted(why)
        brake = ms.Passivate if self.detumble.plan == "optimal" else ms.Brake
        yield brake(chase, grasp, self.period(), name="detumble", **whole)
        yield ms.Wait(0.0, name="rest")
        return ms.Success("captured")

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The loop, with what is recorded of truth and belief."""
        simulation = super().simulation(dynamics)
        conductor = self.conductor(simulation)
        conductor.observers.append(Notes(conductor, self.control.period))
        rehearse(self, dynamics, conductor)
        return simulation

    @classmethod
    def notes(cls, simulation: Simulation) -> Notes:
        """What is recorded of truth and belief."""
        return next(one for one in cls.conductor(simulation).observers if isinstance(one, Notes))

    def _hand(self) -> ms.Gripper:
        gripper = self.gripper
        envelope = ms.Envelope(gripper.capture_distance, gripper.capture_angle, gripper.capture_speed)
        beliefs = self.beliefs
        return ms.Gripper(
            names_of(self.target, GRASP), kind=gripper.kind, closing=gripper.closing, envelope=envelope,
            bar=self.target.bar[0], mass=beliefs.mass, inertia=beliefs.inertia,
        )  # fmt: skip

    def _eye(self) -> tuple[ms.Camera, Surface]:
        """The camera, and the model that its scans are registered against."""
        vision, camera = self.vision, self.camera
        general: dict[str, Any] = {
            "period": vision.period, "latency": vision.latency, "dropped": vision.dropped,
            "blocked": self.occlusion.blocked, "tilt": self.beliefs.camera,
        }  # fmt: skip
        surface, model = self._surfaces()
        if vision.pose == "ideal":
            noise = {"position": vision.scatter, "angle": vision.angle, "outliers": vision.outliers}
            return ms.PoseCamera(CAMERA, TARGET, of=HANDLE_FRAME, **noise, **general), model
        pattern = raster(camera.rows, camera.columns, camera.field, camera.duration)
        spread = Noise(vision.noise or camera.range, vision.outliers, camera.dropout)
        known = vision.start == "guess"
        eye = ms.LaserCamera(CAMERA, TARGET, surface=surface, pattern=pattern, noise=spread, guess=known, **general)
        return eye, model

    def _surfaces(self) -> tuple[Surface, Surface]:
        """The target's true shape, and the model of it that scans are registered against."""
        try:
            shape = self._surface()
        except (MeshError, OSError) as error:
            raise ValueError(f"target.mesh: {error}") from None
        if self.camera.model_scale == 1.0:
            return shape, shape
        import trimesh

        corners = shape.triangles.reshape(-1, 3)
        mesh = trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3), process=True)
        return shape, Surface(mesh, self.camera.model_scale)

    def _surface(self) -> Surface:
        """The target's true shape, about its centre of mass."""
        if self.target.is_ours:
            return satellite()
        import trimesh

        shapes = [mesh_of(shape) for shape in unbent(self.target).shapes]
        if self.target.mesh:
            mesh = load_mesh(Path(self.target.mesh))
            check_mesh(self.target.mesh, np.asarray(mesh.vertices, float), np.asarray(mesh.faces))
            mesh.apply_translation(-np.array(self.target.center))
            shapes = [mesh]
        radius, length = self.target.bar
        rods = [mesh_of(Capsule(radius=radius, length=length, placement=at)) for at in self.target.frames]
        return Surface(trimesh.util.concatenate([*shapes, *rods]))

    def _filter(self) -> Filter:
        n, seed = orbit_rate(self.orbit), np.random.SeedSequence(self.run.seed).spawn(4)[3]
        if self.estimator == "softdock":
            return TargetEstimator(n)
        exact = PaperFilter(n, t=-1e-3, state=paper_state(self.start()), covariance=np.diag(PRIOR**2))
        drawn = exact.model.moved(exact.state, PRIOR * np.random.default_rng(seed).standard_normal(len(PRIOR)))
        return PaperFilter(n, t=-1e-3, state=drawn, covariance=np.diag(PRIOR**2))

    def start(self) -> Estimate:
        """The target's true motion at t = 0 in an estimator's words."""
        target = self.target
        q = np.array(quaternion_of_rpy(*target.rpy))
        frame, center = target.frame, np.array(target.position)
        inertia = target.shape
        position = center + matrix_of_quaternion(q) @ np.array(frame.position)
        return Estimate(
            0.0,
            position,
            q,
            np.array(target.turning),
            center,
            np.array(target.drift),
            np.array(frame.position),
            inertia,
        )

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """Phases, measurements, estimates, tracking, camera and scans."""
        return super().tables(simulation, rows) | self.notes(simulation).tables()

    def annotations(self) -> dict[str, Any]:
        """Camera, estimate and views."""
        return {
            "camera": {"fov": list(self.camera.field), "range": float(np.linalg.norm(self.target.position))},
            "estimate": {"body": TARGET},
            "views": {"chaser": BASE, "target": TARGET, "port": HANDLE_FRAME},
        }

    @classmethod
    def figures(cls) -> "dict[str, Drawing]":
        """Of the paper, and the ledger."""
        from softdock.scenarios.capture.figures import FIGURES

        return FIGURES

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """How it went."""
        notes, conductor = self.notes(simulation), self.conductor(simulation)
        nav: Any = conductor.parts["nav"]
        closed: dict[str, Any] = next((event for event in simulation.events if event["kind"] == "closed"), {})
        captured, tried = bool(closed.get("held")), any(phase.name == "close" for phase in conductor.phases)
        clear, grasp = self._clearances(simulation, rows), self._grasp(simulation, rows)
        ended = "captured" if captured else "missed" if tried else "aborted"
        fit = grasp.pop("fit", None) or closed
        momentum, size = earth_angular_momentum(simulation.dynamics, rows)
        stopped = [phase.end for phase in conductor.phases if phase.name == "detumble" and phase.result == "done"]
        return {
            **super().metrics(simulation, rows),
            "outcome": "collided" if clear.collisions else ended,
            "captured": captured,
            "reason": (IDEAL if self.gripper.kind == "ideal" else None) if captured else conductor.outcome().reason,
            "captured_at": closed["time"] if captured else None,
            "position_error": fit.get("distance"),
            "angle_error": fit.get("angle"),
            "relative_speed": fit.get("speed"),
            "blind_seconds": closed["time"] - nav.seen_before(closed["time"]) if captured else None,
            **clear.metrics(NEAR if self.chaser.flexible or self.target.flexible else np.inf),
            "grasp": grasp,
            "forecast_error": notes.forecast_error,
            "forecast_sigma": notes.forecast_sigma,
            **notes.consistency(),
            "registrations": {
                "count": len(nav.milliseconds),
                "accepted": nav.follower.accepted if nav.follower else 0,
                "median_time": 1e-3 * float(np.median(nav.milliseconds)) if nav.milliseconds else None,
            },
            "measurements": {"accepted": nav.accepted, "rejected": dict(nav.estimator.rejected)},
            "camera_turned": self._camera_turned(nav),
            "angular_momentum_drift": float(np.linalg.norm(momentum - momentum[0], axis=-1).max()) / size,
            "momentum_change_at_capture": closed.get("momentum_change"),
            "reach_effort": notes.reach_effort,
            "reach_plan": getattr(conductor.parts.get("chase"), "reached", "") or None,
            "detumbled_at": stopped[0] if stopped else None,
            "detumble_plan": getattr(conductor.parts.get("chase"), "passivation", "") or None,
        }

    @staticmethod
    def _camera_turned(nav: Any) -> dict[str, float] | None:
        """What the chaser found of its camera's tilt, if it was sure of one."""
        found = nav.camera.misalignment if isinstance(nav.camera, ms.LaserCamera) else None
        if found is None or found.sure_at is None:
            return None
        return {"angle": float(np.linalg.norm(found.turn)), "since": found.sure_at}

    def _grasp(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """By what it was, when it held (s), and the largest force of a rod on the bar (N); of fingers also how the
        gripper fitted at the last period before they first touched the bar."""
        conductor = self.conductor(simulation)
        hand: Any = conductor.parts["hand"]
        closed = next((phase for phase in reversed(conductor.phases) if phase.name == "close"), None)
        found: dict[str, Any] = {
            "kind": self.gripper.kind,
            "held_at": closed.end if closed and closed.result == "done" else None,
            "peak_force": None,
        }
        if closed is None or hand.kind == "ideal":
            return found
        now = np.flatnonzero((rows.t >= closed.start) & (rows.t <= closed.end))
        pressed = simulation.dynamics.contacts(rows.q[now], rows.v[now])
        fit = self.notes(simulation).fit
        found["fit"] = fit._asdict() if fit else None
        found["peak_force"] = float(pressed.normal_force.max(initial=0.0))
        return found

    def _clearances(self, simulation: Simulation, rows: Trajectory) -> RunClearances:
        """Gripper and target are left out from aligning on: they are to meet, but nowhere else than at the bar."""
        stages = stages_of(simulation.events, float(rows.t[-1]))
        grasping = next((stage.start for stage in stages if stage.name == "align"), np.inf)
        places, tip = simulation.dynamics.tree.places, self.world.body_of(GRIPPER)
        fingers = [name for name in fingers_of(GRIPPER) if name in places]
        gripper = [body.name for body in self.world.bodies if places[body.name].link == places[tip].link]
        gripper += [name for name in fingers if name not in gripper]
        bars = names_of(self.target, BAR_BODY)
        left_out = {(own, other): grasping for own in gripper for other in (TARGET, *bars)}
        meant = [*combinations(gripper, 2), *product(fingers, bars), *self.world.touching.excluded]
        found = clearances_of(simulation.dynamics, rows, stages, left_out, meant)
        hits = impacts_of(self.world, simulation.events, stages)
        return found._replace(collisions=sorted(hits + found.collisions, key=lambda one: float(one["time"])))


SCENARIO = Capture
