"""Scenario 'capture': a chaser sees, estimates, captures and stills a tumbling satellite (Aghili, paper 001).

docs/scenarios/capture.md says what is the paper's and what is ours. The parts: `craft` (the two spacecraft), `vision`
(camera and registration), `autonomy` (the phases), `control` (arm and wheels), `trajectory`, `log` (the tables).
"""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from softdock.dynamics import Dynamics, Trajectory
from softdock.estimation import Estimate, Filter, PaperFilter, TargetEstimator, paper_state
from softdock.runs.clearance import clearances_of, stages_of
from softdock.runs.ledger import Columns, earth_angular_momentum
from softdock.runs.rows import whole_steps
from softdock.runs.simulation import Simulation
from softdock.scenarios.capture.autonomy import Autonomy
from softdock.scenarios.capture.craft import (
    BASE,
    HANDLE_FRAME,
    JOINTS,
    NV,
    R_AS,
    TARGET,
    Arm,
    Chaser,
    Gripper,
    Target,
    chaser_world,
    initial_state,
    orbit_rate,
    whole_world,
)
from softdock.scenarios.capture.rehearsal import rehearse
from softdock.scenarios.capture.vision import Camera, Occlusion, Vision, VisionSystem
from softdock.scenarios.derived import DerivedScenario
from softdock.sensing import MeshError, Surface, satellite
from softdock.spatial import matrix_of_quaternion, quaternion_of_rpy
from softdock.world import Orbit, World
from softdock.world.describe import Described
from softdock.world.shapes import Positive

if TYPE_CHECKING:
    from softdock.figures import Drawing

PRIOR = np.array([0.01] * 3 + [0.01] * 3 + [0.1] * 2 + [0.02] * 3 + [0.005] * 3 + [0.02] * 3 + [0.05] * 3)
"""Standard deviations of the paper filter's start about the truth, in the order of its errors."""


class Schedule(Described):
    """Times (s). The arm leaves at `approach` and takes `reaching` to where it waits; an intercept is looked for every
    `every` seconds; aligning takes `align`; the handle is followed for at least `least` and at most `most` seconds
    before the gripper closes; `after` is left at the end of the run for stopping the tumble."""

    approach: Positive = 22.0
    reaching: Positive = 12.0
    every: Positive = 30.0
    align: Positive = 7.0
    least: Positive = 5.0
    most: Positive = 29.0
    after: Positive = 15.0


class Control(Described):
    """Computed torque every `period` (s): kp (1/s²), kd (1/s)."""

    period: Positive = 0.25
    kp: Positive = 4.0
    kd: Positive = 4.0


class Detumble(Described):
    """Largest `moment` (N m) and `force` (N) that stop the target."""

    moment: Positive = 0.25
    force: Positive = 5.0


class Parts(Described):
    """What the world is made from."""

    orbit: Orbit
    chaser: Chaser = Chaser()
    arm: Arm = Arm()
    target: Target = Target()
    gripper: Gripper = Gripper()

    @model_validator(mode="after")
    def _possible(self) -> "Parts":
        orbit = self.orbit
        if orbit != Orbit(semi_major_axis=orbit.semi_major_axis, mu=orbit.mu, gradient=orbit.gradient):
            raise ValueError(
                "orbit: must be circular with all angles zero; only semi_major_axis, mu, gradient are free"
            )
        handle = np.array(self.target.position)
        shoulder = R_AS @ np.array(self.arm.shoulder)
        away = float(np.linalg.norm(handle - shoulder)) - float(np.linalg.norm(self.target.handle))
        if away > self.arm.reach:
            raise ValueError(
                f"target.position: the handle comes no nearer than {away:.2f} m to the arm's shoulder, "
                f"which reaches {self.arm.reach:.2f} m"
            )
        return self

    def make_world(self) -> World:
        """Chaser, arm and target."""
        return whole_world(self.chaser, self.arm, self.target, self.gripper, self.orbit)

    def make_initial(self) -> dict[str, Any]:
        """The arm stowed, and the target tumbling."""
        alone = Dynamics(chaser_world(self.chaser, self.arm, self.orbit))
        q = alone.layout.neutral()
        q[7:14] = self.arm.stowed
        center = np.asarray(alone.balance(q, np.zeros(NV)).center)
        return initial_state(self.arm, self.target, self.orbit, center)


