"""Capture as a Gymnasium environment, over the scenario 'capture' with ideal poses:

    gymnasium.make("softdock.scenarios.environments:softdock/Capture-v0")

It begins when the handle of the tumbling target comes within the arm's reach, with the arm waiting before it. An action
is the rates that the seven joints are to have; they get there at a bounded acceleration, and stop before their limits.
Computed torque and the wheels do the rest, as in the scenario. It ends when the bar is between the fingers as the
scenario's gripper wants it, or when bodies touch that are not meant to, as the scenario's attempt does; it is cut off
when the handle has turned away.
"""

from typing import Any

import numpy as np
from gymnasium import spaces

from softdock.control import ComputedTorque
from softdock.dynamics import Dynamics, Motion
from softdock.mission.arm import Arm, From
from softdock.mission.bus import Bus
from softdock.mission.craft import Crafts
from softdock.planning import Sample, joint_limits, minimum_acceleration
from softdock.scenarios import load
from softdock.scenarios.capture.craft import ARM_Q, ARM_V, BASE, GRIPPER, HANDLE_FRAME, JOINTS, NQ, NV, TARGET, grasps
from softdock.scenarios.capture.scenario import Capture
from softdock.scenarios.environments import ScenarioEnv, Stepped
from softdock.scenarios.pictures import View
from softdock.spatial import quaternion_product, vector_of_matrix

BEGINS, ENDS = 86.0, 118.0
"""Times (s) of the scenario between which the handle can be followed."""
CAPTURED = 10.0
"""Reward for a capture; on the way it is the metres and half the radians gained."""
COLLIDED = -10.0
"""Reward for bodies that touch; the episode is over. An arm that leans on what it hit follows no rates."""
TURN = 0.5
ACCELERATION = 0.15
"""Most of a joint's acceleration (rad/s²)."""
STRAIGHT = 0.2
"""Least bend (rad) of a pitch joint."""
CLOSING = 3.0
"""Time constant (s) with which the scripted policy closes in."""
MARGIN = 0.05
"""Targets stay so far (rad) from the joints' limits: what the joints may be off their targets."""


class _Ramp:
    """A trajectory of constant joint accelerations."""

    def __init__(self, t: float, q: np.ndarray, rates: np.ndarray, accelerations: np.ndarray) -> None:
        self.t, self.q, self.rates, self.accelerations = t, q, rates, accelerations

    def at(self, t: float) -> Sample:
        dt = t - self.t
        rates = self.rates + dt * self.accelerations
        return Sample(self.q + dt * (self.rates + rates) / 2, rates, self.accelerations)


class _Chaser:
    """Arm and bus of the scenario's chaser, by their true state."""

    def __init__(self, scenario: Capture) -> None:
        gains = scenario.control.kp, scenario.control.kd
        self.arm, self._bus, crafts = Arm(GRIPPER, gains=gains), Bus(BASE, gains=gains), Crafts(scenario.world)
        for name, part in (("arm", self.arm), ("bus", self._bus)):
            part.name = name
            part.fit(crafts)
        self.craft, self._most = self.arm.craft, scenario.arm.torque
        self._gains, self._period = gains, scenario.control.period
        self.drive()

    def drive(self) -> None:
        """Controllers that remember nothing: a first episode must not differ from later ones of its seed."""
        self.craft.limiters.clear()
        self.craft.drive(self._period)
        kp, kd = self._gains
        self._let_go = ComputedTorque(
            self.craft.dynamics, self.craft.wanted, kp=kp, kd=kd, period=self._period, actuators=JOINTS, tracked=JOINTS
        )

    def _measure(self, motion: Motion) -> None:
        self.craft.measured(motion.t, motion.q[:NQ], motion.v[:NV])

    def begin(self, motion: Motion) -> None:
        """Hold the attitude that the base has now."""
        self._measure(motion)
        for part in (self.arm, self._bus):
            part.update(motion.t)

    def command(self, motion: Motion) -> np.ndarray:
        """Of all actuators, now. Where a limit cuts it off, the arm's torques are those of an arm on a base that is let
        go: the others count on what the wheels cannot give, and would throw the arm about."""
        self._measure(motion)
        limited = self.craft.limiters[-1]
        cuts = sum(cut.calls for cut in limited.saturations.values())
        command = np.zeros(motion.dynamics.nv)
        command[:NV] = self.craft.command(motion.t)
        if sum(cut.calls for cut in limited.saturations.values()) > cuts:
            torques = self._let_go(motion.t, self.craft.q, self.craft.v)[ARM_V]
            command[ARM_V] = np.clip(torques, -self._most, self._most)
        return command


