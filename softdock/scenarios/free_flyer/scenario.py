"""Scenario 'free-flyer': a spacecraft whose arm moves through way-points while its free base reacts."""

import math
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field, model_validator

from softdock.dynamics import Dynamics, Trajectory
from softdock.runs.ledger import Columns, earth_angular_momentum
from softdock.runs.measures import Declared
from softdock.runs.rows import whole_steps
from softdock.runs.simulation import Simulation
from softdock.scenarios.scenario import Scenario, Seconds
from softdock.spatial import angle_between
from softdock.world import WORLD, Free, Orbit, Prismatic, Revolute
from softdock.world.describe import Described, Name, Number, nearest


class Waypoint(Described):
    """Where the joints are at rest (rad, in the order of `motion.joints`) at a time (s)."""

    time: Seconds
    angles: tuple[Number, ...]


class JointMotion(Described):
    """`[motion]`: from the initial state through way-points, at rest in each; then it is held.

    Between two, angle = a + (b − a)(10 s³ − 15 s⁴ + 6 s⁵), s the fraction of the time: velocity and
    acceleration vanish at both ends.
    """

    joints: Annotated[tuple[Name, ...], Field(min_length=1)]
    """Names, in the order of the angles."""
    waypoints: Annotated[tuple[Waypoint, ...], Field(min_length=1)]
    """Angles, and when they are reached."""

    @model_validator(mode="after")
    def _consistent(self) -> "JointMotion":
        before = 0.0
        for index, point in enumerate(self.waypoints):
            if len(point.angles) != len(self.joints):
                raise ValueError(
                    f"waypoints[{index}].angles: takes {len(self.joints)} numbers, one a joint, not {len(point.angles)}"
                )
            if point.time <= before:
                raise ValueError(f"waypoints[{index}].time: must be later than {before:g} s")
            before = point.time
        return self

    def targets(self, start: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angles and rates, (time, joint), at times t (s)."""
        angles, rates = np.tile(start, (len(t), 1)), np.zeros((len(t), len(start)))
        a, begin = start, 0.0
        for point in self.waypoints:
            b, span = np.array(point.angles), point.time - begin
            s = np.clip((t - begin) / span, 0.0, 1.0)[:, None]
            angles += (b - a) * s**3 * (10 - 15 * s + 6 * s**2)
            rates += (b - a) * 30 * s**2 * (1 - s) ** 2 / span
            a, begin = b, point.time
        return angles, rates


class FreeFlyer(Scenario):
    """A free base with servo joints that follow a joint-space motion."""

    units: ClassVar[Declared] = {
        "base_turn_max": ("rad", "largest angle of the base from its start"),
        "base_turn_final": ("rad", "its angle at the end"),
        "joint_error_max": ("rad", "largest distance of a joint from its target"),
        "joint_error_final": ("rad", "the same at the end"),
        "angular_momentum_drift": ("relative", "largest change of angular momentum about Earth, of the orbit's"),
    }
    motion: JointMotion

    @model_validator(mode="after")
    def _drivable(self) -> "FreeFlyer":
        bodies = {body.name: body for body in self.world.bodies}
        for name in self.motion.joints:
            if name not in bodies:
                raise ValueError(f"motion.joints: no body {name!r}{nearest(name, bodies)}")
            joint = bodies[name].joint
            if not (isinstance(joint, Revolute | Prismatic) and joint.servo and joint.servo.kp > 0 < joint.servo.kd):
                raise ValueError(f"motion.joints: the joint of {name!r} has no servo with kp and kd to follow a motion")
        if not isinstance(bodies[self.base].joint, Free):
            raise ValueError(f"motion.joints: {self.base!r}, which carries them, has no free joint")
        return self

    @property
    def base(self) -> str:
        """The body that carries the arm."""
        parents = {body.name: body.parent for body in self.world.bodies}
        name = self.motion.joints[0]
        while parents[name] != WORLD:
            name = parents[name]
        return name

    def _targets(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        given = [self.initial[j].position if j in self.initial else () for j in self.motion.joints]
        start = [position[0] if position else 0.0 for position in given]
        return self.motion.targets(np.array(start), t)

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """Targets in the middle of each step, where it takes its forces; after the last way-point they are held."""
        moving = math.ceil(self.motion.waypoints[-1].time / self.run.h) + 1
        steps = min(whole_steps(self.run.duration, self.run.h, "duration"), moving)
        angles, rates = self._targets((np.arange(steps) + 0.5) * self.run.h)
        joints = self.motion.joints
        command = dynamics.command(
            position=dict(zip(joints, angles.T, strict=True)), rate=dict(zip(joints, rates.T, strict=True))
        )
        return Simulation(dynamics, *self.state(), **self.run.stepping, command=command)

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """The target of every joint at the recorded times."""
        angles = self._targets(rows.t)[0].T
        return {
            "targets": {
                "t": (rows.t, "s"),
                **{f"q.{j}": (a, "rad") for j, a in zip(self.motion.joints, angles, strict=True)},
            }
        }

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """How far the base turned (rad), how well the joints followed (rad), and what should not change."""
        dynamics = simulation.dynamics
        layout = dynamics.layout
        turn = angle_between(rows.q[0, layout.q[self.base]][3:], rows.q[:, layout.q[self.base]][:, 3:])
        joints = [layout.q[name].start for name in self.motion.joints]
        error = np.abs(rows.q[:, joints] - self._targets(rows.t)[0]).max(axis=1)
        metrics = {
            "base_turn_max": float(turn.max()),
            "base_turn_final": float(turn[-1]),
            "joint_error_max": float(error.max()),
            "joint_error_final": float(error[-1]),
        }
        if isinstance(self.world.gravity, Orbit):
            momentum, size = earth_angular_momentum(dynamics, rows)
            metrics["angular_momentum_drift"] = float(np.linalg.norm(momentum - momentum[0], axis=-1).max()) / size
        return metrics


SCENARIO = FreeFlyer
