"""Servos of an arm's joints: they follow its motion step by step, between two calls of the mission."""

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.arm import Arm


class JointServos:
    """A controller: tells the servos of arms' joints where their motions have them half a step on, every `h` (s). What
    a servo gives stays, at the beginning of every step, within what its motor can, with what the craft's control
    commands beside it; `cut` counts the steps in which it was cut."""

    def __init__(self, arms: list[Arm], dynamics: Dynamics, h: float) -> None:
        self.period, self._arms, self._nv = h, arms, dynamics.nv
        self._v = [dynamics.layout.flat(arm.joints)[1] for arm in arms]
        self._q = [dynamics.layout.flat(arm.joints)[0] for arm in arms]
        self._last: np.ndarray | None = None
        self.cut: dict[str, int] = {}

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        command = np.zeros(self._nv)
        before = q if self._last is None else self._last
        for arm, in_q, in_v in zip(self._arms, self._q, self._v, strict=True):
            kp, kd = arm.servos.T
            there = arm.wanted_at(t + self.period / 2)
            own = kp * q[in_q] + kd * (q[in_q] - before[in_q]) / self.period  # mean rates: stiff motors ring in v
            asked = kp * there.q + kd * there.qd - own
            whole = arm.commanded + asked
            given = np.clip(whole, -arm.efforts, arm.efforts)
            for name in np.array(arm.joints)[given != whole]:
                self.cut[name] = self.cut.get(name, 0) + 1
            command[in_v] = given - arm.commanded + own
        self._last = q.copy()
        return command
