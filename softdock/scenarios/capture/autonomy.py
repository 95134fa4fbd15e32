"""The phases of 'capture': a state machine over plans, at the controller's period.

    approach ─> hold ─> align ─> track ─> blind ─> close ─> detumble ─> rest
                 └───────┴────────┴───────┴────────┴──> abort

`hold` ends when an intercept is planned and the forecast of the handle at its closing meets the gripper's tolerance.
With the camera blocked, the same test says whether to go on; if it fails, or no intercept is left, the arm draws back.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.estimation import Forecast, RunAway, pose_error
from softdock.planning import Infeasible
from softdock.planning.braking import Stop
from softdock.planning.intercept import Intercept, Moving, Search, Timing
from softdock.runs.simulation import Simulation
from softdock.scenarios.capture.control import ChaserControl
from softdock.scenarios.capture.craft import GRASP, GRIPPER, HANDLE_FRAME, NV, R_AS, grasps
from softdock.scenarios.capture.log import Notes
from softdock.scenarios.capture.vision import VisionSystem
from softdock.spatial import matrix_of_quaternion

if TYPE_CHECKING:
    from softdock.scenarios.capture.scenario import Capture

APPROACH, HOLD, ALIGN, TRACK, BLIND, CLOSE, DETUMBLE, REST, ABORT = (
    "approach", "hold", "align", "track", "blind", "close", "detumble", "rest", "abort",
)  # fmt: skip
KEEP_OUT = 1.38
"""Radius (m) about the target's centre of mass that its panels sweep."""
FACE = 0.035
"""Nothing of the target but the bar is more than this (m) in front of the handle's origin, less its own depth."""
STILL = (np.radians(0.02), 0.001)
"""Rates (rad/s) of the target against the chaser, and of joints, below which it is at rest."""
UNSURE = "the forecast does not meet the gripper's tolerance"
CONTRADICTED = "many of the last poses contradict the estimate, so its covariance is not to be believed"
LAST, MOST = 60, 1 / 2
"""The newest poses, and the share of them that the filter may have refused."""
AGAIN = 4.0
"""Seconds after which a plan that is being followed is made anew by the newest forecast."""
ENOUGH = 10
"""Measurements before an intercept is looked for."""


