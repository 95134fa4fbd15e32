"""A plan as a controller."""

import numpy as np

from softdock.optimal.plans import Plan


class OpenLoop:
    """A plan's commands, step by step, without feedback (but for servos that joints have); after it, its last state is
    held by servos, if there are any. The simulation's step is the plan's."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.period = plan, float(plan.motion.h[0])
        self._rows = plan.commands
        self._after = np.zeros(self._rows.shape[1])
        for link in plan.made.task.dynamics.tree.links:
            if link.v in plan.made.actuated and link.kp:
                self._after[link.v] = link.kp * plan.q[-1, link.q]

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        k = round((t - self.plan.start[2]) / self.period)
        return self._rows[k] if 0 <= k < len(self._rows) else self._after
