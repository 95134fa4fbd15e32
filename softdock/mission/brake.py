"""The phase `Brake`: what is held comes to rest against the base."""

from typing import Any

import numpy as np

from softdock.mission.arm import From
from softdock.mission.chase import Chase
from softdock.mission.phase import Done
from softdock.mission.pursuit import Grasping
from softdock.planning import minimum_acceleration
from softdock.planning.braking import Stop
from softdock.planning.intercept import Moving, gripper_at
from softdock.planning.plan import Sample, sampled
from softdock.world import Pose

STILL = (np.radians(0.02), 0.001)
"""Rates (rad/s) of what is held against the base, and of joints, below which it is at rest."""


class Spline:
    """Joint values through knots, with given rates at both ends."""

    def __init__(self, t: np.ndarray, q: np.ndarray, rates: tuple[np.ndarray, np.ndarray]) -> None:
        from scipy.interpolate import CubicSpline

        self._curve = CubicSpline(t, q, bc_type=((1, rates[0]), (1, rates[1])))
        self.duration = float(t[-1])

    def at(self, t: float) -> Sample:
        return sampled(self._curve, t)


class Brake(Grasping):
    """Bring what is held to rest against the base, by arm and wheels; its model, held at `grasp`, is the craft's from
    now on. `period` (s) is the mission's; `other` (-) is what every `Phase` takes."""

    kind = "detumble"

    def __init__(self, chase: Chase, grasp: Pose, period: float, **other: Any) -> None:
        super().__init__(chase, **other)
        self.grasp, self.period, self._end = grasp, period, np.inf

    def begin(self, t: float) -> None:
        chase, arm = self.chase, self.chase.arm
        stop = chase.stop_of(chase.nav.handle_at(t))
        arm.craft.carry(chase.hand.payload(self.grasp), self.period)
        plan = self._plan(stop)
        arm.motion = From(plan, t)
        self._end = t + float(plan.duration)

    def _plan(self, stop: Stop) -> Any:
        arm = self.chase.arm
        joints, rate = [arm.q], arm.qd
        for R, p in zip(stop.R[1:], stop.p[1:], strict=True):
            still = Moving(R, p, np.zeros(3), np.zeros(3))
            there = arm.reacher.at(*gripper_at(still, self.grasp, 0.0), joints[-1])
            if there is None:  # a limit is in the way: every joint stops by itself
                most = 2 * stop.t[-1]
                return minimum_acceleration(arm.q, arm.q + rate * most / 2, most, start_rate=rate)
            joints.append(there)
        return Spline(stop.t, np.array(joints), (rate, np.zeros(len(rate))))

    def update(self, t: float) -> Done | None:
        arm = self.chase.arm
        turn = arm.kinematics.forward(arm.q)[2][:3] @ arm.qd
        still = np.linalg.norm(turn) < STILL[0] and np.abs(arm.qd).max() < STILL[1]
        return Done() if t >= self._end and still else None
