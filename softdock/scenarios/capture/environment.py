"""Capture as a Gymnasium environment, over the scenario 'capture' with ideal poses:

    gymnasium.make("softdock.scenarios.environments:softdock/Capture-v0")

It begins when the handle of the tumbling target comes within the arm's reach, with the arm waiting before it. An action
is the rates of the seven joints; computed torque and the wheels do the rest, as in the scenario. It ends when the bar
is between the fingers as the scenario's gripper wants it; it is cut off when the handle has turned away.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from softdock.dynamics import Dynamics, Motion
from softdock.mission.arm import Arm, From
from softdock.mission.bus import Bus
from softdock.mission.craft import Crafts
from softdock.planning import Sample, minimum_acceleration
from softdock.scenarios import load
from softdock.scenarios.capture.craft import ARM_Q, ARM_V, BASE, GRIPPER, HANDLE_FRAME, NQ, NV, grasps
from softdock.scenarios.capture.scenario import Capture
from softdock.scenarios.environments import fitting
from softdock.spatial import quaternion_product, vector_of_matrix

BEGINS, ENDS = 86.0, 118.0
"""Times (s) of the scenario between which the handle can be followed."""
CAPTURED = 10.0
"""Reward for a capture; on the way it is the metres and half the radians gained."""
TURN = 0.5


class _Held:
    """A trajectory of constant joint rates."""

    def __init__(self, t: float, q: np.ndarray, rates: np.ndarray) -> None:
        self.t, self.q, self.rates = t, q, rates

    def at(self, t: float) -> Sample:
        return Sample(self.q + (t - self.t) * self.rates, self.rates, np.zeros(7))


class _Chaser:
    """Arm and bus of the scenario's chaser, by their true state."""

    def __init__(self, scenario: Capture, motion: Motion) -> None:
        gains = scenario.control.kp, scenario.control.kd
        self.arm, bus, crafts = Arm(GRIPPER, gains=gains), Bus(BASE, gains=gains), Crafts(scenario.world)
        for name, part in (("arm", self.arm), ("bus", bus)):
            part.name = name
            part.fit(crafts)
        self._craft, self._motion = self.arm.craft, motion
        self._craft.drive(scenario.control.period)
        self._measure()
        for part in (self.arm, bus):
            part.update(motion.t)

    def _measure(self) -> None:
        self._craft.measured(self._motion.t, self._motion.q[:NQ], self._motion.v[:NV])

    def command(self) -> np.ndarray:
        """Of all actuators, now."""
        self._measure()
        command = np.zeros(self._motion.dynamics.nv)
        command[:NV] = self._craft.command(self._motion.t)
        return command


class CaptureEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """Observes joint angles (rad) and rates (rad/s), and where the handle is in the gripper's frame: rotation vector
    (rad) against how it should be held, then position (m), with the noise of the scenario's ideal poses."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (Gymnasium's own way)

    def __init__(self, render_mode: str | None = None, *, spread: float = 0.01, changes: tuple[str, ...] = ()) -> None:
        """The target's attitude (rad) and rates (rad/s) are `spread` (standard deviation) about the scenario's;
        `changes` are as of `softdock run --set`. An action every `vision.period`."""
        scenario = load("capture", ["vision.pose=ideal", *changes])
        assert isinstance(scenario, Capture)
        self.render_mode, self._spread, self._scenario = render_mode, spread, scenario
        self._dynamics = Dynamics(scenario.world, reuse_states=True)
        self._grasp = min(grasps(scenario.gripper), key=lambda g: -abs(g.quaternion[0])).rotation
        self._ticks = round(scenario.vision.period / scenario.control.period)
        self._steps = round(scenario.control.period / scenario.run.h)
        self._motion: Motion | None = None
        self._begin: tuple[np.ndarray, np.ndarray] | None = None
        most = scenario.arm.rate
        self.action_space = spaces.Box(-most, most, (7,), np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, (20,), np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """The target somewhat otherwise, the arm where it waits."""
        super().reset(seed=seed)
        if self._begin is None:
            self._begin = self._waited()
        q, v = (x.copy() for x in self._begin)
        half = self._spread * self.np_random.standard_normal(3) / 2
        turned = quaternion_product(q[NQ + 3 : NQ + 7], (1.0, *half.tolist()))
        q[NQ + 3 : NQ + 7] = np.array(turned) / np.linalg.norm(turned)
        v[NV + 3 : NV + 6] += self._spread * self.np_random.standard_normal(3)
        self._motion = Motion(self._dynamics, q, v, h=self._scenario.run.h, t=BEGINS)
        self._chaser = _Chaser(self._scenario, self._motion)
        self._trajectory = _Held(BEGINS, q[ARM_Q], np.zeros(7))
        self._away = self._far()
        return self._seen(), {"time": BEGINS}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold the joints' rates for a period of the camera."""
        if self._motion is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        motion, most = self._motion, self._scenario.arm.rate
        t = motion.t
        self._trajectory = _Held(t, self._trajectory.at(t).q, np.clip(fitting(self, action), -most, most))
        self._chaser.arm.motion = self._trajectory
        for _ in range(self._ticks):
            motion.run(self._steps, self._chaser.command())
        away, before = self._far(), self._away
        self._away = away
        done = self._held()
        reward = float(np.dot((1.0, TURN), np.subtract(before, away)) + CAPTURED * done)
        late = motion.t >= ENDS - 1e-9
        return self._seen(), reward, done, bool(late and not done), {"time": motion.t, "off": away}

    def _waited(self) -> tuple[np.ndarray, np.ndarray]:
        """The scenario's state at BEGINS, if the arm only goes to where it waits."""
        scenario, plan = self._scenario, self._scenario.plan
        motion = Motion(self._dynamics, *scenario.state(), h=scenario.run.h)
        chaser = _Chaser(scenario, motion)
        way = minimum_acceleration(scenario.arm.stowed, scenario.arm.ready, plan.reaching, rate=scenario.arm.rate)
        chaser.arm.motion = From(way, plan.approach)
        for _ in range(round(BEGINS / scenario.control.period)):
            motion.run(self._steps, chaser.command())
        return motion.q, motion.v

    def _error(self) -> tuple[np.ndarray, np.ndarray]:
        """The handle in the gripper's frame (m), and how far it is turned against how it should be held (rad)."""
        assert self._motion
        q = self._motion.q
        (R_g, p_g), (R_h, p_h) = (self._dynamics.pose(frame, q) for frame in (GRIPPER, HANDLE_FRAME))
        return R_g.T @ (p_h - p_g), vector_of_matrix(R_g.T @ R_h @ self._grasp)

    def _far(self) -> tuple[float, float]:
        away, turned = self._error()
        return float(np.linalg.norm(away)), float(np.linalg.norm(turned))

    def _held(self) -> bool:
        """Is the handle between the fingers, and slow enough?"""
        assert self._motion
        gripper, (away, turned) = self._scenario.gripper, self._away
        q, v = self._motion.q, self._motion.v
        slip = (self._dynamics.jacobian(GRIPPER, q) - self._dynamics.jacobian(HANDLE_FRAME, q)) @ v
        inside = away <= gripper.capture_distance and turned <= gripper.capture_angle
        return bool(inside and np.linalg.norm(slip[3:]) <= gripper.capture_speed)

    def _seen(self) -> np.ndarray:
        assert self._motion
        vision, (away, turned) = self._scenario.vision, self._error()
        away = away + vision.scatter * self.np_random.standard_normal(3)
        turned = turned + vision.angle * self.np_random.standard_normal(3)
        return np.concatenate([self._motion.q[ARM_Q], self._motion.v[ARM_V], turned, away])