class Capture(Parts, DerivedScenario):
    """The mission."""

    parts: ClassVar[type[Described]] = Parts
    goal = "captured"

    estimator: Literal["softdock", "paper"] = "softdock"
    vision: Vision = Vision()
    camera: Camera = Camera()
    occlusion: Occlusion = Occlusion()
    plan: Schedule = Schedule()
    control: Control = Control()
    detumble: Detumble = Detumble()

    @model_validator(mode="after")
    def _in_time(self) -> "Capture":
        whole_steps(self.control.period, self.run.h, "control.period", least=1)
        whole_steps(self.vision.period, self.control.period, "vision.period", least=1)
        earliest = self.occlusion.start + self.occlusion.length + self.gripper.closing + self.plan.after
        if self.run.duration < earliest:
            raise ValueError(f"run.duration: must be at least {earliest:g} s for closing and stopping the tumble")
        return self

    # --- the run ---------------------------------------------------------------------------------

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The loop, with the autonomy as its controller."""
        seeds = np.random.SeedSequence(self.run.seed).spawn(4)
        vision = VisionSystem(
            self.vision, self.camera, *self._surfaces(), self.target.frame, self._filter(seeds[3]), list(seeds[:3])
        )
        autonomy = Autonomy(self, dynamics, vision)
        rehearse(self, dynamics, autonomy.control)
        return Simulation(dynamics, *self.state(), **self.run.stepping, controllers=[autonomy])

    @staticmethod
    def autonomy(simulation: Simulation) -> Autonomy:
        """The controller of its simulation."""
        (found,) = simulation.controllers
        assert isinstance(found, Autonomy)
        return found

    def _surfaces(self) -> tuple[Surface, Surface]:
        """The target's true shape, and the model of it that scans are registered against."""
        try:
            shape = Surface(self.target.mesh) if self.target.mesh else satellite()
        except (MeshError, OSError) as error:
            raise ValueError(f"target.mesh: {error}") from None
        if self.camera.model_scale == 1.0:
            return shape, shape
        import trimesh

        corners = shape.triangles.reshape(-1, 3)
        mesh = trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3), process=True)
        return shape, Surface(mesh, self.camera.model_scale)

    def _filter(self, seed: np.random.SeedSequence) -> Filter:
        n = orbit_rate(self.orbit)
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
        inertia = np.diag(target.inertia) / sum(target.inertia)
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
        """Measurements, estimates, tracking, camera and scans."""
        return self.autonomy(simulation).notes.tables()

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
        autonomy = self.autonomy(simulation)
        closing = autonomy.closing
        captured = bool(closing.get("captured"))
        stages = stages_of(simulation.events, float(rows.t[-1]))
        grasping = next((stage.start for stage in stages if stage.name == "align"), np.inf)
        clear = clearances_of(simulation.dynamics, rows, stages, {(JOINTS[-1], TARGET): grasping})
        momentum, size = earth_angular_momentum(simulation.dynamics, rows)
        log = autonomy.vision.log
        return {
            "outcome": "collided"
            if clear.collisions
            else "captured"
            if captured
            else "missed"
            if closing
            else "aborted",
            "captured": captured,
            "reason_aborted": autonomy.aborted or None,
            "captured_at": closing["time"] if captured else None,
            "position_error_m": closing.get("position"),
            "angle_error_rad": closing.get("angle"),
            "relative_speed": closing.get("speed"),
            "blind_seconds": closing["time"] - autonomy.last_seen if closing else None,
            "forecast_error": closing.get("forecast_error"),
            "forecast_sigma": closing.get("forecast_sigma"),
            **clear.metrics(),
            **autonomy.notes.consistency(),
            "registrations": {
                "count": len(log.milliseconds),
                "accepted": autonomy.vision.follower.accepted,
                "median_ms": float(np.median(log.milliseconds)) if log.milliseconds else None,
            },
            "measurements": {"accepted": autonomy.estimator.accepted, "rejected": dict(autonomy.estimator.rejected)},
            "angular_momentum_drift": float(np.linalg.norm(momentum - momentum[0], axis=-1).max()) / size,
            "momentum_change_at_capture": closing["momentum_change"] if captured else None,
            "detumbled_at": autonomy.detumbled_at,
            "saturated": sorted({actuator for one in autonomy.control.limiters for _, actuator in one.saturations}),
        }


SCENARIO = Capture
