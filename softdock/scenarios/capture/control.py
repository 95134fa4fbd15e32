"""How the chaser of 'capture' is controlled: trajectories followed by the arm while wheels hold the base's attitude."""

from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.control import ComputedTorque, Limited, ReactionWheels
from softdock.control.reference import Wanted
from softdock.dynamics import Dynamics
from softdock.planning import joint_limits, minimum_acceleration
from softdock.planning.braking import Stop, stopping
from softdock.planning.free_floating import FreeFloatingArm
from softdock.planning.intercept import Moving, Reacher, gripper_at
from softdock.scenarios.capture.craft import (
    ARM_Q,
    ARM_V,
    BASE,
    CAMERA,
    ELBOW,
    GRIPPER,
    JOINTS,
    NQ,
    NV,
    Q_AS,
    WRIST,
    chaser_world,
    orbit_rate,
    turned_hill,
    wheel_names,
    with_payload,
)
from softdock.scenarios.capture.trajectory import JointTrajectory, Spline
from softdock.scenarios.capture.vision import ChaserState
from softdock.spatial import four, quaternion_product
from softdock.tracking.viewpoint import Viewpoint
from softdock.world import Pose

if TYPE_CHECKING:
    from softdock.scenarios.capture.scenario import Capture


class ChaserControl:
    """Follows a trajectory of the joints by computed torque while wheels keep the base's attitude in A."""

    def __init__(self, scenario: "Capture") -> None:
        self.scenario, self.n = scenario, orbit_rate(scenario.orbit)
        self.alone = Dynamics(chaser_world(scenario.chaser, scenario.arm, scenario.orbit))
        self.kinematics = FreeFloatingArm(self.alone, BASE, JOINTS, GRIPPER, Q_AS)
        low, high = joint_limits(self.alone, JOINTS)
        self.arm = Reacher(self.kinematics.forward, low, high, scenario.arm.rate)
        self.limiters: list[Limited] = []
        self._drive(self.alone)
        stowed = np.array(scenario.arm.stowed)
        begins = scenario.plan.approach
        plan = minimum_acceleration(
            stowed, scenario.arm.ready, scenario.plan.reaching, position=(low, high), rate=scenario.arm.rate,
            names=JOINTS,
        )  # fmt: skip
        self.trajectory: Any = JointTrajectory(plan, begins, begins + plan.duration)

    def _drive(self, dynamics: Dynamics) -> None:
        """Take a model of the chaser, alone or with its payload, for the control."""
        scenario, wheels = self.scenario, wheel_names()
        store = ReactionWheels(dynamics, wheels, momentum_limit=scenario.chaser.wheels.momentum)
        turns = tuple(f"{BASE}.w{axis}" for axis in "xyz")
        control = ComputedTorque(
            dynamics, self.wanted, kp=scenario.control.kp, kd=scenario.control.kd, period=scenario.control.period,
            actuators=(*JOINTS, *wheels), tracked=(*JOINTS, *turns),
        )  # fmt: skip
        torque = dict.fromkeys(JOINTS, scenario.arm.torque) | dict.fromkeys(wheels, scenario.chaser.wheels.torque)
        self.limiters.append(Limited(control, dynamics, torque=torque, ranges=[store]))

    def points(self, x: np.ndarray) -> np.ndarray:
        """Elbow, middle of the forearm, wrist (3, 3) in A."""
        elbow, wrist = self.kinematics.points(x, (ELBOW, WRIST))
        return np.array([elbow, (elbow + wrist) / 2, wrist])

    def command(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Of all actuators (nv of the chaser)."""
        return self.limiters[-1](t, q[:NQ], v[:NV])

    def wanted(self, t: float) -> Wanted:
        """The state to be in at time t; the base's position is nobody's concern."""
        q, v, a = np.zeros(NQ), np.zeros(NV), np.zeros(NV)
        half = self.n * t / 2
        q[3:7] = quaternion_product((np.cos(half), 0.0, 0.0, np.sin(half)), Q_AS)
        v[5] = self.n  # R_AS leaves z
        q[ARM_Q], v[ARM_V], a[ARM_V] = self.trajectory.at(t)
        return Wanted(q, v, a)

    def retreat(self, t: float) -> None:
        """Go to where the arm waits, from whatever it does now."""
        here, ready, duration = self.trajectory.at(t), np.array(self.scenario.arm.ready), self.scenario.plan.reaching
        plan = minimum_acceleration(here.q, ready, duration, start_rate=here.qd)
        self.trajectory = JointTrajectory(plan, t, t + duration)

    # --- what the chaser knows of itself, and what is true of the target ---------------------------

    def chaser_state(self, t: float, q: np.ndarray, v: np.ndarray) -> ChaserState:
        """A and the camera; attitude and joints are measured without error."""
        balance = self.alone.balance(q[:NQ], v[:NV], t)
        R_WA, rate = turned_hill(self.n, t), np.array([0.0, 0.0, self.n])
        R_WK, p_WK = self.alone.pose(CAMERA, q[:NQ])
        moving = self.alone.jacobian(CAMERA, q[:NQ]) @ v[:NV]
        center, drift = balance.center, balance.momentum / self.alone.mass
        p = R_WA.T @ (p_WK - center)
        velocity = R_WA.T @ (moving[3:] - drift) - np.cross(rate, p)
        camera = Viewpoint(R_WA.T @ R_WK, p, velocity, R_WA.T @ moving[:3] - rate)
        return ChaserState(t, R_WA, center, drift, camera)

    def truth(self, chaser: ChaserState, q: np.ndarray, v: np.ndarray) -> tuple[Pose, np.ndarray, np.ndarray]:
        """The target's pose in A, its velocity in A, and its angular velocity against A in its own axes."""
        rate = np.array([0.0, 0.0, self.n])
        p = chaser.R_WA.T @ (q[NQ : NQ + 3] - chaser.center)
        velocity = chaser.R_WA.T @ (v[NV : NV + 3] - chaser.drift) - np.cross(rate, p)
        half = self.n * chaser.t / 2
        w, x, y, z = q[NQ + 3 : NQ + 7].tolist()
        q_AB = quaternion_product((np.cos(half), 0.0, 0.0, -np.sin(half)), (w, x, y, z))
        a, b, c = p.tolist()
        body = Pose(position=(a, b, c), quaternion=four(q_AB))
        return body, velocity, v[NV + 3 : NV + 6] - body.rotation.T @ rate

    # --- after capture -----------------------------------------------------------------------------

    def stop_of(self, handle: Moving, inertia: np.ndarray, offset: np.ndarray) -> Stop:
        """The target's way to rest, from its handle's motion, in least time."""
        detumble, target = self.scenario.detumble, self.scenario.target
        return stopping(handle, inertia, offset, target.mass, moment=detumble.moment, force=detumble.force)

    def brake(self, t: float, q: np.ndarray, v: np.ndarray, stop: Stop, grasp: Pose) -> float:
        """Bring the target to rest along `stop`, from the joints' state at t; returns when it should be there."""
        scenario = self.scenario
        self._drive(Dynamics(with_payload(scenario.chaser, scenario.arm, scenario.target, scenario.orbit, grasp)))
        joints = [q[ARM_Q]]
        for R, p in zip(stop.R[1:], stop.p[1:], strict=True):
            still = Moving(R, p, np.zeros(3), np.zeros(3))
            there = self.arm.at(*gripper_at(still, grasp, 0.0), joints[-1])
            if there is None:
                break
            joints.append(there)
        if len(joints) == len(stop.t):
            plan: Any = Spline(stop.t, np.array(joints), (v[ARM_V], np.zeros(7)))
        else:  # a limit is in the way: every joint stops by itself
            rate, most = v[ARM_V], 2 * stop.t[-1]
            plan = minimum_acceleration(q[ARM_Q], q[ARM_Q] + rate * most / 2, most, start_rate=rate)
        self.trajectory = JointTrajectory(plan, t, t + plan.duration)
        return t + float(plan.duration)
