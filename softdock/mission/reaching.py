"""A reach beside a handle by optimal control: the least effort of the joints on the way there."""

from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.arm import Arm
from softdock.mission.flying import ReachBeside
from softdock.mission.passivating import AROUND, STEPS, PlannedArm
from softdock.planning.flight import quintic
from softdock.planning.plan import Sample
from softdock.world import Fixed, NoGravity


class ReachOptimally(ReachBeside):
    """As `ReachBeside`, whose way to the standoff is planned: the least ∫ Σ u² dt of the joints, the base held, within
    torques, rates and limits, at most `AROUND` beyond where they are and shall be. What the handle moves meanwhile is
    blended in. If there is no such plan, it reaches as `ReachBeside` does; `planned` tells."""

    planned = ""

    def begin(self, t: float) -> None:
        super().begin(t)
        self._goal, self._plan = self.servo.at(t).q.copy(), None
        try:
            plan = reach(self.arm, self._from, self._goal, self.seconds)
        except ValueError as failure:
            self.planned = str(failure)
            return
        self._plan = PlannedArm(plan, len(self.arm.joints))
        self.planned = f"{plan.status}: effort {plan.effort:.4g} N² m² s, KKT {plan.solved.kkt:.0e}"

    def at(self, t: float) -> Sample:
        if self._plan is None:
            return super().at(t)
        s, rate, bend = quintic((t - self._begin) / self.seconds)
        rate, bend = rate / self.seconds, bend / self.seconds**2
        there, way = self.servo.at(t), self._plan.at(t - self._begin)
        moved = there.q - self._goal
        return Sample(
            way.q + s * moved, way.qd + rate * moved + s * there.qd, way.qdd + bend * moved + 2 * rate * there.qd
        )


def reach(arm: Arm, start: np.ndarray, goal: np.ndarray, duration: float) -> Any:
    """A plan of the arm from rest to rest, on a base that is held."""
    from softdock import optimal

    bodies = [body if body.name in arm.joints else body.altered(joint=Fixed()) for body in arm.craft.world.bodies]
    held = arm.craft.world.altered(bodies=tuple(bodies), contacts=(), latches=(), thrusters=(), gravity=NoGravity())
    dynamics = Dynamics(arm.craft.unservoed(held))
    q, v = dynamics.state(dict(zip(arm.joints, ({"position": float(x)} for x in start), strict=True)))
    low = np.maximum(arm.lower, np.minimum(start, goal) - AROUND)
    high = np.minimum(arm.upper, np.maximum(start, goal) + AROUND)
    ends = [optimal.joints_at(dict(zip(arm.joints, goal.tolist(), strict=True))), optimal.at_rest(*arm.joints)]
    ranges = dict(zip(arm.joints, zip(low.tolist(), high.tolist(), strict=True), strict=True))
    return optimal.plan(
        optimal.Task(
            dynamics, q, v, duration=duration, steps=STEPS, actuators=arm.joints, end=ends,
            limits=optimal.Limits(joints=ranges),
        )
    )  # fmt: skip
