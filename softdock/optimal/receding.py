"""Planning again in the loop."""

import numpy as np

from softdock.optimal.planner import NoPlan, Planner
from softdock.optimal.plans import Plan


class RecedingHorizon:
    """Plans again every `period` (s) from where the world is, for what is left of the first plan's duration, and gives
    each plan's torques, held over a `step` (s) of the loop; within `least` (s) of the end the last plan is kept. Plans
    have as many steps as the first, so that nothing is built anew. `seconds` and `failures` tell how long each took,
    and which failed (the plan before is kept then)."""

    def __init__(self, planner: Planner, plan: Plan, *, period: float = 0.5, step: float, least: float = 1.0) -> None:
        self.planner, self.plan, self.period = planner, plan, float(step)
        self._every, self._least, self._end = float(period), float(least), float(plan.t[-1])
        self._next = float(plan.t[0])
        self.seconds: list[float] = []
        self.failures: list[str] = []

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        if t >= self._next - 1e-9 and self._end - t > self._least:
            self._next = t + self._every
            try:
                self.plan = self.planner.plan(q, v, t, duration=self._end - t, guess=self.plan, warm=self.plan)
                self.seconds.append(self.plan.solved.seconds)
            except NoPlan as failure:
                self.failures.append(str(failure))
        h = np.array([self.period])
        return np.asarray(self.plan.made.drives.command(q[None], v[None], h, self._mean(t)[None])[0])

    def _mean(self, t: float) -> np.ndarray:
        """The plan's torques over the coming step of the loop, of which the plan's may be several, or a part."""
        plan = self.plan
        impulses = np.vstack([0.0 * plan.torques[0], np.cumsum(plan.motion.h[:, None] * plan.torques, axis=0)])
        both = [[np.interp(at, plan.t, column) for column in impulses.T] for at in (t, t + self.period)]
        return (np.array(both[1]) - both[0]) / self.period