class CaptureEnv(ScenarioEnv):
    """Observes joint angles (rad) and rates (rad/s), and where the handle is in the gripper's frame: rotation vector
    (rad) against how it should be held, then position (m), with the noise of the scenario's ideal poses."""

    def __init__(self, render_mode: str | None = None, *, spread: float = 0.01, changes: tuple[str, ...] = ()) -> None:
        """The target's attitude (rad) and rates (rad/s) are `spread` (standard deviation) about the scenario's;
        `changes` are as of `softdock run --set`. An action every `vision.period`."""
        super().__init__(render_mode, spread=spread, changes=changes)
        scenario = load("capture", ["vision.pose=ideal", "gripper.kind=ideal", *changes])
        assert isinstance(scenario, Capture)
        if scenario.chaser.flexible or scenario.target.flexible or scenario.arm.elastic:
            raise ValueError("changes: the environment of 'capture' has a rigid chaser and target")
        self._spread, self._scenario = spread, scenario
        self._dynamics, self._meant = Dynamics(scenario.world), scenario.meant()
        self._grasp = min(grasps(scenario.gripper, scenario.target), key=lambda g: -abs(g.quaternion[0])).rotation
        self._ticks = round(scenario.vision.period / scenario.control.period)
        self._steps = round(scenario.control.period / scenario.run.h)
        self._motion: Motion | None = None
        self._chaser: _Chaser | None = None
        most = scenario.arm.rate
        self.action_space = spaces.Box(-most, most, (7,), np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, (20,), np.float64)

    def _begin(self) -> dict[str, Any]:
        """The target somewhat otherwise, the arm where it waits."""
        if self._chaser is None:
            self._chaser = _Chaser(self._scenario)
            low, high = joint_limits(self._chaser.craft.dynamics, JOINTS)
            self._low, self._high = bent(low + MARGIN, high - MARGIN, np.array(self._scenario.arm.ready))
            self._start = self._waited(self._chaser)
        q, v = (x.copy() for x in self._start)
        half = self._spread * self.np_random.standard_normal(3) / 2
        turned = quaternion_product(q[NQ + 3 : NQ + 7], (1.0, *half.tolist()))
        q[NQ + 3 : NQ + 7] = np.array(turned) / np.linalg.norm(turned)
        v[NV + 3 : NV + 6] += self._spread * self.np_random.standard_normal(3)
        self._motion = Motion(self._dynamics, q, v, h=self._scenario.run.h, t=BEGINS)
        self._trajectory = _Ramp(BEGINS, q[ARM_Q], np.zeros(7), np.zeros(7))
        self._error = self._error_now()
        return {"time": BEGINS}

    def _advance(self, action: np.ndarray) -> Stepped:
        """Bring the joints' rates towards those of the action, as far as acceleration and limits let them."""
        assert self._motion and self._chaser
        motion, before = self._motion, self._far()
        here, period = self._trajectory.at(motion.t), self._scenario.vision.period
        change = rates_within(here, action, period, self._low, self._high) - here.qd
        self._trajectory = self._chaser.arm.motion = _Ramp(motion.t, here.q, here.qd, change / period)
        hit = None
        for _ in range(self._ticks):
            rows = motion.run(self._steps, self._chaser.command(motion), every=self._steps)
            hit = next((impact for impact in rows.impacts if impact.contact not in self._meant), None)
            if hit:
                break
        self._error = self._error_now()
        done, away = not hit and self._held(), self._far()
        reward = float(np.dot((1.0, TURN), np.subtract(before, away)) + CAPTURED * done + COLLIDED * bool(hit))
        info = {"time": motion.t, "off": away}
        if hit:
            info["collided"] = f"{hit.contact} touched at {hit.time:.2f} s with {hit.impulse:.2g} N s"
        return Stepped(reward, done or bool(hit), motion.t >= ENDS - 1e-9, info)

    def _waited(self, chaser: _Chaser) -> tuple[np.ndarray, np.ndarray]:
        """The scenario's state at BEGINS, if the arm only goes to where it waits."""
        scenario, plan = self._scenario, self._scenario.plan
        motion = Motion(self._dynamics, *scenario.state(), h=scenario.run.h)
        chaser.begin(motion)
        way = minimum_acceleration(scenario.arm.stowed, scenario.arm.ready, plan.reaching, rate=scenario.arm.rate)
        chaser.arm.motion = From(way, plan.approach)
        for _ in range(round(BEGINS / scenario.control.period)):
            motion.run(self._steps, chaser.command(motion), every=self._steps)
        chaser.drive()
        return motion.q, motion.v

    def _error_now(self) -> tuple[np.ndarray, np.ndarray]:
        """The handle in the gripper's frame (m), and how far it is turned against how it should be held (rad)."""
        assert self._motion
        q = self._motion.q
        (R_g, p_g), (R_h, p_h) = (self._dynamics.pose(frame, q) for frame in (GRIPPER, HANDLE_FRAME))
        return R_g.T @ (p_h - p_g), vector_of_matrix(R_g.T @ R_h @ self._grasp)

    def _far(self) -> tuple[float, float]:
        away, turned = self._error
        return float(np.linalg.norm(away)), float(np.linalg.norm(turned))

    def _held(self) -> bool:
        """Is the handle between the fingers, and slow enough?"""
        assert self._motion
        gripper, (away, turned) = self._scenario.gripper, self._far()
        if away > gripper.capture_distance or turned > gripper.capture_angle:
            return False
        q, v = self._motion.q, self._motion.v
        slip = (self._dynamics.jacobian(GRIPPER, q) - self._dynamics.jacobian(HANDLE_FRAME, q)) @ v
        return bool(np.linalg.norm(slip[3:]) <= gripper.capture_speed)

    def _seen(self) -> np.ndarray:
        assert self._motion
        vision, (away, turned) = self._scenario.vision, self._error
        away = away + vision.scatter * self.np_random.standard_normal(3)
        turned = turned + vision.angle * self.np_random.standard_normal(3)
        return np.concatenate([self._motion.q[ARM_Q], self._motion.v[ARM_V], turned, away])

    def scripted(self) -> np.ndarray:
        """Resolved rates by the true poses and velocities: the gripper follows the handle, and closes in on it."""
        assert self._motion
        dynamics, q, v = self._dynamics, self._motion.q, self._motion.v
        away, turned = self._error
        R_g = dynamics.pose(GRIPPER, q)[0]
        J, moving = dynamics.jacobian(GRIPPER, q), dynamics.jacobian(HANDLE_FRAME, q) @ v
        carried = v.copy()
        carried[ARM_V] = 0.0
        twist = moving + np.concatenate([R_g @ turned, R_g @ away]) / CLOSING - J @ carried
        rates = np.linalg.lstsq(J[:, ARM_V], twist, rcond=1e-2)[0]
        return np.asarray(np.clip(rates, self.action_space.low, self.action_space.high))  # type: ignore[attr-defined]

    def _view(self) -> View:
        assert self._motion
        q = self._motion.q
        side, up = np.array([0.8, 0.6, 0.0]), np.array([-0.24, 0.32, 0.917])
        toward = np.cross(side, up / np.linalg.norm(up))
        R_WV = np.stack([side, np.cross(toward, side), toward], axis=1)
        center = (self._dynamics.pose(BASE, q)[1] + self._dynamics.pose(TARGET, q)[1]) / 2
        return View(self._dynamics, q, R_WV, center, 5.0)


def bent(low: np.ndarray, high: np.ndarray, ready: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Limits (rad) within which shoulder and elbow (2, 4) stay bent to the side to which they wait. Where one is
    straight, the rolls before and after it turn about one axis, and torques held for a period throw them about."""
    low, high, pitch = low.copy(), high.copy(), np.array([1, 3])
    low[pitch] = np.where(ready[pitch] > 0, STRAIGHT, low[pitch])
    high[pitch] = np.where(ready[pitch] > 0, high[pitch], -STRAIGHT)
    return low, high


def rates_within(here: Sample, wanted: np.ndarray, period: float, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Joint rates after a period, nearest to those that are wanted: reached at no more than ACCELERATION, and such that
    every joint can still be stopped, at that acceleration, before its limits (rad)."""
    step = ACCELERATION * period
    middle = here.q + here.qd * period / 2
    up, down = (
        ACCELERATION * (np.sqrt(period**2 / 4 + 2 * np.maximum(room, 0.0) / ACCELERATION) - period / 2)
        for room in (high - middle, middle - low)
    )
    rates = np.minimum(np.maximum(wanted, -down), up)
    return np.asarray(np.minimum(np.maximum(rates, here.qd - step), here.qd + step))