class Autonomy:
    """A controller: looks, estimates, decides, and drives arm and wheels."""

    def __init__(self, scenario: "Capture", dynamics: Dynamics, vision: VisionSystem) -> None:
        self.scenario, self.dynamics, self.vision, self.estimator = scenario, dynamics, vision, vision.estimator
        self.control = ChaserControl(scenario)
        self.period = scenario.control.period
        gripper, plan = scenario.gripper, scenario.plan
        self.timing = Timing(
            align=plan.align, least=plan.least, most=plan.most, closing=gripper.closing, standoff=gripper.standoff
        )
        self.phase = APPROACH
        self.intercept: Intercept | None = None
        self.simulation: Simulation | None = None
        self.notes = Notes(self)
        self.closing: dict[str, Any] = {}
        """How well the gripper fitted when it had closed."""
        self.last_seen = np.nan
        self.aborted = self.obstacle = ""
        self.detumbled_at: float | None = None
        self._every = round(scenario.vision.period / self.period)
        self._forecasts: dict[float, Forecast] = {}
        self._handles: dict[float, Moving] = {}
        self._stops: dict[float, Stop] = {}
        self._searched = self._improved = -np.inf
        self._newer = False
        self._stops_at = np.inf

    def bind(self, simulation: Simulation) -> None:
        """The simulation whose latch it closes and whose events it adds to."""
        self.simulation = simulation
        self._enter(0.0, APPROACH)

    # --- the loop --------------------------------------------------------------------------------

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        tick = round(t / self.period)
        frame = tick % self._every == 0 and not self.blocked(t)
        if frame or self.notes.due(tick):
            chaser = self.control.chaser_state(t, q, v)
            truth = self.control.truth(chaser, q, v)
        if frame:
            self.vision.observe(chaser, *truth)
        fresh = self.vision.arrived(t)
        if fresh:
            self._forecasts.clear()
            self._handles.clear()
            self._stops.clear()
            self.last_seen = fresh[-1][0].t
        q, v = self._decide(t, q, v, bool(fresh))
        if self.notes.due(tick):
            self.notes.take(chaser, truth[0], q)
        command = np.zeros(self.dynamics.nv)
        command[:NV] = self.control.command(t, q, v)
        return command

    def blocked(self, t: float) -> bool:
        return t >= self.scenario.occlusion.start - 1e-9

    # --- decisions -------------------------------------------------------------------------------

    def _enter(self, t: float, phase: str) -> None:
        assert self.simulation
        self.phase = phase
        self.simulation.events.append({"time": t, "kind": "phase", "name": phase})

    def _decide(self, t: float, q: np.ndarray, v: np.ndarray, fresh: bool) -> tuple[np.ndarray, np.ndarray]:
        if self.phase == APPROACH and t >= self.control.trajectory.end - 1e-9:
            self._enter(t, HOLD)
        if self.phase == HOLD:
            self._seek(t, fresh)
        self._newer |= fresh
        last = self.blocked(t) and not self.vision.waiting
        if self.phase in (ALIGN, TRACK) and self._newer and (last or t - self._improved >= AGAIN):
            self._improve(t, last)
        if self.phase in (ALIGN, TRACK, BLIND):
            self._go_on(t)
        if self.phase == CLOSE and self.intercept and t >= self.intercept.closed - 1e-9:
            return self._close(t, q, v)
        if self.phase == DETUMBLE and t >= self._stops_at:
            self._settle(t, q, v)
        return q, v

    def _seek(self, t: float, fresh: bool) -> None:
        """Find an intercept, or a better one; begin it when its time has come, if the forecast is good enough."""
        due = t - self._searched >= self.scenario.plan.every or (self.blocked(t) and self.intercept is None)
        if self.estimator.accepted >= ENOUGH and due and (fresh or self.blocked(t)):
            self._searched = t
            self._search(t)
        if self.blocked(t) and (doubt := self.doubt()):
            self._abort(t, doubt)
        elif self.intercept and t >= self.intercept.begins - 1e-9:
            if self.doubt():
                self.intercept, self._searched = None, t - self.scenario.plan.every + AGAIN
            else:
                self.control.trajectory = self.intercept
                self._enter(t, ALIGN)

    def _search(self, t: float) -> None:
        """The intercept that was found again by the newest forecast; if that cannot be, or there is none, the best."""
        scenario, planner = self.scenario, self._planner()
        if self.intercept and (again := planner.again(t, self.intercept)):
            self.intercept = again
            return
        soonest = np.ceil(t + self.timing.align + self.timing.least + 0.5)
        earliest = max(scenario.occlusion.start + scenario.occlusion.length, soonest)
        try:
            self.intercept = planner.best(t, np.arange(earliest, self.latest(), 2.0), grasps(scenario.gripper))
        except (Infeasible, RunAway) as error:
            self.intercept, self.obstacle = None, str(error)

    def latest(self) -> float:
        """The last time (s) to begin closing, so that there is time to stop the tumble."""
        return self.scenario.run.duration - self.timing.closing - self.scenario.plan.after + 1e-9

    def _planner(self) -> Search:
        return Search(
            self.control.arm, self.scenario.arm.ready, self.handle, self.clear, timing=self.timing, brake=self._braked,
            eye=R_AS @ np.array(self.scenario.chaser.camera),
        )  # fmt: skip

    def _improve(self, t: float, last: bool) -> None:
        """The same grasp by the newest forecast; the old plan may do until the last one."""
        assert self.intercept
        self._improved, self._newer = t, False
        better = self._planner().replanned(t, self.intercept)
        if better is None and last:
            self._abort(t, "the handle went out of reach")
        elif better is not None:
            self.control.trajectory = self.intercept = better

    def _go_on(self, t: float) -> None:
        assert self.intercept
        blocked = self.blocked(t)
        if blocked and self.phase != BLIND and (doubt := self.doubt()):
            self._abort(t, doubt)
        elif self.phase == ALIGN and t >= self.intercept.tracks - 1e-9:
            self._enter(t, BLIND if blocked else TRACK)
        elif self.phase == TRACK and blocked and not self.vision.waiting:
            self._enter(t, BLIND)
        elif self.phase in (TRACK, BLIND) and t >= self.intercept.closes - 1e-9:
            if doubt := self.doubt():
                self._abort(t, doubt)
            else:
                self._enter(t, CLOSE)

    def doubt(self) -> str:
        """Why the planned grasp is not to be tried; empty if the forecast at closing meets the gripper's tolerance."""
        if self.intercept is None:
            return self.obstacle or "too few measurements"
        newest = self.vision.log.rows[-LAST:]
        if sum(not row["accepted"] for row in newest) > MOST * LAST:
            return CONTRADICTED
        there, gripper = self.forecast(self.intercept.closed), self.scenario.gripper
        sigmas = (there.position_sigma / gripper.capture_distance, there.angle_sigma / gripper.capture_angle)
        return "" if gripper.confidence * max(sigmas) <= 1.0 else UNSURE

    def _abort(self, t: float, reason: str) -> None:
        """Draw the arm back to where it waited."""
        self.aborted = reason
        self.control.retreat(t)
        self._enter(t, ABORT)
        assert self.simulation
        self.simulation.events[-1]["reason"] = reason

    def _close(self, t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The gripper has closed: it holds the handle if that is between the fingers."""
        assert self.simulation and self.intercept
        gripper, fit = self.scenario.gripper, self._fit(q, v)
        inside = fit["position"] <= gripper.capture_distance and fit["angle"] <= gripper.capture_angle
        inside = inside and fit["speed"] <= gripper.capture_speed
        self.closing = fit | {"time": t, "captured": inside} | self._compared(t, q, v)
        if not inside:
            self._abort(t, "the handle was not between the fingers")
            return q, v
        before = self.dynamics.balance(q, v, t)
        self.simulation.engage(GRASP)
        q, v = self.simulation.motion.q, self.simulation.motion.v
        after = self.dynamics.balance(q, v, t)
        turned, pushed = after.angular_momentum - before.angular_momentum, after.momentum - before.momentum
        own = self.dynamics.balance(q, np.where(np.arange(len(v)) < NV, 0.0, v), t)
        size = np.linalg.norm(own.angular_momentum), np.linalg.norm(own.momentum)
        self.closing["momentum_change"] = float(max(np.linalg.norm(turned) / size[0], np.linalg.norm(pushed) / size[1]))
        stop = self._stop(self.handle(t))
        self._stops_at = self.control.brake(t, q, v, stop, self.intercept.grasp)
        self._enter(t, DETUMBLE)
        return q, v

    def _compared(self, t: float, q: np.ndarray, v: np.ndarray) -> dict[str, dict[str, float]]:
        """The forecast of the handle for the end of closing, and where it was."""
        handle = self.control.truth(self.control.chaser_state(t, q, v), q, v)[0] @ self.vision.handle
        there = self.forecast(t)
        error = pose_error((there.position, there.quaternion), (handle.position, handle.quaternion))
        return {
            "forecast_error": {k: float(np.linalg.norm(e)) for k, e in (("position", error[3:]), ("angle", error[:3]))},
            "forecast_sigma": {"position": there.position_sigma, "angle": there.angle_sigma},
        }

    def _fit(self, q: np.ndarray, v: np.ndarray) -> dict[str, float]:
        """How the gripper is off its planned place on the handle, in truth: m, rad, m/s."""
        assert self.intercept
        (R_g, p_g), (R_h, p_h) = (self.dynamics.pose(frame, q) for frame in (GRIPPER, HANDLE_FRAME))
        turn = (R_h @ self.intercept.grasp.rotation).T @ R_g
        sine, cosine = np.linalg.norm(turn - turn.T) / np.sqrt(8), (np.trace(turn) - 1) / 2
        slip = (self.dynamics.jacobian(GRIPPER, q) - self.dynamics.jacobian(HANDLE_FRAME, q)) @ v
        return {
            "position": float(np.linalg.norm(p_g - p_h)),
            "angle": float(np.arctan2(sine, cosine)),
            "speed": float(np.linalg.norm(slip[3:])),
        }

    def _settle(self, t: float, q: np.ndarray, v: np.ndarray) -> None:
        """At rest relative to the base?"""
        R_WS, R_WB = (self.dynamics.pose(body, q)[0] for body in ("chaser", "target"))
        apart = R_WB @ v[NV + 3 : NV + 6] - R_WS @ v[3:6]
        if np.linalg.norm(apart) < STILL[0] and np.abs(v[6:13]).max() < STILL[1]:
            self.detumbled_at = t
            self._enter(t, REST)

    # --- what is foreseen ------------------------------------------------------------------------

    def forecast(self, t: float) -> Forecast:
        """The handle at time t by the present estimate."""
        key = round(float(t), 6)
        if key not in self._forecasts:
            self._forecasts[key] = self.estimator.forecast(t)
        return self._forecasts[key]

    def handle(self, t: float) -> Moving:
        """Its motion, for the plans, in A."""
        key = round(float(t), 6)
        if key not in self._handles:
            there = self.forecast(t)
            R = matrix_of_quaternion(there.quaternion)
            self._handles[key] = Moving(R, there.position, there.velocity, R @ there.angular_velocity)
        return self._handles[key]

    def clear(self, t: float, x: np.ndarray) -> bool:
        """Are elbow, forearm and wrist in front of the face that carries the handle, or out of the target's sweep?"""
        handle, points = self.handle(t), self.control.points(x)
        center = handle.p - handle.R @ self.estimator.estimate().offset
        ahead = (points - handle.p) @ handle.R[:, 0]
        near = np.linalg.norm(points - center, axis=1) < KEEP_OUT
        return not bool(np.any(near & (ahead > FACE)))

    def _stop(self, handle: Moving) -> Stop:
        """The estimate has the inertia's shape; its scale is the one that the target was built with."""
        now = self.estimator.estimate()
        return self.control.stop_of(handle, now.inertia * sum(self.scenario.target.inertia), now.offset)

    def _braked(self, t: float) -> list[tuple[float, np.ndarray, np.ndarray]]:
        key = round(float(t), 6)
        if key not in self._stops:
            self._stops[key] = self._stop(self.handle(t))
        stop = self._stops[key]
        rows = np.unique(np.append(np.arange(4, len(stop.t), 4), len(stop.t) - 1))
        return [(t + float(stop.t[k]), stop.R[k], stop.p[k]) for k in rows]
